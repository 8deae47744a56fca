"""Views of the cash book, of part payments and of a change of the kind of fee."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments import requests
from tournaments.access import cashier_view
from tournaments.door.forms import DeskForm, PartForm
from tournaments.door.page import ROWS_A_PAGE
from tournaments.forms import refusal_as_message, refuse
from tournaments.models import CashEntry, Tournament
from tournaments.once import mark_unchanged
from tournaments.queries.desks import desk_rows
from tournaments.queries.ledger import ledger, unpaid
from tournaments.requests import StaffRequest, booked, signed
from tournaments.services import door as services
from tournaments.services.desks import enter_cash, set_up_desk, take_along
from tournaments.text.money import euros, word_desk


@cashier_view("POST")
def name_desk(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Choose the cash desk under which this browser's payments are booked, and set it up, with its float.

    Money that was taken without a name is asked about; `with_money` is the answer.
    """
    answer = redirect(requests.next_path(request) or reverse("door:desks", args=[tournament.slug]))
    form = DeskForm(request.POST)
    if not form.is_valid():
        refuse(request, str(next(iter(form.errors.values()))[0]))
        return answer
    name, with_money = form.cleaned_data["desk"], request.POST.get("with_money")
    left = _left_without_name(request, tournament) if name and with_money is None else 0
    if left:
        mark_unchanged(request)
        context = {
            "tournament": tournament,
            "section": "door",
            "left_cents": left,
            "desk": name,
            "float": request.POST.get("float", ""),
            "next": requests.next_path(request),
        }
        return render(request, "tournaments/door/take_along.html", context)
    with refusal_as_message(request):
        if name:
            name = _set_up(
                request, tournament, name, form.cleaned_data["float"], with_money=with_money == "yes"
            )
        requests.name_desk(answer, name)
        messages.success(
            request, _("An diesem Gerät wird jetzt auf „%(desk)s“ gebucht.") % {"desk": word_desk(name)}
        )
    return answer


def _left_without_name(request: StaffRequest, tournament: Tournament) -> int:
    """Return the cents that are in the open desk without a name, where this device books; else 0."""
    if requests.desk_name(request):
        return 0
    rows = (row for row in desk_rows(tournament) if not (row.name or row.is_closed or row.is_in_advance))
    return max(0, sum(row.expected_cents for row in rows))


def _set_up(
    request: StaffRequest, tournament: Tournament, name: str, float_cents: int | None, *, with_money: bool
) -> str:
    """Set up a desk; return its name as it is spelled already, if it exists."""
    if with_money:
        desk = take_along(tournament, name, reason=_("Mitgenommen"), **signed(request))
    else:
        desk = set_up_desk(tournament, name)
    if float_cents:
        enter_cash(tournament, desk.number, CashEntry.CashKind.FLOAT, cents=float_cents, **signed(request))
    return desk.name


@never_cache
@cashier_view("GET")
def cash(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    cash_book = ledger(tournament)
    context = {
        "tournament": tournament,
        "section": "door",
        "ledger": cash_book,
        "unpaid": unpaid(tournament),
        "page": Paginator(cash_book.lines[::-1], ROWS_A_PAGE).get_page(request.GET.get("page", "1")[:6]),
    }
    return render(request, "tournaments/door/cash.html", context)


@cashier_view("POST")
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
