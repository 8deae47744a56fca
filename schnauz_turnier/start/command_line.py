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
from schnauz_turnier.environment import FOUND, env, env_path, env_port
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
"""Management commands by the name of our command."""


def main(prog: str = NAME) -> None:
    start_and_end_sooner()
    show_what_can_be_shown()
    parser = _parser(prog)
    unset = dict.fromkeys(("data_dir", "host", "port", "backup_dir", "no_browser"))
    arguments, rest = parser.parse_known_args(namespace=argparse.Namespace(**unset))
    if arguments.data_dir:
        os.environ["DATA_DIR"] = arguments.data_dir
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "schnauz_turnier.settings")
    from schnauz_turnier.start.command_errors import ends_with_a_sentence  # noqa: PLC0415 (--version and --help need no packages)

    with ends_with_a_sentence():
        _execute(parser, prog, arguments, rest)


def _execute(
    parser: argparse.ArgumentParser, prog: str, arguments: argparse.Namespace, rest: list[str]
) -> None:
    if arguments.command in MANAGEMENT:
        django.setup()
        command = ManagementUtility([prog]).fetch_command(MANAGEMENT[arguments.command])
        command.run_from_argv([prog, arguments.command, *rest])
    elif arguments.command == "doctor" and not rest:  # not by Django, which may refuse the settings
        from schnauz_turnier.doctor.report import main as doctor  # noqa: PLC0415 (it reads DATA_DIR)

        sys.exit(doctor())
    elif arguments.command == "verify" and not rest:
        django.setup()
        from schnauz_turnier.start.record_check import open_record_check  # noqa: PLC0415 (the settings had to be ready)

        open_record_check(arguments.file)
    elif arguments.command == "manage":
        django.setup()
        ManagementUtility([f"{prog} manage", *rest]).execute()
    elif rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    else:
        _run(arguments)


def _parser(prog: str) -> argparse.ArgumentParser:
    _ = _words()
    # Defaults are suppressed: a command would otherwise replace what stands before its name.
    folder = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    words = _("Ordner für Datenbank, Schlüssel und Protokoll; sonst: %(folder)s") % {"folder": own_data_dir()}
    folder.add_argument("--data-dir", metavar=_("ORDNER"), help=words.replace("%", "%%"))
    server = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS, parents=[folder])
    words = _("Adresse, unter der das Programm antwortet; 0.0.0.0: allen im Netz")
    server.add_argument("--host", help=words)
    server.add_argument("--port", help=_("Port, sonst 8000"))
    words = _("Ordner für Sicherungen, auf einem Stick")
    server.add_argument("--backup-dir", metavar=_("ORDNER"), help=words)
    server.add_argument("--no-browser", action="store_true", help=_("keinen Browser öffnen"))
    parser = argparse.ArgumentParser(
        prog=prog,
        description=_("Führt durch den Turnierabend. Ohne Befehl: das Programm starten."),
        epilog=_("Was ein Befehl nimmt, sagt er mit --help. Alles Weitere steht in docs/operations.md."),
        parents=[server],
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"Schnauz-Turnier {__version__}")
    parser.add_argument("--practice", action="store_true", help=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", metavar=_("BEFEHL"))
    described = {
        "run": (_("startet das Programm"), server),
        "demo": (_("startet es mit einem Übungsturnier, in einem Ordner für sich"), server),
        "doctor": (_("sagt, was nicht stimmt und was zu tun ist"), folder),
        "verify": (_("rechnet die öffentliche Akte eines Turniers im Browser nach"), folder),
    }
    for name, (words, options) in described.items():
        commands.add_parser(name, help=words, description=words, parents=[options], allow_abbrev=False)
    words = _("die gespeicherte Akte, record.json")
    commands.choices["verify"].add_argument("file", metavar=_("DATEI"), help=words)
    managing = {
        "backup": _("macht jetzt eine Sicherung"),
        "restore": _("füllt ein neues, leeres Programm aus einer Sicherung"),
        "export": _("schreibt ein Turnier als ein Dokument"),
        "import": _("liest das Dokument eines Turniers ein"),
        "manage": _("führt einen der übrigen Befehle aus; ohne Namen: zeigt sie"),
    }
    for name, words in managing.items():  # the management command parses the rest, also --help
        commands.add_parser(name, help=words, parents=[folder], add_help=False, allow_abbrev=False)
    return parser


def _words() -> Callable[[str], str]:
    """Return the translation into the language of the program. Django is not set up yet."""
    language = os.environ.get("DEFAULT_LANGUAGE") or "de"
    return gettext.translation("django", RESOURCES / "locale", [language], fallback=True).gettext


def _run(arguments: argparse.Namespace) -> None:
    if arguments.command == "demo":
        os.environ["DATA_DIR"] = str(_data_dir_of_demo())
    for name, value in (("PORT", arguments.port), ("BACKUP_DIR", arguments.backup_dir)):
        if value:
            os.environ[name] = value
    host = os.environ["HOST"] = arguments.host or env("HOST") or _usual_host()
    port = env_port()
    if port is None:
        sys.exit(f"PORT={env('PORT')!r} is no port. Set it to a number from 1 to 65535, e.g. PORT=8001")
    FOUND["PUBLIC_URL"] = url_of((lan_address() or "127.0.0.1") if host in EVERYWHERE else host, port)
    django.setup()

    from schnauz_turnier.start.launch import launch  # noqa: PLC0415 (the settings had to be ready)

    practice = arguments.practice or arguments.command == "demo"
    launch(host, port, practice=practice, browser=not arguments.no_browser)


def _usual_host() -> str:
    """Return the default host: all addresses in a private network, but on the internet only this computer."""
    return "0.0.0.0" if is_local(lan_address() or "127.0.0.1") else "127.0.0.1"


def _data_dir_of_demo() -> Path:
    """Return the folder of the demo, beside that of the real data."""
    real = env_path("DATA_DIR") or own_data_dir()
    return real.with_name(f"{real.name}-demo")
