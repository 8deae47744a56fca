"""A club agrees to a new version of the operator's texts: its owner alone, once, and nothing waits for it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as program
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from schnauz_turnier.clubs.agreements import Agreement, agree, agreements
from schnauz_turnier.clubs.registration import club_of_link, register
from schnauz_turnier.clubs.texts import keep_sources, source_of, texts_of_agreement, texts_of_operator
from tests.clubs.conftest import Asker, an_owner
from tests.clubs.operator_texts import filled_in
from tests.clubs.test_engine import NewClub
from tests.clubs.test_registration import ask
from tests.factories import UserFactory
from tests.security.installation import logged_in
from tournaments.current_club import Club, in_club
from tournaments.models import ClubRole, Membership, SecurityEvent

HERE = "/account/club/here/agreements/"
NOTICE = "Der Betreiber dieser Seiten bittet um Zustimmung"
ROOMS = ["/o/", "/account/club/"]


@pytest.fixture(autouse=True)
def publish(hosting: object, settings: Settings, tmp_path: Path) -> Callable[[str], None]:
    """Begin with version 1 of all texts. A version that is published replaces the files, and the processes are started again."""

    def publish(version: str, languages: tuple[str, ...] = ("de", "en")) -> None:
        before = settings.TEXTS_DIR
        settings.TEXTS_DIR = filled_in(tmp_path / f"texts-{version}")
        for file in settings.TEXTS_DIR.iterdir():
            if file.name.split(".")[1] in languages:
                first, _line, rest = file.read_text().partition("\n")
                day = f"2026-12-0{version}"
                file.write_text(
                    f"{first.split(' ')[0]} {version}, {day}\n{rest}\nSatz der Fassung {version}.\n"
                )
            elif before is not None:
                file.write_text((before / file.name).read_text())

    settings.TEXTS_DIR = None
    publish("1")
    ask("DELETE FROM catalogue.agreed_source")
    return publish


@pytest.fixture
def owner(new_club: NewClub) -> Asker:
    """The owner of a club that the operator has made, which was never asked."""
    return an_owner(new_club("alpha"))


def seen_by(asker: Asker) -> str:
    return " ".join(re.findall('name="seen" value="([^"]*)"', asker.get(HERE).text))


def send(asker: Asker, seen: str, agreed_by: str = "Vorstand Eins") -> Any:
    return asker.post(HERE, seen=seen, agreed_by=agreed_by)


def versions(slug: str = "alpha") -> list[tuple[str, str, str]]:
    return sorted((agreed.kind, agreed.version, agreed.agreed_by) for agreed in agreements(slug))


def links_to_files(asker: Asker) -> list[str]:
    return re.findall(rf'href="({HERE}[0-9a-f]{{64}}\.txt)"', asker.get(HERE).text)


# --- asked, and agreed -----------------------------------------------------------------------------------------------


def test_a_club_that_never_registered_is_asked_and_agrees_once_with_two_presses(owner: Asker) -> None:
    for room in ROOMS:
        assert NOTICE in owner.get(room).text
    seen = seen_by(owner)
    answers = [send(owner, seen, name) for name in ("Vorstand Eins", "Vorstand Zwei")]
    assert [(answer.status_code, answer["Location"]) for answer in answers] == [(302, HERE)] * 2
    assert versions() == [("processing", "1", "Vorstand Eins"), ("terms", "1", "Vorstand Eins")]
    with in_club(owner.club):
        assert SecurityEvent.objects.filter(kind="club_changed").count() == 1
    for room in [*ROOMS, HERE]:
        assert NOTICE not in owner.get(room).text
        assert 'name="agreed_by"' not in owner.get(room).text
    assert "zugestimmt am" in owner.get(HERE).text


def test_a_club_that_registered_is_asked_again_only_for_a_new_version(
    new_club: NewClub, publish: Callable[[str], None]
) -> None:
    ask("DELETE FROM catalogue.registration")
    code = register(
        "alpha",
        "Verein alpha",
        "verein@example.org",
        agreed_by="Vorstand Eins",
        texts=[text.agreed for text in texts_of_agreement()],
        network="192.0.2.1",
        with_link=True,
        at=timezone.now(),
    )
    owner = an_owner(club_of_link(code, at=timezone.now()).club)
    assert NOTICE not in owner.get("/o/").text
    publish("2")
    assert NOTICE in owner.get("/o/").text
    assert send(owner, seen_by(owner), "Vorstand Zwei").status_code == 302
    assert NOTICE not in owner.get("/o/").text
    assert versions() == [
        ("processing", "1", "Vorstand Eins"),
        ("processing", "2", "Vorstand Zwei"),
        ("terms", "1", "Vorstand Eins"),
        ("terms", "2", "Vorstand Zwei"),
    ]


def test_an_older_version_that_is_sent_after_a_newer_one_was_published_is_refused_with_a_sentence(
    owner: Asker, publish: Callable[[str], None]
) -> None:
    seen = seen_by(owner)
    publish("2")
    answer = send(owner, seen)
    assert answer.status_code == 422
    assert "Inzwischen gibt es eine andere Fassung. Bitte sie lesen, und dann zustimmen." in answer.text
    assert 'value="Vorstand Eins"' in answer.text, "what was typed stays"
    assert versions() == []
    [seen_now] = re.findall('name="seen" value="([^"]*)"', answer.text)
    assert send(owner, seen_now).status_code == 302
    assert {version for _kind, version, _name in versions()} == {"2"}


@pytest.mark.parametrize(
    ("seen", "agreed_by"), [("", "Eins"), ("0" * 64, "Eins"), ("x" * 201, "Eins"), (None, "")]
)
def test_what_is_no_agreement_is_refused(owner: Asker, seen: str | None, agreed_by: str) -> None:
    assert send(owner, seen_by(owner) if seen is None else seen, agreed_by).status_code == 422
    assert versions() == []


def test_a_translation_that_was_not_renewed_is_not_shown(publish: Callable[..., None], owner: Asker) -> None:
    publish("2", ("de",))
    english = Asker(owner.club, owner.client)
    english.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    assert {(text.language, text.version) for text in texts_of_operator()} == {("de", "2")}
    send(english, seen_by(english))
    assert {version for _kind, version, _name in versions()} == {"2"}
    publish("3")
    page = english.get(HERE).text
    assert ("Version 3 of" in page, "Version 2 of" in page) == (True, True)


# --- the texts that were agreed to ----------------------------------------------------------------------------------


def test_the_file_is_that_of_the_version_that_was_agreed_to(
    owner: Asker, publish: Callable[[str], None]
) -> None:
    send(owner, seen_by(owner))
    publish("2")
    files = [owner.get(link) for link in links_to_files(owner)]
    assert len(files) == 2
    for file in files:
        assert "Satz der Fassung 1." in file.text
        assert re.fullmatch(
            r'attachment; filename="(terms|processing)-2026-12-01\.txt"', file["Content-Disposition"]
        )
        assert "no-store" in file["Cache-Control"]


def test_a_version_of_an_older_program_has_its_file_as_long_as_the_operator_has_it(
    owner: Asker, publish: Callable[[str], None]
) -> None:
    agree("alpha", [text.agreed for text in texts_of_agreement()], agreed_by="Vorstand", at=timezone.now())
    assert len(links_to_files(owner)) == 2
    assert "Satz der Fassung 1." in owner.get(links_to_files(owner)[0]).text
    publish("2")
    assert links_to_files(owner) == []
    assert "Fassung 1 vom" in owner.get(HERE).text


def test_only_what_the_own_club_has_agreed_to_can_be_downloaded(owner: Asker, new_club: NewClub) -> None:
    send(owner, seen_by(owner))
    other = an_owner(new_club("beta"))
    for link in links_to_files(owner):
        assert (owner.get(link).status_code, other.get(link).status_code) == (200, 404)
    assert owner.get(f"{HERE}{'0' * 64}.txt").status_code == 404


def test_a_text_is_kept_once_for_all_clubs() -> None:
    texts = texts_of_agreement()
    keep_sources(texts)
    keep_sources(texts)
    assert ask("SELECT count(*) FROM catalogue.agreed_source") == [(2,)]
    assert [source_of(text.agreed.sha256) for text in texts] == [text.source for text in texts]


# --- who may ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [Membership.Role.ORGANISER, Membership.Role.CASHIER])
def test_no_other_account_is_asked_or_may_agree(owner: Asker, role: str) -> None:
    with in_club(owner.club):
        user: User = UserFactory.create()
        ClubRole.objects.create(user=user, role=role)
        other = Asker(owner.club, logged_in(user))
    assert NOTICE not in other.get("/o/").text
    seen = seen_by(owner)
    assert (other.get(HERE).status_code, send(other, seen).status_code) == (404, 404)
    assert (Asker(owner.club, Client()).get(HERE).status_code, versions()) == (302, [])


def test_the_owner_of_another_club_agrees_for_that_one_alone(owner: Asker, new_club: NewClub) -> None:
    other = an_owner(new_club("beta"))
    asks_alpha = Asker(owner.club, Client())
    cookie = other.client.cookies[program.SESSION_COOKIE_NAME].value
    asks_alpha.client.cookies[program.SESSION_COOKIE_NAME] = cookie
    assert asks_alpha.get(HERE).status_code == 302
    send(asks_alpha, seen_by(owner))
    assert (versions("alpha"), versions("beta")) == ([], [])
    send(other, seen_by(other))
    assert (versions("alpha"), len(versions("beta"))) == ([], 2)


# --- nothing waits for it --------------------------------------------------------------------------------------------


def test_without_texts_nobody_is_asked(owner: Asker, settings: Settings) -> None:
    settings.TEXTS_DIR = None
    assert NOTICE not in owner.get("/o/").text
    assert "Hier ist nichts zu vereinbaren." in owner.get(HERE).text


def test_the_pages_answer_while_the_agreements_cannot_be_read(owner: Asker) -> None:
    ask("ALTER TABLE catalogue.agreement RENAME TO elsewhere")
    try:
        assert [owner.get(room).status_code for room in ROOMS] == [200, 200]
    finally:
        ask("ALTER TABLE catalogue.elsewhere RENAME TO agreement")
    assert NOTICE in owner.get("/o/").text


# --- the operator ----------------------------------------------------------------------------------------------------


def test_the_operator_sees_who_is_behind(
    operator: Asker, owner: Asker, publish: Callable[[str], None]
) -> None:
    def behind() -> list[str]:
        rows = operator.get("/operator/?state=to_agree").context["page"]
        return [row.slug for row in rows if row.has_to_agree]

    page = "/operator/clubs/alpha/"
    assert behind() == ["alpha"]
    assert [text.kind for text in operator.get(page).context["texts_to_agree"]] == ["terms", "processing"]
    send(owner, seen_by(owner))
    assert behind() == []
    assert "Zustimmung fehlt</span>" not in operator.get(page).text
    publish("2")
    answer = operator.get(page)
    assert behind() == ["alpha"]
    assert answer.text.count("noch nicht zugestimmt") == 2
    assert "Zustimmung fehlt</span>" in answer.text
    shown: list[tuple[str, Agreement]] = answer.context["agreements"]
    assert {(title, agreed.version) for title, agreed in shown} == {
        ("Nutzungsbedingungen", "1"),
        ("Auftragsverarbeitung", "1"),
    }


def test_without_texts_or_in_a_closed_club_nobody_is_behind(
    operator: Asker, owner: Asker, settings: Settings, new_club: Callable[..., Club]
) -> None:
    operator.post("/operator/clubs/alpha/archive/")
    assert [row.has_to_agree for row in operator.get("/operator/").context["page"]] == [False]
    operator.post("/operator/clubs/alpha/open/")
    assert [row.has_to_agree for row in operator.get("/operator/").context["page"]] == [True]
    settings.TEXTS_DIR = None
    assert [row.has_to_agree for row in operator.get("/operator/").context["page"]] == [False]
