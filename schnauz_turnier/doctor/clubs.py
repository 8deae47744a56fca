"""Checks of an installation of many clubs, by its catalogue. Imports no models: those need valid settings."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
from django.utils.translation import gettext as _

from schnauz_turnier.clubs.catalogue import OPERATORS_SCHEMA
from schnauz_turnier.doctor.findings import Finding, ok, warning
from schnauz_turnier.doctor.machine import moment
from tournaments.queries.database_version import digest_of, known_migrations

_READ = """
SELECT count(*), count(*) FILTER (WHERE migrations <> %s), count(*) FILTER (WHERE state = 'open' AND has_failed), max(backed_up_at)
FROM catalogue.club LEFT JOIN catalogue.measured USING (slug) WHERE state <> 'new' AND NOT starts_with(schema_name, %s)
"""


@dataclass(frozen=True, slots=True)
class Clubs:
    """Number of clubs, of those whose tables are not of this program, and of open ones whose last backup failed or is missing.

    backed_up_at: time of the latest backup of any club, None without one.
    """

    number: int = 0
    other_version: int = 0
    unsaved: int = 0
    backed_up_at: datetime | None = None


def read_clubs(database: psycopg.Connection[Any]) -> Clubs:
    if database.execute("SELECT to_regclass('catalogue.measured')").fetchone() == (None,):
        return Clubs()
    [row] = database.execute(_READ, [digest_of(known_migrations()), OPERATORS_SCHEMA])
    return Clubs(*row)


def check_clubs(clubs: Clubs) -> Finding:
    name = _("Vereine")
    if not clubs.number:
        return ok(name, _("Noch keiner angelegt."))
    if clubs.other_version:
        return warning(
            name,
            _("%(number)d, davon %(other)d von einer anderen Version des Programms.")
            % {"number": clubs.number, "other": clubs.other_version},
            _("Mit dem Befehl migrate_clubs anpassen."),
        )
    return ok(name, _("%(number)d, alle passen zum Programm.") % {"number": clubs.number})


def check_backups_of_clubs(clubs: Clubs) -> Finding:
    """Check the backups. That their folder can be written to is another check."""
    name = _("Sicherungen")
    if clubs.unsaved:
        return warning(
            name,
            _("Ohne Sicherung seit der letzten Änderung: %(number)d.") % {"number": clubs.unsaved},
            _(
                "Der Befehl clubs sagt, welche. Was geschah, steht auf den Seiten des Betreibers unter „Was schiefging“."
            ),
        )
    if clubs.backed_up_at is None:
        return ok(name, _("Noch keine. Das Programm macht sie, sobald es läuft und sich etwas ändert."))
    return ok(name, _("Die letzte ist vom %(at)s.") % {"at": moment(clubs.backed_up_at)})
