"""A laptop gets another address in the middle of an evening, in a network of its own (hall.py)."""

import hashlib
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx
import pytest

from schnauz_turnier.postgresql import database
from tests import forked
from tests.conftest import ROOT, static_files
from tests.data_dirs import copy_data_dir, migrated_data_dir
from tests.faults.evening import SLUG, document
from tests.faults.hall import Hall, hall, without_settings
from tests.faults.house import wait_until

FIRST, SECOND = "192.168.178.20", "10.44.7.31"
PORT = 8000
ORGANISER = {
    "name": "Veranstalter",
    "password": "drei-Asse-sind-ein-Feuer",
    "password_again": "drei-Asse-sind-ein-Feuer",
}


def url(address: str, path: str = "") -> str:
    return f"http://{address}:{PORT}{path}"


@dataclass
class Laptop:
    """The laptop with the program, and what this prints."""

    hall: Hall
    environment: dict[str, str]
    output: Path

    def answers(self, address: str, *, host: str = "") -> int:
        """Return the status of the answer to the health check at an address; 0 without an answer."""
        headers = {"Host": f"{host}:{PORT}"} if host else {}
        try:
            return self.hall.get(url(address, "/healthz"), **headers).status_code
        except httpx.TransportError:
            return 0

    def link(self) -> str:
        """Return the link on the code of table 1, as the program prints it now."""
        printing = (sys.executable, "manage.py", "sheet_links", SLUG)
        said = self.hall.say(*printing, environment=self.environment)
        return str(json.loads(said.splitlines()[0])["url"])

    def printed(self) -> str:
        return self.output.read_text(encoding="utf-8", errors="replace")


@contextmanager
def running(laptop: Laptop, *words: str) -> Iterator["subprocess.Popen[bytes]"]:
    output: IO[bytes]
    with laptop.output.open("wb") as output:
        process = laptop.hall.start(
            sys.executable, "-m", *words, environment=laptop.environment, output=output
        )
    try:
        assert wait_until(lambda: laptop.answers("127.0.0.1") == 200), laptop.printed()
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


