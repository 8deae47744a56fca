"""The supervisor's mark on a Tout (RULES 5.3), and the organiser's pages of the sheets of each kind."""

from typing import Any

import pytest

from scoring.models import SheetEntry
from scoring.services.sheets import write
from scoring.sheet_log import open_sheet
from tests.factories import AT
from tests.scoring.core.writing import ruf, solo
from tests.scoring.pages import Staff, text_of
from tournaments.models import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Staff:
    """Create a table of four in play: a Rufspiel, and a Tout that waits."""
    desk = Staff(4, ruleset="schafkopf")
    desk.draw()
    drafts: list[tuple[str, dict[str, Any]]] = [
        ("deal", dict(ruf(1, 2).data)),
        ("deal", dict(solo(3, level="tout").data)),
    ]
    write(desk.table(), drafts, by="tisch", at=AT)
    return desk


def entries(table: Table) -> list[SheetEntry]:
    return list(SheetEntry.objects.filter(sheet__table=table).order_by("sequence"))


def mark(desk: Staff, number: int, **typed: Any) -> Any:
    """Submit a mark on the entry with this number; return the response."""
    return desk.post("approve", 1, 1, entries(desk.table())[number - 1].entry_id, follow=True, **typed)


def points(desk: Staff) -> list[int | None]:
    return [score.points for score in open_sheet(desk.table().pk).log.results]


def test_rules_5_3_a_tout_that_waits_is_shown_on_the_board_and_asked_for_on_the_sheet(desk: Staff) -> None:
    """RULES 5.3."""
    table_monitor, sheet = text_of(desk.get("round", 1)), text_of(desk.get("sheet", 1, 1))
    assert "Ein Tout wartet auf Ihr Kürzel" in table_monitor
    assert "Was mich braucht (1)" in table_monitor
    assert sheet.count("wartet auf die Aufsicht") == sheet.count("Abzeichnen") == 1


def test_rules_5_1_the_board_shows_the_deals_so_far_and_the_running_points(desk: Staff) -> None:
    """RULES 5.1, 5.2: 2 of 32 deals; the Tout does not count yet, and no stroke is shown."""
    table_monitor = text_of(desk.get("table_monitor", 1))
    assert "2 von 32 Spielen" in table_monitor
    assert table_monitor.count("−1<span") == 2
    assert "Strich" not in table_monitor


def test_rules_5_4_the_sheet_shows_points_with_their_sign_and_no_lives_or_strokes(desk: Staff) -> None:
    """RULES 5.4."""
    sheet = text_of(desk.get("sheet", 1, 1))
    assert (sheet.count("+1 </td>"), sheet.count("−1 </td>")) == (2, 2)
    assert "Leben" not in sheet
    assert "Strich" not in sheet


def test_rules_5_3_a_tout_counts_once_it_is_marked(desk: Staff) -> None:
    """RULES 5.3: the sheet shows the initials."""
    assert points(desk) == [1, 1, -1, -1]
    page = text_of(mark(desk, 2, initials="AB"))
    written = entries(desk.table())[-1]
    assert (written.kind, written.by, written.initials) == ("approved", "organiser", "AB")
    assert points(desk) == [-7, -7, 23, -9]
    assert "Eintrag 2 abgezeichnet" in page
    assert "Abzeichnen" not in page
    assert "Was mich braucht (0)" in text_of(desk.get("round", 1))


@pytest.mark.parametrize("number", [1, 2])
def test_only_entries_that_wait_can_be_marked(desk: Staff, number: int) -> None:
    """A Rufspiel, and a Tout that is already marked."""
    mark(desk, 2, initials="AB")
    answer = mark(desk, number, initials="AB")
    assert answer.status_code == 422
    assert text_of(answer).count("Hier ist nichts abzuzeichnen") == 1
    assert len(entries(desk.table())) == 3


@pytest.mark.parametrize("typed", [{}, {"initials": ""}, {"initials": "  "}])
def test_rules_5_3_a_mark_needs_initials(desk: Staff, typed: dict[str, str]) -> None:
    """RULES 5.3: the error is shown at the Tout concerned, and at no other."""
    write(desk.table(), [("deal", dict(solo(1, level="tout").data))], by="tisch", at=AT)
    answer = mark(desk, 2, **typed)
    page = text_of(answer)
    assert (answer.status_code, len(entries(desk.table()))) == (422, 3)
    assert page.count("Hier fehlt das Kürzel.") == 1
    assert ['id="mark-2-initials_error"' in page, 'id="mark-3-initials_error"' in page] == [True, False]
    assert "freiwillig" not in page.split('id="entry-2"')[1]


def test_initials_are_short(desk: Staff) -> None:
    answer = mark(desk, 2, initials="viel zu lang")
    assert (answer.status_code, len(entries(desk.table()))) == (422, 2)
    assert "field__error" in text_of(answer)


def test_a_mark_is_no_link(desk: Staff) -> None:
    entry = entries(desk.table())[1].entry_id
    assert desk.get("approve", 1, 1, entry).status_code == 405


def test_a_game_is_read_as_it_was_written(desk: Staff) -> None:
    """RULES 5.2."""
    names = {seat.seat_number: seat.participant.name for seat in desk.table().seats.all()}
    page = text_of(desk.get("sheet", 1, 1))
    assert f"{names[1]} ruft {names[2]} – gewonnen, einfach" in page
    assert f"{names[3]} spielt ein Solo – gewonnen, Tout" in page


def test_the_points_of_hands_are_read_as_they_were_written() -> None:
    """RULES 3.3, 3.4."""
    desk = Staff(5, ruleset="fce")
    desk.draw()
    values = {str(seat): value for seat, value in enumerate((35, 30, 21, 8, 33), start=1)}
    write(desk.table(), [("deal", {"points": values, "ended_by": "table_feuer"})], by="tisch", at=AT)
    names = [seat.participant.name for seat in desk.table().seats.order_by("seat_number")]
    hands = ", ".join(f"{name} {value}" for name, value in zip(names, values.values(), strict=True))
    assert f"Tischfeuer: {hands}" in text_of(desk.get("sheet", 1, 1))
