"""A server for many clubs, at paths and at hosts: who reaches what, and where links, cookies and codes lead."""

import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from django.contrib.auth.models import User
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from schnauz_turnier.clubs import catalogue
from schnauz_turnier.clubs.catalogue import State
from schnauz_turnier.clubs.changes import archive_club, create_club, delete_club
from tests.clubs.conftest import Account, hosting_here
from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tests.faults.house import wait_until
from tests.security.conftest import Server, read_until
from tournaments import links
from tournaments.current_club import in_club
from tournaments.models import Participant, Table, Tournament
from tournaments.notify import notify

SLUGS = ("alpha", "beta")
TOKEN = "a-token-of-the-monitoring-" + "x" * 32
PASSWORD = "ein langes Kennwort 77"
ADDRESS = re.compile(r"""(?:href|action|src|hx-get|hx-post|data-live)="(/(?!static/)[^"]*)""")


@pytest.fixture(scope="module")
def clubs(account: Account, django_db_blocker: DjangoDbBlocker) -> Iterator[Account]:
    with django_db_blocker.unblock(), hosting_here(account):
        now = datetime.now(UTC)
        for slug in SLUGS:
            with in_club(create_club(slug, f"Verein {slug}", at=now).club):
                owner = User.objects.create_superuser("leitung", password=PASSWORD)
                tournament = TournamentFactory.create(
                    slug="herbst", name=f"Herbst {slug}", played_on=now.date(), owner=owner
                )
                ParticipantFactory.create_batch(5, tournament=tournament)
                a_round(tournament)
        yield account
        for slug in SLUGS:
            archive_club(slug)
            delete_club(slug)


@dataclass(frozen=True, slots=True)
class Site:
    """A server, and where its clubs are."""

    server: Server
    mode: str

    def browser(self, club: str = "") -> "Browser":
        return Browser(self, club)


@pytest.fixture(scope="module", params=["paths", "hosts"])
def site(request: pytest.FixtureRequest, clubs: Account) -> Iterator[Site]:
    with clubs.serving("tests.served_under_attack", request.param, METRICS_TOKEN=TOKEN) as server:
        yield Site(server, request.param)


class Browser:
    """A browser in a club, or at the installation's own address. It sends a cookie to the paths that it is for."""

    def __init__(self, site: Site, club: str) -> None:
        host = f"127.0.0.1:{site.server.port}"
        self.prefix = f"/c/{club}" if club and site.mode == "paths" else ""
        self.origin = f"http://{club}.{host}" if club and site.mode == "hosts" else f"http://{host}"
        self.host = self.origin.removeprefix("http://")
        self.client = httpx.Client(base_url=site.server.url, trust_env=False, timeout=30)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = {"host": self.host, **more.pop("headers", {})}
        return self.client.request(method, self.prefix + path, headers=headers, **more)

    def get(self, path: str) -> httpx.Response:
        return self.ask("GET", path)

    def json(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return self.ask("POST", path, json=body)

    def log_in(self) -> httpx.Response:
        page = self.get("/account/login/")
        [token] = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text))
        form = {"csrfmiddlewaretoken": token, "username": "leitung", "password": PASSWORD}
        return self.ask("POST", "/account/login/", data=form)


def test_the_start_page_leads_to_every_club(site: Site) -> None:
    page = site.browser().get("/")
    assert page.status_code == 200
    for slug in SLUGS:
        browser = site.browser(slug)
        assert f'href="{browser.origin}{browser.prefix}/"' in page.text
        assert f"Herbst {slug}" in browser.get("/").text


def test_without_a_club_there_are_only_the_pages_of_the_installation(site: Site) -> None:
    nobody = site.browser()
    for path in (
        "/t/herbst/",
        "/t/herbst/live",
        "/o/",
        "/account/login/",
        "/s/",
        "/s/sheet",
        "/c/",
        "/c//",
        "/c/alphabet/",
    ):
        assert nobody.get(path).status_code == 404, path
    assert nobody.json("/s/enter", {"secret": "1-x"}).json()["error"]
    assert wait_until(lambda: nobody.get("/healthz/ready").status_code == 200)  # it listens soon
    for path in ("/healthz", "/healthz/ready", "/register/", "/register/open/"):
        assert nobody.get(path).status_code == 200
        assert path.startswith("/healthz") or site.browser("alpha").get(path).status_code == 404
    ready = nobody.get("/healthz/ready").json()
    assert (ready["migrations"], ready["clubs"]) == (True, True)


def test_every_link_of_a_page_leads_into_the_own_club(site: Site) -> None:
    browser = site.browser("alpha")
    assert browser.log_in().status_code == 302
    for path in (
        "/",
        "/t/herbst/",
        "/t/herbst/screen/",
        "/s/",
        "/o/",
        "/o/herbst/",
        "/o/herbst/door/",
        "/o/herbst/rounds/1/",
        "/o/herbst/print/",
        "/o/herbst/settings/",
    ):
        page = browser.get(path)
        assert page.status_code == 200, path
        assert all(link.startswith(f"{browser.prefix}/") for link in ADDRESS.findall(page.text)), path
        assert "beta" not in page.text
    missing = browser.get("/o/nirgends/")
    assert (missing.status_code, f'href="{browser.prefix}/"' in missing.text) == (404, True)


