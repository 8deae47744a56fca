"""Base forms for the facts on a sheet and for the sums of a paper sheet."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from scoring.core.paper import Draft
from scoring.forms import RefusableForm
from scoring.text.refusals import message
from tournaments.core.refusal import Refusal
from tournaments.queries.seating import SeatRow
from tournaments.rulesets.tie_breaks import TIE_BREAKS

PLAYER_MISSING = gettext_lazy("Bitte den Spieler auswählen.")
INITIALS_MISSING = gettext_lazy(
    "Hier fehlt das Kürzel. Bitte eintragen, wer von der Aufsicht das abzeichnet."
)


class FactForm(RefusableForm):
    """The data of a fact as form fields, and the conversion back. heading: of the page; button: that leads to it."""

    kind: str
    heading: Promise
    button: Promise
    rules: Any
    """The rules of the table's sheet. Each subclass narrows the type to its own kind."""

    def __init__(self, *args: Any, seats: Sequence[SeatRow], rules: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.seats, self.rules = seats, rules
        self.set_up()

    def set_up(self) -> None:
        """Set the choices and fields that depend on the table and its rules."""

    @classmethod
    def initial_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the initial values of the fields for an entry with this data."""
        return dict(data)

    def entry_data(self) -> dict[str, Any]:
        """Return the data of the entry: the cleaned fields of the class."""
        return {name: self.cleaned_data[name] for name in self.base_fields}

    def _seat_choices(self) -> list[tuple[int, str]]:
        return [(seat.seat_number, f"{seat.seat_number} · {seat.name}") for seat in self.seats]

    def _player_choices(self) -> list[tuple[int | str, str]]:
        """Return an empty choice and the seats, so that no player is preselected."""
        return [("", "–"), *self._seat_choices()]


def figures_of(*tie_breaks: str) -> Mapping[str, Promise]:
    """Return the figures of `SeatFiguresForm`: the points, and what these tie-breaks count."""
    points = {"points": gettext_lazy("Punkte")}
    return points | {key: gettext_lazy(TIE_BREAKS[key].head) for key in tie_breaks}


class InitialsField(forms.CharField):
    """The initials of the supervisor."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            label=gettext_lazy("Kürzel"),
            max_length=8,
            error_messages={
                "required": INITIALS_MISSING,
                "max_length": gettext_lazy("Ein Kürzel hat höchstens 8 Zeichen."),
            },
            **options,
        )


MOST_POINTS = 99_999


class WholeField(forms.IntegerField):
    """A whole number; accepts a typographic dash as minus, and shows invalid input again as typed."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> int | None:
        text = value.replace("−", "-").replace("–", "-") if isinstance(value, str) else value
        number: int | None = super().to_python(text)
        return number


class SeatFiguresForm(FactForm):
    """Figures of every seat, in the order of the paper sheet: seat by seat."""

    figures: Mapping[str, Promise]
    """Name of a figure -> heading of its column. The points are required; any other figure left empty is 0."""
    note: Promise | str = ""
    """What to keep in mind about the figures, beside them."""

    def set_up(self) -> None:
        for seat in self.seats:
            for name, heading in self.figures.items():
                self.fields[f"{name}_{seat.seat_number}"] = self._figure(name, f"{seat.name}: {heading}")
        self.first_attrs["data-paper-start"] = True

    @property
    def first_attrs(self) -> dict[str, Any]:
        """The widget attributes of the first field."""
        attrs: dict[str, Any] = self.fields[f"points_{self.seats[0].seat_number}"].widget.attrs
        return attrs

    def refuse(self, refusal: Refusal) -> None:
        """Add a refusal that concerns a seat to the field of its points."""
        name = f"points_{refusal.params.get('seat')}"
        if name in self.fields:
            self.add_error(name, message(refusal))
        else:
            super().refuse(refusal)

    @property
    def headings(self) -> list[Promise]:
        return list(self.figures.values())

    @property
    def rows(self) -> list[tuple[SeatRow, list[forms.BoundField]]]:
        """Every seat with its bound fields."""
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


class PaperTotals(SeatFiguresForm):
    """The sums of a paper sheet, which may replace the entries on the table's sheet."""

    field_of = {**RefusableForm.field_of, "paper_replaces": "replace"}

    replace = forms.BooleanField(
        label=gettext_lazy("Das Papierblatt ersetzt, was schon eingetragen ist"), required=False
    )

    def drafts(self) -> list[Draft]:
        """Return the facts that are equivalent to the paper sheet."""
        return [(self.kind, self.entry_data())]

    @property
    def hint(self) -> str:
        """The first error in the input so far; "" as long as points are missing."""
        if any(not self[f"points_{seat.seat_number}"].value() for seat in self.seats):
            return ""
        return next((str(errors[0]) for errors in self.errors.values()), "")
