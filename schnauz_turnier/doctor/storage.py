"""Checks of what is stored: settings, database, migrations, backups."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.utils.translation import gettext as _

from schnauz_turnier.doctor.findings import Finding, ok, warning, wrong

OLDEST_POSTGRESQL = 15
BACKUP_LAGS = timedelta(minutes=3)  # the overview warns from then on, too


@dataclass(frozen=True, slots=True)
class DatabaseFacts:
    """The database. failure: why it does not answer, "" if it does. major: the version of the server.

    made: False if the embedded one is made at the first start. made_by, programs: the version that made its cluster, and
    that of its programs; 0 if unknown.
    """

    embedded: bool
    made: bool = True
    failure: str = ""
    major: int = 0
    made_by: int = 0
    programs: int = 0


@dataclass(frozen=True, slots=True)
class MigrationFacts:
    """The migrations. unknown: those in the database that this program lacks; pending: how many the database lacks."""

    unknown: tuple[str, ...]
    pending: int
    empty: bool = False


@dataclass(frozen=True, slots=True)
class BackupFacts:
    """The backups. failure: why the folder cannot be used. changed_at: the latest entry in the database."""

    folder: Path | None
    failure: str = ""
    latest_at: datetime | None = None
    changed_at: datetime | None = None
    on_the_same_disk: bool = False


def check_settings(failure: str) -> Finding:
    name = _("Einstellungen")
    if failure:
        return wrong(
            name,
            failure,
            _(
                "Die Variable anders setzen oder weglassen. Was an den Einstellungen hängt, wurde nicht geprüft."
            ),
        )
    return ok(name, _("Alle verstanden."))


def check_database(facts: DatabaseFacts) -> Finding:
    name = _("Datenbank")
    if facts.made_by and facts.programs and facts.made_by != facts.programs:
        return wrong(
            name,
            _("Sie stammt von PostgreSQL %(made_by)d, hier ist aber PostgreSQL %(programs)d.")
            % {"made_by": facts.made_by, "programs": facts.programs},
            _(
                "Mit PG_BIN den Ordner der Programme von PostgreSQL %(made_by)d nennen, oder eine Sicherung in einen neuen "
                "Datenordner zurückholen."
            )
            % {"made_by": facts.made_by},
        )
    if not facts.made:
        return ok(name, _("Wird beim ersten Start angelegt."))
    if facts.failure:
        return wrong(
            name,
            _("Sie antwortet nicht: %(reason)s") % {"reason": facts.failure},
            _("Datenordner und Speicherplatz prüfen, dann neu starten.")
            if facts.embedded
            else _("Prüfen, ob PostgreSQL läuft und DATABASE_URL stimmt."),
        )
    if facts.major < OLDEST_POSTGRESQL:
        return wrong(
            name,
            _("PostgreSQL %(major)d ist zu alt.") % {"major": facts.major},
            _("PostgreSQL 15 oder neuer nehmen, oder DATABASE_URL weglassen."),
        )
    return ok(name, _("PostgreSQL %(major)d antwortet.") % {"major": facts.major})


def check_migrations(facts: MigrationFacts) -> Finding:
    name = _("Stand der Daten")
    if facts.unknown:
        return wrong(
            name,
            _("Die Daten sind von einer neueren Version des Programms (%(names)s).")
            % {"names": ", ".join(facts.unknown[:3])},
            _("Die neuere Version installieren. Mit dieser hier nicht arbeiten."),
        )
    if facts.empty:
        return ok(name, _("Noch leer."))
    if facts.pending:
        return warning(
            name,
            _("Die Daten sind von einer älteren Version des Programms."),
            _("Beim nächsten Start werden sie angepasst. Eine Sicherung vorher schadet nicht."),
        )
    return ok(name, _("Passt zum Programm."))


def check_backups(facts: BackupFacts) -> Finding:
    name = _("Sicherungen")
    if facts.folder is None:
        return warning(
            name,
            _("Es werden keine gemacht."),
            _("Mit BACKUP_DIR einen Ordner auf einem Stick nennen."),
        )
    if facts.failure:
        return wrong(
            name,
            _("In %(path)s kann nicht geschrieben werden: %(reason)s.")
            % {"path": facts.folder, "reason": facts.failure},
            _("Den Stick anstecken und den Ordner darauf anlegen."),
        )
    if facts.latest_at is None:
        return warning(
            name,
            _("In %(path)s ist noch keine.") % {"path": facts.folder},
            _("Das Programm macht sie, sobald es läuft und sich etwas ändert."),
        )
    latest = facts.latest_at.strftime("%d.%m.%Y, %H:%M")
    if facts.changed_at is not None and facts.changed_at > facts.latest_at + BACKUP_LAGS:
        return warning(
            name,
            _("Die letzte ist vom %(at)s, seitdem hat sich etwas geändert.") % {"at": latest},
            _("Das Programm mit diesem BACKUP_DIR starten, oder jetzt mit dem Befehl backup eine machen."),
        )
    if facts.on_the_same_disk:
        return warning(
            name,
            _("Die letzte ist vom %(at)s, aber auf derselben Platte wie die Daten.") % {"at": latest},
            _("Einen Ordner auf einem Stick nehmen."),
        )
    return ok(name, _("Die letzte ist vom %(at)s.") % {"at": latest})
