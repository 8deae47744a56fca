"""The pot of a table and its payout at the end of a round (RULES 1.10)."""

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.rulesets.schema import Stakes


@dataclass(frozen=True, slots=True)
class Payout:
    """The pot, and each seat's share of it. In cents; the shares add up to the pot."""

    pot_cents: int
    by_seat: Mapping[int, int]


def payout(ranks: Mapping[int, int], stakes: Stakes) -> Payout:
    """Pay the stakes back to the ranks that get them, and the rest of the pot to the winner.

    ranks: rank by seat, of all players at the table. Winners who share the rank share the rest, odd cents go to
    the lower seats. Raises ValueError if there is no winner.
    """
    winners = sorted(seat for seat, rank in ranks.items() if rank == 1)
    if not winners:
        raise ValueError("nobody has won the pot")
    pot = stakes.stake_cents * len(ranks)
    returned = stakes.returned_to_ranks
    by_seat = {seat: stakes.stake_cents if rank in returned else 0 for seat, rank in ranks.items()}
    share, odd_cents = divmod(pot - sum(by_seat.values()), len(winners))
    for index, seat in enumerate(winners):
        by_seat[seat] = share + (1 if index < odd_cents else 0)
    return Payout(pot, by_seat)
