"""Preview of a draw with a few players more or fewer."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tournaments.core.draw import Tables
from tournaments.core.refusal import Refusal
from tournaments.core.repeats import least_repeats
from tournaments.core.sizes import Sizes, outlook
from tournaments.rulesets.schema import Qualifying, TableRules


@dataclass(frozen=True, slots=True)
class Preview:
    """One head count: its tables, or the reason why there are none.

    repeats: number that cannot be avoided, no matter who stays away or comes; players who come count as new.
    """

    players: int
    sizes: Sizes | None
    refusal: Refusal | None = None
    repeats: int = 0

    @property
    def tables(self) -> int:
        return len(self.sizes.sizes) if self.sizes else 0


def previews(
    here: Collection[int],
    tables: TableRules,
    qualifying: Qualifying | None = None,
    *,
    history: Sequence[Tables] = (),
) -> tuple[Preview, ...]:
    """Return previews from three fewer to three more players than are `here` (start numbers), ascending."""
    rows = []
    for count, sizes in outlook(len(here), tables, qualifying):
        if isinstance(sizes, Refusal):
            rows.append(Preview(count, None, sizes))
            continue
        leaving = max(0, len(here) - count)
        repeats = least_repeats(history, here, sizes.sizes, leaving=leaving)
        rows.append(Preview(count, sizes, None, repeats))
    return tuple(rows)
