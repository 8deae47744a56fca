"""The lot between players who are equal in everything (RULES 5.7): an order that follows from a recorded seed."""

from collections.abc import Iterable

from tournaments.core.draw import is_seed
from tournaments.core.random_stream import RandomStream
from tournaments.core.refusal import Refusal


def draw_lot(seed: str, players: Iterable[int]) -> tuple[int, ...]:
    """Return the start numbers, best first: the players, ascending, shuffled (`RandomStream.shuffled`).

    Every order is equally likely, and the same seed gives the same order on every machine. Raises Refusal `seed_bad`.
    """
    if not is_seed(seed):
        raise Refusal("seed_bad")
    return tuple(RandomStream(bytes.fromhex(seed)).shuffled(sorted(players)))
