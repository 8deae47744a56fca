"""The club as one document: what lies above its tournaments, and refers to them by slug and start number.

Results of tournaments follow from those, and are not in it; evenings without a tournament are.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from scoring.core.series_rule import MOST_EVENINGS, SeriesRule
from scoring.core.typed_years import EARLIEST, LATEST
from scoring.models import Evening, EveningResult, Honour, Series, SeriesEvening
from tournaments.core.document_reader import LARGEST_NUMBER, DocumentError, Reader
from tournaments.core.refusal import Refusal
from tournaments.documents.club import (
    Persons,
    Tournaments,
    add_once,
    appearance_documents,
    consent_documents,
    key_of,
    lock_tournaments,
    people_documents,
    read_appearances,
    read_consents,
    read_people,
    read_person,
    read_settings,
    settings_document,
    store_aparts,
)
from tournaments.documents.fields import NEEDED, Field, FieldTable, read_object
from tournaments.documents.people import read_slug
from tournaments.documents.rounds import read_seed
from tournaments.documents.schema import read_parts
from tournaments.models import Appearance, ClubSettings, Consent, Person, Tournament
from tournaments.notify import notify
from tournaments.queries.club import CLUB
from tournaments.services.quotas import check_room

CLUB_SCHEMA = "schnauz-club/1"
_KEYS = ("schema", "settings", "people", "consents", "tournaments", "evenings", "series", "honours")


def _read_rule(reader: Reader) -> dict[str, Any]:
    try:
        return SeriesRule.from_dict(read_object(reader)).to_dict()
    except Refusal as refusal:
        raise DocumentError(reader.path, refusal) from None


EVENINGS = FieldTable(
    Evening,
    Field("name", default=NEEDED, required=True),
    Field("date", "played_on", default=NEEDED),
    "kind",
    Field("results", default=NEEDED),
)
RESULTS = FieldTable(
    EveningResult,
    Field("rank", least=1),
    "shared",
    Field("points", least=-LARGEST_NUMBER),
    "strokes",
    "table_wins",
    "person",
    Field("name", or_null=True),
    Field("fee", or_null=True),
)
SERIES = FieldTable(
    Series,
    Field("slug", read=read_slug),
    Field("name", required=True),
    Field("rule", read=_read_rule, write=lambda stored: SeriesRule.from_dict(stored).to_dict()),
    Field("planned", least=1, most=MOST_EVENINGS),
    Field("lot_seed", read=read_seed, or_null=True),
    "created_at",
    Field("evenings", default=NEEDED),
)
HONOURS = FieldTable(
    Honour,
    Field("year", least=EARLIEST, most=LATEST),
    "title",
    "person",
    Field("name", or_null=True),
    "by",
    "at",
)


def holds_club() -> bool:
    """Whether there is anything that a club's document is made of, the settings apart."""
    typed = Evening.objects.filter(tournament=None)
    return any(rows.exists() for rows in (Person.objects, Series.objects, Honour.objects, typed))


def export_club() -> dict[str, Any]:
    """Return the document of the club. It names everybody whom the club remembers, so it is for organisers of the club only."""
    evenings = list(Evening.objects.filter(tournament=None).order_by("pk").prefetch_related("results"))
    numbers = {evening.pk: number for number, evening in enumerate(evenings, start=1)}
    places: dict[int, list[str | int]] = {}
    in_series: dict[str, Tournament] = {}
    for place in SeriesEvening.objects.select_related("evening__tournament").order_by("series", "number"):
        tournament = place.evening.tournament
        in_series |= {tournament.slug: tournament} if tournament else {}
        name = tournament.slug if tournament else numbers[place.evening_id]
        places.setdefault(place.series_id, []).append(name)
    parts = {
        "consents": consent_documents(),
        "tournaments": appearance_documents(in_series),
        "evenings": [_evening_document(evening) for evening in evenings],
        "series": [
            SERIES.write(series, evenings=places.get(series.pk, []))
            for series in Series.objects.order_by("pk")
        ],
        "honours": [
            HONOURS.write(honour, person=key_of(honour.person_id)) for honour in Honour.objects.order_by("pk")
        ],
    }
    # People last: whoever comes meanwhile is named by none of the parts, and nobody is missing whom one names.
    return {
        "schema": CLUB_SCHEMA,
        "settings": settings_document(),
        "people": people_documents(),
        **parts,
    }


