"""Clubs that have registered and wait."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from schnauz_turnier.clubs.catalogue import ClubRefusal
from schnauz_turnier.clubs.operator.access import operator_view
from schnauz_turnier.clubs.registration import (
    LINK_LASTS,
    confirm_registration,
    refuse_registration,
    waiting_registrations,
)
from tournaments.links import qr_code
from tournaments.models import EventKind
from tournaments.requests import StaffRequest
from tournaments.security_log import record


@never_cache
@operator_view("GET")
def registrations(request: StaffRequest) -> HttpResponse:
    return _page(request)


@never_cache
@operator_view("POST")
def confirm(request: StaffRequest, slug: str) -> HttpResponse:
    """Make the link for a registration and show it, this once. Sent again, the form makes another one; only the last is valid."""
    try:
        link = confirm_registration(slug, at=timezone.now())
    except ClubRefusal:
        messages.error(request, _("Diese Anmeldung wartet nicht mehr."))
        return redirect("operator:registrations")
    record(EventKind.CLUB_CHANGED, request, about=request.path)
    hours = LINK_LASTS.total_seconds() // 3600
    return _page(
        request, link=link, code=link.partition("#")[2], qr=qr_code(link), slug=slug, hours=int(hours)
    )


@operator_view("POST")
def refuse(request: StaffRequest, slug: str) -> HttpResponse:
    try:
        refuse_registration(slug)
        record(EventKind.CLUB_CHANGED, request, about=request.path)
        messages.success(request, _("Die Anmeldung ist abgelehnt, ihre Adresse ist wieder frei."))
    except ClubRefusal:
        messages.error(request, _("Diese Anmeldung wartet nicht mehr."))
    return redirect("operator:registrations")


def _page(request: StaffRequest, **link: Any) -> HttpResponse:
    context = {"waiting": waiting_registrations(at=timezone.now()), **link}
    return render(request, "clubs/operator/registrations.html", context)
