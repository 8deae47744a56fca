"""Prizes on the closing sheet of a desk: what nobody has fetched, and what somebody got too much."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.queries.prize_giving import PrizeGivingPage
from scoring.text.prizes import award_gives, prize_of_key, row_name
from tournaments.core.fees import FeeKind


@dataclass(frozen=True, slots=True)
class OpenPrize:
    """A prize that is not settled. rest, over: in words, "" for nothing; names: several if it is for one of them."""

    prize: str
    names: str
    rest: str
    over: str = ""


def open_prizes(page: PrizeGivingPage, kinds: Sequence[FeeKind]) -> list[OpenPrize]:
    """Return what is not settled once prizes have been given, in the order of the ceremony."""
    giving = page.giving
    if giving is None or not giving.has_begun:
        return []
    found = []
    for given in giving.rows:
        name = row_name(given.row, kinds)
        for award in given.awards:
            if award.has_rest:
                rest = award_gives(award.rest_cents, award.rest_things)
                found.append(OpenPrize(name, _named(page, award.start_number), rest))
        if given.loose:
            names = ", ".join(_named(page, award.start_number) for award in given.awards)
            found.append(OpenPrize(name, names, award_gives(0, given.loose)))
    return found + [
        OpenPrize(
            prize_of_key(award.prize, kinds),
            _named(page, award.start_number),
            "",
            award_gives(award.over_cents, award.over_things),
        )
        for award in giving.over
    ]


def _named(page: PrizeGivingPage, start_number: int) -> str:
    return f"{page.names[start_number]} ({start_number})"
