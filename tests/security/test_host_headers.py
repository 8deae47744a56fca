"""Host headers: a server at all addresses answers to those of this machine, and to no name of a stranger (DNS rebinding)."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from schnauz_turnier.start.address_watch import interfaces
from schnauz_turnier.start.network import is_local
from tests.conftest import ROOT, static_files, url_of_test_database
from tests.faults.house import wait_until
from tests.ports import free_port

LABEL = socket.gethostname().lower().partition(".")[0]
OWN = [
    "localhost",
    LABEL,
    f"{LABEL}.local",
    *sorted({address for _name, address in interfaces() if is_local(address) and ":" not in address}),
]
STRANGE = [
    "turnier.example.org",
    f"{LABEL}.example.org",
    f"{LABEL}.local.example.org",
    "127.0.0.1.example.org",
    "10.255.254.253",  # an address that this machine does not have
    "0.0.0.0",
    "2130706433",
    "0x7f.1",
    "127.1",
    "[::ffff:127.0.0.1]",
    "[fd00::dead]",
    "8.8.8.8",
    "*",
    "",
]
PATHS = ["/", "/account/login/", "/t/nirgends/"]


@pytest.fixture(scope="module")
def everywhere(committed_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve at all addresses of this machine; yield the address on this computer."""
    port, folder = free_port(), tmp_path_factory.mktemp("everywhere")
    (folder / "public_url").write_text(f"http://127.0.0.1:{port}")
    inherited = {
        name: value for name, value in os.environ.items() if name not in ("PUBLIC_URL", "SECRET_KEY")
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "schnauz_turnier.serve", "0.0.0.0", str(port)],
        cwd=ROOT,
        env={
            **inherited,
            "DJANGO_SETTINGS_MODULE": "schnauz_turnier.settings",
            "DATABASE_URL": committed_url,
            "DATA_DIR": str(folder),
            "STATIC_ROOT": static_files(),
            "LOG_LEVEL": "ERROR",
        },
    )
    try:
        assert wait_until(lambda: status(f"http://127.0.0.1:{port}/healthz", "localhost") == 200)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="module")
def committed_url(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> str:
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        return url_of_test_database()


def status(url: str, host: str, **headers: str) -> int:
    try:
        sent = {"Host": host, **headers}
        return httpx.get(url, headers=sent, timeout=30, trust_env=False, verify=False).status_code
    except httpx.TransportError:
        return 0


@pytest.mark.parametrize("host", OWN)
def test_a_name_or_an_address_of_this_machine_is_answered(everywhere: str, host: str) -> None:
    assert [status(everywhere + path, f"{host}:8000") for path in PATHS] == [200, 200, 404]


@pytest.mark.parametrize("host", STRANGE)
def test_a_name_or_an_address_of_a_stranger_is_refused(everywhere: str, host: str) -> None:
    assert [status(everywhere + path, host) for path in PATHS] == [400, 400, 400]
    assert status(everywhere + "/", host, **{"X-Forwarded-Host": "localhost"}) == 400


def test_a_call_of_a_phone_and_a_form_need_such_a_host_and_its_origin(everywhere: str) -> None:
    own = {"Host": OWN[-1], "Origin": f"http://{OWN[-1]}"}
    rebound = {"Host": "turnier.example.org", "Origin": "http://turnier.example.org"}
    foreign = {**own, "Origin": "http://turnier.example.org"}
    with httpx.Client(base_url=everywhere, timeout=30, trust_env=False, verify=False) as phone:
        answers = [
            phone.post("/s/enter", json={"secret": "nonsense"}, headers=headers).status_code
            for headers in (own, rebound, foreign)
        ]
    assert answers == [401, 400, 403]
