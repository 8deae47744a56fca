"""A club takes its backup, moves out, ends its account, and comes back: its owner alone, with the password once more."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.http import StreamingHttpResponse
from django.test import Client, RequestFactory
from django.urls import Resolver404, resolve
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from schnauz_turnier.clubs.catalogue import State, club_of
from scoring.services.dump_file import read_manifest
from tests.clubs.test_engine import NewClub
from tests.factories import UserFactory
from tests.mails import sent_mails
from tests.scoring.a_club import a_club, everything
from tournaments.accounts.emails import _send_links
from tournaments.current_club import Club, in_club
from tournaments.models import ClubRole, EventKind, Membership, SecurityEvent, WrongPasswords

pytestmark = pytest.mark.usefixtures("hosting")

PASSWORD = "ein langes Kennwort 77"
HERE = "/account/club/here/"
PAGES = [HERE, f"{HERE}backup/", f"{HERE}move/", f"{HERE}end/"]


@pytest.fixture
def club(new_club: NewClub) -> Iterator[Club]:
    """A club of which the test is a part, with an owner."""
    made = new_club("alpha")
    with in_club(made):
        User.objects.create_superuser("leitung", password=PASSWORD)
        yield made


def as_owner() -> Client:
    client = Client()
    client.force_login(User.objects.get(username="leitung"))
    return client


def send(page: str, **fields: str) -> Any:
    return as_owner().post(f"{HERE}{page}/", {"confirmation": PASSWORD, **fields})


def content_of(response: Any) -> bytes:
    async def joined() -> bytes:
        return b"".join([block async for block in cast(StreamingHttpResponse, response)])

    return asyncio.run(joined())


def link_in(text: str) -> str:
    found = re.search(r"https://example\.org/open/#([A-Z0-9-]{39})", text)
    assert found is not None
    return found[1]


def open_again(code: str) -> Any:
    with in_club(None):
        return Client().post("/open/", {"code": code})


# --- who may -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_only_the_owner_has_these_pages(club: Club, page: str) -> None:
    assert as_owner().get(page).status_code == 200
    other = Client()
    assert other.get(page).status_code == 302
    organiser: User = UserFactory.create()
    ClubRole.objects.create(user=organiser, role=Membership.Role.ORGANISER)
    other.force_login(organiser)
    assert (other.get("/account/club/").status_code, other.get(page).status_code) == (200, 404)


def test_the_page_of_the_club_leads_there_and_a_laptop_has_no_such_pages(club: Club) -> None:
    assert HERE in as_owner().get("/account/club/").content.decode()
    with pytest.raises(Resolver404):
        resolve(HERE, "schnauz_turnier.urls")


@pytest.mark.parametrize("page", ["backup", "move", "end"])
def test_without_the_password_nothing_happens_and_a_wrong_one_is_noted(club: Club, page: str) -> None:
    for typed in ("", "falsch"):
        response = send(page, typed="alpha", confirmation=typed)
        assert response.status_code == 422
    assert club_of("alpha").state is State.OPEN
    assert [event.kind for event in SecurityEvent.objects.exclude(kind=EventKind.LOG_IN)] == [
        EventKind.LOG_IN_FAILED
    ]


def test_an_account_with_a_second_factor_is_asked_for_its_code(club: Club) -> None:
    device = TOTPDevice.objects.create(user=User.objects.get(), name="default", confirmed=True)
    assert send("end", typed="alpha").status_code == 422
    assert club_of("alpha").state is State.OPEN
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    code = TOTP(device.bin_key, device.step, device.t0, device.digits, device.drift).token()
    assert send("end", typed="alpha", confirmation=f"{code:06}").status_code == 200
    assert club_of("alpha").state is State.ARCHIVED


# --- its backup ----------------------------------------------------------------------------------------------------


def test_the_backup_is_what_makes_the_club_anew(club: Club, new_club: NewClub, tmp_path: Path) -> None:
    a_club()
    before = everything()
    response = send("backup")
    assert response.status_code == 200
    assert re.fullmatch(r'attachment; filename="alpha-\d{8}T\d{6}Z\.zip"', response["Content-Disposition"])
    assert "no-store" in response["Cache-Control"]
    file = tmp_path / "alpha.zip"
    file.write_bytes(content_of(response))
    assert str(file.stat().st_size) == response["Content-Length"]
    assert read_manifest(file).key is None
    with in_club(None):
        beta = new_club("beta", backup=file)
        with in_club(beta):
            assert everything() == before


def test_the_key_goes_along_only_with_a_club_that_moves(club: Club, tmp_path: Path) -> None:
    file = tmp_path / "alpha.zip"
    file.write_bytes(content_of(send("backup", with_key="on")))
    assert read_manifest(file).key == club.key


def test_a_download_is_noted_and_there_are_five_in_a_quarter_of_an_hour(club: Club) -> None:
    assert [send("backup").status_code for _ in range(6)] == [200] * 5 + [422]
    assert SecurityEvent.objects.filter(kind=EventKind.DOWNLOADED).count() == 5
    WrongPasswords.objects.update(latest_at="2020-01-01T00:00:00Z")
    assert send("backup").status_code == 200


# --- moves out -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "karten.example", "https://x/#a", "ftp://x", "https://a b", "https://x:y"],
)
def test_a_club_moves_to_no_such_address(club: Club, address: str) -> None:
    assert send("move", typed="alpha", address=address).status_code == 422
    assert club_of("alpha").state is State.OPEN


def test_a_club_that_has_moved_is_archived_and_its_link_opens_it_again(club: Club) -> None:
    page = send("move", typed="alpha", address="https://karten.example/").content.decode()
    entry = club_of("alpha")
    assert (entry.state, entry.ends_at, entry.moved_to) == (State.ARCHIVED, None, "https://karten.example")
    code = link_in(page)
    with in_club(None):
        assert Client().get("/open/").status_code == 200
    assert club_of("alpha").state is State.ARCHIVED
    assert open_again(code).status_code == 200
    assert (club_of("alpha").state, club_of("alpha").moved_to) == (State.OPEN, "")
    assert open_again(code).status_code == 422


def test_the_page_of_a_moved_club_leads_on(club: Club) -> None:
    send("move", typed="alpha", address="https://karten.example")
    with in_club(None):
        response = Client().get("/closed/moved/alpha/?path=/t/herbst/")
        told = Client().post("/closed/moved/alpha/?path=/s/entries", {}, content_type="application/json")
    assert response.status_code == 410
    assert 'href="https://karten.example/t/herbst/"' in response.content.decode()
    assert told.status_code == 410
    assert json.loads(told.content)["error"].endswith("https://karten.example")


def test_who_comes_back_sooner_than_every_process_knows_it_is_not_led_away(club: Club) -> None:
    code = link_in(send("move", typed="alpha", address="https://karten.example").content.decode())
    open_again(code)
    with in_club(None):
        response = Client().get("/closed/moved/alpha/?path=/t/herbst/")
    assert (response.status_code, "data-leads-on" in response.content.decode()) == (404, False)


# --- ends its account ----------------------------------------------------------------------------------------------


def test_the_short_name_has_to_be_typed(club: Club) -> None:
    assert send("end", typed="beta").status_code == 422
    assert send("end").status_code == 422
    assert club_of("alpha").state is State.OPEN


def test_a_club_that_ends_tells_its_owner_how_to_come_back(club: Club, settings: Settings) -> None:
    settings.HAS_MAIL = True
    User.objects.update(email="leitung@verein.example")
    page = send("end", typed="alpha").content.decode()
    entry = club_of("alpha")
    assert entry.state is State.ARCHIVED
    assert entry.ends_at is not None
    [sent] = sent_mails()
    assert (sent.to, link_in(str(sent.body))) == (["leitung@verein.example"], link_in(page))
    assert open_again(link_in(page)).status_code == 200
    assert (club_of("alpha").state, club_of("alpha").ends_at) == (State.OPEN, None)


def test_without_mail_the_link_is_shown_alone(club: Club) -> None:
    User.objects.update(email="leitung@verein.example")
    link_in(send("end", typed="alpha").content.decode())
    assert sent_mails() == []


@pytest.mark.parametrize("code", ["", "ABCD", "x" * 5000])
def test_another_code_opens_nothing(club: Club, code: str) -> None:
    send("end", typed="alpha")
    assert open_again(code).status_code == 422
    assert club_of("alpha").state is State.ARCHIVED


# --- a forgotten password ------------------------------------------------------------------------------------------


def test_the_link_for_a_new_password_is_that_of_one_club(club: Club, new_club: NewClub) -> None:
    User.objects.update(email="leitung@verein.example")
    _send_links(RequestFactory().post("/"), "leitung")
    [sent] = mail.outbox
    found = re.search(r"https://alpha\.example\.org/account/password/new/#([A-Z0-9-]{39})\n", str(sent.body))
    assert found is not None
    typed = {"code": found[1], "password": "Eichel-Ober-7", "password_again": "Eichel-Ober-7"}
    with in_club(None):
        beta = new_club("beta")
        with in_club(beta):
            User.objects.create_superuser("leitung", password=PASSWORD)
            assert Client().post("/account/password/new/", typed).status_code == 422
    assert Client().post("/account/password/new/", typed).status_code == 302
