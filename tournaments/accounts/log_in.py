"""The two steps of logging in: the password, and a code for an account with a second factor.

Between the two, the session names the account whose password was right. It is not logged in yet.
"""

from datetime import timedelta

from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.http import urlencode

from tournaments.services.second_factor import has_second_factor

BACKEND = "django.contrib.auth.backends.ModelBackend"
TIME_FOR_THE_CODE = timedelta(minutes=10)
_PENDING = "account_awaiting_code"


def log_in_or_ask_for_code(request: HttpRequest, user: User, goal: str) -> HttpResponse:
    """Log in and lead to `goal`, or lead to the page of the code first, if the account has a second factor."""
    if not has_second_factor(user):
        login(request, user, backend=BACKEND)
        return HttpResponseRedirect(goal)
    request.session.cycle_key()
    request.session[_PENDING] = {
        "id": user.pk,
        "password": user.get_session_auth_hash(),  # changes with the password
        "until": (timezone.now() + TIME_FOR_THE_CODE).timestamp(),
    }
    return HttpResponseRedirect(f"{resolve_url('account:code')}?{urlencode({'next': goal})}")


def account_awaiting_code(request: HttpRequest) -> User | None:
    """Return the account whose password this browser has entered, and whose code is missing; None after ten minutes."""
    pending = request.session.get(_PENDING)
    if pending is None or pending["until"] < timezone.now().timestamp():
        return None
    user = User.objects.filter(pk=pending["id"], is_active=True).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), pending["password"]):
        return None
    return user


def log_in_after_code(request: HttpRequest, user: User) -> None:
    """Log in an account that `account_awaiting_code` returned and whose code is right."""
    del request.session[_PENDING]
    login(request, user, backend=BACKEND)
