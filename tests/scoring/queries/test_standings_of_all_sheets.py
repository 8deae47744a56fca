"""The tallies beside the points in the standings of each rule sheet (RULES 1.11, 3.6, 4.3, 5.7)."""

import csv
import io
import re
from typing import Any

import pytest
from django.test import Client

from scoring.queries.public_view import public_view
from scoring.services.rounds import close
from scoring.services.sheets import write
from scoring.text.tie_breaks import tie_note
from tests.factories import AT, a_paper_sheet, a_round
from tests.scoring.pages import Staff
from tournaments.models import Table, Tournament

pytestmark = pytest.mark.django_db


def lines(html: str, kind: str = "tr") -> list[str]:
    """Return the text of each row of the tables of a page."""
    rows = re.findall(rf"<{kind}\b.*?</{kind}>", html, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows]


def of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def four_played(desk: Staff, *entries: tuple[str, dict[str, Any]]) -> None:
    """Play all rounds at one table, each with these entries from paper; seat n is player n."""
    tournament = desk.tournament
    for number in range(1, tournament.rules.most_rounds + 1):
        table = a_round(tournament, number).tables.get()
        seats = {seat.participant.start_number: seat for seat in table.seats.select_related("participant")}
        by_player = {str(player): str(seat.seat_number) for player, seat in seats.items()}
        drafts = [(kind, _at_seats(data, by_player)) for kind, data in entries]
        write(table, [*drafts, ("accepted", {"reason": "vom Papier"})], by="x", at=AT)
        close(tournament, number, at=AT)


def _at_seats(data: dict[str, Any], by_player: dict[str, str]) -> dict[str, Any]:
    return {name: {by_player[player]: value for player, value in each.items()} for name, each in data.items()}


# --- sheet 5 -------------------------------------------------------------------------------------------------------


@pytest.fixture
def schafkopf() -> Staff:
    """RULES 5.7: 1 and 2 are equal on points, 1 has won the Tout; 3 and 4 are equal in everything."""
    desk = Staff(4, ruleset="schafkopf")
    totals = {
        "points": {"1": 8, "2": 8, "3": -8, "4": -8},
        "tout_won": {"1": 1, "2": 0, "3": 0, "4": 0},
        "tout_played": {"1": 1, "2": 1, "3": 0, "4": 0},
        "solo_won": {"1": 2, "2": 3, "3": 1, "4": 1},
        "solo_played": {"1": 3, "2": 4, "3": 2, "4": 2},
    }
    four_played(desk, ("totalled", totals))
    return desk


def test_rules_5_7_beside_the_points_stand_touts_and_solos(schafkopf: Staff) -> None:
    """RULES 5.7."""
    page = of(Client(), f"/t/{schafkopf.tournament.slug}/standings/")
    head, *rows = lines(page[page.index('<table class="table standings') :])
    figures = [re.sub(r"^.*?Punkte je Spielrunde:", "", row) for row in rows[:4]]
    assert head.split()[-3:] == ["Pkt.", "Tout", "Solo"]
    assert figures == [
        " +8 · +8 +8 +8 +16 2/2 4/6",
        " +8 · +8 +8 +8 +16 0/2 6/8",
        " −8 · −8 −8 −8 −16 0/0 2/4",
        " −8 · −8 −8 −8 −16 0/0 2/4",
    ]
    assert (
        "Bei gleichen Punkten entscheidet der Reihe nach: gewonnene Tout, gespielte Tout, gewonnene Solo, gespielte "
        "Solo, das Los." in page
    )
    assert "Strich" not in page


def test_rules_5_7_a_tie_says_what_of_the_chain_has_broken_it(schafkopf: Staff) -> None:
    """RULES 5.7."""
    first, second, *equal = public_view(schafkopf.tournament.slug).rows
    assert (first.note, first.broken_by) == (second.note, second.broken_by) == ("chain", ("tout_won",))
    assert [row.note for row in equal[:2]] == ["shared_in_all"] * 2
    page = of(Client(), f"/t/{schafkopf.tournament.slug}/")
    assert page.count("punktgleich – es entscheidet: gewonnene Tout") == 2


def test_rules_5_7_the_wall_and_the_organiser_show_the_same(schafkopf: Staff) -> None:
    """RULES 5.7."""
    wall = of(Client(), f"/t/{schafkopf.tournament.slug}/screen/")
    wall = wall[wall.index("board--standings") :]
    organiser = schafkopf.get("standings").content.decode()
    assert [line.split()[-3:] for line in lines(wall)] == [
        ["Punkte", "Tout", "Solo"],
        ["+16", "2/2", "4/6"],
        ["+16", "0/2", "6/8"],
        ["−16", "0/0", "2/4"],
        ["−16", "0/0", "2/4"],
    ]
    assert [line.split()[-3:] for line in lines(organiser)][1:] == [
        line.split()[-3:] for line in lines(wall)[1:]
    ]


def test_rules_5_7_the_file_has_the_whole_chain(schafkopf: Staff) -> None:
    """RULES 5.7."""
    text = schafkopf.get("standings_csv").content.decode("utf-8-sig")
    head, first, *_ = csv.reader(io.StringIO(text), delimiter=";")
    assert head[-5:] == ["Punkte", "gewonnene Tout", "gespielte Tout", "gewonnene Solo", "gespielte Solo"]
    assert first[-5:] == ["16", "2", "2", "4", "6"]


# --- sheet 3 -------------------------------------------------------------------------------------------------------


