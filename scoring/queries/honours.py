"""The roll of honour (Ehrentafel): winners and Schnauz kings of evenings, winners of series, and what the club has typed in.

Who is a person of the club is named with the consent `honours` only; other players as long as their evening is public, as it names
them. A typed name that belongs to no such person is shown: who typed it answers for it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any, Literal
from uuid import UUID

from django.db.models import F, OuterRef, Q, Subquery

from scoring.models import EveningResult, Honour, Series
from scoring.queries.series import SeriesPage, frozen, person_of, series_page
from tournaments.core.names import public_name
from tournaments.models import Consent, Person, Tournament
from tournaments.queries.people import merged_people, people_who_allow, root_of, whole_person
from tournaments.queries.publicity import public_until, with_activity

What = Literal["series", "winner", "king", "typed"]
_ORDER: tuple[What, ...] = ("typed", "series", "winner", "king")


@dataclass(frozen=True, slots=True)
class HonourRow:
    """An honour of a year. about: the evening or series, or the typed title. day: of the evening."""

    year: int
    what: What
    about: str
    names: tuple[str, ...]
    day: date | None = None


Names = Mapping[UUID, str]
"""Of the people of the club who may be named for good, merged rows included, the names."""


def honours_by_year(*, today: date) -> list[tuple[int, list[HonourRow]]]:
    """Return the honours as everybody may see them, the latest year first. One that names nobody is left out."""
    named = _named()
    rows = [*_typed(named), *_of_series(named, today), *_of_evenings(named, today)]
    ordered = sorted(rows, key=lambda row: (-row.year, _ORDER.index(row.what)))
    return [(year, list(of_year)) for year, of_year in groupby((row for row in ordered if row.names), _year)]


def unnamed_honours() -> list[Honour]:
    """Return the typed honours of people who have not allowed to be named in them."""
    named = _named()
    rows = Honour.objects.exclude(person=None).select_related("person")
    return [row for row in rows if row.person_id not in named]


def honours_of(person: UUID) -> list[Any]:
    """Return what earlier years hold of a person, merged rows included."""
    keys = whole_person(person)
    results = EveningResult.objects.filter(person__in=keys).order_by("evening__played_on")
    return [
        *Honour.objects.filter(person__in=keys).values("year", "title"),
        *results.values("evening__name", "evening__played_on", "rank", "points"),
    ]


def _named() -> Names:
    merged = merged_people()
    people = Person.objects.filter(key__in=people_who_allow(Consent.What.HONOURS, merged), erased_at=None)
    names = {
        person.key: public_name(person.name, 0, "short" if person.names == "short" else "full")
        for person in people
    }
    return {row: names[root] for row in [*names, *merged] if (root := root_of(row, merged)) in names}


def _year(row: HonourRow) -> int:
    return row.year


def _typed(named: Names) -> Iterator[HonourRow]:
    for (year, title), same in _grouped(Honour.objects.all(), lambda row: (row.year, row.title)):
        names = (named.get(row.person_id, "") if row.person_id else row.name for row in same)
        yield HonourRow(year, "typed", title, tuple(filter(None, names)))


def _grouped(rows: Iterable[Any], key: Any) -> Iterable[tuple[Any, list[Any]]]:
    by_key: dict[Any, list[Any]] = {}
    for row in rows:
        by_key.setdefault(key(row), []).append(row)
    return by_key.items()


def _of_evenings(named: Names, today: date) -> Iterator[HonourRow]:
    """Yield winner and Schnauz king of each evening whose final standings are public and whose tournament is not hidden."""
    top = EveningResult.objects.filter(evening=OuterRef("evening")).order_by("-strokes").values("strokes")[:1]
    results = (
        EveningResult.objects.filter(Q(evening__tournament=None) | Q(evening__tournament__is_hidden=False))
        .annotate(most_strokes=Subquery(top), is_frozen=frozen("evening__tournament"))
        .filter(Q(rank=1) | Q(strokes__gt=0, strokes=F("most_strokes")), is_frozen=False)
        .select_related("evening__tournament", "participant__appearance")
        .order_by("-evening__tournament__played_on", "evening", "id")
    )
    tournaments = with_activity(Tournament.objects.filter(evening__isnull=False))
    still_public = {tournament.pk for tournament in tournaments if today <= public_until(tournament)}
    for evening, of_evening in _grouped(results, lambda result: result.evening):
        best = [result for result in of_evening if result.rank == 1]
        kings = [result for result in of_evening if 0 < result.strokes == result.most_strokes]
        chosen_by_what: list[tuple[What, list[Any]]] = [("winner", best), ("king", kings)]
        for what, chosen in chosen_by_what:
            names = (_name_of(result, named, still_public) for result in chosen)
            yield HonourRow(evening.day.year, what, str(evening), tuple(filter(None, names)), evening.day)


def _name_of(result: EveningResult, named: Names, still_public: set[int]) -> str:
    player, tournament = result.participant, result.evening.tournament
    person = player.appearance.person_id if player and hasattr(player, "appearance") else result.person_id
    if person:
        return named.get(person, "")
    if player is None or tournament is None:
        return result.name
    name = public_name(player.name, player.start_number, player.names or tournament.names)
    nameless = public_name("", player.start_number, Tournament.Names.NUMBER)
    return name if tournament.pk in still_public and name != nameless else ""


def _of_series(named: Names, today: date) -> Iterator[HonourRow]:
    """Yield the winners of the series that are over: all planned evenings are played, or the year is past if nobody has said how many."""
    for series in Series.objects.order_by("-created_at"):
        page = series_page(series, today=today)
        year = max((head.played_on.year for head in page.heads), default=today.year)
        if page.remaining == 0 or (page.remaining is None and year < today.year):
            yield HonourRow(year, "series", series.name, tuple(_winners(page, named)))


def _winners(page: SeriesPage, named: Names) -> Iterator[str]:
    for line in page.lines:
        if line.row.rank == 1:
            person = person_of(line.row.player)
            if name := named.get(person, "") if person else line.name:
                yield name
