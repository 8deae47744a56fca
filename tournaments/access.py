"""Access decorators. Every view has one, directly above its `def`, with the methods that it answers.

    public_view      no account needed
    scribe_view      a phone with the cookie of a table
    sheet_view       the same, where the view opens the sheet, and with it checks the link
    account_view     any account
    maker_view       an organiser of the club or of any tournament: who makes tournaments
    club_view        an organiser of the club: its settings, people and their consents, series, honours
    owner_view       the owner of the installation
    cashier_view     a cashier or an organiser of the tournament in the URL
    organiser_view   an organiser of that tournament

The owner of the installation is an organiser of the club. Organisers and cashiers of the club are so in every tournament, also
in later ones; otherwise somebody has the role of their membership, and of two roles the higher one. GET includes HEAD; any other method is
answered with 405 before access is checked. A form with an id changes something once; see once.py. An account without the
role is answered with 404, not 403, so that the existence of a tournament is not revealed; the security log has a line for it.

An account without any role is logged out by `account_view`. A session is prolonged by what a person does; a fragment
that a page fetches by itself does not count. What is posted without a session is kept on the log-in page; see
accounts/interrupted.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render, resolve_url
from django.urls import resolve, reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.decorators import sync_only_middleware
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from tournaments import links
from tournaments.current_club import within_the_club
from tournaments.models import ClubRole, EventKind, Membership, Table, Tournament
from tournaments.once import answer_again, answer_once
from tournaments.requests import Request, StaffRequest, is_from_our_pages, page_near
from tournaments.security_log import record
from tournaments.sessions import prolong_session

STAFF = frozenset({"account", "maker", "club", "owner", "cashier", "organiser"})

P = ParamSpec("P")
View = Callable[..., HttpResponse]
AccountView = Callable[Concatenate[StaffRequest, P], HttpResponse]
TournamentView = Callable[Concatenate[StaffRequest, Tournament, P], HttpResponse]


def public_view(
    *methods: str, once: bool = True
) -> Callable[[Callable[Concatenate[Request, P], HttpResponse]], View]:
    """Allow every request. once=False: a form may be answered twice, since the view must not run in a transaction."""

    def decorate(view: View) -> View:
        def check(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            return _answered(request, lambda: view(request, *args, **kwargs), once=once)

        return _guarded(view, "public", methods, check, once=once)

    return decorate


class PublicityEnded(Exception):
    """The pages of the tournament are no longer public."""


def publicity_ended(request: HttpRequest) -> HttpResponse:
    """Answer 410 for pages that are no longer public."""
    response = render(request, "public_ended.html", {"tournament": None}, status=410)
    response["X-Robots-Tag"] = "noindex"
    response["Cache-Control"] = "no-cache"
    return response


def form_of_everybody(view: View) -> View:
    """Accept a form of a public page by its origin instead of a CSRF token; outside `public_view`.

    A page with a token belongs to one browser. Without one, all browsers get the same page, which is kept for all of them.
    """

    @csrf_exempt
    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and not is_from_our_pages(request):
            return csrf_failure(request, reason="a form of another site")
        return view(request, *args, **kwargs)

    return checked


def account_view(*methods: str, once: bool = True) -> Callable[[AccountView[P]], View]:
    """Allow any account; redirect others to the log-in page and back. once: see `public_view`."""
    return _account_view("account", methods, lambda _user: True, once=once)


def maker_view(*methods: str) -> Callable[[AccountView[P]], View]:
    """Allow organisers of the club, and organisers of any tournament. A cashier makes no tournaments."""
    return _account_view("maker", methods, may_make_tournaments)


def club_view(*methods: str) -> Callable[[AccountView[P]], View]:
    """Allow organisers of the club."""
    return _account_view("club", methods, runs_club)


def owner_view(*methods: str, once: bool = True) -> Callable[[AccountView[P]], View]:
    """Allow the owner of the installation. once: see `public_view`."""
    return _account_view("owner", methods, lambda user: user.is_superuser, once=once)


def _account_view(
    access: str, methods: tuple[str, ...], may: Callable[[User], bool], *, once: bool = True
) -> Callable[[AccountView[P]], View]:
    def decorate(view: View) -> View:
        def check(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated or _was_logged_out_without_role(request):
                return _log_in(request)
            if not may(cast(StaffRequest, request).user):
                raise _refused(request)
            prolong_session(request)
            return _answered(request, lambda: view(request, *args, **kwargs), once=once)

        return _guarded(view, access, methods, check, once=once)

    return decorate


def cashier_view(*methods: str, of_cash: bool = False) -> Callable[[TournamentView[P]], View]:
    """Allow cashiers and organisers of the tournament. Pass the tournament to the view instead of the slug.

    of_cash: the page is about money, so a tournament that hides its amounts has none (404).
    """
    return _tournament_view("cashier", methods, of_cash=of_cash)


def organiser_view(*methods: str, by_itself: bool = False) -> Callable[[TournamentView[P]], View]:
    """Allow organisers of the tournament. Pass the tournament to the view instead of the slug.

    by_itself: pages fetch it without an action of a person, so it does not prolong the session.
    """
    return _tournament_view("organiser", methods, by_itself=by_itself)


def _tournament_view(
    access: str, methods: tuple[str, ...], *, by_itself: bool = False, of_cash: bool = False
) -> Callable[[TournamentView[P]], View]:
    def decorate(view: View) -> View:
        def check(request: HttpRequest, *args: Any, slug: str, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return _log_in(request)
            staff = cast(StaffRequest, request)
            tournament = Tournament.objects.filter(slug=slug).first()
            role = role_in(staff.user, tournament) if tournament else None
            if (
                tournament is None
                or role is None
                or (role == Membership.Role.CASHIER and access != "cashier")
            ):
                if again := answer_again(request):  # the form has deleted the tournament, or ended the role
                    return again
                raise _refused(request)
            if of_cash and tournament.hides_amounts:
                raise Http404
            staff.role = role
            if not by_itself:
                prolong_session(request)
            return answer_once(request, lambda: view(staff, tournament, *args, **kwargs))

        return _guarded(view, access, methods, check)

    return decorate


def _answered(request: HttpRequest, answer: Callable[[], HttpResponse], *, once: bool) -> HttpResponse:
    return answer_once(request, answer) if once else answer()


def _guarded(view: View, access: str, methods: tuple[str, ...], check: View, *, once: bool = True) -> View:
    """Return the view with its checks. The attributes `access`, `methods` and `once` describe them."""
    answered = [*(["GET", "HEAD"] if "GET" in methods else []), *(name for name in methods if name != "GET")]
    guarded = wraps(view)(require_http_methods(answered)(check))
    guarded.__dict__.update(access=access, methods=tuple(answered), once=once)
    return guarded


def role_in(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> str | None:
    """Return "organiser", "cashier" or None: the higher one of the roles in the tournament and in the club. One query."""
    if getattr(user, "is_superuser", False):
        return Membership.Role.ORGANISER.value
    name = user.get_username()
    here = Membership.objects.filter(user__username=name, tournament=tournament).values_list(
        "role", flat=True
    )
    in_club = ClubRole.objects.filter(user__username=name).values_list("role", flat=True)
    roles = set(here.union(in_club))
    return next((role.value for role in Membership.Role if role in roles), None)


def club_role(user: AbstractBaseUser | AnonymousUser) -> str | None:
    """Return "organiser", "cashier" or None: the role in the club. Asked once for the account of a request."""
    if getattr(user, "is_superuser", False):
        return Membership.Role.ORGANISER.value
    stored = getattr(user, "club_role", None)
    return stored.role if stored else None


def runs_club(user: User) -> bool:
    """Whether this is an organiser of the club."""
    return club_role(user) == Membership.Role.ORGANISER


def may_make_tournaments(user: User) -> bool:
    """Whether this is an organiser of the club, or of any tournament."""
    organises = Membership.objects.filter(user=user, role=Membership.Role.ORGANISER)
    return runs_club(user) or organises.exists()


def _refused(request: HttpRequest) -> Http404:
    """Return the answer to an account without the role, after a line in the security log."""
    record(EventKind.REFUSED, request, about=f"{request.method} {request.path}")
    return Http404()


def _was_logged_out_without_role(request: HttpRequest) -> bool:
    """Log out an account that belongs to no tournament and not to the club, and say so; return whether it was."""
    user = request.user
    if club_role(user):
        return False
    if Membership.objects.filter(user__username=user.get_username()).exists():
        return False
    logout(request)
    messages.error(
        request,
        _("Dieses Konto gehört zu keinem Turnier mehr. Bitte beim Veranstalter um eine Einladung bitten."),
    )
    return True


def _log_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the log-in page and back. A request for a fragment gets 401 with the address: its page decides whether to leave."""
    if request.method not in ("GET", "HEAD"):
        return cast(HttpResponse, resolve(within_the_club(reverse("account:login"))).func(request))
    if not getattr(request, "htmx", False):
        return redirect_to_login(request.get_full_path(), resolve_url("account:login"))
    page = redirect_to_login(
        page_near(request.headers.get("HX-Current-URL", "")), resolve_url("account:login")
    )
    return HttpResponse(status=401, headers={"Log-In": page["Location"]})


