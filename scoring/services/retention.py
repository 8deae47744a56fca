"""Retention: names without a ground become numbers (see `scoring.queries.retention`), and a person who withdrew is forgotten."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef

from scoring.models import EveningResult
from scoring.queries.retention import DueEvenings, due_evenings, kept_people, names_without_ground
from scoring.queries.series import identity_of
from scoring.services.purge import erase_name, make_people_nameless
from tournaments.core.names import same_name_key
from tournaments.models import Appearance, ClubSettings, Consent, Deletion, Participant, Person, Tournament
from tournaments.queries.people import merged_people, root_of, whole_person


def forget_names(*, today: date, at: datetime) -> int:
    """Make names that have no ground today numbers, and return how many. Standings, series and payments stay as they are."""
    if not ClubSettings.objects.exclude(name_days=None).exists():
        return 0
    count = sum(_forget_in(due, today=today, at=at) for due in due_evenings(today))
    _forget_people(at=at)
    return count


def _forget_in(due: DueEvenings, *, today: date, at: datetime) -> int:
    with transaction.atomic():
        evenings = _lock(due)
        if due not in due_evenings(today):  # evening resumed or series changed meanwhile
            return 0
        players = list(names_without_ground(due.evenings).select_related("appearance"))
        _keep_together(due, players, at=at)
        by_evening: dict[int, list[Participant]] = defaultdict(list)
        for player in players:
            by_evening[player.tournament_id].append(player)
        for pk, of_evening in by_evening.items():
            for player in of_evening:
                erase_name(evenings[pk], player.start_number, by="", at=at, is_told=False)
            Deletion.objects.create(
                kind=Deletion.DeletionKind.NAMES,
                played_on=evenings[pk].played_on,
                players=len(of_evening),
                by="",
                at=at,
            )
        return len(players)


def _lock(due: DueEvenings) -> dict[int, Tournament]:
    """Lock the evenings, and the people who played in them: a consent that is being given is waited for."""
    locked = Tournament.objects.select_for_update(no_key=True).filter(pk__in=due.evenings).order_by("pk")
    evenings = {evening.pk: evening for evening in locked}
    merged = merged_people()
    played = Appearance.objects.filter(participant__tournament__in=due.evenings).values_list(
        "person", flat=True
    )
    keys = {root_of(person, merged) for person in played}
    list(Person.objects.select_for_update().filter(key__in=keys).order_by("key"))
    return evenings


def _keep_together(due: DueEvenings, players: list[Participant], *, at: datetime) -> None:
    """Let the results of each player remain one's across the evenings: they become those of a person without a name."""
    merged = merged_people()
    typed = _typed_results(due, merged)
    same: dict[str, list[Participant]] = defaultdict(list)
    for player in players:
        same[identity_of(player, merged)].append(player)
    Appearance.objects.filter(participant__in=players).delete()
    for identity, rows in same.items():
        if identity in typed or len({player.tournament_id for player in rows}) > 1:
            nobody = Person.objects.create(erased_at=at)
            EveningResult.objects.filter(pk__in=typed.get(identity, ())).update(person=nobody, name="")
            Appearance.objects.bulk_create(
                Appearance(participant=player, person=nobody, how=Appearance.Way.TYPED, by="", at=at)
                for player in {player.tournament_id: player for player in rows}.values()
            )


def _typed_results(due: DueEvenings, merged: Mapping[UUID, UUID | None]) -> dict[str, list[int]]:
    """Return the results without a tournament that count for a player of these evenings, by identity, as a series counts them."""
    identities: dict[str, set[str]] = defaultdict(set)
    played = Participant.objects.filter(tournament__in=due.evenings, evening_result__isnull=False)
    for player in played.select_related("appearance"):
        identities[same_name_key(player.name)].add(identity_of(player, merged))
    typed: dict[str, list[int]] = defaultdict(list)
    results = EveningResult.objects.filter(evening__series__evenings__tournament__in=due.evenings)
    for pk, name, person in results.filter(participant=None).distinct().values_list("pk", "name", "person"):
        same = {str(root_of(person, merged))} if person else identities.get(same_name_key(name), set())
        if len(same) == 1:
            typed[min(same)].append(pk)
    return typed


def _forget_people(*, at: datetime) -> None:
    """Forget the people who have withdrawn, are no members and are named in no evening any more."""
    kinds = (Consent.What.KEEP, Consent.What.HONOURS)
    withdrew = Consent.objects.filter(what__in=kinds, is_given=False, person=OuterRef("key"))
    people = Person.objects.filter(Exists(withdrew), merged_into=None, erased_at=None, member_number="")
    for person in people.filter(member_from_on=None).exclude(key__in=kept_people()):
        _forget_person(person.key, at=at)


def _forget_person(key: UUID, *, at: datetime) -> None:
    with transaction.atomic():
        list(Person.objects.select_for_update().filter(key=key))
        rows = whole_person(key)
        if key not in kept_people() and not Appearance.objects.filter(person__in=rows).exists():
            make_people_nameless(Person.objects.filter(key__in=rows), at=at)
