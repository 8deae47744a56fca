import json
from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from scoring.management.arguments import BY, TournamentCommand
from scoring.services.rounds import DrawOptions, draw_next
from tournaments.core.draw import FEW_REPEATS, RANDOM
from tournaments.documents.rounds import round_document
from tournaments.models import Tournament
from tournaments.queries.seating import round_with_seating
from tournaments.services.rounds import give_start_sign, release


class Command(TournamentCommand):
    help = (
        "Draws the next round for everybody who is here and prints it as in the document. "
        "Table sizes that are not regular are taken as agreed to."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--mode", choices=[RANDOM, FEW_REPEATS], help="else as the tournament says")
        parser.add_argument("--seed", metavar="HEX", help="64 hexadecimal digits, to repeat a draw")
        parser.add_argument(
            "--release", action="store_true", help="let everybody see it at once, and the tables begin"
        )

    def run(self, tournament: Tournament, **options: Any) -> None:
        number = tournament.rounds.count() + 1
        chosen = DrawOptions(mode=options["mode"], exceptions=True, seed=options["seed"])
        draw_next(tournament, number=number, options=chosen, by=BY, at=timezone.now())
        if options["release"]:
            release(tournament, number, reason=BY, at=timezone.now())
            if tournament.rules.starts_at_sign:
                give_start_sign(tournament, number, at=timezone.now(), is_running=True)
        row = round_with_seating(tournament, number)
        if row is not None:
            self.stdout.write(json.dumps(round_document(row), ensure_ascii=False))
