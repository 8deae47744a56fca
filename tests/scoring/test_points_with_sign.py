"""Points that may be negative have a plus on every page; those of other sheets have none."""

import re

import pytest
from django.test import Client

from scoring.services.rounds import DrawOptions, draw_ahead
from tests.factories import AT
from tests.scoring.pages import Staff, text_of

pytestmark = pytest.mark.django_db


def words_on(page: object) -> str:
    return " ".join(re.sub("<[^>]+>", " ", text_of(page)).split())


def test_points_of_plus_and_minus_have_a_sign_everywhere() -> None:
    desk = Staff(4, ruleset="schafkopf")
    draw_ahead(desk.tournament, number=1, options=DrawOptions(exceptions=True), by="x", at=AT)
    desk.post("release", 1, reason="Grund")
    typed = words_on(desk.post("paper_line", 1, 1, line="16 -4 -8 -4 AB", htmx=True))
    assert "+16 Punkte" in typed
    winner = desk.table().seats.get(seat_number=1).participant.start_number
    public = f"/t/{desk.tournament.slug}"
    pages = [
        *(desk.get(name, *args) for name, *args in (("round", 1), ("sheet", 1, 1), ("standings",))),
        desk.get("print_standings"),
        *(Client().get(f"{public}/{path}") for path in ("standings/", "rounds/1/tables/1/", f"me/{winner}/")),
    ]
    words = [words_on(page) for page in pages]
    first = [re.findall(r"(?<![\d:])[+]?16\b(?!:| ?Uhr)", page)[:1] for page in words]
    assert first == [["+16"]] * len(pages)


def test_points_of_other_sheets_have_none() -> None:
    desk = Staff(5)
    desk.draw()
    desk.type_in_everything()
    assert not re.search(r"\+\d", words_on(desk.get("standings")))
