"""Who takes the seat of somebody who leaves, and who writes at which table."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.forms import ScribesForm, SubstituteForm
from scoring.queries.substitutes import leaving
from scoring.services import seats
from scoring.wording import word
from tournaments.access import organiser_required
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament
from tournaments.queries.seating import RoundRow, round_with_seating
from tournaments.services.rounds import name_scribe


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_required()
def substitute(request: HttpRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    """GET shows his seats and asks who comes, POST puts somebody in."""
    found = leaving(tournament, start_number)
    if found is None or not tournament.rules.drawn_ahead:
        raise Http404
    form = SubstituteForm(
        request.POST if request.method == "POST" else None,
        candidates=found.candidates,
        fee=tournament.rules.entry_fee_cents,
    )
    if form.is_valid():
        try:
            coming = seats.substitute(
                tournament,
                start_number,
                form.by_whom,
                reason=form.cleaned_data["reason"],
                paid=form.cleaned_data.get("paid", False),
                desk=request.session.get("desk", ""),
                **_by(request),
            )
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            said = _("%(new)s (Nr. %(number)s) spielt für %(old)s weiter.")
            names = {"new": coming.name, "number": coming.start_number, "old": found.name}
            messages.success(request, said % names)
            return redirect("organiser:person", tournament.slug, coming.start_number)
    context = {"tournament": tournament, "section": "door", "leaving": found, "form": form}
    status = 422 if form.errors else 200
    return render(request, "scoring/organiser/substitute.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_required()
def scribes(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """One choice a table; POST names those that have changed."""
    found = _round_to_name_in(tournament, number)
    organiser_names = tournament.rules.scribe == "organiser"
    default = _("noch niemand") if organiser_names else _("Platz 1, wie ausgelost")
    form = ScribesForm(
        request.POST if request.method == "POST" else None, found=found, default=default, auto_id="scribe_%s"
    )
    if form.is_valid():
        try:
            with transaction.atomic():
                for table, seat in form.chosen.items():
                    name_scribe(tournament, number, table, seat, **_by(request))
        except Refusal as refusal:
            messages.error(request, word(refusal))
        else:
            messages.success(request, _("Gespeichert, wer an welchem Tisch schreibt."))
        return redirect("sheets:round", tournament.slug, number)
    context = {"tournament": tournament, "number": number, "round": found, "form": form}
    status = 422 if form.errors else 200
    return render(request, "scoring/organiser/scribes.html", context, status=status)


def _round_to_name_in(tournament: Tournament, number: int) -> RoundRow:
    known = 1 <= number <= tournament.rules.most_rounds and tournament.rules.names_scribes
    found = round_with_seating(tournament, number) if known else None
    if found is None or found.is_closed:
        raise Http404
    return found


def _by(request: HttpRequest) -> dict[str, Any]:
    return {"by": request.user.get_username(), "at": timezone.now()}
