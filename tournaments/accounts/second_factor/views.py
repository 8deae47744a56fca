"""Views of the second factor: the code when logging in; switching it on and off."""

import segno
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from tournaments.access import account_view, public_view
from tournaments.accounts.log_in import account_awaiting_code, log_in_after_code
from tournaments.accounts.second_factor.forms import OneTimeCodeForm
from tournaments.core.refusal import Refusal
from tournaments.forms import refusal_as_message
from tournaments.models import EventKind
from tournaments.requests import Request, StaffRequest, is_private, next_path
from tournaments.security_log import record
from tournaments.services import second_factor as factors


@never_cache
@sensitive_post_parameters("code")
@public_view("GET", "POST", once=False)
def code(request: Request) -> HttpResponse:
    """Ask for the code after the password."""
    goal = next_path(request) or resolve_url("organiser:home")
    user = account_awaiting_code(request)
    if user is None:
        return redirect("account:login")
    form = OneTimeCodeForm(request.POST or None, help_text=_("Aus der App, oder ein Wiederherstellungscode."))
    if form.is_valid():
        try:
            factors.check_code(user, code=form.cleaned_data["code"], at=timezone.now())
        except Refusal as refusal:
            record(EventKind.LOG_IN_FAILED, request, account=user.get_username())
            form.refuse(refusal)
        else:
            return log_in_after_code(request, user, goal)
    context = {"form": form, "next": goal, "name": user.get_username()}
    return render(request, "tournaments/accounts/code.html", context, status=_status(form))


@never_cache
@account_view("GET")
def second_factor(request: StaffRequest) -> HttpResponse:
    return _page(request, OneTimeCodeForm())


@never_cache
@account_view("POST")
def begin_second_factor(request: StaffRequest) -> HttpResponse:
    if not is_private(request):  # the key would pass through the Wi-Fi in the clear
        return redirect("account:second_factor")
    with refusal_as_message(request):
        factors.begin_second_factor(request.user)
    return redirect("account:second_factor")


@never_cache
@sensitive_post_parameters("code")
@account_view("POST")
def confirm(request: StaffRequest) -> HttpResponse:
    form = OneTimeCodeForm(request.POST)
    if form.is_valid():
        with form.refusal_at_field():
            codes = factors.confirm(request.user, code=form.cleaned_data["code"], at=timezone.now())
            record(EventKind.SECOND_FACTOR, request)
            return _page(request, OneTimeCodeForm(), codes=codes)
    return _page(request, form)


@never_cache
@sensitive_post_parameters("code")
@account_view("POST")
def end(request: StaffRequest) -> HttpResponse:
    form = OneTimeCodeForm(request.POST)
    if form.is_valid():
        with form.refusal_at_field():
            factors.end(request.user, code=form.cleaned_data["code"], at=timezone.now())
            record(EventKind.SECOND_FACTOR, request)
            messages.success(request, _("Beim Anmelden genügt jetzt wieder das Passwort."))
            return redirect("account:second_factor")
    return _page(request, form)


@never_cache
@sensitive_post_parameters("code")
@account_view("POST")
def renew_recovery_codes(request: StaffRequest) -> HttpResponse:
    form = OneTimeCodeForm(request.POST)
    if form.is_valid():
        with form.refusal_at_field():
            codes = factors.renew_recovery_codes(
                request.user, code=form.cleaned_data["code"], at=timezone.now()
            )
            return _page(request, OneTimeCodeForm(), codes=codes)
    return _page(request, form)


def _page(request: StaffRequest, form: OneTimeCodeForm, *, codes: list[str] | None = None) -> HttpResponse:
    """Return the page of the second factor. codes: recovery codes to show, this once."""
    key = factors.key_to_confirm(request.user)
    context = {
        "form": form,
        "codes": codes,
        "is_on": factors.has_second_factor(request.user),
        "left": factors.recovery_codes_left(request.user),
        "key": key,
        "qr": segno.make(key.url, micro=False).svg_data_uri(scale=5, border=3) if key else "",
        "is_private": is_private(request),
    }
    return render(request, "tournaments/accounts/second_factor.html", context, status=_status(form))


def _status(form: OneTimeCodeForm) -> int:
    return 422 if form.errors else 200
