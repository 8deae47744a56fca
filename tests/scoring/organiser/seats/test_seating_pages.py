"""The organiser's pages for latecomers, no-shows, the cost of a swap, and taking back."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.services.sheets import write
from tests.factories import AT, ParticipantFactory, a_played_round
from tests.scoring.pages import Staff, text_of
from tournaments.models import Participant, SeatChange
from tournaments.queries.seating import round_with_seating

pytestmark = pytest.mark.django_db

STROKE = [("stroke", {"seat_number": 1, "mark": "schnauz"})]


def tables(desk: Staff, number: int = 1) -> tuple[tuple[int, ...], ...]:
    row = round_with_seating(desk.tournament, number)
    assert row is not None
    return row.seating


def changes(desk: Staff) -> list[str]:
    made = SeatChange.objects.filter(attempt__round__tournament=desk.tournament)
    return [change.data["kind"] for change in made]


# --- the search ----------------------------------------------------------------------------------------------------


def test_who_is_here_without_a_seat_is_offered_one() -> None:
    desk = Staff(10)
    desk.draw()
    ParticipantFactory.create(tournament=desk.tournament, name="Sepp Spät")
    page = text_of(desk.get("round", 1))
    assert "Ein Spieler ist da und hat noch keinen Platz:" in page
    assert desk.url("seat", 1, 11) in page


@pytest.mark.parametrize("words", ["11", "Nr. 11", "sepp", "Spät"])
def test_a_number_or_a_full_name_leads_to_the_player(words: str) -> None:
    desk = Staff(10)
    desk.draw()
    ParticipantFactory.create(tournament=desk.tournament, name="Sepp Spät")
    assert desk.get("find_seat", 1, who=words)["Location"] == desk.url("seat", 1, 11)


def test_several_matches_are_listed() -> None:
    desk = Staff(10)
    desk.draw()
    for name in ("Sepp Spät", "Sepp Früh"):
        ParticipantFactory.create(tournament=desk.tournament, name=name)
    page = text_of(desk.get("find_seat", 1, who="sepp"))
    assert [desk.url("seat", 1, number) in page for number in (11, 12)] == [True, True]


def test_a_search_without_matches_links_to_the_door() -> None:
    desk = Staff(10)
    desk.draw()
    page = text_of(desk.get("find_seat", 1, who="Niemand"))
    assert "„Niemand“ spielt in dieser Spielrunde nicht mit." in page
    assert reverse("door:desk", args=[desk.tournament.slug]) in page


# --- latecomers ----------------------------------------------------------------------------------------------------


def test_a_latecomer_sees_the_free_seats_and_takes_one() -> None:
    desk = Staff(11)
    desk.draw()
    ParticipantFactory.create(tournament=desk.tournament, name="Sepp Spät")
    page = text_of(desk.get("seat", 1, 12))
    answer = desk.post("join", 1, 12, table="2", reason="Bus verpasst", follow=True)
    assert page.index("<b>Tisch 2</b> · dann zu 6 · trifft niemanden wieder") < page.index("<b>Tisch 1</b>")
    assert "(nur, wenn sonst nichts frei ist)" in page
    assert "Sepp Spät sitzt jetzt an Tisch 2." in text_of(answer)
    assert "Sepp Spät ist an Tisch 2 nachgerückt, von" in text_of(answer)
    assert tables(desk)[1][-1] == 12


def test_all_who_are_here_without_a_table_get_one_by_lot_among_those_that_fit_best() -> None:
    """With 15 players the tables are three fives: each of the three who come late makes another one a six."""
    desk = Staff(15)
    desk.draw()
    for name in ("Sepp Spät", "Resi Spät", "Sepp Spät"):
        ParticipantFactory.create(tournament=desk.tournament, name=name)
    assert "Tisch losen" in text_of(desk.get("round", 1))
    assert "Tisch losen" in text_of(desk.client.get(reverse("door:desk", args=[desk.tournament.slug])))
    said = text_of(desk.post("draw_seats", 1, follow=True))
    assert said.count("Sepp Spät sitzt jetzt an Tisch") == 2
    assert [len(table) for table in tables(desk)] == [6, 6, 6]
    assert changes(desk) == ["joined"] * 3
    assert "Tisch losen" not in text_of(desk.get("round", 1))
    said = text_of(desk.post("draw_seats", 1, follow=True))
    assert "Inzwischen wartet niemand mehr auf einen Platz." in said
    assert 'data-kind="error"' not in said


def test_who_gets_no_seat_beside_others_who_get_one_is_named() -> None:
    """With 10 players the tables are two fives: the one that has not begun takes two more."""
    desk = Staff(10)
    desk.draw()
    write(desk.table(1), STROKE, by="x", at=AT)
    for name in ("Sepp Spät", "Resi Spät", "Toni Spät"):
        ParticipantFactory.create(tournament=desk.tournament, name=name)
    said = text_of(desk.post("draw_seats", 1, follow=True))
    assert said.count("sitzt jetzt an Tisch 2.") == 2
    assert "Kein Platz mehr frei war für: Toni Spät." in said


def test_where_every_table_has_begun_no_table_is_drawn() -> None:
    desk = Staff(10)
    desk.draw()
    for number in (1, 2):
        write(desk.table(number), STROKE, by="x", at=AT)
    ParticipantFactory.create(tournament=desk.tournament, name="Sepp Spät")
    said = text_of(desk.post("draw_seats", 1, follow=True))
    assert "An keinem Tisch, der noch nicht angefangen hat, ist ein Platz frei." in said
    assert changes(desk) == []


def test_a_latecomer_is_told_whom_he_meets_again() -> None:
    desk = Staff(11)
    a_played_round(desk.tournament)
    late = Participant.objects.get(tournament=desk.tournament, start_number=11)
    late.presence = Participant.Presence.ABSENT
    late.save()
    desk.draw(2)
    assert "wieder</span>" in text_of(desk.get("seat", 2, 11))


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"reason": "x"}, "Bitte einen Tisch wählen."),
        ({"table": "1", "reason": ""}, "Bitte in ein paar Worten sagen, warum."),
        ({"table": "9", "reason": "x"}, "Einen Tisch 9 gibt es in dieser Spielrunde nicht."),
        ({"table": "1", "reason": "x"}, "An Tisch 1 wird schon gespielt"),
    ],
)
def test_an_impossible_seat_is_refused_with_the_reason(typed: dict[str, Any], says: str) -> None:
    desk = Staff(10)
    desk.draw()
    ParticipantFactory.create(tournament=desk.tournament)
    write(desk.table(1), STROKE, by="x", at=AT)
    answer = desk.post("join", 1, 11, **typed)
    assert answer.status_code == 422
    assert says in text_of(answer)
    assert changes(desk) == []


# --- no-shows ------------------------------------------------------------------------------------------------------


def test_a_no_show_at_a_table_of_five_is_taken_from_it() -> None:
    desk = Staff(10)
    desk.draw()
    gone = tables(desk)[0][2]
    page = text_of(desk.get("seat", 1, gone))
    desk.post("leave", 1, gone, moves="", reason="nicht erschienen")
    assert "Tisch 1 spielt mit 4 weiter; niemand sonst wechselt den Tisch." in page
    assert [len(table) for table in tables(desk)] == [4, 5]


def test_at_a_table_of_four_the_smallest_mending_is_shown_and_then_made() -> None:
    desk = Staff(14)
    desk.draw()
    small = next(number for number, table in enumerate(tables(desk), start=1) if len(table) == 4)
    gone = tables(desk)[small - 1][0]
    answer = desk.get("seat", 1, gone)
    moves = answer.context["moves"]
    blind = desk.post("leave", 1, gone, moves="", reason="nicht erschienen")
    done = desk.post("leave", 1, gone, moves=moves, reason="nicht erschienen")
    assert f"An Tisch {small} säßen dann nur noch 3. Der kleinste Umbau:" in text_of(answer)
    assert "Niemand trifft dadurch jemanden wieder." in text_of(answer)
    assert (blind.status_code, done.status_code) == (422, 302)
    assert "Inzwischen sitzen die Tische anders." in text_of(blind)
    assert changes(desk) == ["left", "moved"]


def test_at_a_table_that_has_begun_the_sheet_is_the_place() -> None:
    desk = Staff(10)
    desk.draw()
    gone = tables(desk)[0][0]
    write(desk.table(1), STROKE, by="x", at=AT)
    page = desk.get("seat", 1, gone)
    assert "An Tisch 1 ist schon etwas aufgeschrieben." in text_of(page)
    assert desk.post("leave", 1, gone, moves="", reason="x").status_code == 422


@pytest.mark.parametrize("moves", ["x", "1:2:3", "1:2,3:4", "1" * 12 + ":1", "-1:2"])
def test_malformed_moves_are_refused(moves: str) -> None:
    desk = Staff(10)
    desk.draw()
    assert desk.post("leave", 1, 1, moves=moves, reason="x").status_code == 422
    assert changes(desk) == []


# --- a swap and taking back ----------------------------------------------------------------------------------------


def test_what_a_swap_costs_is_shown_before_it_is_done() -> None:
    desk = Staff(10)
    a_played_round(desk.tournament)
    desk.draw(2, released=False)
    (a, *_), (b, *_) = tables(desk, 2)
    fragment = text_of(desk.get("swap_cost", 2, player=[a, b])).strip()
    page = desk.post("swap", 2, player=[a, b], look="1")
    assert "wieder" in fragment
    assert page.status_code == 200
    assert fragment in text_of(page)
    assert changes(desk) == []


@pytest.mark.parametrize("ticked", [[], [1], [1, 2, 3], [1, 99], [1, 1], ["x", "y"]])
def test_of_anything_but_two_players_there_is_no_cost(ticked: list[object]) -> None:
    desk = Staff(10)
    desk.draw(released=False)
    assert text_of(desk.get("swap_cost", 1, player=ticked)).strip() == ""


def test_the_last_change_is_taken_back_with_a_reason_and_stays_on_record() -> None:
    desk = Staff(10)
    desk.draw()
    before = tables(desk)
    desk.post("leave", 1, before[0][0], moves="", reason="nicht erschienen")
    without = desk.post("take_back", 1, sequence="1", reason="", follow=True)
    stale = desk.post("take_back", 1, sequence="7", reason="doch da", follow=True)
    assert tables(desk) != before
    done = desk.post("take_back", 1, sequence="1", reason="doch da", follow=True)
    assert "Bitte in ein paar Worten sagen, warum." in text_of(without)
    assert "Inzwischen sitzen die Tische anders." in text_of(stale)
    assert "Die letzte Änderung ist zurückgenommen, von" in text_of(done)
    assert (tables(desk), changes(desk)) == (before, ["left", "taken_back"])


# --- permissions and number of queries -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["seat", "join", "leave"])
def test_seats_change_in_rounds_that_are_drawn_and_not_closed(name: str) -> None:
    desk = Staff(10)
    a_played_round(desk.tournament)
    for number in (1, 2, 2**31 - 1):
        ask = desk.get if name == "seat" else desk.post
        assert ask(name, number, 1).status_code == 404


@pytest.mark.parametrize("name", ["find_seat", "swap_cost", "take_back"])
def test_another_tournament_is_404(name: str) -> None:
    mine, other = Staff(5), Staff(5)
    other.draw()
    ask = mine.client.post if name == "take_back" else mine.client.get
    assert ask(other.url(name, 1)).status_code == 404


@pytest.mark.parametrize("player", [1, 16])
def test_three_tables_take_no_more_queries_than_one(player: int) -> None:
    counted = []
    for players in (5, 15):
        desk = Staff(players)
        desk.draw()
        ParticipantFactory.create(tournament=desk.tournament, start_number=16)
        with CaptureQueriesContext(connection) as queries:
            desk.get("seat", 1, player)
        counted.append(len(queries))
    assert counted[0] == counted[1]
