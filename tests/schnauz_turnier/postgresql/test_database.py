"""Tests of the embedded PostgreSQL with real servers and processes, which are really killed."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from schnauz_turnier.postgresql import database
from schnauz_turnier.postgresql.embedded import cluster, supervisor
from tests import forked
from tests.data_dirs import copy_data_dir, empty_data_dir

ROOT = Path(__file__).parents[3]
SOON = 120.0  # seconds until a test fails

# A user of the database in a separate process: prints the port of the server, then waits until it is killed.
USER = """
import sys, time
from pathlib import Path
from schnauz_turnier.postgresql import database
print(database.address(Path(sys.argv[1])).port, flush=True)
time.sleep(600)
"""

# A web process: takes a connection from its pool once more while the file with the address is away.
WEB = """
import sys
from pathlib import Path
import django
from django.db import connection
django.setup()
address = Path(sys.argv[1]) / "database.json"
for _time in range(2):
    with connection.cursor() as cursor:
        cursor.execute("SELECT 47")
        print(cursor.fetchone(), flush=True)
    connection.close()
    if address.exists():
        address.rename(address.with_suffix(".away"))
address.with_suffix(".away").rename(address)
connection.close_pool()
"""


class Users:
    """Processes that use one DATA_DIR."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.processes: list[forked.Heard] = []

    def start(self, **environment: str) -> forked.Heard:
        command = [sys.executable, "-c", USER, str(self.data_dir)]
        process = forked.start_and_listen(command, cwd=ROOT, env=os.environ | environment)
        self.processes.append(process)
        return process

    def port_of(self, user: forked.Heard) -> int:
        assert user.stdout is not None
        return int(user.stdout.readline())

    def connect(self) -> psycopg.Connection[tuple[object, ...]]:
        here = database.read_address(self.data_dir)
        assert here is not None
        return psycopg.connect(dbname=database.NAME, autocommit=True, **here.parameters)  # type: ignore[arg-type]

    @property
    def server_pid(self) -> int:
        return int((self.data_dir / "cluster" / "postmaster.pid").read_text().split()[0])

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.communicate()


@pytest.fixture
def users(tmp_path: Path) -> Iterator[Users]:
    with users_of_a_copy(tmp_path / "data") as users:
        yield users


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Users]:
    """Start a server once, for the tests that only look at it."""
    with users_of_a_copy(tmp_path_factory.mktemp("running") / "data") as users:
        users.port_of(users.start())
        yield users


@contextmanager
def users_of_a_copy(data_dir: Path) -> Iterator[Users]:
    copy_data_dir(empty_data_dir(), data_dir)
    users = Users(data_dir)
    try:
        yield users
    finally:
        users.end()
        wait_until(lambda: not is_served(data_dir))


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline, pause = time.monotonic() + SOON, 0.01
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(pause)
        pause = min(1.5 * pause, 0.1)


def is_served(data_dir: Path) -> bool:
    """Whether a supervisor holds its lock, which it releases after its server has stopped."""
    return database.is_supervised(data_dir)


