"""Registration, check-in, fees, payments and withdrawals at the door.

Every function locks the tournament first: two desks never assign the same number, and a draw sees a change completely or not at all. `by` is the account at the desk, `at` is UTC.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Unpack

from django.db import transaction

from tournaments.core.fees import kind_of
from tournaments.core.names import clean_person_name, clean_text, in_capitals, same_name_key
from tournaments.core.refusal import Refusal
from tournaments.core.signatures import Booking
from tournaments.models import Appearance, Participant, Payment, PersonChange, Tournament
from tournaments.notify import notify
from tournaments.person_details import LONGEST_DETAIL
from tournaments.queries.door import joining_ended
from tournaments.services.payments import (
    balance,
    book_fee,
    fee_key,
    pay,
    refund,
    refund_latest,
    unpaid_cents,
)
from tournaments.services.places import move_up
from tournaments.services.quotas import check_people
from tournaments.services.tournaments import lock_tournament


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A player to be registered. start_number: assigned by a list, None for the next free number.

    paid_cents: already paid, in cents. fee: key of a kind of fee, "" for the default. details: see `PERSON_DETAILS`.
    """

    name: str
    club: str = ""
    start_number: int | None = None
    paid_cents: int = 0
    fee: str = ""
    details: Mapping[str, str] = field(default_factory=dict)

    def cleaned(self) -> "Newcomer":
        """Return the newcomer with normalised spaces. Refuses an invalid name, club or detail."""
        details = {key: clean_text(text, most=LONGEST_DETAIL) for key, text in self.details.items()}
        name, club = clean_person_name(self.name), clean_text(self.club, most=80)
        return replace(self, name=name, club=club, details=details)


def register(
    tournament: Tournament,
    newcomer: Newcomer,
    *,
    paid: bool,
    part_cents: int | None = None,
    others: Collection[int] = (),
    **booking: Unpack[Booking],
) -> Participant:
    """Register a walk-in with the next start number, as present. `paid` books the fee, or `part_cents` of it.

    others: see `check_namesakes`. Refuses an invalid name, club or detail
    (name_empty, name_too_long, name_bad_characters, name_is_number, text_...), same_name (name, start_numbers), fee_unknown, for a part as
    `book_fee` does, desk_closed (desk), and what `joining_ended` returns.
    """
    with transaction.atomic():
        check_joining(lock_tournament(tournament))
        return _register(tournament, newcomer, paid=paid, part_cents=part_cents, others=others, **booking)


def edit_participant(
    tournament: Tournament,
    start_number: int,
    *,
    name: str,
    club: str,
    names: str,
    by: str,
    at: datetime,
    **details: str,
) -> Participant:
    """Correct a player's name, club, details and public naming (see `name_in_public`).

    Refuses unknown_participant (start_number), and an invalid name, club or detail as `register` does.
    """
    line = Newcomer(name, club, details=details).cleaned()
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if participant.name != line.name:
            keep_change(participant, PersonChange.ChangeKind.RENAMED, text=participant.name, by=by, at=at)
        set_public_name(participant, names, by=by, at=at)
        changed = {"name": line.name, "club": line.club, **line.details}
        for column, text in changed.items():
            setattr(participant, column, text)
        participant.save(update_fields=changed)
        notify(tournament.slug, "people")
    return participant


def write_in_capitals(tournament: Tournament, start_number: int, *, by: str, at: datetime) -> Participant:
    """Write a name that was typed in small letters with capitals. Refuses unknown_participant (start_number)."""
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if name := in_capitals(participant.name):
            keep_change(participant, PersonChange.ChangeKind.RENAMED, text=participant.name, by=by, at=at)
            participant.name = name
            participant.save(update_fields=["name"])
            notify(tournament.slug, "people")
    return participant


def name_in_public(
    tournament: Tournament, start_number: int, *, names: str, by: str, at: datetime
) -> Participant:
    """Set the player's own wish for their public name: "full", "short", "number", or "" for the tournament's setting.

    It applies at any time, on the wall screen too. Refuses unknown_participant (start_number).
    """
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        set_public_name(participant, names, by=by, at=at)
        notify(tournament.slug, "people")
    return participant


def set_public_name(participant: Participant, names: str, *, by: str, at: datetime) -> None:
    """Set how a locked player is named in public, and record a change."""
    if participant.names != names:
        keep_change(participant, PersonChange.ChangeKind.NAMING, by=by, at=at)
        participant.names = names
        participant.save(update_fields=["names"])


