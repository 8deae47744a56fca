"""A player on their own phone, from the poster to the seat: signing up, the hall's code, the desk, going home."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.journeys.access import COLOURS, small_targets, violations
from tests.tournaments.sign_up.test_sign_up_pages import opened
from tournaments.hall_codes import hall_code
from tournaments.models import Tournament
from tournaments.services import sign_ups

pytestmark = pytest.mark.usefixtures("committed", "live_url")

NewPhone = Callable[..., Page]
LONG_NAME = "Maximiliane Oberhuber-Niederreitmeier-Hinterwimmer"
SIZE: ViewportSize = {"width": 360, "height": 740}
ONE_WIDE = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture
def tournament(committed: None) -> Tournament:
    return opened(TournamentFactory.create(slug=f"anmelden-{uuid4().hex[:8]}", names="short"))


@pytest.fixture
def address(tournament: Tournament) -> str:
    return f"/t/{tournament.slug}/sign-up/"


@pytest.fixture(scope="session")
def phone_of_all(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    """Provide a phone that takes part in the tournament of each test. What it keeps of another one is not asked for."""
    context = browser.new_context(**{**browser_context_args, "viewport": SIZE})
    yield context.new_page()
    context.close()


@pytest.fixture
def phone(phone_of_all: Page, address: str) -> Page:
    """Open the page of the sign-up on a phone that nobody has signed up with."""
    phone_of_all.goto("about:blank")  # the page of the test before may load itself anew for a stranger
    phone_of_all.context.clear_cookies()
    phone_of_all.set_viewport_size(SIZE)
    phone_of_all.emulate_media(color_scheme="light")
    phone_of_all.goto(address)
    return phone_of_all


@pytest.fixture
def new_phone(browser: Browser, browser_context_args: dict[str, Any], address: str) -> Iterator[NewPhone]:
    """Return a function that opens the page of the sign-up on a phone of its own."""
    contexts: list[BrowserContext] = []

    def start(rest: str = "", **options: Any) -> Page:
        contexts.append(browser.new_context(**{**browser_context_args, "viewport": SIZE, **options}))
        phone = contexts[-1].new_page()
        phone.goto(address + rest)
        return phone

    yield start
    for context in contexts:
        context.close()


def sign_up(phone: Page, name: str, club: str = "") -> None:
    phone.get_by_label("Vor- und Nachname").fill(name)
    phone.get_by_label("Verein oder Ort").fill(club)
    phone.get_by_role("button", name="Anmelden", exact=True).click()
    expect(phone.get_by_role("heading", name="Meine Anmeldung")).to_be_visible()


def test_from_the_poster_to_the_seat_on_one_phone(tournament: Tournament, phone: Page) -> None:
    sign_up(phone, "Huber Sepp", "SV Ort")
    expect(phone.get_by_text("Angemeldet: A1")).to_be_visible()
    phone.get_by_role("button", name="Ich bin da").click()
    phone.get_by_role("button", name="Ja, ich bin im Saal").click()
    expect(phone.get_by_text("Die Kasse weiß, dass Sie da sind", exact=True)).to_be_visible()
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=AT)
    phone.reload()
    expect(phone.get_by_text("Sie spielen mit: Nr. 1")).to_be_visible()
    ParticipantFactory.create_batch(9, tournament=tournament)
    a_round(tournament)
    phone.get_by_role("link", name="Mein Platz und mein Abend").click()
    expect(phone.locator("#me")).to_contain_text("Tisch")
    phone.goto(f"/t/{tournament.slug}/standings/")
    assert phone.evaluate(f"localStorage.getItem('me:{tournament.slug}')") == "1"


def test_the_page_learns_by_itself_that_the_desk_has_confirmed(
    tournament: Tournament, new_phone: NewPhone
) -> None:
    phone = new_phone()
    phone.clock.install()
    sign_up(phone, "Huber Sepp")
    phone.wait_for_load_state()  # from then on it asks
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=AT)
    phone.clock.fast_forward("00:20")
    expect(phone.get_by_text("Sie spielen mit: Nr. 1")).to_be_visible()
    assert phone.evaluate(f"localStorage.getItem('me:{tournament.slug}')") == "1"


def test_a_newcomer_with_the_code_on_the_wall_has_arrived(
    tournament: Tournament, phone: Page, address: str
) -> None:
    phone.goto("about:blank")
    code = hall_code(tournament, timezone.now())
    phone.goto(f"{address}#{code}")
    expect(phone.get_by_label("Code an der Leinwand")).to_have_value(code)
    expect(phone).to_have_url(address)
    sign_up(phone, "Huber Sepp")
    expect(phone.get_by_text("Die Kasse weiß, dass Sie da sind", exact=True)).to_be_visible()


def test_who_has_signed_up_at_home_is_one_tap_from_being_here(tournament: Tournament, phone: Page) -> None:
    opened(tournament, without_desk=True)
    phone.reload()
    sign_up(phone, "Huber Sepp")
    phone.goto("about:blank")
    phone.goto(f"/t/{tournament.slug}/sign-up/#{hall_code(tournament, timezone.now())}")
    phone.get_by_role("button", name="Ich bin da").click()
    expect(phone.get_by_text("Sie spielen mit: Nr. 1")).to_be_visible()


def test_two_on_one_phone_and_the_second_phone_with_the_code(
    tournament: Tournament, phone: Page, new_phone: NewPhone
) -> None:
    sign_up(phone, "Huber Sepp")
    phone.get_by_role("link", name="Noch jemanden anmelden").click()
    sign_up(phone, "Huber Anna")
    expect(phone.locator(".sign-up__card h2")).to_have_text(["Huber Sepp", "Huber Anna"])
    code = phone.locator(".sign-up__code b").last.inner_text()
    other = new_phone("mine/")
    other.get_by_label("Ihr Code").fill(code)
    other.get_by_role("button", name="Meine Anmeldung zeigen").click()
    expect(other.locator(".sign-up__card h2")).to_have_text(["Huber Anna"])
    other.get_by_role("button", name="Anmeldung zurückziehen").click()
    expect(other.locator(".sign-up__state")).to_have_text(["Zurückgezogen"])


def test_it_works_without_javascript(tournament: Tournament, new_phone: NewPhone) -> None:
    phone = new_phone(java_script_enabled=False)
    sign_up(phone, "Huber Sepp")
    phone.get_by_role("button", name="Ich bin da").click()
    phone.get_by_role("button", name="Ja, ich bin im Saal").click()
    expect(phone.get_by_text("Die Kasse weiß, dass Sie da sind", exact=True)).to_be_visible()


def test_invalid_input_is_kept_in_the_form(phone: Page) -> None:
    phone.get_by_label("Verein oder Ort").fill("SV Ort")
    phone.get_by_role("button", name="Anmelden", exact=True).click()
    expect(phone.locator(".field__error")).to_be_visible()
    expect(phone.get_by_label("Verein oder Ort")).to_have_value("SV Ort")


def test_going_home_and_coming_back(tournament: Tournament, phone: Page) -> None:
    sign_up(phone, "Huber Sepp")
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=AT)
    phone.reload()
    phone.get_by_role("button", name="Nächste Runde aussetzen").click()
    expect(phone.locator(".sign-up__state")).to_contain_text("Sie setzen Runde 1 aus")
    phone.get_by_role("button", name="Doch mitspielen").click()
    expect(phone.locator(".sign-up__state")).to_have_text("Sie spielen mit: Nr. 1")
    phone.get_by_text("Ich gehe heim", exact=True).click()
    phone.get_by_role("button", name="Ja, ich gehe heim").click()
    expect(phone.locator(".sign-up__state")).to_have_text("Sie sind abgemeldet")
    phone.get_by_role("button", name="Ich bin wieder da").click()
    expect(phone.locator(".sign-up__state")).to_have_text("Sie spielen mit: Nr. 1")


def test_every_state_is_readable_and_in_reach(tournament: Tournament, phone: Page, address: str) -> None:
    checked(phone, state=0)
    phone.get_by_role("button", name="Anmelden", exact=True).click()
    expect(phone.locator(".field__error")).to_be_visible()
    checked(phone, state=1)
    sign_up(phone, LONG_NAME, "Schnauzfreunde " + "Niederhinterkirchen" * 2)
    checked(phone, state=2)
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=AT)
    phone.reload()
    checked(phone, state=3)
    phone.goto(address)
    checked(phone, state=4)


def checked(phone: Page, *, state: int) -> None:
    """Check the page in all widths, every other one in dark colours; in the next state it is the other way round."""
    for number, width in enumerate((1366, 768, 360, 320), start=state):
        seen = (width, COLOURS[number % 2])
        phone.set_viewport_size({"width": width, "height": 740})
        phone.emulate_media(color_scheme=COLOURS[number % 2])
        assert violations(phone) == [], seen
        assert phone.evaluate(ONE_WIDE), seen
        assert small_targets(phone, "main .button, main .choices label, main summary", 44) == [], seen
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    assert phone.evaluate(ONE_WIDE), "320, 200 %"
    phone.evaluate("document.documentElement.style.fontSize = ''")
