"""Forms of accounts: logging in, a new password, the first account, accepting an invitation, a forgotten password."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tournaments.accounts import passwords
from tournaments.core.refusal import Refusal
from tournaments.forms import CleanField, NameField, RefusableForm, as_error
from tournaments.requests import StaffRequest

MOST_IN_AN_ACCOUNT_NAME = 60


def password_field(label: Any, autocomplete: str) -> forms.CharField:
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


def code_field() -> CleanField:
    """Return the field for the code of a link, which scripts fill in from behind its #."""
    widget = forms.TextInput(
        attrs={
            "autocomplete": "off",
            "autocapitalize": "characters",
            "spellcheck": "false",
            "data-fragment-code": "",
            "data-long": "",
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


def is_limited(form: forms.BaseForm) -> bool:
    """Whether the form was refused because of too many passwords, wrong ones or at once."""
    codes = {error.code for errors in form.errors.as_data().values() for error in errors}
    return not codes.isdisjoint({"log_in_slowed", "log_in_busy"})


class LogInForm(AuthenticationForm):
    """Log-in form. Guessing is slowed down; the error says how long to wait."""

    request: HttpRequest
    username = _account_name(autofocus=True)
    password = password_field(_("Passwort"), "current-password")
    # A closed account is answered like a wrong password, so as not to reveal that it exists.
    error_messages = dict.fromkeys(
        ("invalid_login", "inactive"), _("Name und Passwort passen nicht zusammen. Bitte beides prüfen.")
    )

    def clean_username(self) -> str:
        """Return the name as registered, ignoring case: phones capitalise the first letter."""
        name: str = self.cleaned_data["username"]
        registered = User.objects.filter(username__iexact=name).values_list("username", flat=True).first()
        return registered or name

    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if name is None or password is None:
            return self.cleaned_data
        user = User.objects.filter(username=name).first()
        try:
            right = passwords.is_right(self.request, password, name=name, user=user)
        except Refusal as refusal:
            raise as_error(refusal) from None
        if user is None or not right:
            user_login_failed.send(__name__, credentials={"username": name}, request=self.request)
            raise self.get_invalid_login_error()
        self.confirm_login_allowed(user)
        self.user_cache = user
        return self.cleaned_data


class NewPasswordForm(PasswordChangeForm):
    """Change of password, with labels and errors of our own."""

    old_password = password_field(_("Bisheriges Passwort"), "current-password")
    new_password1 = password_field(_("Neues Passwort"), "new-password")
    new_password2 = password_field(_("Neues Passwort noch einmal"), "new-password")
    error_messages = {
        "password_incorrect": _("Das bisherige Passwort stimmt nicht. Bitte noch einmal eingeben."),
        "password_mismatch": _("Die beiden neuen Passwörter sind verschieden. Bitte noch einmal eingeben."),
    }

    def __init__(self, request: StaffRequest) -> None:
        super().__init__(request.user, request.POST or None)
        self.request = request

    def clean_old_password(self) -> str:
        password: str = self.cleaned_data["old_password"]
        name = self.user.get_username()
        try:
            right = passwords.is_right(self.request, password, name=name, user=self.request.user)
        except Refusal as refusal:
            raise as_error(refusal) from None
        if not right:
            raise forms.ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return password


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

    code = code_field()
    name = _account_name()
    password = password_field(_("Passwort"), "new-password")
    password_again = password_field(_("Passwort noch einmal"), "new-password")


class ResetForm(_WithNewPassword):
    """Form to set a new password with the code of a link."""

    code = code_field()
    password = password_field(_("Neues Passwort"), "new-password")
    password_again = password_field(_("Neues Passwort noch einmal"), "new-password")


class JoinForm(_WithNewPassword):
    """Form to accept an invitation with a new or an existing account."""

    NEW, EXISTING = "new", "existing"

    code = code_field()
    account = forms.ChoiceField(
        label=_("Konto"),
        choices=[(NEW, _("neues Konto")), (EXISTING, _("Ich habe schon eines"))],
        initial=NEW,
        widget=forms.RadioSelect,
    )
    name = _account_name()
    password = password_field(_("Passwort"), "current-password")
    password_again = password_field(_("Passwort noch einmal"), "new-password")
    password_again.required = False
    password_again.help_text = _("Nur für ein neues Konto.")

    @property
    def wants_new_account(self) -> bool:
        return self.cleaned_data.get("account") != self.EXISTING


class JoinAsMyselfForm(CodeForm):
    """Form to accept an invitation with the account that is logged in."""

    code = code_field()
