"""Proposals for the organiser when players do not come, or come late.

A table plays on with as few players as the rules allow (four under rule sheet 1). With fewer, it gets players from
other tables, or its players move to other tables. Players with a fixed table never move. The scribe of a table that
goes on moves only if no other player can. Every proposal consists of changes as in `draw.py`.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tournaments.core.draw import Joined, Moved, Tables, apply_changes
from tournaments.core.refusal import Refusal
from tournaments.core.repeats import Pair, pairs_met
from tournaments.rulesets.schema import TableRules


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """A seat for a late player.

    players: number at the table, the late player included. is_regular: whether that is a regular size. repeats: how
    often the late player met the others before.
    """

    change: Joined
    players: int
    is_regular: bool
    repeats: int

    def is_as_good_as(self, other: "FreeSeat") -> bool:
        return (self.is_regular, self.repeats, self.players) == (
            other.is_regular,
            other.repeats,
            other.players,
        )


def free_seats(
    player: int,
    tables: Tables,
    history: Iterable[Tables],
    rules: TableRules,
    *,
    begun: Collection[int] = (),
) -> tuple[FreeSeat, ...]:
    """Return the seats for a late player, the best first: a regular table, few repeats, few players there.

    begun: numbers of the tables with entries on their sheet, which no player joins any more.
    Raises Refusal `already_at_a_table` (start_number).
    """
    if any(player in table for table in tables):
        raise Refusal("already_at_a_table", start_number=player)
    met = pairs_met(history)
    seats = [
        (
            len(table),
            FreeSeat(
                Joined(player, number),
                len(table) + 1,
                len(table) + 1 in rules.sizes,
                _times(player, table, met),
            ),
        )
        for number, table in enumerate(tables, start=1)
        if table and number not in begun and len(table) + 1 in rules.sizes + rules.exceptions
    ]
    seats.sort(key=lambda seat: (not seat[1].is_regular, seat[1].repeats, seat[0], seat[1].change.table))
    return tuple(seat for _, seat in seats)


def rebalance(
    tables: Tables,
    history: Iterable[Tables],
    rules: TableRules,
    *,
    fixed: Collection[int] = (),
    begun: Collection[int] = (),
) -> tuple[Moved, ...]:
    """Return the fewest moves after which every table has enough players; none if every table has.

    tables: after absent players have left. fixed: players who do not move. begun: numbers of the tables with entries
    on their sheet, which no player leaves or joins. Of two ways with equally many moves, the one with fewer repeats
    is taken, or else the one that keeps every table. Raises Refusal `cannot_be_mended` (table).
    """
    met = pairs_met(history)
    moves: list[Moved] = []
    fixed = {*fixed, *(player for number in begun for player in tables[number - 1])}
    while True:
        now = apply_changes(tables, moves)
        few = (number for number, table in enumerate(now, start=1) if 0 < len(table) < rules.smallest)
        number = next((number for number in few if number not in begun), None)
        if number is None:
            return tuple(moves)
        ways = (_filled(number, now, met, rules, fixed), _dissolved(number, now, met, rules, fixed, begun))
        possible = [way for way in ways if way is not None]
        if not possible:
            raise Refusal("cannot_be_mended", table=number)
        moves += min(possible, key=lambda way: (len(way.moves), way.repeats)).moves


@dataclass(slots=True)
class _Way:
    """A sequence of moves, and by how much the repeats grow with them."""

    tables: Tables
    moves: list[Moved]
    repeats: int = 0

    def go(self, move: Moved, repeats: int) -> None:
        self.tables = move.apply(self.tables)
        self.moves.append(move)
        self.repeats += repeats


def _filled(
    number: int, tables: Tables, met: Counter[Pair], rules: TableRules, fixed: Collection[int]
) -> _Way | None:
    """Move players to this table from tables that have enough, preferably from one that is regular without them."""
    way = _Way(tables, [])
    while len(way.tables[number - 1]) < rules.smallest:
        choices = [
            (
                len(table) - 1 not in rules.sizes,
                seat == 0,
                _difference(player, table, here, met),
                -len(table),
                player,
            )
            for here in (way.tables[number - 1],)
            for table in way.tables
            if len(table) > rules.smallest
            for seat, player in enumerate(table)
            if player not in fixed
        ]
        if not choices:
            return None
        *_, repeats, _, player = min(choices)
        way.go(Moved(player, number), repeats)
    return way


def _dissolved(
    number: int,
    tables: Tables,
    met: Counter[Pair],
    rules: TableRules,
    fixed: Collection[int],
    begun: Collection[int],
) -> _Way | None:
    """Move the players of this table to others, preferably to one that is regular with them.

    A table that has too few itself takes any player.
    """
    way = _Way(tables, [])
    allowed = {*rules.sizes, *rules.exceptions, *range(1, rules.smallest)}
    for player in tables[number - 1]:
        mates = way.tables[number - 1]
        choices = [
            (len(table) + 1 not in rules.sizes, _difference(player, mates, table, met), len(table), other)
            for other, table in enumerate(way.tables, start=1)
            if table and other != number and other not in begun and len(table) + 1 in allowed
        ]
        if not choices or player in fixed:
            return None
        _, repeats, _, other = min(choices)
        way.go(Moved(player, other), repeats)
    return way


def _difference(player: int, table: Sequence[int], other: Sequence[int], met: Counter[Pair]) -> int:
    """Return by how much the repeats grow when the player moves from one table to the other."""
    return _times(player, other, met) - _times(player, table, met)


def _times(player: int, table: Iterable[int], met: Counter[Pair]) -> int:
    """Return how often the player met the players of a table before."""
    return sum(met[min(player, other), max(player, other)] for other in table if other != player)
