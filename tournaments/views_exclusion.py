"""Excluding a player, and taking it back: the organiser's alone, from the page of the person."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.access import organiser_required
from tournaments.core.refusal import Refusal
from tournaments.models import Participant, Tournament
from tournaments.services import door
from tournaments.wording import word


@require_POST
@organiser_required()
def exclude(request: HttpRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    reason = request.POST.get("reason", "")
    said = _("%(name)s ist ausgeschlossen und steht nicht mehr in der Rangliste.")
    return _done(
        request,
        tournament,
        start_number,
        lambda: door.exclude(tournament, start_number, reason=reason, at=timezone.now()),
        said,
    )


@require_POST
@organiser_required()
def readmit(request: HttpRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    said = _("Der Ausschluss von %(name)s ist zurückgenommen.")
    return _done(
        request, tournament, start_number, lambda: door.take_back_exclusion(tournament, start_number), said
    )


def _done(
    request: HttpRequest, tournament: Tournament, start_number: int, do: Callable[[], Participant], said: str
) -> HttpResponse:
    """Back to the person, with what was done or why not."""
    try:
        messages.success(request, said % {"name": do().name})
    except Refusal as refusal:
        messages.error(request, word(refusal))
    return redirect("organiser:person", tournament.slug, start_number)
