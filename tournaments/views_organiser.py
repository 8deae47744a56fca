"""The organiser's tournaments: list, new, settings, and who works on them."""

from typing import Any

import segno
from django.conf import settings as django_settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.access import organiser_required
from tournaments.core.refusal import Refusal
from tournaments.forms.accounts import InviteForm
from tournaments.forms.fields import add_refusal
from tournaments.forms.tournaments import TournamentForm, slug_base, slug_for
from tournaments.models import Tournament
from tournaments.queries import tournaments as queries
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.schema import Ruleset
from tournaments.services import people
from tournaments.services import tournaments as services
from tournaments.wording import word

_FIELDS = {"slug_taken": "slug", "slug_bad": "slug"}


@require_safe
@organiser_required()
def home(request: HttpRequest) -> HttpResponse:
    tournaments = queries.tournaments_of(_user(request))
    return render(request, "tournaments/organiser/home.html", {"tournaments": tournaments})


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_required()
def new(request: HttpRequest) -> HttpResponse:
    base = _chosen_preset(request)
    form = TournamentForm(request.POST or None, base=base, today=timezone.localdate())
    if form.is_valid():
        try:
            tournament = _create(form.cleaned_data, _user(request))
        except Refusal as refusal:
            add_refusal(form, refusal, _FIELDS)
        else:
            messages.success(request, _("Das Turnier ist angelegt. Die Anmeldung ist offen."))
            return redirect("organiser:door", tournament.slug)
    context = {"form": form, "base": base, "presets": [preset(name) for name in PRESETS]}
    return render(request, "tournaments/organiser/new.html", context, status=_status(form))


def _chosen_preset(request: HttpRequest) -> Ruleset:
    chosen = request.POST.get("ruleset", request.GET.get("ruleset", ""))
    return preset(chosen if chosen in PRESETS else "schnauz-placing")


def _create(data: dict[str, Any], owner: User) -> Tournament:
    slug = data["slug"] or slug_for(data["name"], queries.taken_slugs(slug_base(data["name"])))
    return services.create_tournament(
        slug=slug,
        name=data["name"],
        played_on=data["played_on"],
        place=data["place"],
        names=data["names"],
        ruleset=data["ruleset"],
        owner=owner,
        at=timezone.now(),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_required()
def settings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    rules_stand = queries.has_rounds(tournament)
    form = TournamentForm(
        request.POST or None, base=tournament.rules, tournament=tournament, rules_stand=rules_stand
    )
    if form.is_valid():
        data = form.cleaned_data
        try:
            services.edit_tournament(
                tournament,
                name=data["name"],
                played_on=data["played_on"],
                place=data["place"],
                names=data["names"],
                ruleset=data["ruleset"],
            )
        except Refusal as refusal:
            add_refusal(form, refusal, _FIELDS)
        else:
            messages.success(request, _("Die Einstellungen sind gespeichert."))
            return redirect("organiser:settings", tournament.slug)
    context = {"tournament": tournament, "form": form, "rules_stand": rules_stand, "section": "settings"}
    return render(request, "tournaments/organiser/settings.html", context, status=_status(form))


@require_safe
@organiser_required()
def members(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _members_page(request, tournament, InviteForm())


@require_POST
@never_cache
@organiser_required()
def invite(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Makes a link and shows it, once: only a hash of its code is kept."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _members_page(request, tournament, form, status=422)
    role = form.cleaned_data["role"]
    code = people.invite(tournament, role=role, by=request.user.get_username(), at=timezone.now())
    link = f"{django_settings.PUBLIC_URL}{reverse('account:join')}#{code}"
    return _members_page(
        request,
        tournament,
        InviteForm(),
        link=link,
        code=code,
        qr=segno.make(link, micro=False, error="m").svg_data_uri(scale=4, border=2),
        days=people.INVITATION_DAYS,
        invited_role=role,
    )


@require_POST
@organiser_required()
def remove_member(request: HttpRequest, tournament: Tournament, user_id: int) -> HttpResponse:
    try:
        people.remove_member(tournament, user_id=user_id)
    except Refusal as refusal:
        messages.error(request, word(refusal))
        return redirect("organiser:members", tournament.slug)
    if user_id == request.user.pk and not _user(request).is_superuser:
        return redirect("organiser:home")
    return redirect("organiser:members", tournament.slug)


def _members_page(
    request: HttpRequest, tournament: Tournament, form: InviteForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = {
        "tournament": tournament,
        "form": form,
        "members": queries.members(tournament),
        "section": "settings",
    }
    return render(request, "tournaments/organiser/members.html", context | more, status=status)


def _user(request: HttpRequest) -> User:
    user = request.user
    assert isinstance(user, User)
    return user


def _status(form: TournamentForm) -> int:
    return 422 if form.errors else 200
