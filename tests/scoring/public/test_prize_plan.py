"""The prize plan in public: on the players' page and on the wall, if the organiser wants, and without a query."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from scoring.core.prize_plan import PrizePlan
from scoring.public.parts import screen_context
from scoring.public.tabs import tab_parts
from scoring.queries.public_view import public_view
from scoring.services.prizes import set_prize_plan
from scoring.services.rounds import close
from scoring.services.standings import freeze, release
from tests.factories import (
    AT,
    ParticipantFactory,
    TournamentFactory,
    a_paper_sheet,
    a_played_round,
    a_round,
)
from tests.scoring.pages import text_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

PLAN: dict[str, Any] = {
    "public": True,
    "one_each": True,
    "prizes": [
        {"for": "strokes", "cents": 500},
        {"for": "rank", "from": 2, "to": 3, "share": 20, "thing": "Wurst"},
        {"for": "rank", "from": 1, "to": 1, "thing": "Schinken & Senf"},
        {"for": "club", "club": "<b>SV Hof</b>", "cents": 100},
        {"for": "fee", "fee": "full", "thing": "Pokal"},
        {"for": "lot", "count": 2, "cents": 300},
        {"for": "last", "thing": "Trostpreis"},
    ],
}


@pytest.fixture
def tournament() -> Tournament:
    made = TournamentFactory.create(fees=[{"key": "full", "name": "voll", "cents": 300}])
    ParticipantFactory.create_batch(5, tournament=made)
    return made


def show(tournament: Tournament, **changes: Any) -> None:
    set_prize_plan(tournament, PrizePlan.from_dict({**PLAN, **changes}))


def kinds(tournament: Tournament) -> list[str]:
    return [page.kind for page in screen_context(tournament.slug, 1, is_paired=False)["pages"]]


def queries_of(address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert Client().get(address).status_code == 200
    return len(queries)


@pytest.mark.parametrize("has_plan", [True, False])
def test_the_wall_does_not_tell_the_winner_by_itself(tournament: Tournament, *, has_plan: bool) -> None:
    """With a plan it waits from the last sheet on; and wherever the end is kept for the prize-giving."""
    tournament.ruleset["rounds"] = 1
    tournament.save()
    if has_plan:
        show(tournament, public=False)
    a_paper_sheet(a_round(tournament).tables.get())
    assert kinds(tournament) == ["pause" if has_plan else "standings"]
    freeze(tournament, by="x", at=AT)
    close(tournament, 1, at=AT)
    assert kinds(tournament) == ["pause"]
    page = text_of(Client().get(f"/t/{tournament.slug}/screen/"))
    assert "Wer gewonnen hat, sagt die Siegerehrung." in page
    release(tournament, by="x", at=AT)
    assert kinds(tournament) == ["winner", "standings"]


def test_a_plan_that_is_not_public_is_seen_nowhere(tournament: Tournament) -> None:
    show(tournament, public=False)
    for address in ("", "screen/", "screen/?page=2"):
        page = text_of(Client().get(f"/t/{tournament.slug}/{address}"))
        assert "Schinken" not in page
    assert kinds(tournament) == ["welcome"]
    show(tournament, prizes=[], costs_cents=2500)
    assert kinds(tournament) == ["welcome"]
    assert 'aria-labelledby="prizes-title" hidden>' in text_of(Client().get(f"/t/{tournament.slug}/"))


def test_the_players_page_names_every_prize_ranks_first_before_the_first_round_too(
    tournament: Tournament,
) -> None:
    show(tournament)
    page = text_of(Client().get(f"/t/{tournament.slug}/"))
    section = page.partition('id="prizes"')[2].partition("</section>")[0]
    lines = [
        "Rang 1</th><td>Schinken &amp; Senf</td>",
        "Rang 2 bis 3</th><td>je 20 % vom Topf + Wurst</td>",
        "Meiste Striche</th><td>5,00 €</td>",
        "Bester Rang: &lt;b&gt;SV Hof&lt;/b&gt;</th><td>1,00 €</td>",
        "Bester Rang: voll</th><td>Pokal</td>",
        "2 Lose unter allen ohne Preis</th><td>je 3,00 €</td>",
        "Letzter Rang</th><td>Trostpreis</td>",
    ]
    places = [section.find(line) for line in lines]
    assert -1 not in places
    assert places == sorted(places)
    assert "Jeder bekommt höchstens einen Preis." in section
    assert "Die Anteile sind vom Topf" in section
    assert "heimgeht" not in section


def test_the_wall_shows_it_after_the_welcome_and_beside_the_standings_but_not_beside_a_winner(
    tournament: Tournament,
) -> None:
    show(tournament)
    assert kinds(tournament) == ["welcome", "plan"]
    assert "Was es zu gewinnen gibt" in text_of(Client().get(f"/t/{tournament.slug}/screen/?page=2"))
    a_round(tournament)
    assert kinds(tournament) == ["seating"]  # which makes nobody wait


def test_the_wall_does_not_promise_what_is_won(tournament: Tournament) -> None:
    show(tournament)
    for number in (1, 2, 3):
        assert "plan" in kinds(tournament)
        a_played_round(tournament, number)
    assert kinds(tournament) == ["winner", "standings"]


def test_many_prizes_are_shown_on_even_pages_of_twelve_at_most(tournament: Tournament) -> None:
    ranks = [{"for": "rank", "from": rank, "to": rank, "cents": 2000 - rank} for rank in range(1, 31)]
    show(tournament, prizes=ranks)
    pages = screen_context(tournament.slug, 1, is_paired=False)["pages"]
    assert [len(page.rows) for page in pages if page.kind == "plan"] == [10, 10, 10]


@pytest.mark.parametrize(("address", "most"), [("", 3), ("screen/", 5)])  # with the club's announcement
def test_the_plan_costs_no_query(tournament: Tournament, address: str, most: int) -> None:
    page = f"/t/{tournament.slug}/{address}"
    without = queries_of(page)
    show(tournament)
    assert queries_of(page) == without <= most


def test_a_change_reaches_viewers_as_a_part_of_the_page(tournament: Tournament) -> None:
    show(tournament)
    with override("en"):
        shown = tab_parts(public_view(tournament.slug), "players")["prizes"]
        assert "2 lots among all without a prize" in shown
        set_prize_plan(tournament, None)
        hidden = tab_parts(public_view(tournament.slug), "players")["prizes"]
    assert "lots" not in hidden
    assert " hidden" in hidden
