"""Screens: nobody but an organiser pairs one, no code is found by trying, and an ended pairing shows nothing more.

Each attack has a control: the same request of somebody who may, or just below the limit.
"""

from datetime import datetime, timedelta
from functools import partial
from threading import Barrier
from uuid import uuid4

import httpx
import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.models import ScreenPairing
from scoring.queries.screen_pairings import (
    CODE_LIFE,
    MOST_TRIES,
    UNSEEN,
    asking,
    paired_devices,
    paired_screens,
)
from scoring.services.screen_pairings import (
    MOST_ASKING,
    MOST_OF_AN_ADDRESS,
    ask_for_code,
    confirm_code,
    end_pairing,
    forget_unseen,
    pair_own_browser,
    see_screen,
)
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.races import at_once
from tests.scoring.paired import paired_client, pairing_cookie
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament

NAME = "Zita Rosenmüller"


@pytest.fixture
def tournament(request: pytest.FixtureRequest, django_db_setup: None) -> Tournament:
    """Create a tournament that names nobody on the web. For a server: committed."""
    if "live_url" in request.fixturenames:
        request.getfixturevalue("committed")
    else:
        request.getfixturevalue("db")
    made: Tournament = TournamentFactory.create(slug=f"wand-{uuid4().hex[:8]}", names="number")
    ParticipantFactory.create(tournament=made, name=NAME)
    ParticipantFactory.create_batch(5, tournament=made)
    a_round(made)
    return made


def ask(tournament: Tournament, address: str = "192.0.2.1", at: datetime = AT) -> ScreenPairing:
    return ask_for_code(tournament, 1, address=address, at=at)


def confirm(tournament: Tournament, code: str, at: datetime = AT) -> str:
    """Return "paired", or the code of the refusal."""
    try:
        confirm_code(tournament, code, by="x", at=at)
    except Refusal as refusal:
        return refusal.code
    return "paired"


def wrong_for(*pairings: ScreenPairing) -> str:
    return next(
        code for code in map(str, range(100000, 100100)) if code not in {one.code for one in pairings}
    )


# --- the code ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tries", "outcome"), [(MOST_TRIES - 1, "paired"), (MOST_TRIES, "screen_code_unknown")]
)
def test_a_code_survives_few_wrong_ones(tournament: Tournament, tries: int, outcome: str) -> None:
    asked = ask(tournament)
    for _ in range(tries):
        assert confirm(tournament, wrong_for(asked)) == "screen_code_unknown"
    assert confirm(tournament, asked.code) == outcome


@pytest.mark.parametrize(("late", "outcome"), [(-1, "paired"), (0, "screen_code_unknown")])
def test_a_code_lives_for_ten_minutes(tournament: Tournament, late: int, outcome: str) -> None:
    asked = ask(tournament)
    assert confirm(tournament, asked.code, AT + CODE_LIFE + timedelta(seconds=late)) == outcome


def test_a_code_works_once_and_in_its_tournament_only(tournament: Tournament) -> None:
    other = TournamentFactory.create(slug="andere-wand")
    asked = ask(tournament)
    assert confirm(other, asked.code) == "screen_code_unknown"
    assert confirm(tournament, asked.code) == "paired"
    assert confirm(tournament, asked.code) == "screen_code_unknown"
    assert paired_devices(other.slug) == {}


def test_a_right_code_is_not_told_from_a_wrong_one_by_those_who_may_not_confirm(
    tournament: Tournament,
) -> None:
    asked = ask(tournament, at=timezone.now())
    cashier = UserFactory.create()
    tournament.memberships.create(user=cashier, role="cashier")
    clients = [Client(), Client(), Client()]
    clients[1].force_login(cashier)
    clients[2].force_login(UserFactory.create())
    for client in clients:
        answers = [
            client.post(f"/o/{tournament.slug}/screens/pair/", {"code": code})
            for code in (asked.code, wrong_for(asked))
        ]
        assert len({(answer.status_code, answer.headers.get("Location")) for answer in answers}) == 1
    assert not paired_devices(tournament.slug)
    assert confirm(tournament, asked.code, timezone.now()) == "paired"


