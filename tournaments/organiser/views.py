"""Views of the organiser's tournaments: list, new tournament, settings, members."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.access import account_view, club_role, maker_view, may_make_tournaments, organiser_view
from tournaments.current_club import origin
from tournaments.forms import refusal_as_message
from tournaments.links import qr_code
from tournaments.models import EventKind, Tournament
from tournaments.organiser.forms import InviteForm, TournamentForms
from tournaments.own_address import staff_url
from tournaments.queries import tournaments as queries
from tournaments.queries.club import club
from tournaments.requests import StaffRequest, posted, signed
from tournaments.rulesets.loader import MAIN_PRESET, PRESETS, preset
from tournaments.security_log import record
from tournaments.services import accounts as people
from tournaments.services import tournaments as services
from tournaments.services.quotas import check_tournaments
from tournaments.text.ruleset_summary import summary_of


@account_view("GET")
def home(
    request: StaffRequest,
    winners_of: Callable[[Collection[str]], Mapping[str, list[str]]],
    notices_of: Callable[[date], Sequence[Any]],
) -> HttpResponse:
    """List the tournaments. winners_of: returns the names of the winners, by slug. notices_of: the names that will be numbers."""
    may_make, today = may_make_tournaments(request.user), timezone.localdate()
    page = queries.tournaments_of(request.user, page=request.GET.get("page", "1")[:6])
    winners = winners_of([row.slug for row in page if row.drawn])
    context = {
        "page": page,
        "groups": queries.by_day(page, today, winners),
        "may_make": may_make,
        "club_role": club_role(request.user),
        "notices": notices_of(today) if may_make else (),
    }
    return render(request, "tournaments/organiser/home.html", context)


@maker_view("GET", "POST")
def new(request: StaffRequest) -> HttpResponse:
    named = club()
    usual = {"place": named.place, "names": named.names} if named else {}
    initial = {"played_on": timezone.localdate(), **usual}
    forms = TournamentForms(posted(request), initial_rules=preset(MAIN_PRESET), initial=initial)
    if request.method == "GET":  # before anything is typed
        with refusal_as_message(request):
            check_tournaments(takes_turns=False)
    if forms.are_valid:
        with forms.evening.refusal_at_field():
            tournament = _create(forms, request.user)
            messages.success(request, _("Das Turnier ist angelegt. Die Anmeldung ist offen."))
            return redirect("door:desk", tournament.slug)
    return render(request, "tournaments/organiser/new.html", _context(forms), status=_status(forms))


def _create(forms: TournamentForms, owner: User) -> Tournament:
    data = forms.evening.cleaned_data
    slug = data["slug"] or queries.free_slug(data["name"])
    return services.create_tournament(
        **{**data, "slug": slug}, ruleset=forms.ruleset, owner=owner, at=timezone.now()
    )


@organiser_view("GET", "POST")
def settings(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    rules, rules_stand = tournament.rules, queries.has_rounds(tournament)
    forms = TournamentForms(posted(request), initial_rules=rules, tournament=tournament, stand=rules_stand)
    if forms.are_valid:
        with forms.evening.refusal_at_field():
            services.edit_tournament(tournament, **forms.evening.cleaned_data, ruleset=forms.ruleset)
            messages.success(request, _("Die Einstellungen sind gespeichert."))
            return redirect("organiser:settings", tournament.slug)
    context = {"tournament": tournament, "rules_stand": rules_stand, **_context(forms)}
    return render(request, "tournaments/organiser/settings.html", context, status=_status(forms))


def _context(forms: TournamentForms) -> dict[str, Any]:
    presets = sorted(PRESETS, key=lambda name: name != MAIN_PRESET)
    return {
        "form": forms.evening,
        "rules": forms.rules,
        "base": forms.base,
        "presets": [summary_of(preset(name)) for name in presets],
    }


def _status(forms: TournamentForms) -> int:
    return 422 if forms.evening.errors or forms.rules.errors else 200


@organiser_view("GET")
def members(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    return _members_page(request, tournament, InviteForm())


@never_cache
@organiser_view("POST")
def invite(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Create an invitation and show its link once: only a hash of its code is stored."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _members_page(request, tournament, form, status=422)
    role = form.cleaned_data["role"]
    code = people.invite(tournament, role=role, **signed(request))
    record(EventKind.INVITED, request, about=f"{tournament.slug}: {role}")
    link = f"{staff_url() or origin()}{reverse('account:join')}#{code}"
    return _members_page(
        request,
        tournament,
        InviteForm(),
        link=link,
        code=code,
        qr=qr_code(link),
        days=people.INVITATION_DAYS,
        invited_role=role,
    )


@organiser_view("POST")
def withdraw_invitation(request: StaffRequest, tournament: Tournament, invitation_id: int) -> HttpResponse:
    with refusal_as_message(request):
        people.withdraw_invitation(tournament, invitation_id=invitation_id, at=timezone.now())
        record(EventKind.WITHDRAWN, request, about=tournament.slug)
        messages.success(request, _("Die Einladung ist zurückgezogen."))
    return redirect("organiser:members", tournament.slug)


@organiser_view("POST")
def remove_member(request: StaffRequest, tournament: Tournament, user_id: int) -> HttpResponse:
    with refusal_as_message(request):
        removed = people.remove_member(tournament, user_id=user_id, at=timezone.now())
        if removed:
            record(EventKind.REMOVED, request, about=f"{tournament.slug}: {removed}")
        if user_id == request.user.pk and not request.user.is_superuser:
            return redirect("organiser:home")
    return redirect("organiser:members", tournament.slug)


def _members_page(
    request: StaffRequest, tournament: Tournament, form: InviteForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = {
        "tournament": tournament,
        "form": form,
        "members": queries.members(tournament),
        "club_staff": queries.club_staff(),
        "invitations": queries.open_invitations(tournament, timezone.now()),
    }
    return render(request, "tournaments/organiser/members.html", context | more, status=status)
