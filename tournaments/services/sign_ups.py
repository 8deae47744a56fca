"""Players who register themselves: from home, or in the hall with the code on its wall.

Requests of the public lock only the terms of the sign-ups, so that the desk does not wait for them. Turning a sign-up into a
player locks the tournament first. A sign-up without a player is never published. `at` is UTC, `by` an account.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Unpack

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from tournaments.clocks import within
from tournaments.core.refusal import Refusal
from tournaments.core.sign_up_codes import plain_code
from tournaments.core.signatures import Booking
from tournaments.links import code_hash
from tournaments.models import Participant, Round, SignUp, SignUpTerms, Tournament
from tournaments.notify import notify
from tournaments.senders import sender_digest
from tournaments.services.door import (
    Newcomer,
    add_people,
    check_joining,
    check_namesakes,
    choose_fee,
    lock_participant,
    set_presence,
    set_public_name,
    take_back_registration,
)
from tournaments.services.payments import balance, book_fee, fee_key, refund, unpaid_cents
from tournaments.services.places import give_places
from tournaments.services.quotas import check_people
from tournaments.services.tournaments import lock_tournament

WINDOW = timedelta(minutes=10)
MOST_OF_A_BROWSER = 8  # a table of friends on one phone
MOST_OF_AN_ADDRESS = 200  # from home and from the hall each: a whole hall may share one address
MOST_OPEN = 1000  # of a tournament, without confirmed ones
FORGOTTEN_AFTER = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Sender:
    """Sender of a public form. address: IP address. browser: value that distinguishes browsers behind it, or ""."""

    address: str
    browser: str


def set_terms(
    tournament: Tournament,
    *,
    is_open: bool,
    closes_at: datetime,
    most: int | None,
    only_in_hall: bool,
    without_desk: bool,
    at: datetime,
) -> SignUpTerms:
    """Open or close the sign-ups, or change their terms. If there are more places now, waiting sign-ups move up.

    closes_at: the end of sign-ups from home. most: the limit of players, None for none. Refuses sign_up_most_bad.
    """
    if most is not None and not 1 <= most <= MOST_OPEN:
        raise Refusal("sign_up_most_bad", most=MOST_OPEN)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        terms, _is_new = SignUpTerms.objects.select_for_update().get_or_create(
            tournament=locked, defaults={"closes_at": closes_at}
        )
        terms.is_open, terms.closes_at, terms.most = is_open, closes_at, most
        terms.only_in_hall, terms.without_desk = only_in_hall, without_desk
        terms.save()
        give_places(terms, at=at)
        notify(locked.slug, "tournament")
    return terms


def sign_up(
    tournament: Tournament,
    *,
    name: str,
    club: str,
    names: str,
    code: str,
    in_hall: bool,
    sender: Sender,
    at: datetime,
) -> SignUp:
    """Register the sender, or return their sign-up if the same form was sent before.

    code: of the new sign-up (see `links.new_sign_up_code`). in_hall: the hall code was given. Marks the sign-up as arrived;
    without a desk it becomes a participant immediately. Refuses what `check_open` refuses, an invalid name or club (name_...,
    text_...), sign_up_code_unknown, sign_up_no_room, sign_ups_too_many, sign_ups_enough.
    """
    line = Newcomer(name, club).cleaned()
    plain = plain_code(code)
    if not plain:
        raise Refusal("sign_up_code_unknown")
    digest = code_hash(plain)
    with transaction.atomic():
        terms = _lock_terms(tournament, with_tournament=in_hall)
        existing = tournament.sign_ups.filter(code_hash=digest).first()
        if existing is not None:
            return existing
        check_open(terms, in_hall=in_hall, at=at)
        _check_room_on_lists(terms.tournament, at)
        origin, phone = (sender_digest(tournament, value) for value in (sender.address, sender.browser))
        _check_not_too_many(tournament, origin, phone, in_hall=in_hall, at=at)
        terms.last_number += 1
        terms.save(update_fields=["last_number"])
        created = tournament.sign_ups.create(
            number=terms.last_number,
            name=line.name,
            club=line.club,
            names=names,
            code_hash=digest,
            in_hall=in_hall,
            made_at=at,
            arrived_at=at if in_hall else None,
            origin=origin,
            phone=phone,
        )
        give_places(terms, at=at)
        created.refresh_from_db()
        if in_hall:
            _admit_without_desk(terms, created, at=at)
    return created


def check_open(terms: SignUpTerms | None, *, in_hall: bool, at: datetime) -> None:
    """Check that players may register themselves now. Refuses sign_up_closed, sign_up_only_in_hall, sign_up_over (at), and
    what `joining_ended` returns.
    """
    if terms is None or not terms.is_open:
        raise Refusal("sign_up_closed")
    if not in_hall and terms.only_in_hall:
        raise Refusal("sign_up_only_in_hall")
    if not in_hall and at >= terms.closes_at:
        raise Refusal("sign_up_over", at=terms.closes_at)
    check_joining(terms.tournament)


def change_sign_up(tournament: Tournament, code: str, *, name: str, club: str, names: str) -> SignUp:
    """Correct the sign-up of a code, until a desk has confirmed it. Refuses as `_own` does, and sign_up_confirmed."""
    line = Newcomer(name, club).cleaned()
    with transaction.atomic():
        _lock_terms(tournament)
        entry = _own(tournament, code)
        if entry.participant_id is not None:
            raise Refusal("sign_up_confirmed")
        entry.name, entry.club, entry.names = line.name, line.club, names
        entry.save(update_fields=["name", "club", "names"])
    return entry


def withdraw_sign_up(tournament: Tournament, code: str, *, at: datetime) -> SignUp:
    """Withdraw the sign-up of a code; the first waiting sign-up moves up. Refuses as `_own` does, and sign_up_confirmed."""
    with transaction.atomic():
        terms = _lock_terms(tournament)
        entry = _own(tournament, code)
        if entry.participant_id is not None:
            raise Refusal("sign_up_confirmed")
        _end(entry, by="", at=at)
        give_places(terms, at=at)
    return entry


def arrive(tournament: Tournament, code: str, *, in_hall: bool, at: datetime) -> SignUp:
    """Mark a sign-up as arrived. The desk sees it; without a desk, and with the hall code, it becomes a player immediately.

    The first arrival counts. Refuses as `_own` does, and sign_up_closed.
    """
    with transaction.atomic():
        terms = _lock_terms(tournament, with_tournament=in_hall)
        entry = _own(tournament, code)
        if not terms.is_open:
            raise Refusal("sign_up_closed")
        if entry.participant_id is None and entry.arrived_at is None:
            entry.arrived_at = at
            entry.save(update_fields=["arrived_at"])
        if in_hall:
            _admit_without_desk(terms, entry, at=at)
    return entry


def take_back_arrival(tournament: Tournament, code: str) -> SignUp:
    """Undo `arrive`, until there is a player. Refuses as `_own` does, and sign_up_confirmed."""
    with transaction.atomic():
        _lock_terms(tournament)
        entry = _own(tournament, code)
        if entry.participant_id is not None:
            raise Refusal("sign_up_confirmed")
        entry.arrived_at = None
        entry.save(update_fields=["arrived_at"])
    return entry


def confirm(
    tournament: Tournament,
    number: int,
    *,
    paid: bool,
    part_cents: int | None = None,
    fee: str = "",
    same_as: int | None = None,
    others: Collection[int] = (),
    by: str,
    at: datetime,
    desk: str = "",
) -> Participant:
    """Turn a sign-up into a present player, at the desk, and book the fee or a part of it if `paid`.

    fee: key of a kind of fee, "" for the default, or to keep the player's own. same_as: start number of the same person, if
    they are registered already; then no player is added, and the public name is that of the sign-up. others: see `check_namesakes`. Refuses sign_up_unknown (number), sign_up_confirmed_as (name, start_number), what
    `joining_ended` returns, and as `register` and `check_in` do.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        SignUpTerms.objects.select_for_update().filter(tournament=locked).first()
        entry = _open_sign_up(locked, number)
        if entry.participant is not None:
            person = lock_participant(tournament, entry.participant.start_number)
        elif same_as is not None:
            person = lock_participant(tournament, same_as)
            if SignUp.objects.filter(participant=person).exists():
                raise Refusal("sign_up_confirmed_as", name=person.name, start_number=same_as)
        else:
            check_joining(locked)
            check_namesakes(locked, [entry.name], others=others)
            person = _make_player(locked, entry, fee=fee, by=by, at=at)
        if fee_key(locked, fee) not in ("", person.fee):
            person = choose_fee(tournament, person.start_number, fee=fee, by=by, at=at)
        if person.excluded_at is not None:
            raise Refusal("is_excluded", name=person.name)
        if person.presence != Participant.Presence.PRESENT or person.withdrawn_at is not None:
            person = set_presence(tournament, person.start_number, present=True)
        if entry.names or entry.participant is not None:
            set_public_name(person, entry.names, by=by, at=at)
        if paid and unpaid_cents(person) > 0:
            entry.payment = book_fee(person, cents=part_cents, by=by, at=at, desk=desk)
        _link(entry, person)
        entry.confirmed_at = at
        entry.save()
        notify(locked.slug, "people")
    return person


