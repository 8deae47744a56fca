"""Forms of the roles in the club."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Membership

_ROLES = [
    (Membership.Role.CASHIER.value, _("Kasse: Anmeldung und Geld bei allen Turnieren")),
    (
        Membership.Role.ORGANISER.value,
        _("Veranstalter: alle Turniere, dazu Leute, Jahreswertung und Verein"),
    ),
]


class InviteToClubForm(forms.Form):
    role = forms.ChoiceField(
        label=_("Wer wird eingeladen?"),
        choices=_ROLES,
        initial=Membership.Role.CASHIER.value,
        widget=forms.RadioSelect,
    )


class ClubRoleForm(forms.Form):
    """A role in the club, or none."""

    role = forms.ChoiceField(choices=[("", ""), *_ROLES], required=False)
