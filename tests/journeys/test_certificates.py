"""Certificates with the picture of the club: uploaded in a browser, and looked at on the paper, upright and across."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.factories import a_played_round
from tests.pictures import a_picture
from tests.scoring.pages import Staff

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def desk(committed: None) -> Staff:
    desk = Staff(6)
    a_played_round(desk.tournament)
    return desk


@pytest.fixture
def laptop_page(lent_page: Page, live_url: str, desk: Staff) -> Page:
    session = desk.client.cookies["sessionid"].value
    lent_page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_url}])
    lent_page.goto(desk.url("print"))
    return lent_page


def send(page: Page, data: bytes, button: str) -> None:
    page.get_by_label("Bild oder Wappen des Vereins").set_input_files(
        {"name": "wappen", "mimeType": "image/png", "buffer": data}
    )
    page.get_by_role("button", name=button).click()


def box(page: Page, selector: str) -> Any:
    found = page.locator(selector).first.bounding_box()
    assert found is not None
    return found


def is_shown(page: Page, selector: str) -> None:
    expect(page.locator(selector).first).to_be_visible()
    page.wait_for_function("selector => document.querySelector(selector).naturalWidth > 0", arg=selector)


SHAPES = {"high": (500, 620), "wide": (2400, 300)}


def test_a_picture_is_uploaded_stands_in_its_place_and_is_removed(laptop_page: Page) -> None:
    page = laptop_page
    send(page, b"<svg/>", "Bild hochladen")
    expect(page.locator("#picture-error")).to_contain_text("Das ist kein Bild als JPEG oder PNG.")
    expect(page.get_by_label("Bild oder Wappen des Vereins")).to_be_focused()
    for shape, size in SHAPES.items():
        send(page, a_picture(*size), "Bild hochladen")
        expect(page.locator("#messages"), shape).to_contain_text("Das Bild ist gespeichert.")
        is_shown(page, ".club-picture")
        for way in ("hoch", "quer"):
            page.get_by_label(way, exact=True).check()
            page.get_by_role("button", name="Urkunden ansehen").click()
            is_shown(page, ".certificate__picture")
            frame, picture = box(page, ".certificate"), box(page, ".certificate__picture")
            assert frame["y"] < picture["y"], (shape, way)
            assert picture["y"] + picture["height"] <= box(page, ".certificate h1")["y"], (shape, way)
            sides = picture["x"] - frame["x"], frame["x"] + frame["width"] - picture["x"] - picture["width"]
            assert min(sides) > 0, (shape, way)
            assert sides[0] == pytest.approx(sides[1], abs=2), (shape, way)
            page.go_back()
        page.get_by_role("button", name="Bild löschen").click()
        expect(page.locator("#messages"), shape).to_contain_text("Das Bild ist gelöscht.")
        expect(page.locator(".club-picture"), shape).to_have_count(0)
