"""Form to report a problem."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from scoring.forms import TEXT_CODES, RefusableForm
from scoring.services.flags import LONGEST_NAME, LONGEST_NOTE
from tournaments.rulesets.schema import Ruleset

MOST_DEALS = 999


class FlagForm(RefusableForm):
    """A problem with a sheet, reported by a reader of the public pages.

    deal: the deal that is wrong, asked for where a complaint about it is closed with the next one.
    """

    field_of = {**dict.fromkeys(TEXT_CODES, "note"), "complaint_closed": "deal"}

    note = forms.CharField(
        label=gettext_lazy("Was stimmt nicht?"),
        max_length=LONGEST_NOTE,
        error_messages={"required": gettext_lazy("Bitte in ein paar Worten sagen, was nicht stimmt.")},
    )
    deal = forms.IntegerField(
        label=gettext_lazy("Zu welchem Spiel?"),
        help_text=gettext_lazy("Die Nummer auf der Tischliste. Leer, wenn es um kein einzelnes Spiel geht."),
        min_value=1,
        max_value=MOST_DEALS,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "size": "4"}),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), gettext_lazy("Bitte die Nummer des Spiels, oder nichts.")
        ),
    )
    name = forms.CharField(label=gettext_lazy("Wer sagt das?"), max_length=LONGEST_NAME, required=False)

    def __init__(self, *args: Any, rules: Ruleset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if rules.objections_end != "next_deal":
            del self.fields["deal"]
