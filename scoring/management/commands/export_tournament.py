from typing import Any

from scoring.documents import dump, export_tournament
from scoring.management.arguments import TournamentCommand
from tournaments.models import Tournament


class Command(TournamentCommand):
    help = "Prints the whole tournament as one JSON document. It holds seeds of unreleased draws: for organisers only."

    def run(self, tournament: Tournament, **options: Any) -> None:
        self.stdout.write(dump(export_tournament(tournament)), ending="")
