"""Addresses of the program with mistakes, for the tests that have to find them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path

from schnauz_turnier.urls import urlpatterns as real
from scoring.models import Flag
from tests.factories import AT
from tournaments.access import account_view, organiser_view
from tournaments.models import Participant, Tournament
from tournaments.requests import StaffRequest


def bare(request: HttpRequest, slug: str) -> HttpResponse:
    """Show something without saying who may see it."""
    return HttpResponse("bare")


def unchecked(request: HttpRequest, slug: str) -> HttpResponse:
    """Say that it is for organisers, and check nothing."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(status=405)
    return HttpResponse(Tournament.objects.filter(slug=slug))


unchecked.__dict__.update(access="organiser", methods=("GET", "HEAD"))


def takes_put(request: HttpRequest, slug: str) -> HttpResponse:
    """Say that it is only read, and answer PUT as well."""
    return HttpResponse("read", status=200 if request.method in ("GET", "HEAD", "PUT") else 405)


takes_put.__dict__.update(access="public", methods=("GET", "HEAD"))


@account_view("GET")
def too_wide(request: StaffRequest, slug: str) -> HttpResponse:
    """Show a tournament to every account."""
    return HttpResponse(get_object_or_404(Tournament, slug=slug))


@organiser_view("POST")
def any_flag(request: StaffRequest, tournament: Tournament, flag: int) -> HttpResponse:
    """Close a flag of any tournament."""
    if not Flag.objects.filter(pk=flag).update(closed_at=AT, closed_by="x", closed_word="x"):
        raise Http404
    return redirect("start")


@organiser_view("POST")
def any_player(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Withdraw a player of any tournament."""
    Participant.objects.filter(start_number=request.POST.get("other", "")).update(withdrawn_at=AT)
    return redirect("start")


planted = [
    path("o/<slug:slug>/bare/", bare, name="bare"),
    path("o/<slug:slug>/unchecked/", unchecked, name="unchecked"),
    path("t/<slug:slug>/takes-put/", takes_put, name="takes_put"),
    path("o/<slug:slug>/too-wide/", too_wide, name="too_wide"),
    path("o/<slug:slug>/any-flag/<number:flag>/", any_flag, name="any_flag"),
    path("o/<slug:slug>/any-player/", any_player, name="any_player"),
]
urlpatterns = [*planted, *real]
