"""Payments of and to a player. The caller has locked the tournament: `participant.tournament` is its current state."""

from typing import Unpack

from django.db.models import Sum

from tournaments.core.cash import LARGEST_AMOUNT
from tournaments.core.fees import kind_of
from tournaments.core.refusal import Refusal
from tournaments.core.signatures import Booking
from tournaments.models import Participant, Payment, Tournament
from tournaments.notify import notify
from tournaments.queries.desks import taken_cents
from tournaments.services.desks import check_amount, open_desk


def pay(participant: Participant, kind: Payment.Kind, cents: int, **booking: Unpack[Booking]) -> Payment:
    """Book a payment at a desk. Refuses amount_too_large (most_cents), for a fee as `check_fees`, and desk_closed (desk)."""
    check_amount(cents)
    if kind == Payment.Kind.FEE:
        check_fees(participant.tournament, cents)
    desk = open_desk(participant.tournament, booking.get("desk", "")).name
    return participant.payments.create(kind=kind, cents=cents, at=booking["at"], by=booking["by"], desk=desk)


def check_fees(locked: Tournament, cents: int) -> None:
    """Refuse fees that exceed the largest sum of a tournament: fees_too_large (most_cents)."""
    if taken_cents(locked) + cents > LARGEST_AMOUNT:
        raise Refusal("fees_too_large", most_cents=LARGEST_AMOUNT)


def book_fee(
    participant: Participant, *, cents: int | None = None, **booking: Unpack[Booking]
) -> Payment | None:
    """Book the unpaid part of a player's fee, or `cents` of it. Return None if there is no fee.

    Refuses as `_already_paid` says, for a part no_fee, amount_needed and paid_too_much (open_cents), and as `pay` does.
    """
    lacking = unpaid_cents(participant)
    if lacking <= 0:
        if fee_of(participant) == 0:
            if cents is not None:
                raise Refusal("no_fee")
            return None
        raise _already_paid(participant)
    if cents is not None and cents <= 0:
        raise Refusal("amount_needed")
    if cents is not None and cents > lacking:
        raise Refusal("paid_too_much", open_cents=lacking)
    return pay(participant, Payment.Kind.FEE, lacking if cents is None else cents, **booking)


def _already_paid(participant: Participant) -> Refusal:
    """Return already_paid (name, paid_cents), or already_ticked (name) where no page names an amount."""
    if participant.tournament.hides_amounts:
        return Refusal("already_ticked", name=participant.name)
    return Refusal("already_paid", name=participant.name, paid_cents=balance(participant))


def unpaid_cents(participant: Participant) -> int:
    """Return the unpaid part of a player's fee in cents; negative if they have paid too much."""
    return fee_of(participant) - balance(participant)


def fee_of(participant: Participant) -> int:
    """Return a player's fee in cents, by their kind of fee."""
    return kind_of(participant.tournament.fee_kinds, participant.fee).cents


def balance(participant: Participant) -> int:
    """Return the player's fees minus refunds, in cents."""
    paid: dict[str, int] = dict(participant.payments.values_list("kind").annotate(Sum("cents")))
    return paid.get(Payment.Kind.FEE.value, 0) - paid.get(Payment.Kind.REFUND.value, 0)


def refund(participant: Participant, cents: int, **booking: Unpack[Booking]) -> Payment:
    """Pay back an amount. Refuses nothing_to_refund (name), is_excluded (name), and as `pay` does."""
    if participant.excluded_at is not None:
        raise Refusal("is_excluded", name=participant.name)
    if cents <= 0:
        raise Refusal("nothing_to_refund", name=participant.name)
    payment = pay(participant, Payment.Kind.REFUND, cents, **booking)
    notify(participant.tournament.slug, "people")
    return payment


def refund_latest(participant: Participant, **booking: Unpack[Booking]) -> Payment | None:
    """Refund the latest payment if it is a fee."""
    latest = participant.payments.order_by("-id").first()
    if latest is None or latest.kind != Payment.Kind.FEE:
        return None
    return pay(participant, Payment.Kind.REFUND, latest.cents, **booking)


def fee_key(locked: Tournament, fee: str) -> str:
    """Return the key to store for a kind of fee: "" for the default. Refuses fee_unknown."""
    default, *others = [kind.key for kind in locked.fee_kinds]
    if fee in ("", default):
        return ""
    if fee not in others:
        raise Refusal("fee_unknown")
    return fee
