"""How many pairs must meet again, whatever the draw does: counted, not searched for.

Source: counting alone. The players of one table who are to sit at several meet least when they are spread as evenly
as possible: k = qT + s players over T tables leave s times C(q + 1, 2) and T - s times C(q, 2) pairs together, where
C is the binomial coefficient (what one player more costs never falls, so the cheapest seats are taken first).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, combinations


def forced_pairs(players: int, tables: int) -> int:
    """How many pairs of so many players sit together at least, when they are spread over so many tables."""
    share, larger = divmod(players, tables)
    return larger * (share + 1) * share // 2 + (tables - larger) * share * (share - 1) // 2


def forced_repeats(groups: Sequence[int], sizes: Sequence[int], *, leaving: int = 0) -> int:
    """How many pairs that sat together in one earlier round meet again at least.

    groups: for each table of that round how many of its players are here. sizes: players at the tables now, among
    them any number who were not there then. leaving: how many of those who are here will not play, whoever they are.

    Counted from both sides, and the larger number holds: the companions of then are spread over the tables of now
    and, the other way round, each table of now is filled from the tables of then. With sizes that differ by one at
    most it is the first, and it can be reached (see `even_split`).
    """
    tables_then = sum(1 for group in groups if group)
    players = sum(groups) - leaving
    if players <= 0:
        return 0
    spread = _cheapest(players, groups, len(sizes))
    return spread if are_even(sizes) else max(spread, _cheapest(players, sizes, tables_then))


def forced_triples(places: Iterable[Sequence[int]], tables: int) -> int:
    """How many times at least a pair that met in two earlier rounds meets in a third, over all pairs of these rounds.

    places: for each earlier round the table of each player of now, -1 for who was not there. tables: how many now.
    """
    return sum(
        forced_pairs(together, tables)
        for one, other in combinations(places, 2)
        for (table, later), together in Counter(zip(one, other, strict=True)).items()
        if table >= 0 and later >= 0
    )


def are_even(sizes: Sequence[int]) -> bool:
    """Whether the sizes of the tables differ by one at most."""
    return max(sizes) - min(sizes) <= 1


def _cheapest(players: int, groups: Iterable[int], tables: int) -> int:
    """The pairs of which there must be some when so many players of these groups are spread over so many tables."""
    costs = sorted(chain.from_iterable((place // tables for place in range(group)) for group in groups))
    return sum(costs[:players])
