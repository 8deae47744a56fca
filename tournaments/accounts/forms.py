"""Forms of accounts: logging in, a new password, the first account, accepting an invitation, a forgotten password."""

import math
from datetime import timedelta
from typing import Any, cast

from axes.handlers.proxy import AxesProxyHandler
from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.models import User
from django.db.models import Max
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournaments.forms import CleanField, NameField, RefusableForm

MOST_IN_AN_ACCOUNT_NAME = 60


class _AxesRequest(HttpRequest):
    """A request after the middleware of django-axes."""

    axes_locked_out: bool
    axes_ip_address: str


def _password(label: Any, autocomplete: str) -> forms.CharField:
    return forms.CharField(
        label=label,
        strip=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": autocomplete}),
        error_messages={"required": _("Das Passwort fehlt. Bitte eines eingeben.")},
    )


def _account_name(**attributes: Any) -> NameField:
    widget = forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", **attributes})
    return NameField(label=_("Name des Kontos"), most=MOST_IN_AN_ACCOUNT_NAME, widget=widget)


def _code() -> CleanField:
    widget = forms.TextInput(
        attrs={
            "autocomplete": "off",
            "autocapitalize": "characters",
            "spellcheck": "false",
            "data-fragment-code": "",
        }
    )
    field = CleanField(
        str.strip,
        label=_("Code"),
        widget=widget,
        help_text=_(
            "Was im Link nach dem Zeichen # steht. Groß und klein, Striche und Leerzeichen sind egal."
        ),
    )
    field.required = True
    return field


class LogInForm(AuthenticationForm):
    """Log-in form. django-axes slows down guessing; the error says how long to wait."""

    username = _account_name(autofocus=True)
    password = _password(_("Passwort"), "current-password")
    # A closed account is answered like a wrong password, as its existence is nobody's business.
    error_messages = dict.fromkeys(
        ("invalid_login", "inactive"), _("Name und Passwort passen nicht zusammen. Bitte beides prüfen.")
    )

    def clean_username(self) -> str:
        """Return the name as registered, ignoring case: phones capitalise the first letter."""
        name: str = self.cleaned_data["username"]
        found = User.objects.filter(username__iexact=name).values_list("username", flat=True).first()
        return found or name

    def clean(self) -> dict[str, Any]:
        username = self.cleaned_data.get("username")
        if username is None or "password" not in self.cleaned_data:
            return self.cleaned_data
        self._refuse_if_slowed(username)
        try:
            return super().clean()
        except forms.ValidationError:
            self._refuse_if_slowed(username)
            raise

    def _refuse_if_slowed(self, username: str) -> None:
        if AxesProxyHandler.is_allowed(self.request, {"username": username}):
            return
        # The form's error says more than the middleware's bare response, which this flag would trigger.
        request = cast(_AxesRequest, self.request)
        request.axes_locked_out = False
        seconds = _seconds_to_wait(username, request.axes_ip_address)
        sentence = ngettext(
            "Zu viele falsche Versuche. Bitte noch eine Sekunde warten, dann noch einmal anmelden.",
            "Zu viele falsche Versuche. Bitte noch %(seconds)s Sekunden warten, dann noch einmal anmelden.",
            seconds,
        )
        raise forms.ValidationError(sentence % {"seconds": seconds}, code="slowed")


def _seconds_to_wait(username: str, ip_address: str) -> int:
    attempts = AccessAttempt.objects.filter(username=username, ip_address=ip_address)
    latest = attempts.aggregate(latest=Max("attempt_time"))["latest"]
    cool_off = get_cool_off()
    if latest is None or cool_off is None:
        return 1
    wait: timedelta = latest + cool_off - timezone.now()
    return max(1, math.ceil(wait.total_seconds()))


class NewPasswordForm(PasswordChangeForm):
    """Change of password, with labels and errors of our own."""

    old_password = _password(_("Bisheriges Passwort"), "current-password")
    new_password1 = _password(_("Neues Passwort"), "new-password")
    new_password2 = _password(_("Neues Passwort noch einmal"), "new-password")
    error_messages = {
        "password_incorrect": _("Das bisherige Passwort stimmt nicht. Bitte noch einmal eingeben."),
        "password_mismatch": _("Die beiden neuen Passwörter sind verschieden. Bitte noch einmal eingeben."),
    }


class CodeForm(RefusableForm):
    """A form with the code of an invitation, of the first account, or for a new password."""

    field_of = {
        "code_unknown": "code",
        "code_expired": "code",
        "account_name_taken": "name",
        "password_bad": "password",
    }


class _WithNewPassword(CodeForm):
    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if self.wants_new_account and data.get("password") and data["password"] != data.get("password_again"):
            self.add_error(
                "password_again",
                forms.ValidationError(
                    _("Die beiden Passwörter sind verschieden. Bitte noch einmal eingeben."), code="different"
                ),
            )
        return data

    @property
    def wants_new_account(self) -> bool:
        return True


class SetUpForm(_WithNewPassword):
    """Form for the first account, with the code that the program printed."""

    code = _code()
    name = _account_name()
    password = _password(_("Passwort"), "new-password")
    password_again = _password(_("Passwort noch einmal"), "new-password")


class ResetForm(_WithNewPassword):
    """Form to set a new password with the code of a link."""

    code = _code()
    password = _password(_("Neues Passwort"), "new-password")
    password_again = _password(_("Neues Passwort noch einmal"), "new-password")


class JoinForm(_WithNewPassword):
    """Form to accept an invitation with a new or an existing account."""

    NEW, EXISTING = "new", "existing"

    code = _code()
    account = forms.ChoiceField(
        label=_("Konto"),
        choices=[(NEW, _("neues Konto")), (EXISTING, _("Ich habe schon eines"))],
        initial=NEW,
        widget=forms.RadioSelect,
    )
    name = _account_name()
    password = _password(_("Passwort"), "current-password")
    password_again = _password(_("Passwort noch einmal"), "new-password")
    password_again.required = False
    password_again.help_text = _("Nur für ein neues Konto.")

    @property
    def wants_new_account(self) -> bool:
        return self.cleaned_data.get("account") != self.EXISTING


class JoinAsMyselfForm(CodeForm):
    """Form to accept an invitation with the account that is logged in."""

    code = _code()
