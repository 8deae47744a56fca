"""The password once more, before what must not happen at a screen that somebody has left: of an account with a second factor its code."""

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.accounts import passwords
from tournaments.accounts.forms import password_field
from tournaments.accounts.second_factor.forms import OneTimeCodeForm
from tournaments.core.refusal import Refusal
from tournaments.forms import RefusableForm
from tournaments.models import EventKind
from tournaments.requests import StaffRequest, posted
from tournaments.security_log import record
from tournaments.services import second_factor as factors


class ConfirmedForm(RefusableForm):
    """A form that asks for the password or the code, after its other fields are right. Its view runs in no
    transaction, since this hashes. is_sent: whether this form is the one that the request sends."""

    def __init__(self, request: StaffRequest, *, is_sent: bool = True, **kwargs: Any) -> None:
        super().__init__(posted(request) if is_sent else None, **kwargs)
        self.request = request
        self._has_code = factors.has_second_factor(request.user)
        if self._has_code:
            self.fields["confirmation"] = OneTimeCodeForm(
                help_text=_("Aus der App, oder ein Wiederherstellungscode.")
            ).fields["code"]
        else:
            self.fields["confirmation"] = password_field(_("Ihr Passwort"), "current-password")

    @property
    def confirmation(self) -> forms.BoundField:
        return self["confirmation"]

    def clean(self) -> dict[str, Any]:
        if not self.errors:
            try:
                self._check(self.cleaned_data["confirmation"])
            except Refusal as refusal:
                self.add_error("confirmation", self.error_of(refusal))
        return self.cleaned_data

    def _check(self, typed: str) -> None:
        user = self.request.user
        try:
            if self._has_code:
                factors.check_code(user, code=typed, at=timezone.now())
            elif not passwords.is_right(self.request, typed, name=user.get_username(), user=user):
                record(EventKind.LOG_IN_FAILED, self.request)
                self.add_error(
                    "confirmation", gettext("Das Passwort stimmt nicht. Bitte noch einmal eingeben.")
                )
        except Refusal:
            if self._has_code:
                record(EventKind.LOG_IN_FAILED, self.request)
            raise
