"""Repeats, that is pairs that meet again, and the number of them that cannot be avoided.

Tables are as in `draw.py`; a *history* is the tables of the earlier rounds, one `Tables` a round. A pair is
two start numbers, the smaller first. Repeats are counted as meetings of pairs: a pair that sat together in two
earlier rounds and does so again counts twice. So over a whole evening a pair that met m times counts m(m - 1)/2.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.core.bounds import forced_pairs, forced_repeats
from tournaments.core.draw import Change, Tables
from tournaments.core.wishes import Wish, fixed_tables

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Two players (start numbers, a < b) at one table, who sat together `times` times before."""

    table_number: int
    a: int
    b: int
    times: int


def pairs_met(history: Iterable[Tables]) -> Counter[Pair]:
    """Count how often each pair sat at one table; a pair that never met counts 0."""
    return Counter(pair for tables in history for table in tables for pair in combinations(sorted(table), 2))


def repeats(tables: Tables, history: Iterable[Tables]) -> tuple[Repeat, ...]:
    """Return the pairs at one of `tables` that met before, by table number, then start numbers."""
    met = pairs_met(history)
    return tuple(
        Repeat(number, a, b, met[a, b])
        for number, table in enumerate(tables, start=1)
        for a, b in combinations(sorted(table), 2)
        if (a, b) in met
    )


# --- one draw ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Forced:
    """A reason for repeats: `players` from one table of an earlier round are spread over `tables` tables now.

    So at least `pairs` of their pairs meet again. round_number and table_number count from 1.
    """

    round_number: int
    table_number: int
    players: int
    tables: int
    pairs: int


@dataclass(frozen=True, slots=True)
class SoFar:
    """A player after this round: how often they sat at tables of each size, ascending, and how often they wrote."""

    start_number: int
    sizes: tuple[tuple[int, int], ...]
    scribe: int


@dataclass(frozen=True, slots=True)
class DrawReport:
    """The facts about a drawn round.

    repeats: the pairs that met before. reached: the number of these repeats. least: the number that no seating
    avoids. forced: the reasons for it. so_far: all seated players, by start number. changes: made by hand, in their
    order. wishes: granted ones.
    """

    repeats: tuple[Repeat, ...]
    reached: int
    least: int
    forced: tuple[Forced, ...]
    so_far: tuple[SoFar, ...]
    changes: tuple[Change, ...]
    wishes: tuple[Wish, ...]

    @property
    def thrice(self) -> tuple[Repeat, ...]:
        """The pairs that meet for the third time or more."""
        return tuple(repeat for repeat in self.repeats if repeat.times > 1)

    @property
    def could_be_fewer(self) -> bool:
        """Whether there are more repeats than the proven minimum."""
        return self.reached > self.least


def report(
    tables: Tables,
    history: Sequence[Tables],
    *,
    changes: Iterable[Change] = (),
    wishes: Sequence[Wish] = (),
) -> DrawReport:
    """Return the report on a round as it is seated now, `changes` already made."""
    players = frozenset(player for table in tables for player in table)
    sizes = [len(table) for table in tables if table]
    met_again = repeats(tables, history)
    return DrawReport(
        repeats=met_again,
        reached=sum(repeat.times for repeat in met_again),
        least=max(least_repeats(history, players, sizes), _at_fixed_tables(history, wishes)),
        forced=_forced(history, players, len(sizes)),
        so_far=_so_far([*history, tables], players),
        changes=tuple(changes),
        wishes=tuple(wishes),
    )


def least_repeats(
    history: Iterable[Tables], players: Collection[int], sizes: Sequence[int], *, leaving: int = 0
) -> int:
    """Return the repeats that no seating of `players` at tables of these sizes avoids. leaving: number of them, no
    matter which, who will not play after all."""
    here = frozenset(players)
    groups = ([len(here.intersection(table)) for table in tables] for tables in history)
    return sum(forced_repeats(group, sizes, leaving=leaving) for group in groups)


def _at_fixed_tables(history: Iterable[Tables], wishes: Iterable[Wish]) -> int:
    """Return the repeats of players who have the same fixed table."""
    met, tables = pairs_met(history), fixed_tables(wishes)
    return sum(met[pair] for pair in combinations(sorted(tables), 2) if tables[pair[0]] == tables[pair[1]])


def _forced(history: Iterable[Tables], players: frozenset[int], tables: int) -> tuple[Forced, ...]:
    groups = (
        (round_number, table_number, len(players.intersection(table)))
        for round_number, earlier in enumerate(history, start=1)
        for table_number, table in enumerate(earlier, start=1)
    )
    return tuple(
        Forced(round_number, table_number, here, tables, forced_pairs(here, tables))
        for round_number, table_number, here in groups
        if here > tables
    )


def _so_far(rounds: Iterable[Tables], players: Iterable[int]) -> tuple[SoFar, ...]:
    sizes: dict[int, Counter[int]] = {player: Counter() for player in sorted(players)}
    scribes: Counter[int] = Counter()
    for tables in rounds:
        scribes.update(table[0] for table in tables if table)
        for table in tables:
            for player in table:
                if player in sizes:
                    sizes[player][len(table)] += 1
    return tuple(
        SoFar(player, tuple(sorted(times.items())), scribes[player]) for player, times in sizes.items()
    )


# --- what a change costs -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cost:
    """The effect of a change by hand: the pairs that meet again because of it, and those that no longer do."""

    more: tuple[Repeat, ...]
    fewer: tuple[Repeat, ...]

    @property
    def repeats(self) -> int:
        """The growth in repeats, negative if there are fewer."""
        return sum(repeat.times for repeat in self.more) - sum(repeat.times for repeat in self.fewer)


def cost_of(changes: Iterable[Change], tables: Tables, history: Sequence[Tables]) -> Cost:
    """Return the cost of `changes` before they are made. Raises the Refusal of the first impossible one."""
    after = tables
    for change in changes:
        after = change.apply(after)
    before, then = ({(r.a, r.b): r for r in repeats(seats, history)} for seats in (tables, after))
    return Cost(
        more=tuple(repeat for pair, repeat in then.items() if pair not in before),
        fewer=tuple(repeat for pair, repeat in before.items() if pair not in then),
    )
