"""Checks of the stored data: database, migrations, backups. Imports no models: those need valid settings."""

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
from django.core.management import CommandError
from django.db import connection
from django.utils.translation import gettext as _
from psycopg import sql

from schnauz_turnier.doctor.clubs import Clubs, check_clubs, read_clubs
from schnauz_turnier.doctor.findings import Finding, ok, warning, wrong
from schnauz_turnier.doctor.machine import moment, write_failure
from schnauz_turnier.postgresql.embedded.cluster import Cluster
from schnauz_turnier.postgresql.embedded.unavailable import DatabaseUnavailable
from tournaments.commands import refuse_another_version
from tournaments.queries.database_version import in_todays_names, known_migrations

OLDEST_POSTGRESQL = 15
BACKUP_LAGS = timedelta(minutes=3)  # as in the organiser's overview
MOMENTS = {
    "django_migrations": "applied",
    "scoring_sheetentry": "recorded_at",
    "tournaments_participant": "registered_at",
    "tournaments_drawattempt": "made_at",
}
"""Columns by table with the time of a write by this installation's clock."""
_BACKUP = re.compile(r"schnauz-turnier-\d{6,}-(\d{8}T\d{6})Z\.zip", re.ASCII)


@dataclass(frozen=True, slots=True)
class Stored:
    """The findings about the database. newest_at: time of its latest entry; now: the time of its clock; None if unknown.

    clubs: the figures of an installation of many clubs.
    """

    findings: tuple[Finding, ...]
    newest_at: datetime | None = None
    now: datetime | None = None
    clubs: Clubs | None = None


