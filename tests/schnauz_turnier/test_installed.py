"""The installed program, in surroundings where nothing else is: its own home, no git, no make, no checkout.

One evening: installed and started, the first account, a tournament, entries of a phone, a backup; then the same evening on another
home, of an ordinary account that may write nowhere else; then a newer version over the first one.
"""

import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from schnauz_turnier.start.network import lan_address
from tests.faults.house import get
from tests.ports import free_port
from tests.schnauz_turnier.postgresql.test_database import ROOT, SOON, is_served, wait_until
from tests.schnauz_turnier.start.test_launch import answers, read_until
from tests.schnauz_turnier.test_another_laptop import (
    PASSWORD,
    Organiser,
    Phone,
    whole_sheet,
)
from tests.schnauz_turnier.wheels import (
    as_old_as,
    built,
    copied_with_version,
    environment_of,
    install,
    share_bytecode,
    wheel_of_the_checkout,
)
from tests.scoring.evenings import simple_evening, text_of

NEWER = "1000.0.0"
OURS = ("schnauz_turnier", "tournaments", "scoring")
NOBODY = 65534
BROWSER = '#!/bin/sh\necho "$1" > "$HOME/opened.new"\nexec /bin/mv "$HOME/opened.new" "$HOME/opened"\n'


class Home:
    """A computer with the program installed: a home, an account, and variables of its own only."""

    def __init__(self, folder: Path, python: Path, port: int, *, account: int | None = None) -> None:
        self.folder, self.python, self.port, self.account = folder, python, port, account
        self.url = f"http://127.0.0.1:{port}"
        self.data = folder / ".local" / "share" / "schnauz-turnier"
        self.process: subprocess.Popen[str] | None = None
        folder.mkdir()
        if account is not None:
            os.chown(folder, account, account)

    def run(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        surroundings = {
            "HOME": str(self.folder),
            "PATH": str(self.python.parent),
            "PYTHONPYCACHEPREFIX": str(self.folder.parent / "bytecode"),
        }
        process: subprocess.Popen[str] = subprocess.Popen(
            [self.python.parent / "schnauz-turnier", *words],
            cwd=self.folder,
            env=surroundings | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **by(self.account),
        )
        return process

    def say(self, *words: str, **environment: str) -> str:
        process = self.run(*words, **environment)
        said, _nothing = process.communicate()
        assert process.returncode == 0, said
        return str(said)

    def start(self, *words: str, **environment: str) -> str:
        self.process = self.run(*words, PORT=str(self.port), **environment)
        said = read_until(self.process, "Strg+C")
        wait_until(lambda: answers(f"{self.url}/healthz"))
        return said

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.communicate(timeout=SOON)
        finally:
            self.process.kill()
            self.process = None
        wait_until(lambda: not is_served(self.data))


def by(account: int | None) -> dict[str, Any]:
    """Return the arguments of subprocess that run a program as an account; None: that of the tests."""
    return {} if account is None else {"user": account, "group": account, "extra_groups": []}


@pytest.fixture(scope="module")
def ground() -> Iterator[Path]:
    """Return an empty folder that every account can reach, with a blank and an umlaut in its name."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "für alle"
        folder.mkdir()
        (folder / "bytecode").mkdir()
        for path in (Path(name), folder):
            path.chmod(0o755)
        (folder / "bytecode").chmod(0o777)
        yield folder


ORDINARY = NOBODY if os.geteuid() == 0 else None
"""An account that may not write to what the tests' own one has installed."""


def python_for(account: int | None) -> str | None:
    """Return a Python of the tests' version that the account can run, if there is one."""
    minor = f"python3.{sys.version_info.minor}"
    reachable = "import sys; [open(path).close() for path in sys.argv[1:]]"
    packages = str(Path(sysconfig.get_path("purelib")) / "django" / "__init__.py")
    for python in (sys.executable, shutil.which(minor, path="/usr/local/bin:/usr/bin")):
        try:
            if python:
                subprocess.run([python, "-c", reachable, packages], cwd="/", check=True, **by(account))
                return python
        except (OSError, subprocess.CalledProcessError):
            continue
    return None


def read_only(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)


def writable(folder: Path) -> None:
    """Let the owner delete what was made read-only."""
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o200)


# --- the evening ---------------------------------------------------------------------------------------------------


@dataclass
class Evening:
    """What is left of an evening with the installed program: its home, a backup, and a phone that has not finished."""

    home: Home
    greeting: str
    opened: str
    backup: Path
    phone: Phone
    written: list[str]
    standing: Any

    def goes_on_at(self, home: Home) -> bool:
        """Whether pages, the phone that was in and its sheet are there as they were left."""
        return (standing_at(home), self.phone.log) == (self.standing, self.written)


def standing_at(home: Home) -> Any:
    return get(f"{home.url}/t/abend/leaderboard.json").json()


@pytest.fixture(scope="module")
def evening(ground: Path) -> Iterator[Evening]:
    python = environment_of(python_for(ORDINARY) or sys.executable, ground / "programs")
    packages = Path(sysconfig.get_path("purelib"))
    share_bytecode(packages, packages, str(ground / "bytecode"))
    install_with_bytecode(wheel_of_the_checkout(), python, ground)
    home = Home(ground / "one", python, free_port())
    try:
        yield played(home, ground)
    finally:
        home.stop()


def install_with_bytecode(wheel: Path, python: Path, ground: Path) -> None:
    """Install a wheel. Its modules find the bytecode that the tests have of the same ones."""
    install(wheel, python)
    packages = packages_of(python)
    for name in OURS:
        as_old_as(packages / name, ROOT / name)
        share_bytecode(packages / name, ROOT / name, str(ground / "bytecode"))


