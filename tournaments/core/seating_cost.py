"""A seating under construction, and its cost function.

Players are numbered from 0 in an order drawn by lot, tables from 0 in their order. The cost function does not look at
start numbers, so the lot alone decides between two players with the same past.

The criteria, most important first: players to be kept apart are apart; as few pairs as possible meet again, and none a
third time; no player is scribe again; the sizes of the tables are shared out evenly; neighbours in the queue sit apart.
The *cost* is one whole number, in which each criterion weighs more than all later ones together.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tournaments.core.bounds import are_even, forced_repeats, forced_triples
from tournaments.core.even_split import Places, meetings

SeatingTables = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Past:
    """The players' past and wishes, the input of the cost function.

    sizes: of the tables now. history: the tables of each earlier round, in start numbers; places: the same as the
    table of each player, -1 if absent. number_of: a player's number, by start number. in_queue: each player's index in
    the queue; queue: the player at each index. scribed: how often each player was scribe. sat: how often each player
    sat at a table of a size, for each size there is now; empty if all tables have one size. fixed: the table of each
    player with a fixed one. apart: the players from whom a player is to be kept apart.
    """

    sizes: Sequence[int]
    history: Sequence[SeatingTables]
    places: Sequence[Places]
    number_of: Mapping[int, int]
    in_queue: Sequence[int]
    queue: Sequence[int]
    scribed: Sequence[int]
    sat: Mapping[int, Sequence[int]]
    fixed: Mapping[int, int]
    apart: Mapping[int, Sequence[int]]

    def companions(self, player: int) -> Iterator[int]:
        """Yield the players at the player's table in each earlier round, the player included, if they are here now."""
        for tables, places in zip(self.history, self.places, strict=True):
            if places[player] >= 0:
                for start_number in tables[places[player]]:
                    if start_number in self.number_of:
                        yield self.number_of[start_number]

    def neighbours(self, player: int) -> tuple[int, int]:
        """Return the players before and after the player in the queue; the last one counts as before the first."""
        place = self.in_queue[player]
        return self.queue[place - 1], self.queue[(place + 1) % len(self.queue)]


@dataclass(frozen=True, slots=True)
class Weights:
    """The cost of each fault; `again` is for a pair that meets once more, multiplied by its earlier meetings."""

    apart: int
    again: int
    thrice: int
    scribe: int
    size: int
    neighbour: int

    @classmethod
    def of(cls, past: Past) -> "Weights":
        players, rounds = len(past.queue), len(past.history) + 1
        size = players + 1
        scribe = size * (players * rounds + 1)
        thrice = scribe * (len(past.sizes) * rounds + 1)
        pairs = players * max(past.sizes) * rounds
        again = thrice * (pairs * rounds + 1)
        return cls(again * (pairs + 1), again, thrice, scribe, size, 1)


