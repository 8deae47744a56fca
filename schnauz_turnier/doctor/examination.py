"""Examination: observes everything and returns the findings. Works, in part, without usable settings and database."""

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone
from django.utils.translation import gettext as _

from schnauz_turnier.doctor import observed_machine, observed_network, observed_storage
from schnauz_turnier.doctor.findings import Finding
from schnauz_turnier.doctor.machine import (
    ClockFacts,
    check_clock,
    check_data_folder,
    check_packages,
    check_python,
    check_room,
    check_zone,
)
from schnauz_turnier.doctor.network import check_address, check_firewall, check_port
from schnauz_turnier.doctor.observed_storage import Observed
from schnauz_turnier.doctor.power import check_battery, check_sleep
from schnauz_turnier.doctor.storage import (
    BackupFacts,
    check_backups,
    check_database,
    check_migrations,
    check_settings,
)
from schnauz_turnier.environment import env
from schnauz_turnier.place import RESOURCES, own_data_dir
from schnauz_turnier.start.network import EVERYWHERE, is_loopback, lan_address

ZONE = "Europe/Berlin"


@dataclass(frozen=True, slots=True)
class Place:
    """The address at which the program is served, from the environment or as it was served last.

    announced: the host of PUBLIC_URL, "" if it leads to this machine only.
    """

    host: str
    port: int
    announced: str = ""

    @property
    def url(self) -> str:
        host = self.announced or (lan_address() if self.host in EVERYWHERE else "") or self.host
        return f"http://{host}:{self.port}/"


def examine() -> list[Finding]:
    """Return all findings, in the language of the settings."""
    packages = observed_machine.packages(RESOURCES / "requirements.lock")
    complete = all(package.found for package in packages)
    failure = load_settings() if complete else _load_without_settings()
    settled = [check_settings(failure or _no_port())] if complete else []
    now = timezone.now()
    data_dir = _folder("DATA_DIR") or Path(getattr(settings, "DATA_DIR", own_data_dir()))
    folder = observed_machine.folder(data_dir)
    observed = _database(data_dir) if complete and not failure and not folder.failure else None
    changed_at = observed.newest_at if observed else None
    backups = observed_storage.backups(_folder("BACKUP_DIR"), data_dir, changed_at)
    return [
        *settled,
        check_python(observed_machine.python()),
        check_packages(packages),
        check_data_folder(folder),
        check_room(folder),
        *_stored(observed),
        check_backups(backups),
        check_clock(_clock(data_dir, observed, backups, now)),
        check_zone(observed_machine.zone(ZONE, now)),
        *_reached(served_at()),
        check_sleep(observed_machine.sleep()),
        check_battery(observed_machine.battery()),
    ]


def _folder(variable: str) -> Path | None:
    value = env(variable)
    return Path(value).expanduser().absolute() if value else None


def load_settings() -> str:
    """Make Django ready and return "", or return why the settings cannot be used."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "schnauz_turnier.settings")
    try:
        django.setup()
    except (ImproperlyConfigured, OSError) as refusal:
        _load_without_settings()
        return str(refusal)
    return ""


def _load_without_settings() -> str:
    """Make Django ready to translate, and nothing else."""
    language = "en" if env("DEFAULT_LANGUAGE") == "en" else "de"
    settings.configure(
        LANGUAGE_CODE=language, LOCALE_PATHS=[RESOURCES / "locale"], USE_TZ=True, TIME_ZONE=ZONE
    )
    django.setup()
    return ""


def _database(data_dir: Path) -> Observed:
    return observed_storage.database(data_dir, embedded=env("DATABASE_URL") is None)


def _no_port() -> str:
    text = env("PORT") or "8000"
    if _port_in(text) is None:
        return _("PORT=%(port)s ist keine Zahl von 1 bis 65535.") % {"port": text}
    return ""


def _port_in(text: str) -> int | None:
    number = int(text) if text.isascii() and text.isdigit() else 0
    return number if 0 < number < 65536 else None


def _stored(observed: Observed | None) -> list[Finding]:
    if observed is None:
        return []
    found = [check_database(observed.database)]
    return [*found, check_migrations(observed.migrations)] if observed.migrations else found


def _clock(data_dir: Path, observed: Observed | None, backups: BackupFacts, now: datetime) -> ClockFacts:
    """Gather what knows the time. Of backups the name does: the times of files on a stick depend on who looks."""
    file = observed_machine.newest_file(data_dir)
    moments = [
        (file[0], str(file[1])) if file else None,
        (backups.latest_at, _("eine Sicherung")) if backups.latest_at else None,
        (observed.newest_at, _("ein Eintrag der Datenbank")) if observed and observed.newest_at else None,
    ]
    newest, place = max(filter(None, moments), default=(None, ""))
    local = timezone.get_default_timezone()
    return ClockFacts(
        now.astimezone(local),
        newest.astimezone(local) if newest else None,
        place,
        observed.now.astimezone(local) if observed and observed.now else None,
    )


def _reached(place: Place) -> list[Finding]:
    """Look at port, address and firewall, unless a proxy with https stands in front: then those are its business."""
    version = str(getattr(settings, "VERSION", ""))
    port = check_port(observed_network.port(place.host, place.port), version=version)
    if (env("PUBLIC_URL") or "").startswith("https://"):
        return [port]
    address = check_address(observed_network.addresses(place.host, place.announced))
    if is_loopback(place.host):
        return [port, address]
    return [port, address, check_firewall(observed_network.firewall(place.port), url=place.url)]


def served_at() -> Place:
    """Return where the program is served: HOST and PORT, else the address of the last start."""
    public = urlsplit(getattr(settings, "PUBLIC_URL", ""))
    port, announced = 8000, ""
    if public.scheme == "http" and public.hostname:
        port = public.port or 80
        announced = "" if is_loopback(public.hostname) else public.hostname
    return Place(env("HOST") or "0.0.0.0", _port_in(env("PORT") or "") or port, announced)
