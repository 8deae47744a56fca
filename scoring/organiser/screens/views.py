"""Views for sending scenes to the screens, revealing the prizes, and pairing browsers as screens."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.forms import TEXT_CODES, RefusableForm, refusal_as_message
from scoring.open_screens import open_screens
from scoring.queries.round_clock import MINUTES, WAIT, ClockRow, clock_of
from scoring.queries.screen_pairings import paired_screens
from scoring.queries.screens import (
    LOWEST_RANK,
    SCREENS,
    ScreenRow,
    SentScene,
    lowest_rank_of,
    prizes_ahead,
    screens_of,
)
from scoring.queries.series import is_in_series
from scoring.scenes import SCENES, Scene
from scoring.services import round_clock as clocks
from scoring.services import screen_pairings as pairings
from scoring.services import screens as services
from scoring.text.prizes import step_name
from tournaments.access import organiser_view
from tournaments.current_club import origin
from tournaments.models import ClubPicture, Tournament
from tournaments.queries.pictures import picture_row
from tournaments.requests import StaffRequest, next_path, signed
from tournaments.services import pictures

MOST_ROUND = 999
"""Highest round number that a form accepts."""


class SceneForm(RefusableForm):
    """A scene to be sent to a screen; `scene` names the button that was pressed."""

    field_of = dict.fromkeys(TEXT_CODES, "text")

    scene = forms.ChoiceField(choices=lambda: [(key, key) for key in SCENES], widget=forms.HiddenInput)


class ScreenCodeForm(RefusableForm):
    """The code shown by a browser that asks to be paired as a screen."""

    field_of = {"screen_code_unknown": "code"}

    code = forms.CharField(
        label=gettext_lazy("Code auf dem Bildschirm"),
        max_length=20,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={
            "required": gettext_lazy("Bitte die sechs Ziffern eintragen, die der Bildschirm zeigt.")
        },
    )


class PictureForm(RefusableForm):
    """Whether the screens show the picture of the club."""

    field_of = dict.fromkeys(TEXT_CODES, "caption")

    on_wall = forms.BooleanField(
        label=gettext_lazy("Zwischen den anderen Seiten zeigen, die von selbst wechseln"), required=False
    )
    caption = forms.CharField(
        label=gettext_lazy("Eine Zeile darunter"), max_length=pictures.LONGEST_CAPTION, required=False
    )


class ClockForm(RefusableForm):
    """The minutes of a round. round: the one shown by the page."""

    field_of = {"clock_minutes": "minutes", "clock_wait": "wait"}

    round = forms.IntegerField(min_value=1, max_value=MOST_ROUND, widget=forms.HiddenInput)
    minutes = forms.IntegerField(
        label=gettext_lazy("Minuten für diese Spielrunde"),
        min_value=MINUTES.start,
        max_value=MINUTES.stop - 1,
        error_messages={
            "required": gettext_lazy("Bitte eintragen, wie viele Minuten die Spielrunde dauert.")
        },
    )
    wait = forms.IntegerField(
        label=gettext_lazy("Startzeichen in Minuten (leer: jetzt)"),
        min_value=WAIT.start,
        max_value=WAIT.stop - 1,
        required=False,
    )


class WelcomeForm(SceneForm):
    """The welcome scene, with the guests' wireless network."""

    field_of = dict.fromkeys(TEXT_CODES, "network")

    network = forms.CharField(label=gettext_lazy("WLAN für Gäste: Name"), max_length=32, required=False)
    password = forms.CharField(label=gettext_lazy("Passwort des WLAN"), max_length=63, required=False)


class AnnouncementForm(SceneForm):
    """An announcement."""

    text = forms.CharField(
        label=gettext_lazy("Durchsage"),
        max_length=240,
        error_messages={"required": gettext_lazy("Bitte eintragen, was auf der Leinwand stehen soll.")},
    )


class PrizesForm(SceneForm):
    """The prize-giving."""

    lowest_rank = forms.IntegerField(
        label=gettext_lazy("Preise bis Rang"),
        min_value=1,
        max_value=LOWEST_RANK,
        initial=3,
        error_messages={"required": gettext_lazy("Bitte eintragen, bis zu welchem Rang es Preise gibt.")},
    )


_FORMS: Mapping[str, type[SceneForm]] = {
    "welcome": WelcomeForm,
    "announcement": AnnouncementForm,
    "prizes": PrizesForm,
}
STEP = re.compile(r"|[0-9]{1,4}|(strokes|last|lot)(#[0-9]{1,2})?|(fee|club):.{1,90}")
"""A rank, or the key of a special prize (`PrizePlan.keys_of_others`)."""


