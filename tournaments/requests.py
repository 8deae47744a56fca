"""Typed requests, numbers in them, the signature of a write, and the name of the cash desk."""

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

from tournaments.core.networks import network_of
from tournaments.core.signatures import Booking, Signature
from tournaments.current_club import origin as public_origin
from tournaments.current_club import signing_key, within_the_club


class Request(HttpRequest):
    """A request after the middleware has run.

    form_id: the id of the forms in the answer, once there is one. is_unchanged: the form that was sent has changed nothing.
    """

    htmx: HtmxDetails
    form_id: str
    is_unchanged: bool


class StaffRequest(Request):
    """A request with an account. role: the account's role in the tournament of the URL, "" without a tournament."""

    user: User
    role: str


def next_path(request: HttpRequest) -> str:
    """Return the path of ours that a form wants to lead to (field `next`, or the query); "" for none or a foreign one.

    A path begins with a slash: `redirect` takes any other text for the name of a view. Where it answers no GET, since a form was
    posted to it, the page above it is meant.
    """
    wanted: str = request.POST.get("next", request.GET.get("next", ""))
    return page_near(wanted) if is_ours(request, wanted) and wanted.startswith("/") else ""


def is_ours(request: HttpRequest, url: str) -> bool:
    return url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())


def is_from_our_pages(request: HttpRequest) -> bool:
    """Whether no other site has made a browser send this request: a browser states the origin of what it posts.

    Old browsers state the page instead (Referer). A client that states neither is accepted: it is no browser, or an old
    one that hides its Referer, and no public form acts with a cookie that another site could use (SameSite).
    """
    stated = request.headers.get("Origin")
    if stated is None:
        if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
            return False
        stated = request.headers.get("Referer")
        if not stated:
            return True
    requested = f"{request.scheme}://{request.get_host()}"
    return _origin_of(stated) in (_origin_of(public_origin()), _origin_of(requested))


def _origin_of(url: str) -> str:
    """Return scheme and host of a URL as browsers write them: in lower case, without the default port; "" for no URL."""
    try:
        parts = urlsplit(url.lower())
    except ValueError:
        return ""
    usual = {"http": ":80", "https": ":443"}.get(parts.scheme, "")
    return f"{parts.scheme}://{parts.netloc.removesuffix(usual)}"


_DEEPEST = 30
"""The slashes that a path may have: more than any page of ours, and each is tried."""


def page_near(url: str) -> str:
    """Return the path, query and fragment of a URL of ours, or the path of the nearest page above that answers GET; "" for none."""
    parts = urlsplit(url)
    if parts.path.count("/") > _DEEPEST:
        return ""
    if "GET" in methods_of(parts.path):
        return urlunsplit(("", "", parts.path, parts.query, parts.fragment))
    above = parts.path.rstrip("/").rpartition("/")[0]
    return page_near(f"{above}/") if above else ""


def methods_of(path: str) -> Sequence[str]:
    """Return the methods that a path answers, as its access decorator names them; none for an unknown path."""
    try:
        return getattr(resolve(within_the_club(path)).func, "methods", ())
    except Resolver404:
        return ()


def address_of(request: HttpRequest) -> str:
    """Return the address that a client is counted by, see `network_of`."""
    return network_of(request.META.get("REMOTE_ADDR", ""))


def posted(request: HttpRequest) -> QueryDict | None:
    """Return the data of a form on POST, None on GET: a form without data is empty, and shows no errors."""
    return request.POST if request.method == "POST" else None


def signed(request: StaffRequest) -> Signature:
    """Return the signature that a service wants: `service(tournament, ..., **signed(request))`."""
    return {"by": request.user.get_username(), "at": timezone.now()}


def number_in(text: str) -> int | None:
    """Return the number that a query or field names, None if it is none or a very long one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def client_address(request: HttpRequest) -> str:
    """Return the address that the request comes from, as the server determined it."""
    address: str = request.META.get("REMOTE_ADDR", "")
    return address[:45]


def is_private(request: HttpRequest) -> bool:
    """Whether nobody between browser and program can read along: over https, or where both run on this computer.

    The host is looked at too: behind a proxy that is not in TRUSTED_PROXIES all requests come from this computer.
    """
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    return request.is_secure() or (_is_loopback(request.META["REMOTE_ADDR"]) and _is_loopback(host))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


# --- the cash desk -------------------------------------------------------------------------------------------------

_DESK_COOKIE = _DESK_SALT = "desk"
_DESK_SECONDS = 365 * 24 * 60 * 60


def desk_name(request: HttpRequest) -> str:
    """Return the name of the cash desk at this device, "" for none. It belongs to the device: logging out keeps it."""
    try:
        name: str = signing.loads(request.COOKIES.get(_DESK_COOKIE, ""), key=signing_key(), salt=_DESK_SALT)
    except signing.BadSignature:
        return ""
    return name


def has_desk(request: HttpRequest) -> bool:
    """Whether a cash desk was chosen for this device, with a name or the one without."""
    return _DESK_COOKIE in request.COOKIES


def booked(request: StaffRequest) -> Booking:
    """Return what a service of money wants: `service(tournament, ..., **booked(request))`."""
    return {**signed(request), "desk": desk_name(request)}


def name_desk(response: HttpResponse, name: str) -> None:
    """Give this device's cash desk a name."""
    response.set_cookie(
        _DESK_COOKIE,
        signing.dumps(name, key=signing_key(), salt=_DESK_SALT),
        max_age=_DESK_SECONDS,
        path=reverse("organiser:home"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
