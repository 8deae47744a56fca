"""The pages on which a club registers: what was typed stays, GET changes nothing, and everybody gets the same answer."""

import re
import smtplib
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from schnauz_turnier.clubs import catalogue
from schnauz_turnier.clubs.link_mail import _sending
from schnauz_turnier.clubs.registration import confirm_registration, waiting_registrations
from schnauz_turnier.clubs.texts import texts_of_agreement
from schnauz_turnier.clubs.urls import urlpatterns
from tests.clubs.operator_texts import filled_in
from tests.clubs.test_engine import NewClub
from tests.clubs.test_registration import ask
from tournaments.hashing import give_way

HOST: Any = {"HTTP_HOST": "example.org", "secure": True}
TYPED = {
    "name": "Kartenfreunde Süd",
    "slug": "",
    "email": "verein@example.org",
    "agreed_by": "Vorstand Eins",
    "terms": "on",
    "processing": "on",
}


@pytest.fixture(autouse=True)
def _open(new_club: NewClub, settings: Settings, tmp_path: Path) -> None:
    """Let clubs register, and have a mail server."""
    settings.TEXTS_DIR = filled_in(tmp_path / "texts")
    settings.HAS_MAIL = True
    ask("DELETE FROM catalogue.registration")


def seen() -> str:
    page = Client().get("/register/", **HOST).text
    [digests] = re.findall('name="seen" value="([^"]*)"', page)
    return str(digests)


def sent(**changed: str) -> Any:
    return Client().post("/register/", {**TYPED, "seen": seen(), **changed}, **HOST)


def waiting() -> list[str]:
    return [registration.slug for registration in waiting_registrations(at=timezone.now())]


def code_in_the_mail() -> str:
    [code] = re.findall(r"https://example\.org/register/open/#([A-Z0-9-]+)\n", str(mail.outbox[-1].body))
    return str(code)


def test_from_the_form_to_the_first_account() -> None:
    answer = sent()
    assert answer.status_code == 200
    assert "Jetzt in Ihr Postfach sehen" in answer.text
    assert waiting() == ["kartenfreunde-sued"]
    [letter] = mail.outbox
    assert (letter.to, letter.subject) == (["verein@example.org"], "Ihren Verein anlegen")
    assert "kartenfreunde-sued.example.org" in letter.body
    assert "Süd" not in letter.body  # nobody sends a text of their own to others by us
    assert Client().get("/register/open/", **HOST).status_code == 200
    assert catalogue.all_clubs() == []
    for _tab in range(2):
        opened = Client().post("/register/open/", {"code": code_in_the_mail()}, **HOST)
        [link] = re.findall(
            'href="(https://kartenfreunde-sued.example.org/account/setup/#[^"]+)"', opened.text
        )
    assert [entry.name for entry in catalogue.all_clubs()] == ["Kartenfreunde Süd"]
    assert link.partition("#")[2]
    kept = ask("SELECT source FROM catalogue.agreement JOIN catalogue.agreed_source USING (sha256)")
    assert sorted(source for (source,) in kept) == sorted(text.source for text in texts_of_agreement())


def test_a_link_that_does_not_hold_says_so() -> None:
    for code in ("", "AAAA-BBBB", "x" * 60_000):
        answer = Client().post("/register/open/", {"code": code}, **HOST)
        assert answer.status_code == 422
        assert 'href="/register/">Verein anmelden</a>' in answer.content.decode()
    assert catalogue.all_clubs() == []


def test_without_mail_the_operator_is_asked(settings: Settings) -> None:
    settings.HAS_MAIL = False
    assert "Ihre Anmeldung ist eingegangen" in sent().text
    assert mail.outbox == []
    link = confirm_registration("kartenfreunde-sued", at=timezone.now())
    opened = Client().post("/register/open/", {"code": link.partition("#")[2]}, **HOST)
    assert "ist angelegt" in opened.text


