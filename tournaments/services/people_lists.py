"""Registration of the players of a list, all lines or none; and the way back.

Every function locks the tournament first, like those of the door. `by` is the account at the desk, `at` is UTC.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from tournaments.core.names import same_name_key
from tournaments.core.refusal import Refusal
from tournaments.models import ImportedList, Participant, Payment, Tournament
from tournaments.notify import notify
from tournaments.person_details import PERSON_DETAILS
from tournaments.queries.people_lists import reasons_to_stay
from tournaments.services.desks import desk_in_advance, open_desk
from tournaments.services.door import (
    Newcomer,
    add_people,
    change_fee,
    check_joining,
    check_namesakes,
    lock_participant,
)
from tournaments.services.payments import check_fees, fee_key, fee_of
from tournaments.services.places import move_up
from tournaments.services.quotas import check_room, is_in_play
from tournaments.services.tournaments import allow_purge, lock_tournament

MOST_AT_ONCE = 2000
_OF_A_LINE = ("name", "club", *PERSON_DETAILS, "fee")


def announce(
    tournament: Tournament,
    newcomers: Sequence[Newcomer],
    *,
    updates: Sequence[Newcomer] = (),
    others: Collection[int] = (),
    by: str,
    at: datetime,
    desk: str = "",
) -> list[Participant]:
    """Register all players of a list as announced, not present, and book their payments: all or none.

    updates: lines with number and name of a registered player. Spelling, club, details and kind of fee are taken over, and
    the payment if the player has none yet. others: see `check_namesakes`; the lines of the list itself are
    other people. desk: name of the desk of money paid in advance, if there is none yet. Refuses same_name (name, start_numbers), number_taken (start_number) if the list claims a
    number that is taken or claims it twice, too_many_lines (most), fee_unknown, paid_too_much (open_cents), fees_too_large (most_cents), and
    what `joining_ended` returns, and what `check_people` and, where the tournament is not in play, `check_room` refuse.
    """
    if len(newcomers) + len(updates) > MOST_AT_ONCE:
        raise Refusal("too_many_lines", most=MOST_AT_ONCE)
    clean, clean_updates = [[line.cleaned() for line in lines] for lines in (newcomers, updates)]
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if clean:
            check_joining(locked)
            if not is_in_play(locked, at):
                check_room()
        check_namesakes(locked, [line.name for line in clean], others=others)
        clean = [replace(line, fee=fee_key(locked, line.fee)) for line in clean]
        participants = add_people(locked, clean, Participant.Presence.ANNOUNCED, by=by, at=at)
        updated, changed = _update(locked, clean_updates, by=by, at=at)
        paying = [*zip(participants, clean, strict=True), *updated]
        cents = sum(line.paid_cents for _person, line in paying)
        _remember(locked, participants, changed, cents, by=by, at=at)
        _book(locked, paying, by=by, at=at, desk=desk)
        notify(locked.slug, "people")
    return participants


def _remember(
    locked: Tournament,
    participants: Sequence[Participant],
    changed: list[dict[str, Any]],
    cents: int,
    *,
    by: str,
    at: datetime,
) -> None:
    """Keep together whom the list has added and changed, so that it can be taken out as one."""
    if participants or changed:
        number = locked.imported_lists.count() + 1
        imported = locked.imported_lists.create(
            number=number, count=len(participants), changed=changed, cents=cents, by=by, at=at
        )
        added = Participant.objects.filter(pk__in=[person.pk for person in participants])
        added.update(imported_list=imported)


def take_out_list(
    tournament: Tournament, number: int, *, only_untouched: bool = False, by: str, at: datetime
) -> tuple[int, int]:
    """Delete the people that a list has added, with what they had paid in advance.

    People who were there before get back what the list has changed, unless it was changed since or more is known of them.
    Return how many were deleted or got that back, and how many stay as they are.
    only_untouched: leave added people of whom more is known; see `reasons_to_stay`. Refuses list_unknown, list_in_use if one of
    them has to stay, list_changed_since if all whom the list has changed stay as they are and nobody else is of the
    list, desk_closed (desk), and fee_unknown if the kind of fee from before the list is gone.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        people = locked.participants.filter(imported_list__number=number)
        staying = reasons_to_stay(locked, people)
        leaving = people.exclude(start_number__in=staying)
        if staying and not only_untouched:
            raise Refusal("list_in_use")
        count = _delete(locked, leaving, at=at)
        kept = len(staying)
        for imported in locked.imported_lists.filter(number=number):
            restored = _restore(locked, imported, by=by, at=at)
            count += restored
            kept += len(imported.changed) - restored
            if not count and imported.changed:
                raise Refusal("list_changed_since")
        if not count:
            raise Refusal("list_unknown")
        locked.imported_lists.filter(number=number).update(taken_out_at=at, taken_out_by=by, changed=[])
    return count, kept


