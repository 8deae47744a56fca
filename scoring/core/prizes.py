"""The prizes that a plan gives: the money of a pot, divided among the players of the standings.

All amounts are whole cents. The money that a rank gets follows from plan and pot alone, so no player's prize grows
because a player above may not have one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from scoring.core.prize_plan import Prize, PrizeKind, PrizePlan, Specials
from tournaments.core.lot import draw_lot
from tournaments.core.names import same_name_key


@dataclass(frozen=True, slots=True)
class Contender:
    """A player of the standings, as far as prizes need them. Excluded players are not in the standings.

    fee: the key of their kind of fee. has_gone: they went home, or were found missing and have not come back.
    """

    start_number: int
    rank: int
    strokes: int
    has_gone: bool = False
    fee: str = ""
    club: str = ""


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """Players who get the same, in ascending order.

    cents: for each of them. things: for each of them where it is a lot, else all things that they share. is_open: things
    are not divided, so a decision has to separate the players. of: as in `Prize`.
    """

    kind: PrizeKind
    rank: int | None
    start_numbers: tuple[int, ...]
    cents: int
    things: tuple[str, ...] = ()
    is_open: bool = False
    of: str = ""
    key: str = "rank"

    @property
    def all_cents(self) -> int:
        return self.cents * len(self.start_numbers)


@dataclass(frozen=True, slots=True)
class Money:
    """The money of a plan with one pot, before the players are known. others: as `PrizePlan.for_others`."""

    by_rank: Mapping[int, int]
    others: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes of an evening. given, kept and short: given + kept - short = pot, and kept or short is 0.

    specials: as in `PrizePlan`.
    """

    pot_cents: int
    rows: tuple[PrizeRow, ...]
    specials: Specials = "first"

    @property
    def in_ceremony(self) -> tuple[PrizeRow, ...]:
        """The rows in the order of the prize-giving: the best rank after all others, special prizes before or after them."""
        ranks = [row for row in reversed(self.rows) if row.kind == "rank"]
        others = [row for row in self.rows if row.kind != "rank"]
        return (*others, *ranks) if self.specials == "first" else (*ranks, *others)

    @property
    def given_cents(self) -> int:
        return sum(row.all_cents for row in self.rows)

    @property
    def kept_cents(self) -> int:
        """The money that stays with the club."""
        return max(0, self.pot_cents - self.given_cents)

    @property
    def short_cents(self) -> int:
        """The amount by which the prizes exceed the pot."""
        return max(0, self.given_cents - self.pot_cents)


def pot_of(plan: PrizePlan, taken_cents: int) -> int:
    """Return the pot: fees less refunds (`taken_cents`) less costs, at least 0."""
    return max(0, taken_cents - plan.costs_cents)


