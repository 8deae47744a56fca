"""Cash desks: float, money in and out, handing over, closing with a count, reopening.

Every function locks the tournament first, like those of the door: a desk never closes during a payment. `by` is the account at the desk, `at` is UTC.
"""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Max, OuterRef, Subquery

from tournaments.core.cash import LARGEST_AMOUNT, sum_of_pieces
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import CashDesk, CashEntry, DeskChange, Tournament
from tournaments.notify import notify
from tournaments.queries.desks import desk_row
from tournaments.services.tournaments import lock_tournament


def check_amount(cents: int) -> None:
    """Refuse a payment or a line of a desk above the largest amount: amount_too_large (most_cents)."""
    if cents > LARGEST_AMOUNT:
        raise Refusal("amount_too_large", most_cents=LARGEST_AMOUNT)


def open_desk(locked: Tournament, name: str) -> CashDesk:
    """Get or create the desk of this name in a locked tournament. Refuses desk_closed (desk)."""
    latest = DeskChange.objects.filter(desk=OuterRef("pk")).order_by("-id").values("kind")[:1]
    desk = locked.desks.filter(name=name).annotate(state=Subquery(latest)).first()
    if desk is None:
        last = locked.desks.aggregate(last=Max("number"))["last"] or 0
        return locked.desks.create(number=last + 1, name=name)
    if desk.state == DeskChange.DeskChangeKind.CLOSED:
        raise Refusal("desk_closed", desk=name)
    return desk


def set_up_desk(tournament: Tournament, name: str) -> CashDesk:
    """Get or create the desk of this name, open or closed."""
    with transaction.atomic():
        locked = lock_tournament(tournament)
        return locked.desks.filter(name=name).first() or open_desk(locked, name)


def enter_cash(
    tournament: Tournament,
    number: int,
    kind: str,
    *,
    cents: int,
    reason: str = "",
    to: int | None = None,
    by: str,
    at: datetime,
) -> CashEntry:
    """Record money of a desk that is no payment.

    kind: a CashKind: the float, money that comes in from elsewhere or leaves (for costs, to the bank), both with a reason, or a transfer
    to the desk with number `to`. Refuses reason_needed, transfer_to_itself, amount_needed, amount_too_large (most_cents), an
    invalid reason (text_...), unknown_desk, and desk_closed (desk) for either desk.
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
        entry = desk.entries.create(
            tournament=locked, kind=kind, cents=cents, to=other, reason=reason, by=by, at=at
        )
        notify(locked.slug, "people")
    return entry


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
    desk = locked.desks.filter(number=number).first()
    if desk is None:
        raise Refusal("unknown_desk")
    return desk
