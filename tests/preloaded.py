"""Processes of the program that start quickly: forked from one that has imported what the program takes from others.

Nothing of the program itself is imported before the fork. Settings, models and migrations are those that the environment of the
new process names. For tests whose point is not the start of Python.

    python -m tests.preloaded FOLDER     forks a process for each line of stdin; only this module starts it
"""

import atexit
import fcntl
import gc
import importlib
import json
import os
import resource
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

ROOT = Path(__file__).parents[1]
PATIENCE = 120.0
NAMES = "preloaded_modules"
OWN = ("schnauz_turnier", "scoring", "tournaments", "tests", "__main__")
PROGRAM = (
    "schnauz_turnier.asgi",
    "schnauz_turnier.launch",
    "schnauz_turnier.serve",
    "uvicorn.loops.auto",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.http.auto",
    "django.db.migrations.autodetector",
    "django.db.migrations.executor",
    "django.contrib.staticfiles.finders",
    "psycopg_pool",
)
"""What the server and the commands import."""


# --- for tests -----------------------------------------------------------------------------------------------------


class Forked:
    """A process as if of `python COMMAND`, with what Popen offers of it.

    output: the file to which what it says is appended, otherwise one of its own. text: its input.
    largest_file: the number of bytes that a file which it writes can have.
    """

    def __init__(
        self,
        *command: str,
        environment: Mapping[str, str],
        output: Path | None = None,
        text: str = "",
        largest_file: int | None = None,
    ) -> None:
        folder = Path(mkdtemp(dir=_folder()))
        (folder / "input").write_text(text, encoding="utf-8")
        self.returncode: int | None = None
        self._status = folder / "status"
        self._output = output or folder / "output"
        job = {
            "command": command,
            "environment": dict(environment),
            "folder": str(folder),
            "output": str(self._output),
            "largest_file": largest_file,
        }
        forking = _forking()
        assert forking.stdin is not None
        assert forking.stdout is not None
        forking.stdin.write(json.dumps(job) + "\n")
        forking.stdin.flush()
        self.pid = int(forking.stdout.readline())

    def poll(self) -> int | None:
        if self.returncode is None:
            with suppress(FileNotFoundError):
                self.returncode = int(self._status.read_text(encoding="utf-8"))
        return self.returncode

    def wait(self, timeout: float = PATIENCE) -> int:
        deadline, pause = time.monotonic() + timeout, 0.005
        while (status := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("a forked process", timeout)
            time.sleep(pause)
            pause = min(1.5 * pause, 0.1)
        return status

    def said(self) -> str:
        """Return its output and errors, of a process that has ended."""
        return self._output.read_text(encoding="utf-8")

    def send_signal(self, how: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, how)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _folder() -> str:
    from tests.conftest import folder_of_the_run  # noqa: PLC0415 (the process that forks needs nothing of it)

    return str(folder_of_the_run())


@cache
def _forking() -> subprocess.Popen[str]:
    """Start the process that forks. It ends when its stdin is closed."""
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.preloaded", _folder()],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert started.stdin is not None
    atexit.register(started.stdin.close)
    return started


# --- the process that forks ----------------------------------------------------------------------------------------


def _fork_for_each_line(folder: Path) -> None:
    _import_what_the_program_takes_from_others(folder)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        if os.fork() == 0:
            _run_and_note(json.loads(line))
            return
        os.wait()


def _import_what_the_program_takes_from_others(folder: Path) -> None:
    """Import it. Which modules they are, one process of the whole run finds out."""
    with (folder / f"{NAMES}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        names = folder / NAMES
        if not names.exists():
            if os.fork() == 0:
                _write_names(names)
                os._exit(0)
            os.wait()
    for name in names.read_text(encoding="utf-8").split():
        with suppress(Exception):  # some read settings, and some are there only inside others
            importlib.import_module(name)


def _write_names(names: Path) -> None:
    for name in list(os.environ):
        if name in {"DATABASE_URL", "SECRET_KEY", "CLUBS", "HTTPS"}:
            del os.environ[name]
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "schnauz_turnier.settings",
        "DATA_DIR": str(names.parent / "preloaded"),
        "STATIC_ROOT": str(names.parent),
        "PUBLIC_URL": "http://localhost:8000",
    }
    import django  # noqa: PLC0415 (only here)

    django.setup()
    from django.urls import get_resolver  # noqa: PLC0415 (the settings had to be ready)

    for module in PROGRAM:
        importlib.import_module(module)
    assert get_resolver().url_patterns
    found = [name for name, module in sys.modules.items() if name.split(".")[0] not in OWN and module]
    draft = names.with_suffix(".new")
    draft.write_text("\n".join(found), encoding="utf-8")
    draft.rename(names)


def _run_and_note(job: dict[str, Any]) -> None:
    """Fork once more, so that one of both becomes the process and the other notes its end, and nobody waits for it here."""
    if os.fork():
        return
    if process := os.fork():
        sys.stdout.write(f"{process}\n")
        sys.stdout.flush()
        _redirect(0, os.devnull, os.O_RDONLY)
        _redirect(1, os.devnull, os.O_WRONLY)
        _process, status = os.waitpid(process, 0)
        note = Path(job["folder"]) / "status"
        note.with_suffix(".new").write_text(str(os.waitstatus_to_exitcode(status)), encoding="utf-8")
        note.with_suffix(".new").rename(note)
    else:
        _become(job)


def _redirect(number: int, path: str, flags: int) -> None:
    opened = os.open(path, flags, 0o600)
    os.dup2(opened, number)
    os.close(opened)


def _become(job: dict[str, Any]) -> None:
    _redirect(0, str(Path(job["folder"]) / "input"), os.O_RDONLY)
    for number in (1, 2):
        _redirect(number, job["output"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (for as long as the process lives)
    os.environ.clear()
    os.environ.update(job["environment"])
    sys.path[1:1] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    if job["largest_file"]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["largest_file"], job["largest_file"]))
    first, *arguments = job["command"]
    if first == "-m":
        module, *arguments = arguments
        sys.argv = [module, *arguments]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    elif first == "-c":
        code, *arguments = arguments
        sys.argv = ["-c", *arguments]
        exec(code, {"__name__": "__main__"})
    else:
        sys.argv = [first, *arguments]
        runpy.run_path(str(ROOT / first), run_name="__main__")


if __name__ == "__main__":
    _fork_for_each_line(Path(sys.argv[1]))
