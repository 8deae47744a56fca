from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from scoring.services.practice import create_practice_tournament
from tournaments.commands import DatabaseCommand
from tournaments.models import Tournament


class Command(DatabaseCommand):
    help = "Makes a practice tournament in play, of sample data, unless there is one under this slug already."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", default="uebung")

    def handle(self, *args: Any, slug: str, **options: Any) -> None:
        if not Tournament.objects.filter(slug=slug).exists():
            create_practice_tournament(slug=slug, owner=None, at=timezone.now())
        self.stdout.write(slug)
