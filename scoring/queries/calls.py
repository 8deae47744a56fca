"""Tables that call the supervisor, for pages that show no tables."""

from dataclasses import dataclass
from datetime import datetime

from scoring.models import Sheet
from tournaments.models import Round, Tournament


@dataclass(frozen=True, slots=True)
class CallingTable:
    """A table of a round in play with an open call."""

    round: int
    number: int
    called_at: datetime


def open_calls(tournament: Tournament) -> tuple[CallingTable, ...]:
    """Return the tables that call, the longest wait first. One query."""
    calls = Sheet.objects.filter(
        table__round__tournament=tournament,
        table__round__state=Round.State.RELEASED,
        came_at=None,
    )
    return tuple(
        CallingTable(sheet.table.round.number, sheet.table.number, sheet.called_at)
        for sheet in calls.select_related("table__round").order_by("called_at", "table__number")
        if sheet.called_at
    )
