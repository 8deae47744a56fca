"""Backups that somebody has changed, on a stick that was lost and came back: refused, and nothing has happened."""

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.migrations.executor import MigrationExecutor
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from scoring.services import restore
from scoring.services.dump_file import UnfitDump
from tests.databases import another_database
from tests.security.tampered import BACKUP, MANIFEST, NO_RIGHT, Dump

ESCAPE = "\x1b]0;mine\x07\x9b2J\u202e"
SEATS, RESULTS = "tournaments_seat", "scoring_seatresult"
WEAK = "short-and-known"


@pytest.fixture(scope="module")
def empty(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Use a database with the tables of the backup, and no rows."""
    with django_db_blocker.unblock(), another_database():
        newest: dict[str, str] = dict(sorted(map(tuple, Dump.read(BACKUP).manifest["migrations"])))
        MigrationExecutor(connection).migrate(list(newest.items()))
        yield


@pytest.fixture
def dump() -> Dump:
    return Dump.read(BACKUP)


def content() -> dict[str, str]:
    """Return a digest of the rows of each table, and one of all roles and functions of the server."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        tables = [name for (name,) in cursor.fetchall()]
        found = {}
        for name in tables:
            cursor.execute(
                sql.SQL("SELECT line::text FROM {} AS line ORDER BY 1").format(sql.Identifier(name))
            )
            found[name] = sha256(repr(cursor.fetchall()).encode()).hexdigest()
        cursor.execute("SELECT oid, proname FROM pg_proc ORDER BY 1")
        found["of the server"] = sha256(repr(cursor.fetchall()).encode()).hexdigest()
    return found


def refusal(file: Path) -> str:
    """Return why a dump is refused; nothing has changed."""
    before = content()
    with pytest.raises(CommandError) as refused:
        call_command("restore", str(file), stdout=io.StringIO())
    assert content() == before
    return str(refused.value)


# --- names that are SQL --------------------------------------------------------------------------------------------


def test_a_column_that_is_sql_runs_no_program(empty: None, dump: Dump, tmp_path: Path) -> None:
    mark = Path("/tmp") / f"{tmp_path.parent.name}-{tmp_path.name}"  # made by the account of the server
    dump.table("tournaments_clubpicture")["columns"] = [f'id") FROM PROGRAM $$touch {mark}; echo$$ --']
    with pytest.raises((CommandError, psycopg.Error)) as refused:
        call_command("restore", str(dump.write(tmp_path / "dump.zip")))
    has_run = mark.exists()
    mark.unlink(missing_ok=True)
    assert not has_run
    assert re.search(r"manifest\.json: \$\.tables\[\d+\]\.columns\[0\]", str(refused.value))


def test_a_table_that_is_sql_makes_nothing(empty: None, dump: Dump, tmp_path: Path) -> None:
    dump.rename(
        "tournaments_clubpicture",
        'tournaments_clubpicture" IN SHARE MODE; CREATE TABLE mine (id int); COMMIT; --',
    )
    before = content()
    with pytest.raises((CommandError, DatabaseError)) as refused:
        call_command("restore", str(dump.write(tmp_path / "dump.zip")))
    after = content()
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS mine")
    assert after == before
    assert re.search(r"manifest\.json: \$\.tables\[\d+\]\.name", str(refused.value))


# --- other tables than those of its migrations -----------------------------------------------------------------------


def _with_a_table_more(dump: Dump) -> None:
    dump.manifest["tables"].append(
        {"name": "django_session", "columns": ["session_key"], "rows": 0, "last_id": None}
    )
    dump.rows["django_session"] = b""


def _with_a_table_of_the_server(dump: Dump) -> None:
    dump.rename("tournaments_clubpicture", "pg_largeobject")


def _with_a_table_twice(dump: Dump) -> None:
    dump.manifest["tables"].append(dict(dump.table(SEATS)))


def _without_a_table(dump: Dump) -> None:
    dump.manifest["tables"].remove(dump.table("tournaments_clubpicture"))
    del dump.rows["tournaments_clubpicture"]


def _without_tables(dump: Dump) -> None:
    dump.manifest["tables"], dump.rows = [], {}


def _with_a_column_more(dump: Dump) -> None:
    dump.table(SEATS)["columns"].append("ctid")


def _with_a_column_twice(dump: Dump) -> None:
    dump.table(SEATS)["columns"].append("id")


def _without_a_column(dump: Dump) -> None:
    dump.table("auth_user")["columns"].remove("is_superuser")


def _of_no_version(dump: Dump) -> None:
    dump.manifest["migrations"].remove(["scoring", "0002_append_only"])


def _of_no_migration(dump: Dump) -> None:
    dump.manifest["migrations"] = []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_with_a_table_more, "its tables are not those of its migrations"),
        (_with_a_table_of_the_server, "its tables are not those of its migrations"),
        (_with_a_table_twice, "its tables are not those of its migrations"),
        (_without_a_table, "its tables are not those of its migrations"),
        (_without_tables, "its tables are not those of its migrations"),
        (_with_a_column_more, "the columns of tournaments_seat are not those of its migrations"),
        (_with_a_column_twice, "the columns of tournaments_seat are not those of its migrations"),
        (_without_a_column, "the columns of auth_user are not those of its migrations"),
        (_of_no_version, "its migrations are those of no version"),
        (_of_no_migration, "its migrations are those of no version"),
    ],
)
def test_other_tables_and_columns_than_those_of_its_migrations_are_refused(
    empty: None, dump: Dump, tmp_path: Path, change: Callable[[Dump], None], said: str
) -> None:
    change(dump)
    file = dump.write(tmp_path / "dump.zip")
    assert refusal(file) == f"{file} is no whole dump of this program ({said}). Take the one before it."


