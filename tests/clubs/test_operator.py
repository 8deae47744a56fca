"""The operator's pages: who sees them, what they show of the clubs, and what they change."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from schnauz_turnier.clubs import catalogue, schemas
from schnauz_turnier.clubs.agreements import AgreedText
from schnauz_turnier.clubs.catalogue import OPERATOR, ROWS_A_PAGE, ClubRefusal, State
from schnauz_turnier.clubs.changes import (
    archive_club,
    clubs_are_current,
    delete_club,
    is_due,
)
from schnauz_turnier.clubs.ending import delete_ended_clubs, end_club, keep_club
from schnauz_turnier.clubs.maintenance import announce, announced
from schnauz_turnier.clubs.registration import club_of_link, register
from tests.clubs.conftest import Asker, an_owner, start_page
from tests.clubs.test_changes import told
from tests.clubs.test_engine import NewClub
from tests.factories import AT, UserFactory
from tests.security.installation import logged_in
from tournaments.current_club import Club, in_club
from tournaments.models import ClubRole, SecurityEvent

PAGES = [
    "/operator/",
    "/operator/clubs/own/",
    "/operator/maintenance/",
    "/operator/incidents/",
    "/operator/registrations/",
]


def measured(slug: str, **figures: Any) -> None:
    """Let a club be measured."""
    values: dict[str, Any] = {
        "measured_at": timezone.now(), "tournaments": 3, "people": 40, "bytes": 4_200_000,
        "last_evening": AT.date(), "backed_up_at": AT, "has_failed": False,
    } | figures  # fmt: skip
    unmeasured(slug)
    catalogue.write_catalogue(
        f"INSERT INTO catalogue.measured (slug, {', '.join(values)}) VALUES (%s{', %s' * len(values)})",
        *(slug, *values.values()),
    )


def unmeasured(slug: str) -> None:
    catalogue.write_catalogue("DELETE FROM catalogue.measured WHERE slug = %s", slug)


def changed(slug: str, column: str, value: Any) -> None:
    catalogue.write_catalogue(f"UPDATE catalogue.club SET {column} = %s WHERE slug = %s", value, slug)


# --- the operator's own schema ----------------------------------------------------------------------------------------


def test_the_command_prints_address_and_link_of_the_first_account(new_club: NewClub) -> None:
    try:
        page, link = told("create_operator").splitlines()
        assert page == "https://operator.example.org/operator/"
        assert link.startswith("https://operator.example.org/account/setup/#")
        with pytest.raises(CommandError, match="club operator account_link"):
            told("create_operator")
        assert told("club", OPERATOR, "account_link") == f"{link}\n"
        with in_club(catalogue.club_of(OPERATOR).club):
            UserFactory.create()
        with pytest.raises(CommandError, match="There are accounts"):
            told("club", OPERATOR, "account_link")
    finally:
        schema = catalogue.club_of(OPERATOR).schema
        schemas.drop(schema)
        catalogue.remove(OPERATOR, schema)


def test_it_is_no_club(operator: Asker, new_club: NewClub) -> None:
    new_club("alpha")
    page = start_page(None)
    assert "alpha.example.org" in page
    assert "operator.example.org" not in page
    assert [row.slug for row in operator.get("/operator/").context["page"]] == ["alpha"]
    for change in (archive_club, delete_club, partial(end_club, at=AT)):
        with pytest.raises(ClubRefusal, match="not a club"):
            change(OPERATOR)
    for command in ("list_club", "limit_club --people 1"):
        with pytest.raises(CommandError, match="not a club"):
            told(*command.split()[:1], OPERATOR, *command.split()[1:])
    assert operator.get("/operator/clubs/operator/").status_code == 404
    assert operator.post("/operator/clubs/operator/end/").status_code == 404


def test_the_name_is_reserved(hosting: object) -> None:
    with pytest.raises(CommandError, match="reserved"):
        told("create_club", OPERATOR)


def test_it_is_kept_up_to_date_with_the_clubs_and_marked_in_their_list(operators: Club) -> None:
    catalogue.note_migrations(OPERATOR, "")
    assert not clubs_are_current()
    assert told("migrate_clubs") == "0 of 0 migrated, 1 left as they were\n"
    assert not is_due(catalogue.club_of(OPERATOR))
    listed = json.loads(told("clubs", "--json"))
    assert (listed["slug"], listed["state"]) == (OPERATOR, "operator")


def test_a_club_of_an_older_version_with_this_name_stays_a_club(new_club: NewClub) -> None:
    club = new_club("alpha")
    unmeasured("alpha")
    changed("alpha", "slug", OPERATOR)
    owner = an_owner(catalogue.club_of(OPERATOR).club)
    assert owner.get("/operator/").status_code == 404
    assert owner.get("/o/").status_code == 200
    changed(OPERATOR, "slug", club.slug)


# --- who may ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def ask_as(operators: Club, new_club: NewClub) -> Callable[[str], Asker]:
    own = new_club("own")

    def asker(who: str) -> Asker:
        match who:
            case "nobody":
                return Asker(operators, Client())
            case "owner of a club":
                return an_owner(own)
            case "owner of a club with the operator's cookie":
                cookies = an_owner(operators).client.cookies
                client = Client()
                client.cookies[settings.SESSION_COOKIE_NAME] = cookies[settings.SESSION_COOKIE_NAME].value
                return Asker(own, client)
            case "without second factor":
                return an_owner(operators, has_second_factor=False)
            case "no owner":
                with in_club(operators):
                    user = User.objects.create_user("helfer")
                    ClubRole.objects.create(user=user, role="organiser")
                    TOTPDevice.objects.create(user=user, confirmed=True)
                    return Asker(operators, logged_in(user))
            case _:
                return an_owner(operators)

    return asker


@pytest.mark.parametrize(
    ("who", "status", "leads_to"),
    [
        ("nobody", 302, "/account/login/?next="),
        ("owner of a club", 404, ""),
        ("owner of a club with the operator's cookie", 404, ""),
        ("no owner", 404, ""),
        ("without second factor", 302, "/account/second-factor/"),
        ("operator", 200, ""),
    ],
)
def test_who_may_see_the_pages(ask_as: Callable[[str], Asker], who: str, status: int, leads_to: str) -> None:
    asker = ask_as(who)
    for path in PAGES:
        answer = asker.get(path)
        assert (answer.status_code, answer.get("Location", "").startswith(leads_to)) == (status, True), path
        assert answer.get("Location", "") or not leads_to


@pytest.mark.django_db
def test_a_laptop_has_no_such_pages(client: Client) -> None:
    assert client.get("/operator/").status_code == 404


def test_another_id_is_not_found(operator: Asker) -> None:
    for slug in ("nowhere", "Alpha", "a" * 200):
        assert operator.get(f"/operator/clubs/{slug}/").status_code == 404


def test_without_tournaments_the_start_leads_to_the_clubs(operator: Asker) -> None:
    for path in ("/", "/o/"):
        assert operator.get(path)["Location"] == "/operator/"
    for path in ("/o/new/", "/t/herbst/", "/s/", "/calendar.ics", "/account/club/"):
        assert operator.get(path).status_code == 404, path


def test_pages_of_accounts_work_as_in_a_club(operator: Asker) -> None:
    for name in ("password/", "second-factor/", "all/", "log/", "deletions/", "cash/2026/"):
        assert operator.get(f"/account/{name}").status_code == 200, name


# --- the list of clubs ------------------------------------------------------------------------------------------------


def test_the_list_shows_state_and_figures(operator: Asker, new_club: NewClub) -> None:
    new_club("alpha")
    new_club("beta")
    measured("alpha")
    unmeasured("beta")
    changed("beta", "migrations", "older")
    page = operator.get("/operator/")
    alpha, beta = page.context["page"]
    assert (alpha.state, alpha.is_current, alpha.tournaments, alpha.people) == (State.OPEN, True, 3, 40)
    assert (alpha.megabytes, alpha.last_evening, alpha.backed_up_at) == (4.2, AT.date(), AT)
    assert (beta.is_current, beta.tournaments, beta.has_failed) == (False, None, False)
    assert "4,2" in page.content.decode()


@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        ("", ["alpha", "beta", "gamma"]),
        ("q=GAM", ["gamma"]),
        ("q=verein+b", ["beta"]),
        ("q=Ä+VEREIN", ["alpha", "beta", "gamma"]),
        ("q=%25", []),
        ("q=_", []),
        ("q=%00alpha", ["alpha"]),
        ("state=open", ["alpha", "gamma"]),
        ("state=archived", ["beta"]),
        ("state=ending", ["beta"]),
        ("state=behind", ["gamma"]),
        ("state=failed", ["alpha"]),
        ("state=nonsense", ["alpha", "beta", "gamma"]),
        ("state=open&q=a&page=99999", ["alpha", "gamma"]),
    ],
)
def test_clubs_are_found(operator: Asker, new_club: NewClub, query: str, slugs: list[str]) -> None:
    for slug in ("alpha", "beta", "gamma"):
        new_club(slug)
    archive_club("beta")
    changed("beta", "ends_at", AT + timedelta(days=30))
    changed("gamma", "migrations", "older")
    measured("alpha", has_failed=True)
    assert [row.slug for row in operator.get(f"/operator/?{query}").context["page"]] == slugs


def test_a_club_that_has_moved_says_where(operator: Asker, new_club: NewClub) -> None:
    for slug in ("alpha", "beta"):
        new_club(slug)
        archive_club(slug)
    changed("alpha", "moved_to", "https://karten.example")
    assert "https://karten.example" in operator.get("/operator/clubs/alpha/").content.decode()
    assert "mgezogen" not in operator.get("/operator/clubs/beta/").content.decode()


def in_the_catalogue_only(number: int) -> None:
    catalogue.write_catalogue(
        "INSERT INTO catalogue.club (slug, name, state, schema_name, seed, own_key, created_at) "
        "SELECT 'filler-' || n, 'Verein ' || n, 'open', 'none_' || n, '', '', now() FROM generate_series(1, %s) n",
        number,
    )


@pytest.fixture
def fillers(operators: Club) -> Iterator[Callable[[int], None]]:
    yield in_the_catalogue_only
    catalogue.write_catalogue("DELETE FROM catalogue.club WHERE slug LIKE 'filler-%%'")


@pytest.mark.parametrize(("number", "pages"), [(0, 1), (1, 1), (300, 6)])
def test_the_list_takes_two_queries_for_any_number_of_clubs(
    operator: Asker, fillers: Callable[[int], None], number: int, pages: int
) -> None:
    fillers(number)
    operator.get("/operator/")
    with in_club(operator.club), CaptureQueriesContext(connection) as queries:
        answer = operator.client.get("/operator/")
    assert sum("catalogue." in query["sql"] for query in queries) <= 3
    page = answer.context["page"]
    assert (page.paginator.count, page.paginator.num_pages, len(page)) == (
        number,
        pages,
        min(number, ROWS_A_PAGE),
    )


# --- changes of a club ------------------------------------------------------------------------------------------------


def state_of(slug: str) -> tuple[str, bool]:
    """Return the state of a club, and whether it is to be deleted."""
    entry = catalogue.club_of(slug)
    return entry.state.value, entry.ends_at is not None


@pytest.mark.parametrize(
    ("steps", "state"),
    [
        (["archive"], ("archived", False)),
        (["archive", "open"], ("open", False)),
        (["end"], ("archived", True)),
        (["archive", "end"], ("archived", True)),
        (["end", "keep"], ("open", False)),
        (["end", "open"], ("open", False)),
    ],
)
def test_a_club_is_closed_opened_ended_and_kept(
    operator: Asker, new_club: NewClub, steps: list[str], state: tuple[str, bool]
) -> None:
    """A form that is sent twice leads to the same state, and says the same."""
    new_club("alpha")
    said = []
    for step in steps:
        for _time in range(2):
            answer = operator.post(f"/operator/clubs/alpha/{step}/")
            assert answer["Location"] == "/operator/clubs/alpha/"
        said = [str(message) for message in operator.get("/operator/clubs/alpha/").context["messages"]]
        assert len(set(said)) == 1
    assert state_of("alpha") == state
    assert "Das geht gerade nicht" not in said[0]


def test_what_is_ended_is_deleted_thirty_days_later(
    operator: Asker, new_club: NewClub, settings: Settings, tmp_path: Path
) -> None:
    settings.BACKUP_DIR = tmp_path
    new_club("alpha")
    operator.post("/operator/clubs/alpha/end/")
    ends_at = catalogue.club_of("alpha").ends_at
    assert ends_at is not None
    assert timedelta(days=29) < ends_at - timezone.now() <= timedelta(days=30)
    delete_ended_clubs(ends_at - timedelta(minutes=1))
    assert state_of("alpha") == ("archived", True)
    delete_ended_clubs(ends_at)
    assert operator.get("/operator/clubs/alpha/").status_code == 404


def test_a_club_in_another_state_is_left_as_it_is(operator: Asker, new_club: NewClub) -> None:
    new_club("alpha")
    operator.post("/operator/clubs/alpha/end/")
    operator.get("/operator/clubs/alpha/")
    with in_club(None):
        keep_club("alpha")
        archive_club("alpha")
    operator.post("/operator/clubs/alpha/keep/")
    [message] = operator.get("/operator/clubs/alpha/").context["messages"]
    assert (message.level_tag, state_of("alpha")) == ("error", ("archived", False))


def test_each_button_asks_first(operator: Asker, new_club: NewClub) -> None:
    """The forms that close or delete a club are in a part of the page that is folded in."""
    new_club("alpha")
    page = operator.get("/operator/clubs/alpha/").content.decode()
    folded = "".join(re.findall(r"<details class=.disclosure.*?</details>", page, re.DOTALL))
    for step in ("archive", "end"):
        assert page.count(f"/operator/clubs/alpha/{step}/") == folded.count(f"/{step}/") == 1


def test_changes_are_in_the_security_log(operator: Asker, new_club: NewClub) -> None:
    new_club("alpha")
    operator.post("/operator/clubs/alpha/archive/")
    with in_club(operator.club):
        event = SecurityEvent.objects.get(kind="club_changed")
    assert event.about == "/operator/clubs/alpha/archive/"


@pytest.fixture
def changes(operators: Club, new_club: NewClub) -> Iterator[dict[str, dict[str, str]]]:
    """Make what the operator can change; return each change with its fields. They change something in this order."""
    for slug in ("alpha", "beta", "delta"):
        new_club(slug)
    archive_club("beta")
    end_club("delta", at=AT)
    register_gamma()
    at = timezone.now()
    announce(at, at + timedelta(hours=1), german="Text", english="")
    [announcement] = announced(at)
    yield {
        "clubs/alpha/limits/": {"tournaments": "1"},
        "clubs/alpha/archive/": {},
        "clubs/alpha/end/": {},
        "clubs/beta/open/": {},
        "clubs/delta/keep/": {},
        "registrations/gamma/confirm/": {},
        "registrations/gamma/refuse/": {},
        "maintenance/": {"begins": "21.11.2126 22:00", "ends": "23:00", "german": "Text"},
        f"maintenance/{announcement.id}/withdraw/": {},
    }
    for table in ("registration", "maintenance"):
        catalogue.write_catalogue(f"DELETE FROM catalogue.{table}")


@pytest.mark.parametrize(
    "who",
    [
        "nobody",
        "owner of a club",
        "owner of a club with the operator's cookie",
        "no owner",
        "without second factor",
    ],
)
def test_nobody_else_changes_anything(
    ask_as: Callable[[str], Asker], changes: dict[str, dict[str, str]], who: str
) -> None:
    asker = ask_as(who)
    before = in_the_catalogue()
    for path, fields in changes.items():
        asker.post(f"/operator/{path}", **fields)
        assert in_the_catalogue() == before, path


def test_the_operator_makes_each_of_these_changes(
    operator: Asker, changes: dict[str, dict[str, str]]
) -> None:
    """The control of the test before."""
    for path, fields in changes.items():
        before = in_the_catalogue()
        operator.post(f"/operator/{path}", **fields)
        assert in_the_catalogue() != before, path


def in_the_catalogue() -> list[Any]:
    return [
        catalogue.rows_of_catalogue(f"SELECT * FROM catalogue.{table} ORDER BY 1")
        for table in ("club", "registration", "maintenance")
    ]


# --- limits -----------------------------------------------------------------------------------------------------------


def test_limits_and_the_list_of_all_clubs(operator: Asker, new_club: NewClub) -> None:
    new_club("alpha")
    operator.post("/operator/clubs/alpha/limits/", tournaments="50", people="", megabytes="200")
    row = operator.get("/operator/clubs/alpha/").context["row"]
    assert row.limits == {"tournaments": 50, "people": None, "megabytes": 200, "is_listed": False}
    assert "Verein alpha" not in start_page(None)
    operator.post("/operator/clubs/alpha/limits/", is_listed="on")
    row = operator.get("/operator/clubs/alpha/").context["row"]
    assert row.limits == {"tournaments": None, "people": None, "megabytes": None, "is_listed": True}
    assert "Verein alpha" in start_page(None)


@pytest.mark.parametrize("number", ["-1", "1000001", "viele", "1,5"])
def test_a_limit_that_is_none_is_refused(operator: Asker, new_club: NewClub, number: str) -> None:
    new_club("alpha")
    answer = operator.post("/operator/clubs/alpha/limits/", tournaments="50", people=number)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["people"])
    assert operator.get("/operator/clubs/alpha/").context["row"].most_tournaments is None


# --- registrations ----------------------------------------------------------------------------------------------------


def register_gamma() -> None:
    register(
        "gamma",
        "Verein gamma",
        "verein@example.org",
        agreed_by="Vorstand",
        texts=[AgreedText("terms", "1", AT.date(), "de", "0" * 64)],
        network="192.0.2.0",
        with_link=False,
        at=timezone.now(),
    )


def test_a_registration_is_confirmed_with_a_link_that_makes_the_club(
    operator: Asker, new_club: NewClub
) -> None:
    register_gamma()
    assert operator.get("/operator/").context["waiting"] == 1
    [registration] = operator.get("/operator/registrations/").context["waiting"]
    assert (registration.slug, registration.email) == ("gamma", "verein@example.org")
    link = operator.post("/operator/registrations/gamma/confirm/").context["link"]
    assert link not in operator.get("/operator/registrations/").content.decode()
    club_of_link(link.partition("#")[2], at=timezone.now())
    assert operator.get("/operator/registrations/").context["waiting"] == []
    page = operator.get("/operator/clubs/gamma/")
    [(title, agreed)] = page.context["agreements"]
    assert (title, agreed.version, agreed.agreed_by) == ("Nutzungsbedingungen", "1", "Vorstand")


def test_a_registration_is_refused(operator: Asker) -> None:
    register_gamma()
    for _time in range(2):
        assert operator.post("/operator/registrations/gamma/refuse/").status_code == 302
    assert operator.get("/operator/registrations/").context["waiting"] == []
    assert operator.post("/operator/registrations/gamma/confirm/").status_code == 302
