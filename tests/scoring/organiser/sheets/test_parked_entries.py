"""The organiser's page of a sheet with many parked entries, or with a long log."""

from typing import Any
from uuid import uuid4

import pytest

from scoring.models import ParkedEntry
from scoring.services.sheets import Sent, record, take_pen, write
from scoring.sheet_log import open_sheet
from tests.factories import AT
from tests.scoring.pages import Staff, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Staff:
    """Create ten players at two tables of five, released."""
    desk = Staff(10)
    desk.draw()
    return desk


def park(desk: Staff, *losers: int) -> list[ParkedEntry]:
    """Park a deal for each loser, of a phone that has lost the pen; return all that is parked at the table."""
    table = desk.table(1)
    epoch = take_pen(table, device="a", at=AT).row.pen_epoch
    take_pen(table, device="b", at=AT)
    late = [
        Sent(str(uuid4()), "deal", {"losers": [seat], "ended_by": "knock", "finisher": None}, AT)
        for seat in losers
    ]
    record(table, late, device="a", pen_epoch=epoch, at=AT)
    return list(ParkedEntry.objects.filter(sheet__table=table).order_by("pk"))


def decide_all(desk: Staff, parked: list[ParkedEntry], **data: Any) -> Any:
    sent = {"up_to": parked[-1].pk, "reason": "Tisch gefragt", **data}
    return desk.post("decide_all_parked", 1, 1, follow=True, **sent)


def outcomes(desk: Staff) -> list[str]:
    return list(ParkedEntry.objects.filter(tournament=desk.tournament).values_list("outcome", flat=True))


def test_all_are_adopted_with_one_reason(desk: Staff) -> None:
    page = decide_all(desk, park(desk, 1, 2, 3), outcome="adopt")

    assert "3 Einträge übernommen." in text_of(page)
    assert outcomes(desk) == ["adopted"] * 3
    assert len(open_sheet(desk.table(1).pk).log.facts) == 3


def test_all_are_discarded_with_one_reason(desk: Staff) -> None:
    page = decide_all(desk, park(desk, 1, 2, 3), outcome="discard")

    assert "3 Einträge verworfen." in text_of(page)
    assert outcomes(desk) == ["discarded"] * 3
    assert open_sheet(desk.table(1).pk).log.facts == ()


def test_a_refused_parked_entry_stays_with_the_reason(desk: Staff) -> None:
    page = decide_all(desk, park(desk, 5, 5, 5, 5, 5, 1), outcome="adopt")

    text = text_of(page)
    assert page.status_code == 422
    assert "5 Einträge übernommen." in text
    assert "Ein Eintrag passt nicht auf die Tischliste und bleibt zurückgestellt" in text
    assert "Platz-Nr. 5 ist schon untergegangen." in text
    assert outcomes(desk) == ["adopted"] * 4 + ["", "adopted"]


def test_without_a_reason_nothing_is_decided(desk: Staff) -> None:
    page = decide_all(desk, park(desk, 1, 2), outcome="discard", reason="")

    assert page.status_code == 422
    assert "Bitte in ein paar Worten sagen, warum." in text_of(page)
    assert outcomes(desk) == ["", ""]


def test_entries_parked_after_the_page_was_loaded_are_not_decided(desk: Staff) -> None:
    shown = park(desk, 1, 2)
    park(desk, 3)

    decide_all(desk, shown, outcome="discard")

    assert outcomes(desk) == ["discarded", "discarded", ""]


def test_one_parked_entry_has_no_buttons_for_all(desk: Staff) -> None:
    park(desk, 1)
    assert "Alle verwerfen" not in text_of(desk.get("sheet", 1, 1))
    park(desk, 2)
    assert "Alle verwerfen" in text_of(desk.get("sheet", 1, 1))


def test_a_long_log_shows_its_newest_lines_first_and_all_of_them_on_request(desk: Staff) -> None:
    write(desk.table(1), [("stroke", {"seat_number": 1, "mark": "feuer"})] * 160, by="x", at=AT)

    page, whole = desk.get("sheet", 1, 1), desk.get("sheet", 1, 1, all="")

    assert [line.number for line, _form in page.context["lines"]] == list(range(160, 10, -1))
    assert "Alle 160 Einträge zeigen" in text_of(page)
    assert len(whole.context["lines"]) == 160
    assert "Einträge zeigen" not in text_of(whole)
