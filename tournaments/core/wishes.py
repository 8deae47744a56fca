"""Wishes: constraints that the organiser puts on a draw for certain players, each with a reason kept from the public.

Tables count from 1; players are start numbers. Of a private wish the public learns only that there is one.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import ClassVar

from tournaments.core.refusal import Refusal


@dataclass(frozen=True, slots=True)
class _Wished:
    """A wish, made of two numbers and its remarks. kind: its name in a document."""

    kind: ClassVar[str]

    def to_dict(self) -> dict[str, object]:
        """Return the wish as in a document. A wish without "private" is public."""
        return {"kind": self.kind} | {
            name: value for name, value in asdict(self).items() if value is not False
        }


@dataclass(frozen=True, slots=True)
class KeepApart(_Wished):
    """Two players who do not sit at one table."""

    kind = "keep_apart"
    a: int
    b: int
    reason: str = ""
    private: bool = False

    @property
    def players(self) -> tuple[int, ...]:
        return self.a, self.b


@dataclass(frozen=True, slots=True)
class FixedTable(_Wished):
    """A player who sits at the table of this number, for instance because they cannot walk far."""

    kind = "fixed_table"
    player: int
    table: int
    reason: str = ""
    private: bool = False

    @property
    def players(self) -> tuple[int, ...]:
        return (self.player,)


Wish = KeepApart | FixedTable

_KINDS: Mapping[object, type[Wish]] = {wish.kind: wish for wish in (KeepApart, FixedTable)}


def wish_from_dict(source: Mapping[str, object]) -> Wish:
    """Return the wish that `to_dict` wrote as `source`; its remarks may be missing. Raises Refusal `unknown_wish`."""
    kind = source.get("kind")
    make = _KINDS.get(kind) if isinstance(kind, str) else None
    if make is None:
        raise Refusal("unknown_wish")
    names = [field.name for field in fields(make)][:2]
    first, second = (source.get(name) for name in names)
    reason, private = source.get("reason", ""), source.get("private") or False
    if source.keys() - {"reason", "private"} != {"kind", *names}:
        raise Refusal("unknown_wish")
    if not isinstance(reason, str) or not isinstance(private, bool):
        raise Refusal("unknown_wish")
    if type(first) is not int or type(second) is not int:
        raise Refusal("unknown_wish")
    return make(first, second, reason, private)


def fixed_tables(wishes: Iterable[Wish]) -> dict[int, int]:
    """Return the table number of each player with a fixed table. Raises Refusal `wish_two_tables` (start_number)."""
    tables: dict[int, int] = {}
    for wish in wishes:
        if isinstance(wish, FixedTable) and tables.setdefault(wish.player, wish.table) != wish.table:
            raise Refusal("wish_two_tables", start_number=wish.player)
    return tables


def check_wishes(wishes: Sequence[Wish], players: Collection[int], sizes: Sequence[int]) -> None:
    """Refuse wishes that are impossible alone or together. Whether all of them find room is not checked.

    Raises Refusal `wish_not_playing` (start_number), `same_player`, `unknown_table` (table), `wish_two_tables`
    (start_number), `wish_table_full` (table, seats), `wish_apart_at_one_table` (a, b, table).
    """
    for wish in wishes:
        for player in wish.players:
            if player not in players:
                raise Refusal("wish_not_playing", start_number=player)
        if isinstance(wish, KeepApart) and wish.a == wish.b:
            raise Refusal("same_player")
        if isinstance(wish, FixedTable) and not 1 <= wish.table <= len(sizes):
            raise Refusal("unknown_table", table=wish.table)
    tables = fixed_tables(wishes)
    for table, fixed in sorted(Counter(tables.values()).items()):
        if fixed > sizes[table - 1]:
            raise Refusal("wish_table_full", table=table, seats=sizes[table - 1])
    for wish in wishes:
        if isinstance(wish, KeepApart) and wish.a in tables and tables[wish.a] == tables.get(wish.b):
            raise Refusal("wish_apart_at_one_table", a=wish.a, b=wish.b, table=tables[wish.a])
