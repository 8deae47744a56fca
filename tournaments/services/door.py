"""At the door: who comes in, what he pays, who leaves again.

Every function locks the tournament first: two desks at once get two numbers, and a draw sees either all of a
change or nothing of it. `by` is the account at the desk, `at` is UTC.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Sum

from tournaments.core.names import clean_name, clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import Participant, Payment, Tournament
from tournaments.notify import notify
from tournaments.queries.door import joining_ended
from tournaments.services.tournaments import lock_tournament

Presence = Participant.Presence
MOST_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Newcomer:
    """One line of a list: a name, perhaps a club, and perhaps the number that the list gives him."""

    name: str
    club: str = ""
    start_number: int | None = None


def register(
    tournament: Tournament, *, name: str, club: str = "", paid: bool, by: str, at: datetime, desk: str = ""
) -> Participant:
    """A walk-in: gets the next number and is present; `paid` books the entry fee.

    Refuses a name or club that cannot be (name_empty, name_too_long, name_bad_characters, text_...), and what
    `joining_ended` answers.
    """
    with transaction.atomic():
        _check_joining(lock_tournament(tournament))
        return _register(tournament, name=name, club=club, paid=paid, by=by, at=at, desk=desk)


def announce(
    tournament: Tournament, newcomers: Sequence[Newcomer], *, by: str, at: datetime
) -> list[Participant]:
    """Everybody on a list gets a number and is announced, not present; all or nobody.

    Refuses number_taken when the list claims a number that is given already or twice, too_many_lines, and what
    `joining_ended` answers.
    """
    if len(newcomers) > MOST_AT_ONCE:
        raise Refusal("too_many_lines", most=MOST_AT_ONCE)
    clean = [Newcomer(clean_name(n.name), clean_text(n.club, most=80), n.start_number) for n in newcomers]
    with transaction.atomic():
        locked = lock_tournament(tournament)
        _check_joining(locked)
        participants = _add(locked, clean, Presence.ANNOUNCED, by=by, at=at)
        notify(locked.slug, "people")
    return participants


def edit_participant(
    tournament: Tournament, start_number: int, *, name: str, club: str, names: str
) -> Participant:
    """Corrects a name or club, and how he is named in public (see `name_in_public`).

    Refuses unknown_participant and what `register` refuses.
    """
    name, club = clean_name(name), clean_text(club, most=80)
    with transaction.atomic():
        participant = _locked(tournament, start_number)
        participant.name, participant.club, participant.names = name, club, names
        participant.save(update_fields=["name", "club", "names"])
        notify(tournament.slug, "people")
    return participant


def name_in_public(tournament: Tournament, start_number: int, *, names: str) -> Participant:
    """His own wish how he is named in public: "full", "short", "number", or "" for what the tournament does.

    It counts at any time, on the wall as well. Refuses unknown_participant.
    """
    with transaction.atomic():
        participant = _locked(tournament, start_number)
        participant.names = names
        participant.save(update_fields=["names"])
        notify(tournament.slug, "people")
    return participant


def set_presence(tournament: Tournament, start_number: int, *, present: bool) -> Participant:
    """Checks somebody in, or notes at the roll call that he is missing. Refuses is_withdrawn."""
    with transaction.atomic():
        participant = _locked(tournament, start_number)
        if participant.withdrawn_at is not None:
            raise Refusal("is_withdrawn", name=participant.name)
        participant.presence = Presence.PRESENT if present else Presence.ABSENT
        participant.save(update_fields=["presence"])
        notify(tournament.slug, "people")
    return participant


def take_back_check_in(tournament: Tournament, start_number: int) -> Participant:
    """A slip at the desk: he is on the list only, not at the door yet. Refuses is_withdrawn."""
    with transaction.atomic():
        participant = _locked(tournament, start_number)
        if participant.withdrawn_at is not None:
            raise Refusal("is_withdrawn", name=participant.name)
        participant.presence = Presence.ANNOUNCED
        participant.save(update_fields=["presence"])
        notify(tournament.slug, "people")
    return participant


def take_back_registration(
    tournament: Tournament, start_number: int, *, by: str, at: datetime, desk: str = ""
) -> Participant:
    """A slip at the desk: what he paid is booked back, and he does not take part; his number stays used.

    Refuses is_withdrawn, and has_been_seated: who has played is withdrawn, and his fee is another matter.
    """
    with transaction.atomic():
        participant = _locked(tournament, start_number)
        if participant.seats.exists():
            raise Refusal("has_been_seated", name=participant.name)
        withdraw(tournament, start_number, at=at)
        if _balance(participant) > 0:
            refund_fee(tournament, start_number, by=by, at=at, desk=desk)
    return participant


def withdraw(tournament: Tournament, start_number: int, *, at: datetime) -> Participant:
    """He goes home for good; his points stay. Refuses is_withdrawn."""
    with transaction.atomic():
        participant = _locked(tournament, start_number)
        if participant.withdrawn_at is not None:
            raise Refusal("is_withdrawn", name=participant.name)
        participant.withdrawn_at = at
        participant.save(update_fields=["withdrawn_at"])
        notify(tournament.slug, "people")
    return participant


def take_back_withdrawal(tournament: Tournament, start_number: int) -> Participant:
    """He is back, and present. Refuses not_withdrawn."""
    with transaction.atomic():
        participant = _locked(tournament, start_number)
        if participant.withdrawn_at is None:
            raise Refusal("not_withdrawn", name=participant.name)
        participant.withdrawn_at, participant.presence = None, Presence.PRESENT
        participant.save(update_fields=["withdrawn_at", "presence"])
        notify(tournament.slug, "people")
    return participant


def exclude(tournament: Tournament, start_number: int, *, reason: str, at: datetime) -> Participant:
    """For cheating or a false entry: he leaves the standings; his record stays, and his fee is kept (RULES 5.8).

    Refuses reason_needed, a reason that cannot be (text_...), and is_excluded (name).
    """
    if not reason.strip():
        raise Refusal("reason_needed")
    reason = clean_text(reason, most=500)
    with transaction.atomic():
        participant = _locked(tournament, start_number)
        if participant.excluded_at is not None:
            raise Refusal("is_excluded", name=participant.name)
        _set_exclusion(tournament, participant, reason=reason, at=at)
    return participant


def take_back_exclusion(tournament: Tournament, start_number: int) -> Participant:
    """It was a mistake: he is in the standings again. Refuses not_excluded (name)."""
    with transaction.atomic():
        participant = _locked(tournament, start_number)
        if participant.excluded_at is None:
            raise Refusal("not_excluded", name=participant.name)
        _set_exclusion(tournament, participant, reason="", at=None)
    return participant


def _set_exclusion(
    tournament: Tournament, participant: Participant, *, reason: str, at: datetime | None
) -> None:
    participant.excluded_at, participant.excluded_reason = at, reason
    participant.save(update_fields=["excluded_at", "excluded_reason"])
    notify(tournament.slug, "people")
    notify(tournament.slug, "standings")


def hand_over(
    tournament: Tournament,
    leaver: int,
    by_whom: int | Newcomer,
    *,
    paid: bool = False,
    by: str,
    at: datetime,
    desk: str = "",
) -> Participant:
    """Somebody comes for a player who leaves, at a time when nobody can join otherwise (RULES 5.1).

    by_whom: his start number, or who he is if he is new; paid books the newcomer's fee. The leaver is withdrawn unless
    he has left already or is excluded. Refuses unknown_participant, and of the substitute is_withdrawn, is_excluded
    (name) and a name or club that cannot be.
    """
    with transaction.atomic():
        leaving = _locked(tournament, leaver)
        if isinstance(by_whom, Newcomer):
            name, club = by_whom.name, by_whom.club
            coming = _register(tournament, name=name, club=club, paid=paid, by=by, at=at, desk=desk)
        else:
            coming = _locked(tournament, by_whom)
            if coming.excluded_at is not None:
                raise Refusal("is_excluded", name=coming.name)
            set_presence(tournament, by_whom, present=True)
        if leaving.withdrawn_at is None and leaving.excluded_at is None:
            withdraw(tournament, leaver, at=at)
    return coming


def take_fee(
    tournament: Tournament, start_number: int, *, by: str, at: datetime, desk: str = ""
) -> Payment | None:
    """Books the entry fee, or what is missing of it; None where the tournament is free. Refuses already_paid."""
    with transaction.atomic():
        participant = _locked(tournament, start_number)
        payment = _book_fee(tournament, participant, by=by, at=at, desk=desk)
        notify(tournament.slug, "people")
    return payment


def refund_fee(
    tournament: Tournament, start_number: int, *, by: str, at: datetime, desk: str = ""
) -> Payment:
    """Books back all that he has paid. Refuses nothing_to_refund, and is_excluded: then the fee is kept."""
    with transaction.atomic():
        participant = _locked(tournament, start_number)
        if participant.excluded_at is not None:
            raise Refusal("is_excluded", name=participant.name)
        balance = _balance(participant)
        if balance <= 0:
            raise Refusal("nothing_to_refund", name=participant.name)
        payment = participant.payments.create(
            kind=Payment.Kind.REFUND, cents=balance, at=at, by=by, desk=desk
        )
        notify(tournament.slug, "people")
    return payment


def _register(
    tournament: Tournament, *, name: str, club: str, paid: bool, by: str, at: datetime, desk: str
) -> Participant:
    newcomer = Newcomer(clean_name(name), clean_text(club, most=80))
    locked = lock_tournament(tournament)
    (participant,) = _add(locked, [newcomer], Presence.PRESENT, by=by, at=at)
    if paid:
        _book_fee(locked, participant, by=by, at=at, desk=desk)
    notify(locked.slug, "people")
    return participant


def _check_joining(locked: Tournament) -> None:
    refusal = joining_ended(locked)
    if refusal is not None:
        raise refusal


def _locked(tournament: Tournament, start_number: int) -> Participant:
    lock_tournament(tournament)
    participant = Participant.objects.filter(tournament=tournament, start_number=start_number).first()
    if participant is None:
        raise Refusal("unknown_participant", start_number=start_number)
    return participant


def _add(
    locked: Tournament, newcomers: Sequence[Newcomer], presence: Presence, *, by: str, at: datetime
) -> list[Participant]:
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
                presence=presence,
                registered_at=at,
                registered_by=by,
            )
        )
    return Participant.objects.bulk_create(participants)


def _book_fee(
    tournament: Tournament, participant: Participant, *, by: str, at: datetime, desk: str
) -> Payment | None:
    """What is missing of the fee; None where the tournament is free."""
    fee = tournament.rules.entry_fee_cents
    missing = fee - _balance(participant)
    if missing <= 0:
        if fee == 0:
            return None
        raise Refusal("already_paid", name=participant.name)
    return participant.payments.create(kind=Payment.Kind.FEE, cents=missing, at=at, by=by, desk=desk)


def _balance(participant: Participant) -> int:
    """What he has paid and not got back, in cents."""
    paid: dict[str, int] = dict(participant.payments.values_list("kind").annotate(Sum("cents")))
    return paid.get(Payment.Kind.FEE.value, 0) - paid.get(Payment.Kind.REFUND.value, 0)
