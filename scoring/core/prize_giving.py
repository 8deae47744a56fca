"""The prize-giving: what is due to each player for a prize, and what was handed out to them.

Both can change all evening: a new plan or a corrected sheet changes what is due, another handout what a player had.
So no prize is marked as given: it is settled as long as a player had exactly what is due.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Literal

from scoring.core.prize_plan import Specials
from scoring.core.prizes import PrizeList, PrizeRow

HandoutKind = Literal["given", "back", "absent"]
Slot = tuple[str, int]
"""The key of a prize (`PrizeRow.key`) and the start number of a player."""


@dataclass(frozen=True, slots=True)
class Handout:
    """A fact of the prize-giving: a player got money and things, gave some back, or was not there when called."""

    prize: str
    start_number: int
    kind: HandoutKind
    cents: int = 0
    things: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Award:
    """The amount and things due to a player for a prize, and those handed out so far.

    Of things shared by several players, those that the player had are due. facts: the number of handouts so far.
    is_absent: the latest fact is that the player was not there.
    """

    prize: str
    start_number: int
    due_cents: int = 0
    due_things: tuple[str, ...] = ()
    had_cents: int = 0
    had_things: tuple[str, ...] = ()
    facts: int = 0
    is_absent: bool = False

    @property
    def rest_cents(self) -> int:
        return max(0, self.due_cents - self.had_cents)

    @property
    def rest_things(self) -> tuple[str, ...]:
        return without(self.due_things, self.had_things)

    @property
    def over_cents(self) -> int:
        """The amount that the player had beyond what is due."""
        return max(0, self.had_cents - self.due_cents)

    @property
    def over_things(self) -> tuple[str, ...]:
        return without(self.had_things, self.due_things)

    @property
    def has_rest(self) -> bool:
        return bool(self.rest_cents or self.rest_things)

    @property
    def is_over(self) -> bool:
        return bool(self.over_cents or self.over_things)

    @property
    def had_any(self) -> bool:
        return bool(self.had_cents or self.had_things)

    @property
    def version(self) -> str:
        """A text that differs for another due or another number of handouts."""
        seen = [str(self.facts), str(self.due_cents), *self.due_things]
        return sha256("\0".join(seen).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class GivenRow:
    """A prize with the awards of its players. loose: shared things that nobody has had yet."""

    row: PrizeRow
    awards: tuple[Award, ...]
    loose: tuple[str, ...] = ()

    @property
    def by_player(self) -> tuple[PrizeRow, ...]:
        """The row; a row for each player once something that they share was given to one of them, but none for nothing."""
        if not (self.row.is_open and any(award.had_things for award in self.awards)):
            return (self.row,)
        rows = (
            replace(
                self.row,
                start_numbers=(award.start_number,),
                things=(*award.due_things, *(() if award.had_things else self.loose)),
            )
            for award in self.awards
        )
        return tuple(row for row in rows if row.cents or row.things)

    @property
    def is_settled(self) -> bool:
        return not (self.loose or any(award.has_rest or award.is_over for award in self.awards))

    @property
    def is_waiting(self) -> bool:
        """Whether nobody has been called for it: no player had anything or was absent."""
        return not (self.is_settled or any(award.facts for award in self.awards))


@dataclass(frozen=True, slots=True)
class PrizeGiving:
    """The prizes in the order of the ceremony. strays: handed-out prizes that the standings now give to someone else."""

    rows: tuple[GivenRow, ...]
    strays: tuple[Award, ...] = ()
    by_slot: Mapping[Slot, GivenRow] = field(default_factory=dict, repr=False, compare=False)

    @property
    def awards(self) -> Iterable[Award]:
        return (*(award for row in self.rows for award in row.awards), *self.strays)

    @property
    def over(self) -> tuple[Award, ...]:
        """The awards with more handed out than is due, after a correction or under another plan."""
        return tuple(award for award in self.awards if award.is_over)

    @property
    def next(self) -> GivenRow | None:
        """The first prize for which nobody has been called, None after the last."""
        return next((row for row in self.rows if row.is_waiting), None)

    @property
    def has_begun(self) -> bool:
        return any(award.facts for award in self.awards)

    @property
    def paid_cents(self) -> int:
        return sum(award.had_cents for award in self.awards)

    @property
    def rest_cents(self) -> int:
        return sum(award.rest_cents for award in self.awards)

    def of(self, prize: str, start_number: int) -> tuple[Award | None, GivenRow | None]:
        """Return the award of a player and its row; None for either that does not exist."""
        row = self.by_slot.get((prize, start_number))
        awards = (award for award in (row.awards if row else self.strays))
        mine = (award for award in awards if (award.prize, award.start_number) == (prize, start_number))
        return next(mine, None), row


def prize_giving(prizes: PrizeList, handouts: Iterable[Handout]) -> PrizeGiving:
    """Return the state of the prize-giving. handouts: all so far, oldest first."""
    facts: dict[Slot, list[Handout]] = {}
    for handout in handouts:
        facts.setdefault((handout.prize, handout.start_number), []).append(handout)
    rows = tuple(_given(row, facts) for row in prizes.in_ceremony)
    by_slot = {(award.prize, award.start_number): row for row in rows for award in row.awards}
    strays = tuple(_award(slot, facts[slot]) for slot in facts if slot not in by_slot)
    return PrizeGiving(rows, tuple(award for award in strays if award.had_any), by_slot)


def without(things: Iterable[str], taken: Iterable[str]) -> tuple[str, ...]:
    """Return the things that are left, each as often as it is left."""
    return tuple((Counter(things) - Counter(taken)).elements())


def ceremony_steps(
    ranks: Iterable[int], specials: Iterable[str], order: Specials = "first"
) -> tuple[str, ...]:
    """Return the steps in which prizes are revealed: ranks as figures, the best one last, and the keys of special prizes."""
    by_rank = [str(rank) for rank in sorted(set(ranks), reverse=True)]
    return (*specials, *by_rank) if order == "first" else (*by_rank, *specials)


def number_revealed(steps: Sequence[str], latest: str) -> int:
    """Return how many steps have been revealed. latest: the one revealed last, "" for none.

    If nobody has the rank any more because a tie appeared or disappeared, the next worse rank counts. A special prize that
    the plan no longer has reveals nothing.
    """
    if latest in steps:
        return steps.index(latest) + 1
    if not latest.isdigit():
        return 0
    reached = [index for index, step in enumerate(steps) if step.isdigit() and int(step) >= int(latest)]
    before_ranks = next((index for index, step in enumerate(steps) if step.isdigit()), 0)
    return reached[-1] + 1 if reached else before_ranks


def _given(row: PrizeRow, facts: Mapping[Slot, Sequence[Handout]]) -> GivenRow:
    def award(number: int, things: Sequence[str]) -> Award:
        slot = (row.key, number)
        return _award(slot, facts.get(slot, ()), row.cents, things)

    if not row.is_open:
        return GivenRow(row, tuple(award(number, row.things) for number in row.start_numbers))
    awards, loose = [], row.things
    for number in row.start_numbers:
        had = award(number, ()).had_things
        left = without(loose, had)
        awards.append(award(number, without(loose, left)))
        loose = left
    return GivenRow(row, tuple(awards), loose)


def _award(slot: Slot, facts: Sequence[Handout], cents: int = 0, things: Sequence[str] = ()) -> Award:
    handed_out = [fact for fact in facts if fact.kind == "given"]
    back = [fact for fact in facts if fact.kind == "back"]
    return Award(
        *slot,
        due_cents=cents,
        due_things=tuple(things),
        had_cents=sum(fact.cents for fact in handed_out) - sum(fact.cents for fact in back),
        had_things=without(
            (thing for fact in handed_out for thing in fact.things),
            (thing for fact in back for thing in fact.things),
        ),
        facts=len(facts),
        is_absent=bool(facts) and facts[-1].kind == "absent",
    )
