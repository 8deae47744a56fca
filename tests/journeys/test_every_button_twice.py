"""Every button of the organiser's and the door's pages pressed twice: one form is sent, it changes something once, and no red sentence.

The pages are walked by their links, in evenings of several states. Each button that sends a form is pressed where it is met first,
and so is what an answer shows that was not met before. What an earlier press has taken away is brought back by pressing what had
shown it, or pressed in another evening. The pauses between the presses are spread over the buttons; with EVERY_INTERVAL=1 in the
environment each button is pressed with each of them, in every evening.
"""

import math
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import date
from time import monotonic
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4
from zlib import crc32

import pytest
from django.contrib.auth.models import User
from django.urls import resolve
from playwright.sync_api import Error, FilePayload, Locator, Page, Request, expect

from scoring.core.prize_plan import PrizePlan
from scoring.models import Sheet
from scoring.queries.standings import tied_groups
from scoring.services.ceremonies import seal_draw, seal_lot
from scoring.services.prizes import set_prize_plan
from scoring.services.rounds import DrawOptions, close, draw_ahead
from scoring.services.sheets import Sent, free_pen, record, take_pen, write
from scoring.services.standings import freeze
from tests.compared_evenings import evening
from tests.conftest import found_once
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_played_round, a_round
from tests.journeys.evening import bring_session
from tests.journeys.test_twice import PAUSES
from tests.pictures import a_picture
from tests.scoring.core.writing import ruf, solo
from tests.scoring.prize_giving import PLAN
from tests.scoring.records import of_paper
from tests.security.addresses import all_routes
from tests.security.bodies import value_of
from tests.security.installation import an_evening, register_themselves
from tournaments.models import Receipt, Seat, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services.door import Newcomer
from tournaments.services.people_lists import announce
from tournaments.services.rounds import release

pytestmark = pytest.mark.usefixtures("committed")

TURNS = range(len(PAUSES)) if os.environ.get("EVERY_INTERVAL") else range(1)
Key = tuple[str, str, str]
"""The patterns of page and action, and name and value of a button."""
BOTH_PRESSES_S = 0.5
"""As in static/js/desk/pointer_guard.js. A busy machine may take longer for two presses; then the second one is a press of its own."""
LAST = re.compile(r"/(delete|end|erase|close)/$")
"""What ends the evening or takes somebody away is pressed when all others have been."""
LOOK = """
async (address) => {
  document.addEventListener("htmx:beforeRequest", (event) => event.detail.requestConfig.triggeringEvent || event.preventDefault());
  const answer = address && await fetch(address);
  const page = answer ? new DOMParser().parseFromString(await answer.text(), "text/html") : document;
  const here = answer ? answer.url : location.href;
  const buttons = [...page.querySelectorAll('main button:not([type="button"], noscript *)')]
    .filter((button) => button.form?.method === "post" && !button.disabled && !button.matches(".visually-hidden"))
    .map((button, place) => {
      button.dataset.place = place;
      return [place, button.getAttribute("formaction") || button.form.getAttribute("action") || new URL(here).pathname,
              `${button.name} ${button.value}`];
    });
  return [here, buttons, [...page.querySelectorAll("a[href]")].map((link) => link.getAttribute("href"))];
}
"""
"""What is on the page of an address, which is not shown for that; of none: on this page, which renews nothing by itself from now on."""
FIELDS = "(button) => [...button.form.elements].filter((field) => field.name && field.type !== 'hidden').map((field) => field.name)"
READY = """
(button, own) => {
  for (let box = button.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  const words = {number: "1", date: "%s", time: "19:30", password: "", "datetime-local": "%sT19:30"};
  for (const field of button.form.elements) {
    const value = own[field.name];
    const isBox = ["checkbox", "radio"].includes(field.type);
    if (!field.willValidate || ["hidden", "file", "submit"].includes(field.type)) continue;
    if (field.type === "radio")
      field.checked ||= field.value === value || !button.form.querySelector(`[name="${field.name}"]:checked`);
    if (field.options && field.required && !field.value) field.selectedIndex = field.options.length - 1;
    if (field.type === "checkbox" && value) field.checked = [value].flat().includes(field.value);
    if (isBox || value === "") continue;
    const word = words[field.type] ?? (field.inputMode.match(/numeric|decimal/) ? "1" : "Grund");
    if (field.options && field.name.startsWith("place_")) field.selectedIndex = Number(value);
    else if (!field.options) field.value = value ?? (field.value || word);
    else if ([...field.options].some((option) => option.value === value)) field.value = value;
  }
  button.scrollIntoView({block: "center", behavior: "instant"});
}
""" % (date(2026, 11, 28), date(2026, 11, 28))  # noqa: UP031 the script is full of braces
RED = "#messages [data-kind=error], #door-note [data-kind=error], .toasts [data-kind=error]"
RIGHT: dict[str, dict[str, Any]] = {
    "organiser:settings": {"place": "Krone"},
    "organiser:fees": {"name_1": "Voll", "cents_1": "3,00", "name_2": "Jugend", "cents_2": "1,50"},
    "door:import_list": {"text": ""},
}
"""By route, what has to stand in fields so that the form is taken, beside the values that each form of this name gets."""
FILES: dict[str, FilePayload] = {
    "organiser:set_picture": {"name": "bild.png", "mimeType": "image/png", "buffer": a_picture()},
    "door:import_list": {
        "name": "liste.csv",
        "mimeType": "text/csv",
        "buffer": b"Name;Verein\nHuber Sepp;SC\n",
    },
}


