"""docker-compose.yml: what it names exists, and its proxy does what it should, with a real Caddy and the real program."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from django.conf import settings
from pytest_django.plugin import DjangoDbBlocker

from tests.conftest import IN_CI, url_of_test_database
from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tests.faults.house import Web, program, wait_until
from tests.ports import free_port
from tests.schnauz_turnier.postgresql.test_database import ROOT
from tests.schnauz_turnier.start.test_launch import answers

TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, Any] = COMPOSE["services"]
CADDYFILE: str = COMPOSE["configs"]["caddyfile"]["content"]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
HEAD = TEXT.partition("services:")[0]


def test_every_service_starts_again_and_its_log_is_limited() -> None:
    for name, service in SERVICES.items():
        assert service["restart"] == "unless-stopped", name
        assert service["logging"] == {
            "driver": "json-file",
            "options": {"max-size": "10m", "max-file": "5"},
        }, name


def test_every_variable_is_explained_at_the_top() -> None:
    read = set(re.findall(r"\$\{([A-Z_]+)", TEXT))
    assert read == set(re.findall(r"^#   ([A-Z_]+)=", HEAD, re.MULTILINE))


def test_the_application_is_given_what_the_settings_read() -> None:
    operations = (ROOT / "docs" / "operations.md").read_text()
    known = set(re.findall(r"^\| `([A-Z_]+)` \|", operations, re.MULTILINE))
    given = SERVICES["application"]["environment"]
    assert set(given) - known == set()
    assert {"DATABASE_URL", "SECRET_KEY", "PUBLIC_URL", "TRUSTED_PROXIES", "BACKUP_DIR"} <= set(given)
    assert given["TRUSTED_PROXIES"] == SERVICES["proxy"]["networks"]["default"]["ipv4_address"]


def test_the_applications_of_many_clubs_are_given_what_the_settings_read() -> None:
    text = (ROOT / "compose.hosting.yml").read_text()
    compose = yaml.safe_load(text)
    services = compose["services"]
    read = set(re.findall(r"\$\{([A-Z_]+)", text))
    assert read == set(re.findall(r"^#   ([A-Z_]+)=", text.partition("x-logging")[0], re.MULTILINE))
    operations = (ROOT / "docs" / "operations.md").read_text()
    known = set(re.findall(r"^\| `([A-Z_]+)` \|", operations, re.MULTILINE))
    for name in ("application-1", "application-2", "migrate"):
        assert set(services[name]["environment"]) - known == set(), name
        assert services[name]["environment"] == services["application-1"]["environment"]
    given = services["application-1"]["environment"]
    assert given["TRUSTED_PROXIES"] == services["proxy"]["networks"]["default"]["ipv4_address"]
    for name, service in services.items():
        assert (service["logging"]["driver"], "restart" in service) == ("json-file", True), name
        named = [one.partition(":")[0] for one in service.get("volumes", ()) if not one.startswith("$")]
        assert set(named) <= set(compose["volumes"]), name
        assert set(service.get("depends_on", ())) <= set(services), name
        assert {one["source"] for one in service.get("configs", ())} <= set(compose["configs"]), name


def test_the_proxy_of_many_clubs_asks_for_the_health_of_a_host_that_is_served() -> None:
    """Without the header, it sends the name of the service, which is refused with 400, so no application is ever up."""
    caddyfile = yaml.safe_load((ROOT / "compose.hosting.yml").read_text())["configs"]["caddyfile"]["content"]
    assert re.search(
        r"health_uri /healthz/ready\n(.*\n)*?\s*health_headers \{\n\s*Host \$\{DOMAIN\}", caddyfile
    )


def test_the_way_to_the_primary_starts_while_a_database_is_gone() -> None:
    """A name that leads nowhere stops HAProxy, unless `none` is allowed; only a resolver notices another address."""
    haproxy = yaml.safe_load((ROOT / "compose.hosting.yml").read_text())["configs"]["haproxy"]["content"]
    assert "resolvers names init-addr last,libc,none" in haproxy
    assert "resolvers names\n  parse-resolv-conf\n" in haproxy


def test_the_backups_are_in_a_folder_of_their_own_that_the_application_may_write_to() -> None:
    application = SERVICES["application"]
    mounted = dict(reversed(one.rsplit(":", 1)) for one in application["volumes"])
    volume = mounted[application["environment"]["BACKUP_DIR"]]
    assert volume == "${BACKUP_FOLDER:-backups}"
    assert {"backups", mounted["/data"]} <= set(COMPOSE["volumes"])
    made = re.search(r"install --directory --owner=schnauz --mode=700 (.*)", DOCKERFILE)
    assert made
    assert set(made[1].split()) == set(mounted)


def test_the_application_is_healthy_when_it_is_ready() -> None:
    assert "http://127.0.0.1:8000/healthz/ready" in SERVICES["application"]["healthcheck"]["test"][-1]
    assert SERVICES["proxy"]["depends_on"] == {"application": {"condition": "service_healthy"}}


# --- the proxy ------------------------------------------------------------------------------------------------------


class Caddy:
    """The proxy in front of a server, with the Caddyfile of the compose file or a changed one."""

    def __init__(self, folder: Path, server: Web, caddyfile: str) -> None:
        self.url = f"http://127.0.0.1:{free_port()}"
        here = caddyfile.replace("${DOMAIN}", self.url).replace(
            "application:8000", f"127.0.0.1:{server.port}"
        )
        self._config = folder / f"Caddyfile-{self.url.rpartition(':')[2]}"
        self._config.write_text(f"{{\n admin off\n auto_https off\n}}\n{here}")

    @contextmanager
    def serving(self, caddy: str) -> Iterator[str]:
        command = [caddy, "run", "--adapter", "caddyfile", "--config", str(self._config)]
        running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            assert wait_until(lambda: answers(f"{self.url}/healthz"))
            yield self.url
        finally:
            running.terminate()
            running.wait(60)


@pytest.fixture(scope="module")
def caddy() -> str:
    unpacked = ROOT / ".venv" / "caddy" / "usr" / "bin" / "caddy"
    found = str(unpacked) if unpacked.exists() else shutil.which("caddy")
    if found is None:
        reason = "no Caddy found; `make proxy` fetches one where there is apt"
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Web]:
    with django_db_blocker.unblock():
        database_url = url_of_test_database()
    web = Web(tmp_path_factory.mktemp("server"), ())
    web.command = program("schnauz_turnier.serve", "127.0.0.1", str(web.port))
    web.environment |= {
        "DATABASE_URL": database_url,
        "PUBLIC_URL": "http://127.0.0.1",
        "SECRET_KEY": settings.SECRET_KEY,
        "TRUSTED_PROXIES": "127.0.0.1",
    }
    web.start()
    yield web
    web.end()


def without(directive: str, instead: str = "") -> str:
    """Return the Caddyfile with a changed directive, for a control."""
    assert CADDYFILE.count(directive) == 1
    return CADDYFILE.replace(directive, instead)


def ask(url: str, method: str) -> int:
    path, body = ("/s/enter", {"secret": "1-nothing"}) if method == "POST" else ("/healthz", None)
    return httpx.request(method, url + path, json=body, timeout=60, trust_env=False).status_code


def methods_that_wait(caddy: str) -> dict[str, int]:
    """Return the methods that a Caddy of this version repeats, with the right answer. Older ones have lost the body."""
    said = subprocess.run([caddy, "version"], capture_output=True, text=True, check=True).stdout
    version = tuple(map(int, said.split()[0].removeprefix("v").split("-")[0].split(".")))
    return {"GET": 200, "POST": 401} if version >= (2, 11, 2) else {"GET": 200}


def test_the_proxy_is_new_enough_to_keep_the_body_of_a_request_that_waits() -> None:
    _name, version = SERVICES["proxy"]["image"].split(":")
    assert tuple(map(int, version.split("."))) >= (2, 11)


def test_requests_wait_for_a_restart(tmp_path: Path, server: Web, caddy: str) -> None:
    impatient = Caddy(tmp_path, server, without("lb_try_duration 30s"))
    with Caddy(tmp_path, server, CADDYFILE).serving(caddy) as url, impatient.serving(caddy) as control:
        right = methods_that_wait(caddy)
        assert {method: ask(url, method) for method in right} == right
        server.end()
        assert {ask(control, method) for method in right} == {502}
        with ThreadPoolExecutor(20) as phones:
            asked = [(method, phones.submit(ask, url, method)) for _ in range(10) for method in right]
            server.start()
        assert [(method, answer.result()) for method, answer in asked] == [*right.items()] * 10


def encoding_of(url: str, path: str, accepted: str) -> str:
    """Return the encoding of an answer, of a stream as soon as its first event has come."""
    headers = {"Accept-Encoding": accepted, "Host": "127.0.0.1"}
    with (
        httpx.Client(trust_env=False, timeout=20) as client,
        client.stream("GET", url + path, headers=headers) as answer,
    ):
        assert answer.status_code == 200
        encoding = answer.headers.get("content-encoding", "")
        if path.endswith("/live") and not encoding:
            events = answer.iter_text()
            assert any('"topics"' in event for event in events)
        return str(encoding)


def test_the_proxy_compresses_what_the_program_does_not_and_no_stream(
    tmp_path: Path, server: Web, caddy: str, committed: None
) -> None:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(10, tournament=tournament)
    a_round(tournament)
    public, stream = f"/t/{tournament.slug}/", f"/t/{tournament.slug}/live"
    careless = Caddy(
        tmp_path, server, without("encode @whole zstd gzip", "encode {\nzstd\ngzip\nminimum_length 1\n}")
    )
    with Caddy(tmp_path, server, CADDYFILE).serving(caddy) as url, careless.serving(caddy) as control:
        browser = "gzip, deflate, br, zstd"
        assert encoding_of(server.url, "/account/login/", browser) == ""
        assert encoding_of(url, "/account/login/", browser) in ("zstd", "gzip")
        assert encoding_of(url, "/account/login/", "identity") == ""
        for path in (public, "/s/"):
            assert encoding_of(server.url, path, browser) == encoding_of(url, path, browser) == "gzip"
        assert encoding_of(url, stream, browser) == ""
        assert encoding_of(control, stream, browser) != ""
