"""Start of the whole program: database, migrations, static files, the first organiser's link, web server."""

import contextlib
import hashlib
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from schnauz_turnier.background.keep_awake import can_be_kept_awake
from schnauz_turnier.files import replace_file
from schnauz_turnier.place import IS_INSTALLED, starting_command
from schnauz_turnier.serve import serve
from schnauz_turnier.settings import kept
from schnauz_turnier.start import address_watch
from schnauz_turnier.start.certificate import OwnCertificate, own_certificate
from schnauz_turnier.start.network import EVERYWHERE, https_port, leads_here_only
from schnauz_turnier.start.own_browser import is_answered, open_now, open_when_it_answers
from schnauz_turnier.systems import system
from schnauz_turnier.web import static_files
from tournaments import old_browsers
from tournaments.commands import one_start_at_a_time
from tournaments.file_locks import try_to_lock
from tournaments.models import Tournament
from tournaments.own_address import Move, public_url, staff_url
from tournaments.services import accounts as people

EMBEDDED = "schnauz_turnier.postgresql.embedded"
STARTING = 10.0  # seconds for another program that has just been started to answer
GLANCE = 0.1


def launch(host: str, port: int, *, practice: bool, browser: bool) -> None:
    with only_program(browser=browser) as is_only:
        refuse_taken_port(host, port, port, practice=practice)
        if settings.STAFF_URL:
            refuse_taken_port(host, https_port(port), port, practice=practice)
        if is_only:
            with contextlib.suppress(OSError):  # a full disk
                announce()
        with one_start_at_a_time():
            call_command("migrate", verbosity=0, interactive=False)
            collect_static_files()
            if practice and not Tournament.objects.exists():
                call_command("practice_tournament", evenings=True)
        code, staff = people.setup_code(), staff_certificate()
        greet(host, port, staff, code)
        connection.close()
        address_watch.on_move.append(greet_anew)
        if browser:
            open_when_it_answers(f"{own_url(host, port)}/{f'account/setup/#{code}' if code else ''}")
        with contextlib.suppress(KeyboardInterrupt):
            serve(host, port, staff=staff)


@contextlib.contextmanager
def only_program(*, browser: bool) -> Iterator[bool]:
    """Lock the data folder, and yield whether this is its only program.

    With the embedded database a second program ends: it would redirect all links of the first one to itself, and stop with it.
    Programs with another database may share a folder; the address in it is that of the first.
    """
    with contextlib.ExitStack() as stack:
        is_only = False
        with contextlib.suppress(OSError):  # a folder that cannot be written to
            settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
            is_only = try_to_lock(stack.enter_context((settings.DATA_DIR / "program.lock").open("ab")))
            if not is_only and settings.DATABASES["default"]["ENGINE"] == EMBEDDED:
                refuse_second_program(browser=browser)
        yield is_only


def refuse_second_program(*, browser: bool) -> NoReturn:
    """Exit with the address of the program that uses the data folder, and open it: a second start asks for its page."""
    deadline = time.monotonic() + STARTING
    while not ((running := kept(address_watch.URL_FILE)) and is_answered(running)):
        if time.monotonic() > deadline:
            break
        time.sleep(GLANCE)
    if browser and running:
        here = f"http://127.0.0.1:{urlsplit(running).port or 80}"  # where the browser is logged in already
        open_now(here if is_answered(here) else running)
    sys.exit(
        _(
            "Mit dem Datenordner %(folder)s läuft das Programm schon: %(url)s "
            "Für ein zweites einen anderen Ordner nennen (DATA_DIR)."
        )
        % {"url": f"{running}/", "folder": settings.DATA_DIR}
    )


def announce() -> None:
    """Store the address for management commands that run beside the server."""
    if settings.FOLLOWS_ADDRESS:
        address_watch.begin(settings.DATA_DIR, settings.PUBLIC_URL, at=timezone.now())
    else:
        replace_file(settings.DATA_DIR / address_watch.URL_FILE, settings.PUBLIC_URL.encode())


