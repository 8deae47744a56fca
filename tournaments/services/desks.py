"""Cash desks: names, float, money in and out, handing over, taking back, closing with a count, reopening.

Every function locks the tournament first, like those of the door: a desk never closes during a payment. `by` is the account at the desk, `at` is UTC.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Max, OuterRef, Q, QuerySet, Subquery

from tournaments.core.cash import LARGEST_AMOUNT, LONGEST_DESK, sum_of_pieces
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import MOVEMENTS, CashDesk, CashEntry, DeskChange, Payment, Tournament
from tournaments.notify import notify
from tournaments.queries.desks import desk_row
from tournaments.services.tournaments import lock_tournament


def check_amount(cents: int) -> None:
    """Refuse a payment or a line of a desk above the largest amount: amount_too_large (most_cents)."""
    if cents > LARGEST_AMOUNT:
        raise Refusal("amount_too_large", most_cents=LARGEST_AMOUNT)


def open_desk(locked: Tournament, name: str) -> CashDesk:
    """Get or create the desk of this name in a locked tournament. Refuses desk_closed (desk).

    A device that still has the name before a renaming is at the renamed desk.
    """
    at_device = _desk_named(locked, name) or (_desk_once_named(locked, name) if name else None)
    desk: CashDesk = at_device or _new_desk(locked, name)
    if at_device is not None and at_device.state == DeskChange.DeskChangeKind.CLOSED:
        raise Refusal("desk_closed", desk=desk.name)
    return desk


def desk_in_advance(locked: Tournament, name: str) -> CashDesk:
    """Get or create the desk of money that was paid before the evening; a new one gets this name."""
    desk = locked.desks.filter(is_in_advance=True).first()
    return desk or _desk_named(locked, name) or _new_desk(locked, name, is_in_advance=True)


def set_up_desk(tournament: Tournament, name: str) -> CashDesk:
    """Get or create the desk of this name, open or closed. Refuses desk_twice (desk) for that of money paid in advance."""
    with transaction.atomic():
        locked = lock_tournament(tournament)
        desk = _desk_named(locked, name) or _new_desk(locked, name)
        if desk.is_in_advance:
            raise Refusal("desk_twice", desk=desk.name)
        return desk


def take_along(tournament: Tournament, name: str, *, reason: str, by: str, at: datetime) -> CashDesk:
    """Give the money of the desk without a name to the desk of this name.

    A new desk takes its place, with all its payments; another desk gets what is in it, as a transfer with this reason.
    Refuses unknown_desk without a desk that has no name, desk_closed (desk) for either desk, and desk_twice (desk).
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        nameless = _desk_named(locked, "")
        if nameless is None:
            raise Refusal("unknown_desk")
        if _desk_named(locked, name) is None:
            return rename_desk(locked, nameless.number, name, by=by, at=at)
        desk = set_up_desk(locked, name)
        enter_cash(
            *(locked, nameless.number, CashEntry.CashKind.TRANSFER),
            cents=desk_row(locked, nameless.number).expected_cents,
            reason=reason,
            to=desk.number,
            by=by,
            at=at,
        )
        return desk


def rename_desk(tournament: Tournament, number: int, name: str, *, by: str, at: datetime) -> CashDesk:
    """Give an open desk another name; all its payments stand under it.

    Refuses text_empty, an invalid name (text_...), unknown_desk, desk_closed (desk), and desk_twice (desk) for the name of another desk.
    """
    name = clean_text(name, most=LONGEST_DESK)
    if not name:
        raise Refusal("text_empty")
    with transaction.atomic():
        locked = lock_tournament(tournament)
        desk = _open(locked, number)
        if (_desk_named(locked, name) or desk).pk != desk.pk:
            raise Refusal("desk_twice", desk=name)
        before, desk.name = desk.name, name
        if before != name:
            _write_name(desk, before)
            desk.changes.create(kind=DeskChange.DeskChangeKind.NAMED, reason=before, by=by, at=at)
            notify(locked.slug, "people")
    return desk


