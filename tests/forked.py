"""Programs in Python that start as forks of a process which has read the libraries already: that is half of a start.

The libraries only. What is ours each program reads itself, with its own environment, as after a start from nothing. Where
that start is what is tested, tests use `subprocess`.
"""

import atexit
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[1]
LIBRARIES = """
cryptography.hazmat.primitives.serialization cryptography.x509 csp.middleware
django.conf.global_settings django.contrib.auth.hashers django.contrib.auth.password_validation django.contrib.auth.signals
django.contrib.contenttypes.management django.contrib.messages.apps django.contrib.postgres.fields
django.contrib.postgres.forms.array django.contrib.postgres.search django.contrib.sessions.middleware
django.contrib.staticfiles.checks django.contrib.staticfiles.finders django.contrib.staticfiles.storage
django.core.handlers.asgi django.core.mail django.core.management django.db.backends.postgresql.base
django.db.migrations.loader django.forms django.http django.middleware.cache django.middleware.csrf django.template.defaulttags
django.templatetags.i18n django.templatetags.tz django.urls django.views.debug django.views.defaults django.views.generic.base
email.mime.text logging.handlers multiprocessing.spawn PIL.Image PIL.ImageOps platformdirs prometheus_client psutil psycopg_pool
segno servestatic statistics tablib tomllib uvicorn uvicorn.supervisors
"""
WHOLE_MESSAGE = 200_000
CODE = 4  # bytes of a pid, and of the status of a process that has ended
UNKNOWN = (1 << 8).to_bytes(CODE)  # the status of one whose parent has ended before


class Forked:
    """A running program, with the methods of `subprocess.Popen` that tests use."""

    def __init__(
        self, command: Sequence[str], *, cwd: Path, env: Mapping[str, str], files: Sequence[int]
    ) -> None:
        """Start it. files: its stdin, stdout and stderr."""
        self.args = command
        self.returncode: int | None = None
        self.stdout: IO[str] | None = None
        self._status, theirs = socket.socketpair()
        start = json.dumps([command[1:], str(cwd), dict(env)]).encode()
        with theirs:
            socket.send_fds(_forge(), [start], [theirs.fileno(), *files])
        told = self._status.recv(CODE)
        if not told:
            raise RuntimeError("the process that is forked has ended")
        self.pid = int.from_bytes(told)

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self._status.settimeout(timeout)
            try:
                status = self._status.recv(CODE)
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(self.args, timeout or 0) from None
            self.returncode = os.waitstatus_to_exitcode(int.from_bytes(status or UNKNOWN))
            self._status.close()
        return self.returncode

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def communicate(self, timeout: float | None = None) -> tuple[str, None]:
        """Wait for the end, and return what is left to read of stdout, which has room for 60 KB."""
        self.wait(timeout)
        return self.stdout.read() if self.stdout else "", None

    def send_signal(self, what: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, what)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


Running = subprocess.Popen[bytes] | Forked
Heard = subprocess.Popen[str] | Forked


def _can_fork(command: Sequence[str]) -> bool:
    return command[0] == sys.executable and sys.platform == "linux" and "PYTEST_VERSION" in os.environ


def start(
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: IO[Any] | None = None,
    stdout: IO[Any],
    stderr: IO[Any] | None = None,
) -> Running:
    """Start a program: as a fork in a run of pytest on Linux, otherwise as usual. Without a stderr, it is stdout."""
    if _can_fork(command):
        with Path(os.devnull).open() as nothing:
            files = [one.fileno() for one in (stdin or nothing, stdout, stderr or stdout)]
            return Forked(command, cwd=cwd, env=env, files=files)
    return subprocess.Popen(
        command, cwd=cwd, env=env, stdin=stdin or subprocess.DEVNULL, stdout=stdout, stderr=stderr or stdout
    )


def start_and_listen(
    command: Sequence[str], *, cwd: Path, env: Mapping[str, str]
) -> Forked | subprocess.Popen[str]:
    """Start a program whose stdout, errors included, is read meanwhile."""
    if not _can_fork(command):
        return subprocess.Popen(
            command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    ours, theirs = os.pipe()
    with os.fdopen(theirs, "wb") as end:
        running = start(command, cwd=cwd, env=env, stdout=end)
    assert isinstance(running, Forked)
    running.stdout = os.fdopen(ours, encoding="utf-8")
    return running


def run(
    command: Sequence[str], *, cwd: Path, env: Mapping[str, str], text: str = ""
) -> "subprocess.CompletedProcess[str]":
    """Run a program to its end, with a text as its input."""
    with ExitStack() as stack:
        given, said, errors = (
            stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8")) for _ in range(3)
        )
        given.write(text)
        given.seek(0)
        status = start(command, cwd=cwd, env=env, stdin=given, stdout=said, stderr=errors).wait()
        said.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(command, status, said.read(), errors.read())


# --- the process that is forked -------------------------------------------------------------------------------------


@cache
def _forge() -> socket.socket:
    """Start the process that is forked, one for this process of the tests; it ends with it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.forked", str(theirs.fileno())]
    with theirs:
        running = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
        )
    atexit.register(running.wait, 10)
    atexit.register(ours.close)
    return ours


def _wait_for_a_start(control: socket.socket) -> tuple[list[str], Path]:
    """Fork for each message, and tell how each fork has ended. Return in a fork what it is to run."""
    awake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: dict[int, socket.socket] = {}
    while True:
        ready = select.select((control.fileno(), awake), (), ())[0]
        if awake in ready:
            os.read(awake, 1000)
            _tell_who_has_ended(running)
        if control.fileno() in ready:
            message, files, _, _ = socket.recv_fds(control, WHOLE_MESSAGE, 4)
            if not message:
                sys.exit()
            status = socket.socket(fileno=files[0])
            if pid := os.fork():
                status.sendall(pid.to_bytes(CODE))
                running[pid] = status
                for file in files[1:]:
                    os.close(file)
                continue
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for one in (control, status, *running.values()):
                one.close()
            for file in (awake, woken):
                os.close(file)
            return _in_its_place(message, files[1:])


def _tell_who_has_ended(running: dict[int, socket.socket]) -> None:
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            pid, status = ended
            with suppress(OSError), running.pop(pid) as waiting:
                waiting.sendall(status.to_bytes(CODE))


def _in_its_place(message: bytes, files: list[int]) -> tuple[list[str], Path]:
    """Take files, folder and environment of the program."""
    words, folder, environment = json.loads(message)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", errors="backslashreplace", buffering=1, closefd=False)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a run in the background ignores
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[1:1] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    return words, Path(folder)


def _run(words: list[str], folder: Path) -> None:
    """Do what Python does with the words of its command line: -m and a module, -c and a program, or a file."""
    how, what = words[0], words[1]
    if how == "-m":
        sys.argv, sys.path[0] = words[1:], str(folder)
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    elif how == "-c":
        sys.argv, sys.path[0] = ["-c", *words[2:]], ""
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv, sys.path[0] = words, str((folder / how).parent)
        runpy.run_path(how, run_name="__main__")


if __name__ == "__main__":
    gc.disable()
    for library in LIBRARIES.split():
        import_module(library)
    gc.freeze()
    program = _wait_for_a_start(socket.socket(fileno=int(sys.argv[1])))
    gc.enable()
    _run(*program)
