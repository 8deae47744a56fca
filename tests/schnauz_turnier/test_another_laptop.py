"""Disaster recovery: a laptop fails in the middle of a sheet, and the evening continues on another one."""

import json
import os
import re
import shutil
import signal
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import psycopg
import pytest
from django.db import connection

from scoring.services.backup import latest
from tests import forked
from tests.conftest import url_of_test_database
from tests.data_dirs import copy_data_dir, migrated_data_dir
from tests.faults.house import COMMANDS, Database
from tests.ports import free_port
from tests.schnauz_turnier.postgresql.test_database import ROOT, SOON, is_served, wait_until
from tests.schnauz_turnier.start.test_launch import answers, launch, read_until
from tests.scoring.evenings import simple_evening, text_of

PASSWORD = "Eichel-Ober-7"
LINKS = ("sheet_links", "abend")
OURS = ("DATABASE_URL", "PUBLIC_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "HOST", "PORT", "BACKUP_DIR")


class Laptop:
    """A separate installation with its own folder, database and server. Both laptops of a test use the same port."""

    def __init__(self, folder: Path, port: int, stick: Path, **environment: str) -> None:
        self.folder, self.port, self.stick, self.environment = folder, port, stick, environment
        self.url = f"http://127.0.0.1:{port}"
        self.process: forked.Heard | None = None

    def start(self) -> str:
        settings = {"DJANGO_SETTINGS_MODULE": "tests.served_in_drill", "BACKUP_DIR": str(self.stick)}
        self.process = launch(self.folder, self.port, **settings, **self.environment)
        said = read_until(self.process, "Strg+C")
        wait_until(lambda: answers(f"{self.url}/healthz"))
        return said

    def manage(self, *commands: Sequence[str]) -> str:
        """Run commands of `manage.py` one after the other, in one process; return what they said."""
        environment = {name: value for name, value in os.environ.items() if name not in OURS}
        done = forked.run(
            [sys.executable, "-c", COMMANDS, json.dumps(commands)],
            cwd=ROOT,
            env=environment | {"DATA_DIR": str(self.folder), **self.environment},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def kill(self) -> None:
        """Kill the server, then its embedded PostgreSQL, if there is one."""
        if self.process is None:
            return
        self.process.kill()
        self.process.communicate()
        pid_file = self.folder / "cluster" / "postmaster.pid"
        if pid_file.exists():
            os.kill(int(pid_file.read_text().split()[0]), signal.SIGQUIT)
            wait_until(lambda: not is_served(self.folder))
        self.process = None


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


@pytest.fixture
def drowned_and_other(tmp_path: Path, stick: Path) -> Iterator[tuple[Laptop, Laptop]]:
    """Return a laptop with a database in which is no evening yet, and one on which the program has never run."""
    port = free_port()
    both = Laptop(tmp_path / "one", port, stick), Laptop(tmp_path / "other", port, stick)
    copy_data_dir(migrated_data_dir(), both[0].folder)
    yield both
    for laptop in both:
        laptop.kill()


class Phone:
    """The scribe's phone, as a client of the HTTP API."""

    def __init__(self, url: str) -> None:
        self.client = httpx.Client(base_url=url, trust_env=False, timeout=SOON, headers={"Origin": url})
        self.epoch = 0

    def post(self, path: str, **body: Any) -> Any:
        response = self.client.post(path, json=body)
        assert response.status_code == 200, response.text
        return response.json()

    def enter(self, link: str) -> None:
        self.post("/s/enter", secret=urlsplit(link).fragment)
        self.epoch = self.post("/s/pen")["pen"]["epoch"]

    def write(self, *entries: tuple[str, dict[str, Any]]) -> list[str]:
        sent = [
            {"id": str(uuid4()), "kind": kind, "data": data, "made_at": "2026-11-21T20:00:00Z"}
            for kind, data in entries
        ]
        answer = self.post("/s/entries", pen_epoch=self.epoch, entries=sent)
        return [result["outcome"] for result in answer["results"]]

    @property
    def log(self) -> list[str]:
        return [entry["id"] for entry in self.client.get("/s/sheet").json()["entries"]]


class Organiser:
    def __init__(self, url: str) -> None:
        self.client = httpx.Client(base_url=url, trust_env=False, timeout=SOON, follow_redirects=True)

    def post(self, path: str, page: str = "", **form: str) -> httpx.Response:
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.client.get(page or path).text)
        assert token is not None
        return self.client.post(path, data={"csrfmiddlewaretoken": token[1], **form})


def whole_sheet(seats: int) -> list[tuple[str, dict[str, Any]]]:
    ranks = {str(seat): seat for seat in range(1, seats + 1)}
    confirmed = [("confirmed", {"seat_number": seat}) for seat in range(1, seats + 1)]
    return [
        ("stroke", {"seat_number": 2, "mark": "schnauz"}),
        ("ranked", {"ranks": ranks}),
        *confirmed,
        ("submitted", {}),
    ]


def links_in(said: str) -> list[str]:
    """Return what the command `sheet_links` has said."""
    return [json.loads(line)["url"] for line in said.splitlines() if line.startswith('{"')]


def board_of(laptop: Laptop) -> Any:
    return httpx.get(f"{laptop.url}/t/abend/leaderboard.json", timeout=SOON, trust_env=False).json()


def newest(stick: Path) -> int:
    found = latest(stick)
    return int(found.name.split("-")[2]) if found else 0


def test_the_evening_goes_on_on_another_laptop_with_the_phones_that_are_in(
    drowned_and_other: tuple[Laptop, Laptop], stick: Path, tmp_path: Path
) -> None:
    one, other = drowned_and_other
    code = re.search(r"setup/#([0-9A-F-]{39})", one.start())
    assert code is not None
    account = {"name": "sepp", "password": PASSWORD, "password_again": PASSWORD}
    organiser = Organiser(one.url)
    assert organiser.post("/account/setup/", code=code[1], **account).status_code == 200
    document = tmp_path / "abend.json"
    document.write_text(text_of(simple_evening("abend")))
    first, second = links_in(one.manage(["import_tournament", str(document)], LINKS))

    # One sheet is submitted and accepted, the other is still in play.
    done, playing = Phone(one.url), Phone(one.url)
    done.enter(first)
    assert set(done.write(*whole_sheet(5))) == {"recorded"}
    table = "/o/abend/rounds/1/tables/1/"
    assert organiser.post(f"{table}accept/", page=table).status_code == 200
    playing.enter(second)
    assert playing.write(("stroke", {"seat_number": 1, "mark": "schnauz"})) == ["recorded"]
    standing = board_of(one)
    assert any(row["points"] for row in standing["rows"])
    log = playing.log
    wait_until(lambda: "1 von 2" in organiser.client.get("/o/abend/").text)
    wait_until(lambda: is_saved(stick, log[-1]))
    seen = newest(stick)
    assert "Letzte automatische Sicherung" in organiser.client.get("/o/abend/").text

    one.kill()
    shutil.rmtree(one.folder)

    said = other.manage(["restore", str(stick)])
    assert f"stay good at {one.url}" in said
    other.start()

    # Cookie, pen, links, account and standings are still valid.
    assert board_of(other) == standing
    assert playing.log == log
    assert set(playing.write(*whole_sheet(5)[1:])) == {"recorded"}
    Phone(other.url).enter(second)
    again = Organiser(other.url)
    page = again.post("/account/login/", username="sepp", password=PASSWORD, next="/o/abend/")
    assert (page.status_code, page.url.path) == (200, "/o/abend/")
    said = other.manage(LINKS, ["rebuild_results", "abend"])
    assert links_in(said) == [first, second]
    assert said.endswith("}\nno differences\n")
    wait_until(lambda: newest(stick) > seen)


def is_saved(stick: Path, entry: str) -> bool:
    """Whether the latest dump contains the entry."""
    if (found := latest(stick)) is None:
        return False
    with zipfile.ZipFile(found) as archive:
        return entry in archive.read("tables/scoring_sheetentry.copy").decode()


def test_with_another_key_the_codes_are_printed_again(tmp_path: Path, stick: Path, committed: None) -> None:
    """The dump of an installation with a given key is restored into one with another key and an external database."""
    name = f"moved_{os.getpid()}"
    parameters = connection.get_connection_params()
    kept = {key: parameters[key] for key in ("host", "port", "user", "password") if key in parameters}
    with psycopg.connect(dbname="postgres", autocommit=True, **kept) as server:
        server.execute(f"CREATE DATABASE {name}")
        elsewhere = url_of_test_database().rsplit("/", 1)[0] + f"/{name}"
        one = Laptop(tmp_path / "one", free_port(), stick, SECRET_KEY="given-to-the-first-" * 4)
        other = Laptop(tmp_path / "other", free_port(), stick, DATABASE_URL=elsewhere)
        document = tmp_path / "abend.json"
        document.write_text(text_of(simple_evening("abend")))
        copy_data_dir(migrated_data_dir(), one.folder)
        with Database(one.folder).stay():
            making = (["import_tournament", str(document)], ["backup", "--to", str(stick)])
            _said, exported, old = exported_and_links(one, *making)
            said, restored, new = exported_and_links(other, ["restore", str(stick)])
            assert "The key is another one: print the codes again" in said
            assert restored == exported
            assert len(old) == len(new) == 2
            assert old.isdisjoint(new)
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def exported_and_links(laptop: Laptop, *before: Sequence[str]) -> tuple[str, str, set[str]]:
    """Run commands. Return what they said, the document of the evening, and the secrets of the links on its tables."""
    said = laptop.manage(*before, ["export_tournament", "abend"], LINKS)
    said, start, rest = said.partition("{\n")
    document, _start, links = rest.partition('\n{"')
    return said, start + document, {urlsplit(link).fragment for link in links_in('{"' + links)}
