"""The rules on a phone, without an account, and printed on one page."""

import io
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pdfplumber
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.factories import TournamentFactory
from tests.journeys.access import violations
from tests.journeys.phones import NewPhone
from tournaments.models import Tournament
from tournaments.rulesets.loader import PRESETS, preset

pytestmark = pytest.mark.usefixtures("committed", "live_url")


def under(name: str) -> Tournament:
    slug = f"regeln-{name}-{uuid4().hex[:12]}"
    return TournamentFactory.create(slug=slug, ruleset=preset(name).to_dict())


@pytest.fixture(scope="module", params=["de-DE", "en-GB"])
def small_page(
    browser: Browser, browser_context_args: dict[str, Any], request: pytest.FixtureRequest
) -> Iterator[Page]:
    """Open a page on the narrowest phone, one for each language."""
    arguments = {**browser_context_args, "viewport": {"width": 320, "height": 700}, "locale": request.param}
    context = browser.new_context(**arguments)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", PRESETS)
def test_everybody_can_read_it_on_the_narrowest_phone_and_on_one_sheet_of_paper(
    small_page: Page, name: str
) -> None:
    small_page.goto(f"/t/{under(name).slug}/rules/")
    assert small_page.evaluate("document.documentElement.scrollWidth") == 320
    figures = (
        "[...document.querySelectorAll('.rulebook__figures')].map((one) => one.scrollWidth - one.clientWidth)"
    )
    assert set(small_page.evaluate(figures)) <= {0}
    assert violations(small_page) == []
    with pdfplumber.open(io.BytesIO(small_page.pdf(prefer_css_page_size=True))) as pdf:
        assert [(round(sheet.width), round(sheet.height)) for sheet in pdf.pages] == [(595, 842)]


def test_the_phone_at_the_table_leads_there(new_phone: NewPhone) -> None:
    phone = new_phone()
    with phone.expect_popup() as opened:
        phone.get_by_role("link", name="Die Regeln").click()
    expect(opened.value.get_by_role("heading", name="Schnauz nach Plätzen")).to_be_visible()
