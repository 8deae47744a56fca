"""Forms of a cash desk: moving money, counting, opening again."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.core.cash import MOST_PIECES, PIECES
from tournaments.core.refusal import Refusal
from tournaments.forms import EurosField, RefusableForm, TextField, WholeNumberField
from tournaments.services.desks import confirmation
from tournaments.text.money import word_desk, word_piece
from tournaments.text.states import KINDS_OF_CASH

_OFF: Any = {"autocomplete": "off"}


class MoveForm(RefusableForm):
    """Movement of money into or out of a desk.

    move: a CashKind, or "to-2" for a transfer to desk 2. asked: the two amounts, where more than there is needs `confirmed`.
    """

    default_field = "cents"
    field_of = {"reason_needed": "reason", "text_too_long": "reason", "text_bad_characters": "reason"}

    move = forms.ChoiceField(label=_("Was"), widget=forms.RadioSelect)
    cents = EurosField(label=_("Betrag"), widget=forms.TextInput(attrs=_OFF))
    confirmed = forms.CharField(required=False, max_length=60)
    asked: Mapping[str, Any] = {}
    reason = TextField(
        label=_("Grund"),
        most=500,
        widget=forms.TextInput(attrs=_OFF),
        help_text=_("Zum Beispiel: Wechselgeld, Kartenspiele, zur Bank. Nötig bei Einlage und Entnahme."),
    )

    def __init__(self, *args: Any, others: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        """others: number and name of each other desk that is open."""
        super().__init__(*args, **{"auto_id": "move_%s", **kwargs})
        moves = [(kind, KINDS_OF_CASH[kind]) for kind in ("float", "in", "out")]
        handing_over = [
            (f"to-{number}", _("Übergabe an %(desk)s") % {"desk": word_desk(name)}) for number, name in others
        ]
        self.set_choices("move", [*moves, *handing_over])

    def refuse(self, refusal: Refusal) -> None:
        super().refuse(refusal)
        if refusal.code == "more_than_there":
            self.asked = refusal.params

    @property
    def confirmation(self) -> str:
        """The value of `confirmed` that books the amount all the same, "" unless this is asked."""
        return confirmation(**self.asked) if self.asked else ""


class CountForm(RefusableForm):
    """Count of a desk's notes and coins, with a reason for a difference."""

    default_field = "reason"
    field_of = {"amount_too_large": ""}

    reason = TextField(
        label=_("Grund der Differenz"),
        most=500,
        widget=forms.TextInput(attrs=_OFF),
        help_text=_("Nur nötig, wenn die Zählung nicht aufgeht."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "count_%s", **kwargs})
        for value in PIECES:
            field = WholeNumberField(
                label=word_piece(value),
                empty=True,
                bad=_("Hier muss eine Anzahl stehen, zum Beispiel 12."),
                widget=forms.TextInput(attrs={**_OFF, "data-piece": value, "size": 5}),
            )
            self.fields[f"piece_{value}"] = field

    def clean(self) -> dict[str, Any]:
        for value in PIECES:
            number = self.cleaned_data.get(f"piece_{value}") or 0
            if not 0 <= number <= MOST_PIECES:
                self.add_error(f"piece_{value}", _("Hier muss eine Anzahl stehen, zum Beispiel 12."))
        return self.cleaned_data

    @property
    def counted(self) -> list[forms.BoundField]:
        """The fields of the notes and coins, the largest first."""
        return [self[f"piece_{value}"] for value in PIECES]

    @property
    def pieces(self) -> dict[str, int]:
        return {str(value): self.cleaned_data.get(f"piece_{value}") or 0 for value in PIECES}


class ReopenForm(RefusableForm):
    """The reason for opening a desk again."""

    default_field = "reason"

    reason = TextField(label=_("Begründung"), most=500, widget=forms.TextInput(attrs=_OFF))
