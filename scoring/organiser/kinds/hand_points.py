"""Hand points for the organiser: forms for deals and sums, and the rows of the printed sheet.

The printed sheet has a column for each player: the points of each deal and the sum so far.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.sheet import SheetLog
from scoring.forms import RefusableForm
from scoring.organiser.kinds.adapter import OrganiserKind
from scoring.organiser.kinds.deal_rows import DealCell, DealRow, dealers
from scoring.organiser.kinds.fact_forms import PaperTotals, SeatFiguresForm, figures_of
from scoring.text.entries import ENDINGS
from tournaments.rulesets.sheets import HandPointsRules


class HandDealForm(SeatFiguresForm):
    """The points of every hand of a deal, and the way in which the deal ended."""

    kind = "deal"
    heading = gettext_lazy("Ein Spiel eintragen")
    button = gettext_lazy("Ein Spiel")
    rules: HandPointsRules
    figures = figures_of()
    field_of = {**RefusableForm.field_of, "unknown_ending": "ended_by"}

    ended_by = forms.ChoiceField(
        label=gettext_lazy("Das Spiel endete durch"), widget=forms.RadioSelect, required=False
    )

    def set_up(self) -> None:
        super().set_up()
        endings = [(ending, ENDINGS[ending]) for ending in self.rules.endings]
        self.set_choices("ended_by", [("", _("nicht notiert")), *endings])

    @classmethod
    def initial_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {**super().initial_of(data), "ended_by": data.get("ended_by") or ""}

    def entry_data(self) -> dict[str, Any]:
        return {**super().entry_data(), "ended_by": self.cleaned_data["ended_by"] or None}


class HandTotalsForm(SeatFiguresForm):
    """The sums of a paper sheet of hand points."""

    kind = "totalled"
    heading = gettext_lazy("Summen vom Papier eintragen")
    button = gettext_lazy("Summen vom Papier")
    rules: HandPointsRules
    figures = figures_of("schnauz", "feuer")


class PaperHandTotals(PaperTotals, HandTotalsForm):
    """A whole paper sheet of hand points."""


def _deal_rows(log: SheetLog) -> Iterator[DealRow]:
    totals = dict.fromkeys(log.seats, 0)
    facts = [fact for fact in log.facts if fact.kind == "deal"]
    for number, fact in enumerate(facts, start=1):
        points: Mapping[int, int] = {int(seat): value for seat, value in fact.data["points"].items()}
        totals = {seat: totals[seat] + points[seat] for seat in log.seats}
        cells = zip(log.seats, dealers(log.ruleset, log.seats, number), strict=True)
        yield DealRow(number, tuple(DealCell(points[seat], totals[seat], deals) for seat, deals in cells))


HAND_POINTS = OrganiserKind(
    fact_forms={form.kind: form for form in (HandDealForm, HandTotalsForm)},
    paper_form=PaperHandTotals,
    sheet_template="scoring/organiser/prints/_points_sheet.html",
    filled_template="scoring/organiser/prints/_points_sheet.html",
    deal_rows=_deal_rows,
    prints_hand_values=True,
)
