"""Every command of the README and of the handbooks as it stands there, on a computer where nothing of the program is installed.

An export of the tracked files, an empty home, and the package registries. The commands are run by a shell in the order of the
documents, so each finds what those before it have left. A program that greets is a server: its page is read, with its styles, and it
is ended by Ctrl-C. Every other command has to end by itself, without an error.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest

from schnauz_turnier import __version__
from schnauz_turnier.place import NAME
from tests.conftest import IN_CI
from tests.ports import free_port
from tests.schnauz_turnier.postgresql.test_database import ROOT, SOON, wait_until
from tests.schnauz_turnier.start.test_launch import answers
from tests.schnauz_turnier.wheels import UV
from tests.scoring.evenings import simple_evening, text_of
from tests.shown_commands import shown_commands, without_variables
from tests.test_docs import ENGLISH_HANDBOOK, HANDBOOK, README, refusal

NOT_RUN = {
    "sudo apt install git python3-venv make": "changes the computer, and asks for a password",
    "xcode-select --install": "is a program of macOS",
    r"start.bat --backup-dir E:\turnier": "is for Windows",
}
INSTEAD = {"make test": "make -n test"}
"""`make test` is what runs this test."""
INSTALLERS = ("pipx install", "uv tool install")
"""Commands of which one is enough. Each gets a home of its own. The server that the first of them has installed is started there;
those of the others have the same files.
"""
MAY_FAIL = f"{NAME} doctor"
"""The doctor ends with 1 where something is wrong with the computer, for example that it sleeps."""

OF_THE_MACHINE = re.compile(
    r"(?i)(https?|all|no)_proxy|SSL_CERT_(FILE|DIR)|(REQUESTS|CURL)_CA_BUNDLE|PIP_(CERT|INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST)|"
    r"UV_(DEFAULT_INDEX|INDEX|INDEX_URL|EXTRA_INDEX_URL|SYSTEM_CERTS|NATIVE_TLS|INSECURE_HOST)"
)
"""Variables by which programs reach the registries from this machine."""
LONGEST = 900  # seconds until a command that hangs is killed


class Computer:
    """A computer with a clone of the project and a stick, on which there are Python, make, pipx and uv."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clone, self.stick = folder, folder / "clone", folder / "stick"
        self.programs, self.cache = folder / "programs", folder / "cache"
        for path in (self.programs, self.stick / "turnier"):
            path.mkdir(parents=True)
        self._homes = 0
        self.home = self.new_home()

    def new_home(self) -> Path:
        self._homes += 1
        home = self.folder / f"home{self._homes}"
        home.mkdir()
        return home

    def refusal(self, line: str) -> str:
        """Return why a command does not work as it stands there; "" if it does."""
        if why := refusal(line):  # before strangers' programs are run that bear the name of ours
            return why
        if line.startswith(INSTALLERS):
            return self._refusal_of_installer(line)
        return self._run(INSTEAD.get(line, line), self.home)

    def _refusal_of_installer(self, line: str) -> str:
        home, is_first = self.new_home(), not (self.home / ".local" / "bin" / NAME).exists()
        if is_first:
            self.home = home  # which the commands behind it use
        why = self._run(line, home) or self._run(f"{NAME} --version", home)
        return why or (self._run(NAME, home) if is_first else "")

    def _run(self, line: str, home: Path) -> str:
        with self._started(line, home) as process:
            said = _read_until(process, "Strg+C")
            is_server = "Strg+C" in said
            why = self._refusal_of_page(said) if is_server else ""
            if is_server:
                os.killpg(process.pid, signal.SIGINT)
            rest, _nothing = process.communicate()
        said += rest
        if "Traceback" in said or why:
            return f"{why}\n{said}"
        good = {-signal.SIGINT, 0, 2, 130} if is_server else {0, int(line == MAY_FAIL)}  # 2: of make
        return "" if process.returncode in good else f"ended with {process.returncode}:\n{said}"

    @contextmanager
    def _started(self, line: str, home: Path) -> Iterator["subprocess.Popen[str]"]:
        process: subprocess.Popen[str] = subprocess.Popen(
            ["sh", "-c", self._with_places(line)],
            cwd=self.stick / NAME if "start.command" in line else self.clone,
            env=self._surroundings(line, home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=_in_the_foreground,
        )
        timer = threading.Timer(LONGEST, _kill, [process])
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            _kill(process)

    def _with_places(self, line: str) -> str:
        """Replace what stands for something in a document: the stick, the version, the name of a tournament."""
        line = line.replace("/media/stick", str(self.stick))
        return re.sub(r"\bSLUG\b", "abend", re.sub(r"\bVERSION\b", __version__, line))

    def _surroundings(self, line: str, home: Path) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if OF_THE_MACHINE.fullmatch(name)}
        ours = {
            "HOME": str(home),
            "PATH": os.pathsep.join(map(str, self._path(line, home))),
            "UV_CACHE_DIR": str(self.cache / "uv"),
            "PIP_CACHE_DIR": str(self.cache / "pip"),
            "PIPX_SHARED_LIBS": str(self.folder / "shared"),  # pip itself, the same in each home
            "PIP_NO_COMPILE": "no",  # as `--no-compile`: what is not imported need not be compiled
            "PORT": str(free_port()),
            "CI": "true",  # opens no browser
            "KIT_FOR": "this",  # a kit for all kinds of computers is a gigabyte
        }
        if re.search(r"\brestore\b", line):  # on another laptop
            ours["DATA_DIR"] = str(self.new_home() / "data")
        return kept | ours

    def _path(self, line: str, home: Path) -> list[Path | str]:
        """Return where programs are looked for: there is pipx or uv, as pipx does it in another way where it finds uv."""
        program = Path(without_variables(line)[0]).name
        return [home / ".local" / "bin", self.programs, self.folder / program, os.defpath]

    def _refusal_of_page(self, greeting: str) -> str:
        """Return what the start page or one of its styles lacks. Saves the record of a tournament that it shows."""
        found = re.search(r"Schnauz-Turnier läuft: (\S+)", greeting)
        assert found, greeting
        wait_until(lambda: answers(f"{found[1]}healthz"))
        with httpx.Client(base_url=found[1], trust_env=False, timeout=SOON, follow_redirects=True) as browser:
            page = browser.get("/")
            styles = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page.text)
            answered = [page, *(browser.get(urljoin(found[1], style)) for style in styles)]
            if shown := re.search(r'href="(/t/[\w-]+/)', page.text):
                (self.clone / "record.json").write_text(browser.get(f"{shown[1]}record.json").text)
        bad = [f"{one.url}: {one.status_code}" for one in answered if one.status_code != 200 or not one.text]
        return ", ".join(bad) if styles else f"no styles: {found[1]}"


