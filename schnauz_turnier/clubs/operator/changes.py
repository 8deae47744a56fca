"""Changes of a club by the operator: closed, open again, to be deleted, kept, its limits."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from schnauz_turnier.clubs.catalogue import ClubRefusal, State
from schnauz_turnier.clubs.changes import archive_club, open_club
from schnauz_turnier.clubs.ending import GRACE, end_club, keep_club
from schnauz_turnier.clubs.listing import set_listed
from schnauz_turnier.clubs.operator.access import operator_view
from schnauz_turnier.clubs.operator.clubs import ClubRow, club_row
from schnauz_turnier.clubs.operator.forms import LimitsForm
from schnauz_turnier.clubs.operator.page import club_page
from schnauz_turnier.clubs.quotas import set_quotas
from tournaments.models import EventKind
from tournaments.requests import StaffRequest
from tournaments.security_log import record


@operator_view("POST")
def archive(request: StaffRequest, slug: str) -> HttpResponse:
    done = _("Der Verein ist geschlossen.")
    return _change(request, slug, archive_club, lambda row: row.state == State.ARCHIVED, done)


@operator_view("POST")
def open_again(request: StaffRequest, slug: str) -> HttpResponse:
    return _change(request, slug, open_club, _is_open, _("Der Verein ist wieder offen."))


@operator_view("POST")
def end(request: StaffRequest, slug: str) -> HttpResponse:
    """Close a club, to be deleted after a time of grace."""
    done = _("Der Verein ist geschlossen und wird in %(days)s Tagen gelöscht.") % {"days": GRACE.days}
    change = partial(end_club, at=timezone.now())
    return _change(request, slug, change, lambda row: row.ends_at is not None, done)


@operator_view("POST")
def keep(request: StaffRequest, slug: str) -> HttpResponse:
    """Keep a club that was to be deleted."""
    return _change(request, slug, keep_club, _is_open, _("Der Verein bleibt und ist wieder offen."))


@operator_view("POST")
def limits(request: StaffRequest, slug: str) -> HttpResponse:
    form = LimitsForm(request.POST)
    if not form.is_valid():
        return club_page(request, slug, form)
    data = form.cleaned_data
    set_quotas(slug, tournaments=data["tournaments"], people=data["people"], megabytes=data["megabytes"])
    set_listed(slug, is_listed=data["is_listed"])
    record(EventKind.CLUB_CHANGED, request, about=f"{slug} limits")
    messages.success(request, _("Gespeichert."))
    return redirect("operator:club", slug)


def _is_open(row: ClubRow) -> bool:
    return row.state == State.OPEN


def _change(
    request: StaffRequest,
    slug: str,
    change: Callable[[str], object],
    is_reached: Callable[[ClubRow], bool],
    done: str,
) -> HttpResponse:
    """Change the state of a club, and lead back to it. A form that is sent again finds the state reached, and says the same."""
    try:
        change(slug)
        record(EventKind.CLUB_CHANGED, request, about=request.path)
    except ClubRefusal:
        if not is_reached(club_row(slug)):
            messages.error(
                request,
                _("Das geht gerade nicht: Der Verein hat jetzt einen anderen Zustand. Er steht unten."),
            )
            return redirect("operator:club", slug)
    messages.success(request, done)
    return redirect("operator:club", slug)
