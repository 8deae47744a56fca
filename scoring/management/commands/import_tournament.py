from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from scoring.documents import import_tournament
from scoring.management.arguments import read_document, refusals_as_errors
from tournaments.commands import DatabaseCommand


class Command(DatabaseCommand):
    help = "Stores the tournament of a document (as export_tournament writes it), all or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the document; - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        with refusals_as_errors():
            tournament = import_tournament(read_document(file), at=timezone.now())
        self.stdout.write(tournament.slug)
