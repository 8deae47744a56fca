"""The organiser's tournaments: list, new, settings, and who works on them."""

from typing import Any

import segno
from django.conf import settings as django_settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, QueryDict
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
from tournaments.forms.tournaments import TournamentForms, slug_base, slug_for
from tournaments.models import Tournament
from tournaments.queries import tournaments as queries
from tournaments.ruleset_summary import summary_of
from tournaments.rulesets.loader import MAIN_PRESET, PRESETS, preset
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
    forms = TournamentForms(_typed(request), own=preset(MAIN_PRESET), today=timezone.localdate())
    if forms.are_valid:
        try:
            tournament = _create(forms, _user(request))
        except Refusal as refusal:
            add_refusal(forms.evening, refusal, _FIELDS)
        else:
            messages.success(request, _("Das Turnier ist angelegt. Die Anmeldung ist offen."))
            return redirect("organiser:door", tournament.slug)
    return render(request, "tournaments/organiser/new.html", _context(forms), status=_status(forms))


def _create(forms: TournamentForms, owner: User) -> Tournament:
    data = forms.evening.cleaned_data
    slug = data["slug"] or slug_for(data["name"], queries.taken_slugs(slug_base(data["name"])))
    return services.create_tournament(
        slug=slug,
        name=data["name"],
        played_on=data["played_on"],
        place=data["place"],
        names=data["names"],
        ruleset=forms.ruleset,
        owner=owner,
        at=timezone.now(),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_required()
def settings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    rules_stand = queries.has_rounds(tournament)
    forms = TournamentForms(_typed(request), own=tournament.rules, tournament=tournament, stand=rules_stand)
    if forms.are_valid:
        data = forms.evening.cleaned_data
        try:
            services.edit_tournament(
                tournament,
                name=data["name"],
                played_on=data["played_on"],
                place=data["place"],
                names=data["names"],
                ruleset=forms.ruleset,
                public_until_on=data["public_until_on"],
            )
        except Refusal as refusal:
            add_refusal(forms.evening, refusal, _FIELDS)
        else:
            messages.success(request, _("Die Einstellungen sind gespeichert."))
            return redirect("organiser:settings", tournament.slug)
    context = {"tournament": tournament, "rules_stand": rules_stand, "section": "settings", **_context(forms)}
    return render(request, "tournaments/organiser/settings.html", context, status=_status(forms))


def _typed(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


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