@pytest.mark.parametrize("lacking", ["name", "email", "agreed_by", "terms", "processing"])
def test_what_is_lacking_is_said_and_what_was_typed_stays(lacking: str) -> None:
    answer = sent(**{lacking: ""}, slug="meine-adresse")
    assert answer.status_code == 422
    assert answer.text.count('class="field__error') == 1
    for name, value in {**TYPED, "slug": "meine-adresse"}.items():
        if name in ("terms", "processing"):
            assert (
                f'name="{name}"' in answer.text,
                re.search(f'name="{name}"[^>]* checked', answer.text) is not None,
            ) == (
                True,
                name != lacking,
            )
        elif name != lacking:
            assert f'value="{value}"' in answer.text
    assert (waiting(), mail.outbox) == ([], [])


def test_a_taken_address_is_refused_with_a_free_one(new_club: NewClub) -> None:
    new_club("fortuna")
    answer = sent(slug="fortuna")
    assert "Diese Adresse ist vergeben. Frei ist zum Beispiel „fortuna-2“." in answer.text
    assert "<strong>fortuna.example.org</strong> ist vergeben." in answer.text
    assert sent(slug="Fortuna 2").status_code == 200
    assert waiting() == ["fortuna-2"]


def test_texts_that_changed_meanwhile_are_read_again() -> None:
    answer = sent(seen="older")
    assert answer.text.count("Dieser Text hat sich geändert.") == 2
    assert waiting() == []


def test_a_form_that_is_sent_again_sends_a_new_link() -> None:
    assert sent().text == sent().text
    assert (waiting(), len(mail.outbox)) == (["kartenfreunde-sued"], 2)
    opened = Client().post("/register/open/", {"code": code_in_the_mail()}, **HOST)
    assert "ist angelegt" in opened.text


def test_a_program_that_fills_in_every_field_gets_the_same_answer_and_nothing_else() -> None:
    trapped = sent(website="https://example.net/")
    assert (waiting(), mail.outbox) == ([], [])
    assert trapped.text == sent().text


def test_the_sixth_registration_of_an_email_gets_the_same_answer_and_no_mail() -> None:
    for number in range(5):
        ask("UPDATE catalogue.registration SET sender = slug")
        sent(slug=f"verein-{number}")
    ask("UPDATE catalogue.registration SET sender = slug")
    assert sent(slug="noch-einer").status_code == 200
    assert (len(waiting()), len(mail.outbox)) == (5, 5)


def test_the_sixth_registration_of_a_network_is_refused() -> None:
    for number in range(5):
        sent(slug=f"verein-{number}", email=f"{number}@example.org")
    answer = sent(slug="noch-einer", email="a@example.org")
    assert "Aus diesem Netz warten schon mehrere Anmeldungen." in answer.text
    assert (answer.status_code, len(waiting())) == (422, 5)


