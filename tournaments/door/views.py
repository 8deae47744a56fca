"""Views of the registration: the list, registering, actions on one participant, the roll call."""

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.access import cashier_view
from tournaments.core.fees import kind_of
from tournaments.core.name_order import arranged_like
from tournaments.core.names import MOST_IN_A_NAME, in_capitals, same_name_key
from tournaments.core.refusal import Refusal
from tournaments.door.actions import ACTIONS, undo_of_check_in
from tournaments.door.forms import PartForm, PersonForm, RegistrationForm
from tournaments.door.known import as_person
from tournaments.door.meaning import Line, Meaning, meaning_of
from tournaments.door.page import (
    Note,
    Selection,
    changed_fee,
    done,
    door_context,
    fee_in_words,
    fragments,
)
from tournaments.door.sign_ups.confirming import confirm_typed
from tournaments.forms import ExclusionForm, form_page
from tournaments.models import Appearance, Payment, Tournament
from tournaments.once import mark_unchanged
from tournaments.person_details import PERSON_DETAILS
from tournaments.queries import door as door_queries
from tournaments.queries.door import Door, DoorRow, SeatInPlay, changes_of
from tournaments.queries.ledger import ledger
from tournaments.queries.people import namesake_of, person_to_take
from tournaments.queries.sign_ups import find_sign_ups
from tournaments.requests import StaffRequest, booked, signed
from tournaments.services import door as services
from tournaments.services.people import recognise
from tournaments.text.money import euros, money_in
from tournaments.text.refusals import level_of, message


