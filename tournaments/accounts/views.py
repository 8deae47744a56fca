"""Views of accounts: logging in and out, passwords, the first account, accepting an invitation."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.models import User
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from tournaments import hashing
from tournaments.access import account_view, public_view
from tournaments.accounts.account_mails import tell_of_new_password
from tournaments.accounts.forms import (
    JoinAsMyselfForm,
    JoinForm,
    LogInForm,
    NewPasswordForm,
    ResetForm,
    SetUpForm,
    is_limited,
)
from tournaments.accounts.interrupted import interrupted_form
from tournaments.accounts.log_in import BACKEND, go_on, log_in_or_ask_for_code
from tournaments.core.refusal import Refusal
from tournaments.current_club import current_club
from tournaments.devices import remember
from tournaments.forms import as_error
from tournaments.models import EventKind
from tournaments.requests import Request, StaffRequest, address_of, next_path
from tournaments.security_log import record
from tournaments.services import accounts as people
from tournaments.services.second_factor import has_second_factor


@never_cache
@sensitive_post_parameters("password")
@public_view("GET", "POST", once=False)
def log_in(request: Request) -> HttpResponse:
    """Log in and redirect. Also the answer to a POST without a session to another view."""
    interrupted = interrupted_form(request)
    goal = (interrupted.page if interrupted else next_path(request)) or resolve_url("organiser:home")
    if request.user.is_authenticated:
        return go_on(request, interrupted, goal)
    is_elsewhere = request.path != reverse("account:login")
    form = LogInForm(request, None if is_elsewhere else request.POST or None)
    if form.is_valid():
        return log_in_or_ask_for_code(request, form.get_user(), goal, interrupted)
    context = {
        "form": form,
        "next": goal if is_elsewhere else request.POST.get("next", request.GET.get("next", "")),
        "interrupted": interrupted,
        "is_new": people.setup_code() is not None,
        "is_hosted": current_club() is not None,
        "has_mail": settings.HAS_MAIL,
    }
    status = 401 if is_elsewhere else _status(form)
    return render(request, "tournaments/accounts/login.html", context, status=status)


@public_view("POST", once=False)
def log_out(request: Request) -> HttpResponse:
    logout(request)
    return redirect("start")


@never_cache
@sensitive_post_parameters()
@account_view("GET", "POST", once=False)
def password(request: StaffRequest) -> HttpResponse:
    form = NewPasswordForm(request)
    if form.is_valid() and _is_saved(form, request):
        update_session_auth_hash(request, form.user)
        record(EventKind.PASSWORD, request)
        tell_of_new_password(form.user)
        messages.success(request, _("Das neue Passwort gilt ab jetzt."))
        return redirect("organiser:home")
    context = {"form": form, "has_mail": settings.HAS_MAIL}
    return render(request, "tournaments/accounts/password.html", context, status=_status(form))


@never_cache
@sensitive_post_parameters("password", "password_again", "code")
@public_view("GET", "POST", once=False)
def new_password(request: Request) -> HttpResponse:
    """Set a forgotten password with the code of the owner's link, then lead to the log-in."""
    form = ResetForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        with form.refusal_at_field():
            user = people.set_password(
                code=data["code"], password=data["password"], origin=address_of(request), at=timezone.now()
            )
            record(EventKind.PASSWORD, request, account=user.get_username())
            tell_of_new_password(user)
            messages.success(request, _("Das neue Passwort gilt ab jetzt. Bitte damit anmelden."))
            return redirect("account:login")
    return render(request, "tournaments/accounts/new_password.html", {"form": form}, status=_status(form))


