"""The draw before the hall: the words that were called out, the draw and its release in one step."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.organiser.rounds.forms import SealedForm
from scoring.organiser.rounds.page import check_round_number, render_round
from scoring.queries.ceremony import open_ceremony
from scoring.services import ceremonies
from scoring.text.refusals import message
from tournaments.access import organiser_view
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament
from tournaments.requests import StaffRequest, signed
from tournaments.services import rounds as seating


@organiser_view("POST")
def draw_sealed(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Make the draw that is sealed; before the hall, release it at once."""
    check_round_number(tournament, number)
    found = open_ceremony(tournament, number)
    form = SealedForm(request.POST, is_redraw=bool(found and found.is_redraw), auto_id="sealed_%s")
    if not form.is_valid():
        return render_round(request, tournament, number, {"sealed": form})
    try:
        ceremonies.draw_sealed(tournament, number, **form.cleaned_data, **signed(request))
    except Refusal as refusal:
        if refusal.code in form.field_of:
            form.refuse(refusal)
            return render_round(request, tournament, number, {"sealed": form})
        if refusal.code != "commitment_outdated":  # the page says that by itself
            messages.error(request, message(refusal))
        return redirect("organiser:round", tournament.slug, number)
    _show(request, tournament, number)
    return redirect("organiser:round", tournament.slug, number)


def _show(request: StaffRequest, tournament: Tournament, number: int) -> None:
    """Release the round, unless an earlier one is still in play. Its scribes are named afterwards, where the organiser does that."""
    try:
        reason = _("Vor dem Saal ausgelost; die Schreiber werden gleich benannt.")
        seating.release(tournament, number, reason=reason, at=timezone.now())
    except Refusal as refusal:
        messages.info(request, message(refusal))
    else:
        messages.success(
            request, _("Ausgelost und freigegeben. Die Leinwand zeigt die Auslosung Platz für Platz.")
        )
