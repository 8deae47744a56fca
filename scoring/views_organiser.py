"""The organiser's evening and its rounds: what to do next, draw, look, swap, release, close."""

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from scoring.documents import dump, export_tournament
from scoring.forms import CloseForm, DrawForm, RedrawForm, RefusableForm, SwapForm
from scoring.queries.backups import BackupState, backup_state
from scoring.queries.draw_report import report_on
from scoring.queries.evening import (
    SizeOption,
    abandoned_attempts,
    evening_of,
    head_count,
    open_round_before,
    previews_of,
    reunions,
    rounds_of,
    size_options,
)
from scoring.queries.field import misfits, qualified, uncounted_tables
from scoring.queries.flags import count_open
from scoring.queries.seats import waiting_for_a_seat
from scoring.queries.supervision import Board, board
from scoring.queries.tree import organisers_tree
from scoring.services import purge
from scoring.services import rounds as scored_rounds
from scoring.services.rounds import DrawWish
from scoring.views_seating import cost_context
from scoring.views_wishes import wishes_context
from scoring.wording import word
from tournaments.access import organiser_required
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament
from tournaments.queries.seating import names_of
from tournaments.services import rounds as seating
from tournaments.services.draw_settings import choose_mode
from tournaments.wording import (
    explain_next_stages,
    explain_sizes,
    explain_stages,
    list_tables,
    more_tables_of,
)

Forms = Mapping[str, RefusableForm]


