import sys
from typing import Any

from scoring.management.arguments import TournamentCommand
from scoring.services.projection import (
    rebuild_results,
    wrong_commitments,
    wrong_digests,
    wrong_marks,
)
from tournaments.core.printable import printable
from tournaments.models import Tournament


class Command(TournamentCommand):
    help = (
        "Replays the log of every sheet, prints where the stored results differ, and mends them; prints which logs, "
        "marks and commitments were changed after they were made. Exit 1 if anything was found."
    )

    def run(self, tournament: Tournament, **options: Any) -> None:
        problems = [
            *wrong_digests(tournament),
            *rebuild_results(tournament),
            *wrong_marks(tournament),
            *wrong_commitments(tournament),
        ]
        for problem in problems:
            self.stdout.write(printable(problem))
        if problems:
            sys.exit(1)
        self.stdout.write("no differences")
