"""The organiser's views that end a tournament early, resume it, or delete it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scoring.forms import ReasonForm, refusal_as_message
from scoring.organiser.dashboard.forms import DeleteForm
from scoring.queries.dashboard import dashboard_of
from scoring.services import purge
from scoring.services import rounds as scored_rounds
from tournaments.access import organiser_view
from tournaments.forms import form_page
from tournaments.models import EventKind, Tournament
from tournaments.queries.accounts import organises_another
from tournaments.requests import StaffRequest, posted, signed
from tournaments.security_log import record
from tournaments.services import ending


@organiser_view("GET", "POST")
def end(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Ask for the reason on GET, end the tournament on POST. While a round is in play, say what to do first."""
    form = ReasonForm(posted(request))
    if form.is_valid():
        with form.refusal_at_field():
            ending.end_tournament(tournament, reason=form.cleaned_data["reason"], **signed(request))
            messages.success(request, _("Das Turnier ist beendet. Was abgeschlossen ist, ist der Endstand."))
            return redirect("organiser:overview", tournament.slug)
    context = {"tournament": tournament, "dashboard": dashboard_of(tournament), "form": form}
    return form_page(request, "scoring/organiser/dashboard/end.html", context, form)


@organiser_view("POST")
def resume(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    with refusal_as_message(request, messages.INFO):
        ending.resume_tournament(tournament)
        messages.success(request, _("Das Turnier geht weiter. Der Stand ist wieder ein Zwischenstand."))
    return redirect("organiser:overview", tournament.slug)


@organiser_view("POST")
def take_back_release(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    with refusal_as_message(request):
        scored_rounds.take_back_release(tournament, number)
        said = _(
            "Die Freigabe der Spielrunde %(number)s ist zurückgenommen. Die Codes auf den Tischen gelten nicht mehr."
        )
        messages.success(request, said % {"number": number})
    return redirect("organiser:end", tournament.slug)


@organiser_view("GET", "POST")
def delete(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Ask for the tournament's name on GET, delete the tournament on POST."""
    form = DeleteForm(posted(request))
    if form.is_valid():
        with form.refusal_at_field():
            purge.delete_tournament(tournament, typed=form.cleaned_data["name"])
            record(EventKind.PURGED, request, about=tournament.slug)
            messages.success(request, _("„%(name)s“ ist gelöscht.") % {"name": tournament.name})
            return redirect("organiser:home")
    is_last = not organises_another(request.user, tournament)
    context = {"tournament": tournament, "section": "settings", "form": form, "is_last": is_last}
    return form_page(request, "scoring/organiser/dashboard/delete.html", context, form)
