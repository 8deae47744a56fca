"""The settings of the club in its document, its people, who of them played when, and what they have allowed.

The document omits accounts and pictures, which are of this installation, and practice.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from tournaments.core.document_reader import Reader
from tournaments.core.person_search import words_of
from tournaments.documents.fields import NEEDED, Field, FieldTable
from tournaments.documents.people import read_name, read_slug
from tournaments.models import Appearance, ClubSettings, Consent, Person, Tournament
from tournaments.services.club import NAME_DAYS, RETENTION_MONTHS
from tournaments.services.draw_settings import LAST_TABLE

Persons = Mapping[UUID, Person]
"""People of the club by key."""
Tournaments = Mapping[str, Tournament]
"""Tournaments by slug."""

SETTINGS = FieldTable(
    ClubSettings,
    Field("name", required=True),
    *(
        "legal_form",
        "street",
        "town",
        "represented_by",
        "contact",
        "register",
        "place",
        "names",
        "announcement",
    ),
    Field("retention_months", least=RETENTION_MONTHS[0], most=RETENTION_MONTHS[-1]),
    Field("name_days", least=NAME_DAYS[0], most=NAME_DAYS[-1]),
    "by",
    "at",
)
PEOPLE = FieldTable(
    Person,
    Field("key", default=NEEDED, read=lambda reader: UUID(reader.identifier()), write=str),
    Field("name", read=read_name, or_null=True),
    *("club", "town", "member_number", "member_from_on", "member_until_on"),
    Field("fee", or_null=True),
    Field("names", or_null=True),
    Field("table", least=1, most=LAST_TABLE),
    "apart",
    "merged_into",
    "erased_at",
)
CONSENTS = FieldTable(Consent, "person", "what", Field("given", "is_given"), Field("on", "given_on"), "how")
TOURNAMENTS = FieldTable(
    Tournament,
    Field("slug", read=read_slug),
    Field("date", "played_on"),
    Field("appearances", default=NEEDED),
)
APPEARANCES = FieldTable(Appearance, Field("start_number", "participant"), "person", "how", "at", "by")


# --- writing -------------------------------------------------------------------------------------------------------


def settings_document() -> dict[str, Any] | None:
    stored = ClubSettings.objects.first()
    return SETTINGS.write(stored) if stored else None


def people_documents() -> list[dict[str, Any]]:
    return [
        PEOPLE.write(
            person,
            apart=sorted(str(other.key) for other in person.apart.all()),
            merged_into=key_of(person.merged_into_id),
        )
        for person in Person.objects.order_by("key").prefetch_related("apart")
    ]


def key_of(person: UUID | None) -> str | None:
    """Return the key of a person as documents refer to it."""
    return str(person) if person else None


def consent_documents() -> list[dict[str, Any]]:
    """Return the consents in the order in which they were given and withdrawn."""
    return [CONSENTS.write(word, person=str(word.person_id)) for word in Consent.objects.order_by("pk")]


def appearance_documents(in_series: Tournaments) -> list[dict[str, Any]]:
    """Return the tournaments, those of series too, with who of the club played there. Practice is none of the club's evenings."""
    tournaments, played = dict(in_series), dict[str, list[dict[str, Any]]]()
    rows = Appearance.objects.exclude(participant__tournament__is_practice=True)
    for row in rows.select_related("participant__tournament").order_by("participant__start_number"):
        tournament = row.participant.tournament
        tournaments[tournament.slug] = tournament
        values = {"start_number": row.participant.start_number, "person": str(row.person_id)}
        played.setdefault(tournament.slug, []).append(APPEARANCES.write(row, **values))
    return [
        TOURNAMENTS.write(tournament, appearances=played.get(slug, []))
        for slug, tournament in sorted(tournaments.items())
    ]


# --- reading -------------------------------------------------------------------------------------------------------


def read_settings(reader: Reader, *, at: datetime) -> ClubSettings | None:
    return None if reader.is_null else SETTINGS.read(reader, at=at, pk=1)


