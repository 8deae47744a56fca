import os
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from multiprocessing import get_context
from typing import Any

import django
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections
from django.utils import timezone

from schnauz_turnier.clubs.catalogue import Entry, State, UnknownClub, all_clubs
from schnauz_turnier.clubs.changes import is_due, migrate_club
from schnauz_turnier.clubs.incidents import Incident, IncidentKind, note_incident
from schnauz_turnier.clubs.management.arguments import with_a_catalogue
from tournaments.core.printable import printable


class Command(BaseCommand):
    help = (
        "Brings the tables of all clubs up to date with this program, several at a time. Clubs that are up to date are "
        "passed over, so it can be run again at any time. A club that fails stops no other."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="CLUB", help="only these; without: all")
        parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="clubs at a time")

    def handle(self, *args: Any, slugs: Sequence[str], jobs: int, **options: Any) -> None:
        with with_a_catalogue():
            entries = [entry for entry in all_clubs() if entry.state in (State.OPEN, State.ARCHIVED)]
            if unknown := set(slugs) - {entry.slug for entry in entries}:
                raise UnknownClub(min(unknown))
            due = [
                entry.slug for entry in entries if (not slugs or entry.slug in slugs) and _may_be_due(entry)
            ]
        connections.close_all()
        failed = self._migrate(due, jobs)
        self.stdout.write(
            f"{len(due) - failed} of {len(due)} migrated, {len(entries) - len(due)} left as they were"
        )
        if failed:
            raise CommandError(f"{failed} failed; the others are done. Mend them, and run this again.")

    def _migrate(self, due: Sequence[str], jobs: int) -> int:
        """Return the number of failed clubs."""
        failed = 0
        for number, (slug, error) in enumerate(_migrated(due, jobs), start=1):
            if error is not None:
                failed += 1
                incident = Incident(
                    timezone.now(), IncidentKind.MIGRATION, slug, "", type(error).__name__, "migrate_clubs"
                )
                with suppress(DatabaseError):
                    note_incident(incident)
            self.stdout.write(printable(f"{number}/{len(due)} {slug}: {error or 'done'}"))
        return failed


def _may_be_due(entry: Entry) -> bool:
    """Whether a club is due, or cannot be asked, so that its error is told with those of the others."""
    try:
        return is_due(entry)
    except DatabaseError:
        return True


def _migrated(due: Sequence[str], jobs: int) -> Iterator[tuple[str, BaseException | None]]:
    """Migrate clubs, with several jobs in processes. Yield each when done, with its exception or None."""
    if min(jobs, len(due)) < 2:
        for slug in due:
            try:
                migrate_club(slug)
                yield slug, None
            except Exception as error:  # noqa: BLE001 - the exception is yielded
                yield slug, error
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=django.setup) as processes:
        waiting = {processes.submit(migrate_club, slug): slug for slug in due}
        for done in as_completed(waiting):
            yield waiting[done], done.exception()
