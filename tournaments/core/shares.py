"""Shares of a limit between clubs. A limit is for all clubs together; beyond it, each has its share of it all the same."""

from collections import Counter
from collections.abc import Hashable
from typing import Any


def has_place(used: Counter[Any], club: Hashable, most: int) -> bool:
    """Return whether one more use is under the limit of all clubs, or else under the share of its club.

    used: the uses by club, without clubs that have none. The share is the limit divided by the clubs that use it.
    """
    return used.total() < most or used[club] < most // len(used.keys() | {club})


def most_of_all_clubs(most: int) -> int:
    """Return how many uses there may be in all clubs together, however many these are."""
    return sum(most // clubs for clubs in range(1, most + 1))