def test_cookies_are_for_the_paths_of_the_club(site: Site) -> None:
    browser = site.browser("alpha")
    answer = browser.log_in()
    paths = [
        cookie for cookie in (*answer.headers.get_list("set-cookie"),) if cookie.startswith("sessionid=")
    ]
    assert len(paths) == 1
    assert f"Path={browser.prefix}/;" in paths[0]
    assert answer.headers["location"] == f"{browser.prefix}/o/"
    assert browser.get("/o/").status_code == 200


def test_a_session_and_a_code_count_in_their_own_club_only(site: Site, clubs: Account) -> None:
    alpha, beta = site.browser("alpha"), site.browser("beta")
    alpha.log_in()
    secrets = {}
    for slug in SLUGS:
        with in_club(catalogue.club_of(slug).club):
            secrets[slug] = links.sheet_secret(Table.objects.get().pk, 1)
    assert alpha.json("/s/enter", {"secret": secrets["beta"]}).status_code != 200
    assert alpha.json("/s/enter", {"secret": secrets["alpha"]}).status_code == 200
    assert "Herbst alpha" in alpha.get("/s/sheet").text
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in alpha.client.cookies.jar)
    for path, status in (("/o/", 302), ("/s/sheet", 401)):
        assert alpha.ask("GET", path, headers={"cookie": cookies}).status_code == 200
        assert beta.ask("GET", path, headers={"cookie": cookies}).status_code == status


def test_a_change_reaches_the_viewers_of_its_club_only(site: Site) -> None:
    browsers = {slug: site.browser(slug) for slug in SLUGS}
    streams = {slug: stream(site, browser) for slug, browser in browsers.items()}
    for connection in streams.values():
        read_until(connection, b'"topics"')
    for slug, other in (SLUGS, SLUGS[::-1]):
        assert browsers[slug].get("/t/herbst/").status_code == 200  # it is kept from now on
        with in_club(catalogue.club_of(slug).club), transaction.atomic():
            Tournament.objects.update(name=f"Herbst {slug} {site.mode}")
            notify("herbst", "tournament")
        read_until(streams[slug], b'"tournament"')
        assert f"{slug} {site.mode}" in browsers[slug].get("/t/herbst/").text
        streams[other].settimeout(0.3)
        with pytest.raises(TimeoutError):
            read_until(streams[other], b'"tournament"')
        streams[other].settimeout(20)
    for connection in streams.values():
        connection.close()


def stream(site: Site, browser: Browser) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", site.server.port), 20)
    host = browser.origin.removeprefix("http://")
    made.sendall(f"GET {browser.prefix}/t/herbst/live HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    return made


def test_a_club_that_is_archived_says_so_and_loses_nothing(site: Site) -> None:
    browser = site.browser("beta")
    assert catalogue.change_state("beta", State.OPEN, State.ARCHIVED)
    try:
        wait_until(lambda: browser.get("/t/herbst/").status_code == 410)
        page = browser.get("/t/herbst/")
        assert "Verein" in page.text
        assert browser.ask("POST", "/i18n/", data={"language": "de"}).status_code == 302
        [sheet] = re.findall(r'"(/static/css/base[^"]*)"', page.text)
        assert browser.client.get(sheet, headers={"host": browser.host}).status_code == 200
        refused = browser.json("/s/entries", {"pen_epoch": 1, "entries": []})
        assert (refused.status_code, list(refused.json())) == (410, ["error"])
        assert site.browser("alpha").get("/t/herbst/").status_code == 200
    finally:
        catalogue.change_state("beta", State.ARCHIVED, State.OPEN)
    wait_until(lambda: browser.get("/t/herbst/").status_code == 200)


def test_the_metrics_are_of_the_installation_and_name_no_club(site: Site) -> None:
    for slug in SLUGS:
        assert site.browser(slug).get("/t/herbst/").status_code == 200
        assert site.browser(slug).get("/metrics").status_code == 401
    for slug in ("", *SLUGS):
        answer = site.browser(slug).ask("GET", "/metrics", headers={"authorization": f"Bearer {TOKEN}"})
        assert 'route="public:players",status="2xx"' in answer.text
        for word in (*SLUGS, "herbst", "Herbst", *names_in_a_club()):
            assert word not in answer.text


def test_the_log_names_no_player_and_no_tournament(site: Site) -> None:
    for slug in SLUGS:
        site.browser(slug).log_in()
        site.browser(slug).get("/o/nirgends/")
    for word in ("Herbst", PASSWORD, *names_in_a_club()):
        assert word not in site.server.log


def names_in_a_club() -> list[str]:
    with in_club(catalogue.club_of("alpha").club):
        return [*Participant.objects.values_list("name", flat=True)]
