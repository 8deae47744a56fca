"""Purge: deletes from the logs, under a transaction-local setting that the triggers require.

Each purge leaves a `Deletion`: what went when, and by whom. Besides, only a list of people that is taken out is deleted so:
see `tournaments.services.people_lists`.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Model, Q, QuerySet

from scoring.models import (
    Decision,
    Evening,
    EveningResult,
    Flag,
    Honour,
    ParkedEntry,
    PrizeHandout,
    Screen,
    Sheet,
    SheetEntry,
)
from scoring.queries.series import kind_of
from tournaments.core.alike import are_alike
from tournaments.core.names import public_name, same_name_key
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import wish_from_dict
from tournaments.models import (
    Appearance,
    CashEntry,
    ClubPicture,
    Deletion,
    DeskChange,
    DrawAttempt,
    Participant,
    Payment,
    Person,
    PersonChange,
    Receipt,
    Round,
    SeatChange,
    SignUp,
    Table,
    Tournament,
)
from tournaments.notify import notify
from tournaments.person_details import PERSON_DETAILS
from tournaments.queries.people import person_to_take, whole_person
from tournaments.services.people_lists import forget_changes
from tournaments.services.tournaments import allow_purge, lock_tournament

BLANK = "–"
"""The replacement of a purged text. The triggers allow no other, and a mandatory reason stays non-empty."""
FREE_TEXTS: Sequence[tuple[type[Model], str, str]] = (
    (Round, "tournament", "closed_reason"),
    (Round, "tournament", "released_reason"),
    (DrawAttempt, "round__tournament", "reason"),
    (SeatChange, "attempt__round__tournament", "reason"),
    (Decision, "tournament", "reason"),
    (CashEntry, "tournament", "reason"),
    (DeskChange, "desk__tournament", "reason"),
    (Screen, "tournament", "text"),
    (ClubPicture, "tournament", "caption"),
    (Tournament, "pk", "ended_reason"),
)
"""Columns with free text of organisers, with the path to the tournament."""


def delete_practice_tournament(tournament: Tournament, *, by: str, at: datetime) -> None:
    """Delete a practice tournament with all its data. Refuses not_practice for any other tournament."""
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if not locked.is_practice:
            raise Refusal("not_practice")
        _delete(locked, by=by, at=at)


def delete_tournament(
    tournament: Tournament, *, typed: str, by: str, at: datetime, from_series: bool = True
) -> None:
    """Delete a tournament with all its data. Backups and exported documents remain.

    typed: the tournament's name, as the organiser has typed it to confirm. from_series: False if it goes on to count in the series
    that it is in; then only people of the club are known there. Refuses name_differs (name).
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if typed.split() != locked.name.split():
            raise Refusal("name_differs", name=locked.name)
        if not from_series:
            _keep_evening(locked)
        _delete(locked, by=by, at=at)


def _keep_evening(locked: Tournament) -> None:
    """Let the evening count in its series without the tournament. Who wished to be a number, or is nobody of the club, is nobody."""
    in_series = Evening.objects.filter(tournament=locked, places__isnull=False, results__isnull=False)
    evening = in_series.distinct().first()
    if evening is None:
        return
    people = dict(locked.participants.values_list("pk", "appearance__person"))
    results = list(evening.results.select_related("participant"))
    for result in results:
        player = result.participant
        assert player is not None  # of the tournament
        is_number = (player.names or locked.names) == Tournament.Names.NUMBER
        result.person_id = None if is_number else people[player.pk]
        result.fee, result.participant = player.fee, None
    EveningResult.objects.bulk_update(results, ["person", "fee", "participant"])
    evening.kind, evening.name, evening.played_on = kind_of(evening), locked.name, locked.played_on
    evening.tournament = None
    evening.save()


def _delete(locked: Tournament, *, by: str, at: datetime) -> None:
    """Delete all rows of a tournament, after waiting for writers at its tables. Locks each table before its sheet."""
    slug, kinds = locked.slug, Deletion.DeletionKind
    Deletion.objects.create(
        kind=kinds.PRACTICE if locked.is_practice else kinds.TOURNAMENT,
        played_on=locked.played_on,
        players=locked.participants.count(),
        by=by,
        at=at,
    )
    allow_purge()
    list(Table.objects.select_for_update().filter(round__tournament=locked))
    list(Sheet.objects.select_for_update().filter(table__round__tournament=locked))
    SheetEntry.objects.filter(tournament=locked).delete()
    ParkedEntry.objects.filter(tournament=locked).delete()
    PrizeHandout.objects.filter(tournament=locked).delete()
    Payment.objects.filter(participant__tournament=locked).delete()
    CashEntry.objects.filter(tournament=locked).delete()
    PersonChange.objects.filter(participant__tournament=locked).delete()
    Round.objects.filter(tournament=locked).delete()
    locked.delete()
    Receipt.objects.all().delete()
    notify(slug, "tournament")


