"""The two steps of logging in: the password, and a code for an account with a second factor.

Between the two, the session names the account whose password was right. It is not logged in yet.
"""

from datetime import UTC, datetime, timedelta

from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.http import urlencode

from tournaments.accounts.interrupted import InterruptedForm, from_text
from tournaments.clocks import is_ahead
from tournaments.devices import remember
from tournaments.services.second_factor import has_second_factor

BACKEND = "django.contrib.auth.backends.ModelBackend"
TIME_FOR_THE_CODE = timedelta(minutes=10)
_PENDING = "account_awaiting_code"


def log_in_or_ask_for_code(
    request: HttpRequest, user: User, goal: str, interrupted: InterruptedForm | None
) -> HttpResponse:
    """Log in and redirect; to the page of the code first, if the account has a second factor."""
    if not has_second_factor(user):
        return _let_in(request, user, goal, interrupted)
    request.session.cycle_key()
    request.session[_PENDING] = {
        "id": user.pk,
        "password": user.get_session_auth_hash(),  # changes with the password
        "until": (timezone.now() + TIME_FOR_THE_CODE).timestamp(),
        "interrupted": interrupted.signed() if interrupted else "",
    }
    return HttpResponseRedirect(f"{resolve_url('account:code')}?{urlencode({'next': goal})}")


def account_awaiting_code(request: HttpRequest) -> User | None:
    """Return the account whose password was right in this browser, and whose code is pending; None after ten minutes."""
    pending = request.session.get(_PENDING)
    if pending is None:
        return None
    if not is_ahead(datetime.fromtimestamp(pending["until"], UTC), TIME_FOR_THE_CODE, timezone.now()):
        return None
    user = User.objects.filter(pk=pending["id"], is_active=True).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), pending["password"]):
        return None
    return user


def log_in_after_code(request: HttpRequest, user: User, goal: str) -> HttpResponse:
    """Log in the account that `account_awaiting_code` returned, after its code, and redirect."""
    pending = request.session.pop(_PENDING)
    return _let_in(request, user, goal, from_text(pending["interrupted"]))


def go_on(request: HttpRequest, interrupted: InterruptedForm | None, goal: str) -> HttpResponse:
    """Offer to post a kept form again; without one redirect to `goal`."""
    if interrupted is None or not interrupted.fields:
        return HttpResponseRedirect(goal)
    return render(request, "tournaments/accounts/go_on.html", {"interrupted": interrupted, "page": goal})


def _let_in(request: HttpRequest, user: User, goal: str, interrupted: InterruptedForm | None) -> HttpResponse:
    login(request, user, backend=BACKEND)
    response = go_on(request, interrupted, goal)
    remember(request, response, user.pk)
    return response
