from argparse import ArgumentParser
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.management.arguments import refusals_as_errors
from scoring.practice.evenings import create_practice_evenings, create_practice_tournament
from tournaments.commands import DatabaseCommand
from tournaments.models import Tournament


class Command(DatabaseCommand):
    help = "Makes a practice tournament in play, of sample data, unless there is one under this slug already."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", default="uebung")
        parser.add_argument(
            "--evenings", action="store_true", help="with three evenings that are over and one to come"
        )

    def handle(self, *args: Any, slug: str, evenings: bool, **options: Any) -> None:
        at = timezone.now()
        with refusals_as_errors(), transaction.atomic():
            if evenings:
                create_practice_evenings(slug=slug, owner=None, at=at)
            if not Tournament.objects.filter(slug=slug).exists():
                create_practice_tournament(slug=slug, owner=None, at=at, with_prizes=evenings)
        self.stdout.write(slug)