@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        (smtplib.SMTPServerDisconnected("x"), "Die E-Mail ließ sich nicht verschicken."),
        (TimeoutError(), "Die E-Mail ließ sich nicht verschicken."),
        (
            smtplib.SMTPRecipientsRefused({"verein@example.org": (550, b"x")}),
            "nimmt der Mailserver nicht an.",
        ),
    ],
)
def test_a_mail_server_that_fails_keeps_what_was_typed_and_no_address(
    failure: Exception, sentence: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> int:
        raise failure

    with monkeypatch.context() as broken:
        broken.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", refuse)
        answer = sent()
    assert sentence in answer.text
    assert 'value="Kartenfreunde Süd"' in answer.text
    assert waiting() == []
    assert "verein@" not in caplog.text
    assert "Jetzt in Ihr Postfach" in sent().text


def test_while_a_mail_is_sent_others_get_place_and_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[bool] = []
    seen_by_the_server: list[object] = []
    monkeypatch.setattr(
        "django.core.mail.backends.locmem.EmailBackend.send_messages",
        lambda *_: seen_by_the_server.append((given.copy(), connection.connection)),
    )
    before = give_way.set(lambda: given.append(True))
    try:
        assert sent().status_code == 200
    finally:
        give_way.reset(before)
    assert seen_by_the_server == [([True], None)]


def test_a_mail_that_takes_long_keeps_no_second_guest_waiting_and_ends_no_link() -> None:
    sent()
    with _sending:
        for changed in ({}, {"slug": "meine-adresse"}):
            assert "Gerade wird eine andere E-Mail verschickt." in sent(**changed).text
    assert waiting() == ["kartenfreunde-sued"]
    opened = Client().post("/register/open/", {"code": code_in_the_mail()}, **HOST)
    assert "ist angelegt" in opened.text


@pytest.mark.parametrize(
    ("name", "typed", "proposed", "said"),
    [
        ("Kartenfreunde Süd", "", "", "<strong>kartenfreunde-sued.example.org</strong> ist frei."),
        ("Kartenfreunde Süd", "alt", "alt", "<strong>kartenfreunde-sued.example.org</strong> ist frei."),
        ("Kartenfreunde Süd", "meine", "alt", "<strong>meine.example.org</strong> ist frei."),
        ("Alpha", "", "", "<strong>alpha.example.org</strong> ist vergeben."),
        ("♠", "", "", "Leer lassen: Sie entsteht aus dem Namen."),
        ("x" * 5_000, "y" * 5_000, "z" * 5_000, "ist frei."),
    ],
)
def test_the_address_is_proposed_from_the_name(
    new_club: NewClub, name: str, typed: str, proposed: str, said: str
) -> None:
    new_club("alpha")
    form = {"name": name, "slug": typed, "proposed": proposed}
    answer = Client().post("/register/address/", form, **HOST)
    assert (answer.status_code, said in answer.text) == (200, True)


def test_forms_of_other_sites_are_refused() -> None:
    for path in ("/register/", "/register/address/", "/register/open/"):
        answer = Client().post(
            path, {**TYPED, "seen": seen()}, **HOST, headers={"origin": "https://example.net"}
        )
        assert answer.status_code == 403
    assert waiting() == []


def test_no_page_sets_a_cookie_or_is_kept() -> None:
    for answer in (Client().get("/register/", **HOST), Client().get("/register/open/", **HOST), sent()):
        assert answer.cookies == {}
        assert "no-store" in answer["Cache-Control"]


def test_registration_is_closed_until_all_texts_are_there(settings: Settings, tmp_path: Path) -> None:
    known = seen()
    assert 'href="/register/"' in Client().get("/", **HOST).text
    settings.TEXTS_DIR = tmp_path
    for answer in (
        Client().get("/register/", **HOST),
        Client().post("/register/", {**TYPED, "seen": known}, **HOST),
    ):
        assert "Zurzeit kann sich hier kein Verein anmelden" in answer.text
        assert "Es fehlt: Nutzungsbedingungen (terms.de.txt)." in answer.text
    assert waiting() == []
    assert 'href="/register/"' not in Client().get("/", **HOST).text


# --- hostile requests ----------------------------------------------------------------------------------------------

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
HOSTILE = (
    "\x00",
    "\u202e",
    "a\r\nBcc: b@example.org",
    "{{ 7 }}",
    "'; DROP TABLE catalogue.club; --",
    "x" * 50_000,
)


def pages() -> dict[str, tuple[str, ...]]:
    """Return the addresses of the installation's own pages, with the methods that each answers."""
    return {
        f"/{pattern.pattern}": vars(pattern.callback)["methods"]
        for pattern in urlpatterns
        if pattern.name and pattern.name.startswith(("register", "text"))
    }


def test_every_page_answers_the_methods_that_it_says_and_no_other() -> None:
    assert len(pages()) == 11
    for address, methods in pages().items():
        for method in METHODS:
            answer = Client().generic(method, address, **HOST)
            assert (answer.status_code == 405) == (method not in methods), (method, address)
            assert answer.status_code < 500, (method, address)
            assert "Set-Cookie" not in answer, address


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_values_are_refused_or_harmless(value: str) -> None:
    fields = [*TYPED, "seen", "proposed", "code"]
    for address, methods in pages().items():
        if "POST" in methods:
            for field in fields:
                form = {**TYPED, "seen": seen(), field: value}
                assert Client().post(address, form, **HOST).status_code in (200, 422), (address, field)
    for letter in mail.outbox:
        assert letter.to == ["verein@example.org"]
        assert value not in letter.body


def test_what_is_too_large_for_a_field_is_refused() -> None:
    for field, most in (("name", 120), ("agreed_by", 80), ("email", 254)):
        value = ("x" * most) + ("@example.org" if field == "email" else "x")
        assert sent(**{field: value}).status_code == 422, field
    assert waiting() == []
