"""Base forms for the organiser's pages on rounds, sheets and standings."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from scoring.text.refusals import message
from tournaments import forms as shared
from tournaments.core.ceremony import MOST_WORDS
from tournaments.core.refusal import Refusal

LONGEST_REASON = 500

_REASON = {"required": gettext_lazy("Bitte in ein paar Worten sagen, warum.")}
TEXT_CODES = ("reason_needed", "bad_text", "text_empty", "text_too_long", "text_bad_characters")


refusal_as_message = partial(shared.refusal_as_message, word=message)


class RefusableForm(shared.RefusableForm):
    """A form that shows a refusal; texts that are refused belong to the reason unless a form says otherwise."""

    field_of: Mapping[str, str] = dict.fromkeys(TEXT_CODES, "reason")

    @staticmethod
    def error_of(refusal: Refusal) -> forms.ValidationError:
        return forms.ValidationError(message(refusal), code=refusal.code)


class ReasonField(forms.CharField):
    """The reason for an organiser's change."""

    def __init__(self, **options: Any) -> None:
        given: dict[str, Any] = {"label": gettext_lazy("Begründung"), "error_messages": _REASON, **options}
        super().__init__(max_length=LONGEST_REASON, **given)


class ReasonForm(RefusableForm):
    """A reason, required."""

    reason = ReasonField()


class OptionalReasonForm(RefusableForm):
    """A reason that may be left out."""

    reason = ReasonField(required=False)


class CloseForm(OptionalReasonForm):
    """The closing of a round, with a reason if sheets are not accepted or entries are parked.

    ends: whether it makes the final standings public, if they are not kept.
    """

    field_of = {**RefusableForm.field_of, "sheets_not_accepted": "reason", "entries_parked": "reason"}

    standings = forms.ChoiceField(
        label=gettext_lazy("Danach den Endstand"),
        choices=[
            ("keep", gettext_lazy("für die Siegerehrung zurückhalten")),
            ("show", gettext_lazy("gleich allen zeigen")),
        ],
        widget=forms.RadioSelect,
        required=False,
    )

    def __init__(self, data: Any = None, *, ends: bool, has_prizes: bool) -> None:
        super().__init__(data, auto_id="close_%s")
        if ends:
            self.fields["standings"].initial = "keep" if has_prizes else "show"
        else:
            del self.fields["standings"]

    def clean_standings(self) -> str:
        """Without an answer, the choice that the page proposes counts: the form may be from a page that did not ask yet."""
        return str(self.cleaned_data["standings"] or self.fields["standings"].initial)

    @property
    def keeps_standings(self) -> bool:
        return self.cleaned_data.get("standings") == "keep"


class WordsForm(RefusableForm):
    """The words that somebody in the hall has called out for a draw or a lot."""

    field_of = {**RefusableForm.field_of, "words_are_said": "words"}

    words = forms.CharField(
        label=gettext_lazy("Zuruf aus dem Saal"),
        help_text=gettext_lazy(
            "Eine Zahl, eine Karte, ein Wort – kein Name. Steht sofort öffentlich da und lässt sich nicht mehr ändern. Leer lassen geht."
        ),
        max_length=MOST_WORDS,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
