"""Figures for the monitoring: who reads them, and what they tell."""

import re
from uuid import uuid4

import httpx

from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tests.security.conftest import METRICS_TOKEN as TOKEN
from tests.security.conftest import Guest, Scribe, Server, read_until
from tournaments.models import Participant

SAMPLE = re.compile(r'^(\w+)(?:\{(.*)\})? (\S+)$', re.MULTILINE)  # fmt: skip


def ask(server: Server, *authorization: str, method: str = "GET") -> httpx.Response:
    headers = [("authorization", one) for one in authorization]
    return httpx.request(method, f"{server.url}/metrics", headers=headers, timeout=60, trust_env=False)


def figures(server: Server) -> dict[tuple[str, str], float]:
    answer = ask(server, f"Bearer {TOKEN}")
    assert answer.status_code == 200
    return {(name, labels): float(value) for name, labels, value in SAMPLE.findall(answer.text)}


def test_only_who_has_the_token_reads_them(monitored: Server) -> None:
    assert figures(monitored)
    for wrong in (
        [],
        [""],
        [TOKEN],
        [f"Basic {TOKEN}"],
        [f"Bearer {TOKEN[:-1]}"],
        [f"Bearer {TOKEN}x"],
        ["Bearer"],
    ):
        answer = ask(monitored, *wrong)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer"), wrong
        assert "schnauz_" not in answer.text
    assert ask(monitored, f"Bearer {TOKEN}", f"Bearer {TOKEN}").status_code == 401
    assert ask(monitored, f"Bearer {TOKEN}", method="POST").status_code == 404
    assert ask(monitored, f"Bearer {TOKEN}").headers["cache-control"] == "no-store"


def test_without_the_setting_there_is_no_such_page(served: Server) -> None:
    for authorization in ([], ["Bearer None"], ["Bearer"], [f"Bearer {TOKEN}"]):
        assert ask(served, *authorization).status_code == 404


def test_they_count_what_happens_and_name_nobody(monitored: Server, committed: None) -> None:
    tournament = TournamentFactory.create(slug=f"metrics-{uuid4().hex}")
    ParticipantFactory.create_batch(5, tournament=tournament)
    names = Participant.objects.filter(tournament=tournament).values_list("name", flat=True)
    known = [tournament.slug, tournament.name, TOKEN, *names]
    before = figures(monitored)
    scribe = Scribe(monitored.url, a_round(tournament).tables.get())
    scribe.write(3)
    scribe.refused()
    report = {"file": "js/sheet/main.js", "line": 8, "column": 1, "kind": "TypeError", "version": "0.1.0"}
    assert httpx.post(f"{monitored.url}/s/error", json=report, timeout=60, trust_env=False).status_code == 200
    httpx.get(f"{monitored.url}/t/{tournament.slug}/", timeout=60, trust_env=False)
    httpx.get(f"{monitored.url}/{uuid4().hex}/", timeout=60, trust_env=False)
    guest = Guest(monitored)
    read_until(
        guest.send(f"GET /t/{tournament.slug}/live HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()), b'"topics"'
    )
    after = figures(monitored)
    guest.leave()
    scribe.close()

    def more(name: str, labels: str = "") -> float:
        return after.get((name, labels), 0) - before.get((name, labels), 0)

    assert more("schnauz_entries_total") == 3
    assert more("schnauz_refusals_total", 'code="id_taken"') == 1
    assert more("schnauz_page_errors_total", 'file="js/sheet/main.js",kind="TypeError"') == 1
    assert more("schnauz_event_streams") == 1
    assert more("schnauz_requests_total", 'route="public:players",status="2xx"') == 1
    assert more("schnauz_requests_total", 'route="phone:entries",status="2xx"') == 4
    assert more("schnauz_requests_total", 'route="",status="4xx"') == 1
    assert after["schnauz_pool", 'state="pool_size"'] >= 1
    assert after["schnauz_disk_free_bytes", 'folder="backups"'] > 0
    assert "schnauz_backup_age_seconds" in {name for name, _labels in after}
    text = ask(monitored, f"Bearer {TOKEN}").text
    assert [one for one in known if one in text] == []
