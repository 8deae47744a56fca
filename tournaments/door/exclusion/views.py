"""Views to exclude and readmit a player, from the person's page. Only for organisers."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournaments.access import organiser_view
from tournaments.forms import ExclusionForm, refusal_as_message
from tournaments.models import Tournament
from tournaments.requests import StaffRequest, signed
from tournaments.services import exclusion


@organiser_view("POST")
def exclude(request: StaffRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    form = ExclusionForm(request.POST, rules=tournament.rules)
    reason = form.cleaned_data["reason"] if form.is_valid() else request.POST.get("reason", "")
    with refusal_as_message(request):
        person = exclusion.exclude(tournament, start_number, reason=reason, **signed(request))
        said = _("%(name)s ist ausgeschlossen und steht nicht mehr in der Rangliste.")
        messages.success(request, said % {"name": person.name})
    return redirect("door:person", tournament.slug, start_number)


@organiser_view("POST")
def readmit(request: StaffRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    with refusal_as_message(request):
        person = exclusion.take_back_exclusion(tournament, start_number, **signed(request))
        said = _("Der Ausschluss von %(name)s ist zurückgenommen.")
        messages.success(request, said % {"name": person.name})
    return redirect("door:person", tournament.slug, start_number)
