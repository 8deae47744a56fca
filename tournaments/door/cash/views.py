"""Views of the cash book."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from tournaments import requests
from tournaments.access import cashier_view
from tournaments.door.forms import DeskForm
from tournaments.door.page import ROWS_A_PAGE
from tournaments.models import Tournament
from tournaments.queries.ledger import ledger, unpaid
from tournaments.requests import StaffRequest


@cashier_view("POST")
def name_desk(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Set the name of the cash desk under which this browser's payments are booked."""
    form = DeskForm(request.POST)
    answer = redirect("door:cash", tournament.slug)
    if form.is_valid():
        requests.name_desk(answer, form.cleaned_data["desk"])
    else:
        messages.error(request, str(form.errors["desk"][0]))
    return answer


@never_cache
@cashier_view("GET")
def cash(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    found = ledger(tournament)
    desk = requests.desk_name(request)
    context = {
        "tournament": tournament,
        "section": "door",
        "ledger": found,
        "unpaid": unpaid(tournament),
        "page": Paginator(found.lines[::-1], ROWS_A_PAGE).get_page(request.GET.get("page", "1")[:6]),
        "desk_form": DeskForm(initial={"desk": desk}),
    }
    return render(request, "tournaments/door/cash.html", context)
