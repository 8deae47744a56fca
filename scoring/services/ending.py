"""Ending and resuming an evening, with its results (see `tournaments.services.ending`)."""

from datetime import datetime

from django.db import transaction

from scoring.services.evenings import project_evening
from tournaments.models import Tournament
from tournaments.services import ending


def end_evening(tournament: Tournament, *, reason: str, by: str, at: datetime) -> None:
    """End the tournament after the closed rounds, and store its results. Refuses what `end_tournament` refuses."""
    with transaction.atomic():
        project_evening(ending.end_tournament(tournament, reason=reason, by=by, at=at))


def resume_evening(tournament: Tournament) -> None:
    """Undo the end: the evening has no results until it ends again. Refuses tournament_not_ended."""
    with transaction.atomic():
        project_evening(ending.resume_tournament(tournament))
