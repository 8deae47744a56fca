from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand

from schnauz_turnier.clubs.catalogue import club_of
from schnauz_turnier.clubs.management.arguments import with_a_catalogue
from schnauz_turnier.clubs.measures import measured_of
from schnauz_turnier.clubs.quotas import set_quotas

DEFAULT = "default"
_KINDS = ("tournaments", "people", "megabytes")


class Command(BaseCommand):
    help = "Sets the quotas of a club, and prints them with what it had when it was measured. What is beyond a quota already stays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        for kind in _KINDS:
            parser.add_argument(
                f"--{kind}", type=_quota, metavar=f"N|{DEFAULT}", help=f"{DEFAULT}: CLUB_MOST_{kind.upper()}"
            )

    def handle(self, *args: Any, slug: str, **options: Any) -> None:
        with with_a_catalogue():
            entry = club_of(slug)
            stored = (entry.most_tournaments, entry.most_people, entry.most_megabytes)
            wanted = [options[kind] for kind in _KINDS]
            quotas = {
                kind: before if new is None else None if new == DEFAULT else int(new)
                for kind, before, new in zip(_KINDS, stored, wanted, strict=True)
            }
            if any(new is not None for new in wanted):
                set_quotas(slug, **quotas)
            measured = measured_of([slug]).get(slug)
        used = (measured.tournaments, measured.people, measured.bytes // 1_000_000) if measured else "???"
        for amount, (kind, most) in zip(used, quotas.items(), strict=True):
            self.stdout.write(f"{kind}: {amount} of {DEFAULT if most is None else most}")


def _quota(text: str) -> str:
    if text != DEFAULT and not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"a number, or {DEFAULT}")
    return text
