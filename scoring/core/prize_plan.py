"""The prize plan of a tournament: which prizes there are, and for what.

A prize is money, a thing, or both. Money is an amount, or a *share*: a part of what the pot leaves after all amounts, per cent
or as a fraction. The *pot* is what was taken in fees less the costs. A rank has at most one prize of money and one thing.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal, get_args

from tournaments.core.document_reader import DocumentError, Fields, Reader
from tournaments.core.refusal import Refusal

PrizeKind = Literal["rank", "strokes", "last", "fee", "club", "lot"]
Rest = Literal["first", "club"]
Specials = Literal["first", "last"]

MOST_PRIZES = 60
LOWEST_RANK = 1000
MOST_IN_A_LOT = 1000
MOST_PRIZE_CENTS = 1_000_000
LONGEST_THING = 60
LONGEST_OF = 80

_FRACTION = re.compile(r"([1-9][0-9]{0,2})/([1-9][0-9]{0,2})", re.ASCII)

_OWN_KEYS: Mapping[str, Sequence[str]] = {
    "rank": ("from", "to"),
    "strokes": (),
    "last": (),
    "fee": ("fee",),
    "club": ("club",),
    "lot": (),
}


def fraction_of(text: str) -> Fraction | None:
    """Return the share of „1/3“ per cent, 100/3; None for another text, and for a whole or more."""
    match = _FRACTION.fullmatch(text)
    share = Fraction(100 * int(match[1]), int(match[2])) if match else None
    return share if share is not None and share < 100 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prize:
    """A prize, or the same for several.

    kind: for a rank; for the most strokes; for the lowest rank; for the best player who paid the fee of this kind, or
    of this club; by lot among players without a prize. first, last: the ranks that get it, each of them. count: how
    many are drawn by lot. of: the key of the kind of fee, or the name of the club. cents, share: the money; a share is per
    cent, a Fraction if the plan names a fraction.

    Raises Refusal `prize_range_reversed` (first, last), `prize_is_nothing`, `prize_has_two_amounts`.
    """

    kind: PrizeKind
    first: int = 0
    last: int = 0
    count: int = 1
    of: str = ""
    cents: int = 0
    share: int | Fraction = 0
    thing: str = ""

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise Refusal("prize_range_reversed", first=self.first, last=self.last)
        if self.cents and self.share:
            raise Refusal("prize_has_two_amounts")
        if not (self.is_money or self.thing):
            raise Refusal("prize_is_nothing")

    @property
    def is_money(self) -> bool:
        return bool(self.cents or self.share)

    @property
    def has_open_end(self) -> bool:
        """Whether the prize is for all ranks from `first` on."""
        return self.last == LOWEST_RANK

    @property
    def share_as_written(self) -> int | str:
        """The share as in a document: per cent, or „1/3“."""
        return str(self.share / 100) if isinstance(self.share, Fraction) else self.share

    @property
    def ranks(self) -> range:
        return range(self.first, self.last + 1) if self.kind == "rank" else range(0)

    @property
    def number(self) -> int:
        """The number of players who get it."""
        return len(self.ranks) if self.kind == "rank" else self.count

    def to_dict(self) -> dict[str, Any]:
        """Return the prize as in a document, with the keys that say something."""
        keys: dict[str, Any] = {"for": self.kind}
        if self.kind == "rank":
            keys |= {"from": self.first, "to": self.last}
        elif self.kind == "lot":
            keys |= {"count": self.count}
        elif self.of:
            keys |= {self.kind: self.of}
        gives = {"cents": self.cents, "share": self.share_as_written, "thing": self.thing}
        return keys | {key: value for key, value in gives.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizePlan:
    """All prizes, and the rules by which they are worked out.

    costs_cents: taken off the fees first. rounding_cents: shares, and money that is divided, are rounded down to a
    multiple of it; 0 as 1. rest: whether rank 1 or the club gets what the rounding of the shares leaves over. one_each:
    a player gets one prize at most. present_only: players who went home get none. public: whether everybody may see
    the plan. specials: whether the prizes that are not for ranks are given before or after those. every_third: ranks below the
    better third of the players get none.

    Raises Refusal `prize_shares_above_all` (sum), `prize_ranks_overlap` (rank), `prize_plan_too_long` (most).
    """

    prizes: tuple[Prize, ...]
    costs_cents: int = 0
    rounding_cents: int = 1
    rest: Rest = "club"
    one_each: bool = False
    present_only: bool = False
    public: bool = False
    specials: Specials = "first"
    every_third: bool = False

    def __post_init__(self) -> None:
        if len(self.prizes) > MOST_PRIZES:
            raise Refusal("prize_plan_too_long", most=MOST_PRIZES)
        shares = sum(prize.share * prize.number for prize in self.prizes)
        if shares > 100:
            raise Refusal("prize_shares_above_all", sum=math.ceil(shares))
        _check_overlap(prize.ranks for prize in self.prizes if prize.is_money)
        _check_overlap(prize.ranks for prize in self.prizes if prize.thing)

    @property
    def is_empty(self) -> bool:
        """Whether there are neither prizes nor costs."""
        return not (self.prizes or self.costs_cents)

    @property
    def follows_head_count(self) -> bool:
        """Whether the number of players decides which ranks get something."""
        return self.every_third or any(prize.has_open_end for prize in self.for_ranks)

    def for_players(self, count: int) -> "PrizePlan":
        """Return the plan for a number of players: prizes for the ranks that it leaves, at least for rank 1."""
        if not self.follows_head_count:
            return self
        lowest = max(1, count // 3 if self.every_third else count)
        prizes = (
            replace(prize, last=min(prize.last, lowest)) for prize in self.prizes if prize.first <= lowest
        )
        return replace(self, prizes=tuple(prizes), every_third=False)

    def things_only(self) -> "PrizePlan":
        """Return the plan without its money."""
        prizes = (replace(prize, cents=0, share=0) for prize in self.prizes if prize.thing)
        return replace(self, prizes=tuple(prizes), costs_cents=0)

    def with_money_of(self, other: "PrizePlan") -> "PrizePlan":
        """Return the plan with the money of another one, its costs and how it is rounded. Raises Refusal `prize_plan_too_long`."""
        money = (replace(prize, thing="") for prize in other.prizes if prize.is_money)
        return replace(
            self,
            prizes=(*self.prizes, *money),
            costs_cents=other.costs_cents,
            rounding_cents=other.rounding_cents,
            rest=other.rest,
        )

    @property
    def for_ranks(self) -> Iterator[Prize]:
        return (prize for prize in self.prizes if prize.kind == "rank")

    @property
    def lowest_rank(self) -> int:
        """The lowest rank that gets something, 0 if none does."""
        return max((prize.last for prize in self.for_ranks), default=0)

    @property
    def for_others(self) -> Iterator[Prize]:
        """The prizes that do not go by rank, in the plan's order."""
        return (prize for prize in self.prizes if prize.kind != "rank")

    @property
    def keys_of_others(self) -> Iterator[str]:
        """Return the keys of `for_others`. A key stays while other prizes come and go: `club:SV Hof`, then `club:SV Hof#2`."""
        times: Counter[str] = Counter()
        for prize in self.for_others:
            key = f"{prize.kind}:{prize.of}" if prize.of else prize.kind
            times[key] += 1
            yield key if times[key] == 1 else f"{key}#{times[key]}"

    def rounded(self, cents: int) -> int:
        return cents - cents % (self.rounding_cents or 1)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as in a document."""
        further = {
            **({"specials": self.specials} if self.specials != "first" else {}),
            **({"every_third": True} if self.every_third else {}),
        }
        return {
            "costs_cents": self.costs_cents,
            "rounding_cents": self.rounding_cents,
            "rest": self.rest,
            "one_each": self.one_each,
            "present_only": self.present_only,
            "public": self.public,
            "prizes": [prize.to_dict() for prize in self.prizes],
            **further,
        }

    @classmethod
    def from_dict(cls, source: Mapping[str, Any]) -> "PrizePlan":
        """Return the plan that `to_dict` wrote. Raises the Refusals of `read_plan`."""
        try:
            return read_plan(Reader(source))
        except DocumentError as error:
            raise error.refusal from None


def read_plan(reader: Reader) -> PrizePlan:
    """Return the plan of a document. Raises DocumentError with the path of the first error."""
    fields = reader.fields((), ("prizes", *_OF_PLANS))
    prizes = tuple(_read_prize(item) for item in fields["prizes"].items()) if fields.has("prizes") else ()
    try:
        return PrizePlan(prizes=prizes, **_values(fields, _OF_PLANS))
    except Refusal as refusal:
        raise DocumentError(fields["prizes"].path, refusal) from None


def _read_prize(reader: Reader) -> Prize:
    if not isinstance(reader.value, dict):
        raise reader.error("document_object_expected")
    kind: Any = reader.key("for").choice(get_args(PrizeKind))
    more = ("count",) if kind == "lot" else ()
    fields = reader.fields(("for", *_OWN_KEYS[kind]), (*_OF_PRIZES, *more))
    values = _own(kind, fields) | _values(fields, _OF_PRIZES)
    try:
        return Prize(kind=kind, **values)
    except Refusal as refusal:
        raise DocumentError(reader.path, refusal) from None


def _values(fields: Fields, readers: Mapping[str, Callable[[Reader], Any]]) -> dict[str, Any]:
    """Return the values of the optional keys that are there."""
    return {name: read(fields[name]) for name, read in readers.items() if fields.has(name)}


def _cents(reader: Reader) -> int:
    return reader.whole(most=MOST_PRIZE_CENTS)


def _share(reader: Reader) -> int | Fraction:
    fraction = fraction_of(reader.value) if isinstance(reader.value, str) else None
    return fraction or reader.whole(most=100)


_OF_PRIZES: Mapping[str, Callable[[Reader], Any]] = {
    "cents": _cents,
    "share": _share,
    "thing": lambda reader: reader.text(most=LONGEST_THING),
}
_OF_PLANS: Mapping[str, Callable[[Reader], Any]] = {
    "costs_cents": _cents,
    "rounding_cents": _cents,
    "one_each": Reader.yes_or_no,
    "present_only": Reader.yes_or_no,
    "public": Reader.yes_or_no,
    "every_third": Reader.yes_or_no,
    "rest": lambda reader: reader.choice(get_args(Rest)),
    "specials": lambda reader: reader.choice(get_args(Specials)),
}


def _own(kind: PrizeKind, fields: Fields) -> dict[str, Any]:
    """Return the values that only prizes of this kind have."""
    if kind == "rank":
        return {
            "first": fields["from"].whole(least=1, most=LOWEST_RANK),
            "last": fields["to"].whole(least=1, most=LOWEST_RANK),
        }
    if kind == "lot":
        return {"count": fields["count"].whole(least=1, most=MOST_IN_A_LOT)} if fields.has("count") else {}
    return {"of": fields[kind].text(most=LONGEST_OF)} if _OWN_KEYS[kind] else {}


def _check_overlap(ranges: Iterable[range]) -> None:
    for earlier, later in pairwise(sorted(filter(None, ranges), key=lambda ranks: ranks.start)):
        if later.start < earlier.stop:
            raise Refusal("prize_ranks_overlap", rank=later.start)
