from collections.abc import Mapping, Sequence
from typing import Any

from scoring.organiser.kinds.fact_forms import FactForm, PaperTotals
from scoring.organiser.kinds.hand_points import HandDealForm, HandTotalsForm, PaperHandTotals
from scoring.organiser.kinds.plus_minus import GameForm, GameTotalsForm, PaperGameTotals
from scoring.organiser.kinds.survival import SURVIVAL_FORMS, PaperForm
from tournaments.queries.seating import SeatRow
from tournaments.rulesets.sheets import HandPointsRules, PlusMinusRules, SurvivalRules

FACT_FORMS: Mapping[type, Mapping[str, type[FactForm]]] = {
    SurvivalRules: SURVIVAL_FORMS,
    HandPointsRules: {form.kind: form for form in (HandDealForm, HandTotalsForm)},
    PlusMinusRules: {form.kind: form for form in (GameForm, GameTotalsForm)},
}
"""For the rules of a sheet: kind of a fact -> its form. The supervisor's mark has none."""


def needs_initials(rules: object) -> bool:
    """Whether what the supervisor does to a written deal is signed under these rules of a sheet (RULES 5.3, 5.5)."""
    return isinstance(rules, PlusMinusRules)


def paper_form(
    rules: object, data: Any, *, seats: Sequence[SeatRow], auto_id: str
) -> PaperForm | PaperTotals:
    """The form for a whole paper sheet under these rules of a sheet."""
    match rules:
        case HandPointsRules():
            return PaperHandTotals(data, seats=seats, rules=rules, auto_id=auto_id)
        case PlusMinusRules():
            return PaperGameTotals(data, seats=seats, rules=rules, auto_id=auto_id)
    return PaperForm(data, seats=seats, auto_id=auto_id)
