from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from scoring.documents.club import import_club
from scoring.management.arguments import read_document, refusals_as_errors
from tournaments.commands import DatabaseCommand


class Command(DatabaseCommand):
    help = "Stores the club of a document (as export_club writes it) in one without people, all or nothing; its tournaments first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the document; - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        with refusals_as_errors():
            people = import_club(read_document(file), at=timezone.now())
        self.stdout.write(f"{people} people")
