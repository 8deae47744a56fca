from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from schnauz_turnier.clubs.changes import delete_club
from schnauz_turnier.clubs.management.arguments import with_a_catalogue


class Command(BaseCommand):
    help = (
        "Deletes an archived club with all of its rows. Its backups stay, in a folder named after its schema."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--yes", metavar="SLUG", help="the slug once more: nothing brings the club back")

    def handle(self, *args: Any, slug: str, yes: str | None, **options: Any) -> None:
        if yes != slug:
            raise CommandError(
                f"This deletes every tournament of the club. If that is meant: delete_club {slug} --yes {slug}"
            )
        with with_a_catalogue():
            delete_club(slug)
        self.stdout.write(f"{slug} is deleted")
