"""What can be done when somebody does not come, or comes late: proposals, for the organiser to make or to leave.

A table plays on with as few players as the rules allow (four under rule sheet 1). With fewer it needs players from
elsewhere, or its players find seats elsewhere. Nobody who has a fixed table is moved, and no scribe away from a table
that goes on as long as others can go. Every proposal is made of changes as in `draw.py`.
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
    """A seat for somebody who comes late.

    players: how many they are with him. is_regular: whether that is a regular size. repeats: how often he met them
    before.
    """

    change: Joined
    players: int
    is_regular: bool
    repeats: int


def free_seats(
    player: int,
    tables: Tables,
    history: Iterable[Tables],
    rules: TableRules,
    *,
    begun: Collection[int] = (),
) -> tuple[FreeSeat, ...]:
    """Where a player who comes late can sit, the best first: a regular table, few repeats, few players there.

    begun: numbers of the tables where something stands on the sheet; nobody sits down there any more. Refuses `already_at_a_table` (start_number).
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
    """The fewest players to be moved so that every table has enough again; nobody if every table has.

    tables: after those who do not play have left. fixed: who stays where he is. begun: numbers of the tables where
    something stands on the sheet, which nobody leaves or comes to. Of two ways with as few moves the one
    with fewer repeats is taken, or else the one that leaves every table in place. Refuses `cannot_be_mended` (table).
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
    """Moves one after the other, and by how much the repeats grow with them."""

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
    """Players of tables that have enough come to this one; rather from one that is regular without them."""
    way = _Way(tables, [])
    while len(way.tables[number - 1]) < rules.smallest:
        found = [
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
        if not found:
            return None
        *_, repeats, _, player = min(found)
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
    """The players of this table find seats at others; rather at one that is regular with them.

    A table that has too few itself takes anybody.
    """
    way = _Way(tables, [])
    allowed = {*rules.sizes, *rules.exceptions, *range(1, rules.smallest)}
    for player in tables[number - 1]:
        own = way.tables[number - 1]
        found = [
            (len(table) + 1 not in rules.sizes, _difference(player, own, table, met), len(table), other)
            for other, table in enumerate(way.tables, start=1)
            if table and other != number and other not in begun and len(table) + 1 in allowed
        ]
        if not found or player in fixed:
            return None
        _, repeats, _, other = min(found)
        way.go(Moved(player, other), repeats)
    return way


def _difference(player: int, table: Sequence[int], other: Sequence[int], met: Counter[Pair]) -> int:
    """By how much the repeats grow when he goes from one table to the other."""
    return _times(player, other, met) - _times(player, table, met)


def _times(player: int, table: Iterable[int], met: Counter[Pair]) -> int:
    """How often he met the players of a table before."""
    return sum(met[min(player, other), max(player, other)] for other in table if other != player)
