"""Views of seat changes after the draw, of substitutes, and of the scribes of the tables."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.forms import ReasonField, RefusableForm, refusal_as_message
from scoring.organiser.tables import changeable_round_or_404, round_or_404
from scoring.queries.seats import Person, leaving, people_meant, seats_for, waiting_for_a_seat
from scoring.queries.substitutes import leaver
from scoring.services import seats
from scoring.text.refusals import message
from tournaments.access import organiser_view
from tournaments.core.draw import Moved
from tournaments.core.refusal import Refusal
from tournaments.forms import OtherPlayersField, form_page, refuse
from tournaments.models import Tournament
from tournaments.queries.seating import RoundRow, TableRow
from tournaments.requests import StaffRequest, booked, posted, signed
from tournaments.services.door import Newcomer
from tournaments.services.rounds import name_scribe


class SubstituteForm(RefusableForm):
    """The substitute for a player who leaves: a registered player, or a newcomer.

    others: start numbers of the namesakes that the organiser was asked about.
    """

    field_of = {
        **RefusableForm.field_of,
        **dict.fromkeys(
            ("name_empty", "name_too_long", "name_bad_characters", "name_is_number", "same_name"), "name"
        ),
        **dict.fromkeys(("is_withdrawn", "is_excluded", "already_at_a_table", "unknown_participant"), "who"),
    }

    who = forms.TypedChoiceField(
        label=gettext_lazy("Wer kommt für ihn?"), coerce=int, empty_value=None, required=False
    )
    name = forms.CharField(label=gettext_lazy("Name, wenn er neu ist"), max_length=80, required=False)
    club = forms.CharField(label=gettext_lazy("Verein"), max_length=80, required=False)
    paid = forms.BooleanField(label=gettext_lazy("Startgebühr ist bezahlt"), required=False)
    reason = ReasonField()
    others = OtherPlayersField()

    def __init__(self, *args: Any, candidates: Sequence[tuple[int, str]], fee: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        registered = [(number, f"{number} · {name}") for number, name in candidates]
        self.set_choices("who", [("", _("jemand, der noch nicht angemeldet ist")), *registered])
        if not fee:
            del self.fields["paid"]

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("who") is None and not self.cleaned_data.get("name"):
            self.add_error("name", _("Bitte einen Namen eintragen, oder oben jemanden auswählen."))
        return self.cleaned_data

    def refuse(self, refusal: Refusal) -> None:
        """Add the refusal; after same_name, the same form sent again confirms another person."""
        super().refuse(refusal)
        if refusal.code == "same_name":
            params: Mapping[str, Any] = refusal.params
            others = self.cleaned_data["others"] | {*params["start_numbers"]}
            self.data = {**dict(self.data.items()), "others": ",".join(map(str, others))}

    @property
    def by_whom(self) -> int | Newcomer:
        who = self.cleaned_data["who"]
        return who if who is not None else Newcomer(self.cleaned_data["name"], self.cleaned_data["club"])


class ScribesForm(forms.Form):
    """The scribe of each table of a round: a seat, or none named."""

    def __init__(self, *args: Any, round_row: RoundRow, default: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tables = round_row.tables
        for table in round_row.tables:
            seats = [(seat.seat_number, f"{seat.seat_number} · {seat.name}") for seat in table.seats]
            named = table.scribe.seat_number if table.scribe and table.scribe_at else None
            self.fields[f"table_{table.number}"] = forms.TypedChoiceField(
                label=_("Tisch %(number)s") % {"number": table.number},
                choices=[("", default), *seats],
                coerce=int,
                empty_value=None,
                required=False,
                initial=named,
            )

    @property
    def lines(self) -> list[tuple[TableRow, forms.BoundField]]:
        return [(table, self[f"table_{table.number}"]) for table in self.tables]

    @property
    def chosen(self) -> dict[int, int | None]:
        """Table number -> seat number: seat 1 everywhere if its button was pressed, else for the tables that were submitted."""
        if "first" in self.data:
            return {table.number: table.seats[0].seat_number for table in self.tables if table.seats}
        return {
            table.number: self.cleaned_data[f"table_{table.number}"]
            for table in self.tables
            if f"table_{table.number}" in self.data
        }


class JoinForm(RefusableForm):
    """The table at which a latecomer takes a seat."""

    field_of = {
        **RefusableForm.field_of,
        **dict.fromkeys(("table_full", "table_has_begun", "unknown_table"), "table"),
    }

    table = forms.TypedChoiceField(
        coerce=int,
        choices=lambda: [(number, number) for number in range(1, 1000)],
        error_messages={"required": gettext_lazy("Bitte einen Tisch wählen.")},
    )
    reason = ReasonField()


class LeaveForm(RefusableForm):
    """The removal of an absent player. moves: as shown to the organiser, "12:3 7:3" (player:table)."""

    moves = forms.RegexField(r"^(\d{1,9}:\d{1,4}( |$))*$", required=False)
    reason = ReasonField()

    @staticmethod
    def written(moves: Iterable[Moved]) -> str:
        return " ".join(f"{move.player}:{move.table}" for move in moves)

    def clean_moves(self) -> list[Moved]:
        pairs = (move.split(":") for move in self.cleaned_data["moves"].split())
        return [Moved(int(player), int(table)) for player, table in pairs]


class TakeBackForm(RefusableForm):
    """Undo of the last change. sequence: of the last change that the page showed."""

    sequence = forms.IntegerField(min_value=1, max_value=1_000_000)
    reason = ReasonField()


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
    done = _("%(name)s sitzt jetzt an Tisch %(table)s.")
    return _change_seat(
        request, tournament, number, start_number, JoinForm(request.POST), seats.take_seat, done
    )


@organiser_view("POST")
def draw_seats(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Draw a table for each player who is present without a seat."""
    changeable_round_or_404(tournament, number)
    with refusal_as_message(request):
        reason = _("kam nach der Auslosung, Tisch gelost")
        seated, left = seats.draw_seats(tournament, number, reason=reason, **signed(request))
        for name, table in seated:
            said = _("%(name)s sitzt jetzt an Tisch %(table)s.")
            messages.success(request, said % {"name": name, "table": table})
        if left and not seated:
            refuse(request, _("An keinem Tisch, der noch nicht angefangen hat, ist ein Platz frei."))
        elif left:
            said = _("Kein Platz mehr frei war für: %(names)s.")
            messages.warning(request, said % {"names": ", ".join(left)})
        elif not seated:
            refuse(request, _("Inzwischen wartet niemand mehr auf einen Platz."), messages.INFO)
    return redirect("organiser:round", tournament.slug, number)


@organiser_view("POST")
def leave(request: StaffRequest, tournament: Tournament, number: int, start_number: int) -> HttpResponse:
    done = _("%(name)s ist vom Tisch genommen.")
    return _change_seat(
        request, tournament, number, start_number, LeaveForm(request.POST), seats.leave_seat, done
    )


def _change_seat(
    request: StaffRequest,
    tournament: Tournament,
    number: int,
    start_number: int,
    form: JoinForm | LeaveForm,
    service: Callable[..., object],
    done: str,
) -> HttpResponse:
    person = _person(tournament, changeable_round_or_404(tournament, number), start_number)
    if form.is_valid():
        with form.refusal_at_field():
            service(tournament, number, player=start_number, **form.cleaned_data, **signed(request))
            messages.success(request, done % {"name": person.name, **form.cleaned_data})
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
    context = {"tournament": tournament, "leaving": leaving_player, "form": form}
    return form_page(request, "scoring/organiser/seats/substitute.html", context, form)


@organiser_view("GET", "POST")
def scribes(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show one choice for each table on GET; name the scribes on POST."""
    round_row = round_or_404(tournament, number)
    if round_row.is_closed or not tournament.rules.names_scribes:
        raise Http404
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
