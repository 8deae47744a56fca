"""Views of the cash desks: all desks, one desk, and the daily reports."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.access import cashier_view
from tournaments.door.desks.forms import CountForm, MoveForm, ReopenForm
from tournaments.door.forms import DeskForm, DeskNameForm
from tournaments.forms import RefusableForm, form_page, refusal_as_message
from tournaments.models import Tournament
from tournaments.once import mark_unchanged
from tournaments.queries import ledger as queries
from tournaments.queries.desks import DeskRow, desk_lines, desk_rows
from tournaments.requests import StaffRequest, desk_name, name_desk, next_path, signed
from tournaments.services import desks as services
from tournaments.text.money import word_desk
from tournaments.text.states import word_payment


@never_cache
@cashier_view("GET", of_cash=True)
def desks(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    return _desks_page(request, tournament, DeskForm())


def _desks_page(request: StaffRequest, tournament: Tournament, form: DeskForm) -> HttpResponse:
    rows = desk_rows(tournament)
    drawers = [row for row in rows if not row.is_in_advance]
    context = {
        "tournament": tournament,
        "desks": drawers,
        "in_advance": [row for row in rows if row.is_in_advance],
        "own_desk": desk_name(request),
        "open_desks": [row.name for row in drawers if not row.is_closed],
        "desk_form": form,
        "all_closed": bool(rows) and all(row.is_closed for row in drawers),
    }
    return form_page(request, "tournaments/door/desks.html", context, form)


@cashier_view("POST", of_cash=True)
def choose_desk(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Choose the cash desk under which this browser's payments are booked, and set it up, with its float.

    Money that was taken without a name is asked about; `with_money` is the answer.
    """
    form, with_money = DeskForm(request.POST), request.POST.get("with_money")
    if not form.is_valid():
        return _desks_page(request, tournament, form)
    name = form.cleaned_data["desk"]
    left = _left_without_name(request, tournament) if name and with_money is None else 0
    if left:
        mark_unchanged(request)
        typed = {field: request.POST.get(field, "") for field in ("desk", "float", "next")}
        context = {"tournament": tournament, "left_cents": left, **typed}
        return render(request, "tournaments/door/take_along.html", context)
    with form.refusal_at_field():
        if name:
            name = _set_up(request, tournament, form, with_money=with_money == "yes")
        answer = redirect(next_path(request) or reverse("door:desks", args=[tournament.slug]))
        name_desk(answer, name)
        sentence = _("An diesem Gerät wird jetzt auf „%(desk)s“ gebucht.")
        messages.success(request, sentence % {"desk": word_desk(name)})
        return answer
    return _desks_page(request, tournament, form)


def _left_without_name(request: StaffRequest, tournament: Tournament) -> int:
    """Return the cents that are in the open desk without a name, where this device books; else 0."""
    if desk_name(request):
        return 0
    rows = (row for row in desk_rows(tournament) if not (row.name or row.is_closed or row.is_in_advance))
    return max(0, sum(row.expected_cents for row in rows))


def _set_up(request: StaffRequest, tournament: Tournament, form: DeskForm, *, with_money: bool) -> str:
    """Set up a desk; return its name as it is spelled already, if it exists."""
    name, cents = form.cleaned_data["desk"], form.cleaned_data["float"]
    if with_money:
        desk = services.take_along(tournament, name, reason=_("Mitgenommen"), **signed(request))
    else:
        desk = services.set_up_desk(tournament, name)
    if cents:
        services.enter_cash(tournament, desk.number, "float", cents=cents, **signed(request))
    return desk.name


@never_cache
@cashier_view("GET", of_cash=True)
def till(request: StaffRequest, tournament: Tournament, desk: int) -> HttpResponse:
    return _page(request, tournament, desk)


@cashier_view("POST", of_cash=True)
def move_cash(request: StaffRequest, tournament: Tournament, desk: int) -> HttpResponse:
    """Record money that comes in, goes out, or is handed over to another desk."""
    rows = desk_rows(tournament)
    _row(tournament, desk)
    form = MoveForm(request.POST, others=_others(rows, desk))
    if form.is_valid():
        data = form.cleaned_data
        move, _to, other = data["move"].partition("-")
        kind, to = ("transfer", int(other)) if other else (move, None)
        entry: Any = {name: data[name] for name in ("cents", "reason", "confirmed")}
        with form.refusal_at_field():
            services.enter_cash(tournament, desk, kind, to=to, **entry, **signed(request))
            messages.success(request, _("%(what)s ist eingetragen.") % {"what": word_payment(kind)})
            return redirect("door:till", tournament.slug, desk)
    return _page(request, tournament, desk, move_form=form)


