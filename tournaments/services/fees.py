"""Kinds of fees of the players, and money that goes back to them.

Every function locks the tournament first, like those of the door. `by` is the account at the desk, `at` is UTC.
"""

from datetime import datetime

from django.db import transaction

from tournaments.core.fees import kind_of
from tournaments.core.refusal import Refusal
from tournaments.models import Participant, Payment, PersonChange, Tournament
from tournaments.notify import notify
from tournaments.services.door import check_in, keep_change, lock_participant, set_presence
from tournaments.services.payments import book_fee, fee_key, missing, refund, refund_latest


def choose_fee(tournament: Tournament, start_number: int, *, fee: str, by: str, at: datetime) -> Participant:
    """Change a player's kind of fee. What they have paid stays. Refuses fee_unknown."""
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if change_fee(participant, fee, by=by, at=at):
            participant.save(update_fields=["fee"])
            notify(tournament.slug, "people")
    return participant


def change_fee(participant: Participant, fee: str, *, by: str, at: datetime) -> bool:
    """Set the kind of fee of a locked player, record the change, and return whether there is one to save.

    Refuses fee_unknown.
    """
    key = fee_key(participant.tournament, fee)
    if key == participant.fee:
        return False
    earlier = kind_of(participant.tournament.fee_kinds, participant.fee).name
    keep_change(participant, PersonChange.ChangeKind.FEE, text=earlier, by=by, at=at)
    participant.fee = key
    return True


def check_in_with_fee(
    tournament: Tournament,
    start_number: int,
    *,
    fee: str,
    paid: bool,
    by: str,
    at: datetime,
    desk: str = "",
) -> Payment | None:
    """Change a player's kind of fee and check them in, both or neither. paid: book what the fee lacks.

    Refuses fee_unknown, is_withdrawn (name), and where it is paid as `check_in` does.
    """
    with transaction.atomic():
        choose_fee(tournament, start_number, fee=fee, by=by, at=at)
        if paid:
            return check_in(tournament, start_number, by=by, at=at, desk=desk)
        set_presence(tournament, start_number, present=True)
        return None


def check_in_with_part(
    tournament: Tournament,
    start_number: int,
    *,
    fee: str = "",
    cents: int,
    by: str,
    at: datetime,
    desk: str = "",
) -> Payment | None:
    """Check a player in and book a part of their fee, both or neither. fee: the kind to change to, "" for none.

    Refuses is_withdrawn and is_excluded (name), fee_unknown, and as `book_fee` does.
    """
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if participant.excluded_at is not None:
            raise Refusal("is_excluded", name=participant.name)
        if fee:
            participant = choose_fee(tournament, start_number, fee=fee, by=by, at=at)
        set_presence(tournament, start_number, present=True)
        return book_fee(participant, cents=cents, by=by, at=at, desk=desk)


def refund_surplus(
    tournament: Tournament, start_number: int, *, by: str, at: datetime, desk: str = ""
) -> Payment:
    """Refund what a player has paid beyond their fee. Refuses as `refund_fee` does."""
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        return refund(participant, -missing(participant), by=by, at=at, desk=desk)


def take_back_fee(
    tournament: Tournament, start_number: int, *, by: str, at: datetime, desk: str = ""
) -> Payment:
    """Undo the booking of a fee or of a part; what was paid before stays. Refuses as `refund_fee` does."""
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        payment = refund_latest(participant, by=by, at=at, desk=desk)
        if payment is None:
            raise Refusal("nothing_to_refund", name=participant.name)
        notify(tournament.slug, "people")
    return payment
