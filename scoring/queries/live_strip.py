"""The strip of the organiser's pages: the round in play in one line."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from scoring.queries.round_clock import clock_of
from scoring.queries.table_monitor import table_monitor
from tournaments.models import Tournament
from tournaments.page_cache import page_cache


@dataclass(frozen=True, slots=True)
class CallingTable:
    """A table that needs an organiser. need: the most urgent reason, a key of `scoring.text.states.NEEDS`."""

    number: int
    need: str


@dataclass(frozen=True, slots=True)
class LiveStrip:
    """The round in play. finished: the tables that have handed in. calls: the most urgent first.

    begins_at, ends_at: of the round's clock; None while it does not run. version: changes with everything that is shown.
    """

    round: int
    tables: int
    finished: int
    calls: tuple[CallingTable, ...]
    begins_at: datetime | None
    ends_at: datetime | None
    version: str

    @property
    def further(self) -> int:
        """The number of tables that call beside the first."""
        return max(len(self.calls) - 1, 0)

    def seconds_left(self, at: datetime) -> int | None:
        """Return the rest of the round, at most its length, at least 0; None without a clock."""
        if self.begins_at is None or self.ends_at is None:
            return None
        return max(int((self.ends_at - max(at, self.begins_at)).total_seconds()), 0)


def live_strip_of(tournament: Tournament) -> LiveStrip | None:
    """Return the strip, the same for all pages until something changes; None while no round is in play."""
    strip: LiveStrip | None = page_cache.get_or_make(tournament.slug, "strip", partial(_strip, tournament))
    return strip


def version_of(strip: LiveStrip | None) -> str:
    """Return what changes with the strip; "" without one."""
    return strip.version if strip else ""


def _strip(tournament: Tournament) -> LiveStrip | None:
    clock = clock_of(tournament)
    monitor = table_monitor(tournament, clock.round_number) if clock else None
    if clock is None or monitor is None:
        return None
    tables = [(table.number, table.state, tuple(table.needs)) for table in monitor.tables]
    content = (clock.round_number, tables, clock.begins_at, clock.ends_at)
    return LiveStrip(
        round=clock.round_number,
        tables=len(monitor.tables),
        finished=sum(not table.is_open for table in monitor.tables),
        calls=tuple(CallingTable(table.number, table.needs[0]) for table in monitor.most_urgent),
        begins_at=clock.begins_at,
        ends_at=clock.ends_at,
        version=hashlib.sha256(repr(content).encode()).hexdigest()[:16],
    )
