"""The organiser's forms for rounds: draw, swap, wishes and closing."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.forms import OptionalReasonForm, ReasonField, RefusableForm, WordsForm
from scoring.queries.draw_options import SizeOption
from tournaments.queries.seating import RoundRow


class DrawForm(RefusableForm):
    """The choice of table sizes, and the explicit consent to exceptional sizes."""

    field_of = {**RefusableForm.field_of, "needs_confirmation": "exceptions"}

    mode = forms.ChoiceField(
        label=gettext_lazy("Wie ausgelost wird"),
        choices=[
            ("few_repeats", gettext_lazy("mit möglichst wenigen Wiederholungen")),
            ("random", gettext_lazy("nur nach dem Los")),
        ],
        widget=forms.RadioSelect,
        required=False,
    )
    ceremony = forms.ChoiceField(
        label=gettext_lazy("Ablauf"),
        choices=[
            ("quiet", gettext_lazy("still: erst ansehen, dann freigeben")),
            ("hall", gettext_lazy("vor dem Saal: versiegeln, jemand ruft etwas, dann auslosen und zeigen")),
        ],
        widget=forms.RadioSelect,
        required=False,
    )
    prefer = forms.ChoiceField(choices=[("smaller", ""), ("larger", ""), ("equal", "")], required=False)
    exceptions = forms.BooleanField(label=gettext_lazy("Ja, mit diesen Tischen auslosen"), required=False)

    def __init__(
        self, *args: Any, options: Sequence[SizeOption], mode: str = "", ceremony: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.options = options
        self.fields["mode"].initial = mode
        self.fields["ceremony"].initial = ceremony
        self.fields["prefer"].initial = options[0].prefer

    @property
    def chosen(self) -> str:
        return str(self["prefer"].value() or self.options[0].prefer)


class RedrawForm(DrawForm):
    """The same for a repeated draw, with a reason."""

    reason = ReasonField(label=gettext_lazy("Begründung (steht öffentlich da)"))


class SealedForm(WordsForm):
    """The words of the hall for a sealed draw, with a reason if the round was drawn before."""

    reason = ReasonField(
        label=gettext_lazy("Warum die Auslosung davor verworfen wird (steht öffentlich da)"), required=False
    )

    def __init__(self, *args: Any, is_redraw: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = is_redraw


class SwapForm(RefusableForm):
    """Two players of a drawn round who swap seats."""

    field_of = {**RefusableForm.field_of, "same_player": "player", "not_at_a_table": "player"}

    player = forms.TypedMultipleChoiceField(
        coerce=int,
        error_messages={
            "required": gettext_lazy("Bitte zwei Spieler ankreuzen."),
            "invalid_choice": gettext_lazy("Bitte zwei Spieler dieser Spielrunde ankreuzen."),
        },
    )
    reason = ReasonField()

    def __init__(self, *args: Any, round_row: RoundRow, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.set_choices("player", [(seat.start_number, seat.name) for seat in round_row.seats])

    def clean_player(self) -> list[int]:
        players: list[int] = self.cleaned_data["player"]
        if len(players) != 2:
            raise forms.ValidationError(_("Bitte genau zwei Spieler ankreuzen."))
        return players

    def forgive(self) -> None:
        """Discard the errors, for a form that is not submitted yet."""
        self.full_clean()
        self.errors.clear()

    @property
    def ticked(self) -> list[str]:
        return [str(value) for value in self["player"].value() or []]


class WishForm(RefusableForm):
    """Two players to be kept apart, or one player with a fixed table; players by start number or name."""

    field_of = {
        **RefusableForm.field_of,
        **dict.fromkeys(("unknown_participant", "wish_two_tables"), "player"),
        "same_player": "other",
        "unknown_table": "table",
    }

    player = forms.CharField(label=gettext_lazy("Teiln.-Nr. oder Name"), max_length=80)
    other = forms.CharField(label=gettext_lazy("nicht zusammen mit"), max_length=80, required=False)
    table = forms.IntegerField(
        label=gettext_lazy("oder immer an Tisch"), min_value=1, max_value=500, required=False
    )
    reason = ReasonField()
    private = forms.BooleanField(
        label=gettext_lazy("Privat halten"),
        help_text=gettext_lazy(
            "Öffentlich steht dann nur, dass es einen Wunsch gibt; nachrechnen können die Auslosung nur Sie. "
            "Ohne Häkchen steht der Wunsch mit den Namen auf der öffentlichen Seite der Auslosung."
        ),
        initial=True,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        if bool(self.cleaned_data.get("other")) == bool(self.cleaned_data.get("table")):
            self.add_error("other", _("Bitte entweder einen zweiten Spieler eintragen oder einen Tisch."))
        return self.cleaned_data


class ReleaseForm(OptionalReasonForm):
    """The release of a round, with a reason if the organiser has not named all scribes.

    The field is beside the tables without a scribe, outside the form element with the id `element`.
    """

    element = "release"
    field_of = {**RefusableForm.field_of, "scribes_missing": "reason"}

    reason = ReasonField(
        label=gettext_lazy("Oder ohne Schreiber freigeben, weil …"),
        required=False,
        widget=forms.TextInput(attrs={"form": element, "autocomplete": "off"}),
    )