def erase_person(tournament: Tournament, start_number: int, *, by: str, at: datetime) -> None:
    """Erase a player's identity. Their results and payments stay, and so do all standings.

    The start number replaces the name. Deleted: flags on the player's sheets, flags that contain a word of the name, the
    player's changes with a text (an earlier name or a reason), others' changes whose text contains a word of the name, the
    player's sign-up, who of the club they are, ended sign-ups with a similar name (an open one counts as another person's), and typed
    honours and results of earlier years with the name. Blanked: all texts of
    the player's sheets, the reasons of seat changes and wishes that involve the player, and other texts of the organiser that
    contain a word of the name. Answers to forms are forgotten, since they may show the name.
    Refuses unknown_participant (start_number).
    """
    with transaction.atomic():
        _forget_typed(erase_name(tournament, start_number, by=by, at=at))
        of_player = {"participant__tournament": tournament, "participant__start_number": start_number}
        Appearance.objects.filter(**of_player).delete()


def erase_from_club(key: UUID, *, by: str, at: datetime) -> None:
    """Erase a person with all rows that are merged into them: in each of their evenings as `erase_person` does, and in the club.

    The rows stay without a word, so that results remain one person's. Refuses person_gone: merged, erased, or registered for
    another evening meanwhile.
    """
    with transaction.atomic():
        if person_to_take(str(key)) is None:
            raise Refusal("person_gone")
        rows = whole_person(key)
        appearances = Appearance.objects.filter(person__in=rows).select_related("participant__tournament")
        erased = list(appearances.order_by("participant__tournament_id", "pk"))
        for appearance in erased:
            player = appearance.participant
            _forget_typed(erase_name(player.tournament, player.start_number, by=by, at=at), key)
        allow_purge()
        Receipt.objects.all().delete()
        people = Person.objects.filter(key__in=rows)
        for name in people.values_list("name", flat=True):
            _forget_typed(name, key)
        make_people_nameless(people, at=at)
        if appearances.count() != len(erased):
            raise Refusal("person_gone")


def make_people_nameless(people: QuerySet[Person], *, at: datetime) -> None:
    """Take out what is kept of people, so that only their rows stay."""
    Honour.objects.filter(person__in=people).delete()
    for person in people:
        person.apart.clear()
    nameless = dict.fromkeys(("name", "words", "club", "town", "member_number", "fee", "names"), "")
    people.update(**nameless, table=None, member_from_on=None, member_until_on=None, erased_at=at)