# --- the number of codes -------------------------------------------------------------------------------------------


def test_one_address_cannot_take_all_codes(tournament: Tournament) -> None:
    for _ in range(MOST_OF_AN_ADDRESS):
        ask(tournament)
    with pytest.raises(Refusal, match="screen_codes_enough"):
        ask(tournament)
    assert ask(tournament, "192.0.2.2").code
    assert ask(tournament, at=AT + CODE_LIFE).code


def test_open_codes_are_few_and_forgotten_ones_are_deleted(tournament: Tournament) -> None:
    asked = [ask(tournament, f"192.0.2.{number}") for number in range(MOST_ASKING)]
    assert len({one.code for one in asked}) == MOST_ASKING
    with pytest.raises(Refusal, match="screen_codes_enough"):
        ask(tournament, "198.51.100.1")
    assert ask(tournament, "198.51.100.1", AT + CODE_LIFE).code
    assert ScreenPairing.objects.count() == 1


def test_a_browser_without_a_code_is_told_so_and_the_page_still_works(tournament: Tournament) -> None:
    address = f"/t/{tournament.slug}/screen/"
    for _ in range(MOST_OF_AN_ADDRESS):
        ask(tournament, "127.0.0.1", timezone.now())
    answer = Client().post(f"{address}code/", {"screen": 1})
    assert answer.status_code == 429
    assert "Zu viele Bildschirme warten schon auf eine Verbindung." in answer.content.decode()
    assert "Zu viele Bildschirme" not in Client().get(address).content.decode()


@pytest.mark.usefixtures("committed")
def test_those_who_ask_at_once_get_no_more_codes() -> None:
    made = TournamentFactory.create(slug=f"viele-{uuid4().hex}")
    for _ in range(MOST_OF_AN_ADDRESS - 1):
        ask(made)

    at_once(*[partial(ask, made)] * 3)
    assert made.screen_pairings.count() == MOST_OF_AN_ADDRESS


@pytest.mark.usefixtures("committed")
def test_without_the_lock_they_would_get_more() -> None:
    """The control: both count before either has written."""
    made = TournamentFactory.create(slug=f"viele-{uuid4().hex}")
    for _ in range(MOST_OF_AN_ADDRESS - 1):
        ask(made)
    both_have_counted = Barrier(2, timeout=60)

    def try_to(code: str) -> None:
        with transaction.atomic():
            if asking(AT).filter(tournament=made).count() < MOST_OF_AN_ADDRESS:
                both_have_counted.wait()
                made.screen_pairings.create(number=1, device=code, code=code, asked_at=AT)

    at_once(partial(try_to, "a"), partial(try_to, "b"))
    assert made.screen_pairings.count() == MOST_OF_AN_ADDRESS + 1


# --- the cookie ----------------------------------------------------------------------------------------------------


def test_no_other_cookie_pairs_a_browser(tournament: Tournament) -> None:
    other = TournamentFactory.create(slug="andere-wand")
    asked = ask(tournament, at=timezone.now())
    address = f"/t/{tournament.slug}/screen/"
    for cookie in (pairing_cookie(other), asked.device, pairing_cookie(tournament) + "x", "x", ""):
        client = Client()
        client.cookies["screen"] = cookie
        assert "Rosenmüller" not in client.get(address).content.decode()
    assert "Rosenmüller" in paired_client(tournament).get(address).content.decode()


