"""Public JSON: the standings, and the progress of the round."""

from typing import Any

from scoring.queries.public_view import PublicRound
from scoring.queries.standings import Leaderboard


def leaderboard_document(leaderboard: Leaderboard) -> dict[str, Any]:
    """Return the standings as public JSON."""
    return {
        "tournament": leaderboard.tournament.slug,
        "final": leaderboard.final,
        "rows": [
            {
                "rank": row.rank,
                "tied": row.tied,
                "start_number": row.start_number,
                "name": row.name,
                "points": row.points,
                "strokes": row.strokes,
                "tie_break": list(row.tie_break),
                "by_round": list(row.by_round),
            }
            for row in leaderboard.rows
        ],
    }


def progress_document(found: PublicRound | None) -> dict[str, Any] | None:
    """Return the state of each table of the released round."""
    if found is None:
        return None
    return {
        "number": found.number,
        "closed": found.is_closed,
        "tables": [
            {"number": table.number, "state": table.state, "strokes": table.strokes} for table in found.tables
        ],
    }
