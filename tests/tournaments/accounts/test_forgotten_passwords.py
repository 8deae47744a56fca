"""A forgotten password: an account with a confirmed e-mail address gets a link, and nobody learns who has one."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from tests.factories import PASSWORD, TournamentFactory, UserFactory
from tests.mails import sent_mails
from tournaments.accounts.emails import MOST_A_DAY
from tournaments.models import EventKind, PasswordLink, SecurityEvent, WrongPasswords

pytestmark = pytest.mark.usefixtures("committed")

FORGOTTEN, EMAIL, CONFIRM = "/account/password/forgotten/", "/account/email/", "/account/email/confirm/"
NEW = "Eichel-Ober-7"


@pytest.fixture(autouse=True)
def _mail_server(settings: Settings) -> Iterator[None]:
    settings.HAS_MAIL = True
    yield
    WrongPasswords.objects.all().delete()
    for user in User.objects.filter(username__in=("Leitung", "Neu", "ohne", "zu")) | User.objects.filter(
        username__startswith="helfer-"
    ):
        user.username, user.email = uuid4().hex, ""
        user.save()


@pytest.fixture
def user() -> User:
    """An organiser whose address is confirmed."""
    made: User = UserFactory.create(username="Leitung", email="leitung@verein.example")
    TournamentFactory.create(owner=made)
    return made


def ask(typed: str, address: str = "192.0.2.1") -> Any:
    return Client(REMOTE_ADDR=address).post(FORGOTTEN, {"typed": typed})


def code_in(sent: EmailMessage, page: str = "password/new") -> str:
    found = re.search(rf"/account/{page}/#([A-Z0-9-]{{39}})\n", str(sent.body))
    assert found is not None
    return found[1]


def set_password(code: str, password: str = NEW) -> int:
    typed = {"code": code, "password": password, "password_again": password}
    return Client().post("/account/password/new/", typed).status_code


def page_of(response: Any) -> str:
    return re.sub(r'csrfmiddlewaretoken" value="\w+|X-CSRFToken\W+\w+', "", response.content.decode())


# --- the link ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["Leitung", "leitung", "leitung@verein.example", "LEITUNG@verein.example"])
def test_a_link_comes_by_mail_and_sets_a_new_password(user: User, typed: str) -> None:
    elsewhere = Client()
    elsewhere.force_login(user)
    assert ask(typed).status_code == 200
    [sent] = sent_mails()
    assert sent.to == ["leitung@verein.example"]
    code = code_in(sent)
    assert set_password(code) == 302
    user.refresh_from_db()
    assert user.check_password(NEW)
    assert elsewhere.get("/o/").status_code == 302, "other sessions have ended"
    assert set_password(code, "Schellen-Sau-9") == 422, "a link is good once"
    told = sent_mails()[-1]
    assert (told.to, told.subject) == (["leitung@verein.example"], "Ihr Passwort ist geändert")
    assert [event.kind for event in SecurityEvent.objects.filter(account="Leitung").order_by("-pk")[:1]] == [
        EventKind.PASSWORD
    ]


def test_a_link_is_good_for_an_hour(user: User) -> None:
    ask("leitung")
    code = code_in(sent_mails()[-1])
    link = PasswordLink.objects.get(user=user)
    assert timedelta(minutes=59) < link.expires_at - timezone.now() <= timedelta(hours=1)
    PasswordLink.objects.update(expires_at=timezone.now())
    assert set_password(code) == 422


def test_the_second_factor_stays_required(user: User) -> None:
    TOTPDevice.objects.create(user=user, name="default", confirmed=True)
    ask("leitung")
    set_password(code_in(sent_mails()[-1]))
    client = Client()
    response = client.post("/account/login/", {"username": "leitung", "password": NEW})
    assert response["Location"].startswith("/account/code/")
    assert client.get("/o/").status_code == 302


# --- nobody learns anything ------------------------------------------------------------------------------------------


def test_the_answer_is_the_same_for_everybody_and_looks_up_nothing(user: User) -> None:
    UserFactory.create(username="ohne")
    UserFactory.create(username="zu", email="zu@verein.example", is_active=False)
    pages = set()
    for typed in ("leitung", "ohne", "zu", "zu@verein.example", "niemand", "niemand@verein.example"):
        with CaptureQueriesContext(connection) as queries:
            response = ask(typed)
        assert [query for query in queries if "auth_user" in query["sql"]] == []
        pages.add((response.status_code, page_of(response)))
    assert len(pages) == 1
    assert [sent.to for sent in sent_mails()] == [["leitung@verein.example"]]


def test_a_get_sends_nothing(user: User) -> None:
    assert Client().get(FORGOTTEN, {"typed": "leitung"}).status_code == 200
    assert sent_mails() == []


def test_neither_name_nor_address_is_in_an_address_or_in_the_log(
    user: User, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = "tests.tournaments.accounts.test_forgotten_passwords.NoServer"
    ask("leitung@verein.example")
    assert sent_mails() == []
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "A mail could not be sent: ConnectionRefusedError."
    ]


class NoServer:
    """A backend whose server says no, and repeats what it was asked."""

    def __init__(self, **_options: object) -> None: ...

    def send_messages(self, messages: list[EmailMessage]) -> int:
        raise ConnectionRefusedError(f"no mail for {messages[0].to}")


# --- limits --------------------------------------------------------------------------------------------------------


def test_an_account_gets_three_links_in_a_quarter_of_an_hour_from_whoever_asks(user: User) -> None:
    for number in range(5):
        assert ask("leitung", f"192.0.2.{number}").status_code == 200
    assert len(sent_mails()) == 3
    WrongPasswords.objects.update(latest_at=timezone.now() - timedelta(minutes=16))
    ask("leitung")
    assert len(sent_mails()) == 4


def pass_the_time(**time: int) -> None:
    """Let the time pass for all counts, and forget those that are old, as the next log-in does."""
    WrongPasswords.objects.update(latest_at=F("latest_at") - timedelta(**time))
    Client(REMOTE_ADDR="203.0.113.9").post("/account/login/", {"username": "niemand", "password": "falsch"})


def test_nobody_fills_a_mailbox_for_ever_a_quarter_of_an_hour_after_the_other(user: User) -> None:
    for _quarter in range(8):
        for number in range(3):
            ask("leitung", f"192.0.2.{number}")
        pass_the_time(minutes=16)
    assert len(sent_mails()) == MOST_A_DAY
    pass_the_time(hours=24)
    ask("leitung")
    assert len(sent_mails()) == MOST_A_DAY + 1


def test_an_address_asks_for_ten_accounts_and_another_goes_on(user: User) -> None:
    for number in range(12):
        UserFactory.create(username=f"helfer-{number}", email=f"helfer-{number}@verein.example")
        ask(f"helfer-{number}")
    assert len(sent_mails()) == 10
    ask("leitung", "198.51.100.1")
    assert sent_mails()[-1].to == ["leitung@verein.example"]


@pytest.mark.parametrize("typed", ["", " ", "x" * 300])
def test_what_is_no_name_is_refused(typed: str) -> None:
    assert ask(typed).status_code == 422


# --- the address ---------------------------------------------------------------------------------------------------


def keep(client: Client, email: str, password: str = PASSWORD) -> Any:
    return client.post(EMAIL, {"email": email, "confirmation": password})


@pytest.fixture
def other() -> Client:
    """The browser of an organiser without an address."""
    made = UserFactory.create(username="Neu")
    TournamentFactory.create(owner=made)
    client = Client()
    client.force_login(made)
    return client


def email_of(name: str) -> str:
    return User.objects.get(username=name).email


def test_an_address_counts_when_its_mail_was_read(other: Client) -> None:
    assert keep(other, "neu@verein.example")["Location"] == CONFIRM
    assert email_of("Neu") == ""
    ask("neu@verein.example")
    [sent] = sent_mails()
    assert sent.to == ["neu@verein.example"]
    assert "Neu" not in str(sent.body).replace("Neue", "")
    code = code_in(sent, "email/confirm")
    other.get(CONFIRM, {"code": code})
    assert email_of("Neu") == "", "a GET changes nothing"
    stranger = Client()
    stranger.force_login(UserFactory.create(is_superuser=True))
    assert stranger.post(CONFIRM, {"code": code}).status_code == 422
    assert other.post(CONFIRM, {"code": "ABCD"}).status_code == 422
    assert other.post(CONFIRM, {"code": code.lower()}).status_code == 302
    assert email_of("Neu") == "neu@verein.example"
    assert SecurityEvent.objects.filter(kind=EventKind.EMAIL, account="Neu").count() == 1
    assert other.post(CONFIRM, {"code": code}).status_code == 422


def test_the_password_is_asked_for_and_an_address_has_to_be_one(other: Client) -> None:
    assert keep(other, "neu@verein.example", "falsch").status_code == 422
    assert keep(other, "neu.verein.example").status_code == 422
    assert keep(other, f"{'x' * 250}@verein.example").status_code == 422
    assert sent_mails() == []


def test_a_removed_address_is_told_and_its_links_end(user: User) -> None:
    ask("leitung")
    code = code_in(sent_mails()[-1])
    client = Client()
    client.force_login(user)
    assert keep(client, "").status_code == 302
    assert email_of("Leitung") == ""
    assert (sent_mails()[-1].to, sent_mails()[-1].subject) == (
        ["leitung@verein.example"],
        "Ihre E-Mail-Adresse ist geändert",
    )
    assert set_password(code) == 422


def test_three_addresses_are_tried_in_a_quarter_of_an_hour(other: Client) -> None:
    assert [keep(other, f"neu-{n}@verein.example").status_code for n in range(4)] == [302, 302, 302, 422]
    assert len(sent_mails()) == 3


def test_ten_addresses_are_tried_in_a_day(other: Client) -> None:
    for number in range(MOST_A_DAY):
        assert keep(other, f"neu-{number}@verein.example").status_code == 302
        pass_the_time(minutes=16)
    assert "Bitte morgen noch einmal." in keep(other, "neu@verein.example").content.decode()
    assert len(sent_mails()) == MOST_A_DAY
    pass_the_time(hours=24)
    assert keep(other, "neu@verein.example").status_code == 302


def test_the_owner_reads_nobodys_address(user: User) -> None:
    owner = Client()
    owner.force_login(UserFactory.create(is_superuser=True))
    for page in ("/account/all/", "/account/log/", EMAIL):
        assert "leitung@verein.example" not in owner.get(page).content.decode()
    asker = Client()
    asker.force_login(user)
    assert "leitung@verein.example" in asker.get(EMAIL).content.decode()


# --- without a mail server ---------------------------------------------------------------------------------------


def test_without_a_mail_server_there_is_no_mail_and_no_page_about_it(user: User, settings: Settings) -> None:
    with_mail = Client().get("/account/login/").content.decode()
    settings.HAS_MAIL = False
    without = Client().get("/account/login/").content.decode()
    assert (FORGOTTEN in with_mail, FORGOTTEN in without) == (True, False)
    assert ask("leitung")["Location"] == "/account/password/new/"
    client = Client()
    client.force_login(user)
    assert client.get(EMAIL)["Location"] == "/account/password/"
    assert EMAIL not in client.get("/account/password/").content.decode()
    assert sent_mails() == []