def test_the_cookie_is_for_its_tournament_and_no_script(tournament: Tournament) -> None:
    client = Client()
    client.post(f"/t/{tournament.slug}/screen/code/", {"screen": 1})
    cookie = client.cookies["screen"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (f"/t/{tournament.slug}/", True, "Lax")


def test_a_foreign_page_makes_no_browser_ask(tournament: Tournament) -> None:
    client, code = Client(enforce_csrf_checks=True), f"/t/{tournament.slug}/screen/code/"
    foreign, own = {"Origin": "https://evil.example"}, {"Origin": "http://testserver"}
    assert client.post(code, {"screen": 1}, headers=foreign).status_code == 403
    assert "screen" not in client.cookies
    assert client.post(code, {"screen": 1}, headers=own).status_code == 302
    assert client.cookies["screen"].value


def test_what_a_paired_browser_gets_is_kept_by_no_proxy(tournament: Tournament) -> None:
    address = f"/t/{tournament.slug}/screen/"
    paired, other = paired_client(tournament).get(address), Client().get(address)
    assert paired["Cache-Control"] == "private, no-cache"
    assert "Cookie" in paired["Vary"]
    assert "Cookie" in other["Vary"]
    assert paired["ETag"] != other["ETag"]


# --- what is not seen any more is forgotten ------------------------------------------------------------------------


def paired_now(tournament: Tournament, at: datetime) -> list[int]:
    return [pairing.number for pairing, _shows in paired_screens(tournament, {}, at=at)]


def test_a_screen_that_was_not_seen_for_an_evening_is_not_listed_and_then_deleted(
    tournament: Tournament,
) -> None:
    seen, unseen = (pair_own_browser(tournament, number, by="x", at=AT) for number in (1, 2))
    asked = ask(tournament, at=AT)
    see_screen(seen.device, at=AT + timedelta(hours=1))
    assert paired_now(tournament, AT + UNSEEN) == [1, 2]
    later = AT + UNSEEN + timedelta(minutes=1)
    assert paired_now(tournament, later) == [1]
    assert unseen.device in paired_devices(tournament.slug)  # it is switched on: the wall goes on
    forget_unseen(at=later)
    assert paired_devices(tournament.slug).keys() == {seen.device}
    assert ScreenPairing.objects.filter(pk=asked.pk).exists()


def test_with_a_clock_that_was_set_back_a_screen_is_seen_at_once(tournament: Tournament) -> None:
    paired = pair_own_browser(tournament, 1, by="x", at=AT + 2 * UNSEEN)
    assert paired_now(tournament, AT) == []
    see_screen(paired.device, at=AT)
    assert paired_now(tournament, AT) == [1]


def test_a_screen_is_stored_as_seen_once_a_minute_and_nobody_is_told(
    tournament: Tournament,
) -> None:
    client, address = paired_client(tournament), f"/t/{tournament.slug}/screen/"
    before = timezone.now()
    ScreenPairing.objects.update(seen_at=before - timedelta(minutes=5))
    for written in (1, 0):
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        writes = [query["sql"] for query in captured if query["sql"].startswith(("UPDATE", "NOTIFY"))]
        assert len(writes) == written
    assert ScreenPairing.objects.filter(seen_at__gte=before).exists()


# --- the stream ----------------------------------------------------------------------------------------------------


def test_the_stream_tells_nobody_a_name_and_the_page_of_a_browser_ends_with_its_pairing(
    live_url: str, tournament: Tournament
) -> None:
    cookie, pairing = pairing_cookie(tournament), tournament.screen_pairings.get()
    other = pairing_cookie(tournament)
    with httpx.stream("GET", f"{live_url}/t/{tournament.slug}/live", timeout=60) as watched:
        texts = watched.iter_text()
        assert "topics" in next(texts)
        assert "Rosenmüller" in screen(live_url, tournament, cookie)
        end_pairing(tournament, pairing.pk)
        told = next(text for text in texts if "pairings" in text)
        assert "Rosenmüller" not in told
    assert "Rosenmüller" not in screen(live_url, tournament, cookie)
    assert "Rosenmüller" in screen(live_url, tournament, other)


def screen(live_url: str, tournament: Tournament, cookie: str) -> str:
    address = f"{live_url}/t/{tournament.slug}/screen/"
    return httpx.get(address, headers={"Cookie": f"screen={cookie}"}, timeout=60, trust_env=False).text
