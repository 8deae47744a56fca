"""Paper as printed: Chromium prints the pages to PDF, and the PDF is measured.

A DIN A4 page is 595 x 842 points; every page keeps 10 mm free on all sides.
"""

import io
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import count, cycle

import pdfplumber
import pytest
import segno
from pdfplumber.page import Page as Sheet
from pdfplumber.pdf import PDF
from PIL.Image import Image
from playwright.sync_api import Page, expect
from pytest_django import Settings

from scoring.services.sheets import write
from scoring.sheet_link import link_of
from tests.factories import (
    AT,
    ParticipantFactory,
    TournamentFactory,
    UserFactory,
    a_paper_sheet,
    a_played_round,
    a_round,
)
from tests.journeys.evening import bring_session
from tournaments.models import Participant, Tournament
from tournaments.queries.seating import round_with_seating
from tournaments.services import rounds

A4 = (595, 842)
MM = 72 / 25.4
MARGIN = 10 * MM
FORTY = "Größenwähner-Übelmüth von Ärmelschößling"
EIGHTY = "Unwahrscheinlich-Äußerst Lange-Doppelbödig von und zu Überschreibungsgrößen Jöhn"
CAPITALS = "WÄRMEGEWÖHNTER MAMMUTBAUMÜBERWUCHERER WM"
UNBROKEN = "W" * 80
LONG = (FORTY, EIGHTY, CAPITALS, UNBROKEN)
LONG_NAMES = [
    pytest.param(name, id=kind)
    for name, kind in zip(LONG, ("umlauts", "eighty", "capitals", "unbroken"), strict=True)
]
CODE_MM = 29
SHEET_WIDTHS_MM = (12, 14, 62, 52, 16, 17, 17)

numbers = count(1)
Printer = Callable[[str], PDF]


@pytest.fixture
def tournament(committed: None, shared_page: Page) -> Tournament:
    """Create a tournament whose organiser is logged in, in the browser."""
    owner = UserFactory.create(username=f"papier{next(numbers)}")
    bring_session(shared_page, owner)
    return TournamentFactory.create(slug=f"papier-{next(numbers)}", owner=owner)


@pytest.fixture
def printed(shared_page: Page, tournament: Tournament) -> Iterator[Printer]:
    """Provide a printer for addresses below the tournament's print pages, with the browser's default settings."""
    pdfs: list[PDF] = []

    def print_it(address: str) -> PDF:
        pdfs.append(print_from(shared_page, tournament, address))
        return pdfs[-1]

    yield print_it
    for pdf in pdfs:
        pdf.close()


def print_from(page: Page, tournament: Tournament, address: str) -> PDF:
    response = page.goto(f"/o/{tournament.slug}/print/{address}")
    assert response is not None
    assert response.status == 200
    return pdfplumber.open(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=False)))


def check_pages(pdf: PDF, *, pages: int, size: tuple[int, int] = A4) -> None:
    """Check that there are so many pages, all A4, with every letter inside the margins."""
    assert len(pdf.pages) == pages
    for sheet in pdf.pages:
        assert (round(sheet.width), round(sheet.height)) == size
        outside = [
            letter["text"]
            for letter in sheet.chars
            if letter["x0"] < MARGIN - 1
            or letter["x1"] > sheet.width - MARGIN + 1
            or letter["top"] < MARGIN - 1
            or letter["bottom"] > sheet.height - MARGIN + 1
        ]
        assert outside == []


def check_cells(sheet: Sheet) -> None:
    """Check that every letter that begins in a cell of a ruled table ends in it."""
    rows = defaultdict(list)
    for table in sheet.find_tables():
        for x0, top, x1, bottom in table.cells:
            rows[top, bottom].append((x0, x1))
    for letter in sheet.chars:
        middle = (letter["top"] + letter["bottom"]) / 2
        for top, bottom in [row for row in rows if row[0] <= middle < row[1]]:
            for _, x1 in [cell for cell in rows[top, bottom] if cell[0] <= letter["x0"] < cell[1]]:
                assert letter["x1"] <= x1 + 0.5, letter
                assert letter["top"] >= top - 0.5, letter
                assert letter["bottom"] <= bottom + 0.5, letter


def lines_of(sheet: Sheet) -> list[list[str]]:
    """Return the texts of all rows of the sheets on a page, without the key of points."""
    rows = [row for table in sheet.extract_tables() if len(table) > 2 for row in table]
    return [[joined(cell or "") for cell in row] for row in rows]


