"""The organiser's form for deleting a tournament."""

from django import forms
from django.utils.translation import gettext_lazy

from scoring.forms import RefusableForm


class DeleteForm(RefusableForm):
    """The tournament's name, typed to confirm."""

    field_of = {"name_differs": "name"}

    name = forms.CharField(
        label=gettext_lazy("Name des Turniers"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("Bitte den Namen des Turniers eintippen.")},
    )
