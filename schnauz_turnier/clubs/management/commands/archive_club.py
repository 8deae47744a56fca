from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from schnauz_turnier.clubs.changes import archive_club, open_club
from schnauz_turnier.clubs.management.arguments import with_a_catalogue


class Command(BaseCommand):
    help = "Closes a club: its pages say so, and its rows stay. With --open it is opened again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument(
            "--open",
            dest="again",
            action="store_true",
            help="open an archived club again",
        )

    def handle(self, *args: Any, slug: str, again: bool, **options: Any) -> None:
        with with_a_catalogue():
            if again:
                open_club(slug)
            else:
                archive_club(slug)
        self.stdout.write(f"{slug} is {'open' if again else 'archived'}")
