"""The screens of the hall, as the organiser sends them scenes and reveals the prizes."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from scoring.forms import AnnouncementForm, PrizesForm, SceneForm, WelcomeForm
from scoring.open_screens import open_screens
from scoring.queries.screens import SCREENS, Scene, ScreenRow, prizes_ahead, screens_of
from scoring.services import screens as services
from scoring.wording import word
from tournaments.access import organiser_required
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament

_FORMS: Mapping[str, type[SceneForm]] = {
    "welcome": WelcomeForm,
    "announcement": AnnouncementForm,
    "prizes": PrizesForm,
}
_PLAIN = ("automatic", "seating", "play", "standings", "black")


@organiser_required()
def screens(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _page(request, tournament, request.GET.get("screen", ""))


@organiser_required()
def screens_fragment(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Which screens are open, and what each shows."""
    context = {"tournament": tournament, "screens": _screens(tournament)}
    return render(request, "scoring/organiser/_screens.html", context)


@require_POST
@organiser_required()
def show(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Sends a scene to one screen, or to all."""
    asked = request.POST.get("screen", "")
    kind = request.POST.get("scene", "")
    if kind not in _FORMS and kind not in _PLAIN:
        raise Http404
    form = _FORMS.get(kind, SceneForm)(request.POST, auto_id=f"{kind}_%s")
    if form.is_valid():
        sent = {("kind" if name == "scene" else name): value for name, value in form.cleaned_data.items()}
        try:
            services.set_scene(tournament, _numbers(tournament, asked), Scene(**sent), **_by(request))
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            return redirect(_address(tournament, asked))
    return _page(request, tournament, asked, bound=form)


@require_POST
@organiser_required()
def reveal(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The prize-giving has revealed so many ranks from now on."""
    asked, revealed = request.POST.get("screen", ""), request.POST.get("revealed", "")
    count = int(revealed) if revealed.isascii() and revealed.isdigit() and len(revealed) < 4 else 0
    try:
        services.reveal(tournament, _numbers(tournament, asked), count, **_by(request))
    except Refusal as refusal:
        messages.error(request, word(refusal))
    return redirect(_address(tournament, asked))


def _page(
    request: HttpRequest, tournament: Tournament, asked: str, *, bound: SceneForm | None = None
) -> HttpResponse:
    found = _screens(tournament)
    chosen = _chosen(found, asked)
    shown = chosen[0].scene
    giving = [screen.scene for screen in chosen if screen.scene.kind == "prizes"]
    context = {
        "tournament": tournament,
        "screens": found,
        "chosen": chosen[0].number if len(found) > 1 and len(chosen) == 1 else None,
        "plain_kinds": _PLAIN,
        "shown": shown.kind if len({screen.scene.kind for screen in chosen}) == 1 else "",
        "giving": prizes_ahead(tournament, max(giving, key=lambda scene: scene.revealed)) if giving else None,
        "next_number": next((n for n in SCREENS if n not in [screen.number for screen in found]), None),
        "base": settings.PUBLIC_URL + reverse("standings:screen", args=[tournament.slug]),
        **{f"{kind}_form": _form(kind, shown, bound) for kind in _FORMS},
    }
    return render(request, "scoring/organiser/screens.html", context, status=422 if bound else 200)


def _form(kind: str, shown: Scene, bound: SceneForm | None) -> SceneForm:
    """Begins with what was sent the last time."""
    if bound is not None and bound.data.get("scene") == kind:
        return bound
    initial = {name: getattr(shown, name) for name in ("text", "network", "password", "lowest_rank")}
    return _FORMS[kind](initial={**initial, "scene": kind}, auto_id=f"{kind}_%s")


def _screens(tournament: Tournament) -> list[ScreenRow]:
    return screens_of(tournament, open_screens.of(tournament.slug))


def _chosen(found: list[ScreenRow], asked: str) -> list[ScreenRow]:
    """The screen of this number; all of them where none is named that there is."""
    return [screen for screen in found if str(screen.number) == asked] or found


def _numbers(tournament: Tournament, asked: str) -> list[int]:
    return [screen.number for screen in _chosen(_screens(tournament), asked)]


def _address(tournament: Tournament, asked: str) -> str:
    page = reverse("sheets:screens", args=[tournament.slug])
    return f"{page}?screen={asked}" if asked.isascii() and asked.isdigit() else page


def _by(request: HttpRequest) -> dict[str, Any]:
    return {"by": request.user.get_username(), "at": timezone.now()}
