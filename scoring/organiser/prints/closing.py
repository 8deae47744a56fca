"""Prizes on the closing sheet of a desk: not collected, or handed out in excess."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.queries.prize_giving import PrizeGivingPage
from scoring.text.prizes import award_gives, prize_of_key, row_name
from tournaments.core.fees import FeeKind


@dataclass(frozen=True, slots=True)
class OpenPrize:
    """An unsettled prize. rest, over: in words, "" for nothing. names: of all candidates for a shared thing."""

    prize: str
    names: str
    rest: str
    over: str = ""


def open_prizes(page: PrizeGivingPage, kinds: Sequence[FeeKind]) -> list[OpenPrize]:
    """Return the unsettled prizes once the prize-giving has begun, in its order."""
    giving = page.giving
    if giving is None or not giving.has_begun:
        return []
    unsettled = []
    for prize_row in giving.rows:
        name = row_name(prize_row.row, kinds)
        for award in prize_row.awards:
            if award.has_rest:
                rest = award_gives(award.rest_cents, award.rest_things)
                unsettled.append(OpenPrize(name, _named(page, award.start_number), rest))
        if prize_row.loose:
            names = ", ".join(_named(page, award.start_number) for award in prize_row.awards)
            unsettled.append(OpenPrize(name, names, award_gives(0, prize_row.loose)))
    return unsettled + [
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
