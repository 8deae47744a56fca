"""The template context of the table monitor."""

from typing import Any

from scoring.organiser.kinds.registry import organiser_kind
from scoring.queries.table_monitor import TableMonitor
from tournaments.models import Tournament
from tournaments.requests import StaffRequest


def monitor_context(
    request: StaffRequest, tournament: Tournament, found: TableMonitor, **more: Any
) -> dict[str, Any]:
    """Return the context of `_table_monitor.html`; `?only=mine` leaves out tables that do not need the organiser.

    signs: whether the supervisor signs what they do on a sheet with initials.
    """
    only = request.GET.get("only") == "mine"
    signs = organiser_kind(tournament.rules).needs_initials
    shown = found.needing if only else found.tables
    return {
        "tournament": tournament,
        "monitor": found,
        "only_mine": only,
        "shown": shown,
        "signs": signs,
        **more,
    }
