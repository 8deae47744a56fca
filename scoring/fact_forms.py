"""The facts of a sheet as forms, for each kind of sheet, and a whole paper sheet as sums of every seat.

A figure of a seat is a field of its own, named after both: `points_3` are the points of seat 3.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.paper import Draft
from scoring.core.plus_minus import RUF
from scoring.fact_words import GAMES, HAND_ENDINGS, LEVELS, TIE_BREAKS
from scoring.forms import (
    INITIALS_MISSING,
    SURVIVAL_FORMS,
    FactForm,
    InitialsField,
    PaperForm,
    RefusableForm,
)
from scoring.wording import word
from tournaments.core.refusal import Refusal
from tournaments.queries.seating import SeatRow
from tournaments.rulesets.sheets import HandPointsRules, PlusMinusRules, SurvivalRules

MOST_POINTS = 99_999


class WholeField(forms.IntegerField):
    """A whole number as people type it: with a dash for a minus, and kept as typed where it is none."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> int | None:
        text = value.replace("−", "-").replace("–", "-") if isinstance(value, str) else value
        number: int | None = super().to_python(text)
        return number


class SeatFiguresForm(FactForm):
    """Figures of every seat, in the order in which they stand on paper: seat by seat."""

    figures: Mapping[str, Promise]
    """Name of a figure -> what stands above its column. The first is needed, an empty one of the others is 0."""

    def set_up(self) -> None:
        for seat in self.seats:
            for name, heading in self.figures.items():
                self.fields[f"{name}_{seat.seat_number}"] = self._figure(name, f"{seat.name}: {heading}")
        self.first_attrs["data-paper-start"] = True

    @property
    def first_attrs(self) -> dict[str, Any]:
        """The attributes of the field that is typed first."""
        attrs: dict[str, Any] = self.fields[f"points_{self.seats[0].seat_number}"].widget.attrs
        return attrs

    def refuse(self, refusal: Refusal) -> None:
        """What is wrong with a seat stands at its points."""
        name = f"points_{refusal.params.get('seat')}"
        if name in self.fields:
            self.add_error(name, word(refusal))
        else:
            super().refuse(refusal)

    @property
    def headings(self) -> list[Promise]:
        return list(self.figures.values())

    @property
    def rows(self) -> list[tuple[SeatRow, list[forms.BoundField]]]:
        """Every seat with its fields."""
        return [(seat, [self[f"{name}_{seat.seat_number}"] for name in self.figures]) for seat in self.seats]

    @classmethod
    def initial_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {f"{name}_{seat}": value for name in cls.figures for seat, value in data[name].items()}

    def entry_data(self) -> dict[str, Any]:
        return {
            name: {str(seat.seat_number): self._value(name, seat) for seat in self.seats}
            for name in self.figures
        }

    def _value(self, name: str, seat: SeatRow) -> int:
        return self.cleaned_data[f"{name}_{seat.seat_number}"] or 0

    def _figure(self, name: str, label: str) -> WholeField:
        is_points = name == "points"
        attrs = {"autocomplete": "off", "size": "5", "inputmode": "text" if is_points else "numeric"}
        if not is_points:
            attrs["placeholder"] = "0"
        return WholeField(
            label=label,
            required=is_points,
            min_value=-MOST_POINTS if is_points else 0,
            max_value=MOST_POINTS if is_points else self.rules.deals,
            widget=forms.TextInput(attrs=attrs),
            error_messages={
                "required": gettext_lazy("Hier fehlen die Punkte."),
                "invalid": gettext_lazy("Bitte eine ganze Zahl eintragen."),
            },
        )


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
        "schnauz": TIE_BREAKS["schnauz"],
        "feuer": TIE_BREAKS["feuer"],
    }


# --- plus and minus ------------------------------------------------------------------------------------------------


class GameForm(FactForm):
    """A game, who played it and what became of it."""

    kind = "deal"
    rules: PlusMinusRules
    field_of = {
        **RefusableForm.field_of,
        **dict.fromkeys(("partner_needed", "partner_is_declarer", "no_partner_in_a_solo"), "partner"),
        **dict.fromkeys(("unknown_level", "not_in_first_deal"), "level"),
        "unknown_game": "game",
    }

    game = forms.ChoiceField(label=gettext_lazy("Spiel"), widget=forms.RadioSelect)
    declarer = forms.TypedChoiceField(label=gettext_lazy("Wer spielt?"), coerce=int)
    partner = forms.TypedChoiceField(
        label=gettext_lazy("Wer ist gerufen?"), coerce=int, empty_value=None, required=False
    )
    won = forms.TypedChoiceField(
        label=gettext_lazy("Ausgang"),
        coerce=lambda value: value == "yes",
        choices=[("yes", gettext_lazy("gewonnen")), ("no", gettext_lazy("verloren"))],
        widget=forms.RadioSelect,
    )
    level = forms.ChoiceField(
        label=gettext_lazy("Wie hoch?"),
        choices=list(LEVELS.items()),
        widget=forms.RadioSelect,
        initial="normal",
    )

    def set_up(self) -> None:
        self._choices("game", [(game, GAMES[game]) for game in (RUF, *self.rules.solos)])
        self._choices("declarer", [("", "–"), *self._seat_choices()])
        self._choices("partner", [("", _("niemand (allein gegen drei)")), *self._seat_choices()])

    @classmethod
    def initial_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        return {**data, "won": "yes" if data["won"] else "no"}

    def entry_data(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("game", "declarer", "partner", "won", "level")}


class GameTotalsForm(SeatFiguresForm):
    """Results of a paper sheet of games, with the Touts and Solos that break ties."""

    kind = "totalled"
    rules: PlusMinusRules
    figures = {
        "points": gettext_lazy("Punkte"),
        "tout_won": TIE_BREAKS["tout_won"],
        "tout_played": TIE_BREAKS["tout_played"],
        "solo_won": TIE_BREAKS["solo_won"],
        "solo_played": TIE_BREAKS["solo_played"],
    }


# --- a whole paper sheet -------------------------------------------------------------------------------------------


class PaperTotals(SeatFiguresForm):
    """The sums of a paper sheet, that may replace what stands on the table's sheet."""

    field_of = {**RefusableForm.field_of, "paper_replaces": "replace"}

    replace = forms.BooleanField(
        label=gettext_lazy("Das Papierblatt ersetzt, was schon eingetragen ist"), required=False
    )

    def drafts(self) -> list[Draft]:
        """The facts that say the same on a sheet."""
        return [(self.kind, self.entry_data())]

    @property
    def hint(self) -> str:
        """What is wrong with what is typed so far; "" as long as points are missing."""
        if any(not self[f"points_{seat.seat_number}"].value() for seat in self.seats):
            return ""
        return next((str(errors[0]) for errors in self.errors.values()), "")


class PaperHandTotals(PaperTotals, HandTotalsForm):
    pass


class PaperGameTotals(PaperTotals, GameTotalsForm):
    """What stands on the sheet is struck out with the supervisor's initials (RULES 5.5)."""

    initials = InitialsField(required=False)

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("replace") and not self.cleaned_data.get("initials", "–"):
            self.add_error("initials", INITIALS_MISSING)
        return self.cleaned_data


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
