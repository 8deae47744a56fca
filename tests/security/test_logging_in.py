"""Guessing passwords, and hashing that slows others down. Each attack has a control."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from threading import Event, Thread
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from tests.factories import PASSWORD, TournamentFactory, UserFactory
from tests.races import at_once
from tests.tournaments.accounts.test_accounts import JOIN, LOGIN, NEW, SETUP, is_logged_in
from tests.tournaments.door.doors import Cashier
from tournaments import hashing
from tournaments.core.refusal import Refusal
from tournaments.models import WrongPasswords
from tournaments.services import accounts as people
from tournaments.services import log_ins

NAT = "192.0.2.1"
AT = timezone.now()


@pytest.fixture(autouse=True)
def _clock_that_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first wait is two seconds, in which a busy machine may not come to the next attempt."""
    monkeypatch.setattr(timezone, "now", lambda: AT)


@pytest.fixture
def organiser(db: None) -> User:
    user = UserFactory.create()
    TournamentFactory.create(owner=user)
    return user


def device(address: str = NAT) -> Client:
    return Client(REMOTE_ADDR=address)


def log_in(client: Client, user: User, password: str = PASSWORD) -> int:
    return client.post(LOGIN, {"username": user.username, "password": password}).status_code


def guess(client: Client, user: User, times: int) -> list[int]:
    return [log_in(client, user, f"falsch-{number}") for number in range(times)]


def forget_waits() -> None:
    """Let the time pass that the counts make others wait."""
    WrongPasswords.objects.update(latest_at=timezone.now() - timedelta(minutes=2))


# --- one guest behind the organiser's address ----------------------------------------------------------------------


def test_a_device_that_has_logged_in_before_is_not_slowed_by_a_guest_behind_the_same_address(
    organiser: User,
) -> None:
    laptop, phone = device(), device()
    assert log_in(laptop, organiser) == 302
    laptop.post("/account/logout/")

    assert guess(phone, organiser, 7) == [422] * 5 + [429] * 2

    assert log_in(laptop, organiser) == 302
    assert log_in(phone, organiser) == 429  # the control: the right password, on a device that nobody knows


def test_it_is_known_for_its_own_account_only(organiser: User) -> None:
    phone, guest = device(), UserFactory.create()
    assert log_in(phone, guest) == 302
    phone.post("/account/logout/")

    assert guess(phone, organiser, 6)[-1] == 429


def test_its_cookie_gives_no_free_attempts(organiser: User) -> None:
    laptop = device()
    log_in(laptop, organiser)
    laptop.post("/account/logout/")

    assert guess(laptop, organiser, 6) == [422] * 5 + [429]


def test_a_forged_cookie_is_no_device(organiser: User) -> None:
    phone = device()
    log_in(phone, organiser)
    value = phone.cookies["device"].value
    phone.post("/account/logout/")
    phone.cookies["device"] = f"{value[:-1]}{'A' if value[-1] != 'A' else 'B'}"

    guess(device(), organiser, 5)
    assert log_in(phone, organiser) == 429


