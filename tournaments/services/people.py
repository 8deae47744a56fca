"""People whom the club remembers: who a participant is, consents, corrections, lists of members, doubles.

A person is locked after the tournament. `by` is the account that writes, `at` is UTC.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from uuid import UUID

from django.db import connection, transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext

from tournaments.core.names import clean_person_name, clean_text
from tournaments.core.person_search import words_of
from tournaments.core.refusal import Refusal
from tournaments.models import Appearance, Consent, Participant, Person, SignUp, Tournament
from tournaments.notify import notify
from tournaments.person_details import LONGEST_DETAIL
from tournaments.queries.member_list import MEMBER_COLUMNS, MemberLine, MemberPlan, member_plan
from tournaments.queries.people import apart_from, namesake_of, people_named, whole_person, wishes_of
from tournaments.services.door import lock_participant, set_public_name
from tournaments.services.draw_settings import LAST_TABLE, add_wish, remove_wish
from tournaments.services.tournaments import allow_purge

LONGEST_MEMBER_NUMBER = 40


def remember(tournament: Tournament, start_number: int, *, by: str, at: datetime) -> Person:
    """Remember a player, who has agreed to it at the door, for the evenings to come. Refuses as `make_person`."""
    with transaction.atomic():
        person = make_person(tournament, start_number, how=Appearance.Way.TYPED, by=by, at=at)
        day = timezone.localdate(at)
        person.consents.create(what=Consent.What.KEEP, is_given=True, given_on=day, how=Consent.Medium.DOOR)
    return person


def make_person(
    tournament: Tournament, start_number: int, *, how: Appearance.Way, by: str, at: datetime
) -> Person:
    """Make a player a person of the club, who has not allowed anything yet.

    Refuses unknown_participant (start_number), and already_remembered (name).
    """
    with transaction.atomic():
        player = lock_participant(tournament, start_number)
        if Appearance.objects.filter(participant=player).exists():
            raise Refusal("already_remembered", name=player.name)
        person = Person.objects.create(
            name=player.name,
            words=words_of(player.name),
            club=player.club,
            town=player.town,
            fee=player.fee,
            names=player.names,
        )
        person.appearances.create(participant=player, how=how, by=by, at=at)
        notify(tournament.slug, "people")
    return person


def recognise(
    tournament: Tournament, start_number: int, key: UUID, *, how: Appearance.Way, by: str, at: datetime
) -> Participant:
    """Say who a player is, with this person's wishes for draws, and for the name in public unless the player wishes otherwise.

    Refuses unknown_participant (start_number), person_gone, already_remembered (name), and sits_here_already (name,
    start_number): the person is another player of the evening.
    """
    with transaction.atomic():
        player = lock_participant(tournament, start_number)
        person = _lock([key])[0]
        if Appearance.objects.filter(participant=player).exists():
            raise Refusal("already_remembered", name=player.name)
        same = tournament.participants.filter(appearance__person__in=whole_person(key))
        if other := same.first():
            raise Refusal("sits_here_already", name=other.name, start_number=other.start_number)
        person.appearances.create(participant=player, how=how, by=by, at=at)
        if person.names and not player.names:
            set_public_name(player, person.names, by=by, at=at)
        for wish in wishes_of(tournament, start_number, key, reason=gettext("ständiger Wunsch")):
            with suppress(Refusal):  # of another table, say: what was entered tonight goes first
                add_wish(tournament, wish)
        notify(tournament.slug, "people")
    return player


def recognise_namesake(tournament: Tournament, start_number: int, *, by: str, at: datetime) -> None:
    """Say that a player is the person with their name and town, found by `namesake_of`. Refuses as `recognise`."""
    with transaction.atomic():
        player = lock_participant(tournament, start_number)
        person = namesake_of(tournament, player.name, player.town)
        if person is None:
            raise Refusal("person_gone")
        has_sign_up = SignUp.objects.filter(participant=player).exists()
        how = Appearance.Way.SIGN_UP if has_sign_up else Appearance.Way.SUGGESTED
        how = Appearance.Way.LIST if player.imported_list_id else how
        recognise(tournament, start_number, person.key, how=how, by=by, at=at)


def take_back_recognition(tournament: Tournament, start_number: int) -> None:
    """Undo `remember` or `recognise`: the player stays. A person who was made by `remember` goes with it,
    unless something else is known of them.

    Refuses unknown_participant (start_number).
    """
    with transaction.atomic():
        player = lock_participant(tournament, start_number)
        appearance = Appearance.objects.filter(participant=player).first()
        if appearance is not None:
            person = appearance.person
            for wish in wishes_of(tournament, start_number, person.key):
                remove_wish(tournament, wish)
            appearance.delete()
            was_known = appearance.how != Appearance.Way.TYPED
            is_known = was_known or person.member_number or person.appearances.exists()
            if not (is_known or person.merged_into_id or person.merged.exists()):
                with suppress(ProtectedError), transaction.atomic():  # an honour, say
                    allow_purge()
                    person.consents.all().delete()
                    person.delete()
        notify(tournament.slug, "people")


def edit_person(
    key: UUID,
    *,
    name: str,
    club: str,
    town: str,
    member_number: str,
    member_from_on: date | None,
    member_until_on: date | None,
    fee: str,
    names: str,
    table: int | None = None,
    apart: Sequence[str] = (),
) -> Person:
    """Correct what is kept of a person; their evenings stay as they were.

    apart: the names of people with whom they do not sit at one table. Refuses person_gone, an invalid text as `register` does,
    member_number_taken (name), unknown_table (table), and apart_unknown (name): no person, or several.
    """
    if table is not None and not 1 <= table <= LAST_TABLE:
        raise Refusal("unknown_table", table=table)
    cleaned = clean_person_name(name)
    number = clean_text(member_number, most=LONGEST_MEMBER_NUMBER)
    with transaction.atomic():
        person = _lock([key])[0]
        others = people_named(apart) | apart_from(person)
        if unknown := [name for name in apart if name not in others or others[name].key == key]:
            raise Refusal("apart_unknown", name=unknown[0])
        other = Person.objects.exclude(key=key).filter(member_number=number).exclude(member_number="").first()
        if other is not None:
            raise Refusal("member_number_taken", name=other.name)
        person.name, person.words = cleaned, words_of(cleaned)
        person.club = clean_text(club, most=LONGEST_DETAIL)
        person.town = clean_text(town, most=LONGEST_DETAIL)
        person.member_number, person.fee, person.names = number, fee, names
        person.member_from_on, person.member_until_on = member_from_on, member_until_on
        person.table = table
        person.save()
        person.apart.set(others[name] for name in apart)
    return person


def take_members(lines: Sequence[MemberLine], *, seen: str, on: date) -> MemberPlan:
    """Take over a list of members: new people, and what it changes of others; nobody goes, and nobody has consented by it.

    seen: digest of the plan that was shown. Refuses people_have_changed if it would become something else now.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            # Nobody is added or changed meanwhile: also a new person waits, whom no lock of a row would hold.
            cursor.execute("LOCK TABLE tournaments_person IN EXCLUSIVE MODE")
        plan = member_plan(lines, on=on)
        if plan.digest != seen:
            raise Refusal("people_have_changed")
        new = [Person(**line.values, words=words_of(line.name)) for line in plan.new]
        changed = Person.objects.in_bulk([change.key for change in plan.changed])
        for change in plan.changed:
            person = changed[change.key]
            for column, value in change.values.items():
                setattr(person, column, value)
            person.words = words_of(person.name)
        Person.objects.bulk_create(new)
        Person.objects.bulk_update(changed.values(), [*MEMBER_COLUMNS, "words"], batch_size=500)
    return plan