def take_back_confirmation(tournament: Tournament, number: int, **booking: Unpack[Booking]) -> SignUp:
    """Undo a confirmation made by mistake: the player is withdrawn, their balance refunded, the sign-up open again.

    Refuses sign_up_unknown (number) if it is not confirmed, and as `take_back_registration` does.
    """
    with transaction.atomic():
        entry, person = _confirmed(tournament, number)
        take_back_registration(tournament, person.start_number, **booking)
        _unlink(entry, person)
        entry.confirmed_at = entry.payment = None
        entry.save()
    return entry


def take_back_look(
    tournament: Tournament, number: int, *, presence: str = "", names: str = "", **booking: Unpack[Booking]
) -> SignUp:
    """Undo a confirmation that added no player: refund what it booked and open the sign-up again.

    A player who joined without a desk stays one, in public a number. If the sign-up was linked to an existing player, restore
    that player's `presence` and name setting `names`. Refuses sign_up_unknown (number) if it is not confirmed.
    """
    with transaction.atomic():
        entry, person = _confirmed(tournament, number)
        if entry.confirmed_at is None:
            raise Refusal("sign_up_unknown", number=number)
        left = min(entry.payment.cents, balance(person)) if entry.payment else 0
        if left > 0:
            refund(person, left, **booking)
        takes_part_by_themselves = not person.registered_by
        names = Tournament.Names.NUMBER.value if takes_part_by_themselves else names
        set_public_name(person, names, by=booking["by"], at=booking["at"])
        if not takes_part_by_themselves:
            person.presence = presence or person.presence
            person.save(update_fields=["presence"])
            _unlink(entry, person)
        entry.confirmed_at = entry.payment = None
        entry.save()
        notify(tournament.slug, "people")
    return entry


