"""Counting of cash by notes and coins, and the largest amounts."""

from collections.abc import Mapping

PIECES = (50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1)
"""Values of the notes and coins of the euro in cents, the largest first."""
MOST_PIECES = 100_000
LONGEST_DESK = 40
"""The most letters of a cash desk's name."""
LARGEST_AMOUNT = 99_999_999
"""The largest payment and the largest line of a cash desk, in cents; also the most that a tournament takes in fees less refunds,
so that no prize of its pot is larger."""


def sum_of_pieces(pieces: Mapping[str, int]) -> int:
    """Return the sum in cents. pieces: value of a note or coin in cents, as text -> number of them."""
    return sum(int(value) * number for value, number in pieces.items())
