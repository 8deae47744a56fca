"""Views of the cash book, of part payments and of a change of the kind of fee."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.access import cashier_view
from tournaments.door.forms import PartForm
from tournaments.door.page import ROWS_A_PAGE
from tournaments.forms import refusal_as_message, refuse
from tournaments.models import Tournament
from tournaments.queries.ledger import ledger, unpaid
from tournaments.requests import StaffRequest, booked, signed
from tournaments.services import door as services
from tournaments.text.money import euros


@never_cache
@cashier_view("GET", of_cash=True)
def cash(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    cash_book = ledger(tournament)
    context = {
        "tournament": tournament,
        "ledger": cash_book,
        "unpaid": unpaid(tournament),
        "page": Paginator(cash_book.lines[::-1], ROWS_A_PAGE).get_page(request.GET.get("page", "1")[:6]),
    }
    return render(request, "tournaments/door/cash.html", context)


@cashier_view("POST", of_cash=True)
def pay_part(request: StaffRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    """Book a part of a player's fee."""
    form = PartForm(request.POST)
    if not form.is_valid():
        refuse(request, str(form.errors["cents"][0]))
        return redirect("door:person", tournament.slug, start_number)
    with refusal_as_message(request):
        cents = form.cleaned_data["cents"]
        services.take_fee(tournament, start_number, cents=cents, **booked(request))
        messages.success(request, _("%(fee)s kassiert") % {"fee": euros(cents)})
    return redirect("door:person", tournament.slug, start_number)


@cashier_view("POST")
def choose_fee(request: StaffRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    """Change a player's kind of fee."""
    with refusal_as_message(request):
        services.choose_fee(tournament, start_number, fee=request.POST.get("fee", ""), **signed(request))
        messages.success(request, _("Der Beitrag ist geändert."))
    return redirect("door:person", tournament.slug, start_number)
