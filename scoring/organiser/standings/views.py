"""The organiser's views of the standings: publication, and decisions on ties."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.forms import ReasonField, RefusableForm, WordsForm, refusal_as_message
from scoring.models import Decision
from scoring.queries.ceremony import sealed_lot
from scoring.queries.live_strip import live_strip_of, version_of
from scoring.queries.pictures import evening_pictures
from scoring.queries.publication import StandingsPage, standings_page
from scoring.queries.standings import StandingsRow, current_standings
from scoring.services import ceremonies
from scoring.services import standings as services
from scoring.services.screens import end_prize_giving
from tournaments.access import organiser_view
from tournaments.forms import refuse
from tournaments.models import Tournament
from tournaments.requests import StaffRequest, number_in, signed

KINDS_OF_DECISION = [
    (Decision.Kind.PLAYOFF.value, gettext_lazy("Stechen")),
    (Decision.Kind.LOT.value, gettext_lazy("Los")),
]


class DecisionForm(RefusableForm):
    """The order of tied players: a rank for each."""

    kind = forms.ChoiceField(
        label=gettext_lazy("Entschieden durch"),
        choices=KINDS_OF_DECISION,
        widget=forms.RadioSelect,
        initial=Decision.Kind.PLAYOFF.value,
    )
    reason = ReasonField(label=gettext_lazy("Begründung, zum Beispiel wie gestochen wurde"))

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        group: Sequence[StandingsRow],
        lot_by_program: bool = False,
    ) -> None:
        super().__init__(data, auto_id=f"tie-{group[0].rank}-%s")
        self.group = group
        if lot_by_program:
            playoff = [choice for choice in KINDS_OF_DECISION if choice[0] == Decision.Kind.PLAYOFF.value]
            self.set_choices("kind", playoff)
        ranks = [(group[0].rank + index, str(group[0].rank + index)) for index in range(len(group))]
        for row in group:
            self.fields[f"place_{row.start_number}"] = forms.TypedChoiceField(
                label=row.name,
                coerce=int,
                choices=[("", "–"), *ranks],
                error_messages={"required": gettext_lazy("Bitte einen Rang wählen.")},
            )

    @property
    def places(self) -> list[tuple[StandingsRow, forms.BoundField]]:
        return [(row, self[f"place_{row.start_number}"]) for row in self.group]

    def clean(self) -> dict[str, Any]:
        places = [self.cleaned_data.get(f"place_{row.start_number}") for row in self.group]
        if None not in places and len(set(places)) < len(places):
            raise forms.ValidationError(_("Bitte jeden Rang nur einmal vergeben."))
        return self.cleaned_data

    def order(self) -> list[int]:
        """Return the start numbers, best first."""
        numbers = [row.start_number for row in self.group]
        return sorted(numbers, key=lambda number: self.cleaned_data[f"place_{number}"])


@organiser_view("GET")
def standings(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the standings. htmx gets the rows, which the page keeps current."""
    version = version_of(live_strip_of(tournament))  # before what it is of, which may be newer, but not older
    page = standings_page(tournament)
    if request.htmx:
        context = {"tournament": tournament, "page": page, "version": version}
        return render(request, "scoring/organiser/standings/_rows.html", context)
    return _page(request, tournament, page, version=version)


