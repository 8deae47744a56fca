"""The engine: what a statement may read and write is decided by the database, for one transaction."""

from collections.abc import Callable

import pytest
from django.db import ProgrammingError, connection, transaction
from psycopg import sql

from tests.factories import TournamentFactory
from tournaments.current_club import Club, in_club, known_as
from tournaments.models import Tournament

NewClub = Callable[..., Club]


@pytest.fixture
def clubs(new_club: NewClub) -> tuple[Club, Club]:
    clubs = new_club("alpha"), new_club("beta")
    for club in clubs:
        with in_club(club):
            TournamentFactory.create(slug="herbst", name=f"Herbst {club.slug}")
    return clubs


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


def test_nothing_is_left_behind_for_the_next_transaction(clubs: tuple[Club, Club]) -> None:
    with in_club(clubs[0]):
        assert ask("SELECT current_user, current_schema()") == [(clubs[0].role, clubs[0].schema)]
    account = ask("SELECT session_user")
    assert ask("SELECT current_user") == account
    assert ask("SELECT current_schema()") == [("public",)]


def test_who_forgets_the_club_finds_no_table(clubs: tuple[Club, Club]) -> None:
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


def test_the_account_has_no_rights_in_a_club_before_it_takes_on_the_role(clubs: tuple[Club, Club]) -> None:
    table = sql.Identifier(clubs[0].schema, "tournaments_tournament").as_string(None)
    with pytest.raises(ProgrammingError, match="permission denied"):
        ask(f"SELECT FROM {table}")


def test_a_transaction_belongs_to_one_club(clubs: tuple[Club, Club]) -> None:
    alpha, beta = clubs
    with (
        in_club(alpha),
        transaction.atomic(),
        pytest.raises(RuntimeError, match="one club"),
        known_as(beta),
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
        assert Tournament.objects.filter(slug="herbst").update(name="Neu") == 1
        with connection.cursor() as cursor:
            cursor.executemany("UPDATE tournaments_tournament SET place = %s", [["Saal"], ["Stube"]])
        assert Tournament.objects.get().place == "Stube"
    with in_club(clubs[1]):
        assert Tournament.objects.get().place != "Stube"
