"""Thousands of changed dumps and documents for one club: each is refused or taken, and nothing else happens.

FUZZED_FILES sets how many there are. The statements are those that the log of a server of its own says, and what may be
among them is what the same files, unchanged, make the program send.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

import psycopg
import pytest
from django.db import connection, transaction
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from schnauz_turnier.clubs.catalogue import ClubRefusal
from schnauz_turnier.clubs.changes import archive_club, create_club, delete_club
from schnauz_turnier.postgresql.database import Address
from schnauz_turnier.postgresql.embedded.cluster import SUPERUSER, Cluster
from scoring.documents import import_tournament
from scoring.services import dump as dumps
from scoring.services import restore
from scoring.services.dump_file import UnfitDump, read_manifest
from tests.clubs.conftest import Account, hosting_here
from tests.data_dirs import copy_data_dir, empty_data_dir
from tests.factories import AT
from tests.faults.house import wait_until
from tests.ports import free_port
from tests.scoring.evenings import evening, simple_evening, text_of
from tests.security.mutations import changed_document, changed_manifest, changed_rows
from tests.security.tampered import Dump
from tests.upgrades.releases import DOCUMENTS, HERE, kept_releases
from tournaments.core.document_reader import DocumentError
from tournaments.core.refusal import Refusal
from tournaments.current_club import Club, in_club

FILES = int(os.environ.get("FUZZED_FILES", "300"))
ACCOUNT = "fuzzed_clubs"
MADE_WHOLE = 100
"""One in so many dumps becomes a club, from the catalogue to its deletion; the others are loaded into an empty one."""


class Undone(Exception):
    """The end of a transaction that is rolled back."""


# --- what the server says --------------------------------------------------------------------------------------------

_RECORD = re.compile(r"\d{4}-\d\d-\d\d [^\[]*\[\d+\] LOG:  (?:statement|execute [^:]*): (.*)", re.DOTALL)
_MARK = re.compile(r"SELECT 'mutation (\d+)'")
_NORMAL = (
    (re.compile(r"E?'(?:[^'\\]|''|\\.)*'", re.DOTALL), "?"),
    (re.compile(r"\b(?:club_\w+_[0-9a-f]{8}(?:_closed)?|schnauz_loading_[0-9a-f]{16})\b"), "name"),
    (re.compile(r'"s\d+_x\d+"'), "savepoint"),
    (re.compile('^SET LOCAL ROLE "name"; SET LOCAL search_path TO "name", pg_temp; '), ""),
    (re.compile(r"\b(?:NULL|true|false)\b", re.IGNORECASE), "?"),
    (re.compile(r"-?\b\d+(?:\.\d+)?\b"), "?"),
    (re.compile(r"::\w+(?: with time zone)?(?:\[\])?"), ""),
    (re.compile(r"\s+"), " "),
    (re.compile(r"\( "), "("),
    (re.compile(r"\?(?:, \?)+"), "?"),
    (re.compile(r"\((?:\(\?\)|\?)\)(?:, \((?:\(\?\)|\?)\))*"), "(?)"),
    (re.compile(r"\(\?\)(?:, \(\?\))+"), "(?)"),
)


_NAMES = re.compile(r'"\w+"(?:, "\w+")+')
"""Lists of tables and columns, which a manifest may have in any order."""
_ENDS = {"ROLLBACK", "ROLLBACK TO SAVEPOINT savepoint"}
"""How a file ends that is refused, as no unchanged one is."""


def normal(statement: str) -> str:
    """Return a statement without its values and the names of clubs and roles."""
    for pattern, instead in _NORMAL:
        statement = pattern.sub(instead, statement)
    return _NAMES.sub(lambda names: ", ".join(sorted(names[0].split(", "))), statement).strip()


@dataclass(frozen=True, slots=True)
class Log:
    """The log of the server, which writes at the end of the file."""

    file: Path

    def statements(self) -> Iterator[tuple[int | None, str]]:
        """Yield each normalised statement, and the number of the file before it. Afterwards the log is empty."""
        number, seen = None, dict[str, str]()
        text = self.file.read_text(encoding="utf-8", errors="replace")
        os.truncate(self.file, 0)
        for record in re.split(r"\n(?!\t)", text):
            if not (found := _RECORD.fullmatch(record)):
                continue
            if mark := _MARK.match(found[1]):
                number = int(mark[1])
                continue
            if found[1] not in seen:
                seen[found[1]] = normal(found[1].replace("\n\t", "\n"))
            yield number, seen[found[1]]


# --- the server with its clubs ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class House:
    """A server with two clubs: files go into the target, and nothing of the other may change. known: statements."""

    server: psycopg.Connection[tuple[object, ...]]
    log: Log
    target: Club
    other: Club
    dump: Dump
    documents: list[str]
    known: set[str]

    def outside(self) -> str:
        """Return a digest of the other club, the catalogue, and the roles, schemas and functions of the server."""
        found = []
        for schema in (self.other.schema, "catalogue", "public"):
            tables = self.server.execute(
                "SELECT relname, relacl::text FROM pg_class WHERE relkind = 'r' "
                "AND relnamespace = to_regnamespace(%s) ORDER BY 1",
                [schema],
            ).fetchall()
            found.append((schema, tables))
            for name, _rights in tables:
                lines = sql.SQL("SELECT line::text FROM {} AS line ORDER BY 1").format(
                    sql.Identifier(schema, str(name))
                )
                found.append((str(name), self.server.execute(lines).fetchall()))
        for question in (
            "SELECT oid, rolname, rolsuper, rolcreaterole, rolcanlogin FROM pg_roles ORDER BY 1",
            "SELECT roleid, member FROM pg_auth_members ORDER BY 1, 2",
            "SELECT nspname, nspacl::text FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp' ORDER BY 1",
            "SELECT oid, proname, prosrc FROM pg_proc ORDER BY 1",
            "SELECT tgrelid, tgname, tgenabled::text FROM pg_trigger ORDER BY 1, 2",
            "SELECT datname FROM pg_database ORDER BY 1",
            "SELECT oid FROM pg_largeobject_metadata",
        ):
            found += [(question, self.server.execute(question).fetchall())]
        return sha256(repr(found).encode()).hexdigest()


@pytest.fixture(scope="module")
def house(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    folder = copy_data_dir(empty_data_dir(), tmp_path_factory.mktemp("fuzzed") / "data")
    here = Address(
        "127.0.0.1",
        free_port(),
        SUPERUSER,
        (folder / "database.password").read_text(encoding="utf-8").strip(),
    )
    with serving(folder, here) as log, django_db_blocker.unblock():
        yield from a_house(here, log, tmp_path_factory.mktemp("files"))


@contextmanager
def serving(folder: Path, here: Address) -> Iterator[Log]:
    """Run the server of a DATA_DIR without its supervisor, which begins a long log anew."""
    file = folder / "statements.log"
    with file.open("a", encoding="utf-8") as log:
        server = Cluster.at(folder / "cluster").start(here.port, log)
        try:
            assert wait_until(lambda: _answers(here))
            yield Log(file)
        finally:
            server.stop()


def _answers(here: Address) -> bool:
    with suppress(psycopg.OperationalError):
        psycopg.connect(dbname="postgres", **here.parameters).close()  # type: ignore[arg-type]
        return True
    return False


def a_house(here: Address, log: Log, folder: Path) -> Iterator[House]:
    account = Account(ACCOUNT, "secret", here.host, here.port)
    with psycopg.connect(dbname="postgres", autocommit=True, **here.parameters) as server:  # type: ignore[arg-type]
        name = sql.Identifier(ACCOUNT)
        server.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEROLE NOINHERIT PASSWORD 'secret'").format(name))
        server.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(name, name))
        server.execute(sql.SQL("ALTER ROLE {} SET log_statement = 'all'").format(name))
        server.execute(sql.SQL("ALTER ROLE {} SET synchronous_commit = off").format(name))
    with (
        hosting_here(account),
        psycopg.connect(dbname=ACCOUNT, autocommit=True, **here.parameters) as server,  # type: ignore[arg-type]
    ):
        yield with_clubs(server, log, folder)


def with_clubs(server: psycopg.Connection[tuple[object, ...]], log: Log, folder: Path) -> House:
    source, target, other = (create_club(slug, slug, at=AT).club for slug in ("source", "target", "other"))
    released = [(HERE / release / name).read_text() for release in kept_releases() for name in DOCUMENTS]
    documents = [*released, *(text_of(evening(seed, f"evening-{seed}")) for seed in range(20))]
    documents.append(text_of(simple_evening("simple")))
    for club in (source, other):
        with in_club(club):
            for document in documents[:2]:
                import_tournament(document, at=AT)
    file = folder / "untampered.zip"
    with in_club(source), dumps.snapshot(), file.open("xb") as out:
        dumps.dump(out, key=source.key, with_key=True, public_url=source.origin, at=AT)
    list(log.statements())
    house = House(server, log, target, other, Dump.read(file), documents, set(_ENDS))
    for document in documents:
        assert take_document(house, document)
    assert take_dump(house, file, whole=False)
    assert take_dump(house, file, whole=True)
    house.known.update(statement for _number, statement in log.statements())
    return house


# --- what is done with a file ----------------------------------------------------------------------------------------


def take_document(house: House, text: str) -> bool:
    """Return whether the document is imported; everything is undone."""
    with in_club(house.target):
        try:
            with transaction.atomic():
                import_tournament(text, at=AT)
                connection.check_constraints()
                raise Undone
        except Undone:
            return True
        except (DocumentError, Refusal):
            return False


def take_dump(house: House, file: Path, *, whole: bool) -> bool:
    """Return whether the dump is restored; everything is undone. whole: into a club that is made from it."""
    try:
        if whole:
            create_club("made", "made", at=AT, backup=file)
            archive_club("made")
            delete_club("made")
            return True
        manifest = read_manifest(file)
        with in_club(house.target), restore.all_or_nothing(file):
            restore.load(file, manifest)
            raise Undone
    except Undone:
        return True
    except (UnfitDump, ClubRefusal):
        return False


def mark(number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 'mutation {number}'")


def fuzz(house: House, kind: str, take: Callable[[Random, int], bool]) -> list[bool]:
    """Let so many changed files be taken, each by a chance of its own; return which ones were."""
    before = house.outside()
    list(house.log.statements())  # of a test that has failed
    taken, unknown = [], dict[str, int | None]()
    for number in range(FILES // 3 + 1):
        mark(number)
        try:
            taken.append(take(Random(f"{kind} {number}"), number))
        except Exception as error:
            raise AssertionError(f"{kind} {number}") from error
        if number % 50 == 0 or number == FILES // 3:
            unknown |= {said: at for at, said in house.log.statements() if said not in house.known}
    assert unknown == {}
    assert house.outside() == before
    return taken


@pytest.mark.parametrize("change", [changed_manifest, changed_rows])
def test_a_changed_dump_is_refused_or_restored_and_nothing_else_happens(
    house: House, tmp_path: Path, change: Callable[[Dump, Path, Random], None]
) -> None:
    file = tmp_path / "dump.zip"

    def take(chance: Random, number: int) -> bool:
        change(house.dump.copy(), file, chance)
        return take_dump(house, file, whole=number % MADE_WHOLE == 0)

    taken = fuzz(house, change.__name__, take)
    assert 0 < sum(taken) < len(taken)


def test_a_changed_document_is_refused_or_imported_and_nothing_else_happens(house: House) -> None:
    def take(chance: Random, _number: int) -> bool:
        return take_document(house, changed_document(chance.choice(house.documents), chance))

    taken = fuzz(house, "document", take)
    assert 0 < sum(taken) < len(taken)


def test_another_statement_and_a_change_outside_are_found(house: House) -> None:
    """The control."""
    before = house.outside()
    with in_club(house.target), suppress(Undone), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("TABLE auth_user")
        raise Undone
    assert [found for _number, found in house.log.statements() if found not in house.known] == [
        "TABLE auth_user"
    ]
    with in_club(house.other), connection.cursor() as cursor:
        cursor.execute("UPDATE tournaments_tournament SET name = 'stolen'")
    assert house.outside() != before
