"""What the organiser asks of the draws to come: who is kept apart, who has a fixed table, and why."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.forms import WishForm
from scoring.queries.seats import players_called
from tournaments.access import organiser_required
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import FixedTable, KeepApart, Wish, wish_from_dict
from tournaments.models import Tournament
from tournaments.queries.seating import names_of
from tournaments.services.draw_settings import add_wish, remove_wish


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_required()
def wishes(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET shows the wishes, POST adds one; what is wrong with it stands at its field."""
    form = WishForm(request.POST if request.method == "POST" else None, auto_id="wish_%s")
    if form.is_valid():
        try:
            wish = _wish(tournament, form)
            if wish is not None:
                add_wish(tournament, wish)
                messages.success(request, _("Der Wunsch gilt für alle Auslosungen von jetzt an."))
                return redirect("sheets:wishes", tournament.slug)
        except Refusal as refusal:
            form.refuse(refusal)
    context = {"tournament": tournament, **wishes_context(tournament), "wish_form": form}
    return render(request, "scoring/organiser/wishes.html", context, status=422 if form.errors else 200)


@require_POST
@organiser_required()
def remove(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    try:
        kind = request.POST.get("kind", "")
        names = {"keep_apart": ("a", "b"), "fixed_table": ("player", "table")}[kind]
        numbers = {name: int(request.POST.get(name, "")[:9]) for name in names}
    except (KeyError, ValueError):
        raise Http404 from None
    remove_wish(tournament, wish_from_dict({"kind": kind, **numbers}))
    messages.success(request, _("Der Wunsch ist herausgenommen."))
    return redirect("sheets:wishes", tournament.slug)


def wishes_context(tournament: Tournament) -> dict[str, Any]:
    return {
        "wishes": [wish_from_dict(wish) for wish in tournament.wishes],
        "names": names_of(tournament),
        "wish_form": WishForm(auto_id="wish_%s"),
    }


def _wish(tournament: Tournament, form: WishForm) -> Wish | None:
    """None where a name does not say who is meant; the form says so then."""
    player = _player(tournament, form, "player")
    reason = form.cleaned_data["reason"]
    if form.cleaned_data["table"]:
        return FixedTable(player, form.cleaned_data["table"], reason) if player else None
    other = _player(tournament, form, "other")
    return KeepApart(player, other, reason) if player and other else None


def _player(tournament: Tournament, form: WishForm, field: str) -> int | None:
    words = form.cleaned_data[field]
    people = players_called(tournament, words)
    if len(people) == 1:
        return people[0]
    if people:
        numbers = ", ".join(map(str, people))
        form.add_error(
            field,
            _("Den Namen gibt es öfter. Bitte die Teiln.-Nr. eintragen: %(numbers)s.") % {"numbers": numbers},
        )
    else:
        form.add_error(
            field,
            _("„%(words)s“ steht nicht auf der Liste. Bitte die Teiln.-Nr. eintragen.") % {"words": words},
        )
    return None
