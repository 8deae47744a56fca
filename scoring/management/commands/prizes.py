import json
from typing import Any

from scoring.core.prizes import PrizeRow
from scoring.management.arguments import TournamentCommand
from scoring.queries.prizes import prize_list
from scoring.queries.standings import current_standings
from scoring.text.prizes import why_open
from tournaments.models import Tournament


class Command(TournamentCommand):
    help = "Prints the prizes by the standings of now, as one JSON list; [] without a prize plan."

    def run(self, tournament: Tournament, **options: Any) -> None:
        plan = prize_list(tournament, current_standings(tournament))
        rows = plan.rows if plan else ()
        self.stdout.write(json.dumps([_printed(row) for row in rows], ensure_ascii=False))


def _printed(row: PrizeRow) -> dict[str, Any]:
    return {
        "for": row.kind,
        "rank": row.rank,
        "start_numbers": row.start_numbers,
        "cents": row.cents,
        "things": row.things,
        "open": why_open(row),
    }
