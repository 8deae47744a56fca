"""The overview on a laptop: all of it in one window, and current by itself."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoring.models import Sheet
from scoring.services.sheets import write
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.journeys.access import violations_in_all_colours
from tests.journeys.evening import LAPTOP, bring_session
from tournaments.models import Membership, Table, Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")


@pytest.fixture
def laptop_page(page: Page) -> tuple[Page, Tournament]:
    """Open the overview of a round in play: nine tables, of which one calls and one objects."""
    tournament = TournamentFactory.create(slug=f"uebersicht-{uuid4().hex[:8]}")
    ParticipantFactory.create_batch(47, tournament=tournament)
    tables = list(a_round(tournament).tables.order_by("number"))
    for table in tables[:5]:
        write(table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    write(tables[2], [("objected", {"seat_number": 2, "note": "Das war kein Schnauz"})], by="x", at=AT)
    _call(tables[6])
    user = UserFactory.create()
    Membership.objects.create(tournament=tournament, user=user, role=Membership.Role.ORGANISER)
    bring_session(page, user)
    page.set_viewport_size(LAPTOP["viewport"])
    page.goto(reverse("organiser:overview", args=[tournament.slug]))
    return page, tournament


def _call(table: Table) -> None:
    called_at = timezone.now() - timedelta(minutes=table.number)
    Sheet.objects.update_or_create(table=table, defaults={"called_at": called_at})


def _height(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box
    return box["height"]


def test_the_overview_fits_into_the_window_of_a_laptop(laptop_page: tuple[Page, Tournament]) -> None:
    page, _ = laptop_page
    expect(page.get_by_role("link", name="0/9 fertig Tisch 7 ruft (+1)")).to_be_visible()
    only_here = page.locator(
        ".overview > .notice[data-kind=error]"
    )  # the server of the tests is for this machine alone
    only_here.evaluate_all("all => all.forEach((one) => one.remove())")
    assert page.evaluate("document.documentElement.scrollHeight") <= 768
    assert _height(page, ".next-step") <= 160
    assert _height(page, ".strip__line") == 32
    tiles = page.locator(".tile")
    expect(tiles).to_have_count(9)
    assert min(box["height"] for tile in tiles.all() if (box := tile.bounding_box())) >= 56
    assert violations_in_all_colours(page) == {}
    tiles.nth(2).click()
    expect(page.get_by_role("heading", name="Tisch 3", exact=False).first).to_be_visible()


def test_the_overview_says_what_calls_and_its_button_leads_there(
    laptop_page: tuple[Page, Tournament],
) -> None:
    page, tournament = laptop_page
    step = page.locator(".next-step")
    expect(step).to_contain_text("Tisch 7: ruft die Aufsicht")
    Sheet.objects.filter(table__round__tournament=tournament).update(called_at=None)
    expect(step.get_by_role("link", name="Einspruch ansehen")).to_be_visible()
    expect(step).not_to_contain_text("ruft die Aufsicht")
    expect(page.locator(".tile").nth(6)).to_contain_text("nicht begonnen")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    _call(Table.objects.get(round__tournament=tournament, number=8))
    step.get_by_role("link", name="Zu Tisch 8").click()
    expect(page.locator("#table-8").get_by_role("button", name="Aufsicht ist da")).to_be_in_viewport()


@pytest.mark.parametrize("width", [1024, 1366])
def test_sixty_tables_fit_into_the_window_of_a_laptop_too(page: Page, width: int) -> None:
    tournament = TournamentFactory.create(slug=f"saal-{uuid4().hex[:8]}")
    ParticipantFactory.create_batch(300, tournament=tournament)
    _call(a_round(tournament).tables.get(number=60))
    user = UserFactory.create()
    Membership.objects.create(tournament=tournament, user=user, role=Membership.Role.ORGANISER)
    bring_session(page, user)
    page.set_viewport_size({"width": width, "height": 768})
    page.goto(reverse("organiser:overview", args=[tournament.slug]))
    expect(page.locator(".strip__line")).to_be_visible()
    page.locator(".overview > .notice[data-kind=error]").evaluate_all(
        "all => all.forEach((one) => one.remove())"
    )
    assert page.evaluate(
        "[document.documentElement.scrollHeight <= 768, document.documentElement.scrollWidth]"
    ) == [True, width]
    tiles = page.locator(".tile")
    expect(tiles).to_have_count(60)
    smallest = tiles.evaluate_all(
        "all => Math.min(...all.flatMap((one) => [one.offsetWidth, one.offsetHeight]))"
    )
    assert smallest >= 44
    assert tiles.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth).length") == 0
