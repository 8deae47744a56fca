"""What is still reachable in the last round, for whoever looks for himself on the players' page."""

from scoring.core.reach import Held, Reach, reach
from scoring.queries.hall import Hall, HallRound


def reachable(hall: Hall, start_number: int) -> Reach | None:
    """The ranks that he may still end on, by what the public sees; None unless the last round is being played.

    None as well where ranks give no points, while the standings are frozen, and for who is not ranked.
    """
    rules, found = hall.tournament.rules, hall.round
    if found is None or found.is_closed or found.number != rules.rounds or not rules.points:
        return None
    held = {row.start_number: Held(row.points, row.row.standing.tie_break) for row in hall.rows}
    if hall.board.is_frozen or hall.board.rounds < found.number or start_number not in held:
        return None
    return reach(start_number, held, _open_tables(hall, found), rules)


def _open_tables(hall: Hall, found: HallRound) -> list[list[int]]:
    """Who sits at each table whose sheet does not count yet, by the very standings that are shown beside it."""
    counted = {
        row.start_number for row in hall.rows if row.row.standing.by_round[found.number - 1] is not None
    }
    seated = [[seat.start_number for seat in table.seats] for table in found.tables]
    return [players for players in seated if players and not counted.intersection(players)]