def money_of(plan: PrizePlan, pot_cents: int) -> Money:
    """Return the money of each rank and of each other prize."""
    amounts = sum(prize.cents * prize.number for prize in plan.prizes)
    shared = max(0, pot_cents - amounts)

    def money(prize: Prize) -> int:
        return prize.cents or plan.rounded(shared * prize.share // 100)

    by_rank = {rank: money(prize) for prize in plan.for_ranks if prize.is_money for rank in prize.ranks}
    if plan.rest == "first" and 1 in by_rank:
        shares = [prize for prize in plan.prizes if prize.share]
        together = shared * sum(prize.share * prize.number for prize in shares) // 100
        by_rank[1] += together - sum(money(prize) * prize.number for prize in shares)
    return Money(by_rank, tuple(money(prize) for prize in plan.for_others))


def work_out(plan: PrizePlan, *, taken_cents: int, contenders: Collection[Contender], seed: str) -> PrizeList:
    """Return the prizes: those for ranks first, best rank first, then the others in the plan's order.

    seed: of the lots, 64 hex digits. A lot orders the players without a prize (`draw_lot`), and the first of them get it.
    """
    pot = pot_of(plan, taken_cents)
    money = money_of(plan, pot)
    rows = list(_for_ranks(plan, money.by_rank, contenders))
    may = [player for player in contenders if not (plan.present_only and player.has_gone)]
    for prize, key, cents in zip(plan.for_others, plan.keys_of_others, money.others, strict=True):
        only_without = plan.one_each or prize.kind == "lot"
        have = {number for row in rows for number in row.start_numbers} if only_without else set()
        free = [player for player in may if player.start_number not in have]
        row = _by_lot(prize, cents, free, seed) if prize.kind == "lot" else _special(plan, prize, cents, free)
        if row is not None:
            rows.append(replace(row, key=key))
    return PrizeList(pot, tuple(rows), plan.specials)


def _for_ranks(
    plan: PrizePlan, by_rank: Mapping[int, int], contenders: Iterable[Contender]
) -> Iterator[PrizeRow]:
    things = {rank: prize.thing for prize in plan.for_ranks if prize.thing for rank in prize.ranks}
    best_first = sorted(contenders, key=lambda player: player.rank)
    for rank, group in groupby(best_first, key=lambda player: player.rank):
        sharing = list(group)
        used_up = range(rank, rank + len(sharing))
        cents = _divided(plan, sum(by_rank.get(used, 0) for used in used_up), len(sharing))
        may = [player for player in sharing if not (plan.present_only and player.has_gone)]
        shared = [things[used] for used in used_up if used in things]
        row = _row("rank", rank, may, cents, shared, sharing=len(sharing))
        if row is not None:
            yield row


def _special(plan: PrizePlan, prize: Prize, cents: int, free: Sequence[Contender]) -> PrizeRow | None:
    """Return the row of a prize that is not for a rank; ties divide the money and leave the thing open."""
    best = _best(prize, free)
    things = [prize.thing] if prize.thing else []
    row = _row(prize.kind, None, best, _divided(plan, cents, len(best)), things, sharing=len(best))
    return row and replace(row, of=prize.of)


def _best(prize: Prize, free: Sequence[Contender]) -> list[Contender]:
    """Return the players whom the prize is for; several if they are tied."""
    if prize.kind == "strokes":
        most = max((player.strokes for player in free), default=0)
        return [player for player in free if player.strokes == most > 0]
    if prize.kind == "last":
        lowest = max((player.rank for player in free), default=0)
        return [player for player in free if player.rank == lowest]
    if prize.kind == "fee":
        named = [player for player in free if player.fee == prize.of]
    else:
        club = same_name_key(prize.of)
        named = [player for player in free if player.club and same_name_key(player.club) == club]
    best = min((player.rank for player in named), default=0)
    return [player for player in named if player.rank == best]


def _by_lot(prize: Prize, cents: int, free: Sequence[Contender], seed: str) -> PrizeRow | None:
    drawn = draw_lot(seed, [player.start_number for player in free])[: prize.count]
    things = [prize.thing] if prize.thing else []
    return _row("lot", None, [player for player in free if player.start_number in drawn], cents, things)


def _row(
    kind: PrizeKind,
    rank: int | None,
    may: Sequence[Contender],
    cents: int,
    things: Sequence[str],
    *,
    sharing: int = 1,
) -> PrizeRow | None:
    """Return the row, None if nobody may have it or it is nothing. sharing: how many share it, those who went home too."""
    if not may or not (cents or things):
        return None
    return PrizeRow(
        kind=kind,
        rank=rank,
        start_numbers=tuple(sorted(player.start_number for player in may)),
        cents=cents,
        things=tuple(things),
        is_open=bool(things) and sharing > 1,
    )


def _divided(plan: PrizePlan, cents: int, sharing: int) -> int:
    """Return the money of each; an amount that is divided is rounded down, and the club keeps the rest."""
    return plan.rounded(cents // sharing) if sharing > 1 else cents
