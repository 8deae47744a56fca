"""The files of a release, for the tests of all later ones: `.venv/bin/python -m tests.upgrades.make VERSION`.

A program with a database of its own plays evenings under every rule sheet; a phone in a real browser loses the network with two
unsent entries. What they leave behind is written to tests/upgrades/VERSION/. Needs pg_dump (PG_DUMP, or that of the
embedded PostgreSQL) and Chromium.
"""

import os
import sys
from pathlib import Path
from tempfile import mkdtemp

import django

DATA = Path(mkdtemp(prefix="upgrades-"))
os.environ |= {
    "DATA_DIR": str(DATA),
    "DJANGO_SETTINGS_MODULE": "tests.settings",
    "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
}
os.environ.pop("DATABASE_URL", None)
django.setup()

import gzip
import json
import shutil
import subprocess
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from playwright.sync_api import Browser, Page, expect, sync_playwright

from schnauz_turnier.postgresql.embedded.cluster import Cluster
from scoring.documents import dump, export_tournament
from scoring.documents.club import export_club
from scoring.services.backup import latest
from tests.compared_evenings import evening, members
from tests.conftest import _find_chromium
from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.faults.house import Web, program
from tests.journeys.phones import PHONE as DEVICE
from tests.journeys.phones import all_sent, link_state, link_to
from tests.scoring.a_club import a_club
from tests.scoring.evenings import simple_evening
from tests.security.installation import an_evening
from tests.upgrades.phones import stored_on
from tests.upgrades.releases import BACKUP, CLUB, DATABASE, HERE, PHONE
from tournaments.links import PhonePass
from tournaments.models import Tournament
from tournaments.rulesets.loader import PRESETS, preset


def make(folder: Path) -> None:
    (folder / "documents").mkdir(parents=True)
    web = Web(DATA, program())
    web.environment |= {"SECRET_KEY": settings.SECRET_KEY, "DJANGO_SETTINGS_MODULE": "tests.served"}
    web.start()
    try:
        play()
        (folder / PHONE).write_text(json.dumps(phone(web.url), ensure_ascii=False, indent=1) + "\n")
        write_files(folder)
    finally:
        web.end()


def play() -> None:
    """Play an evening under each rule sheet, one in which everything there is was used, a club's, and one for the phone."""
    organiser, cashier = UserFactory.create(username="organiser"), UserFactory.create(username="cashier")
    for name in PRESETS:
        tournament = TournamentFactory.create(slug=name, ruleset=preset(name).to_dict())
        members(tournament, organiser, cashier)
        evening(tournament, name, "decided")
    an_evening("everything", organiser, players=10)
    a_club()
    ParticipantFactory.create_batch(5, tournament=TournamentFactory.create(slug="phone", owner=organiser))


def phone(url: str) -> dict[str, Any]:
    """Write three deals on a phone, the last two of them without a network; return what it has stored."""
    table = a_round(Tournament.objects.get(slug="phone")).tables.get()
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=_find_chromium(), args=["--no-sandbox"])
        context = browser.new_context(**DEVICE, locale="de-DE", base_url=url)
        page = context.new_page()
        page.goto(link_to(table))
        all_sent(page)
        knock(page)
        all_sent(page)
        context.set_offline(True)
        for _ in range(2):
            knock(page)
        expect(link_state(page)).to_have_text("2 Einträge warten")
        cookies = {one["name"]: one["value"] for one in context.cookies()}
        known = PhonePass.from_cookie(cookies[settings.PHONE_COOKIE_NAME])
        assert known is not None
        stored = stored_on(page)
        browser.close()
    return {"table": known.table_id, "link_version": known.link_version, "device": known.device, **stored}


def knock(page: Page) -> None:
    page.locator("button.seat-row__name").first.tap()
    page.get_by_role("button", name="Geklopft – eintragen").tap()


def write_files(folder: Path) -> None:
    """Write the dump, the backup and the documents."""
    parameters = connection.get_connection_params()
    program = os.environ.get("PG_DUMP") or Cluster.at(DATA / "cluster").programs / "pg_dump"
    command = [str(program), "--no-owner", "--no-privileges"]
    for option, key in (("host", "host"), ("port", "port"), ("username", "user"), ("dbname", "dbname")):
        command.append(f"--{option}={parameters[key]}")
    environment = os.environ | {"PGPASSWORD": parameters.get("password", "")}
    script = subprocess.run(command, env=environment, check=True, capture_output=True).stdout
    (folder / DATABASE).write_bytes(gzip.compress(script, mtime=0))
    for slug in PRESETS:
        text = dump(export_tournament(Tournament.objects.get(slug=slug)))
        (folder / "documents" / f"{slug}.json").write_text(text, encoding="utf-8")
    (folder / CLUB).write_text(dump(export_club()), encoding="utf-8")
    first = simple_evening("schema-1") | {"schema": "schnauz-turnier/1"}
    (folder / "documents" / "schema-1.json").write_text(
        json.dumps(first, ensure_ascii=False), encoding="utf-8"
    )
    stick = DATA / "stick"
    stick.mkdir()
    call_command("backup", to=stick, stdout=sys.stderr)
    made = latest(stick)
    assert made is not None
    shutil.copy(made, folder / BACKUP)


if __name__ == "__main__":
    (version,) = sys.argv[1:]
    try:
        make(HERE / version)
    finally:
        shutil.rmtree(DATA, ignore_errors=True)