def test_rules_3_6_beside_the_points_stand_schnauz_and_feuer() -> None:
    """RULES 3.6."""
    desk = Staff(4, ruleset="fce")
    totals = {
        "points": {"1": 500, "2": 500, "3": 480, "4": 470},
        "schnauz": {"1": 2, "2": 1, "3": 0, "4": 0},
        "feuer": {"1": 0, "2": 3, "3": 1, "4": 0},
    }
    four_played(desk, ("totalled", totals))
    wall = of(Client(), f"/t/{desk.tournament.slug}/screen/")
    assert [line.split()[-3:] for line in lines(wall[wall.index("board--standings") :])] == [
        ["Punkte", "Schnauz", "Feuer"],
        ["1500", "6", "0"],
        ["1500", "3", "9"],
        ["1440", "0", "3"],
        ["1410", "0", "0"],
    ]


def test_rules_3_6_a_row_is_told_everything_that_sets_it_apart() -> None:
    """RULES 3.6: more Schnauz than the third, and one Feuer between the first two."""
    desk = Staff(4, ruleset="fce")
    nothing = dict.fromkeys("1234", 0)
    totals = {
        "points": dict.fromkeys("123", 500) | {"4": 470},
        "schnauz": nothing | {"1": 2, "2": 2},
        "feuer": nothing | {"1": 1},
    }
    four_played(desk, ("totalled", totals))
    rows = public_view(desk.tournament.slug).rows
    assert [(row.note, tie_note(row.note, row.broken_by)) for row in rows] == [
        ("chain", "punktgleich – es entscheidet: Schnauz, Feuer"),
        ("chain", "punktgleich – es entscheidet: Schnauz, Feuer"),
        ("chain", "punktgleich – es entscheidet: Schnauz"),
        ("", ""),
    ]


# --- sheet 4 -------------------------------------------------------------------------------------------------------


def ranked(tournament: Tournament, number: int) -> None:
    for table in Table.objects.filter(round__tournament=tournament, round__number=number):
        ranks = {"ranks": {str(seat): seat for seat in range(1, table.seats.count() + 1)}}
        stroke = ("stroke", {"seat_number": 2, "mark": "schnauz"})
        write(table, [stroke, ("ranked", ranks), ("accepted", {"reason": "x"})], by="x", at=AT)
    close(tournament, number, at=AT)


@pytest.fixture
def knockout() -> Staff:
    """RULES 4.3: twelve players at two tables and a final of four; seat 2 has one stroke in each round."""
    desk = Staff(12, ruleset="knockout")
    for number in (1, 2):
        a_round(desk.tournament, number)
        ranked(desk.tournament, number)
    return desk


def test_rules_4_3_the_standings_say_how_far_somebody_came(knockout: Staff) -> None:
    """RULES 4.3: on the players' page, wall screen, organiser's page and paper. Nothing is called points."""
    slug = knockout.tournament.slug
    wall = of(Client(), f"/t/{slug}/screen/")
    pages = [
        of(Client(), f"/t/{slug}/"),
        wall[wall.index("board--standings") :],
        knockout.get("standings").content.decode(),
        knockout.get("print_standings").content.decode(),
    ]
    reached = [re.findall(r"(Finale|\d\. Runde), (Rang \d) (\d)", " ".join(lines(page))) for page in pages]
    expected = [
        *[("Finale", f"Rang {rank}", "1" if rank == 2 else "0") for rank in (1, 2, 3, 4)],
        *[("1. Runde", f"Rang {rank}", "0") for rank in (3, 3, 4, 4, 5, 5, 6, 6)],
    ]
    assert reached == [expected] * 4
    assert ["Punkt" in page for page in pages] == [False] * 4
    assert all("Gekommen bis" in page for page in pages)


def test_rules_4_3_equal_ranks_in_a_round_say_that_the_strokes_there_decide() -> None:
    """RULES 4.3."""
    desk = Staff(17, ruleset="knockout")
    tables = desk.draw().tables.order_by("number")
    for table, strokes in zip(tables, ({1: 3}, {1: 1}, {1: 1}), strict=True):
        a_paper_sheet(table, strokes=strokes)
    first, *others = public_view(desk.tournament.slug).rows[:3]
    assert (first.rank, first.note) == (1, "strokes_there")
    assert [(row.rank, row.note) for row in others] == [(2, "shared_in_all")] * 2
    page = of(Client(), f"/t/{desk.tournament.slug}/")
    assert "gleich weit und gleicher Rang am Tisch – die Striche dort entscheiden" in page


def test_rules_4_3_the_winner_is_named_with_the_final(knockout: Staff) -> None:
    """RULES 4.3."""
    page = of(Client(), f"/t/{knockout.tournament.slug}/")
    winner = page[page.index('<div class="winner">') :].partition("<h2")[0]
    assert lines(winner, "p")[-1] == "Finale, Rang 1 · 0 Striche"


def test_rules_4_3_the_file_names_the_last_round(knockout: Staff) -> None:
    """RULES 4.3."""
    text = knockout.get("standings_csv").content.decode("utf-8-sig")
    head, _, second, *_, last = csv.reader(io.StringIO(text), delimiter=";")
    assert head[4:] == [
        "Rang in der 1. Spielrunde",
        "Rang in der 2. Spielrunde",
        "Letzte Spielrunde",
        "Rang am letzten Tisch",
        "Striche",
    ]
    assert second[5:] == ["2", "2", "2", "1"]
    assert last[4:] == ["6", "", "1", "6", "0"]
