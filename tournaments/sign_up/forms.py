"""Forms of the public sign-up, and to find a sign-up again."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.core.sign_up_codes import plain_code
from tournaments.forms import HOW_NAMES_ARE_SHOWN, NameField, RefusableForm, TextField
from tournaments.models import Tournament


class OwnForm(RefusableForm):
    """Name, club or town, and public name of a player who registers themselves."""

    name = NameField(
        label=_("Vor- und Nachname"),
        widget=forms.TextInput(attrs={"autocomplete": "name", "spellcheck": "false"}),
    )
    club = TextField(
        label=_("Verein oder Ort"), most=80, widget=forms.TextInput(attrs={"autocomplete": "organization"})
    )
    names = forms.ChoiceField(
        label=_("Wie sollen wir Sie öffentlich nennen?"), required=False, widget=forms.RadioSelect
    )

    def __init__(self, data: Mapping[str, Any] | None, *, tournament: Tournament, **options: Any) -> None:
        super().__init__(data, **options)
        usual = format_lazy(
            _("wie alle in diesem Turnier ({how})"), how=dict(HOW_NAMES_ARE_SHOWN)[tournament.names]
        )
        self.set_choices("names", [("", usual), *HOW_NAMES_ARE_SHOWN])


class SignUpForm(OwnForm):
    """A new sign-up. code: finds the sign-up later; hall: the code on the wall of the hall."""

    field_of = {"hall_code_wrong": "hall", "sign_up_only_in_hall": "hall"}

    code = forms.CharField(max_length=20, widget=forms.HiddenInput)
    hall = forms.CharField(
        label=_("Code an der Leinwand"),
        required=False,
        max_length=20,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "data-fragment-code": "",
            }
        ),
        help_text=_("Sechs Zeichen. Wer den Code mit dem Handy gescannt hat, muss nichts abtippen."),
    )


class HallForm(forms.Form):
    """The code on the wall of the hall, for sign-ups without a desk."""

    hall = SignUpForm.base_fields["hall"]


class OwnCodeForm(RefusableForm):
    """The code of a sign-up, typed from paper or from another phone."""

    default_field = "code"

    code = forms.CharField(
        label=pgettext_lazy("einer Anmeldung", "Ihr Code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
        help_text=_("Zwölf Zeichen, zum Beispiel ABCD-EFGH-2345."),
    )

    @property
    def plain(self) -> str:
        """The code without hyphens and blanks, "" if invalid."""
        return plain_code(self.cleaned_data["code"])