def before_play(slug: str, owner: User) -> Tournament:
    tournament: Tournament = TournamentFactory.create(slug=slug, owner=owner)
    evening(tournament, "schnauz-placing", "open")
    ParticipantFactory.create_batch(4, tournament=tournament, presence="announced")
    register_themselves(tournament, first=1)
    return tournament


def in_play(slug: str, owner: User) -> Tournament:
    return an_evening(slug, owner, players=10)


def after_play(slug: str, owner: User) -> Tournament:
    tournament = before_play(slug, owner)
    for number in range(1, (tournament.rules.rounds or 1) + 1):
        a_played_round(tournament, number)
    return set_prize_plan(tournament, PrizePlan.from_dict(PLAN))


def in_the_hall(slug: str, owner: User) -> Tournament:
    """Create a practice evening: table 1 calls and has entries of two phones, others are submitted, a list was read in."""
    rules = preset("schnauz-placing").to_dict() | {"confirmation": "optional"}
    tournament: Tournament = TournamentFactory.create(slug=slug, owner=owner, ruleset=rules, is_practice=True)
    ParticipantFactory.create_batch(15, tournament=tournament)
    called, *sent_in = a_round(tournament).tables.order_by("number")
    epoch = take_pen(called, device="a", at=AT).row.pen_epoch
    free_pen(called, at=AT)
    take_pen(called, device="b", at=AT)
    late = [Sent(str(uuid4()), "confirmed", {"seat_number": seat}, AT) for seat in (1, 2)]
    record(called, late, device="a", pen_epoch=epoch, at=AT)
    Sheet.objects.filter(table=called).update(called_at=AT)
    ranked = ("ranked", {"ranks": {str(seat): seat for seat in range(1, 6)}})
    for table in sent_in:
        write(table, [ranked, ("submitted", {})], by="x", at=AT)
    announce(tournament, [Newcomer("Huber Sepp")], by="x", at=AT)
    return tournament


def released(slug: str, owner: User) -> Tournament:
    """Create a round of which nothing is written, somebody who came late, and standings that are older than the results."""
    tournament: Tournament = TournamentFactory.create(slug=slug, owner=owner)
    ParticipantFactory.create_batch(10, tournament=tournament)
    a_played_round(tournament, 1)
    freeze(tournament, by="x", at=AT)
    a_played_round(tournament, 2)
    a_round(tournament, 3)
    ParticipantFactory.create(tournament=tournament)
    return tournament


def with_a_tout(slug: str, owner: User) -> Tournament:
    tournament = under_schafkopf(slug, owner)
    deals = [(line.kind, dict(line.data)) for line in (ruf(1, 2), solo(3, level="tout"))]
    write(a_round(tournament).tables.order_by("number")[0], deals, by="x", at=AT)
    return tournament


def tied(slug: str, owner: User) -> Tournament:
    tournament = under_schafkopf(slug, owner)
    draw_ahead(tournament, number=1, options=DrawOptions(exceptions=True), by="x", at=AT)
    for number in (1, 2):
        release(tournament, number, reason="Grund", at=AT)
        of_paper(tournament, number)
        close(tournament, number, at=AT)
    return tournament