@never_cache
@cashier_view("GET")
def registration(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    return render(
        request,
        "tournaments/door/desk.html",
        door_context(request, tournament, door_queries.door(tournament)),
    )


@never_cache
@cashier_view("GET")
def listing(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Return list and figures, polled every few seconds; 204 if they have not changed.

    name: the text in the field while typing. Then the list holds its matches, and a hint says what Enter does.
    """
    if not request.htmx:
        return redirect(f"{reverse('door:desk', args=[tournament.slug])}?{Selection.of(request.GET).query}")
    door = door_queries.door(tournament)
    if request.GET.get("version") == door.version:
        return HttpResponse(status=204)
    if "name" not in request.GET:
        return fragments(request, door_context(request, tournament, door), "_list", "_panel")
    line = Line.of(request.GET["name"][:MOST_IN_A_NAME])
    if tournament.hides_amounts:
        line = replace(line, amount="")
    meaning = meaning_of(door, line)
    # No match: a player is being registered, and the list stays as it is.
    fits = door.find(line.who) or find_sign_ups(door.sign_ups, line.who)
    selection = Selection.matches(line.who if fits else "") if line.who.strip() else Selection.of(request.GET)
    selection = replace(selection, fee=request.GET.get("fee", "")[:40])
    context = door_context(request, tournament, door, selection=selection, meaning=meaning, typed=line)
    return fragments(request, context, "_list", "_panel", "_hint")


@cashier_view("POST")
def register(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Perform the meaning of the typed text (see `meaning`): check a player in, or register one."""
    form = RegistrationForm(request.POST)
    door = door_queries.door(tournament)
    if not form.is_valid():
        return _line_again(request, tournament, door, form)
    data = form.cleaned_data
    typed = _texts(data)
    if person := person_to_take(data["person"]):
        data = as_person(tournament, data, person)
    line = Line.of(data["name"])
    if wrong := _wrong_money(tournament, data["fee"], line):
        form.refuse(wrong)
        return _line_again(request, tournament, door, form)
    meaning = Meaning("new") if data["as_new"] else meaning_of(door, line, typed)
    is_asked = meaning.kind == "namesakes" and data["anyway"] == same_name_key(line.who)
    is_new = meaning.kind == "new" or is_asked
    if not is_new and not meaning.is_clear:
        return _ask(request, tournament, door, data)
    try:
        with transaction.atomic() if person else nullcontext():
            note = _perform_line(request, tournament, door, Meaning("new") if is_new else meaning, data)
            if person:
                how = Appearance.Way.SUGGESTED
                recognise(tournament, note.start_number, person.key, how=how, **signed(request))
                note = replace(note, asks_to_keep=False, namesake=None)
    except Refusal as refusal:
        if refusal.code == "same_name":
            return _ask(request, tournament, door_queries.door(tournament), data)
        form.refuse(refusal)
        return _line_again(request, tournament, door, form)
    return done(request, tournament, note, "_line", "_list", selection=Selection.matches(""))


def _perform_line(
    request: StaffRequest, tournament: Tournament, door: Door, meaning: Meaning, data: dict[str, Any]
) -> Note:
    line = Line.of(data["name"])
    if meaning.kind == "new":
        return _register(request, tournament, door, line, data)
    if meaning.kind == "signed_up":
        return confirm_typed(request, tournament, door, meaning.sign_ups[0], line, data)
    if meaning.kind == "returns":
        return _returns(request, tournament, meaning.rows[0], line, data)
    if line.amount:
        return _pays_a_part(request, tournament, meaning.rows[0], line, data)
    return _arrives(request, tournament, meaning.rows[0], data)


def _wrong_money(tournament: Tournament, fee: str, line: Line) -> Refusal | None:
    """Return why the chosen fee or the typed amount cannot be: fee_unknown, amounts_hidden; else None."""
    if fee not in ("", *(kind.key for kind in tournament.fee_kinds)):
        return Refusal("fee_unknown")
    return Refusal("amounts_hidden") if line.amount and tournament.hides_amounts else None


def _texts(data: dict[str, Any]) -> dict[str, str]:
    """Return club and details as they were typed."""
    return {key: data[key] for key in ("club", *PERSON_DETAILS)}


def _ask(request: StaffRequest, tournament: Tournament, door: Door, data: dict[str, Any]) -> HttpResponse:
    """Return the line with what it may mean now, for the cashier to choose; the same line again confirms a name that exists."""
    line = Line.of(data["name"])
    meaning = meaning_of(door, line, _texts(data))
    asked_again = RegistrationForm(initial=data | {"anyway": same_name_key(line.who)})
    return _line_again(request, tournament, door, asked_again, meaning)


def _arrives(request: StaffRequest, tournament: Tournament, before: DoorRow, data: dict[str, Any]) -> Note:
    """Check a player in, with the chosen kind of fee if it is not the default."""
    fee = changed_fee(tournament, data["fee"])
    if not fee:
        return _perform(request, tournament, before, "present" if data["unpaid"] else "present-paid")
    number, paid = before.start_number, not data["unpaid"]
    payment = services.check_in_with_fee(tournament, number, fee=fee, paid=paid, **booked(request))
    undo = undo_of_check_in(before, paid=payment is not None)
    return _has_arrived(tournament, _person(tournament, number), payment, undo)


def _has_arrived(tournament: Tournament, person: DoorRow, payment: Payment | None, undo: str) -> Note:
    """Return the note about a check-in, with the amount paid or still owed."""
    cents = payment.cents if payment else person.missing_cents
    money = fee_in_words(tournament, cents, paid=payment is not None)
    detail = str(ACTIONS["present"].detail)
    note = Note.about(person, detail, money, undo=undo, capitals=in_capitals(person.name))
    return note if person.is_known else note.asking(tournament, person.name, dict(person.details)["town"])


def _returns(
    request: StaffRequest, tournament: Tournament, before: DoorRow, line: Line, data: dict[str, Any]
) -> Note:
    """Let a player who had left play again, and book what is missing of their fee, or a part of it."""
    part, number = line.part_cents, before.start_number
    payment = services.return_to_play(
        tournament,
        number,
        fee=changed_fee(tournament, data["fee"]),
        paid=part is not None or not data["unpaid"],
        part_cents=part,
        **booked(request),
    )
    taken = fee_in_words(tournament, payment.cents if payment else 0, paid=True)
    rest = fee_in_words(tournament, _person(tournament, number).missing_cents, paid=False)
    undo = "withdraw-latest" if payment else "withdraw"
    return Note.about(before, _("ist wieder da"), taken, rest, undo=undo)


def _pays_a_part(
    request: StaffRequest, tournament: Tournament, before: DoorRow, line: Line, data: dict[str, Any]
) -> Note:
    """Book a part of a player's fee, and check them in if they are not present."""
    number, cents = before.start_number, line.part_cents or 0
    fee = changed_fee(tournament, data["fee"])
    services.check_in_with_part(tournament, number, fee=fee, cents=cents, **booked(request))
    arrives = str(ACTIONS["present-paid"].detail) if before.is_awaited else ""
    rest = fee_in_words(tournament, _person(tournament, number).missing_cents, paid=False)
    undo = undo_of_check_in(before, paid=True) if before.is_awaited else "take-back-pay"
    return Note.about(before, arrives, fee_in_words(tournament, cents, paid=True), rest, undo=undo)


def _register(
    request: StaffRequest, tournament: Tournament, door: Door, line: Line, data: dict[str, Any]
) -> Note:
    part = line.part_cents
    paid = part is not None or not data["unpaid"]
    name = arranged_like(line.who, [row.name for row in door.rows])
    details = {key: data[key] for key in PERSON_DETAILS}
    newcomer = services.Newcomer(name, data["club"], fee=data["fee"], details=details)
    participant = services.register(
        tournament, newcomer, paid=paid, part_cents=part, others=data["others"], **booked(request)
    )
    kind = kind_of(door.fee_kinds, data["fee"])
    taken = kind.cents if part is None else part
    rest = fee_in_words(tournament, kind.cents - taken, paid=False)
    named = kind.name if participant.fee else ""
    money = fee_in_words(tournament, taken, paid=paid)
    capitals = in_capitals(participant.name)
    note = Note.about(participant, named, money, rest, undo="unregister", capitals=capitals)
    return note.asking(tournament, participant.name, participant.town)


def _line_again(
    request: StaffRequest,
    tournament: Tournament,
    door: Door,
    form: RegistrationForm,
    meaning: Meaning | None = None,
) -> HttpResponse:
    """Return the typed line with an error or a question, and the list of possible matches."""
    line = Line.of(request.POST.get("name", ""))
    selection = Selection.matches(line.who) if meaning else None
    context = door_context(
        request, tournament, door, form=form, meaning=meaning, typed=line, is_asked=True, selection=selection
    )
    if request.htmx:
        return fragments(request, context, "_line", *(["_list"] if meaning else []), status=422)
    return render(request, "tournaments/door/desk.html", context, status=422)


@cashier_view("POST")
def act(request: StaffRequest, tournament: Tournament, start_number: int, action: str) -> HttpResponse:
    """Perform an action on one participant; the note that follows offers to undo it."""
    before = _person(tournament, start_number)
    if action not in ACTIONS:
        raise Http404
    selection = Selection.of(request.POST)
    try:
        if selection.fee and action in ("present", "present-paid"):
            data = {"fee": selection.fee, "unpaid": action == "present"}
            note = _arrives(request, tournament, before, data)
        else:
            note = _perform(request, tournament, before, action)
    except Refusal as refusal:
        note = Note(message(refusal), start_number=start_number, level=level_of(refusal))
    if request.POST.get("from") == "roll-call" and request.htmx:
        return _roll_call_answer(request, tournament, note)
    return done(request, tournament, note, "_list", selection=replace(selection, fee=""))


def _perform(request: StaffRequest, tournament: Tournament, before: DoorRow, action: str) -> Note:
    """Perform the action and return the note about it. before: the participant as the cashier saw them. Refuses as it does."""
    chosen, number = ACTIONS[action], before.start_number
    done = chosen.do(tournament, number, booked(request))
    if action == "capitals":
        before = _person(tournament, number)
    if action in ("present", "present-paid"):
        payment = done if isinstance(done, Payment) else None
        undo = undo_of_check_in(before, paid=payment is not None)
        return _has_arrived(tournament, before, payment, undo)
    leaves = action in ("withdraw", "withdraw-refund")
    seat = door_queries.seat_in_play(tournament, number) if leaves else None
    money = ""
    if leaves and isinstance(done, Payment):
        money = _("%(cents)s zurück") % {"cents": money_in(done.cents, tournament)}
    elif isinstance(done, Payment) and not tournament.hides_amounts:
        money = euros(done.cents)
    # "pay" books the whole fee, so it does not undo the refund of a part.
    is_part = chosen.undo in ("pay", "present-paid") and before.paid_cents != before.fee_cents
    undo = "" if is_part else chosen.undo
    return Note.about(before, _with_seat(str(chosen.detail), seat), money, undo=undo, seat=seat)


def _with_seat(detail: str, seat: SeatInPlay | None) -> str:
    """Return the detail of a note, with the table where the player still sits."""
    if seat is None:
        return detail
    return f"{detail}, {_('sitzt aber noch an Tisch %(table)s') % {'table': seat.table_number}}"


def _roll_call_answer(request: StaffRequest, tournament: Tournament, note: Note) -> HttpResponse:
    """Return only the tapped name, so that a list of 300 does not move. A second tap undoes the first."""
    door = door_queries.door(tournament)
    if not note.is_success:
        mark_unchanged(request)
    context = door_context(request, tournament, door, note=None if note.is_success else note)
    context["row"] = door.person(note.start_number)
    return fragments(request, context, "_roll_call_person", "_roll_call_figures", "_note")


def _person(tournament: Tournament, start_number: int) -> DoorRow:
    row = door_queries.person_at_door(tournament, start_number)
    if row is None:
        raise Http404
    return row


@cashier_view("GET", "POST")
def person(request: StaffRequest, tournament: Tournament, start_number: int) -> HttpResponse:
    """Show one participant: name to correct, payments, actions."""
    row = _person(tournament, start_number)
    form = PersonForm(
        request.POST or None,
        initial={"name": row.name, "club": row.club, "names": row.names, **dict(row.details)},
    )
    if form.is_valid():
        with form.refusal_at_field():
            services.edit_participant(tournament, start_number, **form.cleaned_data, **signed(request))
            messages.success(request, _("Nr. %(number)s ist geändert.") % {"number": start_number})
            return redirect("door:desk", tournament.slug)
    context = {
        "tournament": tournament,
        "row": row,
        "left_seat": None if row.takes_part else door_queries.seat_in_play(tournament, start_number),
        "form": form,
        "ledger": ledger(tournament, start_number),
        "changes": changes_of(tournament, start_number),
        "namesake": None
        if row.is_known or tournament.is_practice
        else namesake_of(tournament, row.name, dict(row.details)["town"]),
        "fee_kinds": tournament.fee_kinds,
        "part_form": PartForm(),
        "may_exclude": request.role != "cashier",
        "exclusion_form": ExclusionForm(rules=tournament.rules, auto_id="exclude-%s"),
        "can_be_replaced": _can_be_replaced(request, tournament, start_number),
    }
    return form_page(request, "tournaments/door/person.html", context, form)


def _can_be_replaced(request: StaffRequest, tournament: Tournament, start_number: int) -> bool:
    """Whether an organiser may name a substitute: all rounds are drawn ahead and the participant has a seat."""
    is_organiser = request.role != "cashier"
    return is_organiser and tournament.rules.drawn_ahead and door_queries.has_seat(tournament, start_number)


@never_cache
@cashier_view("GET")
def roll_call(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the roll call between two rounds: all players by name, one tap for each absentee."""
    door = door_queries.door(tournament)
    is_fragment = request.htmx
    if is_fragment and request.GET.get("version") == door.version:
        return HttpResponse(status=204)
    context = door_context(request, tournament, door)
    if is_fragment:
        return fragments(request, context, "_roll_call")
    return render(request, "tournaments/door/roll_call.html", context)
