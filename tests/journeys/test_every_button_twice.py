"""Every button of the organiser's and the door's pages pressed twice: one form is sent, it changes something once, and no red sentence.

The pages are walked by their links, in evenings before, in and after play; each button that sends a form is pressed where it is
met first. The pauses between the presses are spread over the buttons; the door has tests of all of them (`test_twice`). What
the first press alone is refused, such as a form that needs more than a word in each field, proves that one form was sent.
"""

import re
from collections import deque
from collections.abc import Iterator
from datetime import date
from itertools import cycle
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Request, expect

from scoring.core.prize_plan import PrizePlan
from scoring.services.prizes import set_prize_plan
from tests.compared_evenings import evening
from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_played_round
from tests.journeys.evening import bring_session
from tests.journeys.test_twice import PAUSES
from tests.scoring.prize_giving import PLAN
from tests.security.installation import an_evening, register_themselves
from tournaments.models import Receipt, Tournament

pytestmark = pytest.mark.usefixtures("committed")

Key = tuple[str, str, str]
"""The patterns of page and action, and name and value of a button."""
LAST = re.compile(r"/(delete|end|erase)/$")
"""What ends the evening or takes somebody away is pressed when all others have been."""
FORMS = """
() => [...document.querySelectorAll('main button:not([type="button"])')]
  .filter((button) => button.form?.method === "post" && !button.disabled && !button.form.querySelector("[type=file]"))
  .map((button, place) => {
    button.dataset.place = place;
    return [place, button.getAttribute("formaction") || button.form.getAttribute("action") || location.pathname,
            `${button.name} ${button.value}`];
  })
"""
READY = """
(button) => {
  for (let box = button.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  const words = {number: "1", date: "%s", time: "19:30", password: "", "datetime-local": "%sT19:30"};
  for (const field of button.form.querySelectorAll("input:not([type=hidden], [type=checkbox], [type=radio]), textarea")) {
    if (!field.value) field.value = words[field.type] ?? (field.inputMode.match(/numeric|decimal/) ? "1" : "Grund");
  }
  button.scrollIntoView({block: "center", behavior: "instant"});
}
""" % (date(2026, 11, 28), date(2026, 11, 28))  # noqa: UP031 the script is full of braces
RED = "#messages [data-kind=error], #door-note [data-kind=error], .toasts [data-kind=error]"


def before_play(slug: str, **more: Any) -> Tournament:
    tournament: Tournament = TournamentFactory.create(slug=slug, **more)
    evening(tournament, "schnauz-placing", "open")
    ParticipantFactory.create_batch(4, tournament=tournament, presence="announced")
    register_themselves(tournament, first=1)
    return tournament


def in_play(slug: str, **more: Any) -> Tournament:
    return an_evening(slug, more["owner"], players=10)


def after_play(slug: str, **more: Any) -> Tournament:
    tournament = before_play(slug, **more)
    for number in range(1, (tournament.rules.rounds or 1) + 1):
        a_played_round(tournament, number)
    return set_prize_plan(tournament, PrizePlan.from_dict(PLAN))


def pattern(address: str, slug: str) -> str:
    """Return an address without what differs from one table, player or round to the next."""
    return re.sub(r"\d+", "0", address.replace(slug, "-").partition("?")[0].partition("#")[0])


def buttons_on(page: Page) -> dict[Key, int]:
    """Return the buttons of a page that send a form, with their place among them, the first of each kind."""
    here = urlsplit(page.url).path
    slug = here.split("/")[2]
    places: dict[Key, int] = {}
    for place, action, value in page.evaluate(FORMS):
        places.setdefault((pattern(here, slug), pattern(action, slug), pattern(value, slug)), place)
    return places


class Walk:
    """The pages and buttons of one evening, by their patterns."""

    def __init__(self, page: Page, slug: str) -> None:
        self.page, self.slug = page, slug
        self.home = f"/o/{slug}/"
        self.pages = deque([self.home])
        self.seen_pages: dict[str, int] = {}
        self.buttons: dict[Key, str] = {}

    def look_around(self) -> None:
        """Find pages and buttons: of each kind of page the first two."""
        while self.pages:
            address = self.pages.popleft()
            kind = pattern(address, self.slug)
            if self.seen_pages.get(kind, 0) == 2:
                continue
            self.seen_pages[kind] = self.seen_pages.get(kind, 0) + 1
            self.page.goto(address, wait_until="domcontentloaded")
            links = self.page.locator("a[href]").evaluate_all(
                "links => links.map((link) => link.getAttribute('href'))"
            )
            self.pages += [
                link.partition("#")[0] for link in links if re.match(rf"{self.home}.*/(\?|#|$)", link)
            ]
            for key in buttons_on(self.page):
                self.buttons.setdefault(key, address)


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    yield shared_page
    shared_page.goto("about:blank")


@pytest.mark.parametrize("make", [before_play, in_play, after_play])
def test_every_button_pressed_twice_changes_something_once(page: Page, make: Any) -> None:
    organiser = UserFactory.create(username=f"veranstalter-{uuid4()}")
    slug = f"zweimal-{uuid4().hex[:8]}"
    make(slug, owner=organiser)
    bring_session(page, organiser)
    walk = Walk(page, slug)
    walk.look_around()
    pauses = cycle(PAUSES)
    buttons = sorted(walk.buttons.items(), key=lambda item: bool(LAST.search(item[0][1])))
    changed = [key for key, address in buttons if changes_once(page, address, key, next(pauses))]
    assert len(changed) > 20


def changes_once(page: Page, address: str, key: Key, pause: int) -> bool:
    """Press a button twice at one place of the screen. Return whether it changed something."""
    page.goto(address, wait_until="domcontentloaded")
    place = buttons_on(page).get(key)
    if place is None:
        return False  # an earlier press has taken it away
    button = page.locator(f"[data-place='{place}']")
    button.evaluate(READY)
    box = button.bounding_box()
    if box is None:
        return False  # shown without scripts only
    sent: list[Request] = []

    def listen(request: Request) -> None:
        if request.method == "POST":
            sent.append(request)

    page.on("request", listen)
    receipts = Receipt.objects.count()
    for wait in (pause, 100):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(wait)
    for request in sent:
        request.response()
    expect(page.locator("[data-sending]")).to_have_count(0)  # the page with the answer is here
    page.remove_listener("request", listen)
    assert len({(request.url, once_in(request)) for request in sent}) <= 1, (key, pause)
    made = Receipt.objects.count() - receipts
    assert made <= 1, (key, pause)
    if made:
        expect(page.locator(RED)).to_have_count(0)
    return bool(made)


def once_in(request: Request) -> str:
    field = re.search(r"\bonce(?:=|\"\s+)([\w-]*)", request.post_data or "")
    return field[1] if field else ""
