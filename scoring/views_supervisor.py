"""The supervisor at the sheets: accept, type in from paper, correct, reopen, decide on what was parked."""

from collections.abc import Mapping
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from scoring.fact_forms import FACT_FORMS, PaperTotals, needs_initials, paper_form
from scoring.forms import (
    CorrectionForm,
    FactForm,
    MarkForm,
    OptionalReasonForm,
    PaperForm,
    ReasonForm,
    VoidForm,
)
from scoring.queries.supervision import (
    Board,
    EntryLine,
    SheetPage,
    TableState,
    as_replaced,
    board,
    link_of,
    parked_place,
    sheet_page,
    table_at,
)
from scoring.services import sheets, supervision
from scoring.views_organiser import board_context
from scoring.wording import word
from tournaments.access import View, organiser_required
from tournaments.core.refusal import Refusal
from tournaments.models import Table, Tournament
from tournaments.services.rounds import revoke_link


def redrawn_is_404(view: View) -> View:
    """For writes at a table: where somebody else draws the round again in the same moment, the table is gone."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Table.DoesNotExist:
            raise Http404 from None

    return guarded


# --- from the board ------------------------------------------------------------------------------------------------


@require_POST
@organiser_required()
@redrawn_is_404
def accept(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """From the board in one tap, from the sheet with a reason where it was not handed in."""
    found = _table(tournament, number, table)
    form = OptionalReasonForm(request.POST, auto_id="accept_%s")
    if not form.is_valid():
        return _sheet_page(request, tournament, number, table, accept_form=form)
    reason = form.cleaned_data["reason"]
    from_board = "board" in request.POST
    refused = ""
    try:
        sheets.write(found, [("accepted", {"reason": reason} if reason else {})], **_by(request))
    except Refusal as refusal:
        if not from_board:
            form.refuse(refusal)
            return _sheet_page(request, tournament, number, table, accept_form=form)
        refused = word(refusal)
    if from_board:
        return _board_again(request, tournament, number, refused=refused)
    messages.success(request, _("Angenommen. Die Tischliste zählt jetzt für den Stand."))
    return redirect("sheets:sheet", tournament.slug, number, table)


@require_POST
@organiser_required()
def accept_submitted(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    accepted = supervision.accept_submitted(tournament, number, **_by(request))
    done = ngettext("Eine Tischliste angenommen.", "%(count)s Tischlisten angenommen.", len(accepted)) % {
        "count": len(accepted)
    }
    return _board_again(request, tournament, number, done=done)


def _board_again(
    request: HttpRequest, tournament: Tournament, number: int, *, refused: str = "", done: str = ""
) -> HttpResponse:
    if not request.htmx:  # type: ignore[attr-defined]
        if refused:
            messages.error(request, refused)
        if done:
            messages.success(request, done)
        return redirect("sheets:round", tournament.slug, number)
    found = _board(tournament, number)
    context = board_context(request, tournament, found, refused=refused, done=done, moves_on=True)
    return render(request, "scoring/organiser/_board.html", context)


# --- paper ---------------------------------------------------------------------------------------------------------


@organiser_required()
def paper(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """One line a table, for all tables whose sheet is still open."""
    found = _board(tournament, number)
    if not found.round.is_released:
        return redirect("sheets:round", tournament.slug, number)
    lines = [(table, _paper_form(table)) for table in found.waiting_for_paper]
    for _table, form in lines[:1]:
        if isinstance(form, PaperTotals):
            form.first_attrs["autofocus"] = True
    return render(request, "scoring/organiser/paper.html", _paper_context(tournament, found, lines))


@organiser_required()
def paper_check(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """What a typed line would mean, while it is being typed; writes nothing."""
    state = _state(tournament, number, table)
    context = {"tournament": tournament, "number": number, "table": state, **_said(state, request.GET)}
    return render(request, "scoring/organiser/_paper_said.html", context)


@require_POST
@organiser_required()
@redrawn_is_404
def paper_line(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    state = _state(tournament, number, table)
    form = _paper_form(state, request.POST)
    if form.is_valid():
        try:
            supervision.type_in(
                _table(tournament, number, table),
                form.drafts(),
                replace=form.cleaned_data["replace"],
                reason=_("vom Papierblatt"),
                initials=form.cleaned_data.get("initials", ""),
                **_by(request),
            )
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            return _typed_in(request, tournament, number, table)
    context = {"tournament": tournament, "number": number, "table": state, "form": form}
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "scoring/organiser/_paper_line.html", context, status=422)
    found = _board(tournament, number)
    lines = [(one, form if one.number == table else _paper_form(one)) for one in found.waiting_for_paper]
    context = _paper_context(tournament, found, lines)
    return render(request, "scoring/organiser/paper.html", context, status=422)


def _paper_context(
    tournament: Tournament, found: Board, lines: list[tuple[TableState, PaperForm | PaperTotals]]
) -> dict[str, Any]:
    by_figures = any(isinstance(form, PaperTotals) for _table, form in lines)
    return {
        "tournament": tournament,
        "board": found,
        "number": found.number,
        "lines": lines,
        "by_figures": by_figures,
    }


def _typed_in(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        state = _state(tournament, number, table)
        context = {"tournament": tournament, "number": number, "table": state, "saved": True}
        return render(request, "scoring/organiser/_paper_line.html", context)
    messages.success(request, _("Tisch %(table)s ist eingetragen und angenommen.") % {"table": table})
    return redirect("sheets:paper", tournament.slug, number)


def _paper_form(table: TableState, data: Any = None) -> PaperForm | PaperTotals:
    rules = table.log.ruleset.sheet
    return paper_form(rules, data, seats=table.table.seats, auto_id=f"paper-{table.number}-%s")


def _said(table: TableState, typed: Any) -> dict[str, Any]:
    """The result that a paper sheet would give, or what is still wrong with it."""
    form = _paper_form(table, typed)
    if not form.is_valid():
        return {"hint": form.hint}
    try:
        drafts = supervision.paper_drafts(table.log, form.drafts(), replace=True, reason="–")
        return {"would_be": as_replaced(table, supervision.as_if_written(table.log, drafts))}
    except Refusal as refusal:
        return {"hint": word(refusal)}


# --- one sheet -----------------------------------------------------------------------------------------------------


@organiser_required()
def sheet(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    return _sheet_page(request, tournament, number, table)


@require_POST
@organiser_required()
@redrawn_is_404
def reopen(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    found = _table(tournament, number, table)
    form = ReasonForm(request.POST, auto_id="reopen_%s")
    if form.is_valid():
        try:
            sheets.write(found, [("reopened", {"reason": form.cleaned_data["reason"]})], **_by(request))
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, _("Wieder offen. Sie zählt erst wieder, wenn sie angenommen ist."))
            return redirect("sheets:sheet", tournament.slug, number, table)
    return _sheet_page(request, tournament, number, table, reopen_form=form)


@organiser_required()
@redrawn_is_404
def void(request: HttpRequest, tournament: Tournament, number: int, table: int, entry: UUID) -> HttpResponse:
    """GET asks for the reason, POST takes the entry back."""
    page, line = _line(tournament, number, table, entry)
    data = request.POST if request.method == "POST" else None
    form = VoidForm(data, needs_initials=_needs_initials(page), auto_id="void_%s")
    if data is not None and form.is_valid():
        draft = ("voided", {"entry": line.id, "reason": form.cleaned_data["reason"]})
        initials = form.cleaned_data.get("initials", "")
        try:
            sheets.write(_table(tournament, number, table), [draft], initials=initials, **_by(request))
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, _("Eintrag %(line)s ist zurückgenommen.") % {"line": line.number})
            return redirect("sheets:sheet", tournament.slug, number, table)
    context = {"tournament": tournament, "number": number, "page": page, "line": line, "form": form}
    return render(request, "scoring/organiser/void.html", context, status=422 if form.errors else 200)


@organiser_required()
@redrawn_is_404
def correct(
    request: HttpRequest, tournament: Tournament, number: int, table: int, entry: UUID
) -> HttpResponse:
    """GET shows the entry as a form, POST puts other data in its place."""
    page, line = _line(tournament, number, table, entry)
    forms = _fact_forms(page)
    if line.kind not in forms:
        raise Http404
    data = request.POST if request.method == "POST" else None
    fact = _fact_form(page, line.kind, data, initial=forms[line.kind].initial_of(line.counts.data))
    why = CorrectionForm(
        data,
        needs_initials=_needs_initials(page),
        auto_id="why_%s",
        initial={"accept": not page.table.is_open},
    )
    if data is not None and fact.is_valid() & why.is_valid():
        try:
            supervision.correct(
                _table(tournament, number, table),
                line.id,
                fact.entry_data(),
                **why.cleaned_data,
                **_by(request),
            )
        except Refusal as refusal:
            (why if refusal.code in why.field_of else fact).refuse(refusal)
        else:
            messages.success(request, _("Berichtigt. Der alte Eintrag bleibt auf der Tischliste lesbar."))
            return redirect("sheets:sheet", tournament.slug, number, table)
    context = {
        "tournament": tournament,
        "number": number,
        "page": page,
        "line": line,
        "form": fact,
        "why_form": why,
    }
    status = 422 if fact.errors or why.errors else 200
    return render(request, "scoring/organiser/correct.html", context, status=status)


@organiser_required()
@redrawn_is_404
def write(request: HttpRequest, tournament: Tournament, number: int, table: int, kind: str) -> HttpResponse:
    """GET shows an empty form for a fact of this kind of sheet, POST writes it."""
    page = _page(tournament, number, table)
    if kind not in _fact_forms(page):
        raise Http404
    form = _fact_form(page, kind, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            draft = (kind, form.entry_data())
            sheets.write(_table(tournament, number, table), [draft], **_by(request))
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, _("Eingetragen."))
            return redirect("sheets:sheet", tournament.slug, number, table)
    context = {"tournament": tournament, "number": number, "page": page, "form": form}
    return render(request, "scoring/organiser/write.html", context, status=422 if form.errors else 200)


@require_POST
@organiser_required()
@redrawn_is_404
def approve(
    request: HttpRequest, tournament: Tournament, number: int, table: int, entry: UUID
) -> HttpResponse:
    """The supervisor's mark on a Tout."""
    page, line = _line(tournament, number, table, entry)
    form = _mark_form(page, line, request.POST)
    if form.is_valid():
        draft = ("approved", {"entry": line.id})
        try:
            sheets.write(_table(tournament, number, table), [draft], **form.cleaned_data, **_by(request))
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, _("Abgezeichnet. Das Spiel zählt jetzt."))
            return redirect("sheets:sheet", tournament.slug, number, table)
    return _sheet_page(request, tournament, number, table, marks={line.id: form})


