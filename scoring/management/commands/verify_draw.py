from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.documents.marks import verify_marks
from scoring.management.arguments import read_document
from scoring.text.refusals import message
from tournaments.core.document_reader import DocumentError
from tournaments.core.printable import printable
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
        try:
            document = read_document(file)
            verified, lots = verify_draws(document), verify_lots(document)
            verify_marks(document)
        except DocumentError as error:
            raise CommandError(printable(f"{error.path}: {message(error.refusal)}")) from None
        for verified_round in verified:
            told = (
                f"{verified_round.attempts} attempts, {verified_round.changes} changes"
                if verified_round.attempts
                else "no draw on record"
            )
            self.stdout.write(f"round {verified_round.round_number}: {told}")
        on_record = [verified_round for verified_round in verified if verified_round.attempts]
        if lots:
            self.stdout.write(f"lots: {lots}")
        self.stdout.write(f"verified: {len(on_record)} of {len(verified)} rounds")