@cashier_view("POST", of_cash=True)
def take_back_movement(
    request: StaffRequest, tournament: Tournament, desk: int, movement: int
) -> HttpResponse:
    """Reverse a movement by a counter entry."""
    _row(tournament, desk)
    with refusal_as_message(request):
        entry = services.take_back_movement(
            tournament, desk, movement, reason=_("Zurückgenommen"), **signed(request)
        )
        what = word_payment(entry.kind)
        messages.success(request, _("%(what)s ist zurückgenommen.") % {"what": what})
    return redirect("door:till", tournament.slug, desk)


@cashier_view("POST", of_cash=True)
def rename_till(request: StaffRequest, tournament: Tournament, desk: int) -> HttpResponse:
    """Give a desk another name; a device that had the old one has the new one."""
    row = _row(tournament, desk)
    form = DeskNameForm(request.POST)
    if form.is_valid():
        with form.refusal_at_field():
            renamed = services.rename_desk(tournament, desk, form.cleaned_data["desk"], **signed(request))
            messages.success(request, _("Die Kasse heißt jetzt „%(desk)s“.") % {"desk": renamed.name})
            answer = redirect("door:till", tournament.slug, desk)
            if row.name == desk_name(request):
                name_desk(answer, renamed.name)
            return answer
    return _page(request, tournament, desk, name_form=form)


@cashier_view("POST", of_cash=True)
def close_till(request: StaffRequest, tournament: Tournament, desk: int) -> HttpResponse:
    """Count a desk and close it. A difference needs a reason."""
    row = _row(tournament, desk)
    form = CountForm(request.POST)
    if form.is_valid():
        reason, pieces = form.cleaned_data["reason"], form.pieces
        with form.refusal_at_field():
            services.close_desk(tournament, desk, pieces=pieces, reason=reason, **signed(request))
            messages.success(request, _("%(desk)s ist abgeschlossen.") % {"desk": word_desk(row.name)})
            return redirect("door:till", tournament.slug, desk)
    return _page(request, tournament, desk, count_form=form)


@cashier_view("POST", of_cash=True)
def reopen_till(request: StaffRequest, tournament: Tournament, desk: int) -> HttpResponse:
    row = _row(tournament, desk)
    form = ReopenForm(request.POST)
    if form.is_valid():
        with form.refusal_at_field():
            services.reopen_desk(tournament, desk, reason=form.cleaned_data["reason"], **signed(request))
            messages.success(request, _("%(desk)s ist wieder offen.") % {"desk": word_desk(row.name)})
            return redirect("door:till", tournament.slug, desk)
    return _page(request, tournament, desk, reopen_form=form)


def _page(request: StaffRequest, tournament: Tournament, desk: int, **refused: RefusableForm) -> HttpResponse:
    """Return the page of a desk. refused: a bound form with errors, shown in place of the empty one."""
    rows = desk_rows(tournament)
    context = {
        "tournament": tournament,
        "desk": _of(rows, desk),
        "is_own": _of(rows, desk).name == desk_name(request),
        "lines": desk_lines(tournament, desk)[::-1],
        "move_form": MoveForm(others=_others(rows, desk), initial={"move": "float"}),
        "count_form": CountForm(),
        "reopen_form": ReopenForm(),
        "name_form": DeskNameForm(initial={"desk": _of(rows, desk).name}),
    }
    return render(request, "tournaments/door/till.html", context | refused, status=422 if refused else 200)


def _row(tournament: Tournament, desk: int) -> DeskRow:
    return _of(desk_rows(tournament), desk)


def _of(rows: tuple[DeskRow, ...], desk: int) -> DeskRow:
    """Return a desk with a drawer."""
    desk_row = next((row for row in rows if row.number == desk and not row.is_in_advance), None)
    if desk_row is None:
        raise Http404
    return desk_row


def _others(rows: tuple[DeskRow, ...], desk: int) -> list[tuple[int, str]]:
    others = [row for row in rows if row.number != desk and not (row.is_closed or row.is_in_advance)]
    return [(row.number, row.name) for row in others]


@never_cache
@cashier_view("GET", of_cash=True)
def daily_reports(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Print the report of each desk and day: what the drawer took, by its counts."""
    context = {"tournament": tournament, "days": queries.daily_reports(tournament), "at": timezone.now()}
    return render(request, "tournaments/door/daily_reports.html", context)
