from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from scoring.documents import import_tournament
from scoring.management.arguments import read_document
from scoring.text.refusals import message
from tournaments.commands import DatabaseCommand
from tournaments.core.document_reader import DocumentError
from tournaments.core.printable import printable


class Command(DatabaseCommand):
    help = "Stores the tournament of a document (as export_tournament writes it), all or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the document; - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            text = read_document(file)
            tournament = import_tournament(text, at=timezone.now())
        except DocumentError as error:
            raise CommandError(printable(f"{error.path}: {message(error.refusal)}")) from None
        self.stdout.write(tournament.slug)
