"""A club registers itself: what is refused and limited, and that one link makes one club, however often it is opened."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import OperationalError, connection

from schnauz_turnier.background.forgetting import forget
from schnauz_turnier.clubs import catalogue, registration
from schnauz_turnier.clubs.agreements import AgreedText
from schnauz_turnier.clubs.catalogue import ClubRefusal, Entry
from schnauz_turnier.clubs.changes import archive_club, create_club, delete_club
from schnauz_turnier.clubs.registration import (
    LINK_LASTS,
    MOST_OF_A_NETWORK,
    MOST_OF_AN_EMAIL,
    MOST_WAITING,
    RegistrationRefusal,
    club_of_link,
    confirm_registration,
    refuse_registration,
    register,
    slug_is_free,
    waiting_registrations,
    withdraw,
)
from schnauz_turnier.clubs.slugs import RESERVED, proposed_slug
from tests.clubs.test_changes import slugs, told
from tests.clubs.test_engine import NewClub
from tests.conftest import ROOT
from tests.factories import AT
from tests.races import at_once
from tournaments.current_club import in_club
from tournaments.hashing import give_way
from tournaments.models import Tournament

TEXTS = [
    AgreedText("terms", "3", date(2026, 11, 1), "de", "a" * 64),
    AgreedText("processing", "2", date(2026, 10, 1), "de", "b" * 64),
]
LATER = AT + LINK_LASTS


@pytest.fixture(autouse=True)
def _registrations(new_club: NewClub) -> Iterator[None]:
    """Begin without registrations; the clubs that are made are deleted with those of `new_club`."""
    ask("DELETE FROM catalogue.registration")
    yield
    ask("DELETE FROM catalogue.registration")


def ask(statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall()) if cursor.description else []


def registered(slug: str = "fortuna", **changed: Any) -> str:
    """Register a club, and return the code of its link."""
    given: dict[str, Any] = {
        "name": f"Verein {slug}",
        "email": "verein@example.org",
        "agreed_by": "Vorstand Eins",
        "texts": TEXTS,
        "network": "192.0.2.1",
        "with_link": True,
        "at": AT,
    }
    return register(slug, **{**given, **changed})


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(RegistrationRefusal) as refused:
        call()
    return refused.value.code


# --- registering ---------------------------------------------------------------------------------------------------


def test_a_link_makes_the_club_and_keeps_what_was_agreed() -> None:
    code = registered()
    assert slugs() == []
    entry = club_of_link(code, at=AT)
    assert (entry.slug, entry.name, entry.state) == ("fortuna", "Verein fortuna", "open")
    with in_club(entry.club):
        assert Tournament.objects.count() == 0
    assert ask("SELECT email FROM catalogue.club") == [("verein@example.org",)]
    assert ask(
        "SELECT kind, version, dated_on, language, agreed_by, agreed_at FROM catalogue.agreement ORDER BY kind"
    ) == [
        ("processing", "2", date(2026, 10, 1), "de", "Vorstand Eins", AT),
        ("terms", "3", date(2026, 11, 1), "de", "Vorstand Eins", AT),
    ]
    assert waiting_registrations(at=AT) == []


def test_the_code_itself_is_not_stored() -> None:
    code = registered()
    [row] = ask("SELECT registration::text FROM catalogue.registration")
    assert code not in row[0]
    assert code.replace("-", "") not in row[0]
    assert "192.0.2.1" not in row[0]


def test_a_link_that_is_used_twice_leads_to_the_same_club() -> None:
    code = registered()
    made = club_of_link(code, at=AT)
    assert club_of_link(code, at=LATER - timedelta(seconds=1)).schema == made.schema
    assert slugs() == ["fortuna"]


def test_a_link_ends_after_two_days() -> None:
    code = registered()
    assert refusal(lambda: club_of_link(code, at=LATER)) == "code_unknown"
    assert slugs() == []
    assert slug_is_free("fortuna", at=LATER)
    assert registered(at=LATER)


def test_what_has_expired_is_deleted_by_the_running_server(monkeypatch: pytest.MonkeyPatch) -> None:
    registered("fortuna")
    registered("alpha", at=AT + timedelta(hours=1))
    monkeypatch.setattr("django.utils.timezone.now", lambda: LATER)
    forget()
    assert ask("SELECT slug FROM catalogue.registration") == [("alpha",)]


def test_an_invented_link_makes_nothing() -> None:
    registered()
    for code in ("", "AAAA-BBBB", "x" * 5_000):
        assert refusal(partial(club_of_link, code, at=AT)) == "code_unknown"


def test_a_link_leads_to_no_later_club_of_the_same_slug() -> None:
    code = registered()
    club_of_link(code, at=AT)
    archive_club("fortuna")
    assert refusal(lambda: club_of_link(code, at=AT)) == "code_unknown"
    delete_club("fortuna")
    assert refusal(lambda: club_of_link(code, at=AT)) == "code_unknown"
    create_club("fortuna", "Ein anderer", at=AT)
    assert refusal(lambda: club_of_link(code, at=AT)) == "code_unknown"


def test_a_mail_that_could_not_be_sent_gives_the_slug_back() -> None:
    withdraw(registered())
    assert slug_is_free("fortuna", at=AT)


def test_a_form_that_is_sent_again_gets_a_new_link_with_what_was_typed_last() -> None:
    first = registered()
    second = registered(name="Verein Fortuna", at=AT + timedelta(hours=1))
    assert refusal(lambda: club_of_link(first, at=AT)) == "code_unknown"
    assert club_of_link(second, at=LATER).name == "Verein Fortuna"
    assert registered("beta", with_link=False) == registered("beta", with_link=False) == ""


# --- slugs ---------------------------------------------------------------------------------------------------------


def test_a_slug_belongs_to_who_waits_for_it_and_to_the_club_that_has_it(new_club: NewClub) -> None:
    new_club("alpha")
    registered("fortuna")
    for slug in ("alpha", "fortuna"):
        assert not slug_is_free(slug, at=AT)
        assert refusal(partial(registered, slug, email="a@example.org")) == "slug_taken"
    assert slug_is_free("beta", at=AT)


def test_a_slug_that_the_operator_gives_away_ends_the_link_with_a_reason(new_club: NewClub) -> None:
    code = registered()
    new_club("fortuna")
    assert refusal(lambda: club_of_link(code, at=AT)) == "slug_taken"
    assert ask("SELECT count(*) FROM catalogue.agreement") == [(0,)]


@pytest.mark.parametrize("slug", ["www", "mail", "api", "register", "operator", "t", "healthz"])
def test_reserved_words_are_refused_everywhere(slug: str) -> None:
    assert slug in RESERVED
    assert refusal(lambda: registered(slug)) == "slug_taken"
    with pytest.raises(ClubRefusal, match="reserved"):
        create_club(slug, "Name", at=AT)


@pytest.mark.parametrize("slug", ["", "A", "a b", "a.b", "-a", "a--b", "xn--a", "a/../b", "ä"])
def test_what_is_no_slug_is_refused(slug: str) -> None:
    assert refusal(lambda: registered(slug)) == "slug_taken"


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Schafkopffreunde Süd e. V.", "schafkopffreunde-sued-e-v"),
        ("Größte Öfen 09", "groesste-oefen-09"),
        ("Su\u0308d", "sued"),
        ("Café_René", "cafe-rene"),
        ("Mail", "mail-verein"),
        ("♠♣", ""),
        (
            "Verein zur Förderung des gepflegten Kartenspiels am Stammtisch",
            "verein-zur-foerderung-des-gepflegten",
        ),
        ("x" * 60, "x" * 40),
    ],
)
def test_a_name_suggests_a_slug(name: str, slug: str) -> None:
    assert proposed_slug(name) == slug
    assert not slug or catalogue.SLUG.fullmatch(slug)


# --- limits --------------------------------------------------------------------------------------------------------


def test_a_network_may_let_five_wait() -> None:
    for number in range(MOST_OF_A_NETWORK):
        assert registered(f"verein-{number}", email=f"{number}@example.org")
    assert refusal(lambda: registered("noch-einer", email="a@example.org")) == "network_full"
    assert registered("noch-einer", email="a@example.org", network="192.0.2.2")
    assert registered("danach", email="b@example.org", at=LATER)


def test_an_email_address_gets_five_links_and_nobody_is_told() -> None:
    for number in range(MOST_OF_AN_EMAIL):
        assert registered(f"verein-{number}", network=f"192.0.2.{number}")
    assert registered("noch-einer", network="192.0.2.9", email="VEREIN@example.org") == ""
    assert slug_is_free("noch-einer", at=AT)


def test_links_that_are_sent_again_are_counted() -> None:
    for _time in range(MOST_OF_A_NETWORK):
        assert registered()
    assert refusal(registered) == "network_full"
    assert registered("noch-einer", network="192.0.2.2") == ""
    assert registered("noch-einer", network="192.0.2.2", email="a@example.org")
    ask("UPDATE catalogue.registration SET email = 'a@example.org'")
    assert registered("noch-einer", network="192.0.2.2", email="a@example.org") == ""


def test_two_hundred_may_wait_in_all() -> None:
    for number in range(MOST_WAITING):
        registered(f"verein-{number}", email=f"{number}@example.org", network=f"10.0.0.{number}")
    assert registered("verein-7", email="7@example.org", network="10.0.0.7")
    assert refusal(lambda: registered("noch-einer", email="a@example.org")) == "all_full"
    refuse_registration("verein-7")
    assert registered("noch-einer", email="a@example.org")


# --- the operator --------------------------------------------------------------------------------------------------


def test_without_mail_the_operator_hands_the_link_over() -> None:
    assert registered(with_link=False) == ""
    [waiting] = waiting_registrations(at=LATER)
    assert (waiting.slug, waiting.has_link) == ("fortuna", False)
    link = confirm_registration("fortuna", at=LATER)
    address, code = link.split("#")
    assert address == "https://example.org/register/open/"
    assert club_of_link(code, at=LATER + LINK_LASTS - timedelta(seconds=1)).slug == "fortuna"
    with pytest.raises(ClubRefusal, match="waits"):
        confirm_registration("fortuna", at=LATER)


def test_a_new_link_ends_the_earlier_one() -> None:
    first = registered()
    second = confirm_registration("fortuna", at=AT).partition("#")[2]
    assert refusal(lambda: club_of_link(first, at=AT)) == "code_unknown"
    assert club_of_link(second, at=AT).slug == "fortuna"


def test_the_commands_list_confirm_and_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: AT)
    registered("fortuna", with_link=False)
    registered("alpha")
    lines = told("registrations").splitlines()
    assert ["waits for confirm_registration" in line for line in lines] == [False, True]
    assert told("confirm_registration", "fortuna").startswith("https://example.org/register/open/#")
    told("confirm_registration", "fortuna", "--refuse")
    assert [line.split()[0] for line in told("registrations").splitlines()] == ["alpha"]
    for arguments in (["fortuna"], ["fortuna", "--refuse"]):
        with pytest.raises(CommandError, match="No registration"):
            told("confirm_registration", *arguments)


# --- races ---------------------------------------------------------------------------------------------------------


def both(code: str) -> list[str]:
    """Open a link in two tabs at once; return the schema that each is led to, or why it is refused."""
    ready = threading.Barrier(2)

    def open_link() -> str:
        ready.wait()
        return club_of_link(code, at=AT).schema

    return [str(result) for result in at_once(open_link, open_link)]


def test_two_tabs_at_once_make_one_club_and_both_get_to_it() -> None:
    first, second = both(registered())
    assert first == second == catalogue.club_of("fortuna").schema


def test_without_the_claim_one_of_them_would_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "_alone", lambda *_, **__: nullcontext())
    both_begin = threading.Barrier(2, timeout=60)

    def nothing(*_: object) -> None:
        both_begin.wait()

    monkeypatch.setattr(registration, "_left_behind", nothing)
    assert "slug_taken" in both(registered())


def being_made(patience: timedelta | None = None) -> Any:
    return registration._alone("fortuna", patience=patience)


def test_a_second_opener_waits_however_long_the_first_one_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    code = registered()
    monkeypatch.setattr(registration, "PATIENCE", timedelta(milliseconds=10))
    refused: list[str] = []

    def slowly(*club: str, at: datetime) -> Entry:
        made = create_club(*club, at=at)
        ask("UPDATE catalogue.club SET state = 'new'")
        refused.extend(
            refusal(partial(club_of_link, code, at=later)) for later in (AT, AT + timedelta(hours=1))
        )
        ask("UPDATE catalogue.club SET state = 'open'")
        return made

    monkeypatch.setattr(registration, "create_club", slowly)
    made = club_of_link(code, at=AT)
    assert refused == ["being_made", "being_made"]
    assert catalogue.club_of("fortuna").schema == made.schema == club_of_link(code, at=AT).schema


def test_who_waits_keeps_no_place_of_other_guests_and_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    code = registered()
    monkeypatch.setattr(registration, "PATIENCE", timedelta(milliseconds=10))
    given: list[bool] = []
    before = give_way.set(lambda: given.append(connection.connection is None))
    try:
        with being_made():
            assert refusal(lambda: club_of_link(code, at=AT)) == "being_made"
            assert given == [True]
            with registration._waiting, registration._waiting:
                assert refusal(lambda: club_of_link(code, at=AT)) == "being_made"
        assert club_of_link(code, at=AT).slug == "fortuna"
    finally:
        give_way.reset(before)
    assert given == [True]


def test_what_a_process_left_behind_that_died_is_taken_up() -> None:
    """It died while it made the tables, or before it noted that the club is there."""
    code = registered()
    ask("UPDATE catalogue.registration SET begun_at = %s", AT)
    made = create_club("fortuna", "Verein fortuna", at=AT)
    ask("UPDATE catalogue.club SET state = 'new'")
    later = AT + timedelta(minutes=3)
    anew = club_of_link(code, at=later)
    assert anew.schema != made.schema
    ask("UPDATE catalogue.registration SET schema_name = ''")
    ask("DELETE FROM catalogue.agreement")
    assert club_of_link(code, at=later + timedelta(minutes=3)) == catalogue.club_of("fortuna")
    assert catalogue.club_of("fortuna").schema == anew.schema


def fail(*_: object, **__: object) -> None:
    raise OperationalError


def leave_it_new(*club: str, at: datetime) -> None:
    create_club(*club, at=at)
    ask("UPDATE catalogue.club SET state = 'new'")
    fail()


def test_what_an_error_left_behind_is_deleted_by_the_next_press_that_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = registered()
    for at, name, failing in ((1, "create_club", leave_it_new), (2, "delete_club", fail)):
        with monkeypatch.context() as broken:
            broken.setattr(registration, name, failing)
            with pytest.raises(OperationalError):
                club_of_link(code, at=AT + timedelta(seconds=at))
        assert catalogue.club_of("fortuna").state == "new"
    made = club_of_link(code, at=AT + timedelta(seconds=3))
    assert catalogue.club_of("fortuna").schema == made.schema
    assert made.state == "open"


def test_a_mail_that_is_not_sent_again_keeps_what_may_have_left_a_club_behind() -> None:
    registered()
    ask("UPDATE catalogue.registration SET begun_at = %s", AT)
    withdraw(registered())
    assert club_of_link(registered(), at=AT).slug == "fortuna"


def test_the_operator_confirms_and_refuses_what_was_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    code = registered()
    with monkeypatch.context() as broken:
        broken.setattr(registration, "create_club", leave_it_new)
        with pytest.raises(OperationalError):
            club_of_link(code, at=AT)
    link = confirm_registration("fortuna", at=AT)
    with being_made(), pytest.raises(ClubRefusal):
        refuse_registration("fortuna")
    refuse_registration("fortuna")
    assert slug_is_free("fortuna", at=AT)
    assert refusal(lambda: club_of_link(link.partition("#")[2], at=AT)) == "code_unknown"


def test_a_club_that_is_there_but_was_not_noted_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    code = registered()
    with monkeypatch.context() as broken:
        broken.setattr(registration, "_note", fail)
        with pytest.raises(OperationalError):
            club_of_link(code, at=AT)
    with pytest.raises(ClubRefusal):
        refuse_registration("fortuna")
    assert waiting_registrations(at=AT) == []
    assert ask("SELECT email FROM catalogue.club") == [("verein@example.org",)]


def test_no_two_locks_of_the_program_are_the_same() -> None:
    sources = [
        path
        for folder in ("schnauz_turnier", "scoring", "tournaments")
        for path in (ROOT / folder).rglob("*.py")
    ]
    keys = [key for path in sources for key in re.findall(r"= (0x5C[0-9A-F]{2})\b", path.read_text("utf-8"))]
    assert len(keys) >= 7
    assert sorted(keys) == sorted(set(keys))
