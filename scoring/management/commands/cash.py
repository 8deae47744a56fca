import json
from typing import Any

from scoring.management.arguments import TournamentCommand
from scoring.queries.prizes import prize_list
from scoring.queries.standings import current_standings
from tournaments.models import Tournament
from tournaments.queries.desks import DeskRow, desk_rows, taken_cents


class Command(TournamentCommand):
    help = "Prints the figures of every cash desk, the pot and the prizes in money as JSON, in cents."

    def run(self, tournament: Tournament, **options: Any) -> None:
        prizes = prize_list(tournament, current_standings(tournament))
        figures = {
            "desks": {desk.name: _figures(desk) for desk in desk_rows(tournament)},
            "pot_cents": prizes.pot_cents if prizes else taken_cents(tournament),
            "prizes_cents": prizes.given_cents if prizes else 0,
        }
        self.stdout.write(json.dumps(figures, ensure_ascii=False, indent=1))


def _figures(desk: DeskRow) -> dict[str, int | None]:
    """Return the figures of a desk. Transfers count as in and out."""
    return {
        "float": desk.float_cents,
        "fees": desk.fees_cents,
        "refunds": desk.refunds_cents,
        "in": desk.in_cents + desk.received_cents,
        "out": desk.out_cents + desk.handed_over_cents,
        "payouts": desk.payouts_cents,
        "expected": desk.expected_cents,
        "counted": desk.counted_cents,
        "difference": desk.difference_cents,
    }
