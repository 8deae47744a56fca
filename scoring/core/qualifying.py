"""Knockout: the players who go on after a round (RULES 4.2).

the cut  the rank up to which the players of a table go on; all players who share it go on
"""

from collections.abc import Mapping

from tournaments.rulesets.schema import Qualifying


def going_on(ranks: Mapping[int, int], qualifying: Qualifying) -> frozenset[int]:
    """Return the players of a table who play the next round, from all ranks at it. Not meant for the final.

    A rank up to the cut is held by the best of the table and by all who share the rank at the cut.
    """
    return frozenset(player for player, rank in ranks.items() if rank <= qualifying.go_on)
