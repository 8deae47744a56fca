"""The rounds of a knockout: how many there are, and how many play in each (RULES 4.2).

the final  the round whose players fit at one table; its winner wins the tournament
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.core.sizes import sizes_of_round
from tournaments.rulesets.schema import Qualifying, Ruleset


@dataclass(frozen=True, slots=True)
class Stage:
    """A future round: the number of its players and the sizes of its tables."""

    number: int
    players: int
    sizes: tuple[int, ...]

    @property
    def is_final(self) -> bool:
        return len(self.sizes) == 1


def stages(players: int, ruleset: Ruleset, *, first: int = 1) -> tuple[Stage, ...]:
    """Return the rounds from number `first` on if so many players play it and no rank at the cut is shared.

    Empty if rounds do not follow from the entries. Raises Refusal for head counts without a seating.
    """
    return () if ruleset.qualifying is None else tuple(_stages(players, ruleset, ruleset.qualifying, first))


def _stages(players: int, ruleset: Ruleset, qualifying: Qualifying, number: int) -> Iterator[Stage]:
    sizes = sizes_of_round(players, ruleset.tables, qualifying).sizes
    yield Stage(number, players, sizes)
    if len(sizes) > 1:
        yield from _stages(len(sizes) * qualifying.go_on, ruleset, qualifying, number + 1)
