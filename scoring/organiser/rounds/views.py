"""The organiser's views of rounds: draw, also in front of the hall, swap, release, close, and wishes."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.core.prize_outlook import Outlook
from scoring.forms import CloseForm, RefusableForm, refusal_as_message
from scoring.organiser.rounds.forms import (
    DrawForm,
    RedrawForm,
    ReleaseForm,
    SealedForm,
    SwapForm,
    WishForm,
)
from scoring.organiser.tables import changeable_round_or_404, monitor_context, monitor_or_404
from scoring.queries.bracket import organiser_bracket
from scoring.queries.ceremony import open_ceremony
from scoring.queries.dashboard import ends_in_public, open_round_before, rounds_of
from scoring.queries.draw_options import SizeOption, abandoned_attempts, head_count, previews_of, size_options
from scoring.queries.draw_report import report_on
from scoring.queries.entrants import misfits, names_of_the_pausing, qualified, uncounted_tables
from scoring.queries.prizes import outlooks_around, plan_of
from scoring.queries.seats import (
    cost_of_moves,
    players_called,
    waiting_for_a_seat,
)
from scoring.queries.table_monitor import TableMonitor, table_monitor
from scoring.services import ceremonies
from scoring.services import rounds as scored_rounds
from scoring.services.ceremonies import seal_draw
from scoring.services.rounds import DrawOptions
from scoring.services.standings import freeze
from scoring.text.prizes import PrizeLine, outlook_rows
from scoring.text.refusals import message
from scoring.text.states import round_name
from tournaments.access import organiser_view
from tournaments.core.draw import Swap
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import FixedTable, KeepApart, Wish, wish_from_dict
from tournaments.forms import RefusalShown, form_page, refuse
from tournaments.models import Tournament
from tournaments.once import mark_unchanged
from tournaments.queries.seating import RoundRow, names_of
from tournaments.queries.sign_ups import names_of_the_unconfirmed
from tournaments.requests import StaffRequest, posted, signed
from tournaments.rulesets.schema import Ruleset
from tournaments.services import draw_settings
from tournaments.services import rounds as seating
from tournaments.text.table_sizes import explain_sizes, list_tables, more_tables_of


@organiser_view("GET")
def swap_cost(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the cost of swapping the two ticked players; empty for any other number of players."""
    round_row = changeable_round_or_404(tournament, number)
    context = cost_context(tournament, round_row, request.GET.getlist("player"))
    return render(request, "scoring/organiser/_cost.html", context)


