from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from schnauz_turnier.clubs.changes import move_club
from schnauz_turnier.clubs.management.arguments import with_a_catalogue


class Command(BaseCommand):
    help = (
        "Moves a club to another database server. For some seconds its pages say so, and nothing is written; phones keep "
        "what they have. If it fails, the club is opened where it was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("server", help="a server of CLUB_SERVERS, or default: DATABASE_URL")
        parser.add_argument(
            "--keep", type=Path, metavar="FOLDER", help="keep the dump that is moved, in this folder"
        )

    def handle(self, *args: Any, slug: str, server: str, keep: Path | None, **options: Any) -> None:
        with with_a_catalogue():
            rows = move_club(slug, server, folder=keep, at=timezone.now())
        self.stdout.write(f"{slug} is on {server}, with {rows} rows")
