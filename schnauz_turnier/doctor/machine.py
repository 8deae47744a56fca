"""Checks of the machine: Python, packages, the data folder and its disk, clock and time zone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.utils.translation import gettext as _

from schnauz_turnier.doctor.findings import Finding, ok, warning, wrong
from tournaments.disk_room import LEAST_ROOM, SCARCE_ROOM

OLDEST_PYTHON = (3, 11)
NEWEST_PYTHON = (3, 14)
CLOCKS_AGREE = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class PythonFacts:
    version: tuple[int, int, int]
    bits: int


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """A package that the program needs. wanted: the versions of the lock, none if any will do. found: "" if missing."""

    name: str
    wanted: tuple[str, ...]
    found: str


@dataclass(frozen=True, slots=True)
class FolderFacts:
    """A folder. failure: why it cannot be written to, "" if it can. free: bytes on its disk, None if unknown."""

    path: Path
    exists: bool
    failure: str
    free: int | None


@dataclass(frozen=True, slots=True)
class ClockFacts:
    """The clock of this machine. newest: the latest moment in the database and of the files, and where it stands."""

    now: datetime
    newest: datetime | None = None
    newest_in: str = ""
    database_now: datetime | None = None


@dataclass(frozen=True, slots=True)
class ZoneFacts:
    """The time zone. shown: the offset of the program's zone; None if this machine does not know the zone."""

    name: str
    here: timedelta
    shown: timedelta | None


def check_python(facts: PythonFacts) -> Finding:
    name, version = "Python", ".".join(map(str, facts.version))
    if facts.version[:2] < OLDEST_PYTHON:
        return wrong(
            name,
            _("Version %(version)s ist zu alt.") % {"version": version},
            _("Python 3.11 oder neuer installieren."),
        )
    if facts.bits != 64:
        return wrong(
            name,
            _("Dieses Python hat %(bits)d Bit, dafür gibt es keine Datenbank.") % {"bits": facts.bits},
            _("Python mit 64 Bit installieren."),
        )
    if facts.version[:2] > NEWEST_PYTHON:
        return warning(
            name,
            _("Mit Version %(version)s hat das Programm noch niemand ausprobiert.") % {"version": version},
            _("Wenn etwas nicht geht: Python 3.14 nehmen."),
        )
    return ok(name, _("Version %(version)s.") % {"version": version})


def check_packages(packages: Sequence[PackageFacts]) -> Finding:
    name = _("Pakete")
    missing = sorted(package.name for package in packages if not package.found)
    others = sorted(
        f"{package.name} {package.found}"
        for package in packages
        if package.found and package.wanted and package.found not in package.wanted
    )
    again = _("Das Programm neu installieren. Mit einem Klon: make setup")
    if missing:
        return wrong(name, _("Es fehlen: %(names)s.") % {"names": ", ".join(missing)}, again)
    if others:
        return warning(
            name, _("In einer anderen Version als geprüft: %(names)s.") % {"names": ", ".join(others)}, again
        )
    return ok(name, _("Alle %(count)d sind da.") % {"count": len(packages)})


def check_data_folder(facts: FolderFacts) -> Finding:
    name = _("Datenordner")
    if facts.failure:
        return wrong(
            name,
            _("In %(path)s kann nicht geschrieben werden: %(reason)s.")
            % {"path": facts.path, "reason": facts.failure},
            _("Dem eigenen Konto das Schreiben erlauben, oder mit DATA_DIR einen anderen Ordner nennen."),
        )
    if not facts.exists:
        return ok(name, _("%(path)s wird beim ersten Start angelegt.") % {"path": facts.path})
    return ok(name, str(facts.path))


def check_room(facts: FolderFacts) -> Finding:
    name, room = _("Speicherplatz"), megabytes(facts.free or 0)
    if facts.free is None:
        return warning(
            name,
            _("Wie viel Platz frei ist, war nicht zu erfahren."),
            _("Im Dateiverwalter nachsehen: 1 GB sollte frei sein."),
        )
    if facts.free < LEAST_ROOM:
        return wrong(
            name,
            _("Nur noch %(room)s MB frei, wo %(path)s liegt.") % {"room": room, "path": facts.path},
            _(
                "Papierkorb leeren, Großes verschieben. Ist die Platte voll, nimmt das Programm nichts mehr an."
            ),
        )
    if facts.free < SCARCE_ROOM:
        return warning(
            name,
            _("Noch %(room)s MB frei, wo %(path)s liegt.") % {"room": room, "path": facts.path},
            _("Vor dem Abend Platz schaffen: 1 GB sollte frei sein."),
        )
    return ok(name, _("%(room)s MB frei.") % {"room": room})


def megabytes(size: int) -> int:
    return size // 1_000_000


def check_clock(facts: ClockFacts) -> Finding:
    name = _("Uhr")
    if facts.newest is not None and facts.newest > facts.now + CLOCKS_AGREE:
        return wrong(
            name,
            _("Der Laptop zeigt %(now)s, aber %(place)s ist schon vom %(newest)s.")
            % {"now": _moment(facts.now), "place": facts.newest_in, "newest": _moment(facts.newest)},
            _("Datum und Uhrzeit des Laptops richtig stellen, am besten automatisch."),
        )
    if facts.database_now is not None and abs(facts.database_now - facts.now) > CLOCKS_AGREE:
        return warning(
            name,
            _("Der Laptop zeigt %(now)s, der Rechner der Datenbank %(other)s.")
            % {"now": _moment(facts.now), "other": _moment(facts.database_now)},
            _("Beide Uhren automatisch stellen lassen."),
        )
    return ok(name, _moment(facts.now))


def check_zone(facts: ZoneFacts) -> Finding:
    name = _("Zeitzone")
    if facts.shown is None:
        return wrong(
            name,
            _("Python kennt die Zeitzone %(zone)s nicht.") % {"zone": facts.name},
            _("Das Paket tzdata installieren: python -m pip install tzdata"),
        )
    if facts.shown != facts.here:
        return warning(
            name,
            _("Der Laptop ist nicht auf %(zone)s gestellt; das Programm zeigt die Uhrzeit von dort.")
            % {"zone": facts.name},
            _("In den Einstellungen von Datum und Uhrzeit die Zeitzone prüfen."),
        )
    return ok(name, facts.name)


def _moment(at: datetime) -> str:
    return at.strftime("%d.%m.%Y, %H:%M")
