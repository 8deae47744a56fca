"""Views of accounts: logging in and out, passwords, the first account, accepting an invitation."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from tournaments.access import account_view, public_view
from tournaments.accounts.forms import (
    JoinAsMyselfForm,
    JoinForm,
    LogInForm,
    NewPasswordForm,
    ResetForm,
    SetUpForm,
)
from tournaments.accounts.log_in import BACKEND, log_in_or_ask_for_code
from tournaments.core.refusal import Refusal
from tournaments.models import EventKind
from tournaments.requests import Request, StaffRequest, next_path
from tournaments.security_log import record
from tournaments.services import accounts as people
from tournaments.services.second_factor import has_second_factor


@never_cache
@sensitive_post_parameters("password")
@public_view("GET", "POST")
def log_in(request: Request) -> HttpResponse:
    goal = next_path(request) or resolve_url("organiser:home")
    if request.user.is_authenticated:
        return redirect(goal)
    form = LogInForm(request, request.POST or None)
    if form.is_valid():
        return log_in_or_ask_for_code(request, form.get_user(), goal)
    slowed = form.has_error("__all__", "slowed")
    context = {
        "form": form,
        "next": request.POST.get("next", request.GET.get("next", "")),
        "is_new": people.setup_code() is not None,
    }
    return render(
        request, "tournaments/accounts/login.html", context, status=429 if slowed else _status(form)
    )


@public_view("POST")
def log_out(request: Request) -> HttpResponse:
    logout(request)
    return redirect("start")


@never_cache
@sensitive_post_parameters()
@account_view("GET", "POST")
def password(request: StaffRequest) -> HttpResponse:
    form = NewPasswordForm(_user(request), request.POST or None)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        record(EventKind.PASSWORD, request)
        messages.success(request, _("Das neue Passwort gilt ab jetzt."))
        return redirect("organiser:home")
    return render(request, "tournaments/accounts/password.html", {"form": form}, status=_status(form))


@never_cache
@sensitive_post_parameters("password", "password_again", "code")
@public_view("GET", "POST")
def new_password(request: Request) -> HttpResponse:
    """Set a forgotten password with the code of the owner's link, then lead to the log-in."""
    form = ResetForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        try:
            user = people.set_password(code=data["code"], password=data["password"], at=timezone.now())
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            record(EventKind.PASSWORD, request, account=user.get_username())
            messages.success(request, _("Das neue Passwort gilt ab jetzt. Bitte damit anmelden."))
            return redirect("account:login")
    return render(request, "tournaments/accounts/new_password.html", {"form": form}, status=_status(form))


@never_cache
@sensitive_post_parameters("password", "password_again", "code")
@public_view("GET", "POST")
def setup(request: Request) -> HttpResponse:
    """Create the first account; afterwards the page only says that one exists."""
    if people.setup_code() is None:
        return render(
            request, "tournaments/accounts/setup_done.html", status=410 if request.method == "POST" else 200
        )
    form = SetUpForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        try:
            user = people.create_first_organiser(
                code=data["code"], name=data["name"], password=data["password"]
            )
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            login(request, user, backend=BACKEND)
            messages.success(request, _("Das Konto „%(name)s“ ist angelegt.") % {"name": user.get_username()})
            return redirect("organiser:home")
    return render(request, "tournaments/accounts/setup.html", {"form": form}, status=_status(form))


@never_cache
@sensitive_post_parameters("password", "password_again", "code")
@public_view("GET", "POST")
def join(request: Request) -> HttpResponse:
    """Accept an invitation with the account that is logged in, or with one that is named or created here."""
    form = _join_form(request)
    if form.is_valid():
        try:
            joined = _join(request, form)
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            if joined:
                return redirect("organiser:home")
    slowed = form.has_error("__all__", "slowed")
    return render(
        request, "tournaments/accounts/join.html", {"form": form}, status=429 if slowed else _status(form)
    )


def _join_form(request: HttpRequest) -> JoinForm | JoinAsMyselfForm:
    if request.user.is_authenticated:
        return JoinAsMyselfForm(request.POST or None)
    return JoinForm(request.POST or None)


def _join(request: HttpRequest, form: JoinForm | JoinAsMyselfForm) -> bool:
    """Return True on success; otherwise the form has the error. Raises the refusals of the services."""
    data, at = form.cleaned_data, timezone.now()
    if isinstance(form, JoinAsMyselfForm):
        tournament = people.join(_user(request), code=data["code"], at=at)
    elif form.wants_new_account:
        user, tournament = people.join_with_new_account(
            code=data["code"], name=data["name"], password=data["password"], at=at
        )
        login(request, user, backend=BACKEND)
    else:
        log_in_form = LogInForm(request, {"username": data["name"], "password": data["password"]})
        if not log_in_form.is_valid():
            for error in log_in_form.errors.as_data().get("__all__", []):
                form.add_error(None, error)
            return False
        if has_second_factor(log_in_form.get_user()):
            raise Refusal("log_in_with_code_first")
        tournament = people.join(log_in_form.get_user(), code=data["code"], at=at)
        login(request, log_in_form.get_user())
    record(EventKind.JOINED, request, about=tournament.slug)
    messages.success(request, _("Sie gehören jetzt zu „%(tournament)s“.") % {"tournament": tournament})
    return True


def _user(request: HttpRequest) -> User:
    user = request.user
    assert isinstance(user, User)
    return user


def _status(form: Any) -> int:
    return 422 if form.errors else 200