def joined(text: str) -> str:
    return " ".join(text.split()).replace("- ", "-")


def people(tournament: Tournament, names: Sequence[str], clubs: Sequence[str] = ("",)) -> None:
    """Register these names; the clubs repeat."""
    Participant.objects.bulk_create(
        ParticipantFactory.build(tournament=tournament, start_number=number, name=name, club=club)
        for number, (name, club) in enumerate(zip(names, cycle(clubs), strict=False), start=1)
    )


def drawn(tournament: Tournament, sizes: Sequence[int], *, released: bool = True) -> None:
    """Draw a round with tables of these sizes."""
    players = [person.start_number for person in tournament.participants.all()]
    rounds.draw_round(
        tournament,
        number=1,
        players=players,
        sizes=sizes,
        mode="random",
        seed="07" * 32,
        by="spielleitung",
        at=AT,
    )
    if released:
        rounds.release(tournament, 1, reason="gleich", at=AT)


def drawn_with_long_names(tournament: Tournament, sizes: Sequence[int]) -> None:
    """Draw a round with tables of these sizes for each of the long names, which all players at a table have."""
    people(tournament, ["Spieler"] * sum(sizes) * len(LONG))
    drawn(tournament, tuple(sizes) * len(LONG))
    for place, name in enumerate(LONG):
        first = place * len(sizes) + 1
        tables = range(first, first + len(sizes))
        tournament.participants.filter(seats__table__number__in=tables).update(name=name)


