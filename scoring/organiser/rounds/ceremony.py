"""The draw before the hall: the words that were called out, the draw and its release in one step."""

from django.contrib import messages
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.forms import refusal_as_message
from scoring.organiser.rounds.forms import SealedForm
from scoring.organiser.rounds.page import check_round_number, refusal_in_round, round_again
from scoring.queries.ceremony import open_ceremony
from scoring.services import ceremonies
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
    if form.is_valid():
        try:
            ceremonies.draw_sealed(tournament, number, **form.cleaned_data, **signed(request))
        except Refusal as refusal:
            if refusal.code != "commitment_outdated":  # the page says that by itself
                refusal_in_round(request, form).show(refusal)
        else:
            _show(request, tournament, number)
    return round_again(request, tournament, number, "sealed", form)


def _show(request: StaffRequest, tournament: Tournament, number: int) -> None:
    """Release the round, unless an earlier one is still in play. Its scribes are named afterwards, where the organiser does that."""
    with refusal_as_message(request, messages.INFO):
        reason = _("Vor dem Saal ausgelost; die Schreiber werden gleich benannt.")
        seating.release(tournament, number, reason=reason, at=timezone.now())
        messages.success(
            request, _("Ausgelost und freigegeben. Die Leinwand zeigt die Auslosung Platz für Platz.")
        )
