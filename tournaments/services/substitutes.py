"""Where all rounds are drawn ahead: somebody takes the seat of a player who leaves (RULES 5.1)."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from tournaments.core.draw import Replaced
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import DrawAttempt, Participant, Round, Seat, Tournament
from tournaments.notify import notify
from tournaments.services import door
from tournaments.services.door import Newcomer
from tournaments.services.tournaments import lock_tournament


def substitute(
    tournament: Tournament,
    leaver: int,
    by_whom: int | Newcomer,
    *,
    rounds: Iterable[int],
    reason: str,
    by: str,
    at: datetime,
    paid: bool = False,
    desk: str = "",
) -> Participant:
    """Somebody, known by his start number or new, takes the seats of `leaver` in `rounds`; the draws say so.

    The leaver is withdrawn with it and keeps what he has played for; what is played from now on is the substitute's.
    rounds: those of his that are not begun, as the caller has found out. paid: the newcomer's fee is booked.

    Refuses no_substitutes (other rulesets), unknown_participant, nothing_to_take_over (no such round),
    draw_not_recorded, is_withdrawn, is_excluded (name), and already_at_a_table.
    """
    reason = clean_text(reason, most=500, required=True)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if not locked.rules.drawn_ahead:
            raise Refusal("no_substitutes")
        leaving = _participant(locked, leaver)
        seats = _seats(locked, leaving, rounds)
        if not seats:
            raise Refusal("nothing_to_take_over", name=leaving.name)
        coming = _coming(locked, by_whom, paid=paid, by=by, at=at, desk=desk)
        for seat in seats:
            _take_over(seat, Replaced(leaving.start_number, coming.start_number), coming, reason, by, at)
        if leaving.withdrawn_at is None and leaving.excluded_at is None:
            door.withdraw(locked, leaver, at=at)
        notify(locked.slug, "seating")
    return coming


def _participant(locked: Tournament, start_number: int) -> Participant:
    found = locked.participants.filter(start_number=start_number).first()
    if found is None:
        raise Refusal("unknown_participant", start_number=start_number)
    return found


def _seats(locked: Tournament, leaving: Participant, rounds: Iterable[int]) -> list[Seat]:
    open_rounds = Round.objects.filter(tournament=locked, number__in=rounds).exclude(state=Round.State.CLOSED)
    seats = Seat.objects.filter(round__in=open_rounds, participant=leaving)
    return list(seats.select_related("round").order_by("round__number"))


def _coming(
    locked: Tournament, by_whom: int | Newcomer, *, paid: bool, by: str, at: datetime, desk: str
) -> Participant:
    if isinstance(by_whom, Newcomer):
        return door.register_substitute(
            locked, name=by_whom.name, club=by_whom.club, paid=paid, by=by, at=at, desk=desk
        )
    found = _participant(locked, by_whom)
    if found.withdrawn_at is not None:
        raise Refusal("is_withdrawn", name=found.name)
    if found.excluded_at is not None:
        raise Refusal("is_excluded", name=found.name)
    if found.presence != Participant.Presence.PRESENT:
        door.set_presence(locked, by_whom, present=True)
    return found


def _take_over(seat: Seat, change: Replaced, coming: Participant, reason: str, by: str, at: datetime) -> None:
    """Writes the change beside the draw and into the seat. Refuses draw_not_recorded, already_at_a_table."""
    attempt = DrawAttempt.objects.filter(round=seat.round, abandoned_at=None).first()
    if attempt is None:
        raise Refusal("draw_not_recorded", round=seat.round.number)
    if Seat.objects.filter(round=seat.round, participant=coming).exists():
        raise Refusal("already_at_a_table", start_number=coming.start_number)
    attempt.changes.create(
        sequence=attempt.changes.count() + 1, data=change.to_dict(), reason=reason, at=at, by=by
    )
    seat.participant = coming
    seat.save(update_fields=["participant"])
