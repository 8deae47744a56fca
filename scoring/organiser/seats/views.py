"""Views of seat changes after the draw, of substitutes, and of the scribes of the tables."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scoring.forms import refusal_as_message
from scoring.organiser.seats.forms import JoinForm, LeaveForm, ScribesForm, SubstituteForm, TakeBackForm
from scoring.organiser.tables import changeable_round_or_404
from scoring.queries.seats import Person, leaving, people_meant, seats_for, waiting_for_a_seat
from scoring.queries.substitutes import leaver
from scoring.services import seats
from scoring.text.refusals import message
from tournaments.access import organiser_view
from tournaments.forms import form_page, refuse
from tournaments.models import Tournament
from tournaments.queries.seating import RoundRow, round_with_seating
from tournaments.requests import StaffRequest, booked, posted, signed
from tournaments.services.rounds import name_scribe


@organiser_view("GET")
def find_seat(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """List the people who match the search; redirect to the page of a single match."""
    row = changeable_round_or_404(tournament, number)
    words = request.GET.get("who", "").strip()[:80]
    people = people_meant(tournament, row, words) if words else waiting_for_a_seat(tournament, row)
    if words and len(people) == 1:
        return redirect("organiser:seat", tournament.slug, number, people[0].start_number)
    context = {"tournament": tournament, "round": row, "words": words, "people": people}
    return render(request, "scoring/organiser/seats/find_seat.html", context)


@organiser_view("GET")
def seat(request: StaffRequest, tournament: Tournament, number: int, start_number: int) -> HttpResponse:
    """Show the seats that a latecomer could take, or the effects of a player's absence; writes nothing."""
    return _seat_page(request, tournament, number, start_number)


@organiser_view("POST")
def join(request: StaffRequest, tournament: Tournament, number: int, start_number: int) -> HttpResponse:
    form = JoinForm(request.POST)
    person = _person(tournament, changeable_round_or_404(tournament, number), start_number)
    if form.is_valid():
        with form.refusal_at_field():
            seats.take_seat(tournament, number, player=start_number, **form.cleaned_data, **signed(request))
            where = {"name": person.name, "table": form.cleaned_data["table"]}
            messages.success(request, _("%(name)s sitzt jetzt an Tisch %(table)s.") % where)
            return redirect("organiser:round", tournament.slug, number)
    return _seat_page(request, tournament, number, start_number, form)


@organiser_view("POST")
def leave(request: StaffRequest, tournament: Tournament, number: int, start_number: int) -> HttpResponse:
    form = LeaveForm(request.POST)
    person = _person(tournament, changeable_round_or_404(tournament, number), start_number)
    if form.is_valid():
        with form.refusal_at_field():
            seats.leave_seat(tournament, number, player=start_number, **form.cleaned_data, **signed(request))
            messages.success(request, _("%(name)s ist vom Tisch genommen.") % {"name": person.name})
            return redirect("organiser:round", tournament.slug, number)
    return _seat_page(request, tournament, number, start_number, form)


@organiser_view("POST")
def take_back(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    form = TakeBackForm(request.POST)
    if not form.is_valid():
        refuse(request, _("Bitte in ein paar Worten sagen, warum."))
        return redirect("organiser:round", tournament.slug, number)
    with refusal_as_message(request):
        seats.take_back(tournament, number, **form.cleaned_data, **signed(request))
        messages.success(request, _("Zurückgenommen. Beides bleibt festgehalten."))
    return redirect("organiser:round", tournament.slug, number)


def _seat_page(
    request: StaffRequest,
    tournament: Tournament,
    number: int,
    start_number: int,
    form: forms.Form | None = None,
) -> HttpResponse:
    round_row = changeable_round_or_404(tournament, number)
    person = _person(tournament, round_row, start_number)
    context: dict[str, Any] = {
        "tournament": tournament,
        "round": round_row,
        "person": person,
        "names": {seat.start_number: seat.name for seat in round_row.seats},
    }
    if person.seat is None:
        context["seats"] = seats_for(tournament, round_row, start_number)
        context["form"] = form or JoinForm(initial={"reason": _("kam nach der Auslosung")})
    else:
        proposal = leaving(tournament, round_row, person.seat)
        context["leaving"] = proposal
        context["refused"] = message(proposal.refusal) if proposal.refusal else ""
        context["form"] = form or LeaveForm(initial={"reason": _("nicht erschienen")})
        context["moves"] = LeaveForm.written(proposal.moves)
    return render(request, "scoring/organiser/seats/seat.html", context, status=422 if form else 200)


def _person(tournament: Tournament, round_row: RoundRow, start_number: int) -> Person:
    people = people_meant(tournament, round_row, str(start_number))
    if not people:
        raise Http404
    return people[0]


@organiser_view("GET", "POST")
def substitute(request: StaffRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    """Show the leaver's seats and ask for a substitute on GET, seat the substitute on POST."""
    leaving_player = leaver(tournament, start_number)
    if leaving_player is None or not tournament.rules.drawn_ahead:
        raise Http404
    form = SubstituteForm(
        posted(request),
        candidates=leaving_player.candidates,
        fee=tournament.fee_kinds[0].cents,
    )
    if form.is_valid():
        with form.refusal_at_field():
            coming = seats.substitute(
                tournament,
                start_number,
                form.by_whom,
                reason=form.cleaned_data["reason"],
                paid=form.cleaned_data.get("paid", False),
                others=form.cleaned_data["others"],
                **booked(request),
            )
            said = _("%(new)s (Nr. %(number)s) spielt für %(old)s weiter.")
            names = {"new": coming.name, "number": coming.start_number, "old": leaving_player.name}
            messages.success(request, said % names)
            return redirect("door:person", tournament.slug, coming.start_number)
    context = {"tournament": tournament, "section": "door", "leaving": leaving_player, "form": form}
    return form_page(request, "scoring/organiser/seats/substitute.html", context, form)


@organiser_view("GET", "POST")
def scribes(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show one choice for each table on GET; name the scribes on POST."""
    round_row = _round_to_name_in(tournament, number)
    organiser_names = tournament.rules.scribe == "organiser"
    default = _("noch niemand") if organiser_names else _("Platz 1, wie ausgelost")
    form = ScribesForm(posted(request), round_row=round_row, default=default, auto_id="scribe_%s")
    if form.is_valid():
        with refusal_as_message(request):
            with transaction.atomic():
                for table, seat in form.chosen.items():
                    name_scribe(tournament, number, table, seat, **signed(request))
            messages.success(request, _("Gespeichert, wer an welchem Tisch schreibt."))
        return redirect("organiser:round", tournament.slug, number)
    context = {"tournament": tournament, "number": number, "round": round_row, "form": form}
    return form_page(request, "scoring/organiser/seats/scribes.html", context, form)


def _round_to_name_in(tournament: Tournament, number: int) -> RoundRow:
    may_name = 1 <= number <= tournament.rules.most_rounds and tournament.rules.names_scribes
    round_row = round_with_seating(tournament, number) if may_name else None
    if round_row is None or round_row.is_closed:
        raise Http404
    return round_row
