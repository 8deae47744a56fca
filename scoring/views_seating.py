"""Who comes late, who is not there, what a swap costs, and taking back: seats of a drawn round by hand."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.forms import JoinForm, LeaveForm, TakeBackForm
from scoring.queries.seats import Person, cost_of_moves, leaving, people_meant, seats_for, waiting_for_a_seat
from scoring.services import seats
from scoring.wording import word
from tournaments.access import organiser_required
from tournaments.core.draw import Swap
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament
from tournaments.queries.seating import RoundRow, round_with_seating


@require_safe
@organiser_required()
def find_seat(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Whom does the organiser mean? One person leads to his page."""
    found = _round(tournament, number)
    words = request.GET.get("who", "").strip()[:80]
    people = people_meant(tournament, found, words) if words else waiting_for_a_seat(tournament, found)
    if words and len(people) == 1:
        return redirect("sheets:seat", tournament.slug, number, people[0].start_number)
    context = {"tournament": tournament, "round": found, "words": words, "people": people}
    return render(request, "scoring/organiser/find_seat.html", context)


@require_safe
@organiser_required()
def seat(request: HttpRequest, tournament: Tournament, number: int, start_number: int) -> HttpResponse:
    """Where he could sit, or what happens when he does not play: shown before anything is done."""
    return _seat_page(request, tournament, number, start_number)


@require_POST
@organiser_required()
def join(request: HttpRequest, tournament: Tournament, number: int, start_number: int) -> HttpResponse:
    form = JoinForm(request.POST)
    person = _person(tournament, _round(tournament, number), start_number)
    if not form.is_valid():
        return _seat_page(request, tournament, number, start_number, form)
    try:
        table = form.cleaned_data["table"]
        reason = form.cleaned_data["reason"]
        seats.take_seat(tournament, number, player=start_number, table=table, reason=reason, **_by(request))
    except Refusal as refusal:
        form.refuse(refusal)
        return _seat_page(request, tournament, number, start_number, form)
    messages.success(
        request, _("%(name)s sitzt jetzt an Tisch %(table)s.") % {"name": person.name, "table": table}
    )
    return redirect("sheets:round", tournament.slug, number)


@require_POST
@organiser_required()
def leave(request: HttpRequest, tournament: Tournament, number: int, start_number: int) -> HttpResponse:
    form = LeaveForm(request.POST)
    person = _person(tournament, _round(tournament, number), start_number)
    if not form.is_valid():
        return _seat_page(request, tournament, number, start_number, form)
    try:
        moves = form.cleaned_data["moves"]
        reason = form.cleaned_data["reason"]
        seats.leave_seat(tournament, number, player=start_number, moves=moves, reason=reason, **_by(request))
    except Refusal as refusal:
        form.refuse(refusal)
        return _seat_page(request, tournament, number, start_number, form)
    messages.success(request, _("%(name)s ist vom Tisch genommen.") % {"name": person.name})
    return redirect("sheets:round", tournament.slug, number)


@require_POST
@organiser_required()
def take_back(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    form = TakeBackForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Bitte in ein paar Worten sagen, warum."))
        return redirect("sheets:round", tournament.slug, number)
    try:
        seats.take_back(tournament, number, **form.cleaned_data, **_by(request))
    except Refusal as refusal:
        messages.error(request, word(refusal))
    else:
        messages.success(request, _("Zurückgenommen. Beides bleibt festgehalten."))
    return redirect("sheets:round", tournament.slug, number)


@require_safe
@organiser_required()
def swap_cost(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """What the swap of the two who are ticked would cost; nothing to say of one or three."""
    found = _round(tournament, number)
    context = cost_context(tournament, found, request.GET.getlist("player"))
    return render(request, "scoring/organiser/_cost.html", context)


def cost_context(tournament: Tournament, found: RoundRow, ticked: list[str]) -> dict[str, Any]:
    """cost: None where not exactly two of this round are ticked."""
    players = [int(text) for text in ticked if text.isascii() and text.isdigit() and len(text) < 10]
    if len(players) != 2:
        return {"cost": None}
    try:
        cost = cost_of_moves(tournament, found, [Swap(players[0], players[1])])
    except Refusal:
        return {"cost": None}
    return {"cost": cost, "names": {seat.start_number: seat.name for seat in found.seats}}


def _seat_page(
    request: HttpRequest,
    tournament: Tournament,
    number: int,
    start_number: int,
    form: forms.Form | None = None,
) -> HttpResponse:
    found = _round(tournament, number)
    person = _person(tournament, found, start_number)
    context: dict[str, Any] = {
        "tournament": tournament,
        "round": found,
        "person": person,
        "names": {seat.start_number: seat.name for seat in found.seats},
    }
    if person.seat is None:
        context["seats"] = seats_for(tournament, found, start_number)
        context["form"] = form or JoinForm(initial={"reason": _("kam nach der Auslosung")})
    else:
        proposal = leaving(tournament, found, person.seat)
        context["leaving"] = proposal
        context["refused"] = word(proposal.refusal) if proposal.refusal else ""
        context["form"] = form or LeaveForm(initial={"reason": _("nicht erschienen")})
        context["moves"] = LeaveForm.written(proposal.moves)
    return render(request, "scoring/organiser/seat.html", context, status=422 if form else 200)


def _round(tournament: Tournament, number: int) -> RoundRow:
    """A round whose seats may change: drawn, on record, and not closed."""
    found = round_with_seating(tournament, number) if number <= tournament.rules.most_rounds else None
    if found is None or found.is_closed or found.attempt is None:
        raise Http404
    return found


def _person(tournament: Tournament, found: RoundRow, start_number: int) -> Person:
    people = people_meant(tournament, found, str(start_number))
    if not people:
        raise Http404
    return people[0]


def _by(request: HttpRequest) -> dict[str, Any]:
    return {"by": request.user.get_username(), "at": timezone.now()}
