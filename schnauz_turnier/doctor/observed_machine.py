"""Facts of the machine: Python, packages, folders, files, time zone, sleep mode, battery."""

import os
import platform
import re
import shutil
import struct
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from zoneinfo import ZoneInfo

import psutil

from schnauz_turnier.doctor.machine import FolderFacts, PackageFacts, PythonFacts, ZoneFacts
from schnauz_turnier.doctor.power import (
    BatteryFacts,
    SleepFacts,
    read_gsettings,
    read_logind,
    read_pmset,
    read_powercfg,
)
from schnauz_turnier.doctor.programs import said

PROGRAM = "schnauz-turnier"
NULL = Path(os.devnull)


def python() -> PythonFacts:
    major, minor, micro = sys.version_info[:3]
    return PythonFacts((major, minor, micro), 8 * struct.calcsize("P"))


# --- packages --------------------------------------------------------------------------------------------------------


def packages(lock: Path) -> list[PackageFacts]:
    """Return the packages of a lock, or without one those that the installed program requires."""
    try:
        wanted = locked(lock.read_text(encoding="utf-8"))
    except OSError:
        wanted = dict.fromkeys(_required(), ())
    return [PackageFacts(name, versions, _installed(name)) for name, versions in wanted.items()]


def locked(lock: str) -> dict[str, tuple[str, ...]]:
    """Return the versions by package, without packages that only some machines need."""
    found = defaultdict(list)
    conditional = set()
    for name, number, marker in re.findall(r"^([\w.-]+)==([^\s;]+)\s*(;.*?)?\\?$", lock, re.MULTILINE):
        found[name].append(number)
        if marker and not _installed(name):
            conditional.add(name)
    return {name: tuple(numbers) for name, numbers in found.items() if name not in conditional}


def _required() -> Iterator[str]:
    with suppress(PackageNotFoundError):
        for requirement in requires(PROGRAM) or []:
            name = re.match(r"[\w.-]+", requirement)
            if name and (";" not in requirement or _installed(name[0])):
                yield name[0]


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


# --- folders and files -----------------------------------------------------------------------------------------------


def folder(path: Path) -> FolderFacts:
    """Look at a folder, or at the nearest one above it that exists. It is tried by writing a file that is deleted at once."""
    try:
        exists = path.is_dir()
        nearest = next(one for one in [path, *path.parents] if one.exists())
        disk = shutil.disk_usage(nearest)
        free = disk.free if disk.total else None  # not a disk
    except OSError as error:
        return FolderFacts(path, exists=True, failure=_reason(error), free=None)
    if not nearest.is_dir():
        return FolderFacts(path, exists, os.strerror(20), free)  # ENOTDIR
    return FolderFacts(path, exists, write_failure(nearest), free)


def write_failure(path: Path) -> str:
    """Return why a folder cannot be written to, "" if it can."""
    try:
        with tempfile.TemporaryFile(dir=path) as probe:
            probe.write(bytes(4096))
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        return _reason(error)
    return ""


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def newest_file(folder: Path) -> tuple[datetime, Path] | None:
    """Return the time and path of the file that changed last, of those directly in a folder."""
    found = []
    with suppress(OSError):
        found = [(entry.stat().st_mtime, entry) for entry in folder.iterdir()]
    if not found:
        return None
    at, path = max(found)
    return datetime.fromtimestamp(at, UTC), path


def on_the_same_disk(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.stat().st_dev == other.stat().st_dev
    return False


def zone(name: str, now: datetime) -> ZoneFacts:
    here = now.astimezone().utcoffset() or timedelta()
    try:
        shown = now.astimezone(ZoneInfo(name)).utcoffset()
    except (LookupError, OSError):  # ZoneInfoNotFoundError is a KeyError
        shown = None
    return ZoneFacts(name, here, shown)


# --- sleep mode and battery ------------------------------------------------------------------------------------------


def sleep() -> SleepFacts:
    system = platform.system()
    if system == "Windows":
        query = said("powercfg", "/query", "SCHEME_CURRENT", "SUB_SLEEP", "STANDBYIDLE")
        return SleepFacts(system, read_powercfg(query or ""))
    if system == "Darwin":
        return SleepFacts(system, read_pmset(said("pmset", "-g") or ""))
    return _sleep_on_linux(Path("/"))


def _sleep_on_linux(root: Path) -> SleepFacts:
    """Look at systemd's targets (masked: it never sleeps), its logind, and the settings of GNOME, if that is the desktop."""
    if not (root / "run/systemd/system").exists():
        return SleepFacts("Linux", None)
    if any(_masked(root, target) for target in ("sleep.target", "suspend.target")):
        return SleepFacts("Linux", 0)
    after, lid = read_logind(_configuration(root))
    has_lid = (root / "proc/acpi/button/lid").is_dir()
    if after is None:
        desktop = [
            (_gnome(f"sleep-inactive-{power}-type"), _gnome(f"sleep-inactive-{power}-timeout"))
            for power in ("ac", "battery")
        ]
        after = read_gsettings(*desktop)
    if after is None and "XDG_CURRENT_DESKTOP" not in os.environ:
        after = 0  # systemd alone does not sleep unless it is told
    return SleepFacts("Linux", after, lid and has_lid)


def _masked(root: Path, target: str) -> bool:
    return any(
        (root / place / target).resolve() == NULL for place in ("etc/systemd/system", "run/systemd/system")
    )


def _configuration(root: Path) -> str:
    files = [root / "etc/systemd/logind.conf", *sorted((root / "etc/systemd/logind.conf.d").glob("*.conf"))]
    texts = []
    for file in files:
        with suppress(OSError):
            texts.append(file.read_text(encoding="utf-8", errors="replace"))
    return "\n".join(texts)


def _gnome(key: str) -> str:
    return said("gsettings", "get", "org.gnome.settings-daemon.plugins.power", key) or ""


def battery() -> BatteryFacts:
    """Return the state of the battery; nothing known where there is none, or where the system does not tell."""
    try:
        found = psutil.sensors_battery()
    except (AttributeError, OSError):  # a system without this function
        return BatteryFacts()
    if found is None or found.power_plugged is None:
        return BatteryFacts()
    return BatteryFacts(found.power_plugged, round(found.percent))
