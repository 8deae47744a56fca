"""Forms of the registration: registering, correcting a participant, naming the cash desk."""

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.forms import EurosField, NameField, OtherPlayersField, RefusableForm, TextField
from tournaments.models import Tournament


class RegistrationForm(RefusableForm):
    """Registration of one player, or check-in of an announced one.

    fee: key of a kind of fee, "" for the default. anyway: key of a duplicate name that the cashier was warned about.
    as_new: registers another player, even if one of this name is announced. others: start numbers of the players of this
    name that the page showed with the warning or the button.
    """

    default_field = "name"

    name = NameField(
        label=_("Name"),
        widget=forms.TextInput(
            attrs={
                "autofocus": True,
                "autocomplete": "off",
                "spellcheck": "false",
                "placeholder": _("Name oder Nummer"),
            }
        ),
    )
    club = TextField(label=_("Verein"), most=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    town = TextField(
        label=pgettext_lazy("eines Spielers", "Ort"),
        most=80,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    fee = forms.CharField(required=False, max_length=40)
    unpaid = forms.BooleanField(label=_("noch nicht bezahlt"), required=False)
    anyway = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    as_new = forms.BooleanField(required=False)
    others = OtherPlayersField()


class PersonForm(RefusableForm):
    """Name, club, town and public name of a registered participant."""

    name = NameField(
        label=_("Name"), widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "off"})
    )
    club = TextField(label=_("Verein"), most=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    town = TextField(
        label=pgettext_lazy("eines Spielers", "Ort"),
        most=80,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    names = forms.ChoiceField(
        label=_("Name in der Öffentlichkeit"),
        choices=[
            ("", _("wie im Turnier eingestellt")),
            (Tournament.Names.FULL.value, _("ganz: Sepp Huber")),
            (Tournament.Names.SHORT.value, _("kurz: Sepp H.")),
            (Tournament.Names.NUMBER.value, _("nur die Nummer: Nr. 17")),
        ],
        required=False,
        widget=forms.RadioSelect,
        help_text=_(
            "Was hier gewählt ist, gilt sofort: im Netz, auf der Leinwand und auf jedem Aushang, der danach gedruckt wird."
        ),
    )


class PartForm(RefusableForm):
    """A part of a fee."""

    default_field = "cents"

    cents = EurosField(label=_("Teil der Startgebühr"), widget=forms.TextInput(attrs={"autocomplete": "off"}))


class DeskForm(forms.Form):
    """Name of the cash desk."""

    desk = TextField(label=_("Diese Kasse"), most=40, widget=forms.TextInput(attrs={"autocomplete": "off"}))
