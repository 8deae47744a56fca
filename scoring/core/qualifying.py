"""Knockout: how many rounds it takes, and who goes on after each (RULES 4.2).

the cut    the rank up to which the players of a table go on; who shares it goes on as well
the final  the round of those who fit at one table; its winner has won the tournament
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tournaments.core.sizes import Sizes, table_sizes
from tournaments.rulesets.schema import Qualifying, Ruleset, TableRules


@dataclass(frozen=True, slots=True)
class Stage:
    """A round that is to come: how many play in it, and at tables of which sizes."""

    number: int
    players: int
    sizes: tuple[int, ...]

    @property
    def is_final(self) -> bool:
        return len(self.sizes) == 1


def sizes_of_round(players: int, tables: TableRules, qualifying: Qualifying | None) -> Sizes:
    """The tables of a round for so many players; those who are few enough for the final sit at one.

    Raises Refusal as `table_sizes` does.
    """
    if qualifying is not None and 2 <= players <= qualifying.final:
        return Sizes((players,))
    return table_sizes(players, tables)


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


def going_on(ranks: Mapping[int, int], qualifying: Qualifying) -> frozenset[int]:
    """Who of a table plays the next round, from everybody's rank at it; of the final nobody does.

    A rank up to the cut is held by the best of the table and by all who share the rank at the cut.
    """
    return frozenset(player for player, rank in ranks.items() if rank <= qualifying.go_on)
