"""The page of one sheet."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render

from scoring.organiser.kinds.fact_forms import FactForm
from scoring.organiser.kinds.registry import organiser_kind
from scoring.organiser.sheets.forms import AcceptForm, AllParkedForm, MarkForm, SignedReasonForm
from scoring.queries.sheet_page import EntryLine, SheetPage, sheet_page
from scoring.sheet_link import link_of
from scoring.text.refusals import message
from tournaments.core.refusal import Refusal
from tournaments.forms import ExclusionForm
from tournaments.models import Tournament
from tournaments.requests import StaffRequest
from tournaments.rulesets.schema import Ruleset

LINES_SHOWN = 150
"""Number of newest lines of the log, and of oldest parked entries, on the page; more than usual sheets have. The rest on request."""


def sheet_page_or_404(tournament: Tournament, number: int, table: int) -> SheetPage:
    page = sheet_page(tournament, number, table) if 1 <= number <= tournament.rules.most_rounds else None
    if page is None:
        raise Http404
    return page


def line_or_404(tournament: Tournament, number: int, table: int, entry: UUID) -> tuple[SheetPage, EntryLine]:
    page = sheet_page_or_404(tournament, number, table)
    line = page.line(str(entry))
    if line is None:
        raise Http404
    return page, line


def render_sheet(
    request: StaffRequest,
    tournament: Tournament,
    number: int,
    table: int,
    *,
    marks: Mapping[str, MarkForm] | None = None,
    parked_forms: Mapping[int, SignedReasonForm] | None = None,
    not_adopted: Mapping[int, Refusal] | None = None,
    **bound: Any,
) -> HttpResponse:
    """Render the sheet with its forms; bound forms show their errors.

    marks: bound mark forms, by entry. parked_forms, not_adopted: bound forms and refusals of parked entries, by id.
    """
    page = sheet_page_or_404(tournament, number, table)
    marks, parked_forms = marks or {}, parked_forms or {}
    initials = signs(tournament.rules)
    unmarked = {line.id: mark_form(page, line) for line in page.lines if line.waits}
    lines = page.lines if "all" in request.GET else page.newest_lines(LINES_SHOWN)
    why = {parked: message(refusal) for parked, refusal in (not_adopted or {}).items()}
    context = {
        "tournament": tournament,
        "number": number,
        "page": page,
        "link": link_of(page.table.table) if page.round.is_released else None,
        "accept_form": AcceptForm(needs_initials=initials, auto_id="accept_%s"),
        "reopen_form": SignedReasonForm(needs_initials=initials, auto_id="reopen_%s"),
        "exclusion_form": ExclusionForm(rules=tournament.rules, auto_id="exclude-%s"),
        "all_parked_form": AllParkedForm(needs_initials=initials, auto_id="all-parked-%s"),
        "parked_lines": [
            (line, why.get(line.id), parked_forms.get(line.id) or parked_form(tournament, line.id))
            for line in page.undecided[:LINES_SHOWN]
        ],
        "lines": [(line, {**unmarked, **marks}.get(line.id)) for line in reversed(lines)],
        "not_adopted": why,
        "shows_all": len(lines) == len(page.lines),
        "writable": {kind: form.button for kind, form in fact_forms(page).items()},
        **bound,
    }
    return render(
        request,
        "scoring/organiser/sheets/sheet.html",
        context,
        status=422 if bound or marks or parked_forms or not_adopted else 200,
    )


def mark_form(page: SheetPage, line: EntryLine, data: Any = None) -> MarkForm:
    needs_initials = signs(page.table.log.ruleset)
    return MarkForm(data, needs_initials=needs_initials, auto_id=f"mark-{line.number}-%s")


def parked_form(tournament: Tournament, parked: int, data: Any = None) -> SignedReasonForm:
    return SignedReasonForm(data, needs_initials=signs(tournament.rules), auto_id=f"parked-{parked}-%s")


def signs(rules: Ruleset) -> bool:
    """Whether the supervisor signs changes of a sheet with initials."""
    return organiser_kind(rules).needs_initials


def fact_form(page: SheetPage, kind: str, data: Any, initial: dict[str, Any] | None = None) -> FactForm:
    rules = page.table.log.ruleset.sheet
    return fact_forms(page)[kind](
        data, seats=page.table.table.seats, rules=rules, initial=initial, auto_id="fact_%s"
    )


def fact_forms(page: SheetPage) -> Mapping[str, type[FactForm]]:
    """Return the forms of the facts that the organiser may write on this sheet."""
    return organiser_kind(page.table.log.ruleset).fact_forms
