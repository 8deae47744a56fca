"""Starts everything: `python -m schnauz_turnier`, which is `make run`. With --practice: `make demo`.

Only what must happen before Django reads the settings is done here; the rest is in launch.py.
"""

import argparse
import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured

from schnauz_turnier.network import lan_address

EVERYWHERE = ("0.0.0.0", "::")


def port_from_environment() -> int:
    text = os.environ.get("PORT") or "8000"
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        sys.exit(f"PORT={text!r} is no port. Set it to a number from 1 to 65535, e.g. PORT=8001")
    return int(text)


def url_for(host: str, port: int) -> str:
    host = (lan_address() or "127.0.0.1") if host in EVERYWHERE else host
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}" if port == 80 else f"http://{host}:{port}"


parser = argparse.ArgumentParser(prog="python -m schnauz_turnier", description=__doc__)
parser.add_argument("--practice", action="store_true", help="with a practice tournament in play")
arguments = parser.parse_args()

host, port = os.environ.get("HOST") or "127.0.0.1", port_from_environment()
if not os.environ.get("PUBLIC_URL"):
    os.environ["PUBLIC_URL"] = url_for(host, port)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "schnauz_turnier.settings")
try:
    django.setup()
except ImproperlyConfigured as refusal:
    sys.exit(str(refusal))

from schnauz_turnier.launch import launch  # noqa: E402 (the settings had to be ready)

launch(host, port, practice=arguments.practice)
