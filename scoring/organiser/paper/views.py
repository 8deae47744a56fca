"""Views for typing in paper sheets."""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scoring.core.sheet import empty
from scoring.organiser.kinds.fact_forms import PaperTotals
from scoring.organiser.kinds.registry import organiser_kind
from scoring.organiser.kinds.survival import PaperForm
from scoring.organiser.tables import gone_is_404, monitor_or_404, table_or_404
from scoring.queries.table_monitor import TableMonitor, TableState, state_of
from scoring.services import paper as supervision
from scoring.sheet_log import open_sheet
from scoring.text.entries import score_in_words
from scoring.text.refusals import message
from tournaments.access import organiser_view
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament
from tournaments.requests import StaffRequest, signed


@organiser_view("GET")
def paper(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show one line for each table whose sheet is still open; with `again` for each that came from paper, to compare."""
    monitor = monitor_or_404(tournament, number)
    if not monitor.round.is_released:
        return redirect("organiser:round", tournament.slug, number)
    again = "again" in request.GET
    tables = (
        [table for table in monitor.tables if table.is_from_paper] if again else monitor.waiting_for_paper
    )
    lines = [(table, _paper_form(table)) for table in tables]
    for _table, form in lines[:1]:
        if isinstance(form, PaperTotals):
            form.first_attrs["autofocus"] = True
    context = _paper_context(tournament, monitor, lines) | {"again": again}
    return render(request, "scoring/organiser/paper/paper.html", context)


@organiser_view("GET")
def paper_check(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """Show the result of a line while it is being typed, or with `again` what differs from the sheet; writes nothing."""
    monitor = monitor_or_404(tournament, number, table=table)
    state = None if monitor.round.is_draft else monitor.table(table)
    if state is None:
        raise Http404
    context: dict[str, Any] = {"tournament": tournament, "number": number, "table": state}
    if "again" in request.GET:
        context |= _compared(state, request.GET)
        return render(request, "scoring/organiser/paper/_compared.html", context)
    context |= _said(state, request.GET)
    return render(request, "scoring/organiser/paper/_said.html", context)


@gone_is_404
@organiser_view("POST")
def paper_line(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    target = table_or_404(tournament, number, table)
    state = state_of(open_sheet(target.pk))
    form = _paper_form(state, request.POST)
    if form.is_valid():
        with form.refusal_at_field():
            written = supervision.type_in(
                target,
                form.drafts(),
                replace=form.cleaned_data["replace"],
                reason=_("vom Papierblatt"),
                initials=form.cleaned_data.get("initials", ""),
                **signed(request),
            )
            return _typed_in(request, tournament, number, replace(state, log=written.log))
    context = {"tournament": tournament, "number": number, "table": state, "form": form}
    if request.htmx:
        return render(request, "scoring/organiser/paper/_line.html", context, status=422)
    monitor = monitor_or_404(tournament, number)
    lines = [(row, form if row.number == table else _paper_form(row)) for row in monitor.waiting_for_paper]
    context = _paper_context(tournament, monitor, lines)
    return render(request, "scoring/organiser/paper/paper.html", context, status=422)


def _paper_context(
    tournament: Tournament, monitor: TableMonitor, lines: list[tuple[TableState, PaperForm | PaperTotals]]
) -> dict[str, Any]:
    return {
        "tournament": tournament,
        "monitor": monitor,
        "number": monitor.number,
        "lines": lines,
        "sample": next((form for _table, form in lines), None),
    }


def _typed_in(request: StaffRequest, tournament: Tournament, number: int, table: TableState) -> HttpResponse:
    if request.htmx:
        context = {"tournament": tournament, "number": number, "table": table, "saved": True}
        context["monitor"] = monitor_or_404(tournament, number)
        return render(request, "scoring/organiser/paper/_line.html", context)
    messages.success(request, _("Tisch %(table)s ist eingetragen und angenommen.") % {"table": table.number})
    return redirect("organiser:paper", tournament.slug, number)


def _paper_form(table: TableState, data: Any = None) -> PaperForm | PaperTotals:
    rules = table.log.ruleset
    form: PaperForm | PaperTotals = organiser_kind(rules).paper_form(
        data, seats=table.table.seats, rules=rules.sheet, auto_id=f"paper-{table.number}-%s"
    )
    return form


def _said(table: TableState, typed: Any) -> dict[str, Any]:
    """Return the preview of a paper sheet's result, or its first error."""
    form = _form_to_look_at(table, typed)
    if not form.is_valid():
        return {"hint": form.hint}
    try:
        drafts = supervision.paper_drafts(table.log, form.drafts(), replace=True, reason="–")
        return {"would_be": replace(table, log=supervision.as_if_written(table.log, drafts))}
    except Refusal as refusal:
        return {"hint": message(refusal)}


def _compared(table: TableState, typed: Any) -> dict[str, Any]:
    """Return the seats whose result differs when the paper sheet is typed again, or the first error."""
    form = _form_to_look_at(table, typed)
    if not form.is_valid():
        return {"hint": form.hint or next(str(errors[0]) for errors in form.errors.values())}
    try:
        log = supervision.as_if_written(empty(table.log.ruleset, table.log.seats), form.drafts())
    except Refusal as refusal:
        return {"hint": message(refusal)}
    again, rules = replace(table, log=log), log.ruleset
    differing = [
        (first, score_in_words(first.score, rules), score_in_words(now.score, rules))
        for first, now in zip(table.seats, again.seats, strict=True)
        if first.score != now.score
    ]
    return {"differing": differing, "is_same": not differing}


def _form_to_look_at(table: TableState, typed: Any) -> PaperForm | PaperTotals:
    form = _paper_form(table, typed)
    form.fields.pop("initials", None)  # they change no result
    return form
