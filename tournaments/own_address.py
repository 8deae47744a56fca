"""Address of the program for its users: PUBLIC_URL, or the new address of this machine if it changes during an evening.

Settings do not change while a program runs, so what has changed since is here. The project finds it out
(schnauz_turnier/start/address_watch.py), and only where nobody has set PUBLIC_URL.
"""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Move:
    """A change of the address. url: the new one. former: earlier ones, which are no longer valid. at: the moment of the change."""

    url: str
    former: tuple[str, ...]
    at: datetime


_latest: Move | None = None


def latest_move() -> Move | None:
    """Return the change of the address in this evening, None without one."""
    return _latest


def set_latest_move(move: Move | None) -> None:
    global _latest
    _latest = move


def public_url() -> str:
    """Return scheme, host and port, without a trailing slash."""
    return _latest.url if _latest else settings.PUBLIC_URL


def staff_url() -> str | None:
    """Return the https address beside a `public_url` of plain http, None without one."""
    if settings.STAFF_URL is None or _latest is None:
        return settings.STAFF_URL
    host, port = urlsplit(_latest.url).hostname or "", urlsplit(settings.STAFF_URL).port
    host = f"[{host}]" if ":" in host else host
    return f"https://{host}:{port}" if port else f"https://{host}"