def with_a_sealed_lot(slug: str, owner: User) -> Tournament:
    tournament = tied(slug, owner)
    seal_lot(tournament, tied_groups(tournament)[0], by="x", at=AT)
    return tournament


def with_a_sealed_draw(slug: str, owner: User) -> Tournament:
    tournament = under_schafkopf(slug, owner)
    seal_draw(tournament, 1, options=DrawOptions(exceptions=True), by="x", at=AT)
    return tournament


def under_schafkopf(slug: str, owner: User) -> Tournament:
    rules = preset("schafkopf").to_dict()
    tournament: Tournament = TournamentFactory.create(slug=slug, owner=owner, ruleset=rules)
    ParticipantFactory.create_batch(8, tournament=tournament)
    return tournament


MakeEvening = Callable[[str, User], Tournament]
EVENINGS: dict[str, tuple[MakeEvening, set[str]]] = {
    "before play": (before_play, set()),
    "in play": (in_play, set()),
    "after play": (after_play, set()),
    "in the hall": (
        in_the_hall,
        {
            "organiser:accept_submitted",
            "organiser:come",
            "organiser:decide_all_parked",
            "organiser:decide_parked",
            "organiser:delete_practice",
            "organiser:free_pen",
            "door:take_list_out",
        },
    ),
    "released": (
        released,
        {
            "organiser:draw_seats",
            "organiser:join",
            "organiser:leave",
            "organiser:paper_line",
            "organiser:show",
            "organiser:take_back_release",
        },
    ),
    "with a tout": (with_a_tout, {"organiser:approve", "organiser:scribes", "organiser:substitute"}),
    "with a deal to put right": (with_a_tout, {"organiser:correct"}),
    "tied": (tied, {"organiser:decide", "organiser:draw_lot"}),
    "with a sealed lot": (with_a_sealed_lot, {"organiser:draw_sealed_lot"}),
    "with a sealed draw": (with_a_sealed_draw, {"organiser:draw_sealed"}),
}
"""How each is made, and the routes that it is walked for; all, where none is named."""
ALIKE = re.compile(
    "door:(import_list|move_cash|rename_till|sign_up|take_back_movement)|organiser:(again|invite|"
    "remove_picture|set_picture|sign_ups|withdraw_invitation)"
)
"""Routes that do the same however much has been played: of the evenings that are walked for all, pressed in the first."""


def pattern(address: str, slug: str) -> str:
    """Return an address without what differs from one table, player or round to the next."""
    path = address.replace(slug, "-").partition("?")[0].partition("#")[0]
    return re.sub(r"\d+", "0", re.sub(r"[\da-f]{8}-[\da-f-]{27}", "0", path))


