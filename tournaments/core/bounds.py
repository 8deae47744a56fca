"""Lower bounds on the pairs that meet again, valid for every draw. They are counted, not searched for.

Source: a counting argument. The players of one table, seated at several tables, keep the fewest pairs when they are
spread as evenly as possible: k = qT + s players over T tables leave s times C(q + 1, 2) and T - s times C(q, 2)
pairs together, where C is the binomial coefficient. (The cost of one more player never falls, so taking the cheapest
seats first is optimal.)
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, combinations


def forced_pairs(players: int, tables: int) -> int:
    """Return the least number of pairs that share a table when so many players sit at so many tables."""
    share, larger = divmod(players, tables)
    return larger * (share + 1) * share // 2 + (tables - larger) * share * (share - 1) // 2


def forced_repeats(groups: Sequence[int], sizes: Sequence[int], *, leaving: int = 0) -> int:
    """Return the least number of pairs of one earlier round that meet again.

    groups: for each table of that round, the number of its players who are present. sizes: players at each table now,
    including any number who missed that round. leaving: number of present players, no matter which, who will not play.

    The result is the larger of two bounds. One spreads the players of each earlier table over the new tables, the
    other fills each new table from the earlier tables. If the sizes differ by at most one, the first bound is the
    larger, and it can be reached (see `even_split`).
    """
    tables_then = sum(1 for group in groups if group)
    players = sum(groups) - leaving
    if players <= 0:
        return 0
    spread = _cheapest(players, groups, len(sizes))
    return spread if are_even(sizes) else max(spread, _cheapest(players, sizes, tables_then))


def forced_triples(places: Iterable[Sequence[int]], tables: int) -> int:
    """Return the least number of third meetings: pairs that met in two earlier rounds, for all pairs of such rounds.

    places: for each earlier round, the table of each present player, -1 if absent then. tables: their number now.
    """
    return sum(
        forced_pairs(together, tables)
        for first, second in combinations(places, 2)
        for (table, later), together in Counter(zip(first, second, strict=True)).items()
        if table >= 0 and later >= 0
    )


def are_even(sizes: Sequence[int]) -> bool:
    """Return whether the sizes of the tables differ by at most one."""
    return max(sizes) - min(sizes) <= 1


def _cheapest(players: int, groups: Iterable[int], tables: int) -> int:
    """Return the least number of pairs when so many players of these groups are spread over so many tables."""
    costs = sorted(chain.from_iterable((place // tables for place in range(group)) for group in groups))
    return sum(costs[:players])
