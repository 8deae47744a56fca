"""Following of the standby, so that public pages can be read from it.

A change that is heard of is committed on the primary, but the standby shows it only when it has replayed it. So this process
then asks the primary for its position in the log (LSN), which is behind the change, and waits until the standby has
replayed up to there. Only then the change counts for what is kept of the standby, and for the event streams. Changes that
come while it waits are asked for together.

The same question is asked twice a second, whatever happens. Its answer proves that the standby has all that was committed
before it was asked. A standby that proves nothing for GIVEN_UP seconds is given up, and tried again. These are counted in
ticks of the event loop, as in listening.py. Heartbeats write to the log every second, so a standby whose position does not
move replays another history than the primary's, and proves nothing either.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, NamedTuple

from schnauz_turnier.live.listening import LONGEST_BACK_OFF, TICK, Connection, Parameters, connect
from schnauz_turnier.standby.base import can_be_cut_off, cut_off, settle_on
from tournaments.page_cache import page_cache
from tournaments.standby import standby

QUESTION = 0.5  # seconds between two questions while nothing changes
GIVEN_UP = 3.0
POLLS = 0.005, 0.05  # seconds between two looks at the standby: the first ones, the last ones

_IDENTITY = "SELECT (SELECT system_identifier FROM pg_control_system()), current_database()"
_POSITION = "SELECT pg_current_wal_insert_lsn() - '0/0'"
"""The position of what is inserted, since a commit may be told before it is written (synchronous_commit = off)."""
_REPLAYED = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - '0/0' END"
logger = logging.getLogger(__name__)

Act = Callable[[], None]


class NoStandby(ConnectionError):
    """The server of READ_URL cannot be read instead of the primary."""


class _OpenQuestion(NamedTuple):
    """at: when it was asked. position: the answer of the primary. acts: what has to wait for it."""

    at: float
    position: int
    acts: list[Act]


class Replay:
    """A listener of the hub (see live.py) that passes changes on when the standby has replayed them.

    ask, read: the parameters of the connections to the primary, from which changes are heard, and to the standby.
    """

    def __init__(self, *, ask: Parameters, read: Parameters) -> None:
        self._ask, self._read = ask, read
        self._given_up: Act = lambda: None
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: asyncio.Task[None] | None = None
        self._following: asyncio.Task[None] | None = None
        self._acts: list[Act] = []
        self._heard = asyncio.Event()
        self._last: int | None = None
        self._silence = 0.0

    def on_giving_up(self, act: Act) -> None:
        """Call this whenever the standby is given up: what was made of its rows has to be made of the primary's."""
        self._given_up = act

    def pass_on(self, act: Act) -> None:
        """Call `act` when what has been heard until now can be read: at once, where the primary is read.

        It is called again when the standby has replayed it, which may have become readable meanwhile, without this change.
        """
        if standby.turn is None:
            act()
        if self._running is not None:
            self._acts.append(act)
            self._heard.set()

    # --- what is heard ---

    def note(self, slug: str, topic: str, keeps: Collection[str] = ()) -> None:
        self.pass_on(partial(self._forget, slug, topic, keeps))

    def restart(self) -> None:
        self.disable()
        self._running = self._spawn(self._run())

    def _forget(self, slug: str, topic: str, keeps: Collection[str]) -> None:
        page_cache.invalidate(standby.kept_as(slug), topic, keeps)

    def disable(self) -> None:
        standby.lose()
        for task in (self._running, self._following):  # at once, or it could prove something once more
            if task is not None:
                task.cancel()
        self._running = self._following = None

    # --- the standby ---

    async def _run(self) -> None:
        tries = 0
        while True:
            try:
                await self._attempt()
            except Exception as error:
                tries = 0 if standby.is_in_turn else tries + 1
                if tries < 2:
                    logger.warning("Public pages are read from the primary; trying again.", exc_info=error)
            if standby.is_in_turn:
                standby.lose()
                self._given_up()
            cut_off()
            await asyncio.sleep(min(TICK * 2**tries, LONGEST_BACK_OFF))

    async def _attempt(self) -> None:
        """Follow the standby while it proves what it has replayed, then raise what has gone wrong."""
        self._last, self._silence, self._acts = None, 0.0, []
        following = self._following = self._spawn(self._follow())
        try:
            while self._silence < GIVEN_UP:
                self._silence += TICK
                await asyncio.wait({following}, timeout=TICK)
                if following.done():
                    following.result()
            raise NoStandby(f"The standby is more than {GIVEN_UP:.0f} seconds behind, or silent.")
        finally:
            following.cancel()

    async def _follow(self) -> None:
        primary = await connect(await asyncio.to_thread(self._ask), "replay")
        async with primary:
            there = await connect(await asyncio.to_thread(self._read), "replay")
            async with there:
                settle_on(there)
                can_be_cut_off(there)
                if await _one(primary, _IDENTITY) != await _one(there, _IDENTITY):
                    raise NoStandby("READ_URL is no standby of the database that DATABASE_URL names.")
                await self._wait_and_pass_on(primary, there)

    async def _wait_and_pass_on(self, primary: Connection, there: Connection) -> None:
        open_questions: deque[_OpenQuestion] = deque()
        pause, next_at = POLLS[0], 0.0
        while True:
            if self._acts or time.monotonic() >= next_at:
                open_questions.append(await self._question(primary))
                pause, next_at = POLLS[0], open_questions[-1].at + QUESTION
            replayed = await self._replayed(there)
            while open_questions and open_questions[0].position <= replayed:
                self._prove(open_questions.popleft(), replayed)
            await self._wait_until(time.monotonic() + pause if open_questions else next_at)
            pause = min(1.5 * pause, POLLS[1])

    async def _question(self, primary: Connection) -> _OpenQuestion:
        acts, self._acts = self._acts, []
        self._heard.clear()
        at = time.monotonic()
        [position] = await _one(primary, _POSITION)
        return _OpenQuestion(at, int(position), acts)

    async def _replayed(self, there: Connection) -> int:
        [position] = await _one(there, _REPLAYED)
        if position is None:
            raise NoStandby("The server of READ_URL is no standby, or has become the primary.")
        return int(position)

    def _prove(self, question: _OpenQuestion, replayed: int) -> None:
        if replayed != self._last:
            if self._last is not None and not standby.is_in_turn:
                standby.begin()
            self._last, self._silence = replayed, 0.0
        standby.rely(question.at)
        for act in question.acts:
            act()

    async def _wait_until(self, moment: float) -> None:
        """Wait until this moment of time.monotonic(), or until a change is heard."""
        try:
            async with asyncio.timeout(max(moment - time.monotonic(), 0)):
                await self._heard.wait()
        except TimeoutError:
            pass

    def _spawn(self, work: Any) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget_task)
        return task

    def _forget_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()


async def _one(connection: Connection, question: str) -> Any:
    return await (await connection.execute(question)).fetchone()