def _confirmed(tournament: Tournament, number: int) -> tuple[SignUp, Participant]:
    """Lock the tournament and a sign-up with a player, and return both. Refuses sign_up_unknown (number)."""
    locked = lock_tournament(tournament)
    entry = locked.sign_ups.select_for_update().filter(number=number).first()
    if entry is None or entry.participant is None:
        raise Refusal("sign_up_unknown", number=number)
    return entry, lock_participant(tournament, entry.participant.start_number)


def discard(tournament: Tournament, number: int, *, of_sender: bool = False, by: str, at: datetime) -> int:
    """End a sign-up of somebody who does not come, or all of its browser (of_sender); return their number.

    Sign-ups that are players or ended stay. Refuses sign_up_unknown (number) if it is one of them.
    """
    with transaction.atomic():
        terms = _lock_terms(tournament)
        open_sign_ups = tournament.sign_ups.filter(participant=None, withdrawn_at=None)
        chosen = open_sign_ups.filter(number=number).first()
        if chosen is None:
            raise Refusal("sign_up_unknown", number=number)
        is_of_sender = Q(phone=chosen.phone) if of_sender and chosen.phone else Q(pk=chosen.pk)
        same = open_sign_ups.filter(is_of_sender)
        count = same.update(withdrawn_at=at, withdrawn_by=by, discarded_with=chosen)
        give_places(terms, at=at)
    return count


def take_back_discard(tournament: Tournament, number: int, *, at: datetime) -> int:
    """Undo `discard` for the whole batch; return its number. Refuses sign_up_unknown (number) if no desk ended it."""
    with transaction.atomic():
        terms = _lock_terms(tournament)
        ended = tournament.sign_ups.exclude(withdrawn_by="")
        chosen = ended.filter(number=number).first()
        if chosen is None:
            raise Refusal("sign_up_unknown", number=number)
        # Without a link, the sign-up with which all were discarded has been erased since.
        same = ended.filter(pk=chosen.pk)
        if chosen.discarded_with is not None:
            same = ended.filter(discarded_with=chosen.discarded_with)
        count = same.update(withdrawn_at=None, withdrawn_by="", discarded_with=None)
        give_places(terms, at=at)
    return count