@organiser_view("GET")
def rounds(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Redirect to the first round that is not closed; with `all`, or after the last one, list them."""
    lines = rounds_of(tournament)
    current = next((line.number for line in lines if line.state != "closed"), None)
    if current and "all" not in request.GET:
        return redirect("organiser:round", tournament.slug, current)
    context = {"tournament": tournament, "rounds": lines}
    return render(request, "scoring/organiser/rounds/rounds.html", context)


@organiser_view("GET")
def tree(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the bracket of a knockout. Raise Http404 for any other tournament."""
    bracket = organiser_bracket(tournament)
    if bracket is None:
        raise Http404
    context = {"tournament": tournament, "bracket": bracket}
    return render(request, "scoring/organiser/rounds/bracket.html", context)


@organiser_view("GET")
def round_page(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    return render_round(request, tournament, number)


@organiser_view("GET")
def monitor_fragment(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Render the table monitor, or return 204 if it is unchanged.

    If the round is no longer in play, htmx is told to reload the page.
    """
    monitor = table_monitor(tournament, number)
    if monitor is None or not monitor.round.is_released:
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    if request.GET.get("version") == monitor.version:
        return HttpResponse(status=204)
    return render(
        request, "scoring/organiser/_table_monitor.html", monitor_context(request, tournament, monitor)
    )


@organiser_view("POST")
def draw(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    check_round_number(tournament, number)
    form = DrawForm(request.POST, options=_options(tournament, number), auto_id="draw_%s")
    if form.is_valid():
        try:
            with transaction.atomic():
                messages.success(request, _draw(request, tournament, number, form))
        except Refusal as refusal:
            if refusal.code == "round_already_drawn":
                messages.info(request, _("Diese Spielrunde ist schon ausgelost. Hier ist die Auslosung."))
            else:
                form.refuse(refusal)
    return round_again(request, tournament, number, "draw", form)


def _draw(request: StaffRequest, tournament: Tournament, number: int, form: DrawForm) -> str:
    """Draw a round and those drawn with it, or seal the draw, and return the success message."""
    _keep_settings(tournament, form)
    options = _draw_options(form)
    if (form.cleaned_data["ceremony"] or tournament.ceremony) == Tournament.Ceremony.HALL:
        seal_draw(tournament, number, options=options, **signed(request))
        return _("Versiegelt. Das Siegel steht öffentlich da.")
    drawn = scored_rounds.draw_ahead(tournament, number=number, options=options, **signed(request))
    said = ngettext(
        "Ausgelost. Bitte ansehen und dann freigeben.",
        "%(count)s Spielrunden sind ausgelost. Bitte ansehen und dann die erste freigeben.",
        len(drawn),
    )
    return said % {"count": len(drawn)}


@organiser_view("POST")
def redraw(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Draw a round again; with the ceremony, seal another draw of it."""
    check_round_number(tournament, number)
    is_before_the_hall = tournament.ceremony == Tournament.Ceremony.HALL
    form_class = DrawForm if is_before_the_hall else RedrawForm
    form = form_class(request.POST, options=_options(tournament, number), auto_id="redraw_%s")
    if refusal := _too_late_to_redraw(tournament, number):
        refuse(request, message(refusal))
        return redirect("organiser:round", tournament.slug, number)
    if form.is_valid():
        with refusal_in_round(request, form), transaction.atomic():
            _keep_settings(tournament, form)
            options = _draw_options(form)
            if is_before_the_hall:
                seal_draw(tournament, number, options=options, **signed(request))
                said = _("Versiegelt. Die Auslosung gilt noch, bis neu ausgelost wird.")
            else:
                words = {"reason": form.cleaned_data["reason"], **signed(request)}
                scored_rounds.draw_again(tournament, number, options=options, **words)
                said = _("Neu ausgelost. Die Auslosung davor bleibt mit Ihrer Begründung festgehalten.")
            messages.success(request, said)
    return round_again(request, tournament, number, "redraw", form)


def _too_late_to_redraw(tournament: Tournament, number: int) -> Refusal | None:
    """Return the reason why the round can no longer be drawn again, None if it can."""
    monitor = table_monitor(tournament, number)
    if monitor is None or monitor.round.is_draft or (monitor.round.is_released and monitor.is_untouched):
        return None
    return Refusal("round_is_closed" if monitor.round.is_closed else "round_has_entries", round=number)


@organiser_view("POST")
def swap(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    monitor = monitor_or_404(tournament, number)
    form = SwapForm(request.POST, round_row=monitor.round, auto_id="swap_%s")
    if "look" in request.POST:
        mark_unchanged(request)
        return render_round(request, tournament, number, looked_at=form)
    if form.is_valid():
        a, b = form.cleaned_data["player"]
        with refusal_in_round(request, form):
            seating.swap(tournament, number, a=a, b=b, reason=form.cleaned_data["reason"], **signed(request))
            names = {seat.start_number: seat.name for seat in monitor.round.seats}
            messages.success(request, _("Getauscht: %(a)s und %(b)s.") % {"a": names[a], "b": names[b]})
    return round_again(request, tournament, number, "swap", form)


@organiser_view("POST")
def release(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    check_round_number(tournament, number)
    form = ReleaseForm(request.POST, auto_id="release_%s")
    if form.is_valid():
        with refusal_in_round(request, form):
            seating.release(tournament, number, reason=form.cleaned_data["reason"], at=timezone.now())
            said = _("Freigegeben. Alle sehen jetzt, wo sie sitzen, und die Tischlisten sind offen.")
            messages.success(request, said)
    return round_again(request, tournament, number, "release", form)


@organiser_view("POST")
def start(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Give all tables the sign to start; with `running`, say that they play already."""
    check_round_number(tournament, number)
    with refusal_as_message(request):
        is_running = "running" in request.POST
        seating.give_start_sign(tournament, number, at=timezone.now(), is_running=is_running)
        if is_running:
            messages.success(request, _("Die Spielrunde läuft: An allen Tischen darf geschrieben werden."))
        else:
            messages.success(request, _("Das Zeichen ist gegeben: Leinwand und Handys zeigen es."))
    return redirect("organiser:round", tournament.slug, number)


@organiser_view("POST")
def close(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    check_round_number(tournament, number)
    form = _close_form(tournament, number, request.POST)
    if form.is_valid():
        with refusal_in_round(request, form), transaction.atomic():
            if form.keeps_standings:
                freeze(tournament, before=number, **signed(request))
            scored_rounds.close(tournament, number, reason=form.cleaned_data["reason"], at=timezone.now())
            messages.success(request, _("Die %(number)s. Spielrunde ist abgeschlossen.") % {"number": number})
            return redirect("organiser:overview", tournament.slug)
    return round_again(request, tournament, number, "close", form)


def _close_form(tournament: Tournament, number: int, data: Any = None) -> CloseForm:
    ends = ends_in_public(tournament, number)
    return CloseForm(data, ends=ends, has_prizes=bool(tournament.prize_plan))


def _options(tournament: Tournament, number: int) -> list[SizeOption]:
    return size_options(head_count(tournament, number).present, tournament.rules)


def _draw_options(form: DrawForm) -> DrawOptions:
    chosen = form.cleaned_data
    return DrawOptions(chosen["mode"] or None, chosen["prefer"] or None, exceptions=chosen["exceptions"])


def _keep_settings(tournament: Tournament, form: DrawForm) -> None:
    """Store the chosen mode and ceremony for the next rounds."""
    mode, ceremony = form.cleaned_data["mode"], form.cleaned_data["ceremony"]
    if mode and mode != tournament.draw_mode:
        draw_settings.choose_mode(tournament, mode)
    if ceremony and ceremony != tournament.ceremony:
        draw_settings.choose_ceremony(tournament, ceremony)


@organiser_view("GET", "POST")
def wishes(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the wishes on GET, add one on POST; errors are shown at their fields."""
    form = WishForm(posted(request), auto_id="wish_%s")
    if form.is_valid():
        with form.refusal_at_field():
            wish = _wish(tournament, form)
            if wish is not None:
                draw_settings.add_wish(tournament, wish)
                messages.success(request, _("Der Wunsch gilt für alle Auslosungen von jetzt an."))
                return redirect("organiser:wishes", tournament.slug)
    context = {"tournament": tournament, **wishes_context(tournament), "wish_form": form}
    return form_page(request, "scoring/organiser/rounds/wishes.html", context, form)


@organiser_view("POST")
def remove_wish(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    try:
        kind = request.POST.get("kind", "")
        names = {"keep_apart": ("a", "b"), "fixed_table": ("player", "table")}[kind]
        numbers = {name: int(request.POST.get(name, "")[:9]) for name in names}
    except (KeyError, ValueError):
        raise Http404 from None
    draw_settings.remove_wish(tournament, wish_from_dict({"kind": kind, **numbers}))
    messages.success(request, _("Der Wunsch ist herausgenommen."))
    return redirect("organiser:wishes", tournament.slug)


def _wish(tournament: Tournament, form: WishForm) -> Wish | None:
    """Return the wish, or None after an error is added for a name that does not identify one player."""
    player = _player(tournament, form, "player")
    remarks = {name: form.cleaned_data[name] for name in ("reason", "private")}
    if form.cleaned_data["table"]:
        return FixedTable(player, form.cleaned_data["table"], **remarks) if player else None
    other = _player(tournament, form, "other")
    return KeepApart(player, other, **remarks) if player and other else None


def _player(tournament: Tournament, form: WishForm, field: str) -> int | None:
    words = form.cleaned_data[field]
    people = players_called(tournament, words)
    if len(people) == 1:
        return people[0]
    several = _("Den Namen gibt es öfter. Bitte die Teiln.-Nr. eintragen: %(numbers)s.")
    unknown = _("„%(words)s“ steht nicht auf der Liste. Bitte die Teiln.-Nr. eintragen.")
    said = {"numbers": ", ".join(map(str, people)), "words": words}
    form.add_error(field, (several if people else unknown) % said)
    return None


@organiser_view("POST")
def draw_sealed(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Make the sealed draw, and release the round."""
    check_round_number(tournament, number)
    open_seal = open_ceremony(tournament, number)
    form = SealedForm(request.POST, is_redraw=bool(open_seal and open_seal.is_redraw), auto_id="sealed_%s")
    if form.is_valid():
        try:
            ceremonies.draw_sealed(tournament, number, **form.cleaned_data, **signed(request))
        except Refusal as refusal:
            if refusal.code != "commitment_outdated":  # the page says that by itself
                refusal_in_round(request, form).show(refusal)
        else:
            _release_at_once(request, tournament, number)
    return round_again(request, tournament, number, "sealed", form)


def _release_at_once(request: StaffRequest, tournament: Tournament, number: int) -> None:
    """Release the round, unless an earlier one is in play. The organiser may name the scribes afterwards."""
    with refusal_as_message(request):
        reason = _("Vor dem Saal ausgelost; die Schreiber werden gleich benannt.")
        seating.release(tournament, number, reason=reason, at=timezone.now())
        messages.success(
            request, _("Ausgelost und freigegeben. Die Leinwand zeigt die Auslosung Platz für Platz.")
        )


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
        "going_on": _going_on(len(monitor.tables), tournament.rules) if monitor else "",
        "round_title": round_name(number, is_final=_is_final(tournament, context, monitor)),
        **_sealed(tournament, number),
        **{f"{key}_form": form for key, form in bound.items()},
    }
    return render(request, f"scoring/organiser/rounds/{name}.html", context, status=status)


def _is_final(tournament: Tournament, context: Mapping[str, Any], monitor: TableMonitor | None) -> bool:
    """Whether the round is the final of a knockout: the one with a single table, drawn or to be drawn."""
    if monitor is not None:
        return tournament.rules.is_final(len(monitor.tables))
    sizes = context["choices"][0].sizes
    return sizes is not None and tournament.rules.is_final(len(sizes.sizes))


def refusal_in_round(request: StaffRequest, form: RefusableForm) -> RefusalShown:
    """Show a refusal of the block at its field; without a field (the round has moved on) as a message."""
    as_message = refusal_as_message(request)
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
        "previews": [
            (preview, message(preview.refusal) if preview.refusal else "")
            for preview in previews_of(tournament, number)
        ],
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


def _outlooks(tournament: Tournament, number: int) -> list[tuple[Outlook, list[PrizeLine]]]:
    """Return the outlook of the prize plan in words, for a few players fewer or more; empty after the first round."""
    plan = plan_of(tournament) if number == 1 else None
    around = outlooks_around(tournament, plan) if plan and plan.prizes else ()
    return outlook_rows(around, tournament.fee_kinds)


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
        "options": _worded(options, rules),
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
    can_redraw = monitor.round.is_released and monitor.is_untouched
    return {
        "abandoned": abandoned_attempts(monitor.round),
        "misfits": misfits(tournament, monitor.round),
        **_by_hand(tournament, monitor),
        **monitor_context(request, tournament, monitor, close_form=_close_form(tournament, monitor.number)),
        **(_redrawing(tournament, monitor) if can_redraw else {}),
    }


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


def _worded(options: list[SizeOption], rules: Ruleset) -> list[tuple[SizeOption, str, str, str]]:
    """Return each option with its name, its list of tables, and in a knockout how many go on."""
    return [
        (
            option,
            more_tables_of(option.size) if option.size else _("alle gleich groß"),
            list_tables(option.sizes.sizes),
            _going_on(len(option.sizes.sizes), rules),
        )
        for option in options
        if option.sizes
    ]


def _going_on(tables: int, rules: Ruleset) -> str:
    """Return how many players go on from so many tables; "" where nobody drops out."""
    if rules.qualifying is None:
        return ""
    if tables == 1:
        return _("das Finale")
    count = tables * rules.qualifying.go_on
    return ngettext("%(count)s kommt weiter", "%(count)s kommen weiter", count) % {"count": count}


def check_round_number(tournament: Tournament, number: int) -> None:
    if not 1 <= number <= tournament.rules.most_rounds:
        raise Http404