def _write_name(desk: CashDesk, before: str) -> None:
    """Write the name into the desk and its payments, under the setting that the triggers require."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL schnauz.rename = 'on'")
        CashDesk.objects.filter(pk=desk.pk).update(name=desk.name)
        Payment.objects.filter(participant__tournament=desk.tournament_id, desk=before).update(desk=desk.name)
        cursor.execute("SET LOCAL schnauz.rename = 'off'")


def enter_cash(
    tournament: Tournament,
    number: int,
    kind: str,
    *,
    cents: int,
    reason: str = "",
    to: int | None = None,
    confirmed: str = "",
    by: str,
    at: datetime,
) -> CashEntry:
    """Record money of a desk that is no payment.

    kind: a CashKind: the float, money that comes in from elsewhere or leaves (for costs, to the bank), both with a reason, or a transfer
    to the desk with number `to`. confirmed: `confirmation` of an amount that is more than there is. Refuses
    reason_needed, transfer_to_itself, amount_needed, amount_too_large (most_cents), an invalid reason (text_...), unknown_desk,
    desk_closed (desk) for either desk, and more_than_there (wanted_cents, there_cents) until it is confirmed.
    """
    if kind in (CashEntry.CashKind.IN, CashEntry.CashKind.OUT):
        reason = _needed(reason)
    if to == number:
        raise Refusal("transfer_to_itself")
    if cents <= 0:
        raise Refusal("amount_needed")
    check_amount(cents)
    reason = clean_text(reason, most=500)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        desk = _open(locked, number)
        other = None if to is None else _open(locked, to)
        if kind in (CashEntry.CashKind.OUT, CashEntry.CashKind.TRANSFER):
            there = desk_row(locked, number).expected_cents
            if cents > there and confirmed != confirmation(cents, there):
                raise Refusal("more_than_there", wanted_cents=cents, there_cents=there)
        entry = desk.entries.create(
            tournament=locked, kind=kind, cents=cents, to=other, reason=reason, by=by, at=at
        )
        notify(locked.slug, "people")
    return entry


def confirmation(wanted_cents: int, there_cents: int) -> str:
    """Return the text that confirms an amount beyond what is in a desk; it differs for any other two amounts."""
    return f"{wanted_cents} of {there_cents}"


def take_back_movement(
    tournament: Tournament, number: int, movement: int, *, reason: str, by: str, at: datetime
) -> CashEntry:
    """Reverse a line of a desk by another one, with this reason in front of the line's own.

    movement: the id of a line of this desk, or of a transfer to it (`DeskLine.movement`). Refuses movement_taken_back if it
    was reversed already, unknown_movement, unknown_desk, and desk_closed (desk) for either desk.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        lines = locked.cash_entries.filter(kind__in=MOVEMENTS, takes_back=None)
        entry = lines.filter(Q(desk__number=number) | Q(to__number=number), pk=movement).first()
        if entry is None:
            raise Refusal("unknown_movement")
        if CashEntry.objects.filter(takes_back=entry).exists():
            raise Refusal("movement_taken_back")
        for desk in (entry.desk, entry.to):
            if desk is not None:
                _open(locked, desk.number)
        counter_entry = CashEntry.objects.create(
            tournament=locked,
            desk=entry.desk,
            kind=entry.kind,
            cents=entry.cents,
            to=entry.to,
            takes_back=entry,
            reason=": ".join(filter(None, [reason, entry.reason]))[:500],
            by=by,
            at=at,
        )
        notify(locked.slug, "people")
    return counter_entry


def close_desk(
    tournament: Tournament,
    number: int,
    *,
    pieces: Mapping[str, int],
    reason: str = "",
    by: str,
    at: datetime,
) -> CashEntry:
    """Count a desk by notes and coins, and close it.

    pieces: as in `tournaments.core.cash`. reason: why the sum differs from the expected one. Refuses count_differs (counted,
    expected) without a reason, amount_too_large (most_cents), an invalid reason (text_...), unknown_desk, and desk_closed (desk).
    """
    reason = clean_text(reason, most=500)
    check_amount(sum_of_pieces(pieces))
    with transaction.atomic():
        locked = lock_tournament(tournament)
        desk = _open(locked, number)
        expected, counted = desk_row(locked, number).expected_cents, sum_of_pieces(pieces)
        if counted != expected and not reason:
            raise Refusal("count_differs", counted=counted, expected=expected)
        entry = desk.entries.create(
            tournament=locked,
            kind=CashEntry.CashKind.COUNT,
            cents=counted,
            reason=reason,
            pieces={value: pieces[value] for value in pieces if pieces[value]},
            by=by,
            at=at,
        )
        desk.changes.create(kind=DeskChange.DeskChangeKind.CLOSED, by=by, at=at)
        notify(locked.slug, "people")
    return entry


def reopen_desk(tournament: Tournament, number: int, *, reason: str, by: str, at: datetime) -> CashDesk:
    """Open a closed desk again. Refuses reason_needed, an invalid reason (text_...), unknown_desk, and desk_is_open."""
    reason = _needed(reason)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        desk = _existing_desk(locked, number)
        if not desk_row(locked, number).is_closed:
            raise Refusal("desk_is_open")
        desk.changes.create(kind=DeskChange.DeskChangeKind.OPENED, reason=reason, by=by, at=at)
        notify(locked.slug, "people")
    return desk


def _needed(reason: str) -> str:
    if not reason.strip():
        raise Refusal("reason_needed")
    return reason


def _open(locked: Tournament, number: int) -> CashDesk:
    return open_desk(locked, _existing_desk(locked, number).name)


def _existing_desk(locked: Tournament, number: int) -> CashDesk:
    """Return a desk with a drawer."""
    desk = locked.desks.filter(number=number, is_in_advance=False).first()
    if desk is None:
        raise Refusal("unknown_desk")
    return desk


def _desk_named(locked: Tournament, name: str) -> Any:
    """Return the desk of this name, however it is spelled in capitals; None without one."""
    alike = list(_desks(locked).filter(name__iexact=name))
    return next((desk for desk in alike if desk.name == name), alike[0] if alike else None)


def _desk_once_named(locked: Tournament, name: str) -> Any:
    renamings = DeskChange.objects.filter(desk__tournament=locked, kind=DeskChange.DeskChangeKind.NAMED)
    latest = renamings.filter(reason__iexact=name).order_by("-id").values("desk")[:1]
    return _desks(locked).filter(pk__in=latest).first()


def _desks(locked: Tournament) -> QuerySet[Any]:
    """Return the desks, each with `state`, the kind of its latest change."""
    latest = DeskChange.objects.filter(desk=OuterRef("pk")).order_by("-id").values("kind")[:1]
    return locked.desks.annotate(state=Subquery(latest))


def _new_desk(locked: Tournament, name: str, *, is_in_advance: bool = False) -> CashDesk:
    last = locked.desks.aggregate(last=Max("number"))["last"] or 0
    return locked.desks.create(number=last + 1, name=name, is_in_advance=is_in_advance)