@sync_only_middleware
def staff_pages_are_not_stored(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: forbid to store any answer of a view that needs an account, errors included."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        match = request.resolver_match
        if match is not None and getattr(match.func, "access", "") in STAFF:
            patch_cache_control(response, private=True, no_store=True)
        return response

    return answer


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone at a table. It may read the table's sheet, and write to it while it holds the pen."""

    table: Table
    device: str


def pass_of(request: HttpRequest) -> links.PhonePass | None:
    """Return the content of a phone's cookie, whether its link is still valid or not; None without a signed one."""
    return links.PhonePass.from_cookie(request.COOKIES.get(settings.PHONE_COOKIE_NAME, ""))


def phone_at(request: HttpRequest) -> Phone | None:
    """Return the phone that sends this request, by its cookie; None without one, or if its link was revoked or has ended."""
    phone_pass = pass_of(request)
    if phone_pass is None:
        return None
    table = Table.objects.select_related("round__tournament").filter(pk=phone_pass.table_id).first()
    if table is None or table.link_version != phone_pass.link_version:
        return None
    if links.has_ended(table, timezone.localdate()):
        return None
    return Phone(table, phone_pass.device)


def phone_without_table() -> JsonResponse:
    """Return 401 for a phone without a cookie, with an invalid one, or whose table a redraw has deleted."""
    sentence = _(
        "Dieses Handy ist an keinem Tisch angemeldet. Bitte den Code auf dem Tisch noch einmal scannen."
    )
    return JsonResponse({"error": sentence}, status=401)


def scribe_view(*methods: str) -> Callable[[Callable[Concatenate[Request, Phone, P], HttpResponse]], View]:
    """Allow a phone whose cookie is valid for a table, else answer 401. Pass the phone to the view."""
    return _phone_view(methods, phone_at)


def sheet_view(
    *methods: str,
) -> Callable[[Callable[Concatenate[Request, links.PhonePass, P], HttpResponse]], View]:
    """Allow a phone with a signed cookie, else answer 401. Pass the content of the cookie to the view.

    The view opens the sheet with it (`scoring.sheet_log.open_sheet_of`), under the same lock as it reads and writes, which
    refuses a link that was revoked or has ended.
    """
    return _phone_view(methods, pass_of)


def _phone_view(methods: tuple[str, ...], phone_of: Callable[[HttpRequest], Any]) -> Callable[[View], View]:
    def decorate(view: View) -> View:
        def check(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            phone = phone_of(request)
            return phone_without_table() if phone is None else view(request, phone, *args, **kwargs)

        return _guarded(view, "scribe", methods, check, once=False)

    return decorate
