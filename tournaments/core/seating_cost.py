"""A seating while it is being made, and what is wrong with it.

Players are numbered from 0 in an order drawn by lot, tables from 0 in their order: nothing here looks at a start
number, so that the lot alone decides between two players of whom the same is known.

What counts, one after the other: who is to be kept apart is; as few pairs as possible meet again, and none a third
time; nobody is scribe again; the sizes of the tables are shared out evenly; neighbours in the queue sit apart. All of
it is one whole number, the *cost*: each part weighs more than everything after it together can.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tournaments.core.bounds import are_even, forced_repeats, forced_triples
from tournaments.core.even_split import Places, meetings

Tables = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Past:
    """What is known of the players, and asked for them, before they sit down.

    sizes: of the tables now. history: the tables of each earlier round, in start numbers; places: the same as the
    table of each player, -1 for who was not there. number_of: a player's number, by start number. in_queue: where each
    player stood in the queue; queue: who stood there. scribed: how often each was scribe. sat: how often each
    player sat at a table of a size, for each size there is now; empty where all tables are alike. fixed: the table of
    who has a fixed one. apart: whom a player is to be kept apart from.
    """

    sizes: Sequence[int]
    history: Sequence[Tables]
    places: Sequence[Places]
    number_of: Mapping[int, int]
    in_queue: Sequence[int]
    queue: Sequence[int]
    scribed: Sequence[int]
    sat: Mapping[int, Sequence[int]]
    fixed: Mapping[int, int]
    apart: Mapping[int, Sequence[int]]

    def companions(self, player: int) -> Iterator[int]:
        """With whom he sat in each earlier round, himself included, as far as they are here now."""
        for tables, places in zip(self.history, self.places, strict=True):
            if places[player] >= 0:
                for start_number in tables[places[player]]:
                    if start_number in self.number_of:
                        yield self.number_of[start_number]

    def neighbours(self, player: int) -> tuple[int, int]:
        """Who stood before and after him in the queue; the last one counts as standing before the first."""
        place = self.in_queue[player]
        return self.queue[place - 1], self.queue[(place + 1) % len(self.queue)]


@dataclass(frozen=True, slots=True)
class Weights:
    """What each fault costs; `again` is for a pair that meets once more, each time it met before."""

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
    """The tables, and the cost of what is wrong with them; players change places two at a time."""

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
        """What it costs to have him at one table with each other player; who is not named costs nothing."""
        found = self._bonds.get(player)
        if found is None:
            found = self._bonds[player] = self._bonds_of(player)
        return found

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
        """What his bonds cost at each table; a table that is not named costs nothing."""
        found = self._pulls.get(player)
        if found is None:
            found = self._pulls[player] = {}
            for other, cost in self.bonds(player).items():
                table = self.table_of[other]
                found[table] = found.get(table, 0) + cost
        return found

    # --- changing places -------------------------------------------------------------------------------------------

    def differences(self, p: int, others: Iterable[int]) -> Iterator[tuple[int, int]]:
        """By how much the cost grows when p changes places with q, for each of `others` who may: (difference, q)."""
        past, table_of, s = self.past, self.table_of, self.table_of[p]
        at_p, bonds, scribed, size = self.pulls(p), self.bonds(p), past.scribed[p], past.sizes[s]
        here = at_p.get(s, 0)
        for q in others:
            t = table_of[q]
            if t == s or q in past.fixed:
                continue
            at_q = self.pulls(q)
            cost = at_p.get(t, 0) - here + at_q.get(s, 0) - at_q.get(t, 0) - 2 * bonds.get(q, 0)
            if past.sizes[t] != size:
                cost += self._change_of_size(p, size, past.sizes[t])
                cost += self._change_of_size(q, past.sizes[t], size)
            if past.scribed[q] != scribed:
                cost += self._change_of_scribe(p, q)
            yield cost, q

    def _change_of_size(self, player: int, size: int, other: int) -> int:
        return self.weights.size * (self.past.sat[other][player] - self.past.sat[size][player])

    def _change_of_scribe(self, p: int, q: int) -> int:
        s, t = self.table_of[p], self.table_of[q]
        offices = self._office(s, p, q) + self._office(t, q, p) - self.office(s) - self.office(t)
        return self.weights.scribe * offices

    def office(self, table: int) -> int:
        """How often the one who writes at a table has been scribe already, at the least."""
        return min([self.past.scribed[player] for player in self.tables[table]])

    def _office(self, table: int, without: int, player: int) -> int:
        scribed = self.past.scribed
        others = [scribed[other] for other in self.tables[table] if other != without]
        return min([scribed[player], *others])

    def swap(self, p: int, q: int) -> None:
        """Two players of different tables change places."""
        s, t = self.table_of[p], self.table_of[q]
        self.tables[s][self.tables[s].index(p)] = q
        self.tables[t][self.tables[t].index(q)] = p
        self.table_of[p], self.table_of[q] = t, s
        for player in (p, q):
            for other in self.bonds(player):
                self._pulls.pop(other, None)

    # --- the whole hall --------------------------------------------------------------------------------------------

    def goal(self) -> int:
        """A cost that cannot be beaten; it may be out of reach.

        To be asked when everybody has just taken the size of table that he had least.
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
        """What it costs that players who met before have the same fixed table."""
        pairs = combinations(self.past.fixed.items(), 2)
        costs = (self.bonds(p).get(q, 0) for (p, table), (q, other) in pairs if table == other)
        return sum(cost - cost % self.weights.thrice for cost in costs)

    def cost(self, troubled: Iterable[int]) -> int:
        """What is wrong with the whole hall; `troubled` as found."""
        strain = sum(self.pulls(player)[table] for table in troubled for player in self.strained(table))
        offices = sum(self.office(table) for table in troubled)
        return strain // 2 + self.weights.scribe * offices + self._of_sizes()

    def _of_sizes(self) -> int:
        """What it costs that players sit at tables of a size they had before."""
        past = self.past
        if not past.sat:
            return 0
        seats = zip(self.tables, past.sizes, strict=True)
        return self.weights.size * sum(past.sat[size][player] for table, size in seats for player in table)

    def troubled(self, *, meet: bool) -> dict[int, None]:
        """The tables with something wrong, in the order in which it was found. meet: whether pairs may meet again."""
        past, table_of = self.past, self.table_of
        found = [now for places in past.places for _, now in meetings(table_of, places)] if meet else []
        queue = [table_of[player] for player in past.queue]
        found += [one for one, other in zip(queue, [*queue[1:], queue[0]], strict=True) if one == other]
        for player, others in past.apart.items():
            found += [table_of[player] for other in others if table_of[other] == table_of[player]]
        if past.history:
            fresh = {player for player, times in enumerate(past.scribed) if not times}
            found += [table for table, players in enumerate(self.tables) if fresh.isdisjoint(players)]
        return dict.fromkeys(found)

    def is_troubled(self, table: int) -> bool:
        return self.office(table) > 0 or any(table in self.pulls(player) for player in self.tables[table])

    def strained(self, table: int) -> list[int]:
        """The players of a table who should not sit with one of the others there."""
        return [player for player in self.tables[table] if table in self.pulls(player)]

    def misplaced(self) -> list[int]:
        """Who would share out the sizes of tables more evenly by changing places with somebody at another size.

        Of the sizes the two most frequent are looked at.
        """
        past = self.past
        one, other, *_ = sorted(past.sat, key=lambda size: (-past.sizes.count(size), size))
        rather = [theirs - mine for mine, theirs in zip(past.sat[one], past.sat[other], strict=True)]
        here, there = self._at(one), self._at(other)
        most, least = max(rather[player] for player in there), min(rather[player] for player in here)
        stay_less = [player for player in here if rather[player] < most]
        return stay_less + [player for player in there if rather[player] > least]

    def _at(self, size: int) -> list[int]:
        sizes = zip(self.tables, self.past.sizes, strict=True)
        return [player for table, table_size in sizes if table_size == size for player in table]
