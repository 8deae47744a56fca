"""Preview of a draw with a few players more or fewer."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.core.draw import Tables
from tournaments.core.refusal import Refusal
from tournaments.core.repeats import least_repeats
from tournaments.core.sizes import Sizes, outlook
from tournaments.rulesets.schema import Qualifying, TableRules


@dataclass(frozen=True, slots=True)
class Preview:
    """One head count: its tables, or the reason why there are none.

    repeats: number that cannot be avoided, no matter who stays away or comes; players who come count as new.
    points: average per player, None if a round gives no points by rank.
    """

    players: int
    sizes: Sizes | None
    refusal: Refusal | None = None
    repeats: int = 0
    points: Fraction | None = None

    @property
    def tables(self) -> int:
        return len(self.sizes.sizes) if self.sizes else 0


def previews(
    here: Collection[int],
    tables: TableRules,
    qualifying: Qualifying | None = None,
    *,
    history: Sequence[Tables] = (),
    points: Sequence[int] = (),
) -> tuple[Preview, ...]:
    """Return previews from three fewer to three more players than are `here` (start numbers), ascending.

    points: of a round by rank at the table, the last one for all further ranks; empty if there are none.
    """
    rows = []
    for count, sizes in outlook(len(here), tables, qualifying):
        if isinstance(sizes, Refusal):
            rows.append(Preview(count, None, sizes))
            continue
        leaving = max(0, len(here) - count)
        repeats = least_repeats(history, here, sizes.sizes, leaving=leaving)
        rows.append(Preview(count, sizes, None, repeats, points_a_head(sizes.sizes, points)))
    return tuple(rows)


def points_a_head(sizes: Sequence[int], points: Sequence[int]) -> Fraction | None:
    """Return a player's average points in a round without shared ranks; None without points by rank."""
    if not points:
        return None
    total = sum(points[min(rank, len(points)) - 1] for size in sizes for rank in range(1, size + 1))
    return Fraction(total, sum(sizes))