@pytest.fixture(scope="module")
def data_in_play(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a tournament in play."""
    data = copy_data_dir(migrated_data_dir(), tmp_path_factory.mktemp("in play"))
    importing = [sys.executable, "manage.py", "import_tournament", "-"]
    environment = {**dict(without_settings()), "DATA_DIR": str(data)}
    forked.run(importing, cwd=ROOT, env=environment, text=json.dumps(document(1))).check_returncode()
    assert wait_until(lambda: not database.is_supervised(data))
    return data


@pytest.fixture
def laptop(data_in_play: Path, tmp_path: Path) -> Iterator[Laptop]:
    """A laptop at its first address, with a tournament in play."""
    data = copy_data_dir(data_in_play, tmp_path / "data")
    here = {"DATA_DIR": str(data), "STATIC_ROOT": static_files(), "HOST": "0.0.0.0", "PORT": str(PORT)}
    with hall() as network:
        network.give(FIRST)
        yield Laptop(network, {**dict(without_settings()), **here}, tmp_path / "output")


class Visitor:
    """A browser at one address of the laptop."""

    def __init__(self, laptop: Laptop, address: str) -> None:
        self._laptop = laptop
        self.origin = url(address)
        self._client = httpx.Client(base_url=self.origin, timeout=30, trust_env=False, verify=False)

    def get(self, path: str) -> httpx.Response:
        return self._laptop.hall.in_it(lambda: self._client.get(path))

    def post(self, path: str, **fields: str) -> httpx.Response:
        """Send the form of a page as a browser does."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.get(path).text)
        assert token
        data, headers = {**fields, "csrfmiddlewaretoken": token[1]}, {"Origin": self.origin}
        return self._laptop.hall.in_it(lambda: self._client.post(path, data=data, headers=headers))

    def call(self, path: str, **body: str) -> int:
        """Send a phone's call, and return the status of the answer."""
        headers = {"Origin": self.origin}
        return self._laptop.hall.in_it(
            lambda: self._client.post(path, json=body, headers=headers)
        ).status_code


def test_the_program_moves_with_the_laptop_and_says_so(laptop: Laptop) -> None:
    laptop.environment["HTTPS"] = "1"
    with running(laptop, "schnauz_turnier"):
        code = re.search(r"/account/setup/#(\S+)", laptop.printed())
        assert code
        organiser = Visitor(laptop, "127.0.0.1")
        assert organiser.post("/account/setup/", code=code[1], **ORGANISER).status_code == 302
        overview, players = f"/o/{SLUG}/", f"/t/{SLUG}/"
        assert organiser.get(overview).status_code == 200
        secret = laptop.link().partition("#")[2]
        phone = Visitor(laptop, FIRST)
        assert phone.call("/s/enter", secret=secret) == 200
        certificate = certificate_of(laptop)

        # A further address, as of a cable or a VPN: both are answered, and the codes stay as they are printed.
        laptop.hall.give(SECOND)
        assert wait_until(lambda: laptop.answers(SECOND) == 200)
        assert phone.call("/s/pen") == 200
        assert laptop.link().startswith(url(FIRST, "/s/#"))
        assert "Neue Adresse" not in organiser.get(overview).text

        # Another address.
        laptop.hall.take(FIRST)
        assert wait_until(lambda: f"neue Adresse: {url(SECOND)}/\n" in laptop.printed())
        assert laptop.link().startswith(url(SECOND, "/s/#"))
        notice = re.search(
            r'<details class="notice new-address".*?</details>', organiser.get(overview).text, re.DOTALL
        )
        assert notice
        assert [address for address in (FIRST, SECOND) if url(address) in notice[0]] == [FIRST, SECOND]
        shown = organiser.get(players).text
        assert (url(SECOND) in shown, url(FIRST) in shown) == (True, False)
        assert Visitor(laptop, SECOND).call("/s/enter", secret=secret) == 200
        assert [laptop.answers(SECOND, host=host) for host in NAMES] == [200] * len(NAMES)
        assert [
            laptop.answers(SECOND, host=host) for host in (FIRST, "10.44.7.32", "turnier.example.org")
        ] == [400] * 3

        # A code for the phones, and a certificate for the new address with its fingerprint.
        assert laptop.printed().count("▀") > 100
        assert wait_until(lambda: certificate_of(laptop) != certificate)
        assert fingerprint(certificate_of(laptop)) in laptop.printed().partition("neue Adresse")[2]
    # An evening goes on after a restart.
    with running(laptop, "schnauz_turnier"):
        assert "Neue Adresse" in organiser.get(overview).text


NAMES = (
    socket.gethostname().partition(".")[0],
    f"{socket.gethostname().partition('.')[0]}.local",
    "localhost",
)


def certificate_of(laptop: Laptop) -> str:
    return laptop.hall.in_it(lambda: ssl.get_server_certificate(("127.0.0.1", PORT + 443)))


def fingerprint(certificate: str) -> str:
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate)).hexdigest().upper()
    return ":".join(digest[place : place + 2] for place in range(0, len(digest), 2))


def test_every_process_of_a_server_learns_the_address(laptop: Laptop) -> None:
    data = Path(laptop.environment["DATA_DIR"])
    (data / "public_url").write_text(url(FIRST))
    with running(laptop, "schnauz_turnier.serve", "0.0.0.0", str(PORT), "--processes", "2") as parent:
        page = f"/t/{SLUG}/"
        assert url(FIRST) in laptop.hall.get(url(FIRST, page)).text
        laptop.hall.take(FIRST)
        laptop.hall.give(SECOND)
        for silent in workers(parent.pid):
            os.kill(silent, signal.SIGSTOP)  # so the other one answers
            try:
                assert wait_until(lambda: laptop.answers(SECOND) == 200)
                assert wait_until(lambda: url(SECOND) in laptop.hall.get(url(SECOND, page)).text)
            finally:
                os.kill(silent, signal.SIGCONT)
        assert (data / "public_url").read_text() == url(SECOND)
        assert json.loads((data / "address_change.json").read_text())[:2] == [url(SECOND), [url(FIRST)]]


def workers(parent: int) -> list[int]:
    """Return the processes that serve; others keep the database, and watch what is shared."""
    children = [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    serving = [pid for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert len(serving) == 2
    return serving