def packages_of(python: Path) -> Path:
    return next((python.parents[1] / "lib").glob("python*")) / "site-packages"


def played(home: Home, ground: Path) -> Evening:
    """Start the program for the first time, let a phone begin a sheet, make a backup and stop."""
    browser = ground / "browser"
    browser.write_text(BROWSER)
    browser.chmod(0o755)
    greeting = home.start(BROWSER=str(browser), DISPLAY=":0")
    opened = home.folder / "opened"
    wait_until(opened.exists)
    document = ground / "abend.json"
    document.write_text(text_of(simple_evening("abend")), encoding="utf-8")
    account = {"name": "sepp", "password": PASSWORD, "password_again": PASSWORD}
    code = opened.read_text().partition("#")[2].strip()
    assert Organiser(home.url).post("/account/setup/", code=code, **account).status_code == 200
    home.say("import", str(document))
    phone = Phone(home.url)
    phone.enter(links_of(home)[0])
    assert phone.write(*whole_sheet(5)[:1]) == ["recorded"]
    backup = ground / "stick"
    backup.mkdir()
    home.say("backup", "--to", str(backup))
    left = Evening(home, greeting, opened.read_text().strip(), backup, phone, phone.log, standing_at(home))
    home.stop()
    return left


def links_of(home: Home) -> list[str]:
    return [json.loads(line)["url"] for line in home.say("manage", "sheet_links", "abend").splitlines()]


def test_it_greets_with_the_address_for_phones_and_opens_the_page_of_the_first_account(
    evening: Evening,
) -> None:
    home, lan = evening.home, lan_address()
    assert f"läuft: http://{lan or '127.0.0.1'}:{home.port}/\n" in evening.greeting
    assert (evening.greeting.count("▀") > 50) is (lan is not None)
    code = re.search(r"/account/setup/#([0-9A-F-]{39})\n", evening.greeting)
    assert code
    assert evening.opened == f"{home.url}/account/setup/#{code[1]}"


def test_its_data_lie_in_the_home_and_nothing_is_written_beside_the_program(evening: Evening) -> None:
    home = evening.home
    assert {path.name for path in home.folder.iterdir()} == {".local", "opened"}
    assert stat.S_IMODE(home.data.stat().st_mode) == 0o700
    packages = packages_of(home.python)
    listed = {line.split(",")[0] for line in next(packages.glob("schnauz*/RECORD")).read_text().splitlines()}
    ours = [path for name in OURS for path in (packages / name).rglob("*")]
    assert {path.relative_to(packages).as_posix() for path in ours if path.is_file()} <= listed


def test_a_taken_port_is_named_with_the_next_one_and_the_demo_never_touches_the_real_data(
    evening: Evening, ground: Path
) -> None:
    other = Home(ground / "other", evening.home.python, 0)
    with socket.socket() as other_program:
        other_program.bind(("0.0.0.0", 0))
        other_program.listen()
        port = other_program.getsockname()[1]
        process = other.run("demo", "--port", str(port))
        said, _nothing = process.communicate(timeout=SOON)
    assert process.returncode == 1
    assert f"0.0.0.0:{port} ist nicht frei" in said
    offered = re.search(r"schnauz-turnier demo --port (\d+)", said)
    assert offered
    assert int(offered[1]) > port
    assert [path.name for path in other.data.parent.iterdir()] == ["schnauz-turnier-demo"]


def test_the_evening_goes_on_at_an_ordinary_account_that_cannot_write_to_the_program(
    evening: Evening, ground: Path
) -> None:
    if python_for(ORDINARY) is None:
        pytest.skip(
            "an ordinary account can neither run the Python of the tests nor another one of its version"
        )
    python = evening.home.python
    read_only(python.parents[1])
    for path in [evening.backup, *evening.backup.iterdir()]:  # a stick stores no owners
        path.chmod(0o755)
    other = Home(ground / "two", python, evening.home.port, account=ORDINARY)
    try:
        assert "Restored from" in other.say("restore", str(evening.backup))
        assert "/account/setup/" not in other.start("run", "--no-browser")
        assert evening.goes_on_at(other)
        written = evening.phone.write(*whole_sheet(5)[1:])
        assert set(written) == {"recorded"}
        assert other.say("manage", "rebuild_results", "abend") == "no differences\n"
    finally:
        other.stop()
        writable(python.parents[1])


def test_a_newer_version_over_it_keeps_everything(evening: Evening, ground: Path, tmp_path: Path) -> None:
    home = evening.home
    source = copied_with_version(NEWER, tmp_path / "source")
    with (source / "static" / "js" / "wall" / "main.js").open("a", encoding="utf-8") as script:
        script.write("\nexport const isNewer = true;\n")
    older_script = address_of_script(home, "js/wall/main.js")
    install_with_bytecode(built(source, tmp_path / "wheel"), home.python, ground)
    assert home.say("--version") == f"Schnauz-Turnier {NEWER}\n"
    assert "/account/setup/" not in home.start("run", "--no-browser")
    assert get(f"{home.url}/healthz").headers["Program-Version"] == NEWER
    assert f"<small>Schnauz-Turnier {NEWER}</small>" in get(f"{home.url}/").text
    assert evening.goes_on_at(home)
    newer_script = address_of_script(home, "js/wall/main.js")
    assert newer_script != older_script
    scripts = [get(url) for url in (older_script, newer_script)]
    assert ["isNewer" in script.raise_for_status().text for script in scripts] == [False, True]


def address_of_script(home: Home, name: str) -> str:
    """Return the address, with its hash, that the version started last has for a static file."""
    names = json.loads((home.data / "static" / "staticfiles.json").read_text())["paths"]
    return f"{home.url}/static/{names[name]}"