def read_people(reader: Reader, *, at: datetime) -> Persons:
    """Return the people, unsaved. Raises DocumentError, also where merged rows lead in a circle."""
    people: dict[UUID, Person] = {}
    numbers: set[str] = set()
    for item in reader.items():
        person = _read_person(item, at)
        add_once(people, person.key, person, item.key("key"))
        if person.member_number:
            if person.member_number in numbers:
                raise item.key("member_number").error("club_twice")
            numbers.add(person.member_number)
    for item, person in zip(reader.items(), people.values(), strict=True):
        person.merged_into = read_person(item.key("merged_into"), people)
    roots_of(people, reader)
    return people


def store_aparts(reader: Reader, people: Persons) -> None:
    """Store the wishes of people who are stored not to sit with others. Raises DocumentError."""
    for item, person in zip(reader.items(), people.values(), strict=True):
        if not (listed := item.key("apart")).is_null:
            others = [read_person(other, people) for other in listed.items()]
            if person in others:
                raise listed.error("club_person_unknown")
            person.apart.add(*filter(None, others))


def _read_person(reader: Reader, at: datetime) -> Person:
    person = PEOPLE.read(reader, at=at)
    is_known = any((person.name, person.club, person.town, person.member_number, person.table))
    if is_known if person.erased_at else not person.name:
        raise reader.key("name").error("club_erased_or_named")
    person.words = words_of(person.name) if person.name else ""
    return person


def add_once(earlier: dict[Any, Any], key: object, value: object, reader: Reader) -> None:
    """Add a value under a key that is not there yet. Raises DocumentError."""
    if key in earlier:
        raise reader.error("club_twice")
    earlier[key] = value


def read_person(reader: Reader, people: Persons) -> Person | None:
    """Return the person that a reference names, None for null. Raises DocumentError."""
    if reader.is_null:
        return None
    person = people.get(UUID(reader.identifier()))
    if person is None:
        raise reader.error("club_person_unknown")
    return person


def roots_of(people: Persons, reader: Reader) -> dict[UUID, UUID]:
    """Return of each person the row that it is in the end. Raises DocumentError for a circle."""
    roots: dict[UUID, UUID] = {}
    for key in people:
        path: dict[UUID, None] = {}
        while key not in roots and key not in path:
            path[key] = None
            into = people[key].merged_into_id
            roots |= {} if into else {key: key}
            key = into or key
        if key not in roots:
            raise reader.error("club_circle")
        roots |= dict.fromkeys(path, roots[key])
    return roots


def read_consents(reader: Reader, people: Persons, *, at: datetime) -> Iterator[Consent]:
    for item in reader.items():
        person = read_person(item.key("person"), people)
        if person is None:
            raise item.key("person").error("club_person_unknown")
        yield CONSENTS.read(item, at=at, person=person)


def lock_tournaments(reader: Reader, *, at: datetime) -> Tournaments:
    """Return the tournaments that the document refers to, locked. Raises DocumentError for one that is not here, or another one."""
    wanted: dict[str, tuple[Reader, Tournament]] = {}
    for item in reader.items():
        tournament = TOURNAMENTS.read(item, at=at)
        add_once(wanted, tournament.slug, (item, tournament), item.key("slug"))
    stored = Tournament.objects.select_for_update().filter(slug__in=wanted, is_practice=False)
    here = {tournament.slug: tournament for tournament in stored.order_by("pk")}
    for slug, (item, tournament) in wanted.items():
        if slug not in here:
            raise item.key("slug").error("club_tournament_missing", slug=slug)
        if here[slug].played_on != tournament.played_on:
            raise item.key("date").error("club_tournament_other", slug=slug)
    return here


def read_appearances(
    reader: Reader, tournaments: Tournaments, people: Persons, *, at: datetime
) -> Iterator[Appearance]:
    """Yield who of the club played in the tournaments: nobody twice in one. Raises DocumentError."""
    roots = roots_of(people, reader)
    for listed in reader.items():
        tournament = tournaments[listed.key("slug").value]
        players = dict(tournament.participants.values_list("start_number", "pk"))
        seen: dict[object, None] = {}
        for item in listed.key("appearances").items():
            row = APPEARANCES.read(item, at=at)
            number, person = item.key("start_number"), read_person(item.key("person"), people)
            if number.whole(least=1) not in players:
                raise number.error("unknown_participant", start_number=number.value)
            if person is None:
                raise item.key("person").error("club_person_unknown")
            add_once(seen, number.value, None, number)
            add_once(seen, roots[person.key], None, item.key("person"))
            row.participant_id, row.person = players[number.value], person
            yield row