@organiser_required()
def overview(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    evening = evening_of(tournament)
    context = {"tournament": tournament, "evening": evening, "backup": _backup(tournament)}
    context["flags"] = count_open(tournament)
    context["plan"] = (explain_next_stages if evening.begun else explain_stages)(evening.ahead)
    return render(request, "scoring/organiser/overview.html", context)


@organiser_required()
def backup_fragment(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    context = {"tournament": tournament, "backup": _backup(tournament)}
    return render(request, "scoring/organiser/_backup.html", context)


@organiser_required()
def rounds(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    context = {"tournament": tournament, "rounds": rounds_of(tournament)}
    return render(request, "scoring/organiser/rounds.html", context)


@organiser_required()
def tree(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Who went on from which table; not there where nobody drops out."""
    found = organisers_tree(tournament)
    if found is None:
        raise Http404
    return render(request, "scoring/organiser/tree.html", {"tournament": tournament, "tree": found})


@organiser_required()
def round_page(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    return _round_page(request, tournament, number)


@organiser_required()
def board_fragment(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The board as it is now, or 204 where nothing has changed; the whole page once the round is no longer played."""
    found = board(tournament, number)
    if found is None or not found.round.is_released:
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    if request.GET.get("version") == found.version:
        return HttpResponse(status=204)
    return render(request, "scoring/organiser/_board.html", board_context(request, tournament, found))


@require_POST
@organiser_required()
def draw(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    _check_number(tournament, number)
    form = DrawForm(
        request.POST, options=_options(tournament, number), mode=tournament.draw_mode, auto_id="draw_%s"
    )
    if not form.is_valid():
        return _round_page(request, tournament, number, {"draw": form})
    try:
        _keep_mode(tournament, form)
        drawn = scored_rounds.draw_ahead(tournament, number=number, wish=_wish(form), **_by(request))
    except Refusal as refusal:
        if refusal.code == "round_already_drawn":
            messages.info(request, _("Diese Spielrunde ist schon ausgelost. Hier ist die Auslosung."))
            return redirect("sheets:round", tournament.slug, number)
        form.refuse(refusal)
        return _round_page(request, tournament, number, {"draw": form})
    messages.success(
        request,
        ngettext(
            "Ausgelost. Bitte ansehen und dann freigeben.",
            "%(count)s Spielrunden sind ausgelost. Bitte ansehen und dann die erste freigeben.",
            len(drawn),
        )
        % {"count": len(drawn)},
    )
    return redirect("sheets:round", tournament.slug, number)


@require_POST
@organiser_required()
def redraw(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    form = RedrawForm(
        request.POST, options=_options(tournament, number), mode=tournament.draw_mode, auto_id="redraw_%s"
    )
    if not form.is_valid():
        return _round_page(request, tournament, number, {"redraw": form})
    try:
        reason = form.cleaned_data["reason"]
        _keep_mode(tournament, form)
        scored_rounds.draw_again(tournament, number, wish=_wish(form), reason=reason, **_by(request))
    except Refusal as refusal:
        return _refused(request, tournament, number, "redraw", form, refusal)
    messages.success(
        request, _("Neu ausgelost. Die Auslosung davor bleibt mit Ihrer Begründung festgehalten.")
    )
    return redirect("sheets:round", tournament.slug, number)


@require_POST
@organiser_required()
def swap(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    found = board(tournament, number)
    if found is None:
        raise Http404
    form = SwapForm(request.POST, found=found.round, auto_id="swap_%s")
    if "look" in request.POST:
        return _round_page(request, tournament, number, looked_at=form)
    if not form.is_valid():
        return _round_page(request, tournament, number, {"swap": form})
    try:
        a, b = form.cleaned_data["player"]
        seating.swap(tournament, number, a=a, b=b, reason=form.cleaned_data["reason"], **_by(request))
    except Refusal as refusal:
        return _refused(request, tournament, number, "swap", form, refusal)
    names = {seat.start_number: seat.name for seat in found.round.seats}
    messages.success(request, _("Getauscht: %(a)s und %(b)s.") % {"a": names[a], "b": names[b]})
    return redirect("sheets:round", tournament.slug, number)


@require_POST
@organiser_required()
def release(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    _check_number(tournament, number)
    try:
        seating.release(tournament, number, at=timezone.now())
    except Refusal as refusal:
        messages.info(request, word(refusal))
    else:
        messages.success(
            request, _("Freigegeben. Alle sehen jetzt, wo sie sitzen, und die Tischlisten sind offen.")
        )
    return redirect("sheets:round", tournament.slug, number)


@require_POST
@organiser_required()
def close(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    _check_number(tournament, number)
    form = CloseForm(request.POST, auto_id="close_%s")
    if not form.is_valid():
        return _round_page(request, tournament, number, {"close": form})
    try:
        scored_rounds.close(tournament, number, reason=form.cleaned_data["reason"], at=timezone.now())
    except Refusal as refusal:
        return _refused(request, tournament, number, "close", form, refusal)
    messages.success(request, _("Die Spielrunde %(number)s ist abgeschlossen.") % {"number": number})
    return redirect("sheets:overview", tournament.slug)


@organiser_required()
def export(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The whole tournament as one document, unreleased seeds included."""
    response = HttpResponse(dump(export_tournament(tournament)), content_type="application/json")
    response["Content-Disposition"] = f"attachment; filename={json.dumps(f'{tournament.slug}.json')}"
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@organiser_required()
def delete_practice(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    try:
        purge.delete_practice_tournament(tournament)
    except Refusal as refusal:
        messages.error(request, word(refusal))
        return redirect("organiser:settings", tournament.slug)
    messages.success(request, _("Das Übungsturnier ist gelöscht."))
    return redirect("organiser:home")


@require_POST
@organiser_required()
def erase_person(request: HttpRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    """In one step; the page that he asked it on is the person's own (see tournaments.views_door.person)."""
    try:
        purge.erase_person(tournament, start_number)
    except Refusal:
        raise Http404 from None
    messages.success(
        request,
        _("Nr. %(number)s ist gelöscht: kein Name, kein Verein, keine Texte mehr.")
        % {"number": start_number},
    )
    return redirect("organiser:person", tournament.slug, start_number)


def _backup(tournament: Tournament) -> BackupState | None:
    folder = settings.BACKUP_DIR
    return backup_state(folder, tournament, now=timezone.now()) if folder else None


# --- the page of a round -------------------------------------------------------------------------------------------


def board_context(request: HttpRequest, tournament: Tournament, found: Board, **more: Any) -> dict[str, Any]:
    """What `_board.html` needs; `?only=mine` leaves out the tables that need nobody."""
    only = request.GET.get("only") == "mine"
    shown = found.needing if only else found.tables
    return {"tournament": tournament, "board": found, "only_mine": only, "shown": shown, **more}


def _round_page(
    request: HttpRequest,
    tournament: Tournament,
    number: int,
    bound: Forms | None = None,
    looked_at: SwapForm | None = None,
) -> HttpResponse:
    """The page of a round in whatever state it is; with bound forms it says what is wrong with them.

    looked_at: a swap whose cost is shown before it is done.
    """
    _check_number(tournament, number)
    found = board(tournament, number)
    bound = bound or {}
    status = 422 if bound else 200
    if found is None:
        context = _undrawn(tournament, number)
        name = "round_undrawn"
    elif found.round.is_drawn_only:
        context = _drawn(tournament, found)
        if looked_at is not None:
            looked_at.forgive()
            context |= {"swap_form": looked_at, **cost_context(tournament, found.round, looked_at.ticked)}
        name = "round_drawn"
    else:
        context = _released(request, tournament, found)
        name = "round_released" if found.round.is_released else "round_closed"
    context |= {
        "tournament": tournament,
        "number": number,
        **{f"{key}_form": form for key, form in bound.items()},
    }
    return render(request, f"scoring/organiser/{name}.html", context, status=status)


def _undrawn(tournament: Tournament, number: int) -> dict[str, Any]:
    lines = rounds_of(tournament)
    waits_for = ("todo",) if tournament.rules.drawn_ahead else ("todo", "drawn", "released")
    earlier = next((line.number for line in lines if line.number < number and line.state in waits_for), None)
    final = next((line.number for line in lines if line.number < number and line.is_final), None)
    context = _choosing(tournament, number)
    options = context["choices"]
    return context | {
        "earlier": earlier,
        "final": final,
        "qualified": qualified(tournament, number),
        "uncounted": uncounted_tables(tournament, number),
        "refused": word(Refusal("final_is_drawn", round=final)) if final else context["refused"],
        "previews": previews_of(tournament, number),
        **wishes_context(tournament),
        "draw_form": DrawForm(options=options, mode=tournament.draw_mode, auto_id="draw_%s"),
    }


def _choosing(tournament: Tournament, number: int) -> dict[str, Any]:
    """The tables to choose from for the field of a round as it is now."""
    people, rules = head_count(tournament, number), tournament.rules
    options = size_options(people.present, rules)
    best = options[0]
    is_settled = number > 1 and rules.qualifying is not None
    return {
        "people": people,
        "choices": options,
        "options": _worded(options),
        "explained": best.sizes
        and explain_sizes(
            people.present, best.sizes, rules.tables, rules.qualifying, field_is_settled=is_settled
        ),
        "refused": word(best.refusal) if best.refusal else "",
        "field_is_settled": is_settled,
        "sits_out": best.refusal is not None and best.refusal.code == "head_count_does_not_fit",
    }


def _drawn(tournament: Tournament, found: Board) -> dict[str, Any]:
    return {
        "board": found,
        "reunions": reunions(tournament, found.round),
        "misfits": misfits(tournament, found.round),
        "release_waits_for": open_round_before(tournament, found.number),
        **_by_hand(tournament, found),
        "swap_form": SwapForm(found=found.round, auto_id="swap_%s"),
        **_redrawing(tournament, found),
    }


def _released(request: HttpRequest, tournament: Tournament, found: Board) -> dict[str, Any]:
    redrawing = _redrawing(tournament, found) if found.round.is_released and found.is_untouched else {}
    context = board_context(request, tournament, found, close_form=CloseForm(auto_id="close_%s"))
    more = {
        "abandoned": abandoned_attempts(found.round),
        "misfits": misfits(tournament, found.round),
        **_by_hand(tournament, found),
    }
    return {**more, **context, **redrawing}


def _by_hand(tournament: Tournament, found: Board) -> dict[str, Any]:
    """What was changed by hand, and who is here without a seat."""
    attempt = found.round.attempt
    can_take_back = attempt is not None and not found.round.is_closed
    can_change = can_take_back and not tournament.rules.drawn_ahead
    return {
        "changes": list(attempt.changes.all()) if attempt else [],
        "names": names_of(tournament),
        "drawn": report_on(tournament, found.number, is_public=False),
        "can_change": can_change,
        "last_change": found.round.last_change if can_take_back else [],
        "waiting": waiting_for_a_seat(tournament, found.round) if can_change else [],
    }


def _redrawing(tournament: Tournament, found: Board) -> dict[str, Any]:
    """What it takes to draw again: for those who are here now."""
    context = _choosing(tournament, found.number)
    return context | {
        "abandoned": abandoned_attempts(found.round),
        "redraw_form": RedrawForm(options=context["choices"], mode=tournament.draw_mode, auto_id="redraw_%s"),
    }


def _worded(options: list[SizeOption]) -> list[tuple[SizeOption, str, str]]:
    """Each choice with what it is called and how the tables come out."""
    return [
        (
            option,
            more_tables_of(option.size) if option.size else _("alle gleich groß"),
            list_tables(option.sizes.sizes),
        )
        for option in options
        if option.sizes
    ]


def _options(tournament: Tournament, number: int) -> list[SizeOption]:
    return size_options(head_count(tournament, number).present, tournament.rules)


def _wish(form: DrawForm) -> DrawWish:
    mode = form.cleaned_data["mode"] or None
    return DrawWish(
        mode=mode, prefer=form.cleaned_data["prefer"] or None, exceptions=form.cleaned_data["exceptions"]
    )


def _keep_mode(tournament: Tournament, form: DrawForm) -> None:
    """What was chosen stays chosen for the next rounds."""
    mode = form.cleaned_data["mode"]
    if mode and mode != tournament.draw_mode:
        choose_mode(tournament, mode)


def _by(request: HttpRequest) -> dict[str, Any]:
    return {"by": request.user.get_username(), "at": timezone.now()}


def _check_number(tournament: Tournament, number: int) -> None:
    if not 1 <= number <= tournament.rules.most_rounds:
        raise Http404


def _refused(
    request: HttpRequest,
    tournament: Tournament,
    number: int,
    name: str,
    form: RefusableForm,
    refusal: Refusal,
) -> HttpResponse:
    """At the field where it belongs to one; otherwise the round has moved on, and its page says so."""
    _check_number(tournament, number)
    if refusal.code in form.field_of:
        form.refuse(refusal)
        return _round_page(request, tournament, number, {name: form})
    messages.error(request, word(refusal))
    return redirect("sheets:round", tournament.slug, number)
