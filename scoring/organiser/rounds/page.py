"""The page of a round in each of its states."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scoring.core.prize_outlook import Outlook
from scoring.forms import RefusableForm, refusal_as_message
from scoring.organiser.monitor import monitor_context
from scoring.organiser.rounds.forms import (
    CloseForm,
    DrawForm,
    RedrawForm,
    ReleaseForm,
    SealedForm,
    SwapForm,
    WishForm,
)
from scoring.queries.ceremony import open_ceremony
from scoring.queries.dashboard import open_round_before, rounds_of
from scoring.queries.draw_options import SizeOption, abandoned_attempts, head_count, previews_of, size_options
from scoring.queries.draw_report import report_on
from scoring.queries.entrants import misfits, names_of_the_pausing, qualified, uncounted_tables
from scoring.queries.prizes import outlooks_around, plan_of
from scoring.queries.seats import (
    cost_of_moves,
    waiting_for_a_seat,
)
from scoring.queries.table_monitor import TableMonitor, table_monitor
from scoring.text.prizes import in_one_line
from scoring.text.refusals import message
from tournaments.core.draw import Swap
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import wish_from_dict
from tournaments.forms import RefusalShown
from tournaments.models import Tournament
from tournaments.queries.seating import RoundRow, names_of
from tournaments.queries.sign_ups import names_of_the_unconfirmed
from tournaments.requests import StaffRequest
from tournaments.text.table_sizes import explain_sizes, list_tables, more_tables_of


def cost_context(tournament: Tournament, round_row: RoundRow, ticked: list[str]) -> dict[str, Any]:
    """Return the cost of a swap; `cost` is None unless exactly two players of the round are ticked."""
    players = [int(text) for text in ticked if text.isascii() and text.isdigit() and len(text) < 10]
    if len(players) != 2:
        return {"cost": None}
    try:
        cost = cost_of_moves(tournament, round_row, [Swap(players[0], players[1])])
    except Refusal:
        return {"cost": None}
    return {"cost": cost, "names": {seat.start_number: seat.name for seat in round_row.seats}}


def wishes_context(tournament: Tournament) -> dict[str, Any]:
    return {
        "wishes": [wish_from_dict(wish) for wish in tournament.wishes],
        "names": names_of(tournament),
        "wish_form": WishForm(auto_id="wish_%s"),
    }


Forms = Mapping[str, RefusableForm]


def render_round(
    request: StaffRequest,
    tournament: Tournament,
    number: int,
    bound: Forms | None = None,
    looked_at: SwapForm | None = None,
) -> HttpResponse:
    """Render the page of a round in its current state; bound forms show their errors.

    looked_at: a swap to preview the cost of.
    """
    check_round_number(tournament, number)
    monitor = table_monitor(tournament, number)
    bound = bound or {}
    status = 422 if bound else 200
    if monitor is None:
        context = _undrawn(tournament, number)
        name = "undrawn"
    elif monitor.round.is_draft:
        context = _drawn(tournament, monitor)
        if looked_at is not None:
            looked_at.forgive()
            context |= {"swap_form": looked_at, **cost_context(tournament, monitor.round, looked_at.ticked)}
        name = "drawn"
    else:
        context = _released(request, tournament, monitor)
        name = "released" if monitor.round.is_released else "closed"
    context |= {
        "tournament": tournament,
        "number": number,
        **_sealed(tournament, number),
        **{f"{key}_form": form for key, form in bound.items()},
    }
    return render(request, f"scoring/organiser/rounds/{name}.html", context, status=status)


def refusal_in_round(request: StaffRequest, form: RefusableForm, level: int = messages.ERROR) -> RefusalShown:
    """Show a refusal of the block at its field; without a field (the round has moved on) as a message."""
    as_message = refusal_as_message(request, level)
    return RefusalShown(
        lambda refusal: (form.refuse if refusal.code in form.field_of else as_message.show)(refusal)
    )


def round_again(
    request: StaffRequest, tournament: Tournament, number: int, name: str, form: RefusableForm
) -> HttpResponse:
    """Render the page with the errors of this form; without any, redirect to it."""
    if form.errors:
        return render_round(request, tournament, number, {name: form})
    return redirect("organiser:round", tournament.slug, number)


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
        "is_over": bool(final) or tournament.ended_at is not None,
        "qualified": qualified(tournament, number),
        "uncounted": uncounted_tables(tournament, number),
        "refused": _over(tournament, final) or context["refused"],
        "previews": previews_of(tournament, number),
        "around": _outlooks(tournament, number),
        **wishes_context(tournament),
        "draw_form": DrawForm(
            options=options, mode=tournament.draw_mode, ceremony=tournament.ceremony, auto_id="draw_%s"
        ),
    }


def _sealed(tournament: Tournament, number: int) -> dict[str, Any]:
    """Return the open ceremony of a round, and the form for the words of the hall."""
    open_seal = open_ceremony(tournament, number)
    if open_seal is None:
        return {}
    said = {"words": open_seal.words or ""}
    return {
        "sealed": open_seal,
        "sealed_form": SealedForm(initial=said, is_redraw=open_seal.is_redraw, auto_id="sealed_%s"),
    }


def _outlooks(tournament: Tournament, number: int) -> list[tuple[Outlook, str]]:
    """Return the outlook of the prize plan in words, for a few players fewer or more; empty after the first round."""
    plan = plan_of(tournament) if number == 1 else None
    around = outlooks_around(tournament, plan) if plan and plan.prizes else ()
    return [(each, in_one_line(each.prizes, tournament.fee_kinds)) for each in around]


def _over(tournament: Tournament, final: int | None) -> str:
    """Return the reason why no further round is drawn, "" if there is one. final: round number of a drawn final."""
    if tournament.ended_at is not None:
        return message(Refusal("tournament_ended"))
    return message(Refusal("final_is_drawn", round=final)) if final else ""


def _choosing(tournament: Tournament, number: int) -> dict[str, Any]:
    """Return the choice of table sizes for the current players of a round, and the players left out."""
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
        "refused": message(best.refusal) if best.refusal else "",
        "field_is_settled": is_settled,
        "unconfirmed": names_of_the_unconfirmed(tournament),
        "pausing": names_of_the_pausing(tournament, number),
        "sits_out": best.refusal is not None and best.refusal.code == "head_count_does_not_fit",
    }


def _drawn(tournament: Tournament, monitor: TableMonitor) -> dict[str, Any]:
    return {
        "monitor": monitor,
        "misfits": misfits(tournament, monitor.round),
        "release_waits_for": open_round_before(tournament, monitor.number),
        "release_form": ReleaseForm(auto_id="release_%s"),
        **_by_hand(tournament, monitor),
        "swap_form": SwapForm(round_row=monitor.round, auto_id="swap_%s"),
        **_redrawing(tournament, monitor),
    }


def _released(request: StaffRequest, tournament: Tournament, monitor: TableMonitor) -> dict[str, Any]:
    redrawing = _redrawing(tournament, monitor) if monitor.round.is_released and monitor.is_untouched else {}
    context = monitor_context(request, tournament, monitor, close_form=CloseForm(auto_id="close_%s"))
    more = {
        "abandoned": abandoned_attempts(monitor.round),
        "misfits": misfits(tournament, monitor.round),
        **_by_hand(tournament, monitor),
    }
    return {**more, **context, **redrawing}


def _by_hand(tournament: Tournament, monitor: TableMonitor) -> dict[str, Any]:
    """Return the changes made by hand, and the players who are present without a seat."""
    row, attempt = monitor.round, monitor.round.attempt
    can_take_back = attempt is not None and not row.is_closed
    can_change = can_take_back and not tournament.rules.drawn_ahead
    return {
        "changes": list(attempt.changes.all()) if attempt else [],
        "names": names_of(tournament),
        "drawn": report_on(tournament, monitor.number, is_public=False),
        "can_change": can_change,
        "last_change": row.last_change if can_take_back else [],
        "waiting": waiting_for_a_seat(tournament, row) if can_change or row.is_draft else [],
    }


def _redrawing(tournament: Tournament, monitor: TableMonitor) -> dict[str, Any]:
    """Return the context for a repeated draw, for the players who are present now."""
    context = _choosing(tournament, monitor.number)
    form = DrawForm if tournament.ceremony == Tournament.Ceremony.HALL else RedrawForm
    return context | {
        "abandoned": abandoned_attempts(monitor.round),
        "redraw_form": form(options=context["choices"], mode=tournament.draw_mode, auto_id="redraw_%s"),
    }


def _worded(options: list[SizeOption]) -> list[tuple[SizeOption, str, str]]:
    """Return each option with its name and its list of tables."""
    return [
        (
            option,
            more_tables_of(option.size) if option.size else _("alle gleich groß"),
            list_tables(option.sizes.sizes),
        )
        for option in options
        if option.sizes
    ]


def check_round_number(tournament: Tournament, number: int) -> None:
    if not 1 <= number <= tournament.rules.most_rounds:
        raise Http404