def set_presence(tournament: Tournament, start_number: int, *, present: bool) -> Participant:
    """Check a player in, or mark them absent at the roll call. Refuses is_withdrawn (name)."""
    presence = Participant.Presence.PRESENT if present else Participant.Presence.ABSENT
    return _change_presence(tournament, start_number, presence)


def take_back_check_in(tournament: Tournament, start_number: int) -> Participant:
    """Undo a check-in made by mistake: the player is announced only. Refuses is_withdrawn (name)."""
    return _change_presence(tournament, start_number, Participant.Presence.ANNOUNCED)


def _change_presence(
    tournament: Tournament, start_number: int, presence: Participant.Presence
) -> Participant:
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if participant.withdrawn_at is not None:
            raise Refusal("is_withdrawn", name=participant.name)
        participant.presence = presence
        participant.save(update_fields=["presence"])
        notify(tournament.slug, "people")
    return participant


def check_in(tournament: Tournament, start_number: int, **booking: Unpack[Booking]) -> Payment | None:
    """Check a player in and book the unpaid part of their fee. Return None if nothing was unpaid.

    Refuses unknown_participant (start_number), is_withdrawn and is_excluded (name), and already_present (name) if
    the player is present and has paid: another desk was faster.
    """
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if participant.excluded_at is not None:
            raise Refusal("is_excluded", name=participant.name)
        owes = unpaid_cents(participant) > 0
        if not owes and participant.presence == Participant.Presence.PRESENT:
            raise Refusal("already_present", name=participant.name)
        set_presence(tournament, start_number, present=True)
        return book_fee(participant, **booking) if owes else None


def take_back_paid_check_in(
    tournament: Tournament, start_number: int, *, announced: bool, **booking: Unpack[Booking]
) -> Participant:
    """Undo a check-in and refund the fee that it booked; earlier payments stay.

    announced: whether the player was announced before, and not absent. Refuses is_withdrawn (name).
    """
    with transaction.atomic():
        if announced:
            participant = take_back_check_in(tournament, start_number)
        else:
            participant = set_presence(tournament, start_number, present=False)
        refund_latest(participant, **booking)
    return participant


def take_back_registration(
    tournament: Tournament, start_number: int, **booking: Unpack[Booking]
) -> Participant:
    """Undo a registration made by mistake: withdraw the player and refund their balance. The start number stays used.

    Refuses is_withdrawn (name), and has_been_seated (name): a player who has had a seat is withdrawn instead, without
    an automatic refund.
    """
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if participant.seats.exists():
            raise Refusal("has_been_seated", name=participant.name)
        Appearance.objects.filter(participant=participant).delete()
        withdraw_with_refund(tournament, start_number, **booking)
    return participant


def withdraw(tournament: Tournament, start_number: int, *, by: str, at: datetime) -> Participant:
    """Withdraw a player from the tournament. Their points stay. Refuses is_withdrawn (name)."""
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if participant.withdrawn_at is not None:
            raise Refusal("is_withdrawn", name=participant.name)
        keep_change(participant, PersonChange.ChangeKind.WITHDRAWN, by=by, at=at)
        participant.withdrawn_at = at
        participant.save(update_fields=["withdrawn_at"])
        move_up(participant.tournament, at=at)
        notify(tournament.slug, "people")
    return participant


def withdraw_with_refund(
    tournament: Tournament, start_number: int, *, latest_only: bool = False, **booking: Unpack[Booking]
) -> Payment | None:
    """Withdraw a player and refund their balance, or only their latest payment. Return None if there was nothing to refund.

    Refuses is_withdrawn and is_excluded (name), and desk_closed (desk).
    """
    with transaction.atomic():
        participant = withdraw(tournament, start_number, by=booking["by"], at=booking["at"])
        if latest_only:
            return refund_latest(participant, **booking)
        cents = balance(participant)
        return refund(participant, cents, **booking) if cents > 0 else None


def take_back_withdrawal(
    tournament: Tournament, start_number: int, *, is_here: bool = True, by: str, at: datetime
) -> Participant:
    """Undo a withdrawal. is_here: the player is present again; else as before. Refuses not_withdrawn (name)."""
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if participant.withdrawn_at is None:
            raise Refusal("not_withdrawn", name=participant.name)
        keep_change(participant, PersonChange.ChangeKind.RETURNED, by=by, at=at)
        participant.withdrawn_at = None
        if is_here:
            participant.presence = Participant.Presence.PRESENT
        participant.save(update_fields=["withdrawn_at", "presence"])
        notify(tournament.slug, "people")
    return participant


