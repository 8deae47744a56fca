"""The outlook of a prize plan: what it gives with a number of players, before anybody has a rank."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from scoring.core.prize_plan import PrizeKind, PrizePlan
from scoring.core.prizes import Money, money_of, pot_of


@dataclass(frozen=True, slots=True)
class PlannedPrize:
    """A line of the outlook. number: how many get it. of: as in `Prize`.

    first, last: the ranks, without those that nobody can reach; 0 if it is not for a rank. cents: for each of them.
    """

    kind: PrizeKind
    cents: int
    thing: str
    number: int
    first: int = 0
    last: int = 0
    of: str = ""


@dataclass(frozen=True, slots=True)
class Outlook:
    """All that a plan gives with this number of players. taken_cents: the fees less the refunds."""

    players: int
    taken_cents: int
    pot_cents: int
    prizes: tuple[PlannedPrize, ...]

    @property
    def given_cents(self) -> int:
        return sum(prize.cents * prize.number for prize in self.prizes)

    @property
    def kept_cents(self) -> int:
        """The money that stays with the club."""
        return max(0, self.pot_cents - self.given_cents)

    @property
    def short_cents(self) -> int:
        """The amount by which the prizes exceed the pot."""
        return max(0, self.given_cents - self.pot_cents)


def outlook(plan: PrizePlan, *, taken_cents: int, players: int) -> Outlook:
    """Return what the plan gives if each rank is reached by one player."""
    plan, pot = plan.for_players(players), pot_of(plan, taken_cents)
    money = money_of(plan, pot)
    prizes = (*_of_ranks(plan, money, players), *_of_others(plan, money, players))
    return Outlook(players, taken_cents, pot, prizes)


def _of_ranks(plan: PrizePlan, money: Money, players: int) -> Iterator[PlannedPrize]:
    """Yield a line for each range of ranks that get the same."""
    things = {rank: prize.thing for prize in plan.for_ranks if prize.thing for rank in prize.ranks}
    ranks = sorted(rank for rank in money.by_rank.keys() | things.keys() if rank <= players)

    def same(place: tuple[int, int]) -> tuple[int, int, str]:
        index, rank = place
        return rank - index, money.by_rank.get(rank, 0), things.get(rank, "")

    for (_, cents, thing), group in groupby(enumerate(ranks), key=same):
        alike = [rank for _, rank in group]
        if cents or thing:
            yield PlannedPrize("rank", cents, thing, len(alike), first=alike[0], last=alike[-1])


def _of_others(plan: PrizePlan, money: Money, players: int) -> Iterator[PlannedPrize]:
    for prize, cents in zip(plan.for_others, money.others, strict=True):
        number = min(prize.count, players)
        if number and (cents or prize.thing):
            yield PlannedPrize(prize.kind, cents, prize.thing, number, of=prize.of)