def _evening_document(evening: Any) -> dict[str, Any]:
    results = [RESULTS.write(line, person=key_of(line.person_id)) for line in evening.results.all()]
    return EVENINGS.write(evening, results=results)


def import_club(text: str, *, at: datetime) -> int:
    """Store the club of a document in one that has no people, series and honours yet, all or nothing; return how many people.

    Settings that are there stay. The tournaments that it refers to have to be here already, those of the document's days.
    Raises DocumentError with the JSON path of the first error, and refuses what `check_room` refuses.
    """
    check_room()
    document = read_parts(text, (CLUB_SCHEMA,), _KEYS)
    people = read_people(document["people"], at=at)
    with transaction.atomic():
        tournaments = lock_tournaments(document["tournaments"], at=at)
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE tournaments_person IN EXCLUSIVE MODE")
        if holds_club():
            raise document.reader.error("club_not_empty")
        settings = read_settings(document["settings"], at=at)
        if settings and not ClubSettings.objects.exists():
            settings.save()
        Person.objects.bulk_create(people.values())
        store_aparts(document["people"], people)
        Consent.objects.bulk_create(read_consents(document["consents"], people, at=at))
        Appearance.objects.bulk_create(read_appearances(document["tournaments"], tournaments, people, at=at))
        evenings = [_store_evening(item, people, at) for item in document["evenings"].items()]
        _store_series(document["series"], tournaments, evenings, at)
        Honour.objects.bulk_create(_read_honours(document["honours"], people, at))
        for slug in (CLUB, *tournaments):
            notify(slug, "tournament")
    return len(people)


def _store_evening(reader: Reader, people: Persons, at: datetime) -> Evening:
    evening = EVENINGS.read(reader, at=at)
    evening.save()
    results = []
    for item in reader.key("results").items():
        line = RESULTS.read(item, at=at, evening=evening, person=read_person(item.key("person"), people))
        if line.person and line.name:
            raise item.key("name").error("club_person_or_name")
        results.append(line)
    EveningResult.objects.bulk_create(results)
    return evening


def _store_series(reader: Reader, tournaments: Tournaments, typed: list[Evening], at: datetime) -> None:
    by_name: dict[str | int, Evening] = dict(enumerate(typed, start=1))
    slugs: dict[str, None] = {}
    for item in reader.items():
        series = SERIES.read(item, at=at)
        add_once(slugs, series.slug, None, item.key("slug"))
        series.save()
        chosen: dict[str | int, Evening] = {}
        for place in item.key("evenings").items():
            if isinstance(place.value, str) and place.value in tournaments and place.value not in by_name:
                of_tournament, _ = Evening.objects.get_or_create(tournament=tournaments[place.value])
                by_name[place.value] = of_tournament
            if type(place.value) not in (str, int) or place.value not in by_name:
                raise place.error("club_evening_unknown")
            add_once(chosen, place.value, by_name[place.value], place)
        SeriesEvening.objects.bulk_create(_places(series, chosen.values()))


def _places(series: Series, evenings: Iterable[Evening]) -> Iterator[SeriesEvening]:
    for number, evening in enumerate(evenings, start=1):
        yield SeriesEvening(series=series, evening=evening, number=number)


def _read_honours(reader: Reader, people: Persons, at: datetime) -> Iterator[Honour]:
    for item in reader.items():
        honour = HONOURS.read(item, at=at, person=read_person(item.key("person"), people))
        if bool(honour.person) is bool(honour.name):
            raise item.key("name").error("club_person_or_name")
        yield honour
