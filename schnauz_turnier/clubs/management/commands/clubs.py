import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from schnauz_turnier.clubs import schemas
from schnauz_turnier.clubs.catalogue import OPERATOR, Entry, State, all_clubs
from schnauz_turnier.clubs.changes import is_due
from schnauz_turnier.clubs.management.arguments import with_a_catalogue
from schnauz_turnier.clubs.measures import Measured, all_measured, measure_all


class Command(BaseCommand):
    help = "Lists the clubs: state, tournaments, players, megabytes, and how many migrations they are behind this program."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object a line, with bytes")
        parser.add_argument(
            "--now",
            "--measure",
            action="store_true",
            help="measure all clubs first, rather than show when they were last measured",
        )

    def handle(self, *args: Any, json: bool, now: bool, **options: Any) -> None:
        with with_a_catalogue():
            if now:
                measure_all(at=timezone.now())
            measured = all_measured()
            for entry in all_clubs():
                line = _as_json if json else _as_text
                self.stdout.write(line(entry, measured.get(entry.slug)))


def _as_text(entry: Entry, measured: Measured | None) -> str:
    behind = f"{lacking} behind" if (lacking := _behind(entry)) else "up to date"
    end = f"  is deleted on {timezone.localdate(entry.ends_at)}" if entry.ends_at else ""
    return f"{entry.slug:<40} {_state(entry):<8} {_measures(measured)}  {behind}{end}"


def _measures(measured: Measured | None) -> str:
    if measured is None:
        return "not measured yet"
    return (
        f"{measured.tournaments:>6} tournaments {measured.people:>7} players {measured.bytes / 1_000_000:>8.1f} MB  "
        f"{f'last evening {measured.last_evening}  ' if measured.last_evening else ''}"
        f"{'backup failed  ' if measured.has_failed else ''}(at {timezone.localtime(measured.measured_at):%Y-%m-%d %H:%M})"
    )


def _as_json(entry: Entry, measured: Measured | None) -> str:
    described = {"slug": entry.slug, "name": entry.name, "state": _state(entry), "behind": _behind(entry)}
    return json.dumps(described | (asdict(measured) if measured else {}), cls=DjangoJSONEncoder)


def _state(entry: Entry) -> str:
    return OPERATOR if entry.is_operators else entry.state


def _behind(entry: Entry) -> int:
    has_tables = entry.state is not State.NEW
    return schemas.migrations_behind(entry.club) if has_tables and is_due(entry) else 0
