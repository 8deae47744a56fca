from argparse import ArgumentParser
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.management.arguments import refusals_as_errors
from scoring.services.practice import create_practice_tournament
from scoring.services.practice_evenings import PLAN_IN_PLAY, create_practice_evenings
from scoring.services.prizes import set_prize_plan
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
                made = create_practice_tournament(slug=slug, owner=None, at=at)
                if evenings:
                    set_prize_plan(made, PLAN_IN_PLAY)
        self.stdout.write(slug)
