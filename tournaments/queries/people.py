"""People whom the club remembers: who has played before, and which rows are one person."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db import connection

from tournaments.core.person_search import typed_words
from tournaments.models import Person, Tournament

MOST_SUGGESTED = 8
FEWEST_LETTERS = 3

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
    values = {"query": _prefixes(text), "tournament": tournament.pk, "most": MOST_SUGGESTED}
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


def person_to_take(key: str) -> Person | None:
    """Return the person with this key, None without one, or if they are merged into another one or erased."""
    try:
        return Person.objects.filter(key=UUID(key), merged_into=None, erased_at=None).first()
    except ValueError:
        return None
