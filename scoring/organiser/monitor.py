from typing import Any

from scoring.queries.table_monitor import TableMonitor
from tournaments.models import Tournament
from tournaments.requests import StaffRequest

# --- the page of a round -------------------------------------------------------------------------------------------


def monitor_context(
    request: StaffRequest, tournament: Tournament, found: TableMonitor, **more: Any
) -> dict[str, Any]:
    """What `_board.html` needs; `?only=mine` leaves out the tables that need nobody."""
    only = request.GET.get("only") == "mine"
    shown = found.needing if only else found.tables
    return {"tournament": tournament, "monitor": found, "only_mine": only, "shown": shown, **more}
