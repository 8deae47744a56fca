"""Form to report a problem."""

from django import forms
from django.utils.translation import gettext_lazy

from scoring.forms import TEXT_CODES, RefusableForm
from scoring.services.flags import LONGEST_NAME, LONGEST_NOTE


class FlagForm(RefusableForm):
    """A problem with a sheet, reported by a reader of the public pages."""

    field_of = dict.fromkeys(TEXT_CODES, "note")

    note = forms.CharField(
        label=gettext_lazy("Was stimmt nicht?"),
        max_length=LONGEST_NOTE,
        error_messages={"required": gettext_lazy("Bitte in ein paar Worten sagen, was nicht stimmt.")},
    )
    name = forms.CharField(label=gettext_lazy("Wer sagt das?"), max_length=LONGEST_NAME, required=False)
