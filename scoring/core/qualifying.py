"""Knockout: who goes on after a round (RULES 4.2).

the cut  the rank up to which the players of a table go on; who shares it goes on as well
"""

from collections.abc import Mapping

from tournaments.rulesets.schema import Qualifying


def going_on(ranks: Mapping[int, int], qualifying: Qualifying) -> frozenset[int]:
    """Who of a table plays the next round, from everybody's rank at it; of the final nobody does.

    A rank up to the cut is held by the best of the table and by all who share the rank at the cut.
    """
    return frozenset(player for player, rank in ranks.items() if rank <= qualifying.go_on)
