"""The organiser's views that end a tournament early, resume it, or delete it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scoring.forms import ReasonForm
from scoring.organiser.dashboard.forms import DeleteForm
from scoring.queries.dashboard import dashboard_of
from scoring.services import purge
from scoring.services import rounds as scored_rounds
from scoring.text.refusals import message
from tournaments.access import organiser_view
from tournaments.core.refusal import Refusal
from tournaments.models import EventKind, Tournament
from tournaments.queries.accounts import organises_another
from tournaments.requests import StaffRequest, signed
from tournaments.security_log import record
from tournaments.services import ending


@organiser_view("GET", "POST")
def end(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Ask for the reason on GET, end the tournament on POST. While a round is in play, say what to do first."""
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            ending.end_tournament(tournament, reason=form.cleaned_data["reason"], **signed(request))
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, _("Das Turnier ist beendet. Was abgeschlossen ist, ist der Endstand."))
            return redirect("organiser:overview", tournament.slug)
    context = {"tournament": tournament, "dashboard": dashboard_of(tournament), "form": form}
    return render(
        request, "scoring/organiser/dashboard/end.html", context, status=422 if form.errors else 200
    )


@organiser_view("POST")
def resume(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    try:
        ending.resume_tournament(tournament)
    except Refusal as refusal:
        messages.info(request, message(refusal))
    else:
        messages.success(request, _("Das Turnier geht weiter. Der Stand ist wieder ein Zwischenstand."))
    return redirect("organiser:overview", tournament.slug)


@organiser_view("POST")
def take_back_release(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    try:
        scored_rounds.take_back_release(tournament, number)
    except Refusal as refusal:
        messages.error(request, message(refusal))
    else:
        said = _(
            "Die Freigabe der Spielrunde %(number)s ist zurückgenommen. Die Codes auf den Tischen gelten nicht mehr."
        )
        messages.success(request, said % {"number": number})
    return redirect("organiser:end", tournament.slug)


@organiser_view("GET", "POST")
def delete(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Ask for the tournament's name on GET, delete the tournament on POST."""
    form = DeleteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            purge.delete_tournament(tournament, typed=form.cleaned_data["name"])
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            record(EventKind.PURGED, request, about=tournament.slug)
            messages.success(request, _("„%(name)s“ ist gelöscht.") % {"name": tournament.name})
            return redirect("organiser:home")
    is_last = not organises_another(request.user, tournament)
    context = {"tournament": tournament, "section": "settings", "form": form, "is_last": is_last}
    return render(
        request, "scoring/organiser/dashboard/delete.html", context, status=422 if form.errors else 200
    )
