"""The lot between players who are equal in everything, from a recorded seed (RULES 5.7)."""

from collections import Counter

import pytest

from tournaments.core.lot import draw_lot
from tournaments.core.refusal import Refusal

SEED = "5c" * 32


def test_rules_5_7_the_same_seed_gives_the_same_order_in_whatever_order_they_are_named() -> None:
    """RULES 5.7: written down, so that a change of the procedure is noticed."""
    assert (
        draw_lot(SEED, [7, 3, 12, 5])
        == draw_lot(SEED, [12, 5, 3, 7])
        == draw_lot(SEED.upper(), {3, 5, 7, 12})
    )
    assert draw_lot(SEED, range(1, 7)) == (1, 5, 4, 2, 6, 3)


def test_rules_5_7_every_order_comes_up_as_often_as_another() -> None:
    """RULES 5.7: 6,000 seeds, six orders of three players; 1,000 each is expected, 5 standard deviations are 144."""
    orders = Counter(draw_lot(f"{seed:064x}", (1, 2, 3)) for seed in range(6000))
    assert len(orders) == 6
    assert all(abs(times - 1000) < 150 for times in orders.values())


@pytest.mark.parametrize("seed", ["", "5c", "x" * 64])
def test_a_seed_is_64_hex_digits(seed: str) -> None:
    with pytest.raises(Refusal) as caught:
        draw_lot(seed, (1, 2))
    assert caught.value.code == "seed_bad"
