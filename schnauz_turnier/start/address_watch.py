"""Watch over the addresses of this machine, since a laptop may get another one in the middle of an evening.

Every process of a server that answers at all addresses reads them every few seconds and puts them into ALLOWED_HOSTS. If the
program chose PUBLIC_URL itself, it replaces it once the address no longer leads here and there is another one. An
address that still leads here stays, even if a cable or a VPN is added, since codes have been printed with it.

The latest change is stored in DATA_DIR, for processes and commands that start later.
"""

import asyncio
import json
import logging
import socket
from collections.abc import Callable, Iterator, Set
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from django.utils import timezone

from schnauz_turnier.background.companion import Companion
from schnauz_turnier.files import replace_file
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
from tournaments.own_address import Move, public_url, set_latest_move

EVERY = 2.0  # seconds between two reads
EVENING = timedelta(hours=12)
"""Time after a change in which codes with the old address may lie on the tables. The clock may have been set either way."""
URL_FILE, MOVE_FILE = "public_url", "address_change.json"

logger = logging.getLogger(__name__)

on_move: list[Callable[[Move], None]] = []
"""Functions to be called in the event loop after a change of the address."""


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
    """Yield interface and address for each IP address of the interfaces that are up, without zones."""
    states = psutil.net_if_stats()
    for name, addresses in psutil.net_if_addrs().items():
        for address in addresses:
            if name in states and states[name].isup and address.family in (socket.AF_INET, socket.AF_INET6):
                yield name, address.address.partition("%")[0]


def _tell(move: Move) -> None:
    for tell in on_move:
        try:
            tell(move)
        except Exception:
            logger.exception("A change of the address could not be shown everywhere.")


def next_url(url: str, here: Set[str], lan: str | None) -> str:
    """Return the URL at the LAN address of this machine, or the same URL while it leads here or there is no other.

    here: the addresses of this machine. Public addresses are not used for plain http.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if lan is None or not is_local(lan) or (host in here and not is_loopback(host)):
        return url
    return url_of(lan, parts.port or 80)


# --- the folder ----------------------------------------------------------------------------------------------------


def begin(folder: Path, url: str, *, at: datetime) -> None:
    """Store the address of a starting program. If it had another one this evening, store that change too."""
    file = folder / URL_FILE
    before = _text_of(file)
    with suppress(OSError):
        since = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        if before != url and is_address(urlsplit(before).hostname or "") and abs(at - since) < EVENING:
            moved(folder, before, url, at=at)
            return
    replace_file(file, url.encode())


def moved(folder: Path, before: str, after: str, *, at: datetime) -> Move:
    """Store and return a change of the address, or return the change that another process has stored already.

    The stored address of another program that uses the same folder is not changed.
    """
    file = folder / URL_FILE
    move = stored_move(folder, after, at=at)
    if move is None:
        earlier = stored_move(folder, before, at=at)
        former = dict.fromkeys((*(earlier.former if earlier else ()), before))
        move = Move(after, tuple(url for url in former if url != after and not leads_here_only(url)), at)
    with suppress(OSError):
        if _text_of(file) == before:
            stored = json.dumps([move.url, move.former, move.at.isoformat()])
            replace_file(folder / MOVE_FILE, stored.encode())
            replace_file(file, after.encode())
    return move


def stored_move(folder: Path, url: str, *, at: datetime) -> Move | None:
    """Return the stored change to this address, None without one this evening."""
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