def _in_the_foreground() -> None:
    """Let a command be a group of processes that Ctrl-C ends, also where the tests run in the background."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _kill(process: "subprocess.Popen[str]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _read_until(process: "subprocess.Popen[str]", last: str) -> str:
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if last in line:
            break
    return "".join(lines)


@pytest.fixture(scope="module")
def computer(tmp_path_factory: pytest.TempPathFactory) -> Computer:
    made = Computer(tmp_path_factory.mktemp("newcomer"))
    _export(made.clone)
    (made.clone / "evening.json").write_text(text_of(simple_evening("abend")), encoding="utf-8")
    for name in ("pipx", "uv"):
        _install_from_a_registry(name, made.folder)
    python = made.programs / "python3"
    python.write_text(f'#!/bin/sh\nexec "{Path(sys.executable).resolve()}" "$@"\n')
    python.chmod(0o755)
    return made


def _export(folder: Path) -> None:
    """Copy the tracked files, as a clone would have them after a commit of today's changes."""
    listing = ["git", "ls-files", "-z"]
    listed = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(lambda name: (ROOT / name).is_file(), listed.split("\0")):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)


def _install_from_a_registry(name: str, folder: Path) -> None:
    tools = folder / f"{name}-itself"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, tools], check=True)
    installed = subprocess.run([UV, "pip", "install", "--quiet", "--python", tools, name], check=False)
    if installed.returncode:
        if IN_CI:
            raise RuntimeError("no package registry is reached")
        pytest.skip("needs the package registries")
    (folder / name).mkdir()
    (folder / name / name).symlink_to(tools / "bin" / name)


SHOWN = shown_commands(f"{README}\n{HANDBOOK}\n{ENGLISH_HANDBOOK}")


def test_what_is_not_run_is_shown() -> None:
    assert {*NOT_RUN, *INSTEAD, MAY_FAIL} <= set(SHOWN)


@pytest.mark.parametrize("line", [line for line in SHOWN if line not in NOT_RUN])
def test_it_works_as_it_stands_there(computer: Computer, line: str) -> None:
    assert computer.refusal(line) == ""


@pytest.mark.parametrize(
    ("planted", "why"),
    [
        ("Start it with `uvx schnauz-turnier`.", "published nowhere"),
        ("```\npip install schnauz-turnier  # once\n```", "published nowhere"),
        ("```\nmake rum\n```", "No rule to make target"),
        ("or `schnauz-turnier import another-evening.json`", "another-evening.json"),
        ("```\nschnauz-tournament\n```", "ended with 127"),
        ("`HOST=192.0.2.1 make run`", "192.0.2.1"),
        ("`sh start-here.command`", "start-here.command"),
    ],
)
def test_a_planted_command_that_needs_what_is_not_there_is_found(
    computer: Computer, planted: str, why: str
) -> None:
    (line,) = shown_commands(planted)
    assert why in computer.refusal(line)


@pytest.mark.parametrize(
    "name", ["`Enter`", "`17 1,50`", r"`E:\turnier`", "`HTTPS=1`", "`doctor`", "`/t/<slug>/`"]
)
def test_names_keys_and_paths_are_no_commands(name: str) -> None:
    assert shown_commands(name) == []
