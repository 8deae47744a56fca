"""Forms of a person of the club: what is kept, and what they have allowed."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.forms import RefusableForm
from tournaments.core.fees import FeeKind
from tournaments.forms import DayField, NameField, TextField, WholeNumberField
from tournaments.models import Consent, Person
from tournaments.person_details import LONGEST_DETAIL, PERSON_DETAILS
from tournaments.queries.people import apart_from
from tournaments.services.people import LONGEST_MEMBER_NUMBER
from tournaments.text.money import word_fee

EARLIEST_MEMBER = 1900
"""The first year of a membership."""

CONSENTS = {
    Consent.What.KEEP.value: _("an den nächsten Abenden vorgeschlagen werden"),
    Consent.What.FULL_NAME.value: _("mit vollem Namen genannt werden"),
    Consent.What.HONOURS.value: _("in Ehrentafel und Jahreswertung stehen bleiben"),
}
WAYS = {
    Consent.Medium.DOOR.value: _("an der Tür"),
    Consent.Medium.PAPER.value: _("auf Papier"),
    Consent.Medium.OWN_PHONE.value: _("mit dem eigenen Handy"),
}


class ClubPersonForm(RefusableForm):
    """Name, membership and wishes of a person. fee: a kind of the latest evening, or the one that was chosen before."""

    default_field = "name"
    field_of = {
        "member_number_taken": "member_number",
        "unknown_table": "table",
        "apart_unknown": "apart",
    }

    name = NameField(label=_("Name"))
    club = TextField(label=_("Verein"), most=LONGEST_DETAIL)
    town = TextField(label=PERSON_DETAILS["town"].name, most=LONGEST_DETAIL)
    member_number = TextField(label=_("Mitgliedsnummer"), most=LONGEST_MEMBER_NUMBER)
    member_from_on = DayField(label=_("Mitglied seit"), required=False, earliest=EARLIEST_MEMBER)
    member_until_on = DayField(label=_("Mitglied bis"), required=False, earliest=EARLIEST_MEMBER)
    fee = forms.ChoiceField(label=_("Beitrag"), required=False)
    names = forms.ChoiceField(
        label=_("Name in der Öffentlichkeit"),
        required=False,
        choices=[
            ("", _("wie im Turnier eingestellt")),
            ("full", _("ganz: Sepp Huber")),
            ("short", _("kurz: Sepp H.")),
            ("number", _("nur die Nummer: Nr. 17")),
        ],
    )

    table = WholeNumberField(
        label=_("Immer an Tisch"),
        empty=True,
        bad=_("Bitte eine ganze Zahl, oder nichts."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    apart = forms.CharField(
        label=_("Nie an einem Tisch mit"),
        required=False,
        max_length=1000,
        help_text=_(
            "Namen von Leuten hier, einer je Zeile. Gilt ab dem nächsten Abend für beide und steht, ohne Grund, öffentlich in der Auslosung."
        ),
        widget=forms.Textarea(attrs={"rows": 2, "autocomplete": "off"}),
    )

    def __init__(self, data: Any, *, person: Person, kinds: tuple[FeeKind, ...]) -> None:
        initial = {name: getattr(person, name) for name in self.base_fields}
        initial["apart"] = "\n".join(apart_from(person))
        super().__init__(data, initial=initial)
        current = {kind.key: word_fee(kind) for kind in kinds}
        earlier = {person.fee: person.fee} if person.fee else {}
        self.set_choices("fee", [("", _("der übliche")), *(earlier | current).items()])

    def clean_apart(self) -> list[str]:
        return [name for line in self.cleaned_data["apart"].splitlines() if (name := " ".join(line.split()))]


class ConsentForm(RefusableForm):
    """A word of a person on what they allow."""

    what = forms.ChoiceField(label=_("Der Name darf"), choices=list(CONSENTS.items()))
    is_given = forms.ChoiceField(
        label=_("Antwort"), choices=[("1", _("ja")), ("0", _("nein, oder nicht mehr"))]
    )
    how = forms.ChoiceField(label=_("Gesagt"), choices=list(WAYS.items()))
    on = DayField(label=_("Am"))

    def clean_given(self) -> bool:
        return bool(self.cleaned_data["is_given"] == "1")
