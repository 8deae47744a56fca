"""The supervisor's views of sheets: accept, reopen, void, correct, write, mark, and decide on parked entries."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.forms import ReasonField, RefusableForm, refusal_as_message
from scoring.organiser.kinds.fact_forms import FactForm, InitialsField
from scoring.organiser.kinds.registry import organiser_kind
from scoring.organiser.tables import Acted, gone_is_404, monitor_context, monitor_or_404, table_or_404
from scoring.queries.sheet_page import EntryLine, SheetPage, parked_place, sheet_page
from scoring.services import calls, exclusion, parked_entries, sheets
from scoring.services import paper as supervision
from scoring.sheet_link import link_of
from scoring.text.refusals import message
from tournaments.access import organiser_view
from tournaments.core.refusal import Refusal
from tournaments.forms import ExclusionForm, form_page, refuse
from tournaments.models import Tournament
from tournaments.requests import StaffRequest, number_in, posted, signed
from tournaments.rulesets.schema import Ruleset
from tournaments.services.rounds import revoke_link
from tournaments.text.refusals import level_of


class MarkForm(RefusableForm):
    """The supervisor's mark on an entry. needs_initials: whether the rule sheet requires initials (RULES 5.3, 5.5)."""

    initials = InitialsField(required=False)

    def __init__(self, *args: Any, needs_initials: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["initials"].required = needs_initials


class SignedReasonForm(MarkForm):
    """The reason for a step of the supervisor on a sheet, with initials if required."""

    reason = ReasonField()

    def __init__(self, *args: Any, needs_initials: bool, **kwargs: Any) -> None:
        super().__init__(*args, needs_initials=needs_initials, **kwargs)
        if not needs_initials:
            del self.fields["initials"]


class AcceptForm(SignedReasonForm):
    """The acceptance of a sheet. A reason is needed only if the sheet was not submitted."""

    reason = ReasonField(required=False)


class AllParkedForm(SignedReasonForm):
    """One reason for all parked entries of a sheet. up_to: the last one that the page showed."""

    up_to = forms.IntegerField(min_value=0, max_value=2**63 - 1)


class CorrectionForm(MarkForm):
    """The reason for a correction, for entries of every kind."""

    reason = ReasonField()
    accept = forms.BooleanField(label=gettext_lazy("danach gleich wieder annehmen"), required=False)


# --- from the table monitor ----------------------------------------------------------------------------------------


@gone_is_404
@organiser_view("POST")
def accept(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """Accept a sheet: from the table monitor without a reason, from its page with one if it was not submitted."""
    target = table_or_404(tournament, number, table)
    form = AcceptForm(request.POST, needs_initials=signs(tournament.rules), auto_id="accept_%s")
    if not form.is_valid():
        return render_sheet(request, tournament, number, table, accept_form=form)
    reason, initials = form.cleaned_data["reason"], form.cleaned_data.get("initials", "")
    with form.refusal_at_field():
        draft = ("accepted", {"reason": reason} if reason else {})
        sheets.write(target, [draft], initials=initials, **signed(request))
    if "board" in request.POST:
        refused = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return _board_again(request, tournament, number, refused=refused)
    if form.errors:
        return render_sheet(request, tournament, number, table, accept_form=form)
    messages.success(request, _("Angenommen. Die Tischliste zählt jetzt für den Stand."))
    return redirect("organiser:sheet", tournament.slug, number, table)


@organiser_view("POST")
def accept_submitted(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    form = MarkForm(request.POST, needs_initials=signs(tournament.rules))
    if not form.is_valid():
        return _board_again(request, tournament, number, refused=str(form.errors["initials"][0]))
    accepted = supervision.accept_submitted(tournament, number, **form.cleaned_data, **signed(request))
    done = ngettext("Eine Tischliste angenommen.", "%(count)s Tischlisten angenommen.", len(accepted)) % {
        "count": len(accepted)
    }
    return _board_again(request, tournament, number, done=done)


@gone_is_404
@organiser_view("POST")
def come(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """End a table's call for the supervisor, or with `back` undo that."""
    target = table_or_404(tournament, number, table)
    if "back" in request.POST:
        undo = partial(calls.take_come_back, target, by=signed(request)["by"])
        return _taken_back(request, tournament, number, undo)
    calls.come(target, **signed(request))
    done = _("Tisch %(number)s: Die Aufsicht ist gekommen.") % {"number": table}
    return _board_again(request, tournament, number, done=done, acted=Acted(table, "come"))


@gone_is_404
@organiser_view("POST")
def report_missing(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """Report the player of a seat as missing."""
    seat = number_in(request.POST.get("seat", "")) or 0
    with refusal_as_message(request):
        calls.report_missing(table_or_404(tournament, number, table), seat, **signed(request))
        messages.success(request, _("Wird jetzt gesucht: an der Leinwand und am eigenen Handy."))
    return redirect("organiser:sheet", tournament.slug, number, table)


@gone_is_404
@organiser_view("POST")
def end_missing(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """End the search for the player of a seat, from the table monitor or the page of the sheet, or with `back` undo that."""
    seat = number_in(request.POST.get("seat", "")) or 0
    target = table_or_404(tournament, number, table)
    if "back" in request.POST:
        undo = partial(calls.take_found_back, target, seat, by=signed(request)["by"])
        return _taken_back(request, tournament, number, undo)
    calls.end_missing(target, seat, **signed(request))
    done = _("Tisch %(number)s: gefunden.") % {"number": table}
    return _board_again(request, tournament, number, done=done, acted=Acted(table, "end_missing", seat))


def _taken_back(
    request: StaffRequest, tournament: Tournament, number: int, undo: Callable[[], object]
) -> HttpResponse:
    try:
        undo()
    except Refusal as refusal:
        return _board_again(request, tournament, number, refused=message(refusal))
    return _board_again(request, tournament, number)


def _board_again(
    request: StaffRequest,
    tournament: Tournament,
    number: int,
    *,
    refused: str = "",
    done: str = "",
    acted: Acted | None = None,
) -> HttpResponse:
    if not request.htmx:
        if refused:
            refuse(request, refused)
        if done:
            messages.success(request, done)
        return redirect("organiser:round", tournament.slug, number)
    monitor = monitor_or_404(tournament, number)
    says = {"refused": refused, "done": done, "moves_on": acted is None}
    context = monitor_context(request, tournament, monitor, acted=acted, **says)
    return render(request, "scoring/organiser/_table_monitor.html", context)


# --- one sheet -----------------------------------------------------------------------------------------------------


@organiser_view("GET")
def sheet(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    return render_sheet(request, tournament, number, table)


@gone_is_404
@organiser_view("POST")
def reopen(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    target = table_or_404(tournament, number, table)
    form = SignedReasonForm(request.POST, needs_initials=signs(tournament.rules), auto_id="reopen_%s")
    if form.is_valid():
        draft = ("reopened", {"reason": form.cleaned_data["reason"]})
        with form.refusal_at_field():
            sheets.write(target, [draft], initials=form.cleaned_data.get("initials", ""), **signed(request))
            messages.success(request, _("Wieder offen. Sie zählt erst wieder, wenn sie angenommen ist."))
            return redirect("organiser:sheet", tournament.slug, number, table)
    return render_sheet(request, tournament, number, table, reopen_form=form)


@gone_is_404
@organiser_view("GET", "POST")
def void(request: StaffRequest, tournament: Tournament, number: int, table: int, entry: UUID) -> HttpResponse:
    """Ask for the reason on GET, void the entry on POST."""
    page, line = line_or_404(tournament, number, table, entry)
    data = posted(request)
    form = SignedReasonForm(data, needs_initials=signs(tournament.rules), auto_id="void_%s")
    if data is not None and form.is_valid():
        draft = ("voided", {"entry": line.id, "reason": form.cleaned_data["reason"]})
        target, initials = table_or_404(tournament, number, table), form.cleaned_data.get("initials", "")
        with form.refusal_at_field():
            sheets.write(target, [draft], initials=initials, **signed(request))
            messages.success(request, _("Eintrag %(line)s ist zurückgenommen.") % {"line": line.number})
            return redirect("organiser:sheet", tournament.slug, number, table)
    context = {"tournament": tournament, "number": number, "page": page, "line": line, "form": form}
    return form_page(request, "scoring/organiser/sheets/void.html", context, form)


@gone_is_404
@organiser_view("GET", "POST")
def correct(
    request: StaffRequest, tournament: Tournament, number: int, table: int, entry: UUID
) -> HttpResponse:
    """Show the entry as a form on GET, replace its data on POST."""
    page, line = line_or_404(tournament, number, table, entry)
    forms = fact_forms(page)
    if line.kind not in forms:
        raise Http404
    data = posted(request)
    fact = fact_form(page, line.kind, data, initial=forms[line.kind].initial_of(line.counts.data))
    why = CorrectionForm(
        data,
        needs_initials=signs(tournament.rules),
        auto_id="why_%s",
        initial={"accept": not page.table.is_open},
    )
    if data is not None and fact.is_valid() & why.is_valid():
        try:
            supervision.correct(
                table_or_404(tournament, number, table),
                line.id,
                fact.entry_data(),
                **why.cleaned_data,
                **signed(request),
            )
        except Refusal as refusal:
            if refusal.code == "nothing_changes":
                refuse(request, message(refusal), level_of(refusal))
                return redirect("organiser:sheet", tournament.slug, number, table)
            (why if refusal.code in why.field_of else fact).refuse(refusal)
        else:
            messages.success(request, _("Berichtigt. Der alte Eintrag bleibt auf der Tischliste lesbar."))
            return redirect("organiser:sheet", tournament.slug, number, table)
    context = {
        "tournament": tournament,
        "number": number,
        "page": page,
        "line": line,
        "form": fact,
        "why_form": why,
    }
    return form_page(request, "scoring/organiser/sheets/correct.html", context, fact, why)


@gone_is_404
@organiser_view("GET", "POST")
def write(request: StaffRequest, tournament: Tournament, number: int, table: int, kind: str) -> HttpResponse:
    """Show an empty form for a fact of this kind on GET, write the fact on POST."""
    page = sheet_page_or_404(tournament, number, table)
    if kind not in fact_forms(page):
        raise Http404
    data = posted(request)
    form = fact_form(page, kind, data)
    mark = MarkForm(data, needs_initials=signs(tournament.rules), auto_id="mark_%s")
    if data is not None and form.is_valid() & mark.is_valid():
        with form.refusal_at_field():
            draft = (kind, form.entry_data())
            target = table_or_404(tournament, number, table)
            sheets.write(target, [draft], **mark.cleaned_data, **signed(request))
            messages.success(request, _("Eingetragen."))
            return redirect("organiser:sheet", tournament.slug, number, table)
    context = {"tournament": tournament, "number": number, "page": page, "form": form, "mark_form": mark}
    return form_page(request, "scoring/organiser/sheets/write.html", context, form, mark)


@gone_is_404
@organiser_view("POST")
def approve(
    request: StaffRequest, tournament: Tournament, number: int, table: int, entry: UUID
) -> HttpResponse:
    """Put the supervisor's mark on a Tout."""
    page, line = line_or_404(tournament, number, table, entry)
    form = mark_form(page, line, request.POST)
    if form.is_valid():
        target = table_or_404(tournament, number, table)
        with form.refusal_at_field():
            draft = ("approved", {"entry": line.id})
            sheets.write(target, [draft], **form.cleaned_data, **signed(request))
            messages.success(request, _("Abgezeichnet. Das Spiel zählt jetzt."))
            return redirect("organiser:sheet", tournament.slug, number, table)
    return render_sheet(request, tournament, number, table, marks={line.id: form})


@gone_is_404
@organiser_view("POST")
def decide_parked(request: StaffRequest, tournament: Tournament, parked: int) -> HttpResponse:
    place = parked_place(tournament, parked)
    if place is None:
        raise Http404
    form = parked_form(tournament, parked, request.POST)
    adopts = request.POST.get("outcome") == "adopt"
    if form.is_valid():
        with form.refusal_at_field():
            decide = parked_entries.adopt if adopts else parked_entries.discard
            decide(tournament, parked, **form.cleaned_data, **signed(request))
            messages.success(request, _("Übernommen.") if adopts else _("Verworfen."))
            return redirect("organiser:sheet", tournament.slug, *place)
    return render_sheet(request, tournament, *place, parked_forms={parked: form})


@gone_is_404
@organiser_view("POST")
def decide_all_parked(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """Adopt or discard the parked entries of a table. Refused ones stay parked, shown with the reason."""
    target = table_or_404(tournament, number, table)
    form = AllParkedForm(request.POST, needs_initials=signs(tournament.rules), auto_id="all-parked-%s")
    if not form.is_valid():
        return render_sheet(request, tournament, number, table, all_parked_form=form)
    decision = {**form.cleaned_data, **signed(request)}
    if request.POST.get("outcome") != "adopt":
        count = parked_entries.discard_all(target, **decision)
        done = ngettext("Einen Eintrag verworfen.", "%(count)s Einträge verworfen.", count)
        messages.success(request, done % {"count": count})
        return redirect("organiser:sheet", tournament.slug, number, table)
    count, refused = parked_entries.adopt_all(target, **decision)
    done = ngettext("Einen Eintrag übernommen.", "%(count)s Einträge übernommen.", count)
    if count:
        messages.success(request, done % {"count": count})
    if refused:
        return render_sheet(request, tournament, number, table, not_adopted=refused)
    return redirect("organiser:sheet", tournament.slug, number, table)


@organiser_view("POST")
def exclude_table(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """Exclude all players of the table, with one reason."""
    target = table_or_404(tournament, number, table)
    form = ExclusionForm(request.POST, rules=tournament.rules, auto_id="exclude-%s")
    if form.is_valid():
        with form.refusal_at_field():
            people = exclusion.exclude_table(target, reason=form.cleaned_data["reason"], **signed(request))
            done = ngettext(
                "Ein Spieler ist ausgeschlossen.", "%(count)s Spieler sind ausgeschlossen.", len(people)
            )
            messages.success(request, done % {"count": len(people)})
            return redirect("organiser:sheet", tournament.slug, number, table)
    return render_sheet(request, tournament, number, table, exclusion_form=form)


@organiser_view("POST")
def revoke(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    table_or_404(tournament, number, table)
    revoke_link(tournament, number, table)
    messages.success(request, _("Der alte Link gilt nicht mehr. Hier ist der neue Code für den Tisch."))
    return redirect("organiser:sheet", tournament.slug, number, table)


@gone_is_404
@organiser_view("POST")
def free_pen(request: StaffRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    sheets.free_pen(table_or_404(tournament, number, table), at=timezone.now())
    messages.success(request, _("Jetzt kann ein anderes Handy diese Tischliste weiterschreiben."))
    return redirect("organiser:sheet", tournament.slug, number, table)


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
