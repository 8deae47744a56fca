"""People whom the club remembers: who has played before, and which rows are one person."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import chain, combinations, islice
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db import connection
from django.db.models import BooleanField, Max, QuerySet
from django.db.models.expressions import RawSQL

from tournaments.core.alike import are_alike, rough_keys
from tournaments.core.fees import FeeKind
from tournaments.core.names import same_name_key
from tournaments.core.person_search import typed_words, words_of
from tournaments.core.wishes import FixedTable, KeepApart, Wish
from tournaments.models import Appearance, Consent, Participant, Person, Tournament

MOST_SUGGESTED = 8
FEWEST_LETTERS = 3
MOST_ALIKE = 5
MOST_DOUBLES = 50
PEOPLE_A_PAGE = 100

# A merged row is found by the row that it is merged into, and brings its evenings with it. Who sits in this evening is in its list.
_KNOWN = """
WITH RECURSIVE whole AS (
    SELECT key AS person, key FROM tournaments_person
    WHERE array_to_tsvector(string_to_array(words, ' ')) @@ %(query)s::tsquery
        AND merged_into_id IS NULL AND erased_at IS NULL
    UNION ALL
    SELECT whole.person, part.key FROM tournaments_person part JOIN whole ON part.merged_into_id = whole.key
), played AS (
    SELECT whole.person, max(evening.played_on) AS last_on,
        coalesce(bool_or(evening.id = %(tournament)s), false) AS is_here
    FROM whole
    LEFT JOIN tournaments_appearance appearance ON appearance.person_id = whole.key
    LEFT JOIN tournaments_participant participant ON participant.id = appearance.participant_id
    LEFT JOIN tournaments_tournament evening ON evening.id = participant.tournament_id
    GROUP BY whole.person
)
SELECT found.key, found.name, found.club, found.town, played.last_on
FROM played JOIN tournaments_person found ON found.key = played.person
WHERE NOT played.is_here
ORDER BY played.last_on DESC NULLS LAST, found.name, found.town, found.key
LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """Somebody who has played before, or is a member. last_on: the day of the last evening, None for none so far."""

    key: UUID
    name: str
    club: str
    town: str
    last_on: date | None


def known_people(tournament: Tournament, text: str) -> tuple[KnownPerson, ...]:
    """Return at most MOST_SUGGESTED people whose words begin with the typed ones, who sat last first: one query.

    None for fewer than FEWEST_LETTERS letters. Who is in this evening already is left out.
    """
    if sum(map(str.isalnum, text)) < FEWEST_LETTERS:
        return ()
    values: dict[str, str | int] = {
        "query": _prefixes(text),
        "tournament": tournament.pk,
        "most": MOST_SUGGESTED,
    }
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, values)
        return tuple(KnownPerson(*row) for row in cursor.fetchall())


def _prefixes(text: str) -> str:
    """Return the query of PostgreSQL for words that begin so, in one of the spellings."""
    spellings = [
        " & ".join(f"'{_escaped(word)}':*" for word in words if any(map(str.isalnum, word)))
        for words in typed_words(text.replace("\0", " "))
    ]
    return " | ".join(f"({words})" for words in dict.fromkeys(filter(None, spellings)))


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("'", "''")


def whole_person(key: UUID) -> Collection[UUID]:
    """Return the keys of all rows that are this person: the row itself, and those that are merged into it."""
    keys = {key}
    while more := set(Person.objects.filter(merged_into__in=keys).values_list("key", flat=True)) - keys:
        keys |= more
    return keys


def merged_people() -> dict[UUID, UUID | None]:
    """Return of each person who is merged into another one, that one."""
    return dict(Person.objects.exclude(merged_into=None).values_list("key", "merged_into"))


def root_of(person: UUID, merged: Mapping[UUID, UUID | None]) -> UUID:
    """Return the row that this one is, by `merged_people`."""
    while into := merged.get(person):
        person = into
    return person


def people_who_allow(what: str, merged: Mapping[UUID, UUID | None]) -> frozenset[UUID]:
    """Return who has given this consent and not withdrawn it: of all rows of a person the latest word holds."""
    latest = {}
    for person, is_given in (
        Consent.objects.filter(what=what).order_by("pk").values_list("person", "is_given")
    ):
        latest[root_of(person, merged)] = is_given
    return frozenset(person for person, is_given in latest.items() if is_given)


def person_of(player: Participant) -> UUID | None:
    """Return who of the club a player is: the row that theirs is merged into, None for nobody."""
    key = Appearance.objects.filter(participant=player).values_list("person", flat=True).first()
    return root_of(key, merged_people()) if key else None


def allowed_by(key: UUID) -> frozenset[str]:
    """Return the kinds of consent that a person has given and not withdrawn: of all their rows the latest word holds."""
    words = Consent.objects.filter(person__in=whole_person(key)).order_by("pk")
    latest = dict(words.values_list("what", "is_given"))
    return frozenset(what for what, is_given in latest.items() if is_given)


def wishes_of(tournament: Tournament, player: int, key: UUID, *, reason: str = "") -> list[Wish]:
    """Return what a person wishes for every draw, as wishes of this evening. player: their start number."""
    wishes: list[Wish] = []
    table = Person.objects.values_list("table", flat=True).get(key=key)
    if table is not None:
        wishes.append(FixedTable(player, table, reason))
    merged = merged_people()
    pairs = Person.apart.through.objects.filter(from_person__in=whole_person(key))
    apart = {root_of(other, merged) for other in pairs.values_list("to_person", flat=True)}
    if apart:
        here = Appearance.objects.filter(participant__tournament=tournament).order_by("participant")
        for other, person in here.values_list("participant__start_number", "person"):
            if other != player and root_of(person, merged) in apart:
                wishes.append(KeepApart(player, other, reason))
    return wishes


