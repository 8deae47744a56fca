"""The seats of the latest released round, with names as they are shown, and who came or went after its draw."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from scoring.queries.released import Released
from tournaments.core.draw import Joined, Left, Replaced, change_from_dict, standing
from tournaments.core.name_order import surname_first, with_initial
from tournaments.core.names import public_name
from tournaments.models import Tournament
from tournaments.queries.seating import is_scribe


@dataclass(frozen=True, slots=True)
class PublicSeat:
    """A seat with its player. named: "full", "short" or "number", as the name is shown here. is_missing: looked for in the hall.

    defends_title: whether to mark the player, who won the evening before, see `title_holders`. is_shortened: whether a long list
    has room for the initial of the first name only.
    """

    table_number: int
    seat_number: int
    start_number: int
    name: str
    is_scribe: bool = False
    named: str = "full"
    is_missing: bool = False
    defends_title: bool = False
    is_shortened: bool = False

    @property
    def is_number(self) -> bool:
        return self.named == Tournament.Names.NUMBER

    @property
    def listed_name(self) -> str:
        """The name as in lists in which one looks for a surname."""
        return self.name if self.is_number else surname_first(self.name)

    @property
    def listed_parts(self) -> tuple[str, str]:
        """Surname and first name in a list, "" where there is but one."""
        name = with_initial(self.listed_name) if self.is_shortened else self.listed_name
        surname, _comma, first = name.partition(", ")
        return surname, first


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats of a released round: its id and the time of its release, and the players of each table.

    joined, missing: see `PublicRound`.
    """

    release: tuple[int, datetime]
    by_table: Mapping[int, tuple[PublicSeat, ...]]
    joined: tuple[int, ...]
    missing: tuple[int, ...]


def seating_of(released: Released, names: str, titled: Collection[int], *, seat_1_writes: bool) -> Seating:
    """Return the seating of a round that was read with its seats. names: the setting for players without a choice of their own.

    titled: the numbers of those who defend the title, which is said of nobody who is shown as a number.
    """
    by_table: dict[int, list[PublicSeat]] = {table: [] for table, *_ in released.tables}
    for table, scribe, seat, number, name, wish, person in released.seated:
        by_table[table].append(
            PublicSeat(
                table,
                seat,
                number,
                public_name(name, number, wish or names),
                is_scribe=is_scribe(scribe, person, seat, seat_1_writes=seat_1_writes),
                named=wish or names,
                defends_title=number in titled and (wish or names) != Tournament.Names.NUMBER,
            )
        )
    joined, missing = _came_and_went(released.changes)
    return Seating(
        released.release, {table: tuple(seats) for table, seats in by_table.items()}, joined, missing
    )


def _came_and_went(steps: Iterable[Mapping[str, object]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return those who were seated after the draw and those who lost their seat, unless that was revoked."""
    came: list[int] = []
    went: list[int] = []
    for change in standing(map(change_from_dict, steps)):
        match change:
            case Joined(player, _):
                came.append(player)
            case Left(player):
                went.append(player)
            case Replaced(player, substitute):
                went.append(player)
                came.append(substitute)
    return tuple(p for p in came if p not in went), tuple(p for p in went if p not in came)
