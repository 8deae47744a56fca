import json
from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from scoring.management.arguments import BY, add_slug, refusals_as_errors, tournament_of
from scoring.services.rounds import DrawOptions, draw_next
from tournaments.commands import DatabaseCommand
from tournaments.core.draw import FEW_REPEATS, RANDOM
from tournaments.documents.rounds import round_document
from tournaments.queries.seating import round_with_seating
from tournaments.services.rounds import release


class Command(DatabaseCommand):
    help = (
        "Draws the next round for everybody who is here and prints it as in the document. "
        "Table sizes that are not regular are taken as agreed to."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_slug(parser)
        parser.add_argument("--mode", choices=[RANDOM, FEW_REPEATS], help="else as the tournament says")
        parser.add_argument("--seed", metavar="HEX", help="64 hexadecimal digits, to repeat a draw")
        parser.add_argument("--release", action="store_true", help="let everybody see it at once")

    def handle(self, *args: Any, slug: str, mode: str | None, seed: str | None, **options: Any) -> None:
        tournament = tournament_of(slug)
        number = tournament.rounds.count() + 1
        chosen = DrawOptions(mode=mode, exceptions=True, seed=seed)
        with refusals_as_errors():
            draw_next(tournament, number=number, options=chosen, by=BY, at=timezone.now())
            if options["release"]:
                release(tournament, number, reason=BY, at=timezone.now())
        row = round_with_seating(tournament, number)
        if row is not None:
            self.stdout.write(json.dumps(round_document(row), ensure_ascii=False))