def test_sheets_of_4_to_7_with_long_names_are_two_on_a_page_and_nothing_is_cut_off(
    tournament: Tournament, printed: Printer
) -> None:
    drawn_with_long_names(tournament, (7, 6, 5, 4))
    pdf = printed("rounds/1/sheets/")
    check_pages(pdf, pages=8)
    found = round_with_seating(tournament, 1)
    assert found is not None
    expected = [
        [[str(seat.seat_number), str(seat.start_number), squeezed(LONG[place // 4])] for seat in table.seats]
        for place, table in enumerate(found.tables)
    ]
    for sheet, *tables in zip(pdf.pages, expected[::2], expected[1::2], strict=True):
        check_cells(sheet)
        rows = [row for row in lines_of(sheet) if len(row) == 7 and row[0].isdigit()]
        assert [[row[0], row[1], squeezed(row[2])] for row in rows] == [
            row for table in tables for row in table
        ]
        halves = [half.extract_text() for half in both_halves(sheet)]
        assert all(half.count("Unterschrift Schriftführer") == 1 for half in halves)
        assert all("Pott" in half for half in halves)


def squeezed(text: str) -> str:
    return "".join(text.split())


def both_halves(sheet: Sheet) -> list[Sheet]:
    middle = sheet.height / 2
    return [sheet.crop((0, 0, sheet.width, middle)), sheet.crop((0, middle, sheet.width, sheet.height))]


def test_the_columns_have_room_to_write_and_the_order_of_the_rule_sheet(
    tournament: Tournament, printed: Printer
) -> None:
    pdf = printed("sheets/6/")
    check_pages(pdf, pages=1)
    upper, lower = [table for table in pdf.pages[0].find_tables() if len(table.rows) == 8]
    for table in (upper, lower):
        first_seat = [cell for cell in table.rows[2].cells if cell]
        widths = [(x1 - x0) / MM for x0, _, x1, _ in first_seat]
        assert [round(width) for width in widths] == list(SHEET_WIDTHS_MM)
        assert all((bottom - top) / MM > 10 for _, top, _, bottom in first_seat)
        heading = [" ".join((text or "").split()) for text in table.extract()[0]]
        assert [text for text in heading if text] == [
            "Platz Nr.",
            "Teiln. Nr.",
            "Name",
            "Mit Schnauz oder Feuer beendete Spiele",
            "Rang",
            "Punkte",
        ]


def test_the_code_on_the_paper_is_the_link_of_the_table(
    tournament: Tournament, printed: Printer, settings: Settings, live_url: str
) -> None:
    settings.PUBLIC_URL = live_url
    people(tournament, ["Spieler"] * 5)
    a_round(tournament)
    (sheet,) = printed("rounds/1/sheets/").pages
    found = round_with_seating(tournament, 1)
    assert found is not None
    code = segno.make(link_of(found.tables[0]).url, error="m")
    modules = [[bool(module) for module in row] for row in code.matrix]
    assert seen_modules(sheet, len(modules)) == modules


def seen_modules(sheet: Sheet, size: int, *, width_mm: float = CODE_MM) -> list[list[bool]]:
    """Return the modules of the QR code at the top right of a page, as read from its picture.

    The modules lie between the outermost dark dots of the picture.
    """
    picture: Image = sheet.to_image(resolution=300, antialias=False).original.convert("L")
    scale = 300 / 72
    corner = [
        value * scale
        for value in (
            sheet.width - MARGIN - width_mm * MM,
            MARGIN,
            sheet.width - MARGIN,
            MARGIN + width_mm * MM,
        )
    ]
    code = picture.crop((round(corner[0]), round(corner[1]), round(corner[2]), round(corner[3])))
    dark = code.point(lambda value: 255 if value < 128 else 0)
    box = dark.getbbox()
    assert box is not None
    left, top, right, bottom = box
    step_x, step_y = (right - left) / size, (bottom - top) / size
    return [
        [
            dark.getpixel((int(left + (x + 0.5) * step_x), int(top + (y + 0.5) * step_y))) == 255
            for x in range(size)
        ]
        for y in range(size)
    ]


def test_a_filled_sheet_shows_what_was_corrected(tournament: Tournament, printed: Printer) -> None:
    people(tournament, [FORTY] * 6)
    table = a_round(tournament).tables.get()
    a_paper_sheet(table, strokes={1: 14, 3: 5})
    later: list[tuple[str, dict[str, object]]] = [
        ("reopened", {"reason": "Ein Strich fehlt. " * 25}),
        ("stroke", {"seat_number": 2, "mark": "feuer"}),
        ("accepted", {"reason": "nachgezählt"}),
    ]
    write(table, later, by="spielleitung", at=AT, initials="JB")
    pdf = printed("rounds/1/sheets/?filled=1")
    check_pages(pdf, pages=1)
    check_cells(pdf.pages[0])
    results = [[row[0], row[3], *row[4:]] for row in lines_of(pdf.pages[0]) if row[0].isdigit()]
    assert results == [
        ["1", "(14)", "1", "6", "3,00 €"],
        ["2", "(1)", "2", "4", "0,60 €"],
        ["3", "(5)", "3", "3", "–"],
        ["4", "–", "4", "2", "–"],
        ["5", "–", "5", "1", "–"],
        ["6", "–", "6", "1", "–"],
    ]
    text = joined(pdf.pages[0].extract_text())
    assert "Nachgetragen: Strich für Platz-Nr. 2 (Feuer)" in text
    assert text.count("JB") == 3


@pytest.mark.parametrize(("players", "pages"), [(48, 1), (49, 2), (150, 4)])
def test_the_plan_by_name_repeats_its_heading_on_every_page(
    tournament: Tournament, printed: Printer, players: int, pages: int
) -> None:
    people(
        tournament, [f"{number:03} , {(FORTY, EIGHTY, 'Öhm')[number % 3]}"[:80] for number in range(players)]
    )
    a_round(tournament)
    pdf = printed("rounds/1/seating/")
    check_pages(pdf, pages=pages)
    seen: list[str] = []
    for number, sheet in enumerate(pdf.pages, start=1):
        text = sheet.extract_text()
        assert text.count("Wo sitze ich?") == 1
        assert f"Seite {number} von {pages}" in text
        middle = sheet.width / 2
        for half in (
            sheet.crop((0, 0, middle, sheet.height)),
            sheet.crop((middle, 0, sheet.width, sheet.height)),
        ):
            assert half.extract_text().count("Tisch Platz") == 1
            seen += [
                word["text"]
                for word in half.extract_words()
                if word["text"].isdigit() and len(word["text"]) == 3
            ]
    assert seen == [f"{number:03}" for number in range(players)]


@pytest.mark.parametrize("name", LONG_NAMES)
def test_a_full_page_of_long_names_is_still_one_page_as_a_draft_too(
    tournament: Tournament, printed: Printer, name: str
) -> None:
    people(tournament, [name] * 48)
    a_round(tournament, released=False)
    pdf = printed("rounds/1/seating/")
    check_pages(pdf, pages=1)
    assert "Entwurf" in pdf.pages[0].extract_text()


@pytest.mark.parametrize("players", [47, 22])
def test_the_plan_by_table_keeps_every_table_whole(
    tournament: Tournament, printed: Printer, players: int
) -> None:
    people(tournament, [EIGHTY if number % 2 else FORTY for number in range(players)])
    sizes = (6,) * 7 + (5,) if players == 47 else (7, 6, 5, 4)
    drawn(tournament, sizes)
    pdf = printed("rounds/1/seating/?by=table")
    check_pages(pdf, pages=1)
    text = pdf.pages[0].extract_text()
    assert all(f"Tisch {number}" in text for number in range(1, len(sizes) + 1))


def test_standings_of_100_are_numbered_pages_with_repeated_headings(
    tournament: Tournament, printed: Printer
) -> None:
    names = [(FORTY, EIGHTY, "Öhm")[number % 3] for number in range(100)]
    people(tournament, names, clubs=("", "Kartelclub Großübersdörfling 1925"))
    for number in (1, 2):
        a_played_round(tournament, number)
    pdf = printed("standings/")
    check_pages(pdf, pages=4)
    for number, sheet in enumerate(pdf.pages, start=1):
        text = sheet.extract_text()
        assert f"Seite {number} von 4" in text
        assert text.count("Punkte Striche") == 1
    assert "= heißt: geteilter Rang." in pdf.pages[3].extract_text()


@pytest.mark.parametrize(("query", "size"), [("way=portrait", A4), ("way=landscape&picture=on", A4[::-1])])
def test_certificates_with_long_names_are_one_page_each(
    tournament: Tournament, printed: Printer, query: str, size: tuple[int, int]
) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(name=EIGHTY, place=FORTY)
    people(tournament, [*LONG, FORTY], clubs=(EIGHTY,))
    (table,) = a_played_round(tournament).tables.all()
    by_rank = table.seats.order_by("seat_number").values_list("participant__name", flat=True)
    pdf = printed(f"certificates/?first=5&{query}")
    check_pages(pdf, pages=5, size=size)
    for rank, (name, page) in enumerate(zip(by_rank, pdf.pages, strict=True), start=1):
        text = "".join((page.extract_text() or "").split())
        assert "Spielleitung" in text, name
        assert squeezed(name) in text
        assert f"{rank}.Platz" in text, name


def test_place_cards_and_table_signs_fill_their_pages(tournament: Tournament, printed: Printer) -> None:
    """Cards and signs are of one size, whatever the name."""
    Tournament.objects.filter(pk=tournament.pk).update(name=EIGHTY)
    drawn_with_long_names(tournament, (6, 5))
    cards = printed("rounds/1/cards/")
    check_pages(cards, pages=5)
    for sheet in cards.pages:
        check_cells(sheet)
    assert [sheet.extract_text().count("Nr.") for sheet in cards.pages] == [10, 10, 10, 10, 4]
    check_pages(printed("rounds/1/signs/"), pages=4)


def test_receipts_with_long_names_are_four_on_a_page_and_twenty_on_a_list(
    tournament: Tournament, printed: Printer
) -> None:
    give_prizes(tournament, ranks=20)
    people(tournament, LONG * 5, clubs=(EIGHTY,))
    a_played_round(tournament)
    receipts = printed("receipts/")
    check_pages(receipts, pages=5)
    assert [sheet.extract_text().count("Unterschrift") for sheet in receipts.pages] == [4] * 5
    for name in LONG:
        tournament.participants.update(name=name)
        check_pages(printed("receipts/?list=1"), pages=1)


def give_prizes(tournament: Tournament, *, ranks: int) -> None:
    prizes = [{"for": "rank", "from": 1, "to": ranks, "cents": 12_345, "thing": FORTY}]
    Tournament.objects.filter(pk=tournament.pk).update(name=EIGHTY, prize_plan={"prizes": prizes})


def test_the_button_prints_and_is_not_on_the_paper(shared_page: Page, tournament: Tournament) -> None:
    page = shared_page.context.new_page()
    page.add_init_script("window.print = () => { window.prints = (window.prints ?? 0) + 1; };")
    with print_from(page, tournament, "standings/") as pdf:
        assert "Strg" not in pdf.pages[0].extract_text()
    page.get_by_role("button", name="Drucken").click()
    assert page.evaluate("window.prints") == 1
    expect(page.get_by_text("Drucken mit Strg+P.")).to_be_visible()
    page.close()
