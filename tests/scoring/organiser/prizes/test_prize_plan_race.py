"""Two organisers who save a prize plan at the same moment: one plan is stored, and the other organiser is told."""

from functools import partial

import pytest

from scoring.core.prize_plan import PrizePlan
from scoring.queries.prizes import plan_of, plan_version
from scoring.services.prizes import set_prize_plan
from tests.factories import TournamentFactory
from tests.races import at_once
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament

TIMES = 8

pytestmark = pytest.mark.usefixtures("committed")


def plans() -> list[PrizePlan]:
    amounts = (100, 200)
    return [PrizePlan.from_dict({"prizes": [{"for": "last", "cents": cents}]}) for cents in amounts]


def test_two_plans_at_once_leave_one_and_one_refusal() -> None:
    for _ in range(TIMES):
        tournament = TournamentFactory.create()
        seen = plan_version(tournament)
        answers = at_once(*[partial(set_prize_plan, tournament, plan, seen=seen) for plan in plans()])
        (refused,) = [answer for answer in answers if isinstance(answer, Refusal)]
        (stored,) = [answer for answer in answers if isinstance(answer, Tournament)]
        tournament.refresh_from_db()
        assert refused.code == "prize_plan_changed"
        assert plan_of(tournament) == plan_of(stored)


def test_the_same_plan_saved_twice_is_saved() -> None:
    tournament = TournamentFactory.create()
    plan, seen = plans()[0], plan_version(tournament)
    for _ in range(2):
        set_prize_plan(tournament, plan, seen=seen)
    tournament.refresh_from_db()
    assert plan_of(tournament) == plan


def test_without_the_version_the_later_one_replaces_the_other_unseen() -> None:
    """The control of the test above."""
    tournament = TournamentFactory.create()
    answers = at_once(*[partial(set_prize_plan, tournament, plan) for plan in plans()])
    assert [type(answer) for answer in answers] == [Tournament, Tournament]
