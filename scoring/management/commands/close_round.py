from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from scoring.management.arguments import add_slug, refusals_as_errors, tournament_of
from scoring.services.rounds import close
from tournaments.commands import DatabaseCommand
from tournaments.models import Round


class Command(DatabaseCommand):
    help = "Closes the round in play: every sheet accepted and nothing parked, or with a reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_slug(parser)
        parser.add_argument("--reason", default="", help="why it is closed although something is missing")

    def handle(self, *args: Any, slug: str, reason: str, **options: Any) -> None:
        tournament = tournament_of(slug)
        in_play = tournament.rounds.exclude(state=Round.State.CLOSED).order_by("number").first()
        if in_play is None:
            raise CommandError("No round is open.")
        with refusals_as_errors():
            closed = close(tournament, in_play.number, reason=reason, at=timezone.now())
        self.stdout.write(f"{closed.number}")
