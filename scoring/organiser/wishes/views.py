from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scoring.organiser.rounds.forms import WishForm
from scoring.organiser.rounds.page import wishes_context
from scoring.queries.seats import players_called
from tournaments.access import organiser_view
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import FixedTable, KeepApart, Wish, wish_from_dict
from tournaments.models import Tournament
from tournaments.requests import StaffRequest
from tournaments.services.draw_settings import add_wish, remove_wish


@organiser_view("GET", "POST")
def wishes(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """GET shows the wishes, POST adds one; what is wrong with it stands at its field."""
    form = WishForm(request.POST if request.method == "POST" else None, auto_id="wish_%s")
    if form.is_valid():
        try:
            wish = _wish(tournament, form)
            if wish is not None:
                add_wish(tournament, wish)
                messages.success(request, _("Der Wunsch gilt für alle Auslosungen von jetzt an."))
                return redirect("organiser:wishes", tournament.slug)
        except Refusal as refusal:
            form.refuse(refusal)
    context = {"tournament": tournament, **wishes_context(tournament), "wish_form": form}
    return render(
        request, "scoring/organiser/wishes/wishes.html", context, status=422 if form.errors else 200
    )


@organiser_view("POST")
def remove(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    try:
        kind = request.POST.get("kind", "")
        names = {"keep_apart": ("a", "b"), "fixed_table": ("player", "table")}[kind]
        numbers = {name: int(request.POST.get(name, "")[:9]) for name in names}
    except (KeyError, ValueError):
        raise Http404 from None
    remove_wish(tournament, wish_from_dict({"kind": kind, **numbers}))
    messages.success(request, _("Der Wunsch ist herausgenommen."))
    return redirect("organiser:wishes", tournament.slug)


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
