"""Forms of the desk: one line to register, one to correct, the name of the desk."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.fields import NameField, TextField


class RegistrationForm(forms.Form):
    """The line at the door. `anyway` holds the name that was warned about, once it has been."""

    name = NameField(
        label=_("Name"),
        widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "off", "spellcheck": "false"}),
    )
    club = TextField(label=_("Verein"), most=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    unpaid = forms.BooleanField(label=_("noch nicht bezahlt"), required=False)
    anyway = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)


class PersonForm(forms.Form):
    name = NameField(
        label=_("Name"), widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "off"})
    )
    club = TextField(label=_("Verein"), most=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))


class DeskForm(forms.Form):
    desk = TextField(label=_("Diese Kasse"), most=40, widget=forms.TextInput(attrs={"autocomplete": "off"}))