def apart_from(person: Person) -> dict[str, Person]:
    """Return with whom a person does not sit at one table, by name."""
    merged = merged_people()
    roots = {root_of(other, merged) for other in person.apart.values_list("key", flat=True)}
    return {other.name: other for other in all_people().filter(key__in=roots)}


def people_named(names: Iterable[str]) -> dict[str, Person]:
    """Return the people with these names, by name. A name that several people have is nobody's."""
    by_key: dict[str, list[Person]] = {}
    for person in Person.objects.filter(merged_into=None, erased_at=None):
        by_key.setdefault(same_name_key(person.name), []).append(person)
    by_name = {name: by_key.get(same_name_key(name), []) for name in names}
    return {name: people[0] for name, people in by_name.items() if len(people) == 1}


def person_to_take(key: str) -> Person | None:
    """Return the person with this key, None without one, or if they are merged into another one or erased."""
    try:
        return Person.objects.filter(key=UUID(key), merged_into=None, erased_at=None).first()
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Life:
    """A person with merged rows, evenings and consents, each with those of the merged rows, newest first."""

    person: Person
    merged: tuple[Person, ...]
    evenings: tuple[Appearance, ...]
    consents: tuple[Consent, ...]

    @property
    def allowed(self) -> frozenset[str]:
        """The kinds of consent that are given and not withdrawn: of each the latest word holds."""
        latest = {consent.what: consent for consent in reversed(self.consents)}
        return frozenset(what for what, consent in latest.items() if consent.is_given)


def all_people() -> QuerySet[Person]:
    """Return the people by name, without those who are merged or erased."""
    return Person.objects.filter(merged_into=None, erased_at=None).order_by("name", "town", "key")


def people_of_club(text: str, page: str) -> "Page[Person]":
    """Return a page of the people by name, all or those whose words begin so."""
    people = all_people()
    if query := _prefixes(text):
        fits = "array_to_tsvector(string_to_array(words, ' ')) @@ %s::tsquery"
        people = people.filter(RawSQL(fits, [query], output_field=BooleanField()))
    return Paginator(people, PEOPLE_A_PAGE).get_page(page)


def last_evenings() -> dict[UUID, date]:
    """Return the day of the last evening of each person who has played, with those of merged rows. Two queries."""
    merged, latest = merged_people(), dict[UUID, date]()
    days = Appearance.objects.order_by().values_list("person")
    for person, day in days.annotate(Max("participant__tournament__played_on")):
        root = root_of(person, merged)
        latest[root] = max(day, latest.get(root, day))
    return latest


def life_of(key: UUID) -> Life | None:
    """Return what is known of a person, None for an unknown, merged or erased one."""
    person = person_to_take(str(key))
    if person is None:
        return None
    keys = whole_person(key)
    evenings = Appearance.objects.filter(person__in=keys).select_related("participant__tournament")
    return Life(
        person,
        tuple(Person.objects.filter(merged_into=person).order_by("name", "key")),
        tuple(evenings.order_by("-participant__tournament__played_on", "-pk")),
        tuple(Consent.objects.filter(person__in=keys).order_by("-pk")),
    )


def alike_people(person: Person) -> list[Person]:
    """Return people who may be the same one: swapped first and last name, another spelling, a typing error.

    Who has played on one evening is two people.
    """
    others = all_people().exclude(key=person.key)
    alike = [other for other in others if are_alike(person.name, other.name)]
    evenings = _evenings() if alike else defaultdict(set)
    return [other for other in alike if not evenings[person.key] & evenings[other.key]][:MOST_ALIKE]


def _evenings() -> dict[UUID, set[int]]:
    """Return the evenings of each person, with those of merged rows. Two queries."""
    merged, evenings = merged_people(), defaultdict[UUID, set[int]](set)
    for player, evening in Appearance.objects.values_list("person", "participant__tournament"):
        evenings[root_of(player, merged)].add(evening)
    return evenings


def doubles() -> list[tuple[Person, Person]]:
    """Return up to MOST_DOUBLES pairs who may be one person: near names, and one town or one without.

    Only names with a key in common are compared, see `rough_keys`. Who has played on one evening is two people.
    """
    groups: dict[str, list[Person]] = defaultdict(list)
    for person in all_people():
        for key in rough_keys(person.name):
            groups[key].append(person)
    pairs: dict[tuple[UUID, UUID], tuple[Person, Person]] = {}
    for person, other in chain.from_iterable(combinations(group, 2) for group in groups.values()):
        towns = {same_name_key(town) for town in (person.town, other.town) if town}
        if len(towns) < 2 and are_alike(person.name, other.name):
            pairs[person.key, other.key] = (person, other)
            if len(pairs) == 10 * MOST_DOUBLES:
                break
    evenings = _evenings()
    apart = (pair for keys, pair in pairs.items() if not evenings[keys[0]] & evenings[keys[1]])
    return list(islice(apart, MOST_DOUBLES))


def namesake_of(tournament: Tournament, name: str, town: str) -> Person | None:
    """Return the only person with name and town of a player, or with the name alone if the player has named no town.

    None without one, or if the evening has this person already.
    """
    same = all_people().filter(words=words_of(name))
    there = [person for person in same if not town or same_name_key(person.town) == same_name_key(town)]
    is_here = Appearance.objects.filter(person__in=there, participant__tournament=tournament)
    return there[0] if len(there) == 1 and not is_here.exists() else None


def latest_fees() -> tuple[FeeKind, ...]:
    """Return the kinds of fees of the latest evening, none without one."""
    latest = Tournament.objects.filter(is_practice=False).order_by("-played_on", "-pk").first()
    return latest.fee_kinds if latest else ()
