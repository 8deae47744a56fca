"""Rule sheets in tests."""

from typing import TypeVar

from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import HandPointsRules, PlusMinusRules, SurvivalRules

S = TypeVar("S", SurvivalRules, HandPointsRules, PlusMinusRules)


def sheet_as(ruleset: Ruleset, kind: type[S]) -> S:
    """Return the rules of the sheet, typed as this kind."""
    assert isinstance(ruleset.sheet, kind)
    return ruleset.sheet
