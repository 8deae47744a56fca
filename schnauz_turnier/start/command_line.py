"""The command line: `schnauz-turnier`, or `python -m schnauz_turnier`, which is `make run`. With --practice: `make demo`.

Only what must happen before Django reads the settings is done here; the rest is in launch.py and the management commands.
"""

import argparse
import gettext
import os
import sys
from collections.abc import Callable
from pathlib import Path

import django
from django.core.management import ManagementUtility

from schnauz_turnier import __version__
from schnauz_turnier.environment import FOUND, env
from schnauz_turnier.place import NAME, RESOURCES, own_data_dir
from schnauz_turnier.start.collector import start_and_end_sooner
from schnauz_turnier.start.console import show_what_can_be_shown
from schnauz_turnier.start.network import EVERYWHERE, is_local, lan_address, url_of

MANAGEMENT = {
    "backup": "backup",
    "restore": "restore",
    "export": "export_tournament",
    "import": "import_tournament",
}
"""The management command that a command of ours stands for."""


def main(prog: str = NAME) -> None:
    start_and_end_sooner()
    show_what_can_be_shown()
    parser = _parser(prog)
    given, rest = parser.parse_known_args()
    if given.data_dir:
        os.environ["DATA_DIR"] = given.data_dir
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "schnauz_turnier.settings")
    from schnauz_turnier.start.command_errors import ends_with_a_sentence  # noqa: PLC0415 (--version and --help need no packages)

    with ends_with_a_sentence():
        _execute(parser, prog, given, rest)


def _execute(parser: argparse.ArgumentParser, prog: str, given: argparse.Namespace, rest: list[str]) -> None:
    if given.command in MANAGEMENT:
        django.setup()
        command = ManagementUtility([prog]).fetch_command(MANAGEMENT[given.command])
        command.run_from_argv([prog, given.command, *rest])
    elif given.command == "doctor" and not rest:  # not by Django, which may refuse the settings
        from schnauz_turnier.doctor.report import main as doctor  # noqa: PLC0415 (it reads DATA_DIR)

        sys.exit(doctor())
    elif given.command == "verify" and not rest:
        django.setup()
        from schnauz_turnier.start.record_check import open_record_check  # noqa: PLC0415 (the settings had to be ready)

        open_record_check(given.file)
    elif given.command == "manage":
        django.setup()
        ManagementUtility([f"{prog} manage", *rest]).execute()
    elif rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    else:
        _run(given)


def _parser(prog: str) -> argparse.ArgumentParser:
    _ = _words()
    parser = argparse.ArgumentParser(
        prog=prog,
        description=_("Führt durch den Turnierabend. Ohne Befehl: das Programm starten."),
        epilog=_("Was ein Befehl nimmt, sagt er mit --help. Alles Weitere steht in docs/operations.md."),
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"Schnauz-Turnier {__version__}")
    parser.add_argument("--practice", action="store_true", help=argparse.SUPPRESS)
    _add_data_dir(parser, None)
    _add_options_of_run(parser, None)
    commands = parser.add_subparsers(dest="command", metavar=_("BEFEHL"))
    starting = {
        "run": _("startet das Programm"),
        "demo": _("startet es mit einem Übungsturnier, in einem Ordner für sich"),
    }
    for name, words in starting.items():
        command = commands.add_parser(name, help=words, description=words, allow_abbrev=False)
        _add_data_dir(command, argparse.SUPPRESS)
        _add_options_of_run(command, argparse.SUPPRESS)
    words = _("sagt, was nicht stimmt und was zu tun ist")
    doctor = commands.add_parser("doctor", help=words, description=words, allow_abbrev=False)
    _add_data_dir(doctor, argparse.SUPPRESS)
    words = _("rechnet die öffentliche Akte eines Turniers im Browser nach")
    verify = commands.add_parser("verify", help=words, description=words, allow_abbrev=False)
    verify.add_argument("file", metavar=_("DATEI"), help=_("die gespeicherte Akte, record.json"))
    _add_data_dir(verify, argparse.SUPPRESS)
    managing = {
        "backup": _("macht jetzt eine Sicherung"),
        "restore": _("füllt ein neues, leeres Programm aus einer Sicherung"),
        "export": _("schreibt ein Turnier als ein Dokument"),
        "import": _("liest das Dokument eines Turniers ein"),
        "manage": _("führt einen der übrigen Befehle aus; ohne Namen: zeigt sie"),
    }
    for name, words in managing.items():  # what follows is read by the management command, --help as well
        _add_data_dir(
            commands.add_parser(name, help=words, add_help=False, allow_abbrev=False), argparse.SUPPRESS
        )
    return parser


def _add_data_dir(parser: argparse.ArgumentParser, default: str | None) -> None:
    _ = _words()
    words = _("Ordner für Datenbank, Schlüssel und Protokoll; sonst: %(folder)s") % {"folder": own_data_dir()}
    parser.add_argument("--data-dir", metavar=_("ORDNER"), default=default, help=words.replace("%", "%%"))


def _add_options_of_run(parser: argparse.ArgumentParser, default: str | None) -> None:
    _ = _words()
    parser.add_argument(
        "--host", default=default, help=_("Adresse, unter der das Programm antwortet; 0.0.0.0: allen im Netz")
    )
    parser.add_argument("--port", default=default, help=_("Port, sonst 8000"))
    parser.add_argument(
        "--backup-dir",
        metavar=_("ORDNER"),
        default=default,
        help=_("Ordner für Sicherungen, auf einem Stick"),
    )
    parser.add_argument("--no-browser", action="store_true", default=default, help=_("keinen Browser öffnen"))


def _words() -> Callable[[str], str]:
    """Return the translation into the language of the program, which Django does not know yet."""
    language = os.environ.get("DEFAULT_LANGUAGE") or "de"
    return gettext.translation("django", RESOURCES / "locale", [language], fallback=True).gettext


def _run(given: argparse.Namespace) -> None:
    if given.command == "demo":
        os.environ["DATA_DIR"] = str(_data_dir_of_demo())
    for name, value in (("PORT", given.port), ("BACKUP_DIR", given.backup_dir)):
        if value:
            os.environ[name] = value
    host = os.environ["HOST"] = given.host or env("HOST") or _usual_host()
    port = port_from_environment()
    FOUND["PUBLIC_URL"] = url_of((lan_address() or "127.0.0.1") if host in EVERYWHERE else host, port)
    django.setup()

    from schnauz_turnier.start.launch import launch  # noqa: PLC0415 (the settings had to be ready)

    practice = given.practice or given.command == "demo"
    launch(host, port, practice=practice, browser=not given.no_browser)


def _usual_host() -> str:
    """Return the host where nobody names one: all addresses of this machine, but on the internet this computer alone."""
    return "0.0.0.0" if is_local(lan_address() or "127.0.0.1") else "127.0.0.1"


def _data_dir_of_demo() -> Path:
    """Return the folder of the demo, beside that of the real data."""
    real = Path(os.environ.get("DATA_DIR") or own_data_dir()).expanduser().absolute()
    return real.with_name(f"{real.name}-demo")


def port_from_environment() -> int:
    text = os.environ.get("PORT") or "8000"
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        sys.exit(f"PORT={text!r} is no port. Set it to a number from 1 to 65535, e.g. PORT=8001")
    return int(text)
