"""The picture of the club among the pages of the wall."""

import re

import pytest

from scoring.queries.screens import SentScene
from scoring.services import screens
from tests.factories import AT, a_paper_sheet
from tests.pictures import a_picture
from tests.scoring.pages import Staff, text_of
from tests.scoring.paired import paired_client
from tournaments.services.pictures import remove_picture, set_picture

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Staff:
    """Create an evening whose screens show a picture."""
    desk = Staff(10)
    set_picture(desk.tournament, a_picture())
    assert desk.post("show_picture", on_wall="on", caption="Danke an den Löwenwirt").status_code == 302
    return desk


def wall(desk: Staff) -> str:
    return text_of(paired_client(desk.tournament).get(f"/t/{desk.tournament.slug}/screen/"))


def address(page: str) -> str | None:
    found = re.search(r'<img src="(/t/[^"]*picture.jpg[?][0-9a-f]{32})"', page)
    return found[1] if found else None


def test_it_is_a_page_of_the_loop_with_its_line(desk: Staff) -> None:
    page = wall(desk)
    assert address(page)
    assert "<figcaption>Danke an den Löwenwirt</figcaption>" in page
    desk.draw()
    assert address(wall(desk)) is None  # while seats are looked for nothing else is shown
    a_paper_sheet(desk.table(1))
    assert address(wall(desk))
    screens.set_scene(desk.tournament, (1,), SentScene("standings"), by="x", at=AT)
    assert address(wall(desk)) is None


def test_another_picture_has_another_address_and_keeps_the_line(desk: Staff) -> None:
    before = address(wall(desk))
    set_picture(desk.tournament, a_picture(colour="blue"))
    page = wall(desk)
    assert address(page) not in (None, before)
    assert "Löwenwirt" in page
    remove_picture(desk.tournament)
    assert address(wall(desk)) is None


def test_the_page_of_the_screens_offers_what_is_set(desk: Staff) -> None:
    page = text_of(desk.get("screens"))
    assert 'value="Danke an den Löwenwirt"' in page
    assert re.search(r'name="on_wall"[^>]*checked', page)
    assert desk.post("show_picture", caption="x" * 81).status_code == 422
    remove_picture(desk.tournament)
    assert desk.post("show_picture", on_wall="on").status_code == 422
    assert f'href="{desk.url("print")}#picture"' in text_of(desk.get("screens"))