def record_consent(key: UUID, *, what: str, is_given: bool, on: date, how: str) -> Consent:
    """Record that a person has allowed something, or withdrawn it. Refuses person_gone."""
    with transaction.atomic():
        return _lock([key])[0].consents.create(what=what, is_given=is_given, given_on=on, how=how)


def merge(key: UUID, into: UUID) -> None:
    """Say that two people are one, who is the second. Nothing is moved, so `split` undoes it.

    Both are nobody else so far, which leaves no circles. Refuses same_person, person_gone, and both_in_one_evening (evening).
    """
    if key == into:
        raise Refusal("same_person")
    with transaction.atomic():
        person, other = _lock([key, into])
        evenings, others = _evenings_of(person), _evenings_of(other)
        if both := evenings.keys() & others.keys():
            raise Refusal("both_in_one_evening", evening=evenings[min(both)])
        person.merged_into = other
        person.save(update_fields=["merged_into"])


def _evenings_of(person: Person) -> dict[int, str]:
    """Return the names of the evenings of a person and of those who are merged into them, by id."""
    appearances = Appearance.objects.filter(person__in=whole_person(person.key))
    return dict(appearances.values_list("participant__tournament", "participant__tournament__name"))


def split(key: UUID) -> bool:
    """Undo a merging: the person is their own again, with those who were merged into them before. False for an unknown person."""
    return bool(Person.objects.filter(key=key).update(merged_into=None))


def _lock(keys: list[UUID]) -> list[Person]:
    """Lock people in one order for all, and return them in that of the keys. Refuses person_gone: merged, or erased."""
    people = Person.objects.select_for_update().filter(key__in=keys, merged_into=None, erased_at=None)
    locked = {person.key: person for person in people.order_by("key")}
    if len(locked) < len(keys):
        raise Refusal("person_gone")
    return [locked[key] for key in keys]