def test_the_cookie_lets_nobody_in_and_is_not_read_by_scripts(organiser: User) -> None:
    laptop = device()
    log_in(laptop, organiser)
    cookie = laptop.cookies["device"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Strict")
    laptop.post("/account/logout/")
    assert laptop.get("/o/").status_code == 302


def test_elsewhere_nobody_waits_for_the_guest(organiser: User) -> None:
    guess(device(), organiser, 6)
    assert log_in(device("192.0.2.2"), organiser) == 302


# --- waiting instead of locking -------------------------------------------------------------------------------------


def test_each_wrong_password_makes_the_wait_longer_and_the_sentence_says_how_long(organiser: User) -> None:
    phone, waits = device(), []
    for _ in range(8):
        guess(phone, organiser, 6)
        page = phone.post(LOGIN, {"username": organiser.username, "password": PASSWORD}).content.decode()
        found = re.search(r"Bitte noch (\d+) Sekunden? warten|noch (eine) Sekunde", page)
        assert found
        waits.append(int(found[1] or 1))
        forget_waits()

    growing = [
        min(wait, 32) for wait in waits
    ]  # near the longest one, what has passed of it can count for more
    assert growing == sorted(growing)
    assert (waits[0] <= 2, waits[-1] > 30, waits[-1] <= 60) == (True, True, True)


def test_after_the_wait_the_right_password_is_enough(organiser: User) -> None:
    phone = device()
    guess(phone, organiser, 6)
    forget_waits()
    assert log_in(phone, organiser) == 302
    phone.post("/account/logout/")
    assert guess(phone, organiser, 5) == [422] * 5  # and the count begins anew


def test_many_names_from_one_address_wait_as_well_and_other_addresses_do_not(db: None) -> None:
    tries = [
        device().post(LOGIN, {"username": f"name{number}", "password": "x"}).status_code
        for number in range(31)
    ]
    assert tries == [422] * 30 + [429]
    assert device("192.0.2.2").post(LOGIN, {"username": "name31", "password": "x"}).status_code == 422


def test_addresses_of_one_ipv6_network_are_counted_as_one(organiser: User) -> None:
    tries = [log_in(device(f"2001:db8::{number}"), organiser, "falsch") for number in range(1, 7)]
    assert tries == [422] * 5 + [429]
    assert log_in(device("2001:db8:0:1::1"), organiser) == 302


def test_many_addresses_for_one_name_wait_in_the_end(db: None) -> None:
    for number in range(100):
        log_ins.count_attempt("sepp", address=f"198.51.100.{number}", device=None, at=AT)
    with pytest.raises(Refusal, match="log_in_slowed"):
        log_ins.count_attempt("Sepp", address="203.0.113.1", device=None, at=AT)
    log_ins.count_attempt("Sepp", address="203.0.113.1", device="laptop", at=AT)  # the control
    log_ins.count_attempt("anna", address="203.0.113.1", device=None, at=AT)


def test_a_log_in_of_ones_own_does_not_clear_the_count_of_the_address(organiser: User) -> None:
    guest = UserFactory.create()
    for number in range(30):
        device().post(LOGIN, {"username": f"name{number}", "password": "x"})
    forget_waits()
    log_in(device(), guest)
    assert [log_in(device(), organiser, "falsch") for _ in range(2)] == [422, 429]


def test_counts_are_forgotten_after_a_while_and_hold_no_names(organiser: User) -> None:
    guess(device(), organiser, 3)
    assert WrongPasswords.objects.count() == 3
    assert all(re.fullmatch("[0-9a-f]{64}", row.origin) for row in WrongPasswords.objects.all())

    log_ins.count_attempt("anna", address="", device="laptop", at=timezone.now() + timedelta(minutes=16))

    assert WrongPasswords.objects.count() == 1


@pytest.mark.usefixtures("committed")
def test_guesses_at_the_same_time_do_not_get_past_the_count() -> None:
    name = f"name-{timezone.now().timestamp()}"

    def attempt() -> log_ins.Attempt:
        return log_ins.count_attempt(name, address=name, device=None, at=AT)

    outcomes = at_once(*[attempt] * 12)

    assert sum(isinstance(outcome, log_ins.Attempt) for outcome in outcomes) == 5
    assert {str(one).partition("(")[0] for one in outcomes if isinstance(one, Exception)} == {"log_in_slowed"}


# --- every way to send a password ----------------------------------------------------------------------------------


def test_joining_with_an_account_is_counted_like_a_log_in(organiser: User) -> None:
    desk = Cashier()
    code = people.invite(desk.tournament, role="cashier", by=desk.user.username, at=timezone.now())
    typed = {"code": code, "account": "existing", "name": organiser.username, "password": "falsch"}
    assert [device().post(JOIN, typed).status_code for _ in range(6)] == [422] * 5 + [429]
    assert log_in(device(), organiser) == 429
    assert device("192.0.2.2").post(JOIN, typed | {"password": PASSWORD}).status_code == 302


def test_guessing_the_old_password_in_a_foreign_session_is_counted(organiser: User) -> None:
    left_open = device()
    left_open.force_login(organiser)
    new = {"old_password": "falsch", "new_password1": "Eichel-Ober-7", "new_password2": "Eichel-Ober-7"}
    answers = [left_open.post("/account/password/", new).status_code for _ in range(6)]
    assert answers == [422] * 5 + [429]
    assert left_open.post("/account/password/", new | {"old_password": PASSWORD}).status_code == 429
    forget_waits()
    assert left_open.post("/account/password/", new | {"old_password": PASSWORD}).status_code == 302


# --- hashing --------------------------------------------------------------------------------------------------------


@pytest.fixture
def busy() -> Iterator[None]:
    """Others hash, or wait for it, as many as may."""
    inside, done = Event(), Event()

    def hash_long() -> None:
        with hashing.hashing_slot("others"):
            inside.set()
            done.wait(30)

    first = Thread(target=hash_long)
    first.start()
    assert inside.wait(30)
    with ExitStack() as stack:
        stack.callback(first.join)
        stack.callback(done.set)
        for number in range(3):
            stack.enter_context(hashing._place(hashing._inside, f"other {number}", 4))
        yield


FORMS: dict[str, dict[str, Any]] = {
    LOGIN: {"username": "veranstalter", "password": PASSWORD},
    JOIN: NEW | {"account": "new"},
    SETUP: NEW,
    "/account/password/": {
        "old_password": PASSWORD,
        "new_password1": "Eichel-Ober-7",
        "new_password2": "Eichel-Ober-7",
    },
}


@pytest.mark.parametrize("url", FORMS)
def test_more_than_may_wait_are_refused_with_a_sentence_and_keep_what_they_typed(
    url: str, db: None, request: pytest.FixtureRequest
) -> None:
    client, typed = prepared(url)
    request.getfixturevalue("busy")

    answer = client.post(url, typed)

    assert answer.status_code == 429
    page = answer.content.decode()
    assert "Gerade melden sich sehr viele auf einmal an." in page
    assert all(f'value="{typed[name]}"' in page for name in ("username", "name", "code") if name in typed)
    assert not WrongPasswords.objects.filter(number__gt=0).exists()


@pytest.mark.parametrize("url", FORMS)
def test_the_same_passwords_are_taken_when_nobody_hashes(url: str, db: None) -> None:
    client, typed = prepared(url)
    assert client.post(url, typed).status_code == 302


def prepared(url: str) -> tuple[Client, dict[str, Any]]:
    """Return a browser that may post the form, and what is typed."""
    client, typed = device(), dict(FORMS[url])
    if url == SETUP:
        User.objects.all().delete()
        return client, typed | {"code": people.setup_code()}
    user = UserFactory.create(username="veranstalter")
    tournament = TournamentFactory.create(owner=user)
    if url == JOIN:
        typed["code"] = people.invite(tournament, role="cashier", by=user.username, at=timezone.now())
    if url == "/account/password/":
        client.force_login(user)
    return client, typed


@pytest.mark.usefixtures("busy")
def test_a_device_that_is_known_has_a_place_while_others_fill_the_queue() -> None:
    with pytest.raises(Refusal, match="log_in_busy"), hashing._place(hashing._inside, "unknown", 4):
        pass
    with hashing._place(hashing._inside, "laptop", 4 + 2):
        pass


def test_one_address_takes_two_places_at_most() -> None:
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(hashing._place(hashing._inside, NAT, 4))
        with pytest.raises(Refusal, match="log_in_busy"):
            stack.enter_context(hashing._place(hashing._inside, NAT, 4))
        stack.enter_context(hashing._place(hashing._inside, "192.0.2.2", 4))


def test_a_third_attempt_of_an_address_at_once_is_refused_before_the_database_counts_it(
    organiser: User,
) -> None:
    laptop = device()
    assert log_in(laptop, organiser) == 302
    laptop.post("/account/logout/")
    WrongPasswords.objects.all().delete()
    with hashing.attempt(NAT), hashing.attempt(NAT):
        answer = device().post(LOGIN, {"username": organiser.username, "password": PASSWORD})

        assert answer.status_code == 429
        assert "Gerade melden sich sehr viele auf einmal an." in answer.content.decode()
        assert f'value="{organiser.username}"' in answer.content.decode()
        assert not WrongPasswords.objects.exists()
        # The controls: a known device, another address, and the same one afterwards.
        assert log_in(laptop, organiser) == 302
        assert log_in(device("192.0.2.2"), organiser) == 302
    assert log_in(device(), organiser) == 302


def test_a_code_that_is_wrong_hashes_nothing(db: None, busy: None) -> None:
    UserFactory.create()
    answer = device().post(JOIN, NEW | {"account": "new", "code": "ABCD"})
    assert answer.status_code == 422  # not 429


@pytest.mark.usefixtures("committed")
def test_hashing_holds_no_database_connection() -> None:
    user = UserFactory.create(username=f"name-{timezone.now().timestamp()}")
    seen: list[object] = []
    with connection.execute_wrapper(lambda execute, *rest: execute(*rest)):
        User.objects.exists()
        assert connection.connection is not None  # the control: it was taken
        with hashing.hashing_slot(user.username):
            seen.append(connection.connection)
    assert seen == [None]


def test_log_in_refused_is_logged_out(client: Client, organiser: User) -> None:
    guess(client, organiser, 7)
    assert not is_logged_in(client)