def look_at_database(data_dir: Path, *, is_embedded: bool, has_clubs: bool) -> Stored:
    """Connect to the database and check it. The embedded one is started, if it exists."""
    name = _("Datenbank")
    remedy = (
        _("Datenordner und Speicherplatz prüfen, dann neu starten.")
        if is_embedded
        else _("Prüfen, ob PostgreSQL läuft und DATABASE_URL stimmt.")
    )
    try:
        if is_embedded and (finding := _check_cluster(data_dir / "cluster")):
            return Stored((finding,))
        # Bypasses the pool, which would wait instead of failing.
        with psycopg.connect(**connection.get_connection_params()) as database:
            [[now]] = database.execute("SELECT clock_timestamp()")
            server = check_server(database.info.server_version // 10_000)
            if has_clubs:
                clubs = read_clubs(database)
                return Stored((server, check_clubs(clubs)), now=now, clubs=clubs)
            return Stored((server, check_migrations(_applied(database))), _newest(database), now)
    except (psycopg.Error, DatabaseUnavailable) as failure:
        reason = str(failure).strip()
        return Stored((wrong(name, _("Sie antwortet nicht: %(reason)s") % {"reason": reason}, remedy),))


def _check_cluster(cluster: Path) -> Finding | None:
    """Return a finding if the embedded database does not exist yet, or is of another PostgreSQL; None otherwise."""
    made_by = 0
    with suppress(OSError, ValueError):
        made_by = int((cluster / "PG_VERSION").read_text(encoding="utf-8").split(".")[0])
    if not made_by:
        return ok(_("Datenbank"), _("Wird beim ersten Start angelegt."))
    told = {"made_by": made_by, "programs": Cluster.at(cluster).major_version}
    if made_by == told["programs"]:
        return None
    return wrong(
        _("Datenbank"),
        _("Sie stammt von PostgreSQL %(made_by)d, hier ist aber PostgreSQL %(programs)d.") % told,
        _(
            "Mit PG_BIN den Ordner der Programme von PostgreSQL %(made_by)d nennen, oder eine Sicherung in einen neuen "
            "Datenordner zurückholen."
        )
        % told,
    )


def check_server(major: int) -> Finding:
    if major < OLDEST_POSTGRESQL:
        return wrong(
            _("Datenbank"),
            _("PostgreSQL %(major)d ist zu alt.") % {"major": major},
            _("PostgreSQL 15 oder neuer nehmen, oder DATABASE_URL weglassen."),
        )
    return ok(_("Datenbank"), _("PostgreSQL %(major)d antwortet.") % {"major": major})


def _applied(database: psycopg.Connection[Any]) -> set[tuple[str, str]]:
    if database.execute("SELECT to_regclass('django_migrations')").fetchone() == (None,):
        return set()
    return {(app, name) for app, name in database.execute("SELECT app, name FROM django_migrations")}


def check_migrations(applied: set[tuple[str, str]]) -> Finding:
    """Compare the migrations that the database records with those of this program."""
    name = _("Stand der Daten")
    try:
        refuse_another_version(applied)
    except CommandError as refusal:
        return wrong(name, str(refusal), _("Mit dieser Version des Programms nicht arbeiten."))
    if not applied:
        return ok(name, _("Noch leer."))
    if known_migrations() - in_todays_names(applied):
        return warning(
            name,
            _("Die Daten sind von einer älteren Version des Programms."),
            _("Beim nächsten Start werden sie angepasst. Eine Sicherung vorher schadet nicht."),
        )
    return ok(name, _("Passt zum Programm."))


def _newest(database: psycopg.Connection[Any]) -> datetime | None:
    moments = []
    for table, column in MOMENTS.items():
        if database.execute("SELECT to_regclass(%s)", [table]).fetchone() != (None,):
            newest = sql.SQL("SELECT max({}) FROM {}").format(sql.Identifier(column), sql.Identifier(table))
            moments += [row[0] for row in database.execute(newest) if row[0] is not None]
    return max(moments, default=None)


# --- backups ---------------------------------------------------------------------------------------------------------


def check_backups(folder: Path | None, data_dir: Path, changed_at: datetime | None) -> Finding:
    """Check the folder of the backups. changed_at: the latest entry in the database."""
    name = _("Sicherungen")
    if finding := check_backup_folder(folder, data_dir):
        return finding
    latest_at = latest_backup(folder)
    if latest_at is None:
        return warning(
            name,
            _("In %(path)s ist noch keine.") % {"path": folder},
            _("Das Programm macht sie, sobald es läuft und sich etwas ändert."),
        )
    told = {"at": moment(latest_at)}
    if changed_at is not None and changed_at > latest_at + BACKUP_LAGS:
        return warning(
            name,
            _("Die letzte ist vom %(at)s, seitdem hat sich etwas geändert.") % told,
            _("Das Programm mit diesem BACKUP_DIR starten, oder jetzt mit dem Befehl backup eine machen."),
        )
    if folder and _is_on_one_disk(folder, data_dir):
        return warning(
            name,
            _("Die letzte ist vom %(at)s, aber auf derselben Platte wie die Daten.") % told,
            _("Einen Ordner auf einem Stick oder einer anderen Platte nehmen."),
        )
    return ok(name, _("Die letzte ist vom %(at)s.") % told)


def check_backup_folder(folder: Path | None, data_dir: Path) -> Finding | None:
    """Return a finding if backups cannot be written to the folder; None otherwise."""
    name = _("Sicherungen")
    if folder is None:
        return warning(
            name,
            _("Es werden keine gemacht."),
            _("Mit BACKUP_DIR einen Ordner auf einem Stick oder einer anderen Platte nennen."),
        )
    # A missing folder is made at the start, inside one that is there. That of the data is checked by itself.
    is_made_in = folder if folder.is_dir() else folder.parent
    if is_made_in != data_dir and (failure := write_failure(is_made_in)):
        return wrong(
            name,
            _("In %(path)s kann nicht geschrieben werden: %(reason)s.") % {"path": folder, "reason": failure},
            _("Den Stick oder die Platte anstecken und den Ordner darauf anlegen."),
        )
    return None


def latest_backup(folder: Path | None) -> datetime | None:
    """Return the time of the latest backup by its name: file times on a stick depend on the system that reads them."""
    made: list[datetime] = []
    with suppress(OSError):
        names = (_BACKUP.fullmatch(entry.name) for entry in folder.iterdir()) if folder else ()
        made = [datetime.strptime(name[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC) for name in names if name]
    return max(made, default=None)


def _is_on_one_disk(folder: Path, other: Path) -> bool:
    with suppress(OSError):
        return folder.stat().st_dev == other.stat().st_dev
    return False