def take_back_refunded_withdrawal(
    tournament: Tournament, start_number: int, **booking: Unpack[Booking]
) -> Participant:
    """Undo `withdraw_with_refund`: book again what it refunded. Refuses not_withdrawn (name), and as `pay` does."""
    with transaction.atomic():
        by, at = booking["by"], booking["at"]
        participant = take_back_withdrawal(tournament, start_number, is_here=False, by=by, at=at)
        latest = participant.payments.order_by("-id").first()
        if latest is not None and latest.kind == Payment.Kind.REFUND:
            pay(participant, Payment.Kind.FEE, latest.cents, **booking)
    return participant


def return_to_play(
    tournament: Tournament,
    start_number: int,
    *,
    fee: str = "",
    paid: bool,
    part_cents: int | None = None,
    **booking: Unpack[Booking],
) -> Payment | None:
    """Undo the withdrawal of a player who is back, and book the unpaid part of their fee, or `part_cents` of it, if `paid`.

    fee: the kind to change to, "" for none. Refuses not_withdrawn (name), fee_unknown, and as `book_fee` does.
    """
    with transaction.atomic():
        participant = take_back_withdrawal(tournament, start_number, by=booking["by"], at=booking["at"])
        if fee:
            participant = choose_fee(tournament, start_number, fee=fee, by=booking["by"], at=booking["at"])
        is_due = part_cents is not None or unpaid_cents(participant) > 0
        return book_fee(participant, cents=part_cents, **booking) if paid and is_due else None


def keep_change(
    participant: Participant, kind: PersonChange.ChangeKind, *, text: str = "", by: str, at: datetime
) -> None:
    """Record a change of a player with its author and time."""
    participant.changes.create(kind=kind.value, text=text, by=by, at=at)


def hand_over(
    tournament: Tournament,
    leaver: int,
    by_whom: int | Newcomer,
    *,
    paid: bool = False,
    others: Collection[int] = (),
    **booking: Unpack[Booking],
) -> Participant:
    """Replace a leaver by a substitute, possible even after joining has ended (RULES 5.1).

    by_whom: the substitute's start number, or a Newcomer, whose fee `paid` books; others: see `check_namesakes`. The leaver
    is withdrawn unless already withdrawn or excluded. Refuses unknown_participant (start_number); for the substitute
    is_withdrawn and is_excluded (name); for a newcomer an invalid name or club, and same_name (name, start_numbers).
    """
    with transaction.atomic():
        leaving = lock_participant(tournament, leaver)
        if isinstance(by_whom, Newcomer):
            coming = _register(tournament, by_whom, paid=paid, others=others, **booking)
        else:
            coming = lock_participant(tournament, by_whom)
            if coming.excluded_at is not None:
                raise Refusal("is_excluded", name=coming.name)
            set_presence(tournament, by_whom, present=True)
        if leaving.withdrawn_at is None and leaving.excluded_at is None:
            withdraw(tournament, leaver, by=booking["by"], at=booking["at"])
    return coming


def take_fee(
    tournament: Tournament, start_number: int, *, cents: int | None = None, **booking: Unpack[Booking]
) -> Payment | None:
    """Book the unpaid part of a player's fee, or `cents` of it. Return None if there is no fee.

    Refuses as `book_fee` does.
    """
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        payment = book_fee(participant, cents=cents, **booking)
        notify(tournament.slug, "people")
    return payment


def refund_fee(tournament: Tournament, start_number: int, **booking: Unpack[Booking]) -> Payment:
    """Refund the player's balance. Refuses nothing_to_refund (name), desk_closed (desk), and is_excluded (name): then
    the fee is kept.
    """
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        return refund(participant, balance(participant), **booking)


def choose_fee(tournament: Tournament, start_number: int, *, fee: str, by: str, at: datetime) -> Participant:
    """Change a player's kind of fee. Payments stay. Refuses fee_unknown."""
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if change_fee(participant, fee, by=by, at=at):
            participant.save(update_fields=["fee"])
            notify(tournament.slug, "people")
    return participant