# --- values --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("format", ["schnauz-turnier-dump/1"]),
        ("made_at", 0),
        ("made_at", f"2026-11-21T19:30:00+01:00{ESCAPE}"),
        ("made_at", "2026-11-21T19:30:00"),
        ("public_url", f"http://localhost{ESCAPE}"),
        ("public_url", "javascript:alert(1)"),
        ("public_url", "http://localhost/" + "a" * 10_000),
        ("key", 5),
        ("key", "k" * 10_000),
        ("key", f"{'k' * 50}{ESCAPE}"),
        ("key_fingerprint", "x" * 16),
        ("migrations", "scoring"),
        ("migrations[0]", ["auth"]),
        ("migrations[0]", ["auth", "0001_initial", "more"]),
        ("migrations[0]", ["auth", f"0001_initial{ESCAPE}"]),
        ("tables", {}),
        ("tables[0]", []),
        ("tables[0].name", 5),
        ("tables[0].columns", "id"),
        ("tables[0].rows", "3"),
        ("tables[0].rows", True),
        ("tables[0].rows", 3.0),
        ("tables[0].rows", -1),
        ("tables[0].last_id", "3"),
        ("tables[0].last_id", -1),
        ("more", "a key that nobody knows"),
    ],
)
def test_values_of_another_kind_are_refused(
    empty: None, dump: Dump, tmp_path: Path, place: str, value: object
) -> None:
    *way, last = [
        int(key) if key.isdigit() else key for key in place.replace("[", ".").replace("]", "").split(".")
    ]
    at: Any = dump.manifest
    for key in way:
        at = at[key]
    at[last] = value
    file = dump.write(tmp_path / "dump.zip")
    said = refusal(file)
    assert said.startswith(f"{file} is no whole dump of this program (manifest.json: $.{place}")
    assert said.isprintable()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"format": 1, "format": 2}', "a key is there twice"),
        (b'{"rows": NaN}', "NaN is no JSON"),
        (b'{"rows": 1e999}', "a number too large"),
        (b"[" * 100_000, "maximum recursion depth"),
        (b"{" + b" " * (1 << 20), "its manifest is too large"),
    ],
)
def test_a_manifest_that_two_readers_could_read_differently_is_refused(
    empty: None, dump: Dump, tmp_path: Path, text: bytes, said: str
) -> None:
    dump.members[MANIFEST] = text
    file = dump.write(tmp_path / "dump.zip")
    assert refusal(file).startswith(f"{file} is no whole dump of this program ({said}")


