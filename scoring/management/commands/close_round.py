from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from scoring.management.arguments import TournamentCommand
from scoring.services.rounds import close
from tournaments.models import Round, Tournament


class Command(TournamentCommand):
    help = "Closes the round in play: every sheet accepted and nothing parked, or with a reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--reason", default="", help="why it is closed although something is missing")

    def run(self, tournament: Tournament, **options: Any) -> None:
        in_play = tournament.rounds.exclude(state=Round.State.CLOSED).order_by("number").first()
        if in_play is None:
            raise CommandError("No round is open.")
        closed = close(tournament, in_play.number, reason=options["reason"], at=timezone.now())
        self.stdout.write(f"{closed.number}")