def erase_name(
    tournament: Tournament, start_number: int, *, by: str, at: datetime, is_told: bool = True
) -> str:
    """Erase a player's identity in the evening alone, and return the name.

    is_told: with a `Deletion` of its own, and at once also from answers to forms, which are forgotten within a day otherwise.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        person = locked.participants.filter(start_number=start_number).first()
        if person is None:
            raise Refusal("unknown_participant", start_number=start_number)
        allow_purge()
        _wait_for_writers(person)
        sheets = Sheet.objects.filter(table__seats__participant=person)
        SheetEntry.objects.filter(sheet__in=sheets).exclude(text="").update(text=BLANK)
        ParkedEntry.objects.filter(sheet__in=sheets).exclude(text="").update(text=BLANK)
        ParkedEntry.objects.filter(sheet__in=sheets).exclude(decided_reason="").update(decided_reason=BLANK)
        _delete_flags(locked, person)
        _delete_sign_ups(locked, person)
        _blank_reasons(locked, person.name)
        _blank_changes(person)
        _blank_wishes(locked, person)
        forget_changes(locked, [start_number])
        _delete_texts_of_changes(locked, person)
        name = person.name
        _make_nameless(person)
        if is_told:
            kind = Deletion.DeletionKind.PERSON
            row = {"played_on": locked.played_on, "start_number": start_number, "by": by, "at": at}
            Deletion.objects.create(kind=kind, **row)
            Receipt.objects.all().delete()
        notify(locked.slug, "people")
        return name


def _wait_for_writers(person: Participant) -> None:
    """Lock the tables where the player sat: a text that is being written there would survive the erasure."""
    tables = Table.objects.select_for_update(no_key=True, of=("self",)).filter(seats__participant=person)
    list(tables.order_by("round__number", "number"))


def _make_nameless(person: Participant) -> None:
    person.name = public_name(person.name, person.start_number, Tournament.Names.NUMBER)
    person.club, person.names = "", Tournament.Names.NUMBER
    for key in PERSON_DETAILS:
        setattr(person, key, "")
    person.excluded_reason = person.excluded_reason and BLANK
    person.save(update_fields=["name", "club", *PERSON_DETAILS, "names", "excluded_reason"])


def _delete_flags(tournament: Tournament, person: Participant) -> None:
    """Delete the flags on the player's sheets, and those that contain the player's name or are signed with it."""
    flags = Flag.objects.filter(tournament=tournament)
    names_player = _holds_a_word_of(person.name, "note", "name", "closed_word")
    flags.filter(names_player | Q(table__in=person.seats.values("table"))).delete()


def _delete_sign_ups(tournament: Tournament, person: Participant) -> None:
    """Delete the player's sign-up, and ended ones with a similar name, which are probably duplicates."""
    ended = tournament.sign_ups.exclude(withdrawn_at=None).values_list("pk", "name")
    doubles = [pk for pk, name in ended if are_alike(name, person.name)]
    SignUp.objects.filter(Q(participant=person) | Q(pk__in=doubles)).delete()


def _delete_texts_of_changes(tournament: Tournament, person: Participant) -> None:
    """Delete the player's changes that have a text, and those of others whose text contains the player's name."""
    changes = PersonChange.objects.filter(participant__tournament=tournament).exclude(text="")
    changes.filter(Q(participant=person) | _holds_a_word_of(person.name, "text")).delete()


def _forget_typed(name: str, person: UUID | None = None) -> None:
    """Delete typed honours of this name, and take it out of the results of evenings that were typed in.

    person: whose results those are from now on, as they were by the name.
    """
    key = same_name_key(name)
    honours = Honour.objects.exclude(name="").values_list("pk", "name")
    Honour.objects.filter(pk__in=[pk for pk, typed in honours if same_name_key(typed) == key]).delete()
    results = EveningResult.objects.exclude(name="").values_list("pk", "name")
    named = [pk for pk, typed in results if same_name_key(typed) == key]
    EveningResult.objects.filter(pk__in=named).update(name="", person=person)


def _holds_a_word_of(name: str, *columns: str) -> Q:
    condition = Q()
    for word in re.findall(r"\w{3,}", name) or [name]:
        for column in columns:
            condition |= Q(**{f"{column}__icontains": word})
    return condition


def _blank_reasons(tournament: Tournament, name: str) -> None:
    """Blank the organiser's reasons outside of sheets, and announcements, if they contain a word of the name."""
    for model, path, column in FREE_TEXTS:
        rows = model._default_manager.filter(**{path: tournament.pk})
        rows.filter(_holds_a_word_of(name, column)).update(**{column: BLANK})


def _blank_changes(person: Participant) -> None:
    """Blank the reasons of the manual seat changes that involve the player."""
    is_about_player = Q()
    for key in ("player", "substitute", "a", "b"):
        is_about_player |= Q(**{f"data__{key}": person.start_number})
    changes = SeatChange.objects.filter(attempt__round__tournament=person.tournament_id)
    changes.filter(is_about_player).update(reason=BLANK)


def _blank_wishes(tournament: Tournament, person: Participant) -> None:
    """Blank the reasons of the draw wishes that involve the player, in the tournament and in its draws."""
    attempts = DrawAttempt.objects.filter(round__tournament=tournament).exclude(wishes=[])
    having_wishes: list[Tournament | DrawAttempt] = [tournament, *attempts]
    for row in having_wishes:
        wishes = [wish_from_dict(wish) for wish in row.wishes]
        row.wishes = [
            (replace(wish, reason=BLANK) if person.start_number in wish.players else wish).to_dict()
            for wish in wishes
        ]
        row.save(update_fields=["wishes"])
