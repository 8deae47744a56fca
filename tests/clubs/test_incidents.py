"""What went wrong lately, as the operator sees it: noted from the log, without any text of a club."""

import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextvars import copy_context
from dataclasses import astuple
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from schnauz_turnier.clubs import catalogue, incidents
from schnauz_turnier.clubs.incidents import (
    MOST_A_MINUTE,
    Incident,
    IncidentHandler,
    IncidentKind,
    recent_incidents,
)
from schnauz_turnier.web.current_request import CurrentRequest, begin
from tests.clubs.conftest import Account, Asker
from tests.clubs.test_engine import NewClub
from tournaments.current_club import Club, in_club

logger = logging.getLogger("tests.operator")


@pytest.fixture
def handler(operators: Club) -> Iterator[IncidentHandler]:
    """Note the errors of a logger, as the settings do with CLUBS for all loggers."""
    catalogue.write_catalogue("TRUNCATE catalogue.incident")  # of other tests
    handler = IncidentHandler()
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)


def failing(message: str, **extra: Any) -> None:
    try:
        raise LookupError("Name einer Person")
    except LookupError:
        logger.exception(message, "Name einer Person", extra=extra)


def test_errors_are_noted_with_club_and_request_and_without_their_text(
    operator: Asker, new_club: NewClub, handler: IncidentHandler
) -> None:
    club = new_club("alpha")

    def request() -> None:
        begin(CurrentRequest("abc123", "GET", "public:players"))
        with in_club(club):
            failing("%s was lost")

    copy_context().run(request)
    with in_club(None):
        failing("No backup of %s", club="beta")
    logger.warning("no error")
    handler.waiting.join()
    backup, page = operator.get("/operator/incidents/").context["page"]
    assert astuple(page)[1:] == ("request", "alpha", "abc123", "LookupError", "public:players")
    assert (backup.kind, backup.club) == ("backup", "beta")
    answer = operator.get("/operator/incidents/?club=Alpha&kind=request")
    assert list(answer.context["page"]) == [page]
    assert "Name einer Person" not in answer.content.decode()
    assert list(operator.get("/operator/incidents/?club=alpha&kind=backup").context["page"]) == []


def test_a_flood_of_errors_neither_fills_the_catalogue_nor_waits(
    operator: Asker, handler: IncidentHandler
) -> None:
    for _time in range(10 * MOST_A_MINUTE):
        failing("%s was lost")
    handler.waiting.join()
    assert 0 < len(recent_incidents(club="", kind="")) <= 2 * MOST_A_MINUTE  # a minute may end in between


def test_an_error_that_cannot_be_written_waits(
    operator: Asker, handler: IncidentHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incidents, "RETRY", 0.01)
    with in_club(None), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE catalogue.incident RENAME TO away")
        failing("%s was lost")
        time.sleep(0.2)
        assert handler.waiting.unfinished_tasks == 1
        cursor.execute("ALTER TABLE catalogue.away RENAME TO incident")
    handler.waiting.join()
    assert [incident.error for incident in recent_incidents(club="", kind="")] == ["LookupError"]


def test_old_and_further_incidents_go(
    operator: Asker, handler: IncidentHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incidents, "MOST_KEPT", 3)
    now = timezone.now()
    for days in (31, 4, 3, 2, 0):
        at = now - timedelta(days=days)
        incidents.note_incident(Incident(at, IncidentKind.OTHER, "", "", f"Error{days}", "a logger"))
    assert [incident.error for incident in recent_incidents(club="", kind="")] == [
        "Error0",
        "Error2",
        "Error3",
    ]


def test_a_club_that_cannot_be_migrated_is_an_incident(
    operators: Club, new_club: NewClub, handler: IncidentHandler
) -> None:
    club = new_club("alpha")
    with in_club(club), connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'scoring'")
    catalogue.note_migrations("alpha", "")
    with pytest.raises(CommandError, match="1 failed"):
        call_command("migrate_clubs", "alpha", stdout=StringIO())
    [incident] = recent_incidents(club="alpha", kind="migration")
    assert (incident.error, incident.place) == ("ProgrammingError", "migrate_clubs")


def test_the_settings_of_an_installation_note_incidents(hosting: Account) -> None:
    code = "import django, logging; django.setup(); print([type(h).__name__ for h in logging.getLogger().handlers])"
    environment = {**os.environ, **hosting.variables(), "DJANGO_SETTINGS_MODULE": "schnauz_turnier.settings"}
    said = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert "IncidentHandler" in said.stdout