@never_cache
@sensitive_post_parameters("password", "password_again", "code")
@public_view("GET", "POST", once=False)
def setup(request: Request) -> HttpResponse:
    """Create the first account; afterwards the page only says that one exists."""
    form = SetUpForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        with form.refusal_at_field():
            user = people.create_first_organiser(
                code=data["code"],
                name=data["name"],
                password=data["password"],
                origin=address_of(request),
            )
            messages.success(request, _("Das Konto „%(name)s“ ist angelegt.") % {"name": user.get_username()})
            return _welcome(request, user)
    if people.setup_code() is None:
        owner = _account_made_before(request, SetUpForm(request.POST))
        if owner is not None and owner.is_superuser:
            return _welcome(request, owner)
        return render(
            request, "tournaments/accounts/setup_done.html", status=410 if request.method == "POST" else 200
        )
    return render(request, "tournaments/accounts/setup.html", {"form": form}, status=_status(form))


@never_cache
@sensitive_post_parameters("password", "password_again", "code")
@public_view("GET", "POST", once=False)
def join(request: Request) -> HttpResponse:
    """Accept an invitation with the logged-in account, or with one that is named or created here."""
    form = _join_form(request)
    if form.is_valid():
        with form.refusal_at_field():
            user = _join(request, form)
            if user is not None:
                return _welcome(request, user)
    return render(request, "tournaments/accounts/join.html", {"form": form}, status=_status(form))


def _join_form(request: HttpRequest) -> JoinForm | JoinAsMyselfForm:
    if request.user.is_authenticated:
        return JoinAsMyselfForm(request.POST or None)
    return JoinForm(request.POST or None)


def _join(request: HttpRequest, form: JoinForm | JoinAsMyselfForm) -> User | None:
    """Return the account that has joined; None if the form has errors. Refuses as the services do."""
    data, at = form.cleaned_data, timezone.now()
    if isinstance(form, JoinAsMyselfForm):
        user = _user(request)
        tournament = people.join(user, code=data["code"], at=at)
    elif form.wants_new_account:
        try:
            user, tournament = people.join_with_new_account(
                code=data["code"],
                name=data["name"],
                password=data["password"],
                origin=address_of(request),
                at=at,
            )
        except Refusal as refusal:
            before = _account_made_before(request, form) if refusal.code == "code_expired" else None
            if before is None:
                raise
            user, tournament = before, people.join(before, code=data["code"], at=at)
    else:
        log_in_form = _log_in_form(request, form)
        if not log_in_form.is_valid():
            for error in log_in_form.errors.as_data().get("__all__", []):
                form.add_error(None, error)
            return None
        user = log_in_form.get_user()
        if has_second_factor(user):
            raise Refusal("log_in_with_code_first")
        tournament = people.join(user, code=data["code"], at=at)
    record(EventKind.JOINED, request, about=tournament.slug if tournament else "+")
    if tournament is None:
        messages.success(request, _("Sie arbeiten jetzt bei allen Turnieren mit."))
    else:
        messages.success(request, _("Sie gehören jetzt zu „%(tournament)s“.") % {"tournament": tournament})
    return user


def _log_in_form(request: HttpRequest, form: Form) -> LogInForm:
    data = form.cleaned_data
    return LogInForm(request, {"username": data["name"], "password": data["password"]})


def _account_made_before(request: HttpRequest, form: Form) -> User | None:
    """Return the account with this name and password, which the same form made when it was sent before; None without one.

    These forms have no receipt, since they hash outside of a transaction.
    """
    if not form.is_valid():
        return None
    log_in_form = _log_in_form(request, form)
    if not log_in_form.is_valid() or has_second_factor(log_in_form.get_user()):
        return None
    return log_in_form.get_user()


def _welcome(request: Request, user: User) -> HttpResponse:
    """Log in a new member, redirect to the tournaments, and remember the device."""
    if request.user != user:
        login(request, user, backend=BACKEND)
    response = redirect("organiser:home")
    remember(request, response, user.pk)
    return response


def _is_saved(form: NewPasswordForm, request: HttpRequest) -> bool:
    try:
        with hashing.hashing_slot(address_of(request), is_known=True):
            form.save()
    except Refusal as refusal:
        form.add_error(None, as_error(refusal))
    return not form.errors


def _user(request: HttpRequest) -> User:
    user = request.user
    assert isinstance(user, User)
    return user


def _status(form: Any) -> int:
    if not form.errors:
        return 200
    return 429 if is_limited(form) else 422
