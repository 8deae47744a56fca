from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from schnauz_turnier.clubs.management.arguments import with_a_catalogue
from schnauz_turnier.clubs.registration import confirm_registration, refuse_registration


class Command(BaseCommand):
    help = "Confirms a registration and prints the link that makes the club, valid for 48 hours. With --refuse it is deleted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="CLUB")
        parser.add_argument("--refuse", action="store_true", help="delete it; its slug is free again")

    def handle(self, *args: Any, slug: str, refuse: bool, **options: Any) -> None:
        with with_a_catalogue():
            if refuse:
                refuse_registration(slug)
            else:
                self.stdout.write(confirm_registration(slug, at=timezone.now()))
