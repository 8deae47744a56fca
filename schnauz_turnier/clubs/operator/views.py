"""The operator's pages. None of them shows people of a club."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from schnauz_turnier.clubs.incidents import KEPT_FOR, recent_incidents
from schnauz_turnier.clubs.listing import LONGEST_QUERY
from schnauz_turnier.clubs.maintenance import MOST, announce, announced, withdraw
from schnauz_turnier.clubs.operator.access import operator_view
from schnauz_turnier.clubs.operator.clubs import find_clubs
from schnauz_turnier.clubs.operator.forms import MaintenanceForm
from schnauz_turnier.clubs.operator.page import club_page
from schnauz_turnier.clubs.operator.words import KINDS_OF_INCIDENTS, STATES
from schnauz_turnier.clubs.registration import waiting_registrations
from tournaments.access import public_view
from tournaments.forms import form_page
from tournaments.requests import Request, StaffRequest, posted

INCIDENTS_A_PAGE = 100


@public_view("GET")
def home(_request: Request) -> HttpResponse:
    """Lead to the operator's pages, or by them to the log-in."""
    return redirect("operator:clubs")


@operator_view("GET")
def clubs(request: StaffRequest) -> HttpResponse:
    """Show the clubs, fifty a page, by name or slug and by state."""
    text = request.GET.get("q", "")[:LONGEST_QUERY].strip()
    state = request.GET.get("state", "")
    state = state if state in STATES else ""
    page = find_clubs(text, state=state, page=request.GET.get("page", "1")[:6])
    context = {
        "page": page,
        "waiting": len(waiting_registrations(at=timezone.now())),
        "text": text,
        "state": state,
        "states": STATES,
        "kept": f"{urlencode({'q': text, 'state': state})}&",
    }
    return render(request, "clubs/operator/clubs.html", context)


@operator_view("GET")
def club(request: StaffRequest, slug: str) -> HttpResponse:
    """Show a club: its state, figures and limits."""
    return club_page(request, slug)


@operator_view("GET", "POST")
def maintenance(request: StaffRequest) -> HttpResponse:
    """Announce maintenance, and show what is announced."""
    form = MaintenanceForm(posted(request))
    announcements = announced(timezone.now())
    if form.is_valid() and len(announcements) == MOST:
        told = _("Schon %(most)s Wartungen sind angekündigt. Bitte erst eine zurücknehmen.") % {"most": MOST}
        form.add_error(None, told)
    if form.is_valid():
        data = form.cleaned_data
        announce(data["begins_at"], data["ends_at"], german=data["german"], english=data["english"])
        messages.success(request, _("Die Wartung ist angekündigt."))
        return redirect("operator:maintenance")
    context = {"form": form, "announced": announcements}
    return form_page(request, "clubs/operator/maintenance.html", context, form)


@operator_view("POST")
def withdraw_maintenance(request: StaffRequest, maintenance_id: int) -> HttpResponse:
    withdraw(maintenance_id)
    messages.success(request, _("Die Ankündigung ist zurückgenommen."))
    return redirect("operator:maintenance")


@operator_view("GET")
def incidents(request: StaffRequest) -> HttpResponse:
    """Show what went wrong lately, latest first, of all clubs and kinds or of one."""
    club = request.GET.get("club", "").replace("\0", "").strip().lower()[:LONGEST_QUERY]
    kind = request.GET.get("kind", "")
    kind = kind if kind in KINDS_OF_INCIDENTS else ""
    recent = recent_incidents(club=club, kind=kind)
    page = Paginator(recent, INCIDENTS_A_PAGE).get_page(request.GET.get("page", "1")[:6])
    context = {
        "page": page,
        "lines": [(incident, KINDS_OF_INCIDENTS[incident.kind]) for incident in page],
        "club": club,
        "kind": kind,
        "kinds": KINDS_OF_INCIDENTS,
        "kept": f"{urlencode({'club': club, 'kind': kind})}&",
        "days": KEPT_FOR.days,
    }
    return render(request, "clubs/operator/incidents.html", context)
