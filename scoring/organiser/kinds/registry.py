"""The registry of the kinds of sheets."""

from collections.abc import Mapping

from scoring.organiser.kinds.adapter import OrganiserKind
from scoring.organiser.kinds.hand_points import HAND_POINTS
from scoring.organiser.kinds.plus_minus import PLUS_MINUS
from scoring.organiser.kinds.survival import SURVIVAL
from tournaments.rulesets.schema import Ruleset

_KINDS: Mapping[str, OrganiserKind] = {
    "survival": SURVIVAL,
    "hand_points": HAND_POINTS,
    "plus_minus": PLUS_MINUS,
}


def organiser_kind(rules: Ruleset) -> OrganiserKind:
    """Return the adapter of the kind of sheet that a ruleset is played on."""
    return _KINDS[rules.sheet.kind]