def is_alive(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    return ask_ps("stat", pid)[:1] not in ("", "Z")


def ask_ps(column: str, pid: int) -> str:
    asked = subprocess.run(
        ["ps", "-o", f"{column}=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return asked.stdout.strip()


def test_it_is_durable_speaks_utf8_and_listens_on_the_loopback_only(running: Users) -> None:
    with closing(running.connect()) as connection:
        settings = [
            connection.execute(f"SHOW {name}").fetchone()
            for name in ("fsync", "synchronous_commit", "listen_addresses", "unix_socket_directories")
        ]
        assert settings == [("on",), ("on",), ("127.0.0.1",), ("",)]
        assert connection.execute("SHOW server_encoding").fetchone() == ("UTF8",)


def test_it_finds_umlauts_whatever_their_case(running: Users) -> None:
    with closing(running.connect()) as connection:
        assert connection.execute("SELECT upper('müßig') = upper('MÜßIG')").fetchone() == (True,)


def test_a_wrong_password_is_refused_and_the_right_one_is_for_the_owner_only(running: Users) -> None:
    here = database.read_address(running.data_dir)
    assert here is not None
    wrong = here.parameters | {"password": "guessed", "dbname": "postgres"}
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(**wrong)  # type: ignore[arg-type]
    for name in ("database.password", "database.json"):
        assert (running.data_dir / name).stat().st_mode & 0o777 == 0o600


def test_a_second_process_shares_the_server(users: Users) -> None:
    first, second = users.start(), users.start()
    assert users.port_of(first) == users.port_of(second)
    first.kill()
    first.wait()
    with closing(users.connect()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_it_stops_by_itself_when_its_last_user_is_killed(users: Users) -> None:
    user = users.start()
    users.port_of(user)
    server = users.server_pid
    user.kill()
    wait_until(lambda: not is_served(users.data_dir))
    assert not is_alive(server)


def test_it_is_there_again_on_the_same_port_after_it_was_killed_and_nothing_is_lost(users: Users) -> None:
    port = users.port_of(users.start())
    with closing(users.connect()) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 47 AS players")
    killed = users.server_pid
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: (users.data_dir / "database.json").exists() and users.server_pid != killed)
    with closing(users.connect()) as connection:
        assert connection.info.port == port
        assert connection.execute("SELECT players FROM kept").fetchone() == (47,)


def test_data_and_port_are_the_same_at_the_next_start(users: Users) -> None:
    first = users.start()
    port = users.port_of(first)
    with closing(users.connect()) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 47 AS players")
    first.kill()
    first.wait()
    assert users.port_of(users.start()) == port
    with closing(users.connect()) as connection:
        assert connection.execute("SELECT players FROM kept").fetchone() == (47,)


def test_another_port_is_taken_where_the_usual_one_is_not_free(users: Users) -> None:
    with socket.socket() as other_program:
        other_program.bind(("127.0.0.1", 0))
        other_program.listen()
        taken = other_program.getsockname()[1]
        (users.data_dir / "database.port").write_text(str(taken))
        assert users.port_of(users.start()) != taken
    users.connect().close()


def test_a_connection_of_the_pool_is_taken_without_looking_up_the_address(users: Users) -> None:
    own = {"DATA_DIR": str(users.data_dir), "DJANGO_SETTINGS_MODULE": "schnauz_turnier.settings"}
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | own
    command = [sys.executable, "-c", WEB, str(users.data_dir)]
    assert forked.run(command, cwd=ROOT, env=environment).stdout == "(47,)\n(47,)\n"


def test_the_next_user_starts_anew_when_the_supervisor_was_killed(users: Users) -> None:
    first = users.start()
    users.port_of(first)
    server = users.server_pid
    os.kill(int(ask_ps("ppid", server)), signal.SIGKILL)
    users.port_of(users.start())
    with closing(users.connect()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert users.server_pid != server
    assert not is_alive(server)


def test_what_a_power_cut_left_does_not_stop_the_next_start(users: Users) -> None:
    """The pid in postmaster.pid now belongs to another program: here, to this test."""
    pid_file = users.data_dir / "cluster" / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n/proc/self/cwd\n1\n1\n\n127.0.0.1\n")
    shutil.copystat(users.data_dir / "cluster" / "PG_VERSION", pid_file)
    owner = (users.data_dir / "cluster").stat()
    os.chown(pid_file, owner.st_uid, owner.st_gid)
    users.port_of(users.start())
    with closing(users.connect()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_half_made_cluster_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "data" / "cluster.new").mkdir(parents=True)
    (tmp_path / "data" / "cluster.new" / "PG_VERSION").write_text("18")
    users = Users(tmp_path / "data")
    try:
        users.port_of(users.start())
        users.connect().close()
    finally:
        users.end()
        wait_until(lambda: not is_served(tmp_path / "data"))


# --- refusals ------------------------------------------------------------------------------------------------------


FLOOD = """
DO $$ BEGIN
    FOR line IN 1..30000 LOOP RAISE LOG 'line % %', line, repeat('x', 100); END LOOP;
END $$
"""


def test_a_flood_of_lines_does_not_fill_the_disk(users: Users) -> None:
    log, before = users.data_dir / "database.log", users.data_dir / "database.log.1"
    users.port_of(users.start())
    with closing(users.connect()) as connection:
        connection.execute(FLOOD)  # 3 MB
        wait_until(lambda: before.exists() and log.stat().st_size <= supervisor.LOG_BYTES)
        connection.execute("DO $$ BEGIN RAISE LOG 'the last line'; END $$")
        wait_until(lambda: "the last line" in log.read_text())
    assert "\0" not in log.read_text()  # no hole where the former lines were
    assert before.stat().st_mode & 0o077 == 0


def error_of(user: forked.Heard) -> str:
    errors, _nothing = user.communicate(timeout=SOON)
    assert user.returncode == 1
    return errors


def test_a_cluster_of_another_version_is_refused_with_what_to_do(users: Users) -> None:
    (users.data_dir / "cluster" / "PG_VERSION").write_text("12\n")
    errors = error_of(users.start())
    assert "was made by PostgreSQL 12" in errors
    assert "Set PG_BIN" in errors
    assert str(users.data_dir / "database.log") in errors


def test_a_folder_without_programs_is_refused(users: Users, tmp_path: Path) -> None:
    assert "holds no 'postgres' and 'initdb'" in error_of(users.start(PG_BIN=str(tmp_path)))


def test_a_data_dir_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert "cannot be used" in error_of(Users(tmp_path / "data").start())


def test_other_programs_can_be_named(users: Users) -> None:
    wheel = cluster.Cluster.at(users.data_dir / "cluster").programs
    users.port_of(users.start(PG_BIN=str(wheel)))
    users.connect().close()


# --- as root -------------------------------------------------------------------------------------------------------

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has to run the server as somebody else")


@as_root
def test_root_runs_it_as_another_account_in_a_folder_that_only_root_may_enter(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    users = Users(closed / "data")
    try:
        users.port_of(users.start())
        owner = Path(f"/proc/{users.server_pid}").stat().st_uid
        assert owner != 0
        with closing(users.connect()) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert closed.stat().st_mode & 0o777 == 0o700
        assert (closed / "data").stat().st_mode & 0o777 == 0o700
    finally:
        users.end()
        wait_until(lambda: not is_served(closed / "data"))


@as_root
def test_programs_that_the_account_cannot_reach_are_copied_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, public = tmp_path / "closed", Path(os.environ.get("TMPDIR", "/tmp")) / f"schnauz-{os.getpid()}"
    package = cluster.Cluster.at(tmp_path / "none").programs.parents[1]
    shutil.copytree(package / "pginstall18", closed / package.name / "pginstall18")
    shutil.copytree(package.with_name(f"{package.name}.libs"), closed / f"{package.name}.libs")
    (closed / package.name / "__init__.py").write_text("")
    closed.chmod(0o700)
    monkeypatch.setattr(cluster, "SHARED_PROGRAMS", public)
    monkeypatch.setattr(cluster, "find_spec", lambda _name: Spec(closed / package.name / "__init__.py"))
    try:
        reachable = cluster.Cluster.at(tmp_path / "none")
        assert reachable.programs.is_relative_to(public)
        assert reachable.major_version == 18
        assert closed.stat().st_mode & 0o777 == 0o700
        assert [path.name for path in public.iterdir()] == [reachable.programs.parents[2].name]
    finally:
        shutil.rmtree(public, ignore_errors=True)


class Spec:
    def __init__(self, origin: Path) -> None:
        self.origin = str(origin)