@require_POST
@organiser_required()
@redrawn_is_404
def decide_parked(request: HttpRequest, tournament: Tournament, parked: int) -> HttpResponse:
    place = parked_place(tournament, parked)
    if place is None:
        raise Http404
    form = ReasonForm(request.POST, auto_id=f"parked-{parked}-%s")
    adopts = request.POST.get("outcome") == "adopt"
    if form.is_valid():
        try:
            decide = sheets.adopt if adopts else sheets.discard
            decide(tournament, parked, reason=form.cleaned_data["reason"], **_by(request))
        except Refusal as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, _("Übernommen.") if adopts else _("Verworfen."))
            return redirect("sheets:sheet", tournament.slug, *place)
    return _sheet_page(request, tournament, *place, parked_form=form, parked_id=parked)


@require_POST
@organiser_required()
def revoke(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    _table(tournament, number, table)
    revoke_link(tournament, number, table)
    messages.success(request, _("Der alte Link gilt nicht mehr. Hier ist der neue Code für den Tisch."))
    return redirect("sheets:sheet", tournament.slug, number, table)


@require_POST
@organiser_required()
@redrawn_is_404
def free_pen(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    sheets.free_pen(_table(tournament, number, table), at=timezone.now())
    messages.success(request, _("Jetzt kann ein anderes Handy diese Tischliste weiterschreiben."))
    return redirect("sheets:sheet", tournament.slug, number, table)


# --- found or 404 --------------------------------------------------------------------------------------------------


def _board(tournament: Tournament, number: int) -> Board:
    found = board(tournament, number) if 1 <= number <= tournament.rules.most_rounds else None
    if found is None:
        raise Http404
    return found


def _state(tournament: Tournament, number: int, table: int) -> TableState:
    found = _board(tournament, number)
    state = None if found.round.is_drawn_only else found.table(table)
    if state is None:
        raise Http404
    return state


def _table(tournament: Tournament, number: int, table: int) -> Table:
    found = table_at(tournament, number, table)
    if found is None:
        raise Http404
    return found


def _page(tournament: Tournament, number: int, table: int) -> SheetPage:
    page = sheet_page(tournament, number, table) if 1 <= number <= tournament.rules.most_rounds else None
    if page is None:
        raise Http404
    return page


def _line(tournament: Tournament, number: int, table: int, entry: UUID) -> tuple[SheetPage, EntryLine]:
    page = _page(tournament, number, table)
    line = page.line(str(entry))
    if line is None:
        raise Http404
    return page, line


def _sheet_page(
    request: HttpRequest,
    tournament: Tournament,
    number: int,
    table: int,
    *,
    marks: Mapping[str, MarkForm] | None = None,
    **bound: Any,
) -> HttpResponse:
    """The sheet with its forms; bound ones say what is wrong with them. marks: those of the mark, by entry."""
    page = _page(tournament, number, table)
    marks = marks or {}
    unmarked = {line.id: _mark_form(page, line) for line in page.lines if line.waits}
    context = {
        "tournament": tournament,
        "number": number,
        "page": page,
        "link": link_of(page.table.table) if page.round.is_released else None,
        "accept_form": OptionalReasonForm(auto_id="accept_%s"),
        "reopen_form": ReasonForm(auto_id="reopen_%s"),
        "parked_form": ReasonForm(auto_id="parked-%s"),
        "lines": [(line, {**unmarked, **marks}.get(line.id)) for line in reversed(page.lines)],
        "writable": list(_fact_forms(page)),
        **bound,
    }
    return render(request, "scoring/organiser/sheet.html", context, status=422 if bound or marks else 200)


def _mark_form(page: SheetPage, line: EntryLine, data: Any = None) -> MarkForm:
    return MarkForm(data, needs_initials=_needs_initials(page), auto_id=f"mark-{line.number}-%s")


def _needs_initials(page: SheetPage) -> bool:
    return needs_initials(page.table.log.ruleset.sheet)


def _fact_form(page: SheetPage, kind: str, data: Any, initial: dict[str, Any] | None = None) -> FactForm:
    rules = page.table.log.ruleset.sheet
    return _fact_forms(page)[kind](
        data, seats=page.table.table.seats, rules=rules, initial=initial, auto_id="fact_%s"
    )


def _fact_forms(page: SheetPage) -> Mapping[str, type[FactForm]]:
    """The facts that the organiser may write on this sheet, and their forms."""
    return FACT_FORMS[type(page.table.log.ruleset.sheet)]


def _by(request: HttpRequest) -> dict[str, Any]:
    return {"by": request.user.get_username(), "at": timezone.now()}