class Walk:
    """The buttons of one kind of evening, by their patterns. turn: with which of the pauses each is pressed.

    is_fresh: the page is as its address shows it, as an answer that leads to it is. point: where it was pressed last.
    """

    def __init__(self, page: Page, name: str, turn: int) -> None:
        self.page, self.turn = page, turn
        self.make, self.only = EVENINGS[name]
        self.is_for_all = name == "before play" or len(TURNS) > 1
        self.addresses: dict[Key, str] = {}
        self.routes: dict[Key, str] = {}
        self.shown_by: dict[Key, Key] = {}
        self.seen_pages: dict[str, int] = {}
        self.pressed: dict[Key, bool] = {}
        self.slug, self.is_answer = "", False
        self.is_fresh, self.point, self.was_quick = False, (0.0, 0.0), True
        self.wrong: list[str] = []

    @property
    def home(self) -> str:
        return f"/o/{self.slug}/"

    def begin(self) -> None:
        """Go on in another evening of the same kind."""
        self.slug = f"zweimal-{uuid4().hex[:8]}"
        organiser = UserFactory.create(username=f"veranstalter-{uuid4()}")
        self.make(self.slug, organiser)
        TournamentFactory.create(
            owner=organiser
        )  # else an account without a tournament is left where this one is deleted
        bring_session(self.page, organiser)

    def press_all(self) -> None:
        self.begin()
        self.page.goto(self.home)
        waiting = self.look_around([*self.of_last_table(), self.home])
        while waiting:
            before = len(self.pressed)
            waiting = self.press_those_that_are_there(waiting)
            if len(self.pressed) == before:
                return
            if waiting:
                self.begin()

    def of_last_table(self) -> list[str]:
        """Return addresses about somebody at the last table, where the least is written."""
        seats = Seat.objects.filter(tournament__slug=self.slug)
        last = seats.order_by("round__number", "table__number").select_related("round", "participant").last()
        if last is None:
            return []
        number = last.participant.start_number
        return [f"{self.home}rounds/{last.round.number}/seats/{number}/", f"{self.home}door/people/{number}/"]

    def press_those_that_are_there(self, waiting: list[Key]) -> list[Key]:
        """Press buttons, and those that show up meanwhile. Return those that an earlier press has taken away."""
        gone: list[Key] = []
        while waiting:
            key = waiting.pop(0)
            if not self.reach(key):
                gone.append(key)
                continue
            self.pressed[key] = self.press_twice(key)
            if self.is_answer:
                waiting[:0] = self.look_around([], shown_by=key)
        return gone

    # --- where the buttons are ---

    def look_around(self, addresses: list[str], shown_by: Key | None = None) -> list[Key]:
        """Find pages and buttons that were not met before, from these addresses or this page: of each kind of page the first two."""
        found, pages = [], deque(addresses or [""])
        while pages:
            address = pages.popleft()
            kind = pattern(address, self.slug)
            if address and self.seen_pages.get(kind, 0) == 2:
                continue
            self.seen_pages[kind] = self.seen_pages.get(kind, 0) + 1
            here, buttons, links = self.look(address)
            pages += [link.partition("#")[0] for link in links if re.match(rf"{self.home}.*/(\?|#|$)", link)]
            if here.startswith(self.home):  # not of another tournament
                found += self.new_buttons(buttons, here, shown_by)
        return sorted(found, key=lambda key: bool(LAST.search(key[1])))

    def look(self, address: str = "") -> tuple[str, dict[Key, int], list[str]]:
        """Return what an address leads to, its buttons that send a form, the last of each kind, with their place, and its links.

        Without an address of this page, which may be loading itself anew.
        """
        try:
            url, buttons, links = self.page.evaluate(LOOK, address)
        except Error:
            self.page.wait_for_load_state("domcontentloaded")
            url, buttons, links = self.page.evaluate(LOOK, address)
        path = urlsplit(url).path
        places: dict[Key, int] = {}
        for place, action, value in buttons:
            key = pattern(path, self.slug), pattern(action, self.slug), pattern(value, self.slug)
            self.routes[key] = resolve(urlsplit(action).path).view_name
            places[key] = place
        return urlsplit(url)._replace(scheme="", netloc="").geturl(), places, links

    def buttons(self) -> dict[Key, int]:
        return self.look()[1]

    def new_buttons(self, buttons: Iterable[Key], here: str, shown_by: Key | None) -> list[Key]:
        found = [
            key
            for key in buttons
            if key not in self.addresses
            and (not self.only or self.routes[key] in self.only)
            and (self.is_for_all or not ALIKE.fullmatch(self.routes[key]))
        ]
        for key in found:
            self.addresses[key] = here.replace(self.slug, "{slug}")
            if shown_by:
                self.shown_by[key] = shown_by
        return found

    # --- pressing them ---

    def reach(self, key: Key) -> bool:
        """Bring a button onto the page, where it has to be by pressing what has shown it."""
        address = self.addresses[key].format(slug=self.slug)
        if not (self.is_fresh and self.page.url.endswith(address)):
            self.page.goto(address, wait_until="domcontentloaded")
            self.is_fresh = True
        if key in self.buttons():
            return True
        earlier = self.shown_by.get(key)
        if earlier is None or not self.reach(earlier):
            return False
        button = self.ready(earlier)
        if button.is_visible():
            self.press(button, 100)
        return key in self.buttons()

    def ready(self, key: Key) -> Locator:
        """Fill in the form of a button on this page, and scroll to it."""
        self.is_fresh = False
        button = self.page.locator(f"[data-place='{self.buttons()[key]}']")
        route = self.routes[key]
        files = button.locator("xpath=ancestor::form").locator("[type=file]")
        if files.count():
            files.set_input_files(FILES[route])
        fields = button.evaluate(FIELDS)
        ranks = [field for field in dict.fromkeys(fields) if field.startswith(("place_", "rank_"))]
        right = {field: self.right(route, field) for field in fields}
        button.evaluate(READY, right | {field: str(rank) for rank, field in enumerate(ranks, start=1)})
        return button

    def right(self, route: str, field: str) -> Any:
        """Return what has to stand in a field: nothing where it is optional, None where any word will do."""
        if route == "organiser:delete":
            return Tournament.objects.get(slug=self.slug).name
        with suppress(KeyError):
            return RIGHT.get(route, {}).get(field, value_of(route, field) or "")
        return None

    def press_twice(self, key: Key) -> bool:
        """Press a button twice at one place of the screen. Return whether it changed something."""
        pause = PAUSES[(crc32("".join(key).encode()) + self.turn) % len(PAUSES)]
        button = self.ready(key)
        receipts = answered_forms()
        sent = self.press(button, pause, 100)
        self.is_answer = not any(answer.status >= 400 for request in sent if (answer := request.response()))
        made = len(answered_forms() - receipts)
        errors = self.page.locator(RED).all_inner_texts()
        self.is_fresh = self.is_fresh and not errors
        if not self.was_quick:
            return made > 0
        if made and len({(request.url, once_in(request)) for request in sent}) > 1:
            self.wrong.append(f"{key} {pause}: sends two forms")
        if made > 1:
            self.wrong.append(f"{key} {pause}: changes something twice")
        if made and errors:
            self.wrong.append(f"{key} {pause}: {errors}")
        return made > 0

    def press(self, button: Locator, *pauses: int) -> list[Request]:
        """Press once for each pause, at the same place, and wait for the answer. Return what was sent."""
        box = button.bounding_box()
        if box is None:
            return []  # shown without scripts only
        point = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if math.dist(point, self.point) < 10:
            self.page.wait_for_timeout(600)  # else this is the second press of the button before
        self.point = point
        sent: list[Request] = []

        def listen(request: Request) -> None:
            if request.method == "POST":
                sent.append(request)

        self.page.on("request", listen)
        self.page.evaluate("document.documentElement.dataset.before = ''")
        before = monotonic()
        for pause in pauses:
            self.page.mouse.click(*point)
            self.was_quick = monotonic() - before < BOTH_PRESSES_S
            self.page.wait_for_timeout(pause)
        # Until the page with the answer is here. A form says at once that it is sending, its request comes some time after.
        expect(self.page.locator("[data-before] [data-sending=page]")).to_have_count(0)
        self.page.wait_for_load_state("domcontentloaded")
        expect(self.page.locator("[data-sending]")).to_have_count(0)
        answers = [(request.is_navigation_request(), request.response()) for request in sent]
        led_on = [answer.status // 100 == 3 for is_page, answer in answers if is_page and answer]
        self.is_fresh = bool(led_on) and all(led_on)
        self.page.remove_listener("request", listen)
        return sent


def answered_forms() -> set[bytes]:
    return {bytes(key) for key in Receipt.objects.values_list("key", flat=True)}


def once_in(request: Request) -> str:
    field = re.search(r"\bonce(?:=|\"\s+)([\w-]*)", request.post_data or "")
    return field[1] if field else ""


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    yield shared_page
    shared_page.goto("about:blank")


def walked(page: Page, name: str, turn: int) -> dict[str, list[str]]:
    """Return what is wrong in an evening, and the routes of which a form was taken. Each evening is walked once in a run."""

    def find() -> dict[str, list[str]]:
        walk = Walk(page, name, turn)
        walk.press_all()
        taken = {walk.routes[key] for key, changed in walk.pressed.items() if changed}
        return {"wrong": walk.wrong, "taken": sorted(taken)}

    found: dict[str, list[str]] = found_once(f"buttons {name} {turn}", find)
    return found


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("name", EVENINGS)
def test_every_button_pressed_twice_changes_something_once(page: Page, name: str, turn: int) -> None:
    assert walked(page, name, turn)["wrong"] == []


@pytest.mark.parametrize("turn", TURNS)
def test_every_form_of_an_organiser_was_pressed(page: Page, turn: int) -> None:
    taken = {route for name in EVENINGS for route in walked(page, name, turn)["taken"]}
    forms = {
        route.name
        for route in all_routes()
        if "POST" in route.methods and route.access in ("organiser", "cashier")
    }
    assert sorted(forms - taken) == []
