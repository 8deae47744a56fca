"""Checks of the machine: packages, the data folder and its disk, clock, sleep mode, battery."""

import os
import platform
import re
import shutil
import tempfile
from collections import defaultdict
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil
from django.utils import timezone
from django.utils.translation import gettext as _

from schnauz_turnier import __version__
from schnauz_turnier.doctor.findings import Finding, ok, warning, wrong
from tournaments.disk_room import Room

CLOCKS_AGREE = timedelta(minutes=2)


def check_packages(lock: Path) -> Finding:
    """Compare the installed packages with a lock file; without one only check for missing ones."""
    name = _("Programm")
    again = _("Das Programm neu installieren. Mit einem Klon: make setup")
    if missing := missing_packages(lock):
        return wrong(name, _("Es fehlen Pakete: %(names)s.") % {"names": ", ".join(missing)}, again)
    others = [
        f"{package} {installed_version(package)}"
        for package, versions in locked_packages(lock).items()
        if installed_version(package) not in versions
    ]
    if others:
        return warning(
            name,
            _("Pakete in einer anderen Version als geprüft: %(names)s.") % {"names": ", ".join(others)},
            again,
        )
    return ok(
        name,
        _("Version %(version)s mit Python %(python)s.")
        % {"version": __version__, "python": platform.python_version()},
    )


def missing_packages(lock: Path) -> list[str]:
    return [package for package in locked_packages(lock) if not installed_version(package)]


def locked_packages(lock: Path) -> dict[str, list[str]]:
    """Return the versions in a lock file by package, without packages for other systems."""
    versions = defaultdict(list)
    with suppress(FileNotFoundError):
        text = lock.read_text(encoding="utf-8")
        for package, number, marker in re.findall(r"^([\w.-]+)==([^\s;]+)\s*(;.*?)?\\?$", text, re.MULTILINE):
            if not marker or installed_version(package):
                versions[package].append(number)
    return versions


def installed_version(package: str) -> str:
    """Return the version of an installed package, "" if it is missing."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


# --- data folder -----------------------------------------------------------------------------------------------------


def check_data_folder(folder: Path) -> Finding:
    name = _("Datenordner")
    if failure := write_failure(_nearest(folder)):
        return wrong(
            name,
            _("In %(path)s kann nicht geschrieben werden: %(reason)s.") % {"path": folder, "reason": failure},
            _("Dem eigenen Konto das Schreiben erlauben, oder mit DATA_DIR einen anderen Ordner nennen."),
        )
    if _nearest(folder) != folder:
        return ok(name, _("%(path)s wird beim ersten Start angelegt.") % {"path": folder})
    return ok(name, str(folder))


def _nearest(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists."""
    for path in (folder, *folder.parents):
        with suppress(OSError):
            if path.exists():
                return path
    return folder


def write_failure(folder: Path) -> str:
    """Return the reason why a folder is not writable, "" if it is. Writes a temporary file."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(4096))
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        return error.strerror or type(error).__name__
    return ""


def check_room(folder: Path) -> Finding:
    name = _("Speicherplatz")
    try:
        room = Room(folder, shutil.disk_usage(_nearest(folder)).free)
    except OSError:
        return warning(
            name,
            _("Wie viel Platz frei ist, war nicht zu erfahren."),
            _("Im Dateiverwalter nachsehen: 1 GB sollte frei sein."),
        )
    told = {"room": room.megabytes, "path": folder}
    if room.is_least:
        return wrong(
            name,
            _("Nur noch %(room)s MB frei, wo %(path)s liegt.") % told,
            _(
                "Papierkorb leeren, Großes verschieben. Ist die Platte voll, nimmt das Programm nichts mehr an."
            ),
        )
    if room.is_scarce:
        return warning(
            name,
            _("Noch %(room)s MB frei, wo %(path)s liegt.") % told,
            _("Vor dem Abend Platz schaffen: 1 GB sollte frei sein."),
        )
    return ok(name, _("%(room)s MB frei.") % told)


# --- clock -----------------------------------------------------------------------------------------------------------


def check_clock(now: datetime, written: dict[str, datetime], database_now: datetime | None) -> Finding:
    """Compare the clock with that of the database, and with stored moments. written: moments by the name of their source."""
    name = _("Uhr")
    newest = max(written, key=lambda what: written[what], default="")
    if newest and written[newest] > now + CLOCKS_AGREE:
        return wrong(
            name,
            _("Der Laptop zeigt %(now)s, aber %(place)s ist schon vom %(newest)s.")
            % {"now": moment(now), "place": newest, "newest": moment(written[newest])},
            _("Datum und Uhrzeit des Laptops richtig stellen, am besten automatisch."),
        )
    if database_now is not None and abs(database_now - now) > CLOCKS_AGREE:
        return warning(
            name,
            _("Der Laptop zeigt %(now)s, der Rechner der Datenbank %(other)s.")
            % {"now": moment(now), "other": moment(database_now)},
            _("Beide Uhren automatisch stellen lassen."),
        )
    return ok(name, moment(now))


def moment(at: datetime) -> str:
    return timezone.localtime(at).strftime("%d.%m.%Y, %H:%M")


def newest_file(folder: Path) -> dict[str, datetime]:
    """Return the path and modification time of the newest file in a folder, {} without one."""
    with suppress(OSError, ValueError):
        changed_at, file = max((entry.stat().st_mtime, entry) for entry in folder.iterdir())
        return {str(file): datetime.fromtimestamp(changed_at, UTC)}
    return {}


# --- power -----------------------------------------------------------------------------------------------------------


def check_sleep(*, can_be_kept_awake: bool) -> Finding:
    name = _("Ruhezustand")
    if can_be_kept_awake:
        return ok(
            name,
            _(
                "Während einer Spielrunde hält das Programm den Laptop wach. Zugeklappt schläft er trotzdem ein."
            ),
        )
    return warning(
        name,
        _("Das Programm kann den Laptop nicht wach halten. Schläft er ein, erreicht ihn kein Handy."),
        _("Für den Abend in den Einstellungen des Laptops, unter Energie, den Ruhezustand abstellen."),
    )


def check_battery() -> Finding:
    name = _("Strom")
    battery = None
    with suppress(AttributeError, OSError):  # a system without this function
        battery = psutil.sensors_battery()
    if battery is None or battery.power_plugged is not False:
        return ok(name, _("Am Netz."))
    return warning(
        name,
        _("Der Laptop läuft auf Akku (%(percent)s %%).") % {"percent": round(battery.percent)},
        _("Netzteil anstecken."),
    )
