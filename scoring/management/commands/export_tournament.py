from typing import Any

from scoring.documents import dump, export_tournament
from scoring.management.arguments import TournamentCommand, tournament_of


class Command(TournamentCommand):
    help = "Prints the whole tournament as one JSON document. It holds seeds of unreleased draws: for organisers only."

    def handle(self, *args: Any, slug: str, **options: Any) -> None:
        self.stdout.write(dump(export_tournament(tournament_of(slug))), ending="")
