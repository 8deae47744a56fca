from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scoring.documents.marks import verify_marks
from scoring.management.arguments import read_document, refusals_as_errors
from tournaments.verification import verify_draws, verify_lots


class Command(BaseCommand):
    help = (
        "Replays every draw of an exported document and compares it with the tables, "
        "every lot between equals, the commitments that they follow from, and the marks. Needs no database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the document; - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        with refusals_as_errors():
            document = read_document(file)
            verified, lots = verify_draws(document), verify_lots(document)
            verify_marks(document)
        for row in verified:
            drawn = f"{row.attempts} attempts, {row.changes} changes"
            self.stdout.write(f"round {row.round_number}: {drawn if row.attempts else 'no draw on record'}")
        on_record = [row for row in verified if row.attempts]
        if lots:
            self.stdout.write(f"lots: {lots}")
        self.stdout.write(f"verified: {len(on_record)} of {len(verified)} rounds")
