"""The engine: what a statement may read and write is decided by the database, for one transaction."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import ProgrammingError, connection, transaction
from django.db.backends.postgresql.introspection import DatabaseIntrospection
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from schnauz_turnier.clubs.changes import archive_club, create_club, delete_club
from schnauz_turnier.postgresql import databases
from tests.clubs.conftest import Account, hosting_here
from tests.factories import AT, TournamentFactory
from tests.pooler import pooling
from tests.races import at_once
from tournaments.current_club import Club, in_club
from tournaments.models import Tournament

NewClub = Callable[..., Club]


@pytest.fixture(scope="module")
def clubs(account: Account, django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[Club, Club]]:
    """Make two clubs once for all tests of this file."""
    with django_db_blocker.unblock(), hosting_here(account):
        clubs = _make("alpha"), _make("beta")
        for club in clubs:
            with in_club(club):
                TournamentFactory.create(slug="herbst", name=f"Herbst {club.slug}")
        yield clubs
        for club in clubs:
            _delete(club)


def _make(slug: str) -> Club:
    return create_club(slug, f"Verein {slug}", at=AT).club


def _delete(club: Club) -> None:
    archive_club(club.slug)
    delete_club(club.slug)


def ask(question: str) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(question)
        rows: list[tuple[object, ...]] = cursor.fetchall()
    return rows


def name() -> str:
    return Tournament.objects.get(slug="herbst").name


def test_each_club_has_its_own_rows_on_the_same_connection(clubs: tuple[Club, Club]) -> None:
    backends = set()
    for club in (*clubs, *clubs):
        with in_club(club):
            assert name() == f"Herbst {club.slug}"
            with transaction.atomic():
                assert name() == f"Herbst {club.slug}"
            backends |= set(ask("SELECT pg_backend_pid()"))
    assert len(backends) == 1


def test_a_transaction_leaves_no_role_or_schema_for_the_next(clubs: tuple[Club, Club]) -> None:
    with in_club(clubs[0]):
        assert ask("SELECT current_user, current_schema()") == [(clubs[0].role, clubs[0].schema)]
    account = ask("SELECT session_user")
    assert ask("SELECT current_user") == account
    assert ask("SELECT current_schema()") == [("public",)]


def test_a_query_without_a_club_fails(clubs: tuple[Club, Club]) -> None:
    with pytest.raises(ProgrammingError, match="does not exist"):
        name()


@pytest.mark.parametrize(
    "others", ["tournaments_tournament", "auth_user", "django_session", "scoring_sheetentry"]
)
def test_the_role_of_a_club_reads_nothing_of_another(clubs: tuple[Club, Club], others: str) -> None:
    alpha, beta = clubs
    table = sql.Identifier(beta.schema, others).as_string(None)
    with in_club(beta):
        ask(f"SELECT FROM {table}")  # the control: the club itself reads it
    for statement in (
        f"SELECT FROM {table}",
        f"DELETE FROM {table}",
        f"LOCK TABLE {table}",
        f"TRUNCATE {table}",
    ):
        with in_club(alpha), pytest.raises(ProgrammingError, match="permission denied"):
            ask(statement)


def test_the_role_of_a_club_makes_nothing_elsewhere_and_reads_no_catalogue(clubs: tuple[Club, Club]) -> None:
    alpha, beta = clubs
    for statement in (
        "SELECT FROM catalogue.club",
        f"CREATE TABLE {sql.Identifier(beta.schema, 'x').as_string(None)} ()",
        "CREATE SCHEMA mine",
        "CREATE ROLE mine",
    ):
        with in_club(alpha), pytest.raises(ProgrammingError, match="permission denied"):
            ask(statement)


def test_the_account_has_no_rights_in_a_club_before_it_switches_to_the_role(clubs: tuple[Club, Club]) -> None:
    table = sql.Identifier(clubs[0].schema, "tournaments_tournament").as_string(None)
    with pytest.raises(ProgrammingError, match="permission denied"):
        ask(f"SELECT FROM {table}")


def test_a_transaction_belongs_to_one_club(clubs: tuple[Club, Club]) -> None:
    alpha, beta = clubs
    with (
        in_club(alpha),
        transaction.atomic(),
        pytest.raises(RuntimeError, match="one club"),
        in_club(beta),
    ):
        pytest.fail("it has changed the club")


def test_after_an_error_the_next_statement_is_in_its_club_again(clubs: tuple[Club, Club]) -> None:
    for club in clubs:
        with in_club(club):
            with pytest.raises(ProgrammingError):
                ask("SELECT 1 FROM nowhere")
            assert name() == f"Herbst {club.slug}"
            with transaction.atomic():
                with pytest.raises(ProgrammingError), transaction.atomic():
                    ask("SELECT 1 FROM nowhere")
                assert name() == f"Herbst {club.slug}"


def test_a_statement_outside_of_a_transaction_is_one(clubs: tuple[Club, Club]) -> None:
    with in_club(clubs[0]):
        assert Tournament.objects.filter(slug="herbst").update(name="Herbst alpha") == 1
        with connection.cursor() as cursor:
            cursor.executemany("UPDATE tournaments_tournament SET place = %s", [["Saal"], ["Stube"]])
        assert Tournament.objects.get().place == "Stube"
    with in_club(clubs[1]):
        assert Tournament.objects.get().place != "Stube"


# --- many clubs ----------------------------------------------------------------------------------------------------


def test_the_tables_of_a_club_are_listed_as_django_lists_them(clubs: tuple[Club, Club]) -> None:
    listings = []
    for club in clubs:
        with in_club(club), connection.cursor() as cursor:
            listing = connection.introspection.get_table_list(cursor)
            assert sorted(listing) == sorted(DatabaseIntrospection(connection).get_table_list(cursor))
            listings.append(sorted(listing))
    assert listings[0] == listings[1]
    assert len(listings[0]) > 50
    with in_club(None), connection.cursor() as cursor:
        assert connection.introspection.table_names(cursor) == []


@pytest.mark.parametrize(("lifetime", "backends"), [(0.2, 2), (databases.LIFETIME, 1)])
def test_a_connection_of_many_clubs_is_replaced_after_its_lifetime(
    clubs: tuple[Club, Club], monkeypatch: pytest.MonkeyPatch, lifetime: float, backends: int
) -> None:
    monkeypatch.setattr(databases, "LIFETIME", lifetime)
    monkeypatch.setenv("CLUBS", "paths")
    lent: Any = connection.copy(alias="lent")
    lent.settings_dict |= databases.pooled(lent.settings_dict["OPTIONS"])
    lent.settings_dict["OPTIONS"]["pool"]["max_size"] = 1
    seen = set()
    try:
        for _ in range(2):
            with lent.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                seen.add(cursor.fetchone())
                time.sleep(0.3)
            lent.close()
    finally:
        lent.close_pool()
    assert len(seen) == backends


def test_the_connections_of_one_club_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLUBS", raising=False)
    assert "max_lifetime" not in databases.pooled({})["OPTIONS"]["pool"]


# --- behind a transaction pooler -----------------------------------------------------------------------------------


@pytest.fixture
def pooled(clubs: tuple[Club, Club], account: Account) -> Iterator[None]:
    """Let this process reach its clubs through a pooler with one connection, which it gives to whoever comes next."""
    connection.close()
    with pooling(account.host, account.port, account.name, account.password, connections=1) as port:
        connection.settings_dict |= {"HOST": "127.0.0.1", "PORT": port}
        yield
        connection.close()
    connection.settings_dict |= {"HOST": account.host, "PORT": account.port}


def test_clubs_take_turns_on_one_connection_of_a_pooler(clubs: tuple[Club, Club], pooled: None) -> None:
    names: dict[str, set[str]] = {club.slug: set() for club in clubs}

    def look(club: Club) -> None:
        with in_club(club):
            for _ in range(20):
                names[club.slug].add(name())
                with transaction.atomic():
                    names[club.slug].add(name())

    assert at_once(*(partial(look, club) for club in (*clubs, *clubs))) == [None] * 4
    assert names == {club.slug: {f"Herbst {club.slug}"} for club in clubs}


def test_what_a_session_sets_a_pooler_gives_to_the_next(clubs: tuple[Club, Club], pooled: None) -> None:
    """The control: this is what the engine must not do."""
    first, second = connection.copy(), connection.copy()
    try:
        with first.cursor() as cursor:
            cursor.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(clubs[0].schema)))
        with second.cursor() as cursor:
            cursor.execute("SHOW search_path")
            assert cursor.fetchone() == (clubs[0].schema,)
            cursor.execute("RESET search_path")
    finally:
        first.close()
        second.close()


# --- what a database on several machines asks for -------------------------------------------------------------------


def test_no_table_refers_to_one_of_another_schema(clubs: tuple[Club, Club]) -> None:
    references = (
        "SELECT count(*) FILTER (WHERE there.relnamespace != here.relnamespace), count(*) FROM pg_constraint "
        "JOIN pg_class here ON here.oid = conrelid JOIN pg_class there ON there.oid = confrelid WHERE contype = 'f'"
    )
    [(abroad, all_of_them)] = ask(references)
    assert abroad == 0
    assert int(str(all_of_them)) > 50