@dataclass(slots=True)
class Seating:
    """The tables, and the cost of their faults; players change places two at a time."""

    past: Past
    tables: list[list[int]]
    table_of: list[int]
    weights: Weights = field(init=False)
    _bonds: dict[int, dict[int, int]] = field(init=False, default_factory=dict)
    _pulls: dict[int, dict[int, int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.weights = Weights.of(self.past)

    # --- one player ------------------------------------------------------------------------------------------------

    def bonds(self, player: int) -> dict[int, int]:
        """Return the cost of sharing a table with each other player; a missing player costs nothing."""
        bonds = self._bonds.get(player)
        if bonds is None:
            bonds = self._bonds[player] = self._bonds_of(player)
        return bonds

    def _bonds_of(self, player: int) -> dict[int, int]:
        weights = self.weights
        met: dict[int, int] = {}
        bonds: dict[int, int] = {}
        for other in self.past.companions(player):
            times = met[other] = met.get(other, 0) + 1
            bonds[other] = weights.again * times + weights.thrice * (times * (times - 1) // 2)
        for other in self.past.neighbours(player):
            bonds[other] = bonds.get(other, 0) + weights.neighbour
        for other in self.past.apart.get(player, ()):
            bonds[other] = bonds.get(other, 0) + weights.apart
        bonds.pop(player, None)
        return bonds

    def pulls(self, player: int) -> dict[int, int]:
        """Return the cost of the player's bonds at each table; a missing table costs nothing."""
        pulls = self._pulls.get(player)
        if pulls is None:
            pulls = self._pulls[player] = {}
            for other, cost in self.bonds(player).items():
                table = self.table_of[other]
                pulls[table] = pulls.get(table, 0) + cost
        return pulls

    # --- changing places -------------------------------------------------------------------------------------------

    def differences(self, p: int, others: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Yield (difference, q): the growth in cost when p changes places with q, for each of `others` who may move."""
        past, table_of, s = self.past, self.table_of, self.table_of[p]
        at_p, bonds, scribed, size = self.pulls(p), self.bonds(p), past.scribed[p], past.sizes[s]
        here, office = at_p.get(s, 0), self.office(s)
        rest = [past.scribed[other] for other in self.tables[s] if other != p]
        for q in others:
            t = table_of[q]
            if t == s or q in past.fixed:
                continue
            at_q = self._pulls.get(q) or self.pulls(q)
            cost = at_p.get(t, 0) - here + at_q.get(s, 0) - at_q.get(t, 0) - 2 * bonds.get(q, 0)
            if past.sizes[t] != size:
                cost += self._change_of_size(p, size, past.sizes[t])
                cost += self._change_of_size(q, past.sizes[t], size)
            if past.scribed[q] != scribed:
                offices = min([past.scribed[q], *rest]) - office + self._change_of_scribe(t, q, p)
                cost += self.weights.scribe * offices
            yield cost, q

    def _change_of_size(self, player: int, size: int, other: int) -> int:
        return self.weights.size * (self.past.sat[other][player] - self.past.sat[size][player])

    def _change_of_scribe(self, table: int, without: int, player: int) -> int:
        """Return how much more often its scribe has been scribe if the player comes to a table for another one."""
        scribed = self.past.scribed
        others = [scribed[other] for other in self.tables[table] if other != without]
        return min([scribed[player], *others]) - self.office(table)

    def office(self, table: int) -> int:
        """Return how often the scribe of a table, the player who wrote least, has been scribe before."""
        return min([self.past.scribed[player] for player in self.tables[table]])

    def swap(self, p: int, q: int) -> None:
        """Let two players of different tables change places."""
        s, t = self.table_of[p], self.table_of[q]
        self.tables[s][self.tables[s].index(p)] = q
        self.tables[t][self.tables[t].index(q)] = p
        self.table_of[p], self.table_of[q] = t, s
        for player, left, entered in ((p, s, t), (q, t, s)):
            for other, cost in self.bonds(player).items():
                if pulls := self._pulls.get(other):
                    pulls[entered] = pulls.get(entered, 0) + cost
                    pulls[left] -= cost
                    if not pulls[left]:
                        del pulls[left]

    # --- the whole seating -----------------------------------------------------------------------------------------

    def goal(self) -> int:
        """Return a lower bound of the cost, which may be out of reach.

        Call this right after all players have been given the table size that they had least.
        """
        past, weights, tables = self.past, self.weights, len(self.past.sizes)
        again = thrice = 0
        widest = max((len(table) for earlier in past.history for table in earlier), default=0)
        if widest > tables or not are_even(past.sizes):
            groups = [Counter(table for table in places if table >= 0).values() for places in past.places]
            again = sum(forced_repeats(list(sizes), past.sizes) for sizes in groups)
            thrice = forced_triples(past.places, tables)
        repeats = max(weights.again * again + weights.thrice * thrice, self._of_fixed())
        offices = sum(sorted(past.scribed)[:tables]) if past.scribed.count(0) < tables else 0
        return repeats + weights.scribe * offices + self._of_sizes()

    def _of_fixed(self) -> int:
        """Return the cost of players who met before and have the same fixed table."""
        pairs = combinations(self.past.fixed.items(), 2)
        costs = (self.bonds(p).get(q, 0) for (p, table), (q, other) in pairs if table == other)
        return sum(cost - cost % self.weights.thrice for cost in costs)

    def cost(self, troubled: Iterable[int]) -> int:
        """Return the cost of the whole seating. troubled: as found by `troubled()`."""
        strain = sum(self.pulls(player)[table] for table in troubled for player in self.strained(table))
        offices = sum(self.office(table) for table in troubled)
        return strain // 2 + self.weights.scribe * offices + self._of_sizes()

    def _of_sizes(self) -> int:
        """Return the cost of players at tables of a size they had before."""
        past = self.past
        if not past.sat:
            return 0
        seats = zip(self.tables, past.sizes, strict=True)
        return self.weights.size * sum(past.sat[size][player] for table, size in seats for player in table)

    def troubled(self, *, meet: bool) -> dict[int, None]:
        """Return the tables with a fault, in the order in which it was found. meet: whether pairs may meet again."""
        past, table_of = self.past, self.table_of
        tables = [now for places in past.places for _, now in meetings(table_of, places)] if meet else []
        queue = [table_of[player] for player in past.queue]
        tables += [
            table for table, other in zip(queue, [*queue[1:], queue[0]], strict=True) if table == other
        ]
        for player, others in past.apart.items():
            tables += [table_of[player] for other in others if table_of[other] == table_of[player]]
        if past.history:
            fresh = {player for player, times in enumerate(past.scribed) if not times}
            tables += [table for table, players in enumerate(self.tables) if fresh.isdisjoint(players)]
        return dict.fromkeys(tables)

    def is_troubled(self, table: int) -> bool:
        return self.office(table) > 0 or any(table in self.pulls(player) for player in self.tables[table])

    def strained(self, table: int) -> list[int]:
        """Return the players of a table who should not sit with one of the others there."""
        return [player for player in self.tables[table] if table in self.pulls(player)]

    def misplaced(self) -> list[int]:
        """Return players whose change of places with a player at another size would share out sizes more evenly.

        Only the two most frequent sizes are considered.
        """
        past = self.past
        usual, other, *_ = sorted(past.sat, key=lambda size: (-past.sizes.count(size), size))
        rather = [theirs - mine for mine, theirs in zip(past.sat[usual], past.sat[other], strict=True)]
        here, there = self._at(usual), self._at(other)
        most, least = max(rather[player] for player in there), min(rather[player] for player in here)
        stay_less = [player for player in here if rather[player] < most]
        return stay_less + [player for player in there if rather[player] > least]

    def _at(self, size: int) -> list[int]:
        sizes = zip(self.tables, self.past.sizes, strict=True)
        return [player for table, table_size in sizes if table_size == size for player in table]
