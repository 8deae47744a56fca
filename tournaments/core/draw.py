"""The draw of one round, repeatable from its record, and the changes made to it by hand.

Terms: a *table* is a tuple of start numbers in the order of the seats (the first has seat 1); the tables of
a round are a tuple in the order of the table numbers (the first is table 1). A *seed* is 64 hexadecimal
digits, 256 bits. A draw is never stored without its record: version, mode, seed, players, sizes, history, wishes
and changes. `draw` followed by `apply_changes` computes the same tables from the record on every machine.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise, zip_longest
from typing import Any, ClassVar

from tournaments.core.few_repeats import few_repeats, seated_by_lot
from tournaments.core.random_stream import RandomStream
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import Wish, check_wishes
from tournaments.rulesets.schema import LARGEST_TABLE

DRAW_VERSION = 2
RANDOM = "random"
FEW_REPEATS = "few_repeats"

StartNumbers = tuple[int, ...]
Tables = tuple[StartNumbers, ...]

_SEED = re.compile(r"[0-9a-fA-F]{64}")


def draw(
    *,
    version: int,
    mode: str,
    seed: str,
    players: Iterable[int],
    sizes: Sequence[int],
    history: Sequence[Tables] = (),
    wishes: Sequence[Wish] = (),
) -> Tables:
    """Return the tables that follow from a draw's record.

    version: of the procedure, DRAW_VERSION for a new draw. mode: "random" or "few_repeats". players: start numbers,
    in any order. sizes: players at table 1, 2, ... history: the tables of each earlier round, ignored by "random".
    The result depends on nothing else.

    Raises Refusal `unknown_draw` (version, mode), `seed_bad`, `player_twice` (start_number; in an earlier round too),
    `sizes_do_not_match` (players, seats), those of `check_wishes`, and `wishes_impossible`.
    """
    place = _MODES.get((version, mode))
    if place is None or (version == 1 and wishes):
        raise Refusal("unknown_draw", version=version, mode=mode)
    ascending = _checked_players(players, sizes)
    if wishes:
        check_wishes(wishes, set(ascending), sizes)
    return place(_stream(seed), ascending, sizes, history, wishes)


def _place_at_random(
    stream: RandomStream,
    players: Sequence[int],
    sizes: Sequence[int],
    history: Sequence[Tables],
    wishes: Sequence[Wish],
) -> Tables:
    """Shuffle the players, ascending, and fill seat after seat; every seating is equally likely."""
    if wishes:
        return seated_by_lot(stream, players, sizes, wishes)
    waiting = iter(stream.shuffled(players))
    return tuple(tuple([next(waiting) for _ in range(size)]) for size in sizes)


_Place = Callable[
    [RandomStream, Sequence[int], Sequence[int], Sequence[Tables], Sequence[Wish]],
    Tables,
]
_MODES: Mapping[tuple[int, str], _Place] = {
    (1, RANDOM): _place_at_random,
    (2, RANDOM): _place_at_random,
    (2, FEW_REPEATS): few_repeats,
}


def is_seed(text: str) -> bool:
    """Return whether this is a seed: 64 hexadecimal digits."""
    return _SEED.fullmatch(text) is not None


def _stream(seed: str) -> RandomStream:
    """Return the only source of randomness of a draw. A new version of the procedure could mix a contribution of the
    public into these 32 bytes; nothing else would change."""
    if not is_seed(seed):
        raise Refusal("seed_bad")
    return RandomStream(bytes.fromhex(seed))


def _checked_players(players: Iterable[int], sizes: Sequence[int]) -> list[int]:
    """Return the players, ascending, after checking that each is named once and that the seats are as many."""
    ascending = sorted(players)
    if len(set(ascending)) < len(ascending):
        twice = next(player for player, following in pairwise(ascending) if player == following)
        raise Refusal("player_twice", start_number=twice)
    if sum(sizes) != len(ascending) or any(size < 1 for size in sizes):
        raise Refusal("sizes_do_not_match", players=len(ascending), seats=sum(sizes))
    return ascending


# --- changes by hand -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Recorded:
    """A step of the record, made of numbers. kind: its name in a document."""

    kind: ClassVar[str]

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, **asdict(self)}


@dataclass(frozen=True, slots=True)
class Swap(_Recorded):
    """An exchange of seats by two players (start numbers); also at one table, because seat 1 writes."""

    kind = "swap"
    a: int
    b: int

    def apply(self, tables: Tables) -> Tables:
        """Return the tables after it. Raises Refusal `same_player` and `not_at_a_table` (start_number)."""
        if self.a == self.b:
            raise Refusal("same_player")
        _refuse_unseated(tables, self.a, self.b)
        other = {self.a: self.b, self.b: self.a}
        return tuple(tuple(other.get(player, player) for player in table) for table in tables)


@dataclass(frozen=True, slots=True)
class Left(_Recorded):
    """A player's departure. The players in the seats after theirs move up by one seat."""

    kind = "left"
    player: int

    def apply(self, tables: Tables) -> Tables:
        """Return the tables after it; a table without players stays, empty. Raises Refusal `not_at_a_table`."""
        _refuse_unseated(tables, self.player)
        return tuple(tuple(player for player in table if player != self.player) for table in tables)


