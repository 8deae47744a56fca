"""Clubs are made, closed, deleted, migrated, taken home; what went wrong leaves everything as it was."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, ProgrammingError, connection, transaction
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from psycopg import sql
from pytest_django import DjangoAssertNumQueries

from schnauz_turnier.clubs import catalogue, recordings, schemas
from schnauz_turnier.clubs.catalogue import ClubRefusal
from schnauz_turnier.clubs.changes import clubs_are_current, create_club, is_due
from schnauz_turnier.clubs.ending import move_out, reopen
from scoring.documents import dump as document
from scoring.documents import export_tournament
from scoring.services import dump
from scoring.services.backup import latest
from scoring.services.dump_file import read_manifest
from scoring.services.purge import erase_from_club
from tests.clubs.conftest import Account
from tests.clubs.test_engine import NewClub
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.races import while_uncommitted
from tests.scoring.a_club import a_club, everything
from tournaments import links
from tournaments.current_club import Club, in_club, signing_key
from tournaments.models import Person, Table, Tournament

pytestmark = pytest.mark.usefixtures("hosting")


def told(command: str, *arguments: str) -> str:
    out = StringIO()
    call_command(command, *arguments, stdout=out)
    return out.getvalue()


def listed(slug: str) -> dict[str, Any]:
    lines = [json.loads(line) for line in told("clubs", "--json", "--now").splitlines()]
    return next(line for line in lines if line["slug"] == slug)


def slugs() -> list[str]:
    return [entry.slug for entry in catalogue.all_clubs()]


def of(slug: str) -> Club:
    return catalogue.club_of(slug).club


# --- made and deleted ----------------------------------------------------------------------------------------------


def test_from_the_first_link_to_the_deletion() -> None:
    said = told("create_club", "tarock-09", "--name", "Tarockfreunde 09")
    assert "https://tarock-09.example.org/account/setup/#" in said
    assert (
        listed("tarock-09").items()
        >= {
            "slug": "tarock-09",
            "name": "Tarockfreunde 09",
            "state": "open",
            "tournaments": 0,
            "behind": 0,
        }.items()
    )
    told("club", "tarock-09", "practice_tournament")
    assert listed("tarock-09")["tournaments"] == 1
    schema = of("tarock-09").schema

    with pytest.raises(CommandError, match="delete_club tarock-09 --yes tarock-09"):
        told("delete_club", "tarock-09")
    with pytest.raises(CommandError, match="archive_club tarock-09"):
        told("delete_club", "tarock-09", "--yes", "tarock-09")
    told("archive_club", "tarock-09")
    assert listed("tarock-09")["tournaments"] == 1
    told("archive_club", "tarock-09", "--open")
    told("archive_club", "tarock-09")
    told("delete_club", "tarock-09", "--yes", "tarock-09")
    assert slugs() == []
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_namespace WHERE nspname = %s", [schema])
        assert cursor.fetchone() == (0,)
        cursor.execute("SELECT count(*) FROM pg_roles WHERE rolname = %s", [schema])
        assert cursor.fetchone() == (0,)


@pytest.mark.parametrize("slug", ["", "A", "ä", "a b", "a.b", "-a", "a-", "a--b", "a" * 41, "a/../b"])
def test_a_slug_that_is_no_part_of_an_address_is_refused(slug: str) -> None:
    with pytest.raises(ClubRefusal, match="no slug"):
        create_club(slug, "Name", at=AT)
    assert slugs() == []


def test_a_second_club_of_a_name_is_refused_and_the_first_is_untouched(new_club: NewClub) -> None:
    club = new_club("alpha")
    with pytest.raises(CommandError, match="already"):
        told("create_club", "alpha")
    assert of("alpha") == club
    with in_club(club):
        assert Tournament.objects.count() == 0


def test_a_club_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"no dump")
    with pytest.raises(CommandError, match=r"broken\.zip"):
        told("create_club", "alpha", "--from", str(broken))
    assert slugs() == []


def test_a_club_that_is_being_deleted_can_no_longer_be_opened(
    new_club: NewClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_club("alpha")
    move_out("alpha", address="", code="CODE")
    drop, opened = schemas.drop, []

    def drop_while_its_owner_opens_it(schema: str) -> None:
        opened.append(reopen("CODE"))
        drop(schema)

    monkeypatch.setattr(schemas, "drop", drop_while_its_owner_opens_it)
    told("delete_club", "alpha", "--yes", "alpha")
    assert (opened, slugs()) == ([None], [])


def test_an_installation_of_one_club_says_so() -> None:
    with override_settings(CLUBS=None), pytest.raises(CommandError, match="set CLUBS"):
        told("create_club", "alpha")


@pytest.fixture
def another_version(hosting: Account) -> Iterator[None]:
    """Let this process be of a version of which nobody has made a club."""
    with override_settings(VERSION="9.9"):
        yield
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM catalogue.recording WHERE program <> %s", [recordings.this_program()])


@pytest.mark.usefixtures("another_version")
def test_the_tables_of_the_second_club_are_those_of_migrations(new_club: NewClub) -> None:
    """Of those of this version: the program uses no statements of another one."""
    with override_settings(VERSION="9.8"):
        recordings.keep(["CREATE TABLE of_another_version ()"])
    assert recordings.recorded_statements() == []
    migrated = everything_in(new_club("alpha"))
    assert schemas.migrations_behind(of("alpha")) == 0
    assert recordings.recorded_statements() != []
    assert not any("of_another_version" in statement for statement in recordings.recorded_statements())
    repeated = everything_in(new_club("beta"))
    assert clubs_are_current()
    assert repeated == migrated
    assert {name: len(rows) > 10 for name, rows in migrated.items()} == dict.fromkeys(
        (*ASPECTS, "rows"), True
    )
    with in_club(of("beta")), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournaments_tournament ALTER place SET DEFAULT 'x'")
        cursor.execute("DROP TRIGGER append_only_rows ON scoring_sheetentry")
    altered = everything_in(of("beta"))
    assert {name for name, rows in altered.items() if rows != migrated[name]} == {"columns", "triggers"}


def test_a_club_that_is_not_the_first_of_a_version_is_made_in_one_message(new_club: NewClub) -> None:
    with CaptureQueriesContext(connection) as queries:
        club = new_club("beta")
    making = [query["sql"] for query in queries if "CREATE TABLE" in query["sql"]]
    assert len(making) == 1
    assert len(queries) < 25
    with in_club(club), connection.cursor() as cursor:
        cursor.execute("SELECT min(applied) > now() - interval '1 minute' FROM django_migrations")
        assert cursor.fetchone() == (True,)


OF_THIS_SCHEMA = "relnamespace = current_schema()::regnamespace"
ASPECTS = {
    "relations": f"SELECT relname, relkind, relpersistence, reltoastrelid <> 0, reloptions, relacl::text FROM pg_class WHERE {OF_THIS_SCHEMA}",
    "columns": "SELECT relname, relkind, attnum, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, "
    "pg_get_expr(adbin, adrelid) FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 "
    f"LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE {OF_THIS_SCHEMA}",
    "constraints": "SELECT conname, conrelid::regclass::text, condeferrable, condeferred, convalidated, pg_get_constraintdef(oid) "
    "FROM pg_constraint WHERE connamespace = current_schema()::regnamespace",
    "indexes": "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()",
    "sequences": "SELECT sequencename, data_type, start_value, increment_by, last_value FROM pg_sequences "
    "WHERE schemaname = current_schema()",
    "triggers": "SELECT pg_get_triggerdef(pg_trigger.oid), tgenabled FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    f"WHERE NOT tgisinternal AND {OF_THIS_SCHEMA}",
    "functions": "SELECT pg_get_functiondef(oid), proacl::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace",
}


def everything_in(club: Club) -> dict[str, list[str]]:
    """Return what is in the schema of a club, sorted, with the same name for each schema."""
    with in_club(club), connection.cursor() as cursor:
        contents = {}
        for name, query in ASPECTS.items():
            cursor.execute(query)
            contents[name] = sorted(str(row).replace(club.schema, "THE CLUB") for row in cursor.fetchall())
        contents["rows"] = []
        for table in connection.introspection.table_names(cursor):
            moments = "applied" if table == "django_migrations" else ""
            cursor.execute(
                sql.SQL("SELECT (to_jsonb(a_row) - {})::text FROM {} a_row").format(
                    moments, sql.Identifier(table)
                )
            )
            contents["rows"] += sorted(f"{table} {row}" for (row,) in cursor.fetchall())
    return contents


# --- migrated ------------------------------------------------------------------------------------------------------


def test_a_club_that_fails_stops_no_other_and_can_be_done_later(new_club: NewClub, hosting: Account) -> None:
    clubs = [new_club(slug) for slug in ("alpha", "beta", "gamma")]
    for club in clubs[:2]:
        told("club", club.slug, "migrate", "scoring", "0010")
    assert not clubs_are_current()
    what_its_migration_makes = "open_sheet(bigint, boolean, uuid[], text, bigint)"
    with in_club(clubs[0]), connection.cursor() as cursor:
        cursor.execute(f"DROP FUNCTION {what_its_migration_makes}")
        cursor.execute(f"CREATE FUNCTION {what_its_migration_makes} RETURNS text RETURN NULL::text")
    behind = schemas.migrations_behind(clubs[0])
    assert [listed(club.slug)["behind"] for club in clubs] == [behind, behind, 0]
    assert behind

    out = StringIO()
    with hosting.environment(), pytest.raises(CommandError, match="1 failed"):
        call_command("migrate_clubs", "--jobs", "2", stdout=out)
    assert "1 of 2 migrated, 1 left as they were" in out.getvalue()
    assert [listed(club.slug)["behind"] for club in clubs] == [behind, 0, 0]

    with in_club(clubs[0]), connection.cursor() as cursor:
        cursor.execute(f"DROP FUNCTION {what_its_migration_makes}")
    assert "1 of 1 migrated, 2 left as they were" in told("migrate_clubs", "alpha")
    assert [listed(club.slug)["behind"] for club in clubs] == [0, 0, 0]
    assert clubs_are_current()


def test_a_club_that_cannot_even_be_asked_stops_no_other(new_club: NewClub) -> None:
    alpha, _beta = (new_club(slug) for slug in ("alpha", "beta"))
    told("club", "beta", "migrate", "scoring", "0010")
    catalogue.write_catalogue(
        "UPDATE catalogue.club SET schema_name = 'gone', migrations = '' WHERE slug = 'alpha'"
    )
    out = StringIO()
    with pytest.raises(CommandError, match="1 failed"):
        call_command("migrate_clubs", "--jobs", "1", stdout=out)
    assert "alpha: " in out.getvalue()
    assert "1 of 2 migrated, 0 left as they were" in out.getvalue()
    catalogue.write_catalogue("UPDATE catalogue.club SET schema_name = %s WHERE slug = 'alpha'", alpha.schema)


def test_a_migration_that_fails_half_way_is_not_taken_for_current(new_club: NewClub) -> None:
    club = new_club("alpha")
    with in_club(club), connection.cursor() as cursor:
        cursor.execute("DROP TABLE scoring_honour CASCADE")
    with pytest.raises(ProgrammingError):
        told("club", "alpha", "migrate", "scoring", "zero")
    assert not clubs_are_current()


def test_clubs_that_are_up_to_date_are_not_asked_whether_they_are(
    new_club: NewClub, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for slug in ("alpha", "beta", "gamma"):
        new_club(slug)
    with django_assert_num_queries(2):  # whether the catalogue is there, and what is in it
        assert "0 of 0 migrated, 3 left as they were" in told("migrate_clubs")
    catalogue.note_migrations("beta", "")  # of a catalogue of version 1.0
    assert not clubs_are_current()
    assert not is_due(catalogue.club_of("beta"))
    assert clubs_are_current()


def test_a_catalogue_of_version_1_0_goes_on_unless_a_club_is_on_another_server(new_club: NewClub) -> None:
    new_club("alpha")
    with connection.cursor() as cursor:
        cursor.execute("COMMENT ON SCHEMA catalogue IS NULL")
        cursor.execute("ALTER TABLE catalogue.club DROP COLUMN migrations, DROP COLUMN is_listed")
        cursor.execute("DROP TABLE catalogue.measured")
        cursor.execute("ALTER TABLE catalogue.club ADD COLUMN server varchar(63) NOT NULL DEFAULT 'north'")
    with pytest.raises(CommandError, match=r"another server.*alpha.*move_club"):
        told("clubs")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE catalogue.club SET server = 'default'")
    assert [listed("alpha")["behind"], slugs()] == [0, ["alpha"]]
    new_club("beta")
    assert clubs_are_current()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE catalogue.club DROP COLUMN server")


def test_two_commands_at_once_make_one_catalogue(hosting: Account) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA catalogue CASCADE")
    assert while_uncommitted(catalogue.create_catalogue, catalogue.create_catalogue) == [None]
    assert slugs() == []


# --- from home and back home ---------------------------------------------------------------------------------------


def an_evening(club: Club, slug: str = "herbst", **of_players: Any) -> Table:
    with in_club(club):
        tournament = TournamentFactory.create(slug=slug)
        ParticipantFactory.create_batch(5, tournament=tournament, **of_players)
        return a_round(tournament).tables.get()


def exported(club: Club) -> str:
    with in_club(club):
        return document(export_tournament(Tournament.objects.get(slug="herbst")))


def stroke() -> dict[str, Any]:
    made = {
        "kind": "stroke",
        "data": {"seat_number": 1, "mark": "schnauz"},
        "made_at": "2026-11-21T19:30:00Z",
    }
    return {"id": str(uuid4()), **made}


class Phone:
    """A scribe's phone. It keeps its cookie."""

    def __init__(self, table: Table) -> None:
        self._client = Client()
        assert self._post("enter", {"secret": links.sheet_secret(table.pk, table.link_version)}) == 200
        self._post("pen", {})

    def send(self, entry: dict[str, Any]) -> int:
        return self._post("entries", {"pen_epoch": 1, "entries": [entry]})

    def _post(self, path: str, body: dict[str, Any]) -> int:
        return self._client.post(f"/s/{path}", body, content_type="application/json").status_code


