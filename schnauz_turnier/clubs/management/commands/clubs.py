import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from schnauz_turnier.clubs import schemas
from schnauz_turnier.clubs.catalogue import OPERATOR, Entry, State, all_clubs
from schnauz_turnier.clubs.changes import is_due
from schnauz_turnier.clubs.management.arguments import with_a_catalogue
from tournaments.current_club import in_club
from tournaments.models import Tournament


class Command(BaseCommand):
    help = "Lists the clubs: state, tournaments, megabytes, and how many migrations they are behind this program."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object a line, with bytes")

    def handle(self, *args: Any, json: bool, **options: Any) -> None:
        with with_a_catalogue():
            for entry in all_clubs():
                self.stdout.write(self._as_json(entry) if json else self._as_text(entry))

    def _as_text(self, entry: Entry) -> str:
        told = _told(entry)
        behind = f"{told['behind']} behind" if told["behind"] else "up to date"
        return (
            f"{entry.slug:<40} {_state(entry):<8} {told['tournaments']:>6} tournaments "
            f"{told['bytes'] / 1_000_000:>8.1f} MB  {behind}"
        )

    def _as_json(self, entry: Entry) -> str:
        described = {"slug": entry.slug, "name": entry.name, "state": _state(entry)}
        return json.dumps(described | _told(entry))


def _state(entry: Entry) -> str:
    return OPERATOR if entry.is_operators else entry.state


def _told(entry: Entry) -> dict[str, int]:
    if entry.state not in (State.OPEN, State.ARCHIVED):
        return {"tournaments": 0, "bytes": 0, "behind": 0}
    with in_club(entry.club):
        tournaments = Tournament.objects.count()
    behind = schemas.migrations_behind(entry.club) if is_due(entry) else 0
    return {"tournaments": tournaments, "bytes": schemas.size(entry.club), "behind": behind}
