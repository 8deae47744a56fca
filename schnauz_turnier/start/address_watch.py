"""Watch over the addresses of this machine, since a laptop may get another one in the middle of an evening.

Every process of a server that answers at all addresses looks every few seconds. ALLOWED_HOSTS then holds those that the
machine has now. PUBLIC_URL, where the program found it itself, is replaced once it leads here no more and there is another
address. As long as it leads here it stays, as codes have been printed with it: also beside a cable or a VPN that came later.

The latest change is in DATA_DIR, for processes and commands that start later.
"""

import asyncio
import json
import logging
import os
import socket
import tempfile
from collections.abc import Callable, Iterator, Set
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from django.utils import timezone

from schnauz_turnier.background.companion import Companion
from schnauz_turnier.start.network import (
    OwnHosts,
    is_address,
    is_local,
    is_loopback,
    lan_address,
    leads_here_only,
    own_hosts,
    url_of,
)
from schnauz_turnier.systems import system
from tournaments.own_address import Move, public_url, set_latest_move

EVERY = 2.0  # seconds between two looks
EVENING = timedelta(hours=12)
"""For as long a change concerns codes that may lie on the tables. Either way, as the clock may have been set since."""
URL_FILE, MOVE_FILE = "public_url", "address_change.json"

logger = logging.getLogger(__name__)

on_move: list[Callable[[Move], None]] = []
"""Functions that are called in the event loop after a change of the address."""


class AddressWatch(Companion):
    """A companion of the server. follows: whether `public_url` follows the address of this machine."""

    def __init__(self, folder: Path, hosts: OwnHosts, *, follows: bool) -> None:
        super().__init__("addresses")
        self._folder = folder
        self._hosts = hosts
        self._follows = follows

    def start(self) -> None:
        if self._follows:
            set_latest_move(stored_move(self._folder, public_url(), at=timezone.now()))
        self._read()  # before the first request
        super().start()

    async def run(self) -> None:
        while True:
            try:
                move = await self.in_thread(self._look)
            except Exception:
                logger.exception("The addresses of this machine could not be read; trying again.")
            else:
                if move is not None:
                    _tell(move)
            await asyncio.sleep(EVERY)

    def _read(self) -> set[str]:
        here = {address for _interface, address in interfaces()}
        self._hosts.current = own_hosts(here, socket.gethostname())
        return here

    def _look(self) -> Move | None:
        """Read the addresses, and return the change of `public_url` that follows from them."""
        here = self._read()
        before = public_url()
        after = next_url(before, here, lan_address()) if self._follows else before
        if after == before:
            return None
        move = moved(self._folder, before, after, at=timezone.now())
        set_latest_move(move)
        logger.warning("The address of this machine has changed: %s is now %s", before, after)
        return move


def interfaces() -> Iterator[tuple[str, str]]:
    """Yield the name of each interface that is up, with each of its IP addresses, without zones."""
    states = psutil.net_if_stats()
    for name, found in psutil.net_if_addrs().items():
        for address in found:
            if name in states and states[name].isup and address.family in (socket.AF_INET, socket.AF_INET6):
                yield name, address.address.partition("%")[0]


def _tell(move: Move) -> None:
    for tell in on_move:
        try:
            tell(move)
        except Exception:
            logger.exception("A change of the address could not be shown everywhere.")


def next_url(url: str, here: Set[str], lan: str | None) -> str:
    """Return the URL at the LAN address of this machine, or the same one while it leads here or there is no other.

    here: the addresses of this machine. An address of the internet is none for plain http.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if lan is None or not is_local(lan) or (host in here and not is_loopback(host)):
        return url
    return url_of(lan, parts.port or 80)


# --- the folder ----------------------------------------------------------------------------------------------------


def begin(folder: Path, url: str, *, at: datetime) -> None:
    """Store the address of a program that starts. Where it had another one this evening, that is a change as well."""
    file = folder / URL_FILE
    before = _text_of(file)
    with suppress(OSError):
        since = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        if before != url and is_address(urlsplit(before).hostname or "") and abs(at - since) < EVENING:
            moved(folder, before, url, at=at)
            return
    store(file, url)


def moved(folder: Path, before: str, after: str, *, at: datetime) -> Move:
    """Store a change of the address, and return it: the one that another process has stored, if it was first.

    An address that is another program's, which uses the same folder, is left alone.
    """
    file = folder / URL_FILE
    move = stored_move(folder, after, at=at)
    if move is None:
        earlier = stored_move(folder, before, at=at)
        former = dict.fromkeys((*(earlier.former if earlier else ()), before))
        move = Move(after, tuple(url for url in former if url != after and not leads_here_only(url)), at)
    with suppress(OSError):
        if _text_of(file) == before:
            store(folder / MOVE_FILE, json.dumps([move.url, move.former, move.at.isoformat()]))
            store(file, after)
    return move


def stored_move(folder: Path, url: str, *, at: datetime) -> Move | None:
    """Return the stored change that led to this address, None without one in this evening."""
    with suppress(OSError, ValueError, TypeError):
        after, former, moment = json.loads((folder / MOVE_FILE).read_text(encoding="utf-8"))
        move = Move(after, tuple(map(str, former)), datetime.fromisoformat(moment))
        if move.url == url and abs(at - move.at) < EVENING:
            return move
    return None


def _text_of(file: Path) -> str:
    with suppress(OSError):
        return file.read_text(encoding="utf-8").strip()
    return ""


def store(file: Path, text: str) -> None:
    """Replace a file as a whole."""
    descriptor, draft = tempfile.mkstemp(dir=file.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            out.write(text)
        system.patiently(lambda: Path(draft).replace(file))
    finally:
        Path(draft).unlink(missing_ok=True)
