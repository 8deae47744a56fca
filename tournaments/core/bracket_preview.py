"""Where players drop out: how many rounds it takes, and how many play in each (RULES 4.2).

the final  the round of those who fit at one table; its winner has won the tournament
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.core.sizes import sizes_of_round
from tournaments.rulesets.schema import Qualifying, Ruleset


@dataclass(frozen=True, slots=True)
class Stage:
    """A round that is to come: how many play in it, and at tables of which sizes."""

    number: int
    players: int
    sizes: tuple[int, ...]

    @property
    def is_final(self) -> bool:
        return len(self.sizes) == 1


def stages(players: int, ruleset: Ruleset, *, first: int = 1) -> tuple[Stage, ...]:
    """The rounds from number `first` on if so many players play it and nobody shares a rank at the cut.

    Empty where rounds do not follow from the entries. Raises Refusal for head counts without a seating.
    """
    return () if ruleset.qualifying is None else tuple(_stages(players, ruleset, ruleset.qualifying, first))


def _stages(players: int, ruleset: Ruleset, qualifying: Qualifying, number: int) -> Iterator[Stage]:
    sizes = sizes_of_round(players, ruleset.tables, qualifying).sizes
    yield Stage(number, players, sizes)
    if len(sizes) > 1:
        yield from _stages(len(sizes) * qualifying.go_on, ruleset, qualifying, number + 1)
