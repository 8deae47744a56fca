from argparse import ArgumentParser
from typing import Any

from scoring.documents import dump, export_tournament
from scoring.management.arguments import add_slug, tournament_of
from tournaments.commands import DatabaseCommand


class Command(DatabaseCommand):
    help = "Prints the whole tournament as one JSON document. It holds seeds of unreleased draws: for organisers only."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_slug(parser)

    def handle(self, *args: Any, slug: str, **options: Any) -> None:
        self.stdout.write(dump(export_tournament(tournament_of(slug))), ending="")
