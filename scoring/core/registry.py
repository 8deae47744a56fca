"""The registry of the kinds of sheets."""

from typing import Any

from scoring.core.hand_points import HandPointsKind
from scoring.core.plus_minus import PlusMinusKind
from scoring.core.sheet_kind import SheetKind
from scoring.core.survival import SurvivalKind
from tournaments.rulesets.hands import HandRules
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import HandPointsRules, PlusMinusRules, SurvivalRules


def kind_of(ruleset: Ruleset) -> SheetKind[Any]:
    """Return the kind of sheet for this ruleset. Raises TypeError if there is none."""
    match ruleset:
        case Ruleset(sheet=SurvivalRules() as survival):
            return SurvivalKind(ruleset, survival)
        case Ruleset(sheet=HandPointsRules() as hand_points, hands=HandRules() as hands):
            return HandPointsKind(hand_points, hands)
        case Ruleset(sheet=PlusMinusRules() as plus_minus):
            return PlusMinusKind(plus_minus)
    raise TypeError(f"no kind of sheet for {ruleset.name}")
