"""Exclusion of players, after which the others move up in the results of the evening (see `tournaments.services.exclusion`)."""

from datetime import datetime

from django.db import transaction

from scoring.services.evenings import project_evening
from tournaments.models import Participant, Table, Tournament
from tournaments.services import exclusion


def exclude(tournament: Tournament, start_number: int, *, reason: str, by: str, at: datetime) -> Participant:
    """Exclude a player from the standings. Refuses reason_needed, text_..., and is_excluded (name)."""
    with transaction.atomic():
        person = exclusion.exclude(tournament, start_number, reason=reason, by=by, at=at)
        project_evening(person.tournament)
    return person


def exclude_table(table: Table, *, reason: str, by: str, at: datetime) -> list[Participant]:
    """Exclude all players of a table. Refuses reason_needed, text_..., and table_is_excluded (table)."""
    with transaction.atomic():
        people = exclusion.exclude_table(table, reason=reason, by=by, at=at)
        project_evening(table.round.tournament)
    return people


def readmit(tournament: Tournament, start_number: int, *, by: str, at: datetime) -> Participant:
    """Undo an exclusion. Refuses not_excluded (name)."""
    with transaction.atomic():
        person = exclusion.take_back_exclusion(tournament, start_number, by=by, at=at)
        project_evening(person.tournament)
    return person
