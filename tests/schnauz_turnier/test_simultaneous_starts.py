"""Tests of several processes that start at the same moment on one database, which is empty."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.db import connection

from tests import forked
from tests.conftest import url_of_test_database
from tests.ports import free_port
from tests.schnauz_turnier.postgresql.test_database import ROOT, SOON, wait_until
from tests.schnauz_turnier.start.test_launch import answers, launch, read_until

PROCESSES = 3


@pytest.fixture
def empty_database(committed: None) -> Iterator[str]:
    """Create a database without tables and yield its URL."""
    name = f"starts_{uuid4().hex}"
    here = connection.get_connection_params()
    plain = {key: here[key] for key in ("host", "port", "user", "password", "dbname") if key in here}
    with psycopg.connect(**plain, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        yield url_of_test_database().rpartition("/")[0] + f"/{name}"
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_all_of_them_wait_for_the_one_that_migrates(tmp_path: Path, empty_database: str) -> None:
    ports = [free_port() for _ in range(PROCESSES)]
    processes = [launch(tmp_path, port, DATABASE_URL=empty_database) for port in ports]
    try:
        for process, port in zip(processes, ports, strict=True):
            assert "Beenden mit Strg+C." in read_until(process, "Strg+C")
            wait_until(lambda port=port: answers(f"http://127.0.0.1:{port}/healthz"))  # type: ignore[misc]
        with psycopg.connect(empty_database) as database:
            applied = database.execute("SELECT count(*), count(DISTINCT (app, name)) FROM django_migrations")
            assert len(set(applied.fetchall()[0])) == 1
        for process in processes:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=SOON)
    finally:
        for process in processes:
            process.kill()
    assert [process.returncode for process in processes] == [0] * PROCESSES


def test_without_waiting_most_of_them_die(tmp_path: Path, empty_database: str) -> None:
    """The control: the same migrations by processes that do not wait for each other."""
    environment = os.environ | {"DATABASE_URL": empty_database, "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
    with (tmp_path / "said").open("w") as said:
        processes = [forked.start(command, cwd=ROOT, env=environment, stdout=said) for _ in range(PROCESSES)]
    codes = [process.wait(4 * SOON) for process in processes]  # each in one transaction, one after the other
    assert any(codes)
