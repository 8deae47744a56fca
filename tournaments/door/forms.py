"""Forms of the registration: registering, correcting a participant, naming the cash desk."""

from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.core.cash import LONGEST_DESK
from tournaments.forms import EurosField, NameField, OtherPlayersField, RefusableForm, TextField
from tournaments.models import Tournament
from tournaments.person_details import LONGEST_DETAIL, PERSON_DETAILS


class PersonTextsForm(RefusableForm):
    """Club and details of a participant."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for key, label in self._labels().items():
            widget = forms.TextInput(attrs={"autocomplete": "off"})
            self.fields[key] = TextField(label=label, most=LONGEST_DETAIL, widget=widget)

    @property
    def optional_fields(self) -> list[forms.BoundField]:
        return [self[key] for key in self._labels()]

    @staticmethod
    def _labels() -> dict[str, Promise | str]:
        return {"club": _("Verein"), **{key: detail.name for key, detail in PERSON_DETAILS.items()}}


class RegistrationForm(PersonTextsForm):
    """Registration of one player, or check-in of an announced one.

    fee: key of a kind of fee, "" for the default. anyway: key of a duplicate name that the cashier was warned about.
    as_new: registers another player, even if one of this name is announced. others: start numbers of the players of this
    name that the page showed with the warning or the button. person: key of the known person who was taken, "" for none.
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
    fee = forms.CharField(required=False, max_length=40)
    unpaid = forms.BooleanField(label=_("noch nicht bezahlt"), required=False)
    anyway = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    as_new = forms.BooleanField(required=False)
    person = forms.CharField(required=False, max_length=36, widget=forms.HiddenInput)
    others = OtherPlayersField()


class PersonForm(PersonTextsForm):
    """Name, club, details and public name of a registered participant."""

    name = NameField(
        label=_("Name"), widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "off"})
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


class DeskForm(RefusableForm):
    """Name of the cash desk at a device, and the float with which it begins."""

    default_field = "desk"

    desk = TextField(
        label=_("Neue Kasse"), most=LONGEST_DESK, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    float = EurosField(
        label=_("Wechselgeld darin"), empty=True, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class DeskNameForm(RefusableForm):
    """Another name for a desk."""

    default_field = "desk"

    desk = NameField(
        label=_("Name der Kasse"),
        most=LONGEST_DESK,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
