from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.management.arguments import read_document
from scoring.management.download import downloaded
from scoring.verification.contradiction import Contradiction
from scoring.verification.record import VerifiedRecord, verify_record
from tournaments.core.printable import printable


class Command(BaseCommand):
    help = (
        "Computes everything in a public record again: commitments, draws, lots, digests, marks, sheets and standings. "
        "Needs no database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", help="the record: a file, its web address, or - for standard input")

    def handle(self, *args: Any, source: str, **options: Any) -> None:
        is_address = source.lower().startswith(("http://", "https://"))
        text = downloaded(source) if is_address else read_document(source)
        try:
            verified = verify_record(text)
        except Contradiction as contradiction:
            raise CommandError(str(contradiction)) from None
        for draw in verified.unchecked:
            self.stdout.write(printable(f"Cannot be repeated: {draw}."))
        what = "Everything else" if verified.unchecked else "Everything"
        self.stdout.write(f"{what} is right: {_counts(verified)}.")


def _counts(verified: VerifiedRecord) -> str:
    counts = [("draw", verified.draws), ("sheet", verified.sheets), ("entry", verified.entries)]
    if verified.lots:
        counts.insert(1, ("lot", verified.lots))
    if verified.commitments:
        counts.insert(0, ("commitment", verified.commitments))
    return ", ".join(f"{number:,} {_noun(name, number)}" for name, number in counts)


def _noun(name: str, number: int) -> str:
    if number == 1:
        return name
    return "entries" if name == "entry" else f"{name}s"
