"""Who may: every view names one of `public_view`, `organiser_required`, `scribe_required`.

What somebody may not see does not exist for him: a foreign tournament answers 404, not 403.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments import links
from tournaments.models import Membership, Table, Tournament

View = Callable[..., HttpResponse]
_V = TypeVar("_V", bound=View)


def public_view(view: _V) -> _V:
    """Anybody, without an account."""
    view.access = "public"  # type: ignore[attr-defined]
    return view


def organiser_required(*, cashier: bool = False) -> Callable[[View], View]:
    """An organiser of the tournament in the URL, or the owner of the installation; with cashier=True its cashiers too.

    The view gets the tournament instead of the slug, and `request.role` says as what he is here. On a URL without a slug any account will do.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, slug: str | None = None, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return _log_in(request)
            if slug is None:
                return view(request, *args, **kwargs)
            tournament, request.role = _tournament_for(request.user, slug, cashier=cashier)  # type: ignore[attr-defined]
            return view(request, tournament, *args, **kwargs)

        guarded.access = "cashier" if cashier else "organiser"  # type: ignore[attr-defined]
        return guarded

    return decorate


def role_in(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> str | None:
    """ "organiser", "cashier" or None. Whoever owns the installation is an organiser everywhere."""
    if getattr(user, "is_superuser", False):
        return Membership.Role.ORGANISER.value
    membership = Membership.objects.filter(user__username=user.get_username(), tournament=tournament).first()
    return membership.role if membership else None


def _tournament_for(
    user: AbstractBaseUser | AnonymousUser, slug: str, *, cashier: bool
) -> tuple[Tournament, str]:
    tournament = Tournament.objects.filter(slug=slug).first()
    role = role_in(user, tournament) if tournament else None
    if tournament is None or role is None or (role == Membership.Role.CASHIER and not cashier):
        raise Http404
    return tournament, role


def _log_in(request: HttpRequest) -> HttpResponse:
    """To the log-in page and back; a fragment request is told to move the whole page there."""
    if not getattr(request, "htmx", False):
        return redirect_to_login(request.get_full_path(), resolve_url("account:login"))
    response = HttpResponse(status=204)
    response["HX-Redirect"] = reverse("account:login")
    return response


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone at a table: it may read the table's sheet, and write as far as it has the pen."""

    table: Table
    device: str


def phone_at(request: HttpRequest) -> Phone | None:
    """The phone that sends this request, by its cookie; None without one, or when its link was revoked."""
    phone_pass = links.PhonePass.from_cookie(request.COOKIES.get(links.COOKIE, ""))
    if phone_pass is None:
        return None
    table = Table.objects.select_related("round__tournament").filter(pk=phone_pass.table_id).first()
    if table is None or table.link_version != phone_pass.link_version:
        return None
    return Phone(table, phone_pass.device)


def phone_without_table() -> JsonResponse:
    """401 for a phone without a cookie, with a dead one, or whose table a redraw has taken away."""
    sentence = _(
        "Dieses Handy ist an keinem Tisch angemeldet. Bitte den Code auf dem Tisch noch einmal scannen."
    )
    return JsonResponse({"error": sentence}, status=401)


def scribe_required(view: View) -> View:
    """A phone whose cookie is good for a table; the view gets it. The answer is 401 otherwise."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        phone = phone_at(request)
        if phone is None:
            return phone_without_table()
        return view(request, phone, *args, **kwargs)

    guarded.access = "scribe"  # type: ignore[attr-defined]
    return guarded
