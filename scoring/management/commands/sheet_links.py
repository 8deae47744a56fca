import json
from typing import Any

from django.core.management.base import CommandError
from django.urls import reverse

from scoring.management.arguments import TournamentCommand, tournament_of
from tournaments.current_club import origin
from tournaments.links import sheet_secret
from tournaments.models import Round, Table


class Command(TournamentCommand):
    help = (
        "Prints the link of every table of the released round, one JSON line a table. The links are secrets."
    )

    def handle(self, *args: Any, slug: str, **options: Any) -> None:
        tables = Table.objects.filter(
            round__tournament=tournament_of(slug), round__state=Round.State.RELEASED
        )
        released = list(tables.select_related("round").order_by("round__number", "number"))
        if not released:
            raise CommandError("No round is released.")
        for table in released:
            url = f"{origin()}{reverse('phone:page')}#{sheet_secret(table.pk, table.link_version)}"
            self.stdout.write(json.dumps({"round": table.round.number, "table": table.number, "url": url}))
