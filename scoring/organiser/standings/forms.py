"""The form for the organiser's decision on a tie."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.forms import ReasonField, RefusableForm
from scoring.models import Decision
from scoring.queries.standings import StandingsRow

KINDS_OF_DECISION = [
    (Decision.Kind.PLAYOFF.value, gettext_lazy("Stechen")),
    (Decision.Kind.LOT.value, gettext_lazy("Los")),
]


class DecisionForm(RefusableForm):
    """The order of tied players: a rank for each."""

    kind = forms.ChoiceField(
        label=gettext_lazy("Entschieden durch"),
        choices=KINDS_OF_DECISION,
        widget=forms.RadioSelect,
        initial=Decision.Kind.PLAYOFF.value,
    )
    reason = ReasonField(label=gettext_lazy("Begründung, zum Beispiel wie gestochen wurde"))

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        group: Sequence[StandingsRow],
        lot_by_program: bool = False,
    ) -> None:
        super().__init__(data, auto_id=f"tie-{group[0].rank}-%s")
        self.group = group
        if lot_by_program:
            playoff = [choice for choice in KINDS_OF_DECISION if choice[0] == Decision.Kind.PLAYOFF.value]
            self.set_choices("kind", playoff)
        ranks = [(group[0].rank + index, str(group[0].rank + index)) for index in range(len(group))]
        for row in group:
            self.fields[f"place_{row.start_number}"] = forms.TypedChoiceField(
                label=row.name,
                coerce=int,
                choices=[("", "–"), *ranks],
                error_messages={"required": gettext_lazy("Bitte einen Rang wählen.")},
            )

    @property
    def places(self) -> list[tuple[StandingsRow, forms.BoundField]]:
        return [(row, self[f"place_{row.start_number}"]) for row in self.group]

    def clean(self) -> dict[str, Any]:
        places = [self.cleaned_data.get(f"place_{row.start_number}") for row in self.group]
        if None not in places and len(set(places)) < len(places):
            raise forms.ValidationError(_("Bitte jeden Rang nur einmal vergeben."))
        return self.cleaned_data

    def order(self) -> list[int]:
        """Return the start numbers, best first."""
        numbers = [row.start_number for row in self.group]
        return sorted(numbers, key=lambda number: self.cleaned_data[f"place_{number}"])
