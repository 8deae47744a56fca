from typing import Any

from scoring.queries.table_monitor import Board
from tournaments.models import Tournament
from tournaments.requests import StaffRequest

# --- the page of a round -------------------------------------------------------------------------------------------


def board_context(request: StaffRequest, tournament: Tournament, found: Board, **more: Any) -> dict[str, Any]:
    """What `_board.html` needs; `?only=mine` leaves out the tables that need nobody."""
    only = request.GET.get("only") == "mine"
    shown = found.needing if only else found.tables
    return {"tournament": tournament, "board": found, "only_mine": only, "shown": shown, **more}
