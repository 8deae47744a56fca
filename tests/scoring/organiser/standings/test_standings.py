"""The organiser's standings: publication, and decisions on ties."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import Decision, Publication
from scoring.queries.standings import current_standings, visible_standings
from scoring.services.rounds import close
from tests.factories import AT, a_paper_sheet
from tests.scoring.pages import Staff, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Staff:
    """Create two tables of five, of which the first is accepted: five players are tied without points."""
    desk = Staff(10)
    desk.draw()
    a_paper_sheet(desk.table(1), strokes={1: 1})
    return desk


def public_points(desk: Staff) -> int:
    return sum(row.points for row in visible_standings(desk.tournament.slug).rows)


def test_without_any_result_the_page_says_so() -> None:
    assert "Noch kein Ergebnis" in text_of(Staff(5).get("standings"))


def test_freeze_show_and_release_decide_what_the_public_sees(desk: Staff) -> None:
    seen = [public_points(desk)]
    desk.post("freeze")
    a_paper_sheet(desk.table(2))
    seen.append(public_points(desk))
    desk.post("show")
    seen.append(public_points(desk))
    desk.post("release_standings")
    seen.append(public_points(desk))
    assert seen == [16, 16, 32, 32]
    publications = Publication.objects.filter(tournament=desk.tournament)
    assert [publication.is_frozen for publication in publications] == [True, True, False]


def test_while_frozen_the_organiser_sees_both(desk: Staff) -> None:
    desk.post("freeze")
    a_paper_sheet(desk.table(2))
    page = desk.get("standings")
    assert page.context["page"].held_back == 10 - 1  # the leader stays first, with the same points
    assert "Die Spieler sehen den Stand von" in text_of(page)


def test_freezing_twice_is_one_freeze_and_asks_to_look_at_it(desk: Staff) -> None:
    desk.post("freeze")
    again = desk.post("freeze", follow=True)
    assert "Die Rangliste ist schon eingefroren." in text_of(again)
    assert 'data-kind="error"' in again.content.decode()
    assert Publication.objects.filter(tournament=desk.tournament).count() == 1


# --- ties ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def tied() -> tuple[Staff, list[int]]:
    """Return a desk with two winners who have the same points and strokes, and their start numbers."""
    desk = Staff(10)
    desk.draw()
    for number in (1, 2):
        a_paper_sheet(desk.table(number))
    rows = current_standings(desk.tournament).rows
    return desk, [row.start_number for row in rows if row.rank == 1]


def decision(numbers: list[int], **changes: Any) -> dict[str, Any]:
    places = {f"place_{number}": str(place) for place, number in enumerate(reversed(numbers), start=1)}
    players = " ".join(map(str, numbers))
    return {"players": players, "kind": "playoff", "reason": "eine Karte gezogen", **places, **changes}


def test_a_decision_orders_the_tie_and_can_be_revoked(tied: tuple[Staff, list[int]]) -> None:
    desk, numbers = tied
    desk.post("decide", **decision(numbers))
    first = current_standings(desk.tournament).rows[0]
    stored = Decision.objects.get(tournament=desk.tournament)
    assert (first.start_number, first.tied, stored.order) == (numbers[1], False, numbers[::-1])
    desk.post("revoke_decision", stored.pk)
    assert [row.rank for row in current_standings(desk.tournament).rows][:2] == [1, 1]
    assert "zurückgenommen" in text_of(desk.get("standings"))


@pytest.mark.parametrize(
    "changes",
    [
        {"reason": ""},
        {"reason": "umge\u202ekehrt"},
        {"kind": "münze"},
        {"same": True},
        {"missing": True},
    ],
)
def test_an_invalid_decision_shows_the_error_and_keeps_the_input(
    tied: tuple[Staff, list[int]], changes: dict[str, Any]
) -> None:
    desk, numbers = tied
    if changes.pop("same", False):
        changes = {f"place_{number}": "1" for number in numbers}
    if changes.pop("missing", False):
        changes = {f"place_{numbers[0]}": ""}
    answer = desk.post("decide", **decision(numbers, **changes))
    assert answer.status_code == 422
    assert not Decision.objects.filter(tournament=desk.tournament).exists()
    if "reason" not in changes:
        assert 'value="eine Karte gezogen"' in text_of(answer)


def test_players_who_are_not_tied_are_not_decided(tied: tuple[Staff, list[int]]) -> None:
    desk, numbers = tied
    answer = desk.post("decide", **decision([*numbers, 99]), follow=True)
    assert "Diese Spieler teilen sich keinen Rang mehr." in text_of(answer)
    assert not Decision.objects.filter(tournament=desk.tournament).exists()


def test_a_decision_of_another_tournament_is_not_revoked(tied: tuple[Staff, list[int]]) -> None:
    desk, numbers = tied
    desk.post("decide", **decision(numbers))
    stored = Decision.objects.get(tournament=desk.tournament)
    answer = Staff().post("revoke_decision", stored.pk, follow=True)
    stored.refresh_from_db()
    assert "Diese Entscheidung gibt es nicht." in text_of(answer)
    assert stored.revoked_at is None


def test_at_the_end_the_winner_is_announced() -> None:
    desk = Staff(5)
    for number in (1, 2, 3):
        desk.draw(number)
        a_paper_sheet(desk.table(1, number))
        close(desk.tournament, number, at=AT)
    page = desk.get("standings")
    winner = current_standings(desk.tournament).winners[0]
    assert "<h1>Endstand</h1>" in text_of(page)
    assert f"<b>{winner.name}</b>" in text_of(page)


# --- permissions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["freeze", "show", "release_standings", "decide"])
def test_reading_never_writes(desk: Staff, name: str) -> None:
    assert [desk.get(name).status_code, Staff().client.post(desk.url(name)).status_code] == [405, 404]


def test_three_tables_take_no_more_queries_than_one() -> None:
    counted = []
    for players in (5, 15):
        desk = Staff(players)
        for table in desk.draw().tables.all():
            a_paper_sheet(table)
        desk.post("freeze")
        with CaptureQueriesContext(connection) as queries:
            desk.get("standings")
        counted.append(len(queries))
    assert counted[0] == counted[1]
