"""The browser of this computer, opened at the start of the program."""

import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Mapping
from urllib.parse import urlsplit

PATIENCE = 60.0  # seconds until the program answers
GLANCE = 0.2  # seconds between two attempts


def can_open(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a browser can be shown: not in CI, on a remote machine, or on Linux without a desktop."""
    if environment.get("CI") or environment.get("SSH_CONNECTION"):
        return False
    return platform in ("win32", "darwin") or bool(
        environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    )


def open_when_it_answers(url: str) -> None:
    """Open a page of this program as soon as it accepts connections. Return at once."""
    if can_open(os.environ):
        threading.Thread(target=_open, args=(url,), name="own browser", daemon=True).start()


def open_now(url: str) -> None:
    """Open a page of a running program."""
    if can_open(os.environ):
        webbrowser.open(url)


def is_answered(url: str) -> bool:
    """Whether a server accepts connections at this address."""
    address = urlsplit(url)
    try:
        socket.create_connection((address.hostname or "", address.port or 80), timeout=GLANCE).close()
    except OSError:
        return False
    return True


def _open(url: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if is_answered(url):
            webbrowser.open(url)
            return
        time.sleep(GLANCE)