def change_fee(participant: Participant, fee: str, *, by: str, at: datetime) -> bool:
    """Set the kind of fee of a locked player, record the change, and return whether it changed.

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
    tournament: Tournament, start_number: int, *, fee: str, paid: bool, **booking: Unpack[Booking]
) -> Payment | None:
    """Change a player's kind of fee and check them in, both or neither. paid: book the unpaid part.

    Refuses fee_unknown, is_withdrawn (name), and if `paid` as `check_in` does.
    """
    with transaction.atomic():
        choose_fee(tournament, start_number, fee=fee, by=booking["by"], at=booking["at"])
        if paid:
            return check_in(tournament, start_number, **booking)
        set_presence(tournament, start_number, present=True)
        return None


def check_in_with_part(
    tournament: Tournament, start_number: int, *, fee: str = "", cents: int, **booking: Unpack[Booking]
) -> Payment | None:
    """Check a player in and book a part of their fee, both or neither. fee: the kind to change to, "" for none.

    Refuses is_withdrawn and is_excluded (name), fee_unknown, and as `book_fee` does.
    """
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        if participant.excluded_at is not None:
            raise Refusal("is_excluded", name=participant.name)
        if fee:
            participant = choose_fee(tournament, start_number, fee=fee, by=booking["by"], at=booking["at"])
        set_presence(tournament, start_number, present=True)
        return book_fee(participant, cents=cents, **booking)


def refund_surplus(tournament: Tournament, start_number: int, **booking: Unpack[Booking]) -> Payment:
    """Refund what a player has paid beyond their fee. Refuses as `refund_fee` does."""
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        return refund(participant, -unpaid_cents(participant), **booking)


def take_back_fee(tournament: Tournament, start_number: int, **booking: Unpack[Booking]) -> Payment:
    """Undo the booking of a fee or of a part; earlier payments stay. Refuses as `refund_fee` does."""
    with transaction.atomic():
        participant = lock_participant(tournament, start_number)
        payment = refund_latest(participant, **booking)
        if payment is None:
            raise Refusal("nothing_to_refund", name=participant.name)
        notify(tournament.slug, "people")
    return payment


def _register(
    tournament: Tournament,
    newcomer: Newcomer,
    *,
    paid: bool,
    part_cents: int | None = None,
    others: Collection[int],
    **booking: Unpack[Booking],
) -> Participant:
    line = newcomer.cleaned()
    locked = lock_tournament(tournament)
    check_namesakes(locked, [line.name], others=others)
    line = replace(line, fee=fee_key(locked, line.fee))
    (participant,) = add_people(
        locked, [line], Participant.Presence.PRESENT, by=booking["by"], at=booking["at"]
    )
    if paid:
        book_fee(participant, cents=part_cents, **booking)
    notify(locked.slug, "people")
    return participant


def check_namesakes(locked: Tournament, names: Sequence[str], *, others: Collection[int]) -> None:
    """Check that no player of a locked tournament has one of these names already.

    others: start numbers of players who are confirmed to be other people. Refuses same_name (name, start_numbers) for any
    other namesake: another desk may have registered the same person in the meantime.
    """
    wanted = {same_name_key(name): name for name in names}
    taken: dict[str, list[int]] = {}
    for number, name in locked.participants.order_by("start_number").values_list("start_number", "name"):
        if number not in others and (key := same_name_key(name)) in wanted:
            taken.setdefault(key, []).append(number)
    if taken:
        key = next(iter(taken))
        raise Refusal("same_name", name=wanted[key], start_numbers=taken[key])


def check_joining(locked: Tournament) -> None:
    """Check that players may still join. Refuses what `joining_ended` returns."""
    refusal = joining_ended(locked)
    if refusal is not None:
        raise refusal


def lock_participant(tournament: Tournament, start_number: int) -> Participant:
    """Lock the tournament and return the player. `participant.tournament` is the locked tournament."""
    participant = lock_tournament(tournament).participants.filter(start_number=start_number).first()
    if participant is None:
        raise Refusal("unknown_participant", start_number=start_number)
    return participant


def add_people(
    locked: Tournament,
    newcomers: Sequence[Newcomer],
    presence: Participant.Presence,
    *,
    by: str,
    at: datetime,
) -> list[Participant]:
    """Add players to a locked tournament. Refuses number_taken (start_number), and what `check_people` refuses."""
    check_people(locked, len(newcomers), at=at)
    taken = set(locked.participants.values_list("start_number", flat=True))
    claimed = Counter(n.start_number for n in newcomers if n.start_number is not None)
    double = next((number for number, times in claimed.items() if times > 1 or number in taken), None)
    if double is not None:
        raise Refusal("number_taken", start_number=double)
    following = max(taken | set(claimed), default=0)
    participants = []
    for newcomer in newcomers:
        number = newcomer.start_number
        if number is None:
            number = following = following + 1
        participants.append(
            Participant(
                tournament=locked,
                start_number=number,
                name=newcomer.name,
                club=newcomer.club,
                fee=newcomer.fee,
                presence=presence,
                registered_at=at,
                registered_by=by,
                **newcomer.details,
            )
        )
    return Participant.objects.bulk_create(participants)