def test_from_a_laptop_into_a_club_and_home_again(new_club: NewClub, tmp_path: Path) -> None:
    """The laptop is a schema of its own here; its key comes in its backup, as that of a club does."""
    laptop = new_club("laptop")
    table = an_evening(laptop)
    whole = exported(laptop)
    with in_club(laptop):
        secret = links.sheet_secret(table.pk, 1)
        phone = Phone(table)
        file = tmp_path / "laptop.zip"
        with dump.snapshot(), file.open("xb") as out:
            dump.dump(out, key=signing_key(), with_key=True, public_url="", at=AT)
    told("archive_club", "laptop")
    told("delete_club", "laptop", "--yes", "laptop")

    club = new_club("alpha", backup=file)
    assert (club.key, exported(club)) == (laptop.key, whole)
    with in_club(club):
        assert links.sheet_secret(table.pk, 1) == secret
        assert phone.send(stroke()) == 200
        (tmp_path / "home").mkdir()
        with override_settings(BACKUP_WITH_KEY=True):
            told("backup", "--to", str(tmp_path / "home"))
        whole = exported(club)
    [home] = (tmp_path / "home").glob("*.zip")
    assert read_manifest(home).key == club.key
    new_club("laptop", backup=home)
    assert exported(of("laptop")) == whole


