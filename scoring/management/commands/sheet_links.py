import json
from typing import Any

from django.core.management.base import CommandError

from scoring.management.arguments import TournamentCommand
from scoring.sheet_link import link_of
from tournaments.models import Round, Table, Tournament


class Command(TournamentCommand):
    help = (
        "Prints the link of every table of the released round, one JSON line a table. The links are secrets."
    )

    def run(self, tournament: Tournament, **options: Any) -> None:
        tables = Table.objects.filter(round__tournament=tournament, round__state=Round.State.RELEASED)
        released = list(tables.select_related("round").order_by("round__number", "number"))
        if not released:
            raise CommandError("No round is released.")
        for table in released:
            url = link_of(table).url
            self.stdout.write(json.dumps({"round": table.round.number, "table": table.number, "url": url}))
