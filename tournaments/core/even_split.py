"""The most even spread of former companions over the new tables: exact, and without search.

The players of a round are the edges of a bipartite multigraph. Its nodes are the tables of one earlier round on one
side and those of another on the other side; an edge joins the two tables at which a player sat. New tables are
colours of the edges. For every number of colours there is a colouring that is *equitable* (the players of an
earlier table are spread over the new ones with a difference of at most one), *balanced* (so are the players who sat
together in both rounds) and *equalised* (so are the sizes of the new tables): D. de Werra, "Equitable colorations of
graphs", RIRO 5 R-3 (1971). If no earlier table had more players than there are new tables, no pair meets again. For
a third round after two without repeats this is D. König's theorem on the edges of bipartite graphs (1916).

The algorithm follows the proof. Two new tables over which the players of an earlier table are spread unevenly are
merged and split again along trails of the graph, whose players go to the two tables alternately. No other spread
gets worse, so one pass is enough.

Players and tables are numbered from 0. The *places* of an earlier round are the table of each player, -1 for an
absent player.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

Places = Sequence[int]
_Node = tuple[int, int]


def even_out(tables: list[list[int]], table_of: list[int], rounds: Sequence[Places]) -> bool:
    """Change `tables`, and `table_of` (the table of each player), until no spread can be more even.

    rounds: the places of one or two earlier rounds. Every table keeps its size; the sizes must not differ by more
    than one. Return True if some players meet again all the same.
    """
    meet = False
    for places in rounds:
        for group in _crowded_groups(table_of, places):
            meet |= _spread(group, tables, table_of, rounds)
    if meet and len(rounds) == 2:
        for group in _crowded_groups(table_of, _both(*rounds)):
            _spread(group, tables, table_of, rounds)
    return meet


def _spread(
    group: Sequence[int], tables: list[list[int]], table_of: list[int], rounds: Sequence[Places]
) -> bool:
    """Split tables until the players of a group are spread evenly. Return True if some still share a table."""
    while True:
        seated = [table_of[player] for player in group]
        if len(set(seated)) == len(seated):
            return False
        fullest, emptiest = _extremes(Counter(seated), tables)
        if seated.count(fullest) - seated.count(emptiest) < 2:
            return True
        halves = split(tables[fullest], tables[emptiest], rounds)
        for number, players in zip((fullest, emptiest), halves, strict=True):
            tables[number] = players
            for player in players:
                table_of[player] = number


def meetings(table_of: Sequence[int], places: Places) -> list[tuple[int, int]]:
    """Return each (earlier table, table now) that two or more players have in common."""
    width = max(table_of) + 1
    keys = [earlier * width + now for earlier, now in zip(places, table_of, strict=True)]
    counts = Counter(keys)
    if len(counts) == len(keys):
        return []
    return [divmod(key, width) for key, players in counts.items() if players > 1 and key >= 0]


def _crowded_groups(table_of: Sequence[int], places: Places) -> Iterable[list[int]]:
    """Return all players of each earlier table of which two or more sit together now."""
    groups: dict[int, list[int]] = {earlier: [] for earlier, _ in meetings(table_of, places)}
    if groups:
        for player, table in enumerate(places):
            if table in groups:
                groups[table].append(player)
    return groups.values()


def _both(first: Places, second: Places) -> list[int]:
    """Return for each player the number of their pair of tables in the two rounds; -1 if absent from either."""
    width = max(second) + 1
    return [
        table * width + later if table >= 0 and later >= 0 else -1
        for table, later in zip(first, second, strict=True)
    ]


def _extremes(counts: Counter[int], tables: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Return the table with the most of a group, and one with the fewest: one of the same size if there is one."""
    fullest = max(counts, key=lambda table: (counts[table], -table))
    least = 0 if len(counts) < len(tables) else min(counts.values())
    emptiest = fullest
    for step in range(1, len(tables)):
        table = (fullest + step) % len(tables)
        if counts[table] == least:
            if len(tables[table]) == len(tables[fullest]):
                return fullest, table
            emptiest = table if emptiest == fullest else emptiest
    return fullest, emptiest


def split(
    first: Sequence[int], second: Sequence[int], rounds: Sequence[Places]
) -> tuple[list[int], list[int]]:
    """Split the players of two tables into tables of the same two sizes so that all groups of companions are halved.

    The sizes must not differ by more than one.
    """
    halves: tuple[list[int], list[int]] = ([], [])
    alone: dict[tuple[_Node, _Node], int] = {}
    for player in (*first, *second):
        ends = _ends(player, rounds)
        partner = alone.pop(ends, None)
        if partner is None:
            alone[ends] = player
        else:
            halves[0].append(partner)
            halves[1].append(player)
    larger = 0 if len(first) >= len(second) else 1
    for trail in _trails(alone):
        side = larger
        if len(trail) % 2:
            larger = 1 - larger
        for player in trail:
            halves[side].append(player)
            side = 1 - side
    return halves


def _ends(player: int, rounds: Sequence[Places]) -> tuple[_Node, _Node]:
    """Return the two tables of a player; for a round that they missed, a table that no other player has."""
    tables = [rounds[number][player] if number < len(rounds) else -1 for number in (0, 1)]
    first, second = ((number, table if table >= 0 else -1 - player) for number, table in enumerate(tables))
    return first, second


def _trails(edges: dict[tuple[_Node, _Node], int]) -> Iterator[list[int]]:
    """Yield all edges in trails of maximal length; open trails come before closed ones."""
    at: defaultdict[_Node, dict[int, _Node]] = defaultdict(dict)
    for (here, there), player in edges.items():
        at[here][player] = there
        at[there][player] = here
    for is_open in (True, False):
        for start in list(at):
            while len(at[start]) % 2 if is_open else at[start]:
                node, trail = start, []
                while at[node]:
                    player, following = next(iter(at[node].items()))
                    del at[node][player], at[following][player]
                    trail.append(player)
                    node = following
                yield trail
