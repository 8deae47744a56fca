"""The template context of the table monitor."""

from typing import Any

from scoring.organiser.kinds.registry import organiser_kind
from scoring.queries.table_monitor import TableMonitor
from tournaments.models import Tournament
from tournaments.requests import StaffRequest


def monitor_context(
    request: StaffRequest, tournament: Tournament, monitor: TableMonitor, **more: Any
) -> dict[str, Any]:
    """Return the context of `_table_monitor.html`; `?only=mine` leaves out tables that need no action.

    signs: whether the supervisor signs changes of a sheet with initials.
    """
    only = request.GET.get("only") == "mine"
    signs = organiser_kind(tournament.rules).needs_initials
    listed = monitor.needing if only else monitor.tables
    return {
        "tournament": tournament,
        "monitor": monitor,
        "only_mine": only,
        "shown": listed,
        "signs": signs,
        **more,
    }