def _restore(locked: Tournament, imported: ImportedList, *, by: str, at: datetime) -> int:
    """Undo what a list has changed of players who were there before, and what it has booked; return of how many.

    Players whom somebody has changed since, or of whom more is known, stay as they are. Refuses desk_closed (desk), fee_unknown.
    """
    numbers = [change["start_number"] for change in imported.changed]
    people = locked.participants.filter(start_number__in=numbers)
    staying = reasons_to_stay(locked, people, changed_at=imported.at)
    by_number = {person.start_number: person for person in people.prefetch_related("payments")}
    count = 0
    for change in imported.changed:
        person, before = by_number.get(change["start_number"]), change["before"]
        if person is None or person.start_number in staying:
            continue
        if any(getattr(person, column) != value for column, value in change["after"].items()):
            continue
        for payment in person.payments.all():
            if payment.at == imported.at and payment.kind == Payment.Kind.FEE:
                open_desk(locked, payment.desk)
                payment.delete()
        if person.fee != before["fee"]:
            change_fee(person, before["fee"], by=by, at=at)
        for column, value in before.items():
            setattr(person, column, value)
        person.save(update_fields=[*before])
        count += 1
    return count


def forget_changes(tournament: Tournament, numbers: Collection[int]) -> None:
    """Forget what lists have changed of the players with these start numbers."""
    for imported in tournament.imported_lists.exclude(changed=[]):
        imported.changed = [change for change in imported.changed if change["start_number"] not in numbers]
        imported.save(update_fields=["changed"])


def take_out(tournament: Tournament, start_number: int, *, at: datetime) -> None:
    """Delete a player who is only announced. Refuses not_announced (name), desk_closed (desk), and as `reasons_to_stay` says."""
    with transaction.atomic():
        person = lock_participant(tournament, start_number)
        if person.state != Participant.Presence.ANNOUNCED:
            raise Refusal("not_announced", name=person.name)
        alone = person.tournament.participants.filter(pk=person.pk)
        for reason in reasons_to_stay(person.tournament, alone).values():
            raise reason
        _delete(person.tournament, alone, at=at)


def _delete(locked: Tournament, people: QuerySet[Participant], *, at: datetime) -> int:
    """Delete people with their payments. Refuses desk_closed (desk): what was counted stays."""
    for desk in set(Payment.objects.filter(participant__in=people).values_list("desk", flat=True)):
        open_desk(locked, desk)
    allow_purge()
    numbers = list(people.values_list("start_number", flat=True))
    locked.participants.filter(start_number__in=numbers).delete()
    forget_changes(locked, numbers)
    move_up(locked, at=at)
    notify(locked.slug, "people")
    return len(numbers)


def _update(
    locked: Tournament, updates: Sequence[Newcomer], *, by: str, at: datetime
) -> tuple[list[tuple[Participant, Newcomer]], list[dict[str, Any]]]:
    """Correct name, club, details and fee of registered players.

    Return active players without a payment, with their lines; and what was changed or will be paid, as `ImportedList.changed`.
    """
    people = {person.start_number: person for person in locked.participants.prefetch_related("payments")}
    lines = [(people.get(line.start_number or 0), line) for line in updates]
    updated, changed = [], []
    for person, line in lines:
        if person is None or same_name_key(person.name) != same_name_key(line.name):
            raise Refusal("number_taken", start_number=line.start_number)
        before = {column: getattr(person, column) for column in _OF_A_LINE}
        person.name, person.club = line.name, line.club or person.club
        for key, text in line.details.items():
            setattr(person, key, text or getattr(person, key))
        if line.fee:
            change_fee(person, line.fee, by=by, at=at)
        updated.append((person, line))
        after = {column: getattr(person, column) for column in _OF_A_LINE}
        if before != after or (line.paid_cents and _may_pay(person)):
            changed.append({"start_number": person.start_number, "before": before, "after": after})
    Participant.objects.bulk_update([person for person, _line in updated], _OF_A_LINE)
    return [(person, line) for person, line in updated if _may_pay(person)], changed


def _may_pay(person: Participant) -> bool:
    """Whether the player takes part and has no payment, so that the one of the list counts."""
    return person.withdrawn_at is None and person.excluded_at is None and not person.payments.all()


def _book(
    locked: Tournament,
    paid: Sequence[tuple[Participant, Newcomer]],
    *,
    by: str,
    at: datetime,
    desk: str,
) -> None:
    paid = [(person, line) for person, line in paid if line.paid_cents]
    too_much = next((person for person, line in paid if line.paid_cents > fee_of(person)), None)
    if too_much is not None:
        raise Refusal("paid_too_much", open_cents=fee_of(too_much))
    if paid:
        check_fees(locked, sum(line.paid_cents for _person, line in paid))
        desk = desk_in_advance(locked, desk).name
    Payment.objects.bulk_create(
        Payment(participant=person, kind=Payment.Kind.FEE, cents=line.paid_cents, at=at, by=by, desk=desk)
        for person, line in paid
    )
