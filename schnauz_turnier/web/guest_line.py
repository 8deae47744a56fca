"""The line of the guests in front of Django: few of their requests run at a time, and phones and staff go first.

A *guest* sends neither the cookie of a table nor that of a device with a log-in. Both cookies are signed, so they cannot be
forged and are checked without the database. Requests of guests run one after the other, taking turns by club and address. So a
guest with hundreds of connections delays no other address, and a club with hundreds of guests delays no other club.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Hashable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from functools import partial

from django.conf import settings
from django.utils.translation import gettext_lazy

from schnauz_turnier.web import club_turns
from schnauz_turnier.web.address_limit import host_of, is_exempt
from schnauz_turnier.web.asgi_types import App, Message, Receive, Scope, Send
from schnauz_turnier.web.django_threads import SPARE, THREADS, DjangoThreads
from schnauz_turnier.web.request_limits import Disconnected, Refused
from tournaments import hashing
from tournaments.core.networks import network_of
from tournaments.core.shares import most_of_all_clubs
from tournaments.devices import device_of

PATIENCE = (
    0.1  # seconds until a guest's request begins, however many requests of phones and staff are running
)
OF_THE_HOST = "/healthz"  # requested by the machine itself or by a proxy

_TOO_BUSY = gettext_lazy(
    "Gerade wird mehr gefragt, als beantwortet werden kann. Bitte in einer Minute noch einmal versuchen."
)

WAITING_FOR_REGISTRATION = 3  # one mail, and two who press the link of a club at once
Turn = asyncio.Future[None]


class GuestLine:
    """Places for the requests of guests in Django. To be used in the event loop's thread only."""

    def __init__(self) -> None:
        self._turns: club_turns.ClubTurns[str, Turn] = club_turns.ClubTurns()  # the lines are of addresses
        self._in_work: Counter[str] = Counter()
        self._ahead = 0
        self._begun_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def has_waiting(self, host: str) -> bool:
        """Return whether requests of this address wait. Exempt addresses have no line of their own."""
        return not is_exempt(host) and self._turns.has_waiting(network_of(host))

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """Count a request of a phone or of the staff as running inside the block. Guests give way to it."""
        self._ahead += 1
        try:
            yield
        finally:
            self._ahead -= 1
            self._let_in()

    @asynccontextmanager
    async def place(self, host: str, receive: Receive) -> AsyncIterator[ExitStack]:
        """Wait for a place and hold it inside the block, or until the stack is closed.

        Raises Refused after GUEST_SECONDS in line, and Disconnected if the client disconnects.
        """
        address = "" if is_exempt(host) else network_of(host)
        club = club_turns.club_here()
        await self._wait(club, address, receive)
        with ExitStack() as place:
            place.callback(self._give_back, club, address)
            yield place

    async def _wait(self, club: Hashable, address: str, receive: Receive) -> None:
        turn: Turn = asyncio.get_running_loop().create_future()
        self._turns.join(club, address, turn)
        self._let_in()
        if turn.done():
            return
        left = asyncio.ensure_future(receive())
        try:
            await asyncio.wait((turn, left), timeout=settings.GUEST_SECONDS, return_when="FIRST_COMPLETED")
            if not turn.done():
                raise Disconnected if left.done() else Refused(429, _TOO_BUSY)
        except BaseException:
            self._leave(club, address, turn)
            raise
        finally:
            left.cancel()

    def _leave(self, club: Hashable, address: str, turn: Turn) -> None:
        if turn.done():
            self._give_back(club, address)
        else:
            self._turns.leave(club, address, turn)

    def _give_back(self, club: Hashable, address: str) -> None:
        self._turns.end(club)
        self._in_work[address] -= 1
        if not self._in_work[address]:
            del self._in_work[address]
        self._let_in()

    def _let_in(self) -> None:
        """Give free places to waiting requests."""
        while self._turns and self._turns.in_work < settings.GUEST_REQUESTS and not self._gives_way():
            begun = self._turns.begin(self._may_begin)
            if begun is None:
                return
            _club, address, turn = begun
            self._in_work[address] += 1
            self._begun_at = asyncio.get_running_loop().time()
            turn.set_result(None)

    def _may_begin(self, address: str) -> bool:
        return not address or self._in_work[address] < settings.GUEST_REQUESTS_PER_ADDRESS

    def _gives_way(self) -> bool:
        """Return whether requests of phones or staff are running, unless guests have given way for PATIENCE."""
        if not self._ahead:
            return False
        loop = asyncio.get_running_loop()
        if loop.time() >= self._begun_at + PATIENCE:
            return False
        if self._timer is None:
            self._timer = loop.call_at(self._begun_at + PATIENCE, self._after_patience)
        return True

    def _after_patience(self) -> None:
        self._timer = None
        self._let_in()


class GuestRequests:
    """ASGI application in front of Django. RequestLimits, in front, reads the bodies.

    staff: Django for all other requests. Where there are clubs, these take turns at a few of its threads: a club whose
    requests wait for the database would take every connection of the pool.
    """

    def __init__(self, staff: App, line: GuestLine) -> None:
        self._staff = staff
        self._line = line
        self._places = club_turns.ClubPlaces(THREADS, SPARE)
        # A request that hashes a password, waits for that, for the mail server or for a club that is being made, holds a thread but no place.
        hashing_at_most = most_of_all_clubs(settings.HASHES_WAITING + settings.HASHES_WAITING_KNOWN)
        threads = settings.GUEST_REQUESTS + hashing_at_most + WAITING_FOR_REGISTRATION
        self._django = DjangoThreads("guests", threads=threads)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (sender := self._sender_who_goes_first(scope)) is not None:
            await self._answer_first(sender, scope, receive, send)
            return
        body = (await receive()).get("body", b"")
        async with self._line.place(host_of(scope), receive) as place:
            loop = asyncio.get_running_loop()
            hashing.give_way.set(partial(loop.call_soon_threadsafe, place.close))
            response = await self._django.respond(scope, body)
        await self._django.send(response, send)

    def _sender_who_goes_first(self, scope: Scope) -> str | None:
        """Return the name of the device, "" for the host, None for a guest."""
        if scope["path"].startswith(OF_THE_HOST):
            return "" if is_exempt(host_of(scope), with_proxies=True) else None
        request = self._django.request_of(scope)
        device = device_of(request) if request is not None else None
        return device.name if device else None

    async def _answer_first(self, sender: str, scope: Scope, receive: Receive, send: Send) -> None:
        async with AsyncExitStack() as place:
            if club_turns.club_here() is not None:
                await place.enter_async_context(self._places.place(sender))
                loop = asyncio.get_running_loop()
                hashing.give_way.set(lambda: asyncio.run_coroutine_threadsafe(place.aclose(), loop))
            place.enter_context(self._line.ahead())

            async def send_after(message: Message) -> None:
                await place.aclose()  # the answer is made; a slow reader delays nobody
                await send(message)

            await self._staff(scope, receive, send_after)
