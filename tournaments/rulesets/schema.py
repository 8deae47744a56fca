"""A ruleset: everything about a rule sheet that is a number or a switch, frozen and checked.

Standard library only. A tournament stores `Ruleset.to_dict()` of the ruleset it was created with, so that a
change to a preset never changes an old result; the same dictionary stands in the tournament document.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, is_dataclass
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

_T = TypeVar("_T")

Prefer = Literal["smaller", "larger"]
Confirmation = Literal["required", "optional", "paper"]
Ending = Literal["knock", "schnauz", "feuer", "handschnauz"]
Mark = Literal["schnauz", "feuer"]
TieBreak = Literal["strokes"]

LARGEST_TABLE = 12
MOST_ROUNDS = 20
MOST_CENTS = 1_000_000

_NAME = re.compile(r"[a-z0-9-]{1,60}")


class RulesetError(ValueError):
    """A ruleset that cannot be: `path` names the field ("tables.sizes"), the message says what is wrong."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path
        self.message = message


@dataclass(frozen=True, slots=True)
class TableRules:
    """How many sit at a table.

    sizes: the regular sizes, ascending. exceptions: sizes for head counts that regular tables cannot seat,
    in the order in which they are tried, as few tables of such a size as possible, and only on the
    organiser's yes. prefer: where several splits are possible, more smaller or more larger tables.
    """

    sizes: tuple[int, ...]
    exceptions: tuple[int, ...]
    prefer: Prefer

    def __post_init__(self) -> None:
        if not self.sizes:
            raise RulesetError("sizes", "at least one table size is needed")
        if list(self.sizes) != sorted(set(self.sizes)):
            raise RulesetError("sizes", "table sizes must ascend, each named once")
        for name in ("sizes", "exceptions"):
            if any(not 2 <= size <= LARGEST_TABLE for size in getattr(self, name)):
                raise RulesetError(name, f"a table seats 2 to {LARGEST_TABLE} players")
        if len(set(self.exceptions)) != len(self.exceptions) or set(self.exceptions) & set(self.sizes):
            raise RulesetError("exceptions", "each table size may be named once")

    @property
    def smallest(self) -> int:
        return min(self.sizes + self.exceptions)

    @property
    def largest(self) -> int:
        return max(self.sizes + self.exceptions)


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a player puts into the pot of his table in each round, and which ranks get their stake back.

    The winner of the table gets the rest.
    """

    stake_cents: int
    returned_to_ranks: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 0 < self.stake_cents <= MOST_CENTS:
            raise RulesetError("stake_cents", f"a stake is 1 to {MOST_CENTS} cents")
        if any(not 2 <= rank <= LARGEST_TABLE for rank in self.returned_to_ranks):
            raise RulesetError("returned_to_ranks", "a stake can be returned to ranks from 2 on")


@dataclass(frozen=True, slots=True)
class SurvivalRules:
    """A sheet on which players lose lives, swim, drown, and the last one left wins the table.

    lives: lost deals before a player swims; with the next one he drowns. endings: how a deal can end.
    all_others_lose: endings on which everybody still in but the finisher loses. marks: what a stroke on the
    tally can be for.
    """

    kind: Literal["survival"]
    lives: int
    endings: tuple[Ending, ...]
    all_others_lose: tuple[Ending, ...]
    marks: tuple[Mark, ...]

    def __post_init__(self) -> None:
        if not 0 <= self.lives <= 20:
            raise RulesetError("lives", "a player starts with 0 to 20 lives")
        if "knock" not in self.endings:
            raise RulesetError("endings", "a deal can always end by a knock")
        if not set(self.all_others_lose) <= set(self.endings) - {"knock"}:
            raise RulesetError("all_others_lose", "only an ending with a finisher can make all others lose")


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One rule sheet.

    name: its identifier, as in a document; title, title_en: what people call it. rounds: rounds of the
    evening. entry_fee_cents: paid once a player. points: per round by rank at the table, the last one for
    all further ranks. tie_break: what decides after the points, in this order. scribe: who writes.
    confirmation: whether players confirm a sheet before it is handed in. pen_needs_supervisor: whether
    another phone may take over the sheet only with the supervisor's consent.
    """

    name: str
    title: str
    title_en: str
    rounds: int
    entry_fee_cents: int
    tables: TableRules
    points: tuple[int, ...]
    tie_break: tuple[TieBreak, ...]
    stakes: Stakes | None
    scribe: Literal["seat_1"]
    confirmation: Confirmation
    pen_needs_supervisor: bool
    sheet: SurvivalRules

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise RulesetError("name", "1 to 60 letters a-z, digits and hyphens")
        for name in ("title", "title_en"):
            title = getattr(self, name)
            if not 0 < len(title.strip()) <= 120 or not title.isprintable():
                raise RulesetError(name, "1 to 120 characters, all of them visible")
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise RulesetError("rounds", f"a tournament has 1 to {MOST_ROUNDS} rounds")
        if not 0 <= self.entry_fee_cents <= MOST_CENTS:
            raise RulesetError("entry_fee_cents", f"an entry fee is 0 to {MOST_CENTS} cents")
        if not self.points or any(not -1000 <= points <= 1000 for points in self.points):
            raise RulesetError("points", "one number from -1000 to 1000 for each rank")
        if list(self.points) != sorted(self.points, reverse=True):
            raise RulesetError("points", "a better rank never gets fewer points")

    def points_for_rank(self, rank: int) -> int:
        """Points of a round for a rank (1 = winner) at the table; the last one holds for all further ranks."""
        return self.points[min(rank, len(self.points)) - 1]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON knows it: tuples become lists."""
        plain: dict[str, Any] = _listed(asdict(self))
        return plain

    @classmethod
    def from_dict(cls, source: Mapping[str, Any]) -> "Ruleset":
        """The ruleset written down in `source` (TOML, JSON). Raises RulesetError on the first bad field."""
        return _read(cls, source, "")


_EXPECTED = {int: "a whole number is expected", str: "a text is expected", bool: "yes or no"}


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _listed(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_listed(item) for item in value]
    return value


def _read(cls: type[_T], source: object, path: str) -> _T:
    if not isinstance(source, Mapping):
        raise RulesetError(path, "a table of fields is expected")
    hints = get_type_hints(cls)
    unknown = sorted(str(key) for key in source.keys() - hints.keys())
    if unknown:
        raise RulesetError(_join(path, unknown[0]), "this field is not known")
    needed = [name for name, hint in hints.items() if get_origin(hint) is not UnionType]
    missing = [name for name in needed if name not in source]
    if missing:
        raise RulesetError(_join(path, missing[0]), "this field is missing")
    values = {name: _value(hint, source.get(name), _join(path, name)) for name, hint in hints.items()}
    try:
        return cls(**values)
    except RulesetError as error:
        raise error if not path else RulesetError(_join(path, error.path), error.message) from None


def _value(hint: Any, value: object, path: str) -> Any:
    """`value` as the annotation `hint` wants it; bool is no int, and nothing is converted silently."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is UnionType:
        return None if value is None else _value(arguments[0], value, path)
    if origin is Literal:
        if value not in arguments:
            raise RulesetError(path, "one of " + ", ".join(map(str, arguments)))
        return value
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise RulesetError(path, "a list is expected")
        return tuple(_value(arguments[0], item, f"{path}[{index}]") for index, item in enumerate(value))
    if is_dataclass(hint):
        return _read(hint, value, path)  # type: ignore[arg-type]
    if type(value) is not hint:
        raise RulesetError(path, _EXPECTED[hint])
    return value


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
