"""Two clubs of the same shape: the same slugs, the same ids, other people. Nothing of one is in an answer of the other.

Both have every id of the matrix of accesses, so whoever passes an id of one to the other reaches something there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings as program
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test import Client
from factory.random import reseed_random
from pytest_django.plugin import DjangoDbBlocker

from schnauz_turnier.clubs.changes import archive_club, create_club, delete_club
from schnauz_turnier.web.phone_calls import table_of
from scoring.models import Series
from scoring.open_screens import open_screens
from scoring.services import dump
from scoring.services.dump_file import LOCAL_TABLES
from tests.clubs.conftest import Account, hosting_here
from tests.factories import AT
from tests.scoring.paired import live_pages
from tests.security.addresses import Place, Route, all_routes, known_places
from tests.security.installation import Installation, an_installation, ask, changes, fingerprint, rolled_back
from tournaments import links
from tournaments.current_club import Club, everywhere, in_club
from tournaments.models import Appearance, ClubRole, Participant, Person, Table
from tournaments.page_cache import page_cache
from tournaments.queries.publicity import tournament_by_slug

OURS = "unser-turnier"
PUBLIC = ("/", "/imprint", "/privacy", "/calendar.ics", "/honours/", "/series/jahr/", "/series/jahr.json")
OF_THE_CLUB = {"person", "other person", "series"}
"""Kinds of ids that belong to no tournament."""
STAFF = {"organiser", "cashier", "owner", "account", "maker", "club"}


@dataclass(frozen=True, slots=True)
class House:
    """A club with the tournaments that the matrix of accesses knows."""

    club: Club
    installation: Installation
    places: dict[Route, Place | None]

    def places_that(self, method: str) -> list[Place]:
        """Return a place of every route that takes this method."""
        return [place for place in self.places.values() if place and method in place.route.methods]

    @property
    def mark(self) -> str:
        """What stands in every name of the club, and nowhere else."""
        return f"Verein-{self.club.slug}"


@pytest.fixture(scope="module")
def houses(
    account: Account, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[House, House]]:
    """Make a club, and another one from its dump."""
    dumped = tmp_path_factory.mktemp("clubs") / "alpha.zip"
    with django_db_blocker.unblock(), hosting_here(account):
        page_cache.is_enabled = True  # what is kept must not be of the other club
        alpha = create_club("alpha", "Alpha", at=AT).club
        with in_club(alpha):
            reseed_random("installation")  # type: ignore[no-untyped-call]
            with transaction.atomic():
                installation = an_installation()
            places = known_places(all_routes(), installation)
            with dump.snapshot(), dumped.open("xb") as out:
                dump.dump(out, key=alpha.key, with_key=True, public_url="", at=AT)
        beta = create_club("beta", "Beta", at=AT, backup=dumped).club
        with in_club(beta):
            clients = {access: Client() for access in installation.clients}
            for access in ("organiser", "organiser of the club", "owner of the installation"):
                clients[access].force_login(
                    User.objects.get(pk=_user_of(alpha, installation.clients[access]))
                )
        pair = (
            House(alpha, installation, places),
            House(beta, replace(installation, clients=clients), places),
        )
        for house in pair:
            _mark(house)
        page_cache.clear()  # the marks are written past the services
        yield pair
        page_cache.is_enabled = False
        page_cache.clear()
        for house in pair:
            archive_club(house.club.slug)
            delete_club(house.club.slug)


def _user_of(club: Club, client: Client) -> int:
    with in_club(club):
        return int(client.session["_auth_user_id"])


def _mark(house: House) -> None:
    columns = dict.fromkeys(
        ("tournaments_participant", "tournaments_tournament", "tournaments_clubsettings"), "name"
    )
    columns |= {"auth_user": "username", "tournaments_person": "name", "scoring_series": "name"}
    columns["scoring_honour"] = "name"
    with in_club(house.club), connection.cursor() as cursor:
        for table, column in columns.items():
            cursor.execute(f"UPDATE {table} SET {column} = left({column}, 60) || %s", [f" {house.mark}"])


def test_an_id_of_one_is_an_id_of_the_other(houses: tuple[House, House]) -> None:
    """The control."""
    ids = []
    for house in houses:
        with in_club(house.club):
            ids.append(
                [
                    set(model._default_manager.values_list("pk", flat=True))
                    for model in apps.get_models()
                    if model is not Session and model._meta.db_table not in LOCAL_TABLES
                ]
            )
    assert ids[0] == ids[1]


def test_no_response_of_a_club_contains_data_of_another(houses: tuple[House, House]) -> None:
    alpha, beta = houses
    seen = 0
    for place in alpha.places_that("GET"):
        for house, other in (
            (alpha, beta),
            (beta, alpha),
            (alpha, beta),
        ):  # the last time out of what is kept
            with in_club(house.club):
                client = house.installation.client_for(place.route.access)
                answer = ask(client, "GET", place.address).getvalue()
            assert other.mark.encode() not in answer, (place.address, other.mark)
            seen += house.mark.encode() in answer
    assert seen > 60  # most pages show a name


def test_each_club_has_its_own_public_pages_also_out_of_what_is_kept(houses: tuple[House, House]) -> None:
    for house in (*houses, *houses):
        with in_club(house.club):
            for page in PUBLIC:
                said = ask(Client(), "GET", page).getvalue().decode()
                assert said.count(house.mark) >= 1, page
                assert [other for other in houses if other is not house and other.mark in said] == []


def test_a_door_suggests_the_people_of_its_own_club(houses: tuple[House, House]) -> None:
    for house, other in (houses, houses[::-1]):
        with in_club(house.club):
            answer = ask(
                house.installation.client_for("cashier"), "GET", f"/o/{OURS}/door/known/", {"name": "stam"}
            )
        names = re.findall(r"<b>(.*)</b>", answer.content.decode())
        assert sorted(names) == [f"Stammgast Eins {house.mark}", f"Stammgast Zwei {house.mark}"]
        assert other.mark.encode() not in answer.content


def test_people_and_series_of_the_other_club_are_nowhere(houses: tuple[House, House]) -> None:
    """Both have the same; here the second has lost its own, and the keys are those of the first."""
    _alpha, beta = houses
    places = [place for place in beta.places.values() if place and OF_THE_CLUB & place.values.keys()]
    asked = [(place, method) for place in places for method in place.route.methods]
    assert len(asked) > 15

    def statuses() -> set[int]:
        clients = beta.installation.client_for
        return {
            ask(clients(place.route.access), method, place.address, place.body).status_code
            for place, method in asked
        }

    with in_club(beta.club):
        key = Person.objects.order_by("name")[0].key
        assert 404 not in statuses()  # the control
        with rolled_back():
            Series.objects.all().delete()
            Person.objects.all().delete()
            before = fingerprint()
            assert statuses() == {404}
            assert fingerprint() == before
            ask(
                beta.installation.client_for("cashier"),
                "POST",
                f"/o/{OURS}/door/register/",
                {"name": "Stammgast Eins", "person": str(key)},
                undone=False,
            )
            assert Participant.objects.filter(tournament__slug=OURS, name="Stammgast Eins").exists()
            assert not Appearance.objects.exists()


def test_a_role_in_one_club_is_none_in_the_other(houses: tuple[House, House]) -> None:
    alpha, beta = houses
    with in_club(beta.club), rolled_back():
        ClubRole.objects.all().delete()
        answer = ask(beta.installation.clients["organiser of the club"], "GET", "/o/+/people/")
        assert answer.status_code == 302
    with in_club(alpha.club):
        client = alpha.installation.clients["organiser of the club"]
        assert ask(client, "GET", "/o/+/people/").status_code == 200


def test_a_log_in_counts_in_its_own_club_only(houses: tuple[House, House]) -> None:
    alpha, beta = houses
    for place in alpha.places_that("GET"):
        if place.route.access not in STAFF:
            continue
        with in_club(beta.club):
            answer = ask(alpha.installation.client_for(place.route.access), "GET", place.address)
        assert answer.status_code in (302, 401, 403, 404), place.address
        assert beta.mark.encode() not in answer.getvalue()
    with in_club(alpha.club):  # the control: it still counts at home
        assert ask(alpha.installation.client_for("organiser"), "GET", f"/o/{OURS}/").status_code == 200


def test_a_form_with_the_log_in_of_the_other_club_changes_nothing(houses: tuple[House, House]) -> None:
    alpha, beta = houses
    with in_club(beta.club):
        before = fingerprint()
    for place in alpha.places_that("POST"):
        if place.route.access not in STAFF:
            continue
        with in_club(beta.club):
            client = alpha.installation.client_for(place.route.access)
            status, changed = changes(client, "POST", place.address, place.body, before)
        assert (changed, status in (302, 401, 403, 404)) == ([], True), place.address


def test_a_form_of_one_club_changes_nothing_of_the_other(houses: tuple[House, House]) -> None:
    alpha, beta = houses
    with in_club(alpha.club):
        untouched = fingerprint()
    with in_club(beta.club):
        before = fingerprint()
    changed = 0
    for place in beta.places_that("POST"):
        with in_club(beta.club), rolled_back():
            client = beta.installation.client_for(place.route.access)
            ask(client, "POST", place.address, place.body, undone=False)
            changed += fingerprint() != before
            _look_into(alpha.club)
            assert fingerprint() == untouched, place.address
    assert changed > 40  # the control


def _look_into(club: Club) -> None:
    """See another club from within a transaction, with what that has not committed yet."""
    with connection.cursor() as cursor:
        role, schema = (connection.ops.quote_name(name) for name in (club.role, club.schema))
        cursor.execute(f"SET LOCAL ROLE {role}")
        cursor.execute(f"SET LOCAL search_path TO {schema}")


def test_the_codes_and_cookies_of_a_phone_count_in_their_own_club_only(houses: tuple[House, House]) -> None:
    alpha, beta = houses
    with in_club(alpha.club):
        table = Table.objects.filter(round__tournament__slug=OURS).latest("pk")
        secret = links.sheet_secret(table.pk, table.link_version)
        phone = Client()
        assert _enter(phone, secret) == 200
        sheet = phone.get("/s/sheet")
        assert alpha.mark in sheet.content.decode()
        scope: Any = {"headers": [(b"cookie", f"{program.PHONE_COOKIE_NAME}={_cookie(phone)}".encode())]}
        line = table_of(scope)
    with in_club(beta.club):
        assert Table.objects.get(pk=table.pk).link_version == table.link_version
        assert phone.get("/s/sheet").status_code == 401
        assert _enter(Client(), secret) != 200
        assert table_of(scope) != line


def _enter(phone: Client, secret: str) -> int:
    return phone.post("/s/enter", {"secret": secret}, content_type="application/json").status_code


def _cookie(phone: Client) -> str:
    return phone.cookies[program.PHONE_COOKIE_NAME].value


def test_live_pages_screens_and_what_is_kept_are_of_one_club(houses: tuple[House, House]) -> None:
    alpha, beta = houses
    for house, foreign in (houses, houses[::-1], houses):
        with in_club(house.club):
            pages = live_pages(tournament_by_slug(OURS))
        assert set(pages) >= {"", "standings/", "tables/", "screen 1", "wall 1"}
        assert [name for name, page in pages.items() if foreign.mark in page] == []
    with in_club(alpha.club):
        open_screens.note(OURS, 3, "of alpha")
        assert "of alpha" in open_screens.browsers(OURS, 3)
    with in_club(beta.club):
        assert "of alpha" not in open_screens.browsers(OURS, 3)


def test_a_change_is_published_under_the_name_of_its_club(houses: tuple[House, House]) -> None:
    alpha, beta = houses
    names = []
    for house in houses:
        with in_club(house.club):
            page_cache.get_or_make(OURS, "x", partial(str, house.mark))
            names.append(everywhere(OURS))
    assert names == [f"alpha/{OURS}", f"beta/{OURS}"]
    page_cache.invalidate(names[0])
    with in_club(alpha.club):
        assert page_cache.get(OURS, "x") is None
    with in_club(beta.club):
        assert page_cache.get(OURS, "x") == beta.mark


def test_addresses_and_links_lead_to_the_own_club(houses: tuple[House, House]) -> None:
    with in_club(houses[0].club):
        client = houses[0].installation.client_for("organiser")
        page = client.get(f"/o/{OURS}/print/tables/1/", headers={"host": "alpha.example.org"})
    origins = set(re.findall(rb"https://[\w.]+", page.getvalue()))
    assert origins <= {b"https://alpha.example.org"}, origins
