"""Receipts for the prizes: one per winner, and a list to sign."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scoring.core.prize_giving import GivenRow
from scoring.organiser.prints.paging import Page, chunks, numbered
from scoring.queries.standings import StandingsRow
from tournaments.text.money import euros

RECEIPTS_A_PAGE = 4
LINES_A_PAGE = 20


@dataclass(slots=True)
class Receipt:
    """A player's prize money and decided things."""

    player: StandingsRow
    town: str
    cents: int = 0
    things: list[str] = field(default_factory=list)

    @property
    def gives(self) -> str:
        """The prize in words: „7,50 € + Pokal“."""
        return " + ".join([*([euros(self.cents)] if self.cents else []), *self.things])


def receipts_of(
    prizes: Iterable[GivenRow], players: Sequence[StandingsRow], towns: dict[int, str]
) -> list[Receipt]:
    """Return a receipt for each player with a prize, best rank first."""
    receipts = {row.start_number: Receipt(row, towns.get(row.start_number, "")) for row in players}
    for award in (award for prize in prizes for award in prize.awards):
        receipts[award.start_number].cents += award.due_cents
        receipts[award.start_number].things += award.due_things
    return [receipt for receipt in receipts.values() if receipt.cents or receipt.things]


def receipt_pages(receipts: Sequence[Receipt]) -> list[Page[Receipt]]:
    return numbered([(some,) for some in chunks(receipts, RECEIPTS_A_PAGE)])


def list_pages(receipts: Sequence[Receipt]) -> list[Page[Receipt]]:
    return numbered([(some,) for some in chunks(receipts, LINES_A_PAGE)])
