"""The e-mail address of an account, and with it a new password for a forgotten one. Only where the program has a mail server.

An address counts when its mail has been read. Until then it is in the session of the browser that asks for it.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.validators import EmailValidator
from django.db.models import Q
from django.forms import EmailInput
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from tournaments.access import account_view, public_view
from tournaments.accounts.account_mails import (
    mail_with_confirmation,
    mail_with_password_link,
    tell_of_new_email,
)
from tournaments.accounts.confirmation import ConfirmedForm
from tournaments.accounts.forms import CodeForm, code_field
from tournaments.clocks import is_ahead
from tournaments.core.refusal import Refusal
from tournaments.forms import NameField, RefusableForm, TextField, form_page
from tournaments.links import code_hash, new_code
from tournaments.mail import in_mail_thread, send_later
from tournaments.models import EventKind
from tournaments.requests import Request, StaffRequest, address_of, posted
from tournaments.security_log import record
from tournaments.services.accounts import make_password_link, set_email
from tournaments.services.turns import DAY, take_turn

LINK_HOURS = 1
MOST_OF_ACCOUNT = 3
MOST_A_DAY = 10
MOST_OF_ADDRESS = 10
LONGEST_EMAIL = 254
_PENDING = "email_awaiting_code"


def _checked(email: str) -> str:
    EmailValidator(_("Bitte eine E-Mail-Adresse angeben, wie anna@example.org, oder nichts."))(email)
    return email


class ForgottenForm(RefusableForm):
    typed = NameField(most=LONGEST_EMAIL, label=gettext_lazy("Name des Kontos oder E-Mail-Adresse"))


class EmailForm(ConfirmedForm):
    """The address of an account, or none."""

    email = TextField(
        most=LONGEST_EMAIL,
        label=gettext_lazy("E-Mail-Adresse"),
        widget=EmailInput(attrs={"autocomplete": "email"}),
        help_text=gettext_lazy("Nur Sie sehen sie. Leer lassen, wenn das Konto keine haben soll."),
    )

    def clean_email(self) -> str:
        typed: str = self.cleaned_data["email"]
        return _checked(typed) if typed else ""


class ConfirmEmailForm(CodeForm):
    code = code_field()


# --- a forgotten password ----------------------------------------------------------------------------------------


@never_cache
@public_view("GET", "POST", once=False)
def forgotten(request: Request) -> HttpResponse:
    """Ask for the account on GET, send it a link on POST. The answer is the same, and as fast, whether there is such an account."""
    if not settings.HAS_MAIL:
        return redirect("account:new_password")
    form = ForgottenForm(posted(request))
    if form.is_valid():
        typed = form.cleaned_data["typed"]
        in_mail_thread(lambda: _send_links(request, typed))
        return render(request, "tournaments/accounts/forgotten_sent.html", {"hours": LINK_HOURS})
    return form_page(request, "tournaments/accounts/forgotten.html", {"form": form}, form)


def _send_links(request: HttpRequest, typed: str) -> None:
    """Send a link to each open account of this name or confirmed address, within the limits."""
    at = timezone.now()
    if not take_turn(f"forgotten by {address_of(request)}", most=MOST_OF_ADDRESS, at=at):
        return
    accounts = User.objects.filter(Q(username__iexact=typed) | Q(email__iexact=typed), is_active=True)
    for user in accounts.exclude(email="").order_by("pk")[:MOST_OF_ACCOUNT]:
        count = f"forgotten of {user.pk}"
        if take_turn(count, most=MOST_OF_ACCOUNT, at=at) and take_turn(
            count, most=MOST_A_DAY, at=at, lasts=DAY
        ):
            name, code = make_password_link(user.pk, at=at, hours=LINK_HOURS)
            record(EventKind.LINK_MADE, request, account="", about=name)
            mail_with_password_link(user, code).send()


# --- the address of an account -------------------------------------------------------------------------------------


@never_cache
@sensitive_post_parameters("confirmation")
@account_view("GET", "POST", once=False)
def email(request: StaffRequest) -> HttpResponse:
    """Show the address on GET; on POST remove it, or send a mail that confirms a new one."""
    if not settings.HAS_MAIL:
        return redirect("account:password")
    form = EmailForm(request, initial={"email": request.user.email})
    if form.is_valid():
        address = form.cleaned_data["email"]
        if not address:
            return _changed(request, "")
        count, at = f"email of {request.user.pk}", timezone.now()
        if not take_turn(count, most=MOST_OF_ACCOUNT, at=at):
            form.add_error(
                "email", _("Es sind schon einige Mails unterwegs. Bitte in einer Viertelstunde noch einmal.")
            )
        elif not take_turn(count, most=MOST_A_DAY, at=at, lasts=DAY):
            form.add_error("email", _("Das waren schon viele Mails. Bitte morgen noch einmal."))
        else:
            _send_code(request, address)
            return redirect("account:confirm_email")
    return form_page(request, "tournaments/accounts/email.html", {"form": form}, form)


def _send_code(request: StaffRequest, address: str) -> None:
    code = new_code()
    request.session[_PENDING] = {
        "email": address,
        "code": code_hash(code),
        "until": (timezone.now() + timedelta(hours=LINK_HOURS)).timestamp(),
    }
    send_later(mail_with_confirmation(address, code))


@never_cache
@account_view("GET", "POST", once=False)
def confirm(request: StaffRequest) -> HttpResponse:
    """Ask for the code of the mail on GET, store the address on POST."""
    pending = request.session.get(_PENDING)
    if pending is None and request.method == "GET":
        return render(request, "tournaments/accounts/confirm_email.html", {"is_elsewhere": True})
    form = ConfirmEmailForm(posted(request))
    if form.is_valid():
        with form.refusal_at_field():
            address = _confirmed(pending, form.cleaned_data["code"])
            request.session.pop(_PENDING, None)
            return _changed(request, address)
    return form_page(request, "tournaments/accounts/confirm_email.html", {"form": form}, form)


def _confirmed(pending: Any, code: str) -> str:
    """Return the address that a code confirms. Refuses code_unknown, code_expired."""
    if pending is None or not constant_time_compare(pending["code"], code_hash(code)):
        raise Refusal("code_unknown")
    until = datetime.fromtimestamp(pending["until"], UTC)
    if not is_ahead(until, timedelta(hours=LINK_HOURS), timezone.now()):
        raise Refusal("code_expired")
    return str(pending["email"])


def _changed(request: StaffRequest, address: str) -> HttpResponse:
    before = set_email(request.user, address)
    if before.casefold() != address.casefold():
        record(EventKind.EMAIL, request)
        tell_of_new_email(request.user, before)
    messages.success(
        request,
        _("Die E-Mail-Adresse gilt ab jetzt.") if address else _("Das Konto hat keine E-Mail-Adresse mehr."),
    )
    return redirect("account:password")
