"""The form that closes a flag."""

from django import forms
from django.utils.translation import gettext_lazy

from scoring.forms import LONGEST_REASON, TEXT_CODES, RefusableForm


class FlagWordForm(RefusableForm):
    """The organiser's answer to a flag."""

    field_of = dict.fromkeys(TEXT_CODES, "word")

    word = forms.CharField(
        label=gettext_lazy("Was ist daraus geworden?"),
        max_length=LONGEST_REASON,
        error_messages={"required": gettext_lazy("Bitte in einem Wort sagen, was daraus geworden ist.")},
    )
