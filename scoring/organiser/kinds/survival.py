"""Survival for the organiser: forms for deals, strokes and ranks, and for a paper sheet typed in as one line."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.paper import LONGEST_LINE, Draft, PaperSheet, read_line
from scoring.forms import RefusableForm
from scoring.organiser.kinds.adapter import OrganiserKind
from scoring.organiser.kinds.fact_forms import PLAYER_MISSING, FactForm
from scoring.text.entries import ENDINGS
from scoring.text.refusals import message
from tournaments.core.refusal import Refusal
from tournaments.queries.seating import SeatRow
from tournaments.rulesets.sheets import SurvivalRules


class PaperForm(RefusableForm):
    """A paper sheet in one line; see `scoring.core.paper`."""

    field_of = {
        **dict.fromkeys(("ranks_two_winners", "ranks_no_competition_ranking", "ranks_incomplete"), "line"),
        "paper_replaces": "replace",
    }

    line = forms.CharField(
        label=gettext_lazy("Ränge und Striche"),
        max_length=LONGEST_LINE,
        error_messages={"required": gettext_lazy("Bitte erst die Ränge, dann die Striche eintippen.")},
    )
    replace = forms.BooleanField(
        label=gettext_lazy("Das Papierblatt ersetzt, was schon eingetragen ist"), required=False
    )

    def __init__(self, *args: Any, seats: Sequence[SeatRow], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.seats = [seat.seat_number for seat in seats]

    def clean_line(self) -> PaperSheet:
        try:
            return read_line(self.cleaned_data["line"], self.seats)
        except Refusal as refusal:
            raise forms.ValidationError(message(refusal)) from None

    def drafts(self) -> list[Draft]:
        """Return the facts that are equivalent to the paper sheet."""
        paper: PaperSheet = self.cleaned_data["line"]
        return paper.drafts()

    @property
    def hint(self) -> str:
        """The first error in the line so far; "" as long as the line is empty."""
        errors = self.errors.get("line") if str(self["line"].value() or "").strip() else None
        return str(errors[0]) if errors else ""


class DealForm(FactForm):
    """A deal: its ending, the finisher and the losers."""

    kind = "deal"
    heading = gettext_lazy("Ein Spiel eintragen")
    button = gettext_lazy("Ein Spiel")
    rules: SurvivalRules
    field_of = {
        **RefusableForm.field_of,
        **dict.fromkeys(
            ("no_losers", "already_drowned", "all_others_lose", "would_drown_everybody"), "losers"
        ),
        **dict.fromkeys(("finisher_needed", "finisher_on_knock", "finisher_cannot_lose"), "finisher"),
        "unknown_ending": "ended_by",
    }

    ended_by = forms.ChoiceField(
        label=gettext_lazy("Das Spiel endete durch"),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Bitte auswählen, wodurch das Spiel endete.")},
    )
    finisher = forms.TypedChoiceField(
        label=gettext_lazy("Den Strich bekommt"), coerce=int, empty_value=None, required=False
    )
    losers = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Ein Leben verloren hat"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def set_up(self) -> None:
        self.set_choices("ended_by", [(ending, ENDINGS[ending]) for ending in self.rules.endings])
        self.set_choices("losers", self._seat_choices())
        if self.rules.three_of_a_kind_spared:
            self.fields["losers"].help_text = _(
                "Niemand angekreuzt heißt: Wegen drei Gleicher zahlt niemand."
            )
        self.set_choices("finisher", [("", _("niemand (geklopft)")), *self._seat_choices()])


class StrokeForm(FactForm):
    """A stroke for a player."""

    kind = "stroke"
    heading = gettext_lazy("Einen Strich eintragen")
    button = gettext_lazy("Einen Strich")
    rules: SurvivalRules

    seat_number = forms.TypedChoiceField(
        label=gettext_lazy("Spieler"), coerce=int, error_messages={"required": PLAYER_MISSING}
    )
    mark = forms.ChoiceField(
        label=gettext_lazy("Strich für"),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Bitte auswählen, wofür der Strich ist.")},
    )

    def set_up(self) -> None:
        self.set_choices("seat_number", self._player_choices())
        self.set_choices("mark", [(mark, ENDINGS[mark]) for mark in self.rules.marks])


class RankedForm(FactForm):
    """A rank for each seat."""

    kind = "ranked"
    heading = gettext_lazy("Ränge eintragen")
    button = gettext_lazy("Ränge")

    def set_up(self) -> None:
        for seat in self.seats:
            self.fields[f"rank_{seat.seat_number}"] = forms.IntegerField(
                label=_("Rang von %(name)s (Platz-Nr. %(seat)s)")
                % {"name": seat.name, "seat": seat.seat_number},
                min_value=1,
                max_value=len(self.seats),
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
                error_messages={"required": gettext_lazy("Bitte einen Rang eintragen.")},
            )

    @classmethod
    def initial_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {f"rank_{seat}": rank for seat, rank in data["ranks"].items()}

    @property
    def rank_fields(self) -> list[forms.BoundField]:
        return [self[f"rank_{seat.seat_number}"] for seat in self.seats]

    def entry_data(self) -> dict[str, Any]:
        seats = [seat.seat_number for seat in self.seats]
        return {"ranks": {str(seat): self.cleaned_data[f"rank_{seat}"] for seat in seats}}


def _paper_form(data: Any, *, seats: Sequence[SeatRow], rules: SurvivalRules, auto_id: str) -> PaperForm:
    return PaperForm(data, seats=seats, auto_id=auto_id)


SURVIVAL = OrganiserKind(
    fact_forms={form.kind: form for form in (DealForm, StrokeForm, RankedForm)},
    paper_form=_paper_form,
    sheet_template="scoring/organiser/prints/_sheet.html",
    filled_template="scoring/organiser/prints/_filled_sheet.html",
)