@organiser_view("GET")
def pictures(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the length of the rounds by table, strokes by round, and who has met whom."""
    context = {"tournament": tournament, "pictures": evening_pictures(tournament, now=timezone.now())}
    return render(request, "scoring/organiser/standings/pictures.html", context)


@organiser_view("POST")
def freeze(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    done = _("Angehalten. Die Spieler sehen weiter den Stand von jetzt.")
    return _publish(request, tournament, services.freeze, done)


@organiser_view("POST")
def show(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    done = _("Der neue Stand ist zu sehen. Was danach kommt, bleibt weiter verdeckt.")
    return _publish(request, tournament, services.show_new_standing, done)


@organiser_view("POST")
def release(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    done = _("Der Stand läuft wieder mit: Die Spieler sehen jede angenommene Tischliste sofort.")
    if current_standings(tournament).final:
        done = _("Alle sehen jetzt den Endstand.")
        end_prize_giving(tournament, **signed(request))
    return _publish(request, tournament, services.release, done)


@organiser_view("POST")
def decide(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    page = standings_page(tournament)
    wanted = request.POST.get("players", "")
    group = next((group for group in page.ties if players_of(group) == wanted), None)
    if group is None:
        refuse(
            request, _("Diese Spieler teilen sich keinen Rang mehr. Bitte die Rangliste noch einmal ansehen.")
        )
        return redirect("organiser:standings", tournament.slug)
    form = DecisionForm(request.POST, group=group, lot_by_program=tournament.rules.lot_by_program)
    if form.is_valid():
        with form.refusal_at_field():
            kind, reason = form.cleaned_data["kind"], form.cleaned_data["reason"]
            services.decide(tournament, kind=kind, order=form.order(), reason=reason, **signed(request))
            messages.success(request, _("Die Entscheidung ist festgehalten."))
            return redirect("organiser:standings", tournament.slug)
    return _page(request, tournament, page, bound=form)


@organiser_view("POST")
def draw_lot(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Draw the order of players who are equal in every criterion; with the ceremony, seal the lot."""
    named = map(number_in, request.POST.get("players", "").split())
    players = [number for number in named if number is not None]
    is_before_the_hall = tournament.ceremony == Tournament.Ceremony.HALL
    with refusal_as_message(request):
        if is_before_the_hall:
            ceremonies.seal_lot(tournament, players, **signed(request))
        else:
            services.draw_lot(tournament, players, **signed(request))
        drawn = _("Das Los ist gezogen und mit seinem Startwert festgehalten.")
        sealed = _("Versiegelt. Das Siegel steht öffentlich da.")
        messages.success(request, sealed if is_before_the_hall else drawn)
    return redirect("organiser:standings", tournament.slug)


@organiser_view("POST")
def draw_sealed_lot(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Draw the sealed lot with the words of the hall."""
    form = WordsForm(request.POST, auto_id="sealed_%s")
    if form.is_valid():
        with form.refusal_at_field():
            ceremonies.draw_sealed_lot(tournament, words=form.cleaned_data["words"], **signed(request))
            messages.success(request, _("Das Los ist gezogen und mit seinem Startwert festgehalten."))
            return redirect("organiser:standings", tournament.slug)
    return _page(request, tournament, standings_page(tournament), words=form)


@organiser_view("POST")
def revoke_decision(request: StaffRequest, tournament: Tournament, decision: int) -> HttpResponse:
    with refusal_as_message(request):
        services.revoke_decision(tournament, decision, **signed(request))
        messages.success(request, _("Die Entscheidung ist zurückgenommen. Sie bleibt festgehalten."))
    return redirect("organiser:standings", tournament.slug)


def players_of(group: list[Any]) -> str:
    """Return the start numbers of a tie, separated by spaces."""
    return " ".join(str(row.start_number) for row in group)


def _publish(
    request: StaffRequest, tournament: Tournament, service: Callable[..., object], done: str
) -> HttpResponse:
    with refusal_as_message(request):
        service(tournament, **signed(request))
        messages.success(request, done)
    return redirect("organiser:standings", tournament.slug)


def _page(
    request: StaffRequest,
    tournament: Tournament,
    page: StandingsPage,
    *,
    bound: DecisionForm | None = None,
    words: WordsForm | None = None,
    version: str = "",
) -> HttpResponse:
    """Render the standings. bound, words: forms with errors; version: of the strip, when they were looked up."""
    by_program = tournament.rules.lot_by_program
    forms = [
        bound
        if bound is not None and group == bound.group
        else DecisionForm(group=group, lot_by_program=by_program)
        for group in page.ties
    ]
    names = {row.start_number: row.name for row in page.current.rows}
    context = {
        "tournament": tournament,
        "version": version,
        "page": page,
        "lot_by_program": by_program,
        "ties": [(form, players_of(list(form.group))) for form in forms],
        "sealed": sealed_lot(tournament),
        "sealed_form": words or WordsForm(auto_id="sealed_%s"),
        "decisions": [
            (made, [names.get(number, number) for number in made.order]) for made in page.decisions
        ],
    }
    status = 422 if bound or words else 200
    return render(request, "scoring/organiser/standings/standings.html", context, status=status)
