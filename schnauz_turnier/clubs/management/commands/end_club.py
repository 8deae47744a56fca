from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from schnauz_turnier.clubs.ending import end_club, keep_club
from schnauz_turnier.clubs.management.arguments import with_a_catalogue


class Command(BaseCommand):
    help = "Closes a club, to be deleted by the server after thirty days and a last backup. With --keep it stays, and is open again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--keep", action="store_true", help="keep a club that was to be deleted")

    def handle(self, *args: Any, slug: str, keep: bool, **options: Any) -> None:
        with with_a_catalogue():
            if keep:
                keep_club(slug)
                self.stdout.write(f"{slug} is open")
            else:
                ends_at = end_club(slug, at=timezone.now())
                self.stdout.write(f"{slug} is archived, and is deleted after {timezone.localdate(ends_at)}")