def test_a_key_that_can_be_guessed_is_refused(empty: None, dump: Dump, tmp_path: Path) -> None:
    dump.manifest |= {"key": WEAK, "key_fingerprint": "b5cc9b8c4f1c1bb8"}
    file = dump.write(tmp_path / "dump.zip")
    said = refusal(file)
    assert said.startswith(f"The key in {file} has less than 50 characters")
    assert WEAK not in said


def test_a_key_with_the_digest_of_another_is_refused(empty: None, dump: Dump, tmp_path: Path) -> None:
    dump.manifest |= {"key": "of the finder of the stick, " * 2}
    assert "its key is another one than it says" in refusal(dump.write(tmp_path / "dump.zip"))


# --- the zip file --------------------------------------------------------------------------------------------------


def _with_a_bomb(file: Path, dump: Dump) -> None:
    dump.rows[RESULTS] = bytes(64 << 20)
    dump.write(file)


def _with_a_member_twice(file: Path, dump: Dump) -> None:
    with zipfile.ZipFile(dump.write(file), "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(f"tables/{RESULTS}.copy", b"")


def _with_a_member_more(file: Path, dump: Dump) -> None:
    dump.members["../../secret_key"] = b"mine"
    dump.write(file)


def _in_another_packing(file: Path, dump: Dump) -> None:
    dump.compression = zipfile.ZIP_LZMA
    dump.write(file)


def _encrypted(file: Path, dump: Dump) -> None:
    content = bytearray(dump.write(file).read_bytes())
    content[6] |= 1  # in the header of the first member, and in the directory at the end
    content[content.index(b"PK\x01\x02") + 8] |= 1
    file.write_bytes(content)


def _with_a_directory_too_large(file: Path, dump: Dump) -> None:
    dump.members = {f"{number:05}{'n' * 200}": b"" for number in range(5000)}
    dump.write(file)


@pytest.mark.parametrize(
    ("write", "said"),
    [
        (_with_a_bomb, "unpacked it is too large"),
        (_with_a_member_twice, "a part of it is there twice"),
        (_with_a_member_more, "it holds ../../secret_key"),
        (_in_another_packing, "it is packed in another way"),
        (_encrypted, "it is encrypted"),
        (_with_a_directory_too_large, "a part of it is too large"),
    ],
)
def test_a_file_that_is_no_dump_or_too_large_is_refused(
    empty: None, dump: Dump, tmp_path: Path, write: Callable[[Path, Dump], None], said: str
) -> None:
    file = tmp_path / "dump.zip"
    write(file, dump)
    assert refusal(file) == f"{file} is no whole dump of this program ({said}). Take the one before it."


# --- rows ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "rows", "said"),
    [
        ("tournaments_seat", b"x\t1\t1\t1\t1\t1\n", "invalid input syntax"),
        ("tournaments_seat", b"\\.\n", "0 rows of "),
        ("auth_user_groups", b"1\t1\t1\n", "violates foreign key constraint"),
        ("tournaments_clubpicture", b"1\n", "missing data for column"),
        ("auth_group", f"1\tA{ESCAPE}\t2\n".encode(), "extra data after last expected column"),
        ("auth_group", f"1{ESCAPE}\tA\n".encode(), "invalid input syntax for type integer"),
    ],
)
def test_rows_that_the_database_refuses_leave_nothing_behind(
    empty: None, dump: Dump, tmp_path: Path, table: str, rows: bytes, said: str
) -> None:
    dump.rows[table] = rows
    if b"\\." not in rows:
        dump.table(table)["rows"] = 1
    found = refusal(dump.write(tmp_path / "dump.zip"))
    assert said in found
    assert found.isprintable()


