"""Places of the program and of its files: a checkout, or a wheel that is installed. Needs no settings.

A wheel has the templates, the catalogues and the static files inside this package, and the latter collected already
(schnauz_turnier/packaging/wheel.py). Nothing is written beside an installed program, as its folder may be read-only.
"""

from pathlib import Path

import platformdirs

NAME = "schnauz-turnier"

_PACKAGE = Path(__file__).resolve().parent
_IN_THE_WHEEL = _PACKAGE / "installed"

IS_INSTALLED = _IN_THE_WHEEL.is_dir()
RESOURCES = _IN_THE_WHEEL if IS_INSTALLED else _PACKAGE.parent
"""The folder with templates/, locale/, static/ and the collected .static/."""


def own_data_dir() -> Path:
    """Return the folder of the program's data where DATA_DIR does not name one."""
    if IS_INSTALLED:
        return platformdirs.user_data_path(NAME, appauthor=False)
    return RESOURCES / "data"


def starting_command(command: str = "run", *, host: str = "", port: int | None = None) -> str:
    """Return what a user types to start the program in another way."""
    if IS_INSTALLED:
        options = [f"--host {host}" if host else "", f"--port {port}" if port else ""]
        return " ".join(filter(None, [NAME, command, *options]))
    variables = [f"PORT={port}" if port else "", f"HOST={host}" if host else ""]
    return " ".join(filter(None, [*variables, "make", command]))