def test_people_series_and_honours_go_home_and_back_beside_a_club_of_the_same_people(
    new_club: NewClub, tmp_path: Path
) -> None:
    alpha, beta = new_club("alpha"), new_club("beta")
    for club in (alpha, beta):
        with in_club(club):
            a_club()
    with in_club(beta):
        others = everything()
    with in_club(alpha):
        before = everything()
        assert before["club"] != others["club"]
    for number, slug in enumerate(("laptop", "back", "again")):
        (folder := tmp_path / str(number)).mkdir()
        with in_club(alpha):
            told("backup", "--to", str(folder))
            erase_from_club(Person.objects.get(member_number="17").key, by="x", at=AT)
            assert everything() != before
        alpha = new_club(slug, backup=latest(folder))
        with in_club(alpha):
            assert everything() == before
        assert [file.read_text() for file in folder.glob("*.club.json")] == [before["club"]]
    with in_club(beta):
        assert everything() == others


def test_a_copy_of_a_club_gets_a_key_of_its_own(new_club: NewClub, tmp_path: Path) -> None:
    club = new_club("alpha")
    with in_club(club), dump.snapshot(), (tmp_path / "alpha.zip").open("xb") as out:
        dump.dump(out, key=signing_key(), with_key=True, public_url="", at=AT)
    assert new_club("copy", backup=tmp_path / "alpha.zip").key != club.key


def test_keys_are_of_one_club_and_of_this_installation(new_club: NewClub) -> None:
    alpha, beta = new_club("alpha"), new_club("beta")
    with override_settings(SECRET_KEY="another" * 10):
        elsewhere = of("alpha").key
    assert len({alpha.key, beta.key, elsewhere}) == 3
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT * FROM catalogue.club")
        assert alpha.key not in repr(cursor.fetchall())


# --- what a process knows ------------------------------------------------------------------------------------------


def test_while_the_catalogue_fails_cached_entries_count(
    new_club: NewClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = new_club("alpha")
    directory = catalogue.Directory()
    monkeypatch.setattr(catalogue, "KEPT", -1.0)  # so it has to ask each time
    assert directory.find("alpha") == catalogue.club_of("alpha")
    assert directory.cached("alpha") is None
    connection.close()
    with connection_refused():
        entry = directory.find("alpha")
        assert entry is not None
        assert entry.club == club
        with pytest.raises(OperationalError):
            directory.find("never-asked")


@contextmanager
def connection_refused() -> Iterator[None]:
    port = connection.settings_dict["PORT"]
    connection.settings_dict["PORT"] = 1
    try:
        yield
    finally:
        connection.settings_dict["PORT"] = port
