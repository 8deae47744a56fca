from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.forms import RefusableForm
from scoring.organiser.kinds.fact_forms import PaperTotals, SeatFiguresForm
from scoring.text.entries import HAND_ENDINGS
from tournaments.rulesets.sheets import HandPointsRules
from tournaments.text.tie_breaks import TIE_BREAKS

# --- points of every hand ------------------------------------------------------------------------------------------


class HandDealForm(SeatFiguresForm):
    """The points of every hand of a deal, and how it ended."""

    kind = "deal"
    rules: HandPointsRules
    figures = {"points": gettext_lazy("Punkte")}
    field_of = {**RefusableForm.field_of, "unknown_ending": "ended_by"}

    ended_by = forms.ChoiceField(
        label=gettext_lazy("Das Spiel endete durch"), widget=forms.RadioSelect, required=False
    )

    def set_up(self) -> None:
        super().set_up()
        endings = [(ending, HAND_ENDINGS[ending]) for ending in self.rules.endings]
        self._choices("ended_by", [("", _("nicht notiert")), *endings])

    @classmethod
    def initial_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {**super().initial_of(data), "ended_by": data.get("ended_by") or ""}

    def entry_data(self) -> dict[str, Any]:
        return {**super().entry_data(), "ended_by": self.cleaned_data["ended_by"] or None}


class HandTotalsForm(SeatFiguresForm):
    """Sums of a paper sheet of hands."""

    kind = "totalled"
    rules: HandPointsRules
    figures = {
        "points": gettext_lazy("Punkte"),
        "schnauz": TIE_BREAKS["schnauz"].head,
        "feuer": TIE_BREAKS["feuer"].head,
    }


class PaperHandTotals(PaperTotals, HandTotalsForm):
    pass
