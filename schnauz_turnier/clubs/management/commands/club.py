from argparse import REMAINDER, ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from schnauz_turnier.clubs.catalogue import club_of, note_migrations
from schnauz_turnier.clubs.management.arguments import with_a_catalogue
from tournaments.current_club import in_club


class Command(BaseCommand):
    help = "Runs another command for one club: manage.py club CLUB export_tournament TOURNAMENT"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the club")
        parser.add_argument("command", help="the command, and all that it is given")
        parser.add_argument("arguments", nargs=REMAINDER)

    def handle(self, *args: Any, slug: str, command: str, arguments: list[str], **options: Any) -> None:
        with with_a_catalogue(), in_club(club_of(slug).club):
            try:
                call_command(command, *arguments, stdout=self.stdout, stderr=self.stderr)
            finally:
                if command == "migrate":  # to any version, or half of the way
                    note_migrations(slug, "")