def test_what_no_log_entails_is_restored_and_found(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, dump: Dump, tmp_path: Path
) -> None:
    """Columns and constraints allow another rank; only the log says that it is wrong."""
    columns = dump.table(RESULTS)["columns"]
    rows = [line.split(b"\t") for line in dump.rows[RESULTS].splitlines()]
    rows[0][columns.index("points")] = b"77"
    dump.rows[RESULTS] = b"".join(b"\t".join(row) + b"\n" for row in rows)
    file = dump.write(tmp_path / "dump.zip")
    found = []
    with django_db_blocker.unblock(), another_database():
        call_command("restore", str(file), stdout=io.StringIO())
        with connection.cursor() as cursor:
            cursor.execute("SELECT slug FROM tournaments_tournament")
            slugs = [slug for (slug,) in cursor.fetchall()]
        for slug in slugs:
            out = io.StringIO()
            try:
                call_command("rebuild_results", slug, stdout=out)
            except SystemExit:
                found.append(out.getvalue())
    assert len(found) == 1
    assert "77" in found[0]


# --- the rights of what is loaded ----------------------------------------------------------------------------------


@contextmanager
def loading() -> Iterator[CursorWrapper]:
    """Yield a cursor with the rights with which rows are loaded; afterwards everything is undone."""
    tables = [table["name"] for table in Dump.read(BACKUP).manifest["tables"]]
    with suppress(Undone), restore.all_or_nothing(BACKUP), connection.cursor() as cursor:
        with restore.only_rows_of(cursor, tables):
            yield cursor
        raise Undone


class Undone(Exception):
    """The end of a transaction that is rolled back."""


BEYOND_ROWS = (
    "COPY tournaments_clubpicture FROM PROGRAM 'true'",
    "COPY auth_user TO PROGRAM 'true'",
    "COPY tournaments_clubpicture FROM '/dev/null'",
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT lo_import('PG_VERSION')",
    "CREATE TABLE mine (id int)",
    "CREATE SCHEMA mine",
    "CREATE FUNCTION mine() RETURNS int RETURN 1",
    "CREATE ROLE mine SUPERUSER",
    "ALTER TABLE auth_user DISABLE TRIGGER ALL",
    "DROP TABLE scoring_backupnote",
    "TRUNCATE auth_group CASCADE",
    "SELECT * FROM scoring_backupnote",
    "SELECT * FROM django_migrations",
    "CREATE TRIGGER mine BEFORE INSERT ON auth_user FOR EACH ROW EXECUTE FUNCTION refuse_change()",
    "SET session_replication_role = replica",
)


@pytest.mark.parametrize("statement", BEYOND_ROWS)
def test_an_injected_statement_may_only_change_rows(empty: None, statement: str) -> None:
    with pytest.raises(UnfitDump, match=NO_RIGHT), loading() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("statement", BEYOND_ROWS)
def test_as_the_account_of_the_program_it_would_have_succeeded(empty: None, statement: str) -> None:
    """The control of the test above."""
    with suppress(Undone), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
        raise Undone


def test_nothing_is_left_of_the_role_that_loads(empty: None) -> None:
    with loading() as cursor:
        cursor.execute("SELECT current_user")
        (name,) = cursor.fetchone()
        assert name.startswith("schnauz_loading_")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_roles WHERE rolname LIKE 'schnauz_loading_%%'")
        assert cursor.fetchone() == (0,)


@pytest.fixture
def owner(empty: None) -> Iterator[str]:
    """Work as an account that may make no roles, as the owner of a database at a provider."""
    name = "owner_of_a_database"
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(name)))
        cursor.execute(sql.SQL("SET SESSION AUTHORIZATION {}").format(sql.Identifier(name)))
        yield name
        cursor.execute("RESET SESSION AUTHORIZATION")
        cursor.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


def test_an_account_that_may_make_no_role_loads_by_itself(owner: str) -> None:
    with loading() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == (owner,)
    with pytest.raises(UnfitDump, match=NO_RIGHT), loading() as cursor:
        cursor.execute("COPY tournaments_clubpicture FROM PROGRAM 'true'")


def test_an_account_that_runs_programs_and_may_make_no_role_restores_nothing(owner: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("RESET SESSION AUTHORIZATION")
        cursor.execute(sql.SQL("GRANT pg_execute_server_program TO {}").format(sql.Identifier(owner)))
        cursor.execute(sql.SQL("SET SESSION AUTHORIZATION {}").format(sql.Identifier(owner)))
    with pytest.raises(UnfitDump, match="give it CREATEROLE"), loading():
        pytest.fail("nothing is loaded")