def forget_sign_ups(*, at: datetime, confirmed_at: datetime | None = None) -> int:
    """Delete all sign-ups of evenings more than a week ago, with the digests of their senders; return their number.

    confirmed_at: the confirmed time (see `clocks.confirmed`), `at` by default. It decides for evenings that were not played:
    a clock that is ahead must not delete tonight's sign-ups.
    """
    days = [(moment - FORGOTTEN_AFTER).date() for moment in (at, confirmed_at or at)]
    was_played = Q(tournament__ended_at__isnull=False) | Exists(
        Round.objects.filter(tournament=OuterRef("tournament"), state=Round.State.CLOSED)
    )
    old = SignUp.objects.filter(
        was_played | Q(tournament__played_on__lt=days[1]), tournament__played_on__lt=days[0]
    )
    deleted, _by_model = old.delete()
    return deleted


def _lock_terms(tournament: Tournament, *, with_tournament: bool = False) -> SignUpTerms:
    """Lock the terms, and before them the tournament if a player may be made. Refuses sign_up_closed without terms."""
    if with_tournament:
        lock_tournament(tournament)
    locked = SignUpTerms.objects.select_for_update(of=("self",)).select_related("tournament")
    terms = locked.filter(tournament=tournament).first()
    if terms is None:
        raise Refusal("sign_up_closed")
    return terms


def _check_room_on_lists(tournament: Tournament, at: datetime) -> None:
    """Check that the club may have one more player. Refuses sign_up_no_room: guests are told nothing of quotas."""
    try:
        check_people(tournament, at=at)
    except Refusal:
        raise Refusal("sign_up_no_room") from None


def _own(tournament: Tournament, code: str) -> SignUp:
    """Return the sign-up of a code. Refuses sign_up_code_unknown and sign_up_withdrawn."""
    plain = plain_code(code)
    entry = tournament.sign_ups.filter(code_hash=code_hash(plain)).first() if plain else None
    if entry is None:
        raise Refusal("sign_up_code_unknown")
    if entry.withdrawn_at is not None:
        raise Refusal("sign_up_withdrawn")
    return entry


def _open_sign_up(locked: Tournament, number: int) -> SignUp:
    entry = locked.sign_ups.filter(number=number, withdrawn_at=None).select_related("participant").first()
    if entry is None:
        raise Refusal("sign_up_unknown", number=number)
    person = entry.participant
    if person is not None and entry.confirmed_at is not None:
        raise Refusal("sign_up_confirmed_as", name=person.name, start_number=person.start_number)
    return entry


def _check_not_too_many(
    tournament: Tournament, origin: str, phone: str, *, in_hall: bool, at: datetime
) -> None:
    lately = SignUp.objects.filter(within("made_at", WINDOW, at), tournament=tournament, origin=origin)
    if phone and lately.filter(phone=phone).count() >= MOST_OF_A_BROWSER:
        raise Refusal("sign_ups_too_many")
    if lately.filter(in_hall=in_hall).count() >= MOST_OF_AN_ADDRESS:
        raise Refusal("sign_ups_too_many")
    if tournament.sign_ups.filter(participant=None, withdrawn_at=None).count() >= MOST_OPEN:
        raise Refusal("sign_ups_enough")


def _end(entry: SignUp, *, by: str, at: datetime) -> None:
    entry.withdrawn_at, entry.withdrawn_by = at, by
    entry.save(update_fields=["withdrawn_at", "withdrawn_by"])


def _admit_without_desk(terms: SignUpTerms, entry: SignUp, *, at: datetime) -> None:
    """Turn a sign-up into a player where no desk confirms it. Until a desk does, the public sees only a number."""
    if not terms.without_desk or entry.participant_id is not None or entry.placed_at is None:
        return
    check_joining(terms.tournament)
    person = _make_player(terms.tournament, entry, fee="", by="", at=at)
    person.names = Tournament.Names.NUMBER
    person.save(update_fields=["names"])
    _link(entry, person)
    entry.save()
    notify(terms.tournament.slug, "people")


def _make_player(locked: Tournament, entry: SignUp, *, fee: str, by: str, at: datetime) -> Participant:
    line = Newcomer(entry.name, entry.club, fee=fee_key(locked, fee))
    (person,) = add_people(locked, [line], Participant.Presence.PRESENT, by=by, at=at)
    return person


def _link(entry: SignUp, person: Participant) -> None:
    """Link a player, and keep the name only there."""
    entry.participant, entry.name, entry.club = person, "", ""


def _unlink(entry: SignUp, person: Participant) -> None:
    entry.participant, entry.name, entry.club = None, person.name, person.club
