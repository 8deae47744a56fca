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
from django.core.exceptions import ImproperlyConfigured
from django.core.management import ManagementUtility

from schnauz_turnier import __version__
from schnauz_turnier.collector import collect_rarely
from schnauz_turnier.console import show_what_can_be_shown
from schnauz_turnier.network import EVERYWHERE, lan_address
from schnauz_turnier.place import IS_INSTALLED, NAME, RESOURCES, own_data_dir

MANAGEMENT = {
    "backup": "backup",
    "restore": "restore",
    "export": "export_tournament",
    "import": "import_tournament",
    "verify": "verify_record",
}
"""The management command that a command of ours stands for."""


def main(prog: str = NAME) -> None:
    collect_rarely()
    show_what_can_be_shown()
    parser = _parser(prog)
    given, rest = parser.parse_known_args()
    if given.data_dir:
        os.environ["DATA_DIR"] = given.data_dir
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "schnauz_turnier.settings")
    if given.command in MANAGEMENT:
        _set_up()
        command = ManagementUtility([prog]).fetch_command(MANAGEMENT[given.command])
        command.run_from_argv([prog, given.command, *rest])
    elif given.command == "doctor" and not rest:  # not by Django, which may refuse the settings
        from schnauz_turnier.doctor.report import main as doctor  # noqa: PLC0415 (it reads DATA_DIR)

        sys.exit(doctor())
    elif given.command == "manage":
        _set_up()
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
    managing = {
        "backup": _("macht jetzt eine Sicherung"),
        "restore": _("füllt ein neues, leeres Programm aus einer Sicherung"),
        "export": _("schreibt ein Turnier als ein Dokument"),
        "import": _("liest das Dokument eines Turniers ein"),
        "verify": _("rechnet die öffentliche Akte eines Turniers nach"),
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
    host = given.host or os.environ.get("HOST") or ("0.0.0.0" if IS_INSTALLED else "127.0.0.1")
    port = port_from_environment()
    if not os.environ.get("PUBLIC_URL"):
        os.environ["PUBLIC_URL"] = url_for(host, port)
    _set_up()

    from schnauz_turnier.launch import launch  # noqa: PLC0415 (the settings had to be ready)

    practice = given.practice or given.command == "demo"
    launch(host, port, practice=practice, browser=IS_INSTALLED and not given.no_browser)


def _data_dir_of_demo() -> Path:
    """Return the folder of the demo, beside that of the real data."""
    real = Path(os.environ.get("DATA_DIR") or own_data_dir()).expanduser().absolute()
    return real.with_name(f"{real.name}-demo")


def port_from_environment() -> int:
    text = os.environ.get("PORT") or "8000"
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        sys.exit(f"PORT={text!r} is no port. Set it to a number from 1 to 65535, e.g. PORT=8001")
    return int(text)


def url_for(host: str, port: int) -> str:
    host = (lan_address() or "127.0.0.1") if host in EVERYWHERE else host
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}" if port == 80 else f"http://{host}:{port}"


def _set_up() -> None:
    try:
        django.setup()
    except ImproperlyConfigured as refusal:
        sys.exit(str(refusal))
