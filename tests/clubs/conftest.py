"""An installation of many clubs: a database of an account that may make roles, and nothing else, as docs/hosting.md says."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, connections
from django.test import Client, override_settings
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from schnauz_turnier.clubs import catalogue, maintenance, recordings, schemas
from schnauz_turnier.clubs.catalogue import OPERATOR, State, all_clubs, create_catalogue
from schnauz_turnier.clubs.changes import archive_club, create_club, create_operator, delete_club
from tests.clubs.citus import refused
from tests.conftest import found_once
from tests.factories import AT
from tests.security.conftest import Server, serving
from tests.security.installation import logged_in
from tournaments.current_club import Club, current_club, in_club


@dataclass(frozen=True, slots=True)
class Account:
    """The account of the program. Its database has the same name."""

    name: str
    password: str
    host: str
    port: int

    @property
    def url(self) -> str:
        return f"postgres://{self.name}:{self.password}@{quote(self.host, safe='')}:{self.port}/{self.name}"

    def variables(self, clubs: str = "hosts") -> dict[str, str]:
        """Return the environment of a process that serves these clubs."""
        return {
            "CLUBS": clubs,
            "DATABASE_URL": self.url,
            "SECRET_KEY": settings.SECRET_KEY,
        }

    @contextmanager
    def environment(self, clubs: str = "hosts", **more: str) -> Iterator[None]:
        """Give the processes that are started inside the block the same clubs."""
        with pytest.MonkeyPatch.context() as patched:
            for name, value in (self.variables(clubs) | more).items():
                patched.setenv(name, value)
            yield

    @contextmanager
    def serving(self, application: str, clubs: str = "paths", **more: str) -> Iterator[Server]:
        """Serve the clubs by another process, which alone has their environment."""
        with ExitStack() as stack:
            with self.environment(clubs, **more):
                server = stack.enter_context(serving(application, self.url))
            yield server

    @contextmanager
    def another_connection(self, club: Club) -> Iterator[psycopg.Connection[Any]]:
        """Yield a connection in a transaction of this club."""
        with psycopg.connect(self.url) as other:
            role, schema = sql.Identifier(club.role), sql.Identifier(club.schema)
            other.execute(sql.SQL("SET LOCAL ROLE {}; SET LOCAL search_path TO {}").format(role, schema))
            yield other


@pytest.fixture(scope="package")
def account(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Account]:
    """Make the account and its database beside the test database, and delete them with all roles at the end."""
    with django_db_blocker.unblock(), an_account("CREATEROLE NOINHERIT") as account:
        yield account


@contextmanager
def an_account(rights: str = "") -> Iterator[Account]:
    parameters = connection.get_connection_params()
    name = f"clubs_{secrets.token_hex(4)}"
    account = Account(name, secrets.token_hex(8), parameters["host"], parameters["port"])
    admin = {key: parameters[key] for key in ("host", "port", "user", "password") if key in parameters}
    with psycopg.connect(dbname="postgres", autocommit=True, **admin) as to:
        login = sql.SQL(f"CREATE ROLE {{}} LOGIN {rights} PASSWORD {{}}")
        to.execute(login.format(sql.Identifier(name), account.password))
        to.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(name)))
        yield account
        connections.close_all()
        to.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        left = to.execute(
            "SELECT rolname FROM pg_roles JOIN pg_auth_members ON roleid = pg_roles.oid WHERE member = %s::regrole",
            [name],
        ).fetchall()
        for (role,) in [*left, (name,)]:
            to.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))


@pytest.fixture(scope="package", autouse=True)
def sent() -> Iterator[list[str]]:
    """Collect what is sent for clubs, other than what the database refuses."""
    statements: list[str] = []

    def send(self: Any, query: Any, params: Any = None, **options: Any) -> Any:
        answer = execute(self, query, params, **options)
        if current_club():
            statements.append(query if isinstance(query, str) else query.as_string(None))
        return answer

    execute = psycopg.ClientCursor.execute
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(psycopg.ClientCursor, "execute", send)
        yield statements


@pytest.fixture(autouse=True)
def citus_takes_what_is_sent(sent: list[str]) -> Iterator[None]:
    yield
    statements = set(sent)
    sent.clear()
    assert {statement: reason for statement in statements if (reason := refused(statement))} == {}


@contextmanager
def hosting_here(account: Account, *, citus: bool = False) -> Iterator[None]:
    """Let all threads of this process serve the clubs of the account, each at a host of its own. Without a club it has no tables."""
    known = connections.settings
    default = known["default"]
    known["clubs"] = known["default"] | {
        "NAME": account.name,
        "USER": account.name,
        "PASSWORD": account.password,
        "HOST": account.host,
        "PORT": account.port,
        "ENGINE": "schnauz_turnier.postgresql",
    }
    before = connections["default"]
    connections["default"] = connections["clubs"]
    known["default"] = known["clubs"]  # for threads, which have no connection yet
    hosts = [*settings.ALLOWED_HOSTS, ".example.org"]
    patched = pytest.MonkeyPatch()
    patched.setattr(maintenance, "KEPT", 3600.0)  # no page whose queries are counted asks for it
    with override_settings(CLUBS="hosts", PUBLIC_URL="https://example.org", ALLOWED_HOSTS=hosts, CITUS=citus):
        try:
            create_catalogue()
            maintenance.notices.clear()
            maintenance.notices.current(timezone.now())
            if not citus:  # there, the first club has to be migrated
                know_the_statements()
            yield
        finally:
            patched.undo()
            connections["clubs"].close()
            connections["default"], known["default"] = before, default
            del connections["clubs"], known["clubs"]


def know_the_statements() -> None:
    """Know how the tables of a club are made, which one process of this run finds out for all of them."""
    if not recordings.recorded_statements():
        recordings.keep(found_once("statements", statements_of_a_first_club))


def statements_of_a_first_club() -> list[str]:
    create_club("first", "The first club", at=AT)
    archive_club("first")
    delete_club("first")
    return recordings.recorded_statements()


@pytest.fixture
def hosting(account: Account, committed: None) -> Iterator[Account]:
    with hosting_here(account):
        yield account


@pytest.fixture
def new_club(hosting: Account) -> Iterator[Callable[..., Club]]:
    """Make clubs, which are deleted at the end."""

    def make(slug: str, **options: Any) -> Club:
        return create_club(slug, f"Verein {slug}", at=AT, **options).club

    yield make
    for entry in all_clubs():
        if entry.state is State.OPEN:
            archive_club(entry.slug)
        delete_club(entry.slug)


# --- who asks -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asker:
    """A browser in the schema of a club or of the operator."""

    club: Club
    client: Client

    def get(self, path: str) -> Any:
        with in_club(self.club):
            return self.client.get(path)

    def post(self, path: str, **fields: Any) -> Any:
        with in_club(self.club):
            return self.client.post(path, fields)


@pytest.fixture
def operators(new_club: Callable[..., Club]) -> Iterator[Club]:
    entry = create_operator(at=AT)
    yield entry.club
    schemas.drop(entry.schema)
    catalogue.remove(OPERATOR, entry.schema)


def an_owner(club: Club, *, has_second_factor: bool = True) -> Asker:
    with in_club(club):
        user = User.objects.create_superuser(f"leitung-{has_second_factor}")
        if has_second_factor:
            TOTPDevice.objects.create(user=user, confirmed=True)
        return Asker(club, logged_in(user))


@pytest.fixture
def operator(operators: Club) -> Asker:
    return an_owner(operators)


def start_page(club: Club | None, **headers: Any) -> str:
    with in_club(club):
        return Client().get("/", headers=headers).content.decode()
