"""Who sits where: the draw of one round, repeatable from its record, and the changes made to it by hand.

Terms: a *table* is a tuple of start numbers in the order of the seats (the first has seat 1); the tables of
a round are a tuple in the order of the table numbers (the first is table 1). A *seed* is 64 hexadecimal
digits, 256 bits. A draw is never stored alone: version, mode, seed, players, sizes and changes are, and
`draw` followed by `apply_changes` gives the same tables again on every machine.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tournaments.core.refusal import Refusal
from tournaments.core.stream import RandomStream

DRAW_VERSION = 1

Table = tuple[int, ...]
Tables = tuple[Table, ...]

_SEED = re.compile(r"[0-9a-fA-F]{64}")


def draw(*, version: int, mode: str, seed: str, players: Iterable[int], sizes: Sequence[int]) -> Tables:
    """The tables that follow from a draw's record.

    version: of the procedure, DRAW_VERSION for a new draw. mode: "random". players: start numbers, in any
    order. sizes: players at table 1, 2, ... The result depends on nothing else.

    Refuses `unknown_draw` (version, mode), `seed_bad`, `player_twice` (start_number), `sizes_do_not_match`
    (players, seats).
    """
    place = _MODES.get((version, mode))
    if place is None:
        raise Refusal("unknown_draw", version=version, mode=mode)
    return place(_stream(seed), _checked_players(players, sizes), sizes)


def _place_at_random(stream: RandomStream, players: Sequence[int], sizes: Sequence[int]) -> Tables:
    """Every seating equally likely: the players, ascending, are shuffled and fill seat after seat."""
    waiting = iter(stream.shuffled(players))
    return tuple(tuple(next(waiting) for _ in range(size)) for size in sizes)


_MODES: Mapping[tuple[int, str], Callable[[RandomStream, Sequence[int], Sequence[int]], Tables]] = {
    (1, "random"): _place_at_random,
}


def is_seed(text: str) -> bool:
    """Whether this is a seed: 64 hexadecimal digits."""
    return _SEED.fullmatch(text) is not None


def _stream(seed: str) -> RandomStream:
    if not is_seed(seed):
        raise Refusal("seed_bad")
    return RandomStream(bytes.fromhex(seed))


def _checked_players(players: Iterable[int], sizes: Sequence[int]) -> list[int]:
    """The players, ascending, once it is sure that each is named once and that the seats are as many."""
    ascending = sorted(players)
    for one, next_one in pairwise(ascending):
        if one == next_one:
            raise Refusal("player_twice", start_number=one)
    if sum(sizes) != len(ascending) or any(size < 1 for size in sizes):
        raise Refusal("sizes_do_not_match", players=len(ascending), seats=sum(sizes))
    return ascending


@dataclass(frozen=True, slots=True)
class Swap:
    """Two players, by start number, exchange their seats (at one table too: seat 1 writes)."""

    a: int
    b: int

    def apply(self, tables: Tables) -> Tables:
        """The tables after it. Refuses `same_player` and `not_at_a_table` (start_number)."""
        if self.a == self.b:
            raise Refusal("same_player")
        _refuse_unseated(tables, self.a, self.b)
        other = {self.a: self.b, self.b: self.a}
        return tuple(tuple(other.get(player, player) for player in table) for table in tables)

    def to_dict(self) -> dict[str, object]:
        return {"kind": "swap", "a": self.a, "b": self.b}

    @classmethod
    def from_dict(cls, source: Mapping[str, object]) -> "Swap":
        """The swap written down in `source`. Refuses `unknown_change`."""
        a, b = source.get("a"), source.get("b")
        if source.keys() != {"kind", "a", "b"} or type(a) is not int or type(b) is not int:
            raise Refusal("unknown_change", kind="swap")
        return cls(a, b)


Change = Swap
"""Whatever can be done to a drawn round by hand; a union once there is more than one kind."""

_CHANGES: Mapping[object, type[Change]] = {"swap": Swap}


def apply_changes(tables: Tables, changes: Iterable[Change]) -> Tables:
    """The tables after all `changes`, in their order. Refuses what the first impossible one refuses."""
    for change in changes:
        tables = change.apply(tables)
    return tables


def change_from_dict(source: Mapping[str, object]) -> Change:
    """The change written down in `source`, as `to_dict` writes it. Refuses `unknown_change` (kind)."""
    kind = source.get("kind")
    change = _CHANGES.get(kind) if isinstance(kind, str) else None
    if change is None:
        raise Refusal("unknown_change", kind=kind)
    return change.from_dict(source)


def _refuse_unseated(tables: Tables, *players: int) -> None:
    seated = {player for table in tables for player in table}
    for player in players:
        if player not in seated:
            raise Refusal("not_at_a_table", start_number=player)
