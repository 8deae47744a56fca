"""Report of the doctor (`manage.py doctor`). Works in part with settings that Django refuses, and without a database."""

import os
from pathlib import Path
from urllib.parse import urlsplit

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone
from django.utils.translation import gettext as _

from schnauz_turnier.doctor.clubs import check_backups_of_clubs
from schnauz_turnier.doctor.findings import Finding, Health, as_text, ok, wrong
from schnauz_turnier.doctor.machine import (
    check_battery,
    check_clock,
    check_data_folder,
    check_packages,
    check_room,
    check_sleep,
    missing_packages,
    newest_file,
)
from schnauz_turnier.doctor.network import Place, look_at_network
from schnauz_turnier.doctor.storage import (
    Stored,
    check_backup_folder,
    check_backups,
    latest_backup,
    look_at_database,
)
from schnauz_turnier.environment import env, env_path, env_port
from schnauz_turnier.place import RESOURCES, own_data_dir
from schnauz_turnier.start.console import show_what_can_be_shown
from schnauz_turnier.start.network import is_loopback

ZONE = "Europe/Berlin"


def main() -> int:
    """Print the findings and return the exit status: 1 if anything is wrong."""
    findings = examine()
    show_what_can_be_shown()
    print(as_text(findings))
    return int(any(finding.health == Health.WRONG for finding in findings))


def examine() -> list[Finding]:
    """Return all findings, in the language of the settings."""
    lock = RESOURCES / "requirements.lock"
    if missing_packages(lock):
        _load_without_settings()
        return [check_packages(lock)]
    settled = _check_settings(_load_settings())
    data_dir = env_path("DATA_DIR") or own_data_dir()
    data_folder = check_data_folder(data_dir)
    stored = Stored(())
    if Health.WRONG not in (settled.health, data_folder.health):
        stored = look_at_database(
            data_dir, is_embedded=env("DATABASE_URL") is None, has_clubs=env("CLUBS") is not None
        )
    # As in the settings, which may be refused.
    backup_dir = env_path("BACKUP_DIR") or (None if env("DATABASE_URL") else data_dir / "backups")
    is_behind_proxy = (env("PUBLIC_URL") or "").startswith("https://")
    return [
        settled,
        check_packages(lock),
        data_folder,
        check_room(data_dir),
        *stored.findings,
        *_check_backups(backup_dir, data_dir, stored),
        _check_clock(data_dir, backup_dir, stored),
        *look_at_network(_place(), is_behind_proxy=is_behind_proxy),
        *([] if is_behind_proxy else _check_power()),
    ]


def _check_backups(backup_dir: Path | None, data_dir: Path, stored: Stored) -> list[Finding]:
    if env("CLUBS") is None:
        return [check_backups(backup_dir, data_dir, stored.newest_at)]
    if finding := check_backup_folder(backup_dir, data_dir):
        return [finding]
    # Each club has a folder of its own; the catalogue knows of them all.
    return [check_backups_of_clubs(stored.clubs)] if stored.clubs else []


def _check_power() -> list[Finding]:
    from schnauz_turnier.background.keep_awake import can_be_kept_awake  # noqa: PLC0415 (its package may be missing)

    return [check_sleep(can_be_kept_awake=can_be_kept_awake()), check_battery()]


def _load_settings() -> str:
    """Set up Django and return "", or return the error in the settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "schnauz_turnier.settings")
    try:
        django.setup()
    except (ImproperlyConfigured, OSError) as refusal:
        _load_without_settings()
        return str(refusal)
    if env_port() is None:
        return _("PORT=%(port)s ist keine Zahl von 1 bis 65535.") % {"port": env("PORT")}
    return ""


def _load_without_settings() -> None:
    """Set up Django for translations only."""
    translated = {folder.name for folder in (RESOURCES / "locale").iterdir()}
    language = next(iter(translated & {env("DEFAULT_LANGUAGE")}), "de")
    settings.configure(
        LANGUAGE_CODE=language, LOCALE_PATHS=[RESOURCES / "locale"], USE_TZ=True, TIME_ZONE=ZONE
    )
    django.setup()


def _check_settings(failure: str) -> Finding:
    name = _("Einstellungen")
    if not failure:
        return ok(name, _("Alle verstanden."))
    return wrong(
        name,
        failure,
        _("Die Variable anders setzen oder weglassen. Was an den Einstellungen hängt, wurde nicht geprüft."),
    )


def _check_clock(data_dir: Path, backup_dir: Path | None, stored: Stored) -> Finding:
    written = newest_file(data_dir)
    if backup_at := latest_backup(backup_dir):
        written[_("eine Sicherung")] = backup_at
    if stored.newest_at:
        written[_("ein Eintrag der Datenbank")] = stored.newest_at
    return check_clock(timezone.now(), written, stored.now)


def _place() -> Place:
    """Return the address of the program: HOST and PORT, else that of the last start."""
    public = urlsplit(getattr(settings, "PUBLIC_URL", ""))
    port, announced = 8000, ""
    if public.scheme == "http" and public.hostname:
        port = public.port or 80
        announced = "" if is_loopback(public.hostname) else public.hostname
    return Place(env("HOST") or "0.0.0.0", (env_port() if env("PORT") else None) or port, announced)
