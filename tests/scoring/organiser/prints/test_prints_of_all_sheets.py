"""Printed table sheets under the other rule sheets as HTML: their columns, empty and from the log."""

import html
import re
from dataclasses import replace
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from scoring.services.sheets import write
from tests.factories import AT
from tests.scoring.pages import Staff
from tournaments.models import Table
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Stakes
from tournaments.services.rounds import name_scribe

pytestmark = pytest.mark.django_db


def printed(desk: Staff, name: str, *args: object, **query: str) -> str:
    response = desk.get(name, *args, **query)
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def rows_of(page: str) -> list[list[str]]:
    """Return the text of each cell, row by row, of the tables on a page."""
    rows = re.findall(r"<tr\b.*?</tr>", page, re.DOTALL)
    return [[bare(cell) for cell in re.findall(r"<t[hd]\b.*?</t[hd]>", row, re.DOTALL)] for row in rows]


def bare(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", markup).split())


def lines(page: str, first: str) -> list[str]:
    """Return the row with this heading, without the heading."""
    return next(row[1:] for row in rows_of(page) if row and row[0] == first)


def a_deal(table: Table, **data: Any) -> str:
    return write(table, [("deal", data)], by="spielleitung", at=AT).log.entries[-1].id


# --- sheet 3 -------------------------------------------------------------------------------------------------------


class TestFce:
    def test_a_column_a_player_and_24_numbered_lines(self) -> None:
        """RULES 3.1, 3.5."""
        desk = Staff(5, ruleset="fce")
        table = desk.draw().tables.get()
        page = printed(desk, "print_sheets", 1)
        names = list(table.seats.order_by("seat_number").values_list("participant__name", flat=True))
        assert re.findall(r'<span class="name" data-size="\w+">(.*?)</span>', page) == names
        numbers = [row[0] for row in rows_of(page) if row[0].isdigit()]
        assert numbers == [str(number) for number in range(1, 25)]
        assert {len(row) for row in rows_of(page) if row[0].isdigit()} == {1 + 2 * 5}
        assert [row[0] for row in rows_of(page)][-3:] == ["Gesamt", "Schnauz", "Feuer"]

    def test_the_dealer_of_each_deal_is_marked_seat_1_first(self) -> None:
        """RULES 1.3, which also applies to sheet 3."""
        desk = Staff(5, ruleset="fce")
        page = printed(desk, "print_blank", 5)
        deals = re.findall(r"<tr><th class=\"c-deal\" scope=\"row\">\d+</th>(.*?)</tr>", page)
        marked = [
            [("gives" in cell) for cell in re.findall(r'<td class="(c-value[^"]*)"', deal)].index(True) + 1
            for deal in deals
        ]
        assert marked == [1, 2, 3, 4, 5] * 4 + [1, 2, 3, 4]

    def test_what_hands_are_worth_stands_below(self) -> None:
        page = printed(Staff(ruleset="fce"), "print_blank", 6)
        assert "<strong>Schnauz 35, Feuer 33, Halbes 31</strong>, sonst die beste Summe einer Farbe." in page

    def test_a_volunteer_may_write(self) -> None:
        page = printed(Staff(ruleset="fce"), "print_blank", 6)
        assert "Schreiben darf auch ein Freiwilliger, wenn der ganze Tisch einverstanden ist." in page

    def test_the_volunteer_who_writes_stands_on_it_and_seat_1_still_deals_first(self) -> None:
        """RULES 3.1."""
        desk = Staff(5, ruleset="fce")
        desk.draw()
        name_scribe(desk.tournament, 1, 1, 3, by="spielleitung", at=AT)
        page = bare(printed(desk, "print_sheets", 1))
        assert "Schriftführer: Platz 3, erster Geber: Platz 1" in page
        assert "Freiwilliger" not in page

    def test_each_sheet_has_a_page_of_its_own(self) -> None:
        desk = Staff(11, ruleset="fce")
        desk.draw()
        page = printed(desk, "print_sheets", 1)
        assert page.count('<div class="sheet-page">') == page.count('<section class="paper-sheet') == 2

    def test_filled_it_shows_points_sums_and_strokes(self) -> None:
        desk = Staff(5, ruleset="fce")
        table = desk.draw().tables.get()
        a_deal(table, points={"1": 35, "2": 33, "3": 31, "4": 20, "5": 27})
        a_deal(table, points={"1": 35, "2": 18, "3": 20, "4": 21, "5": 31}, ended_by="table_schnauz")
        write(table, [("accepted", {"reason": "aus Zeitnot"})], by="spielleitung", at=AT, initials="AB")
        page = printed(desk, "print_sheets", 1, filled="1")
        assert lines(page, "1") == ["35", "35", "33", "33", "31", "31", "20", "20", "27", "27"]
        assert lines(page, "2") == ["35", "70", "18", "51", "20", "51", "21", "41", "31", "58"]
        assert lines(page, "3") == [""] * 10
        assert lines(page, "Gesamt") == ["70", "51", "51", "41", "58"]
        assert lines(page, "Schnauz") == ["1", "0", "0", "0", "0"]
        assert lines(page, "Feuer") == ["0", "1", "0", "0", "0"]
        assert "Angenommen · Grund: aus Zeitnot" in bare(page)

    def test_typed_in_from_paper_only_the_sums_are_known(self) -> None:
        desk = Staff(5, ruleset="fce")
        table = desk.draw().tables.get()
        nothing = dict.fromkeys("12345", 0)
        sums = {"points": dict.fromkeys("12345", 500), "schnauz": nothing | {"2": 3}, "feuer": nothing}
        drafts: list[tuple[str, dict[str, Any]]] = [
            ("totalled", sums),
            ("accepted", {"reason": "vom Papier"}),
        ]
        write(table, drafts, by="spielleitung", at=AT)
        page = printed(desk, "print_sheets", 1, filled="1")
        assert [row for row in rows_of(page) if row[0].isdigit()] == []
        assert (lines(page, "Gesamt"), lines(page, "Schnauz")) == (["500"] * 5, ["0", "3", "0", "0", "0"])

    def test_a_corrected_deal_is_told_below_in_words(self) -> None:
        desk = Staff(5, ruleset="fce")
        table = desk.draw().tables.get()
        deal = a_deal(table, points={"1": 35, "2": 33, "3": 31, "4": 20, "5": 27}, ended_by="schnauz")
        better = {"points": {"1": 30, "2": 33, "3": 31, "4": 20, "5": 27}, "ended_by": "feuer"}
        drafts: list[tuple[str, dict[str, Any]]] = [
            ("corrected", {"entry": deal, "data": better, "reason": "kein Schnauz"}),
            ("accepted", {"reason": "fertig"}),
        ]
        write(table, drafts, by="spielleitung", at=AT, initials="AB")
        assert (
            "Bisher: Schnauz: Platz-Nr. 1 35, Platz-Nr. 2 33, Platz-Nr. 3 31, Platz-Nr. 4 20, Platz-Nr. 5 27 · Jetzt: "
            "Feuer: Platz-Nr. 1 30, Platz-Nr. 2 33," in bare(printed(desk, "print_sheets", 1, filled="1"))
        )

    @pytest.mark.parametrize(("deals", "pages"), [(40, 1), (41, 2), (100, 3)])
    def test_more_deals_than_a_page_holds_go_on_another_one(self, deals: int, pages: int) -> None:
        desk = Staff(ruleset="fce")
        desk.tournament.ruleset["sheet"]["deals"] = deals
        desk.tournament.save()
        page = printed(desk, "print_blank", 5)
        assert [int(row[0]) for row in rows_of(page) if row[0].isdigit()] == list(range(1, deals + 1))
        assert page.count('<div class="sheet-page">') == pages
        assert bare(page).count("Gesamt") == 1


# --- sheet 5 -------------------------------------------------------------------------------------------------------


SAMPLE: tuple[tuple[str, int, int | None, bool, str], ...] = (
    ("ruf", 1, 2, True, "normal"),
    ("ruf", 2, 4, True, "schneider"),
    ("solo", 1, None, True, "normal"),
    ("ruf", 3, 2, True, "durch"),
    ("ruf", 1, 4, False, "normal"),
    ("solo", 1, None, False, "normal"),
    ("solo", 4, None, True, "tout"),
    ("ruf", 4, 1, False, "schneider"),
    ("solo", 3, None, True, "normal"),
    ("ruf", 3, 4, False, "schneider"),
    ("solo", 2, None, False, "normal"),
    ("ruf", 2, 3, True, "normal"),
)
"""The twelve deals of the sample on rule sheet 5."""


def write_sample(table: Table) -> None:
    for game, declarer, partner, won, level in SAMPLE:
        deal = a_deal(table, game=game, declarer=declarer, partner=partner, won=won, level=level)
        if level == "tout":
            write(table, [("approved", {"entry": deal})], by="spielleitung", at=AT, initials="AB")


class TestSchafkopf:
    def test_four_pairs_of_columns_and_32_numbered_lines(self) -> None:
        """RULES 5.1, 5.4."""
        desk = Staff(4, ruleset="schafkopf")
        desk.draw()
        page = printed(desk, "print_sheets", 1)
        assert rows_of(page)[1] == ["+", "−"] * 4
        numbered = [row for row in rows_of(page) if row[0].isdigit()]
        assert [row[0] for row in numbered] == [str(number) for number in range(1, 33)]
        assert {tuple(row[1:]) for row in numbered} == {("",) * 10}
        assert [row[0] for row in rows_of(page)][-6:] == [
            "Gesamt",
            "Abzug",
            "Endergebnis",
            "Solo: gewonnen, gespielt (jeder Tout auch hier)",
            "Tout: gewonnen, gespielt",
            "Unterschrift: Einträge und Ergebnis stimmen",
        ]

    def test_there_is_room_for_the_supervisor_s_mark_and_for_the_scribe_s_name(self) -> None:
        """RULES 5.3, 5.5."""
        page = printed(Staff(ruleset="schafkopf"), "print_blank", 4)
        assert rows_of(page)[0][-1] == "Zeichen der Aufsicht"
        assert "Schriftführer (laut Spielleitung):" in page
        assert "gives" not in page

    def test_the_scribe_whom_the_organiser_has_named_stands_on_it(self) -> None:
        desk = Staff(4, ruleset="schafkopf")
        desk.draw()
        name_scribe(desk.tournament, 1, 1, 2, by="spielleitung", at=AT)
        page = bare(printed(desk, "print_sheets", 1))
        assert "Schriftführer: Platz 2" in page
        assert "laut Spielleitung" not in page

    def test_of_sums_from_paper_only_the_result_and_what_breaks_ties_is_known(self) -> None:
        """RULES 5.4, 5.7; two such sheets share a page."""
        desk = Staff(8, ruleset="schafkopf")
        none = dict.fromkeys("1234", 0)
        counts = {"tout_won": none, "tout_played": none, "solo_won": none, "solo_played": none | {"1": 3}}
        sums = {"points": {"1": -14, "2": -4, "3": 2, "4": 16}, **counts}
        drafts: list[tuple[str, dict[str, Any]]] = [
            ("totalled", sums),
            ("accepted", {"reason": "vom Papier"}),
        ]
        for table in desk.draw().tables.all():
            write(table, drafts, by="spielleitung", at=AT)
        page = printed(desk, "print_sheets", 1, filled="1")
        assert lines(page, "Endergebnis")[:4] == ["−14", "−4", "+2", "+16"]
        assert lines(page, "Solo: gewonnen, gespielt (jeder Tout auch hier)")[:2] == ["0", "3"]
        assert "Abzug" not in [row[0] for row in rows_of(page)]
        assert page.count('<div class="sheet-page') == 1

    def test_the_sample_of_the_rule_sheet_comes_out_as_it_is_printed_there(self) -> None:
        """RULES 5.4."""
        desk = Staff(4, ruleset="schafkopf")
        table = desk.draw().tables.get()
        write_sample(table)
        write(table, [("accepted", {"reason": "das Muster"})], by="spielleitung", at=AT)
        page = printed(desk, "print_sheets", 1, filled="1")
        lines_of_deals = [lines(page, str(number)) for number in range(1, 13)]
        assert [" ".join(line[1:9]) for line in lines_of_deals] == [
            "1 – 1 – – 1 – 1",
            "– 2 2 – – 2 2 –",
            "6 – – 2 – 2 – 2",
            "– 3 3 – 3 – – 3",
            "– 1 1 – 1 – – 1",
            "– 6 2 – 2 – 2 –",
            "– 8 – 8 – 8 24 –",
            "– 2 2 – 2 – – 2",
            "– 2 – 2 6 – – 2",
            "2 – 2 – – 2 – 2",
            "2 – – 6 2 – 2 –",
            "– 1 1 – 1 – – 1",
        ]
        assert lines(page, "Gesamt")[:8] == ["11", "25", "14", "18", "17", "15", "30", "14"]
        assert lines(page, "Abzug") == ["–", "11", "–", "14", "15", "–", "14", "–"]
        assert lines(page, "Endergebnis") == ["−14", "−4", "+2", "+16"]
        assert lines(page, "Solo: gewonnen, gespielt (jeder Tout auch hier)")[:8] == [
            "1",
            "2",
            "0",
            "1",
            "1",
            "1",
            "1",
            "1",
        ]
        assert lines(page, "Tout: gewonnen, gespielt")[:8] == ["0", "0", "0", "0", "0", "0", "1", "1"]

    def test_sheet_5_solos_and_wenz_are_circled_and_the_empty_sheet_asks_for_it(self) -> None:
        """RULES 5.4: the deals of the sample that are played alone."""
        desk = Staff(4, ruleset="schafkopf")
        table = desk.draw().tables.get()
        asks = "bei Solo und Wenz die Nr. einkreisen"
        empty = printed(desk, "print_sheets", 1)
        assert (asks in empty, 'class="circled"' in empty) == (True, False)
        write_sample(table)
        write(table, [("accepted", {"reason": "das Muster"})], by="spielleitung", at=AT)
        filled = printed(desk, "print_sheets", 1, filled="1")
        assert re.findall(r'<span class="circled">(\d+)</span>', filled) == ["3", "6", "7", "9", "11"]
        assert asks not in filled

    def test_what_was_played_stands_beside_the_number_and_the_mark_at_the_end(self) -> None:
        desk = Staff(4, ruleset="schafkopf")
        table = desk.draw().tables.get()
        write_sample(table)
        write(table, [("accepted", {"reason": "das Muster"})], by="spielleitung", at=AT)
        page = printed(desk, "print_sheets", 1, filled="1")
        assert [lines(page, str(number))[0] for number in (1, 2, 6, 7)] == [
            "1 ruft 2 – gewonnen, einfach",
            "2 ruft 4 – gewonnen, Schneider",
            "1 spielt ein Solo – verloren, einfach",
            "4 spielt ein Solo – gewonnen, Tout",
        ]
        assert [lines(page, str(number))[-1] for number in (6, 7)] == ["", "AB"]

    @pytest.mark.parametrize("seats", [2, 3, 5, 6])
    def test_there_are_sheets_for_four_only(self, seats: int) -> None:
        assert Staff(ruleset="schafkopf").get("print_blank", seats).status_code == 404


# --- sheets 2 and 4 ------------------------------------------------------------------------------------------------


class TestKnockoutAndKonradsreuth:
    def test_where_ranks_give_no_points_there_is_no_column_for_them(self) -> None:
        """RULES 4.3."""
        page = printed(Staff(ruleset="knockout"), "print_blank", 5)
        headings = [cell for row in rows_of(page)[:2] for cell in row]
        assert headings == [
            "Platz Nr.",
            "Teiln. Nr.",
            "Name",
            "Mit Schnauz oder Feuer beendete Spiele",
            "Rang",
            "Strichliste",
            "gesamt",
        ]
        assert "points-key" not in page
        assert "Weiter kommen die Ränge 1 bis 2." in page

    def test_the_final_says_that_it_is_one(self) -> None:
        desk = Staff(7, ruleset="knockout")
        desk.draw()
        assert "Finale: Der Sieger gewinnt das Turnier." in printed(desk, "print_sheets", 1)

    def test_a_table_that_only_a_final_can_have_is_one(self) -> None:
        desk = Staff(ruleset="knockout")
        assert "Finale: Der Sieger gewinnt das Turnier." in printed(desk, "print_blank", 2)
        assert "Weiter kommen die Ränge 1 bis 2." in printed(desk, "print_blank", 7)

    def test_where_there_is_no_feuer_none_is_asked_for(self) -> None:
        """RULES 2.3."""
        page = printed(Staff(ruleset="konradsreuth"), "print_blank", 5)
        assert "Mit Schnauz beendete Spiele" in page
        assert "Feuer" not in page

    def test_a_filled_one_has_none_either(self) -> None:
        desk = Staff(7, ruleset=replace(preset("knockout"), stakes=Stakes(60, ())))
        desk.draw()
        desk.type_in_everything()
        page = printed(desk, "print_sheets", 1, filled="1")
        assert rows_of(page)[0][-2:] == ["Rang", "aus dem Pott"]
        assert {len(row) for row in rows_of(page)} == {6}

    @pytest.mark.parametrize(
        ("name", "sizes"),
        [
            ("knockout", [2, 3, 4, 5, 6, 7]),
            ("konradsreuth", [2, 3, 4, 5, 6, 7]),
            ("fce", [4, 5, 6, 7]),
            ("schafkopf", [4]),
        ],
    )
    def test_blank_sheets_are_offered_for_every_table_that_can_happen(
        self, name: str, sizes: list[int]
    ) -> None:
        desk = Staff(ruleset=name)
        page = printed(desk, "print")
        offered = re.findall(rf'href="/o/{desk.tournament.slug}/print/sheets/(\d+)/"', page)
        assert [int(seats) for seats in offered] == sizes


# --- standings -----------------------------------------------------------------------------------------------------


class TestStandings:
    @pytest.mark.parametrize(
        ("name", "players", "columns", "chain"),
        [
            ("schnauz-placing", 5, ["1. Spielr.", "Punkte", "Striche"], "entscheiden die Striche"),
            ("konradsreuth", 5, ["1. Spielr.", "Punkte", "Striche"], "Spiel, das mit Schnauz beendet wurde."),
            ("fce", 5, ["1. Spielr.", "Punkte", "Schnauz", "Feuer"], "der Reihe nach: Schnauz, Feuer."),
            ("knockout", 7, ["1. Spielr.", "Gekommen bis", "Striche"], "der Rang am Tisch, dann die Striche"),
            ("schafkopf", 4, ["1. Spielr.", "Punkte", "Tout", "Solo"], "Tout und Solo: gewonnen/gespielt."),
        ],
    )
    def test_each_rule_sheet_has_its_columns_and_says_what_breaks_ties(
        self, name: str, players: int, columns: list[str], chain: str
    ) -> None:
        desk = Staff(players, ruleset=name)
        desk.draw()
        page = printed(desk, "print_standings")
        assert rows_of(page)[0] == ["Rang", "Teiln. Nr.", "Name", *columns]
        assert chain in bare(page)

    def test_points_have_a_sign_and_solos_stand_won_of_played(self) -> None:
        """RULES 5.4, 5.7."""
        desk = Staff(4, ruleset="schafkopf")
        table = desk.draw().tables.get()
        write_sample(table)
        write(table, [("accepted", {"reason": "das Muster"})], by="spielleitung", at=AT)
        rows = [row[4:] for row in rows_of(printed(desk, "print_standings"))[1:]]
        assert rows == [
            ["+16", "1/1", "1/1"],
            ["+2", "0/0", "1/1"],
            ["−4", "0/0", "0/1"],
            ["−14", "0/0", "1/2"],
        ]

    @pytest.mark.parametrize("query", [{}, {"public": "1"}])
    def test_who_goes_on_in_a_knockout_is_marked(self, query: dict[str, str]) -> None:
        """RULES 4.2: the first two of each table."""
        desk = Staff(17, ruleset="knockout")
        desk.draw()
        desk.type_in_everything()
        reached = [row[4] for row in rows_of(printed(desk, "print_standings", **query))[1:]]
        assert reached[:3] == ["1. Runde, Rang 1 weiter"] * 3
        assert reached[3:6] == ["1. Runde, Rang 2 weiter"] * 3
        assert not any("weiter" in text for text in reached[6:])

    def test_nobody_goes_on_from_the_final(self) -> None:
        desk = Staff(7, ruleset="knockout")
        desk.draw()
        desk.type_in_everything()
        reached = [row[4] for row in rows_of(printed(desk, "print_standings"))[1:]]
        assert reached == [f"Finale, Rang {rank}" for rank in range(1, 8)]


@pytest.mark.parametrize("name", ["fce", "schafkopf"])
@pytest.mark.parametrize("tables", [1, 3])
def test_printing_asks_as_often_for_one_table_as_for_three(
    name: str, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    desk = Staff(tables * preset(name).tables.smallest, ruleset=name)
    desk.draw()
    for query, asked in ({}, 8), ({"filled": "1"}, 11):
        with django_assert_num_queries(asked):
            printed(desk, "print_sheets", 1, **query)


@pytest.mark.parametrize(("ruleset", "shown"), [("schafkopf", True), ("fce", False)])
def test_sheet_5_names_the_towns_of_its_players(ruleset: str, shown: bool) -> None:
    """RULES 5.1: the players write their town on the list."""
    desk = Staff(8, ruleset=preset(ruleset))
    desk.tournament.participants.update(town="Hinterobermeiersdorf")
    desk.draw()
    assert printed(desk, "print_sheets", 1).count("Hinterobermeiersdorf") == (8 if shown else 0)
