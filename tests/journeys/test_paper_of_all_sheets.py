"""Printed table sheets of rule sheets 2 to 5; see test_paper.py."""

from typing import Any

import pytest
import segno
from pytest_django import Settings

from scoring.services.sheets import write
from scoring.sheet_link import link_of
from tests.factories import AT, a_played_round, a_round
from tests.journeys.test_paper import (
    CAPITALS,
    EIGHTY,
    FORTY,
    LONG,
    MM,
    UNBROKEN,
    Printer,
    check_cells,
    check_pages,
    drawn,
    drawn_with_long_names,
    joined,
    people,
    printed,
    seen_modules,
    squeezed,
    tournament,
)
from tests.scoring.organiser.prints.test_prints_of_all_sheets import a_deal, write_sample
from tournaments.models import Tournament
from tournaments.queries.seating import round_with_seating
from tournaments.rulesets.loader import MAIN_PRESET, PRESETS, preset

__all__ = ["printed", "tournament"]
NAMES = (*LONG, "Sepp Huber", "Anna Meier", "Li")


def under(tournament: Tournament, name: str, **sheet: Any) -> None:
    document = preset(name).to_dict()
    document["sheet"] |= sheet
    tournament.ruleset = document
    tournament.save()


def test_a_sheet_of_24_deals_for_seven_with_long_names_is_one_page(
    tournament: Tournament, printed: Printer
) -> None:
    under(tournament, "fce")
    drawn_with_long_names(tournament, (7,))
    pdf = printed("rounds/1/sheets/")
    check_pages(pdf, pages=len(LONG))
    for name, sheet in zip(LONG, pdf.pages, strict=True):
        check_cells(sheet)
        assert sheet.extract_text().count("Unterschrift Schriftführer") == 1, name
        assert heading(sheet.extract_tables()[0]).count(squeezed(name)) == 7


def heading(table: list[list[str | None]]) -> str:
    return squeezed("".join(joined(cell or "") for cell in table[0]))


def test_a_sheet_of_32_deals_with_long_names_is_one_page(tournament: Tournament, printed: Printer) -> None:
    under(tournament, "schafkopf")
    drawn_with_long_names(tournament, (4,))
    pdf = printed("rounds/1/sheets/")
    check_pages(pdf, pages=len(LONG))
    for name, sheet in zip(LONG, pdf.pages, strict=True):
        check_cells(sheet)
        (table,) = sheet.extract_tables()
        assert [row[0] for row in table if (row[0] or "").isdigit()] == [
            str(number) for number in range(1, 33)
        ], name
        assert heading(table).count(squeezed(name)) == 4


def test_every_line_has_room_to_write(tournament: Tournament, printed: Printer) -> None:
    for name, seats, least in (("fce", 7, 6.5), ("schafkopf", 4, 5.0)):
        under(tournament, name)
        pdf = printed(f"sheets/{seats}/")
        check_pages(pdf, pages=1)
        (table,) = pdf.pages[0].find_tables()
        lines = [
            row for row, texts in zip(table.rows, table.extract(), strict=True) if (texts[0] or "").isdigit()
        ]
        cells = [cell for row in lines for cell in row.cells[1:] if cell]
        assert min((bottom - top) / MM for _, top, _, bottom in cells) > least
        assert min((x1 - x0) / MM for x0, _, x1, _ in cells) > 12


@pytest.mark.parametrize(("deals", "pages"), [(40, 1), (41, 2)])
def test_many_deals_are_printed_too(tournament: Tournament, printed: Printer, deals: int, pages: int) -> None:
    under(tournament, "fce", deals=deals)
    people(tournament, NAMES)
    drawn(tournament, (7,))
    check_pages(printed("rounds/1/sheets/"), pages=pages)


def test_the_code_on_such_a_sheet_is_the_link_of_the_table(
    tournament: Tournament, printed: Printer, settings: Settings, live_url: str
) -> None:
    settings.PUBLIC_URL = live_url
    under(tournament, "schafkopf")
    people(tournament, NAMES[3:])
    a_round(tournament)
    (sheet,) = printed("rounds/1/sheets/").pages
    found = round_with_seating(tournament, 1)
    assert found is not None
    code = segno.make(link_of(found.tables[0]).url, error="m")
    modules = [[bool(module) for module in row] for row in code.matrix]
    assert seen_modules(sheet, len(modules), width_mm=26) == modules


def test_the_sample_of_rule_sheet_5_is_printed_filled_on_one_page(
    tournament: Tournament, printed: Printer
) -> None:
    under(tournament, "schafkopf")
    people(tournament, NAMES[:4])
    table = a_round(tournament).tables.get()
    write_sample(table)
    write(table, [("accepted", {"reason": "das Muster"})], by="spielleitung", at=AT, initials="AB")
    pdf = printed("rounds/1/sheets/?filled=1")
    check_pages(pdf, pages=1)
    check_cells(pdf.pages[0])
    rows = {row[0]: row for row in pdf.pages[0].extract_tables()[0]}
    assert [cell for cell in rows["Endergebnis"][1:] if cell] == ["−14", "−4", "+2", "+16"]


def test_24_deals_of_seven_are_printed_filled_on_one_page(tournament: Tournament, printed: Printer) -> None:
    under(tournament, "fce")
    people(tournament, NAMES)
    table = a_round(tournament).tables.get()
    for deal in range(24):
        a_deal(table, points={str(seat): 31 if seat == deal % 7 + 1 else 20 for seat in range(1, 8)})
    write(table, [("accepted", {"reason": "vom Papier"})], by="spielleitung", at=AT)
    pdf = printed("rounds/1/sheets/?filled=1")
    check_pages(pdf, pages=1)
    check_cells(pdf.pages[0])
    total = next(row for row in pdf.pages[0].extract_tables()[0] if row[0] == "Gesamt")
    assert [cell for cell in total[1:] if cell] == ["524", "524", "524", "513", "513", "513", "513"]


@pytest.mark.parametrize("name", ["knockout", "konradsreuth"])
def test_tables_of_two_to_seven_have_sheets_two_on_a_page(
    tournament: Tournament, printed: Printer, name: str
) -> None:
    sizes = range(2, 8)
    under(tournament, name)
    people(tournament, (LONG * 7)[: sum(sizes)])
    drawn(tournament, sizes)
    pdf = printed("rounds/1/sheets/")
    check_pages(pdf, pages=3)
    for sheet in pdf.pages:
        check_cells(sheet)
        assert ("Punkte" in sheet.extract_text()) is (name == "konradsreuth")
    for size in sizes:
        check_pages(printed(f"sheets/{size}/"), pages=1)


@pytest.mark.parametrize("name", [name for name in PRESETS if name != MAIN_PRESET])
def test_standings_of_40_with_long_names_are_two_pages(
    tournament: Tournament, printed: Printer, name: str
) -> None:
    under(tournament, name)
    people(tournament, [EIGHTY, FORTY, CAPITALS, UNBROKEN] * 10)
    for number in (1, 2) if name == "knockout" else ():
        a_played_round(tournament, number)
    a_round(tournament, 3 if name == "knockout" else 1)
    pdf = printed("standings/")
    check_pages(pdf, pages=2)
    seen = [word["text"] for sheet in pdf.pages for word in sheet.extract_words() if word["x1"] < 118]
    assert {str(number) for number in range(1, 41)} <= set(seen)
