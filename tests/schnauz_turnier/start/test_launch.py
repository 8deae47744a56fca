"""Tests of the launch, which `make run` calls: from an empty folder to the first page, and a clean stop on Ctrl-C."""

import hashlib
import os
import re
import signal
import socket
import ssl
import stat
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests import forked
from tests.conftest import static_files, url_of_test_database
from tests.data_dirs import copy_data_dir, migrated_data_dir
from tests.ports import free_port
from tests.schnauz_turnier.postgresql.test_database import ROOT, SOON, is_served, wait_until

PROGRAM = [sys.executable, "-m", "schnauz_turnier"]


def launch(data_dir: Path, port: int, **environment: str) -> forked.Heard:
    return forked.start_and_listen(PROGRAM, cwd=ROOT, env=surroundings(data_dir, port, **environment))


def surroundings(data_dir: Path, port: int, **environment: str) -> dict[str, str]:
    ours = ("DATABASE_URL", "PUBLIC_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "HOST")
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    place = {
        "DATA_DIR": str(data_dir),
        "STATIC_ROOT": static_files(),
        "HOST": "127.0.0.1",
        "PORT": str(port),
    }
    return inherited | place | environment


def read_until(process: forked.Heard, last: str) -> str:
    lines = []
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)
        if last in line:
            break
    return "".join(lines)


def answers(url: str) -> bool:
    try:
        return (
            httpx.get(url, verify=False, timeout=30).status_code == 200
        )  # plain http: without reading certificates
    except httpx.TransportError:
        return False


def test_from_an_empty_folder_to_the_first_page_and_away_on_ctrl_c(tmp_path: Path) -> None:
    port = free_port()
    process = subprocess.Popen(
        PROGRAM,
        cwd=ROOT,
        env=surroundings(tmp_path, port, STATIC_ROOT=str(tmp_path / "static")),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        said = read_until(process, "Strg+C")
        assert f"Schnauz-Turnier läuft: http://127.0.0.1:{port}/\n" in said
        assert re.search(rf"  http://127\.0\.0\.1:{port}/account/setup/#[0-9A-F-]{{39}}\n", said)
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SOON)
        wait_until(lambda: not is_served(tmp_path))
    finally:
        process.kill()
    assert process.returncode == 0
    assert list((tmp_path / "backups").glob("schnauz-turnier-*.zip"))


def test_in_a_network_it_shows_the_address_as_a_code_and_ends_when_it_is_told_to(tmp_path: Path) -> None:
    copy_data_dir(migrated_data_dir(), tmp_path)
    process = launch(tmp_path, free_port(), PUBLIC_URL="http://192.168.178.20:8000")
    said = read_until(process, "Strg+C")
    process.terminate()
    process.communicate(timeout=SOON)
    wait_until(lambda: not is_served(tmp_path))
    assert "Schnauz-Turnier läuft: http://192.168.178.20:8000/\n" in said
    assert said.count("▀") > 50


def test_with_https_the_staff_get_an_encrypted_address_with_a_certificate_of_its_own(
    tmp_path: Path, committed: None
) -> None:
    port = free_port()
    printed = [_fingerprint_printed_and_served(tmp_path, port) for _start in range(2)]
    assert printed[0] == printed[1]
    assert [stat.S_IMODE(file.stat().st_mode) for file in tmp_path.glob("https_*.pem")] == [0o600, 0o600]


def _fingerprint_printed_and_served(data_dir: Path, port: int) -> str:
    """Start with HTTPS=1, compare what is printed with what is answered, log in over both, and stop."""
    process = launch(data_dir, port, HTTPS="1", DATABASE_URL=url_of_test_database())
    plain, encrypted = f"http://127.0.0.1:{port}", f"https://127.0.0.1:{port + 443}"
    try:
        said = read_until(process, "Strg+C")
        assert f"verschlüsselt: {encrypted}/\n" in said
        printed = re.search(r"\n  ((?:[0-9A-F]{2}:){31}[0-9A-F]{2})\n", said)
        assert printed
        wait_until(lambda: answers(f"{plain}/healthz"))
        answered = ssl.get_server_certificate(("127.0.0.1", port + 443))
        digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(answered)).hexdigest()
        assert digest.upper() == printed[1].replace(":", "")
        trusted = ssl.create_default_context(cadata=answered)
        with httpx.Client(base_url=encrypted, verify=trusted, timeout=SOON) as browser:
            assert browser.get("/").status_code == 200
            assert "strict-transport-security" not in browser.get("/").headers
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SOON)
    finally:
        process.kill()
    assert process.returncode == 0
    return printed[1]


def test_a_taken_port_is_named_with_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as other_program:
        other_program.bind(("127.0.0.1", 0))
        other_program.listen()
        port = other_program.getsockname()[1]
        said, _nothing = launch(tmp_path, port).communicate(timeout=SOON)
    assert f"127.0.0.1:{port} ist nicht frei" in said
    offered = re.search(r"PORT=(\d+) make run", said)
    assert offered
    assert port < int(offered[1]) < port + 100


@pytest.mark.parametrize("port", ["0", "http", "70000", "²"])
def test_a_port_that_is_none_is_refused(tmp_path: Path, port: str) -> None:
    process = launch(tmp_path, 0, PORT=port)
    said, _nothing = process.communicate(timeout=SOON)
    assert process.returncode == 1
    assert said == f"PORT={port!r} is no port. Set it to a number from 1 to 65535, e.g. PORT=8001\n"


def test_a_database_that_does_not_answer_is_named(tmp_path: Path) -> None:
    nowhere = f"postgres://schnauz:s3cret@127.0.0.1:{free_port()}/schnauz"
    started = time.monotonic()
    process = launch(tmp_path, free_port(), DATABASE_URL=nowhere)
    said, _nothing = process.communicate(timeout=SOON)
    assert time.monotonic() - started < SOON
    assert process.returncode == 1
    assert "Die Datenbank ist nicht erreichbar" in said
    assert "s3cret" not in said