def refuse_taken_port(host: str, port: int, asked: int, *, practice: bool) -> None:
    """Exit if a port is taken, and suggest another one. asked: the port of the program; `port` may be that of https."""
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
    """Bind a port and release it. Raises OSError if it is not free."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        system.reuse_port(probe)
        probe.bind((host, port))


def next_free_port(host: str, port: int) -> int:
    for other in range(port + 1, min(port + 100, 65536)):
        with contextlib.suppress(OSError):
            bind(host, other)
            return other
    return port + 1


def collect_static_files() -> None:
    """Hash and compress the static files, or copy those of the wheel, unless they are unchanged since the last run.

    Files of older versions stay, since pages that are open during an update need their scripts.
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
    """Copy all files of a folder without their modes, since an installed program may be read-only."""
    for file in source.rglob("*"):
        if file.is_file():
            copied = target / file.relative_to(source)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copied)


def fingerprint_of_static_files() -> str:
    listed = hashlib.sha256()
    for module in (old_browsers, static_files):  # they decide what is stored
        listed.update(Path(str(module.__file__)).read_bytes())
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            state = Path(storage.path(name)).stat()
            listed.update(f"{name} {state.st_size} {state.st_mtime_ns}\n".encode())
    return listed.hexdigest()


def staff_certificate() -> OwnCertificate | None:
    """Return the certificate of the https address for the staff; None without such an address."""
    url = staff_url()
    if url is None:
        return None
    host = urlsplit(url).hostname or ""
    return own_certificate(settings.DATA_DIR, host=host, at=timezone.now())


def own_url(host: str, port: int) -> str:
    """Return the address for the browser on this computer, if possible a loopback address."""
    if host not in EVERYWHERE or settings.PUBLIC_URL.startswith("https://"):
        return settings.PUBLIC_URL
    return f"http://127.0.0.1:{port}"


def say(line: str) -> None:
    print(f"  {line}", flush=True)


def greet(host: str, port: int, staff: OwnCertificate | None, code: str | None) -> None:
    url = settings.PUBLIC_URL
    print()
    say(_("Schnauz-Turnier läuft: %(url)s") % {"url": f"{url}/"})
    if own_url(host, port) != url:
        say(_("Auf diesem Computer: %(url)s") % {"url": f"{own_url(host, port)}/"})
    if code:
        say(_("Noch gibt es kein Konto. Mit diesem Link wird das erste angelegt, er gilt einmal:"))
        say(f"{url}/account/setup/#{code}")
    show_addresses(staff)
    if not settings.HTTPS and not can_be_kept_awake():
        say(_("Das Programm kann den Laptop nicht wach halten. Schläft er ein, erreicht ihn kein Handy."))
    say(_("Beenden mit Strg+C."))


def greet_anew(move: Move) -> None:
    """Print the new address of this machine after a change."""
    print()
    say(_("Dieser Computer hat eine neue Adresse: %(url)s") % {"url": f"{move.url}/"})
    if move.former:
        former = ", ".join(f"{url}/" for url in move.former)
        say(_("Codes und Links mit der alten führen nirgendwohin: %(urls)s") % {"urls": former})
    show_addresses(staff_certificate())
    print(flush=True)


def show_addresses(staff: OwnCertificate | None) -> None:
    """Print the code for the phones, and the https address for the staff."""
    url = public_url()
    if url.startswith("http://") and not leads_here_only(url):
        say(_("Für Handys im selben Netz:"))
        segno.make(url, micro=False).terminal(border=2, compact=True)
    if staff is not None:
        url = f"{staff_url()}/"
        say(_("Für die Geräte der Spielleitung und der Kasse, verschlüsselt: %(url)s") % {"url": url})
        say(
            _("Der Browser warnt einmal. Fortfahren, wenn das Zertifikat diesen Fingerabdruck hat (SHA-256):")
        )
        say(staff.fingerprint)
