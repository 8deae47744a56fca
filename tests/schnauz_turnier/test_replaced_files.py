"""An update that replaces the program's files under a running server: until it is restarted, all of it is the old program."""

import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from django.conf import settings
from pytest_django.plugin import DjangoDbBlocker

from tests.conftest import static_files, url_of_test_database
from tests.factories import UserFactory
from tests.faults.house import ROOT, Web
from tests.schnauz_turnier.wheels import share_bytecode
from tests.security.addresses import Ids, all_routes, ids_of
from tests.security.installation import an_evening, logged_in
from tournaments.models import Tournament

PROGRAM = ("schnauz_turnier", "scoring", "tournaments", "templates", "locale", "static", "pyproject.toml")
START = """
import os, sys
sys.path.insert(0, sys.argv[1])
os.environ["DJANGO_SETTINGS_MODULE"] = "schnauz_turnier.settings"
import django
django.setup()
from schnauz_turnier.web import preloading
{}
from schnauz_turnier.serve import serve
serve("127.0.0.1", int(sys.argv[2]))
"""
WITHOUT = "preloading.preload = lambda: None"
NEWER = "{% the newer program %} = raise"


@dataclass(frozen=True, slots=True)
class Replaced:
    """Servers that run while something else is in each of their files. control: one that has not read ahead."""

    files: int
    web: Web
    control: Web


@pytest.fixture(scope="module")
def replaced(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Replaced]:
    """Start both servers from one copy of the program, and replace its files."""
    folder = tmp_path_factory.mktemp("replaced")
    copy = copied_program(folder)
    with django_db_blocker.unblock():
        database_url = url_of_test_database()
    servers: list[Web] = []
    bytecode = share_bytecode(copy, ROOT)
    try:
        for more in ("", WITHOUT):  # one after the other: a port is taken when its server has started
            servers.append(served_from(copy, database_url, more))
            servers[-1].start()
        web, control = servers
        yield Replaced(replace_all_files(copy), web, control)
    finally:
        if bytecode is not None:
            bytecode.unlink()
        for one in servers:
            one.kill()  # one that fails to show its page of errors does not end by itself


def copied_program(folder: Path) -> Path:
    """Copy the program, and its collected static files beside it."""
    copy = folder / "program"
    copy.mkdir()
    for name in PROGRAM:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy / name)
    shutil.copytree(static_files(), folder / "static")
    return copy


def served_from(copy: Path, database_url: str, more: str) -> Web:
    """Return a server of the test database, which runs a copy of the program. more: statements before its start."""
    web = Web(copy.parent, [])
    web.command = [sys.executable, "-c", START.format(more), str(copy), str(web.port)]
    web.environment |= {
        "DATABASE_URL": database_url,
        "SECRET_KEY": settings.SECRET_KEY,
        "PUBLIC_URL": web.url,
        "STATIC_ROOT": str(copy.parent / "static"),
    }
    return web


def replace_all_files(copy: Path) -> int:
    """Put something else into every file of the program; return how many there were."""
    files = [
        file for file in (*copy.rglob("*"), copy.parent / "static" / "staticfiles.json") if file.is_file()
    ]
    for file in files:
        file.write_text(NEWER)
    return len(files)


@dataclass(frozen=True, slots=True)
class Evening:
    ids: Ids
    cookies: dict[str, str]


@pytest.fixture
def evening(committed: None) -> Evening:
    organiser, number = UserFactory.create(), 1_000 * Tournament.objects.count()
    made = an_evening(f"ersetzt-{number}", organiser, players=10, numbers_from=number + 1)
    cookies = {name: one.value for name, one in logged_in(organiser).cookies.items()}
    return Evening(ids_of(made), cookies)


def statuses(web: Web, evening: Evening) -> Iterator[int]:
    """Yield the status of every address of this evening, for its organiser."""
    with httpx.Client(base_url=web.url, cookies=evening.cookies, timeout=30, trust_env=False) as client:
        for route in all_routes():
            values = next(route.values(evening.ids), None)  # none: of people, whom the club has none of
            if "GET" in route.methods and values is not None:
                # The live stream never ends.
                with client.stream("GET", route.address(values)) as answer:
                    yield answer.status_code


def test_a_running_server_never_uses_a_file_of_the_newer_program(
    evening: Evening, replaced: Replaced
) -> None:
    assert replaced.files > 700
    seen = Counter(statuses(replaced.web, evening))
    assert seen[500] == 0, replaced.web.log.read_text()[-3000:]
    assert seen[200] > 60
    english = httpx.get(
        f"{replaced.web.url}/", headers={"Accept-Language": "en"}, timeout=30, trust_env=False
    )
    assert 'lang="en"' in english.text
    assert "For organisers" in english.text


def test_without_reading_ahead_it_would(evening: Evening, replaced: Replaced) -> None:
    """The control. It ends at the first page that fails."""
    assert 500 in statuses(replaced.control, evening)
