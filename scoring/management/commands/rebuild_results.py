import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scoring.management.arguments import add_slug, tournament_of
from scoring.services.projection import rebuild_results


class Command(BaseCommand):
    help = "Replays the log of every sheet, prints where the stored results differ, and mends them; exit 1 if any did."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_slug(parser)

    def handle(self, *args: Any, slug: str, **options: Any) -> None:
        differences = rebuild_results(tournament_of(slug))
        for difference in differences:
            self.stdout.write(str(difference))
        if differences:
            sys.exit(1)
        self.stdout.write("no differences")
