"""Tests of the practice tournament, which `make demo` and the pictures in the README use."""

from datetime import UTC, datetime

import pytest

from scoring.practice.evenings import create_practice_tournament
from scoring.queries.standings import current_standings
from scoring.services.projection import rebuild_results
from tournaments.models import Round
from tournaments.queries.seating import rounds_with_seating

AT = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def test_it_is_in_its_second_round() -> None:
    tournament = create_practice_tournament(slug="uebung", owner=None, at=AT)
    states = list(tournament.rounds.order_by("number").values_list("state", flat=True))
    assert states == [Round.State.CLOSED, Round.State.RELEASED]
    table_monitor = current_standings(tournament)
    assert len(table_monitor.rows) == 47
    assert all(row.by_round[0] is not None for row in table_monitor.rows)
    assert rebuild_results(tournament) == []


def test_it_is_the_same_every_time() -> None:
    one = create_practice_tournament(slug="uebung-a", owner=None, at=AT)
    other = create_practice_tournament(slug="uebung-b", owner=None, at=AT)
    assert current_standings(one).rows == current_standings(other).rows
    assert rounds_with_seating(one)[1].seating == rounds_with_seating(other)[1].seating