@dataclass(frozen=True, slots=True)
class Joined(_Recorded):
    """A player's arrival at the next seat of a table."""

    kind = "joined"
    player: int
    table: int

    def apply(self, tables: Tables) -> Tables:
        """Return the tables after it.

        Raises Refusal `already_at_a_table` (start_number), `unknown_table`, `table_full` (table).
        """
        _refuse_seated(tables, self.player)
        if not 1 <= self.table <= len(tables):
            raise Refusal("unknown_table", table=self.table)
        if len(tables[self.table - 1]) >= LARGEST_TABLE:
            raise Refusal("table_full", table=self.table)
        return tuple(
            (*seats, self.player) if number == self.table else seats
            for number, seats in enumerate(tables, start=1)
        )


@dataclass(frozen=True, slots=True)
class Moved(_Recorded):
    """A player's move to the next seat of another table. The players in the seats after theirs move up by one seat."""

    kind = "moved"
    player: int
    table: int

    def apply(self, tables: Tables) -> Tables:
        """Return the tables after it. Raises Refusal `same_table` (table) and those of Left and Joined."""
        without = Left(self.player).apply(tables)
        if 1 <= self.table <= len(tables) and self.player in tables[self.table - 1]:
            raise Refusal("same_table", table=self.table)
        return Joined(self.player, self.table).apply(without)


@dataclass(frozen=True, slots=True)
class Replaced(_Recorded):
    """A substitute without a seat in the seat of a leaving player. (In a document, `by` names a change's author.)"""

    kind = "replaced"
    player: int
    substitute: int

    def apply(self, tables: Tables) -> Tables:
        """Return the tables after it. Raises Refusal `not_at_a_table` and `already_at_a_table` (start_number)."""
        _refuse_unseated(tables, self.player)
        _refuse_seated(tables, self.substitute)
        return tuple(
            tuple(self.substitute if player == self.player else player for player in table)
            for table in tables
        )


@dataclass(frozen=True, slots=True)
class TakenBack(_Recorded):
    """The withdrawal of so many of the latest changes that still stand: those that were made in one step."""

    kind = "taken_back"
    changes: int


Change = Swap | Left | Joined | Moved | Replaced
"""Any change by hand to a drawn round."""
Step = Change | TakenBack
"""An entry of the record: a change, or the withdrawal of some."""

_STEPS: Mapping[object, type[Step]] = {
    step.kind: step for step in (Swap, Left, Joined, Moved, Replaced, TakenBack)
}


def standing(steps: Iterable[Step]) -> tuple[Change, ...]:
    """Return the changes that have not been taken back. Raises Refusal `nothing_to_take_back`."""
    stand: list[Change] = []
    for step in steps:
        if not isinstance(step, TakenBack):
            stand.append(step)
        elif 1 <= step.changes <= len(stand):
            del stand[-step.changes :]
        else:
            raise Refusal("nothing_to_take_back")
    return tuple(stand)


def apply_changes(tables: Tables, steps: Iterable[Step]) -> Tables:
    """Return the tables after all `steps`, in their order. Raises the Refusal of the first impossible one."""
    for change in standing(steps):
        tables = change.apply(tables)
    return tables


def touched(before: Tables, after: Tables) -> tuple[int, ...]:
    """Return the numbers of the tables whose seats differ afterwards."""
    both = zip_longest(before, after, fillvalue=())
    return tuple(number for number, (then, now) in enumerate(both, start=1) if then != now)


def change_from_dict(source: Mapping[str, object]) -> Step:
    """Return the change that `to_dict` wrote as `source`. Raises Refusal `unknown_change` (kind)."""
    kind = source.get("kind")
    step = _STEPS.get(kind) if isinstance(kind, str) else None
    if step is None:
        raise Refusal("unknown_change", kind=kind)
    numbers: dict[str, Any] = {field.name: source.get(field.name) for field in fields(step)}
    if source.keys() != {"kind", *numbers} or any(type(number) is not int for number in numbers.values()):
        raise Refusal("unknown_change", kind=kind)
    return step(**numbers)


def _refuse_unseated(tables: Tables, *players: int) -> None:
    seated = {player for table in tables for player in table}
    for player in players:
        if player not in seated:
            raise Refusal("not_at_a_table", start_number=player)


def _refuse_seated(tables: Tables, player: int) -> None:
    if any(player in table for table in tables):
        raise Refusal("already_at_a_table", start_number=player)
