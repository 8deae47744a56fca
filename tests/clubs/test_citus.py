"""Clubs with CITUS=1: what the program sends there, to a PostgreSQL that is none. `bench/citus.py` runs an evening on a real one."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, InternalError, ProgrammingError, connection, transaction
from django.test import override_settings
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from schnauz_turnier.clubs import catalogue, schemas
from schnauz_turnier.clubs.changes import archive_club, create_club, delete_club
from scoring.services.backup import latest
from scoring.services.dump_file import UnfitDump
from scoring.services.purge import delete_tournament, erase_from_club
from scoring.services.restore import all_or_nothing
from tests.clubs.citus import refused
from tests.clubs.conftest import Account, an_account, hosting_here
from tests.clubs.test_changes import Phone, an_evening, slugs, stroke, told
from tests.clubs.test_engine import ask
from tests.factories import AT
from tests.scoring.a_club import a_club, everything
from tests.security.tampered import BACKUP
from tournaments.current_club import Club, in_club
from tournaments.models import Person, SecurityEvent, Tournament

STAND_INS = (
    "CREATE FUNCTION citus_version() RETURNS text RETURN 'none'",
    "CREATE FUNCTION citus_total_relation_size(oid) RETURNS bigint RETURN pg_total_relation_size($1)",
)


@pytest.fixture(scope="module")
def citus(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Account]:
    """Let this process serve an account without any rights, as if its database were Citus. The first club has been migrated."""
    with django_db_blocker.unblock(), an_account() as account:
        with psycopg.connect(account.url) as to:
            for stand_in in STAND_INS:
                to.execute(stand_in.encode())
        with hosting_here(account, citus=True):
            yield account


@pytest.fixture(scope="module")
def clubs(citus: Account) -> Iterator[tuple[Club, Club]]:
    """Make two clubs, the first by migrations, and the second by what they sent."""
    clubs = tuple(create_club(slug, f"Verein {slug}", at=AT).club for slug in ("alpha", "beta"))
    for club in clubs:
        with in_club(club):
            a_club()
    yield clubs[0], clubs[1]
    for club in clubs:
        archive_club(club.slug)
        delete_club(club.slug)
    assert slugs() == []


# --- the rules -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        ("INSERT INTO a (x) SELECT id FROM b FOR KEY SHARE", "INSERT ... SELECT locks no rows"),
        ("INSERT INTO a (x) SELECT id FROM b\nFOR NO KEY UPDATE", "INSERT ... SELECT locks no rows"),
        ('ALTER TABLE "a" ADD COLUMN "x" int CHECK ("x" > 0)', "a CHECK comes after its column"),
        ("ALTER TABLE a ADD x int NOT NULL CHECK (x > 0)", "a CHECK comes after its column"),
        ("ALTER TABLE a ADD CONSTRAINT b CHECK (x > 0), ADD COLUMN y int", "a constraint is added by itself"),
        ("ALTER TABLE a DROP COLUMN y, ADD CONSTRAINT b UNIQUE (x)", "a constraint is added by itself"),
        ("ALTER TABLE a ALTER COLUMN id DROP IDENTITY", "this ALTER TABLE is unknown"),
        ("ALTER TABLE a ALTER COLUMN id SET STATISTICS 9", "this ALTER TABLE is unknown"),
        ("ALTER SEQUENCE a_id_seq RESTART", "a sequence is not altered"),
        ("ALTER FUNCTION f() SET search_path FROM CURRENT", "the search_path of a function is a constant"),
        (
            "SELECT setval('a_id_seq', (SELECT max(id) FROM a))",
            "a sequence is advanced, and a message sent, by a query that reads no table",
        ),
        ("SELECT set_config('schnauz.purge', 'on', true)", "a worker hears of SET LOCAL alone"),
        ("SELECT 1; ALTER SEQUENCE a_id_seq RESTART", "a sequence is not altered"),
    ],
)
def test_what_citus_refuses_is_noticed(statement: str, rule: str) -> None:
    assert refused(statement) == rule


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("CREATE INDEX i ON a (x); CREATE INDEX j ON a (x)", "DDL is a message of its own"),
        ('SET LOCAL search_path TO "x"; CREATE INDEX i ON a (x)', "DDL is a message of its own"),
        ("SELECT 1; SET LOCAL schnauz.purge = 'on'", "a setting is a message of its own"),
        ("SET LOCAL schnauz.purge = 'on'; DELETE FROM a", "a setting is a message of its own"),
    ],
)
def test_several_in_one_message_are_noticed_on_citus(message: str, rule: str) -> None:
    assert refused(message) is None
    with override_settings(CITUS=True):
        assert refused(message) == rule


@pytest.mark.parametrize(
    "statement",
    [
        'ALTER TABLE "a" ADD CONSTRAINT "a_x_check" CHECK ("x" > 0);',
        "ALTER TABLE a ADD COLUMN x bigint CONSTRAINT y REFERENCES b (id) DEFERRABLE INITIALLY DEFERRED",
        "ALTER TABLE a ADD COLUMN x int, DROP COLUMN y",
        "INSERT INTO a (x) SELECT id FROM b",
        "INSERT INTO a (x) VALUES (1) ON CONFLICT DO NOTHING",
        "SELECT a.id FROM a JOIN b ON b.id = a.id FOR KEY SHARE",
        'SET LOCAL search_path TO "x", pg_temp; SELECT 1',
    ],
)
@pytest.mark.parametrize("citus", [False, True])
def test_what_citus_takes_is_let_pass(statement: str, citus: bool) -> None:
    with override_settings(CITUS=citus):
        assert refused(statement) is None


def test_what_a_club_sends_is_recorded(clubs: tuple[Club, Club], sent: list[str]) -> None:
    violation = "SELECT set_config('schnauz.purge', 'on', true)"
    with in_club(clubs[0]):
        ask(violation)
    assert [refused(message) for message in sent if violation in message] == [
        "a worker hears of SET LOCAL alone"
    ]
    sent.clear()


def test_the_bodies_of_functions_break_no_rule(clubs: tuple[Club, Club]) -> None:
    with in_club(clubs[0]):
        bodies = ask(
            "SELECT proname::text, prosrc, proconfig FROM pg_proc WHERE pronamespace = current_schema()::regnamespace"
        )
    assert len(bodies) > 10
    for name, body, configuration in bodies:
        assert refused(str(body)) is None, name
        assert configuration == [f"search_path={clubs[0].schema}, pg_temp"]


# --- what a statement may read -------------------------------------------------------------------------------------


def test_each_club_has_its_rows_without_a_role_of_its_own(clubs: tuple[Club, Club], citus: Account) -> None:
    for club in (*clubs, *clubs):
        with in_club(club):
            assert ask("SELECT current_user::text, current_schema()::text") == [(citus.name, club.schema)]
            with transaction.atomic():
                assert ask("SELECT current_schema()::text") == [(club.schema,)]
            with connection.cursor() as cursor:
                cursor.executemany("UPDATE tournaments_tournament SET place = %s", [["Saal"], [club.slug]])
    for club in clubs:
        with in_club(club):
            assert {row.place for row in Tournament.objects.all()} == {club.slug}
    assert ask(f"SELECT to_regrole('{clubs[0].role}')::text") == [(None,)]


def test_a_query_outside_of_a_club_finds_no_table(clubs: tuple[Club, Club]) -> None:
    with in_club(clubs[0]):
        assert Tournament.objects.exists()
    with pytest.raises(ProgrammingError, match="does not exist"):
        Tournament.objects.exists()
    assert ask("SELECT current_schema()::text") == [("public",)]


def test_a_trigger_finds_its_tables_where_no_search_path_says_whose_they_are(
    clubs: tuple[Club, Club], citus: Account
) -> None:
    """As on a worker. The control: without a search_path of its own it finds none."""
    an_evening(clubs[0])
    ends = sql.SQL("UPDATE {} SET ended_at = now() WHERE slug = 'herbst'").format(
        sql.Identifier(clubs[0].schema, "tournaments_tournament")
    )
    forget = sql.SQL("ALTER FUNCTION {} RESET search_path").format(
        sql.Identifier(clubs[0].schema, "refuse_end_in_play")
    )
    with psycopg.connect(citus.url) as worker:
        with pytest.raises(psycopg.errors.CheckViolation), worker.transaction():
            worker.execute(ends)
        worker.execute(forget)
        with pytest.raises(psycopg.errors.UndefinedTable):
            worker.execute(ends)


# --- an evening ----------------------------------------------------------------------------------------------------


def test_an_evening_is_played_and_deleted(clubs: tuple[Club, Club]) -> None:
    table = an_evening(clubs[1])
    with in_club(clubs[1]):
        phone = Phone(table)
        assert [phone.send(stroke()) for _ in range(3)] == [200] * 3
        assert everything()
        delete_tournament(Tournament.objects.get(slug="herbst"), typed="Preisschnauzen", by="leitung", at=AT)
        assert not Tournament.objects.filter(slug="herbst").exists()


def test_logs_are_append_only_until_a_message_to_the_workers_says_otherwise(
    clubs: tuple[Club, Club], sent: list[str]
) -> None:
    with in_club(clubs[0]):
        SecurityEvent.objects.create(kind="logged_in", at=AT)
        with pytest.raises(IntegrityError, match="append-only"):
            SecurityEvent.objects.all().delete()
        sent.clear()
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL schnauz.trim = 'on'")
            SecurityEvent.objects.all().delete()
    assert sent[0].endswith("; SET LOCAL citus.propagate_set_commands = 'local'")
    assert sent[1] == "SET LOCAL schnauz.trim = 'on'"


def test_a_person_is_erased_and_the_backup_brings_the_club_back(
    clubs: tuple[Club, Club], tmp_path: Path
) -> None:
    with in_club(clubs[0]):
        before = everything()
        told("backup", "--to", str(tmp_path))
        erase_from_club(Person.objects.get(member_number="17").key, by="x", at=AT)
        assert everything() != before
    copy = create_club("copy", "Kopie", at=AT, backup=latest(tmp_path)).club
    with in_club(copy):
        assert everything() == before
    told("archive_club", "copy")
    told("delete_club", "copy", "--yes", "copy")


def test_a_worker_hears_when_to_check_its_keys(clubs: tuple[Club, Club], sent: list[str]) -> None:
    """Citus sends no SET CONSTRAINTS. The control: until then a broken key is let pass."""
    said = "SELECT set_constraints(%s), count(*) FROM django_migrations"
    with in_club(clubs[0]):
        with transaction.atomic():
            _break_a_key()
            transaction.set_rollback(True)
        with transaction.atomic():
            _break_a_key()
            with pytest.raises(IntegrityError):
                ask("SELECT set_constraints('IMMEDIATE'), count(*) FROM django_migrations")
            transaction.set_rollback(True)
        sent.clear()
        with transaction.atomic():
            connection.check_constraints()
    assert [message for message in sent if "constraints" in message.lower()] == [
        said,
        "SET CONSTRAINTS ALL IMMEDIATE",
        said,
        "SET CONSTRAINTS ALL DEFERRED",
    ]


def _break_a_key() -> None:
    ask("INSERT INTO auth_group_permissions (group_id, permission_id) VALUES (0, 0) RETURNING id")


def test_a_backup_of_the_first_version_becomes_a_club(clubs: tuple[Club, Club]) -> None:
    """Its rows are loaded, and then the tables are altered in the same transaction."""
    copy = create_club("copy", "Kopie", at=AT, backup=BACKUP).club
    with in_club(copy):
        assert Tournament.objects.exists()
    told("archive_club", "copy")
    told("delete_club", "copy", "--yes", "copy")


def test_rows_that_a_worker_refuses_are_refused(clubs: tuple[Club, Club]) -> None:
    """The coordinator tells the sentence of a worker with the code of an internal error. Others are no matter of the rows."""
    raising = "DO $$ BEGIN RAISE 'a key is there already' USING ERRCODE = '{}'; END $$"
    for code, raised in (("XX000", UnfitDump), ("XX001", InternalError)):
        with (
            in_club(clubs[0]),
            pytest.raises(raised, match="a key is there already"),
            all_or_nothing(BACKUP),
            connection.cursor() as cursor,
        ):
            cursor.execute(raising.format(code))


# --- made and deleted ----------------------------------------------------------------------------------------------


def test_a_deletion_that_was_interrupted_is_done_by_the_next(
    clubs: tuple[Club, Club], monkeypatch: pytest.MonkeyPatch
) -> None:
    club = create_club("gamma", "Verein gamma", at=AT).club
    archive_club("gamma")
    schemas._drop_tables(club.schema)  # and then the power went
    assert ask(f"SELECT count(*) FROM pg_class WHERE relnamespace = '{club.schema}'::regnamespace") == [(0,)]
    assert "gamma" in slugs()
    delete_club("gamma")
    assert "gamma" not in slugs()
    assert ask(f"SELECT to_regnamespace('{club.schema}')::text") == [(None,)]


def test_the_lists_of_clubs_say_sizes(clubs: tuple[Club, Club]) -> None:
    assert " 0.0 MB" not in told("clubs")


@pytest.mark.parametrize("says", [True, False])
def test_a_variable_that_says_something_else_than_the_database_is_refused(citus: Account, says: bool) -> None:
    with psycopg.connect(citus.url, autocommit=True) as to:
        if says:
            to.execute("ALTER FUNCTION citus_version RENAME TO hidden")
        try:
            with override_settings(CITUS=says), pytest.raises(CommandError, match="CITUS"):
                call_command("clubs")
        finally:
            if says:
                to.execute("ALTER FUNCTION hidden RENAME TO citus_version")
    call_command("clubs")
    assert catalogue.all_clubs() is not None
