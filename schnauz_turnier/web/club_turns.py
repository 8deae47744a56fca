"""Turns by club: a free place goes to the waiting club with the fewest requests in work.

So a club that floods the program delays another by the requests that it has in work, however many wait. A club alone may use
every place. Where others hold all, a club that has none gets a spare one: the calls of a hall may all wait for one lock. Within a club, lines (of addresses, devices or tables) take turns. Without CLUBS all requests are of one club.

Terms: a *line* is a queue of requests that are of one address, device or table. To be used in the event loop's thread only.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from tournaments.current_club import current_club

Line = TypeVar("Line", bound=Hashable)
Item = TypeVar("Item")


def club_here() -> Hashable:
    """Return the key of the current club; None without one."""
    club = current_club()
    return club.slug if club else None


class ClubTurns(Generic[Line, Item]):
    """Waiting items by club and line, and how many of each club are in work. Knows no clock and no limit."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, dict[Line, deque[Item]]] = {}  # the next club and its next line first
        self._in_work: Counter[Hashable] = Counter()

    def __bool__(self) -> bool:
        """Return whether any item waits."""
        return bool(self._waiting)

    @property
    def in_work(self) -> int:
        return self._in_work.total()

    @property
    def is_new_waiting(self) -> bool:
        """Return whether a club waits that has nothing in work."""
        return any(not self._in_work[club] for club in self._waiting)

    def has_waiting(self, line: Line) -> bool:
        return any(line in lines for lines in self._waiting.values())

    def join(self, club: Hashable, line: Line, item: Item) -> None:
        self._waiting.setdefault(club, {}).setdefault(line, deque()).append(item)

    def leave(self, club: Hashable, line: Line, item: Item) -> None:
        """Remove a waiting item."""
        lines = self._waiting[club]
        lines[line].remove(item)
        if not lines[line]:
            del lines[line]
        if not lines:
            del self._waiting[club]

    def begin(
        self, may_begin: Callable[[Line], bool] = lambda _line: True
    ) -> tuple[Hashable, Line, Item] | None:
        """Return club, line and the next item, which is in work from now on; None if no line with waiting items may begin."""
        for club in sorted(self._waiting, key=self._in_work.__getitem__):  # stable: equal clubs take turns
            lines = self._waiting[club]
            line = next(filter(may_begin, lines), None)
            if line is not None:
                item = lines[line].popleft()
                if rest := lines.pop(line):
                    lines[line] = rest  # behind the other lines of the club
                del self._waiting[club]
                if lines:
                    self._waiting[club] = lines  # behind the other clubs
                self._in_work[club] += 1
                return club, line, item
        return None

    def end(self, club: Hashable) -> None:
        """End the work on an item of this club."""
        self._in_work[club] -= 1
        if not self._in_work[club]:
            del self._in_work[club]


class ClubPlaces:
    """Places for requests, given by `ClubTurns`. spare: further ones for clubs that have none."""

    def __init__(self, places: int, spare: int) -> None:
        self._places, self._spare = places, spare
        self._turns: ClubTurns[Hashable, asyncio.Future[None]] = ClubTurns()

    @asynccontextmanager
    async def place(self, line: Hashable, club: Hashable = None) -> AsyncIterator[None]:
        """Wait for a place of the club, by default the current one, and hold it inside the block."""
        club, turn = club or club_here(), asyncio.get_running_loop().create_future()
        self._turns.join(club, line, turn)
        self._let_in()
        try:
            await turn
        except BaseException:
            if not turn.cancelled():  # else `_let_in` drops it
                self._end(club)
            raise
        try:
            yield
        finally:
            self._end(club)

    def _end(self, club: Hashable) -> None:
        self._turns.end(club)
        self._let_in()

    def _let_in(self) -> None:
        while self._has_place() and (begun := self._turns.begin()):
            club, _line, turn = begun
            if turn.cancelled():
                self._turns.end(club)
            else:
                turn.set_result(None)

    def _has_place(self) -> bool:
        in_work = self._turns.in_work
        return in_work < self._places or (in_work < self._places + self._spare and self._turns.is_new_waiting)
