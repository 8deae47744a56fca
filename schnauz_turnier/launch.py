"""Start of the whole program: database, migrations, static files, the first organiser's link, web server."""

import contextlib
import hashlib
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import segno
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from schnauz_turnier import database
from schnauz_turnier.certificate import OwnCertificate, own_certificate
from schnauz_turnier.network import EVERYWHERE, is_loopback
from schnauz_turnier.own_browser import open_when_it_answers
from schnauz_turnier.place import IS_INSTALLED, starting_command
from schnauz_turnier.serve import serve
from schnauz_turnier.settings import https_port
from schnauz_turnier.systems import system
from tournaments.models import Tournament
from tournaments.services import accounts as people

_START_LOCK = 0x5C4D


def launch(host: str, port: int, *, practice: bool, browser: bool) -> None:
    refuse_taken_port(host, port, port, practice=practice)
    if settings.STAFF_URL:
        refuse_taken_port(host, https_port(port), port, practice=practice)
    with one_start_at_a_time():
        migrate()
        with contextlib.suppress(OSError):  # for management commands beside the running server
            (settings.DATA_DIR / "public_url").write_text(settings.PUBLIC_URL, encoding="utf-8")
        collect_static_files()
        if practice and not Tournament.objects.exists():
            call_command("practice_tournament", evenings=True)
    staff = staff_certificate()
    code = people.setup_code()
    greet(staff, code)
    connection.close()
    if browser:
        open_when_it_answers(f"{own_url(host, port)}/{f'account/setup/#{code}' if code else ''}")
    with contextlib.suppress(KeyboardInterrupt):
        serve(host, port, staff=staff)


def migrate() -> None:
    """Bring the database up to date. End with the sentence of the command where it refuses that."""
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except CommandError as refusal:
        sys.exit(str(refusal))


def refuse_taken_port(host: str, port: int, asked: int, *, practice: bool) -> None:
    """Exit if a port is taken, and offer the next one. asked: the port of the program, to which that of https belongs."""
    try:
        bind(host, port)
    except OSError as error:
        sys.exit(
            _(
                "%(host)s:%(port)s ist nicht frei (%(reason)s). Läuft das Programm schon? "
                "Sonst einen anderen Port nehmen: %(command)s"
            )
            % {
                "host": host,
                "port": port,
                "reason": error.strerror,
                "command": starting_command("demo" if practice else "run", port=next_free_port(host, asked)),
            }
        )


def bind(host: str, port: int) -> None:
    """Take a port and give it back. Raises OSError if it is not free."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        system.reuse_port(probe)
        probe.bind((host, port))


def next_free_port(host: str, port: int) -> int:
    for other in range(port + 1, min(port + 100, 65536)):
        with contextlib.suppress(OSError):
            bind(host, other)
            return other
    return port + 1


@contextlib.contextmanager
def one_start_at_a_time() -> Iterator[None]:
    """Wait for other processes that start on this database, and let none start meanwhile.

    The lock ends with its transaction. So it is held behind a transaction pooler too, and never outlives the process.
    """
    try:  # bypasses the pool, which would wait without an error
        lock = psycopg.connect(**connection.get_connection_params())
    except (database.DatabaseUnavailable, psycopg.OperationalError) as error:
        sys.exit(_("Die Datenbank ist nicht erreichbar: %(reason)s") % {"reason": error})
    with lock:
        lock.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        lock.execute("SELECT pg_advisory_xact_lock(%s)", [_START_LOCK])
        yield


def collect_static_files() -> None:
    """Hash and compress the static files, or copy those of the wheel, unless they are unchanged since the last run.

    Those of older versions stay: a page that is open during an update finds its scripts.
    """
    note = Path(settings.STATIC_ROOT) / "collected_from"
    fingerprint = fingerprint_of_static_files()
    if not note.exists() or note.read_text(encoding="utf-8") != fingerprint:
        if IS_INSTALLED:
            copy_files(settings.COLLECTED_STATIC, Path(settings.STATIC_ROOT))
        else:
            call_command("collectstatic", verbosity=0, interactive=False)
        note.write_text(fingerprint, encoding="utf-8")


def copy_files(source: Path, target: Path) -> None:
    """Copy the contents of all files of a folder, without their modes: those of an installed program may be read-only."""
    for file in source.rglob("*"):
        if file.is_file():
            copied = target / file.relative_to(source)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copied)


def fingerprint_of_static_files() -> str:
    listed = hashlib.sha256()
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            state = Path(storage.path(name)).stat()
            listed.update(f"{name} {state.st_size} {state.st_mtime_ns}\n".encode())
    return listed.hexdigest()


def staff_certificate() -> OwnCertificate | None:
    """Return the certificate of the https address for the staff; None without such an address."""
    if settings.STAFF_URL is None:
        return None
    host = urlsplit(settings.STAFF_URL).hostname or ""
    return own_certificate(settings.DATA_DIR, host=host, at=timezone.now())


def own_url(host: str, port: int) -> str:
    """Return the address for the browser on this computer: if possible one that leaves it neither by cable nor by radio."""
    if host not in EVERYWHERE or settings.PUBLIC_URL.startswith("https://"):
        return settings.PUBLIC_URL
    return f"http://127.0.0.1:{port}"


def greet(staff: OwnCertificate | None, code: str | None) -> None:
    url = settings.PUBLIC_URL
    print("\n  " + _("Schnauz-Turnier läuft: %(url)s") % {"url": f"{url}/"})
    if code:
        print("  " + _("Noch gibt es kein Konto. Mit diesem Link wird das erste angelegt, er gilt einmal:"))
        print(f"  {url}/account/setup/#{code}")
    if url.startswith("http://") and not is_loopback(urlsplit(url).hostname or ""):
        print("  " + _("Für Handys im selben Netz:"))
        segno.make(url, micro=False).terminal(border=2, compact=True)
    if staff is not None:
        print(
            "  "
            + _("Für die Geräte der Spielleitung und der Kasse, verschlüsselt: %(url)s")
            % {"url": f"{settings.STAFF_URL}/"}
        )
        print(
            "  "
            + _(
                "Der Browser warnt einmal. Fortfahren, wenn das Zertifikat diesen Fingerabdruck hat (SHA-256):"
            )
        )
        print(f"  {staff.fingerprint}")
    print("  " + _("Beenden mit Strg+C."), flush=True)
