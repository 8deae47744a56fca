"""Typed requests, the signature of a write, and the name of the cash desk."""

from datetime import datetime
from typing import TypedDict

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails


class Request(HttpRequest):
    """A request after the middleware has run."""

    htmx: HtmxDetails


class StaffRequest(Request):
    """A request with an account. role: the account's role in the tournament of the URL, "" without a tournament."""

    user: User
    role: str


class Signature(TypedDict):
    """The account that writes, and the moment."""

    by: str
    at: datetime


def next_path(request: HttpRequest) -> str:
    """Return the path of ours that a form wants to lead to (field `next`, or the query); "" for none or a foreign one.

    A path begins with a slash: `redirect` takes any other text for the name of a view.
    """
    wanted: str = request.POST.get("next", request.GET.get("next", ""))
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours and wanted.startswith("/") else ""


def signed(request: StaffRequest) -> Signature:
    """Return the signature that a service wants: `service(tournament, ..., **signed(request))`."""
    return {"by": request.user.get_username(), "at": timezone.now()}


def client_address(request: HttpRequest) -> str:
    """Return the address that the request comes from, as the server determined it."""
    address: str = request.META.get("REMOTE_ADDR", "")
    return address[:45]


# --- the cash desk -------------------------------------------------------------------------------------------------

_DESK_COOKIE = _DESK_SALT = "desk"
_DESK_SECONDS = 365 * 24 * 60 * 60


def desk_name(request: HttpRequest) -> str:
    """Return the name of the cash desk at this device, "" for none. It belongs to the device: logging out keeps it."""
    try:
        name: str = signing.loads(request.COOKIES.get(_DESK_COOKIE, ""), salt=_DESK_SALT)
    except signing.BadSignature:
        return ""
    return name


def name_desk(response: HttpResponse, name: str) -> None:
    """Give this device's cash desk a name."""
    response.set_cookie(
        _DESK_COOKIE,
        signing.dumps(name, salt=_DESK_SALT),
        max_age=_DESK_SECONDS,
        path="/o/",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