@organiser_view("GET")
def screens(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    return _page(request, tournament, request.GET.get("screen", ""))


@organiser_view("GET")
def screens_fragment(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Render the list of open screens with the scene of each; 204 if unchanged, so that previews do not restart."""
    context = _listed(tournament, _screens(tournament))
    if request.GET.get("version") == context["version"]:
        return HttpResponse(status=204)
    return render(request, "scoring/organiser/screens/_screens.html", context)


@organiser_view("POST")
def confirm_code(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Pair the browser that shows the code."""
    form = ScreenCodeForm(request.POST, auto_id="pairing_%s")
    if form.is_valid():
        with form.refusal_at_field():
            paired = pairings.confirm_code(tournament, form.cleaned_data["code"], **signed(request))
            said = _("Leinwand %(number)s ist verbunden.") % {"number": paired.number}
            messages.success(request, said)
            return redirect("organiser:screens", tournament.slug)
    return _page(request, tournament, "", code_form=form)


@organiser_view("POST")
def end_pairing(request: StaffRequest, tournament: Tournament, pairing: int) -> HttpResponse:
    pairings.end_pairing(tournament, pairing)
    messages.success(request, _("Die Verbindung ist getrennt."))
    return redirect("organiser:screens", tournament.slug)


@organiser_view("POST")
def show_picture(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the picture of the club on the screens, or no longer."""
    form = PictureForm(request.POST, auto_id="picture_%s")
    if form.is_valid():
        with form.refusal_at_field():
            pictures.show_picture(tournament, **form.cleaned_data)
            return redirect("organiser:screens", tournament.slug)
    return _page(request, tournament, "", picture_form=form)


@organiser_view("POST")
def start_clock(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Start the clock of the round in play, or change its minutes."""
    form = ClockForm(request.POST, auto_id="clock_%s")
    if form.is_valid():
        number, minutes, wait = (form.cleaned_data[name] for name in ("round", "minutes", "wait"))
        with form.refusal_at_field():
            clocks.start_clock(tournament, number, minutes=minutes, wait=wait or 0, **signed(request))
            return redirect("organiser:screens", tournament.slug)
    return _page(request, tournament, "", clock_form=form)


@organiser_view("POST")
def stop_clock(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    number = request.POST.get("round", "")
    if not re.fullmatch("[1-9][0-9]{0,2}", number):
        raise Http404
    with refusal_as_message(request):
        clocks.stop_clock(tournament, int(number), **signed(request))
    return redirect("organiser:screens", tournament.slug)


@organiser_view("POST")
def show(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Send a scene to one screen, or to all."""
    asked = request.POST.get("screen", "")
    kind = request.POST.get("scene", "")
    if kind not in SCENES:
        raise Http404
    form = _FORMS.get(kind, SceneForm)(request.POST, auto_id=f"{kind}_%s")
    if form.is_valid():
        sent = {("kind" if name == "scene" else name): value for name, value in form.cleaned_data.items()}
        with form.refusal_at_field():
            services.set_scene(
                tournament, _numbers(request, tournament), SentScene(**sent), **signed(request)
            )
            return redirect(next_path(request) or _address(tournament, asked))
    return _page(request, tournament, asked, bound=form)


@organiser_view("POST")
def reveal(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Reveal this step and all before it at the prize-giving."""
    step, seen = _step(request, "step"), _step(request, "seen")
    with refusal_as_message(request):
        services.reveal(tournament, _numbers(request, tournament), step, seen=seen, **signed(request))
    return redirect(next_path(request) or _address(tournament, request.POST.get("screen", "")))


def _step(request: StaffRequest, name: str) -> str:
    """Return a step of the prize-giving from the form, "" for an empty field. Raise Http404 for anything else."""
    text = request.POST.get(name)
    if text is None or not STEP.fullmatch(text):
        raise Http404
    return text


def _page(
    request: StaffRequest,
    tournament: Tournament,
    asked: str,
    *,
    bound: SceneForm | None = None,
    code_form: ScreenCodeForm | None = None,
    clock_form: ClockForm | None = None,
    picture_form: PictureForm | None = None,
) -> HttpResponse:
    clock = clock_of(tournament)
    picture = picture_row(tournament)
    all_screens = _screens(tournament, _number(asked))
    chosen = [screen for screen in all_screens if str(screen.number) == asked] or all_screens
    current = chosen[0].scene
    giving = [screen.scene for screen in chosen if screen.scene.kind == "prizes"]
    ahead = prizes_ahead(tournament, giving) if giving else None
    context = {
        **_listed(tournament, all_screens),
        "code_form": code_form or ScreenCodeForm(auto_id="pairing_%s"),
        "clock": clock,
        "clock_waits": bool(clock and clock.minutes_to_start(timezone.now())),
        "clock_form": clock_form or (clock and _clock_form(clock)),
        "picture_form": picture_form or (picture and _picture_form(picture)),
        "chosen": chosen[0].number if len(all_screens) > 1 and len(chosen) == 1 else None,
        "plain_scenes": {kind: scene for kind, scene in _scenes_of(tournament).items() if not scene.button},
        "shown": current.kind if len({screen.scene.kind for screen in chosen}) == 1 else "",
        "ahead": ahead,
        "shown_name": step_name(ahead.revealed, tournament.fee_kinds) if ahead and ahead.revealed else "",
        "ahead_name": step_name(ahead.next, tournament.fee_kinds) if ahead and ahead.next else "",
        "next_number": next((n for n in SCREENS if n not in [screen.number for screen in all_screens]), None),
        "base": origin() + reverse("public:screen", args=[tournament.slug]),
        "scene_forms": [
            (kind, scene, _form(tournament, kind, current, bound))
            for kind, scene in SCENES.items()
            if scene.button
        ],
    }
    status = 422 if bound or code_form or clock_form or picture_form else 200
    return render(request, "scoring/organiser/screens/screens.html", context, status=status)


def _scenes_of(tournament: Tournament) -> dict[str, Scene]:
    rules = tournament.rules
    ranks_strokes = rules.sheet.counts_strokes and rules.qualifying is None
    in_series = is_in_series(tournament)
    return {
        kind: scene
        for kind, scene in SCENES.items()
        if (ranks_strokes or not scene.of_strokes) and (in_series or not scene.of_series)
    }


def _form(tournament: Tournament, kind: str, scene: SentScene, bound: SceneForm | None) -> SceneForm:
    """Return the form of a scene: the bound one, or one with the values sent last."""
    if bound is not None and bound.data.get("scene") == kind:
        return bound
    initial: dict[str, object] = {"scene": kind, "lowest_rank": lowest_rank_of(tournament, scene)}
    initial |= {name: getattr(scene, name) for name in ("text", "network", "password")}
    return _FORMS[kind](initial=initial, auto_id=f"{kind}_%s")


def _clock_form(clock: ClockRow) -> ClockForm:
    wait = clock.minutes_to_start(timezone.now()) or None
    initial = {"round": clock.round_number, "minutes": clock.minutes, "wait": wait}
    return ClockForm(initial=initial, auto_id="clock_%s")


def _picture_form(picture: ClubPicture) -> PictureForm:
    return PictureForm(initial={"on_wall": picture.on_wall, "caption": picture.caption}, auto_id="picture_%s")


def _screens(tournament: Tournament, *chosen: int) -> list[ScreenRow]:
    return screens_of(
        tournament, open_screens.of(tournament.slug), chosen=[n for n in chosen if n in SCREENS]
    )


def _listed(tournament: Tournament, screens: list[ScreenRow]) -> dict[str, Any]:
    """Return the context of the list. version: a digest of its content."""
    paired = paired_screens(tournament, open_screens.by_device(tournament.slug), at=timezone.now())
    content = (
        [(screen.number, screen.is_open, screen.scene.kind) for screen in screens],
        [(pairing.pk, shows) for pairing, shows in paired],
    )
    version = hashlib.sha256(repr(content).encode()).hexdigest()[:16]
    return {"tournament": tournament, "screens": screens, "paired": paired, "version": version}


def _number(asked: str) -> int:
    """Return the number of a screen; 0 if invalid."""
    return int(asked) if re.fullmatch("[0-9]", asked) else 0


def _numbers(request: StaffRequest, tournament: Tournament) -> list[int]:
    """Return the chosen screen, or else all screens listed by the form and those opened since."""
    if asked := request.POST.get("screen", ""):
        return [_number(asked)]
    listed = [_number(number) for number in request.POST.getlist("listed")]
    return [*listed, *(screen.number for screen in _screens(tournament))]


def _address(tournament: Tournament, asked: str) -> str:
    page = reverse("organiser:screens", args=[tournament.slug])
    return f"{page}?screen={asked}" if _number(asked) in SCREENS else page
