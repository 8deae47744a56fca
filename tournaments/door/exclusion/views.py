"""Views to exclude and readmit a player, from the person's page. Only for organisers."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournaments.access import organiser_view
from tournaments.forms import ExclusionForm, refusal_as_message
from tournaments.models import Participant, Tournament
from tournaments.requests import StaffRequest, signed
from tournaments.services import exclusion


@organiser_view("POST")
def exclude(request: StaffRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    form = ExclusionForm(request.POST, rules=tournament.rules)
    reason = form.cleaned_data["reason"] if form.is_valid() else request.POST.get("reason", "")
    said = _("%(name)s ist ausgeschlossen und steht nicht mehr in der Rangliste.")
    return _done(
        request,
        tournament,
        start_number,
        lambda: exclusion.exclude(tournament, start_number, reason=reason, **signed(request)),
        said,
    )


@organiser_view("POST")
def readmit(request: StaffRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    said = _("Der Ausschluss von %(name)s ist zurückgenommen.")
    return _done(
        request,
        tournament,
        start_number,
        lambda: exclusion.take_back_exclusion(tournament, start_number, **signed(request)),
        said,
    )


def _done(
    request: StaffRequest, tournament: Tournament, start_number: int, do: Callable[[], Participant], said: str
) -> HttpResponse:
    """Redirect to the person's page, with a message that says what was done or why it was refused."""
    with refusal_as_message(request):
        messages.success(request, said % {"name": do().name})
    return redirect("door:person", tournament.slug, start_number)
