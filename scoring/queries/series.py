"""The year's standing as its readers see it. An evening with frozen standings counts when they are released."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import OuterRef, Prefetch, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from scoring.core.series import (
    EveningScore,
    PlayedEvening,
    SeriesRow,
    best_mean_ranks,
    most_evenings,
    series_standing,
    winners_of_the_day,
)
from scoring.core.series_rule import SeriesRule
from scoring.models import Evening, EveningResult, Publication, Series
from tournaments.core.names import public_name, same_name_key
from tournaments.core.publicity import PUBLIC_DAYS
from tournaments.core.refusal import Refusal
from tournaments.models import Appearance, Participant, Tournament
from tournaments.queries.people import merged_people, root_of
from tournaments.queries.tournaments import organised_by

A_YEAR = timedelta(days=366)
_STRICTER = (Tournament.Names.FULL, Tournament.Names.SHORT, Tournament.Names.NUMBER)


@dataclass(frozen=True, slots=True)
class EveningHead:
    """An evening of the series. counts: its standings are final and public. winners: their names."""

    key: str
    name: str
    played_on: date
    counts: bool
    winners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """A row with the player's name, "" for one who is not named."""

    row: SeriesRow
    name: str
    club: str


@dataclass(frozen=True, slots=True)
class SeriesPage:
    """A series with its standing. problem: why there is none. remaining: evenings to come, None if nobody knows.

    honours: names by honour. evenings: what is counted, for the JSON.
    """

    series: Series
    rule: SeriesRule
    heads: tuple[EveningHead, ...]
    lines: tuple[SeriesLine, ...]
    evenings: tuple[PlayedEvening, ...]
    remaining: int | None = None
    honours: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problem: Refusal | None = None

    @property
    def awaits_lot(self) -> bool:
        """Whether a lot would separate players who share a rank."""
        is_tied = any(line.row.shared for line in self.lines)
        return "lot" in self.rule.ties and not self.series.lot_seed and is_tied


def identity_of(participant: Participant, merged: Mapping[UUID, UUID | None]) -> str:
    """Return the key of the person: of the club's person where there is one, else by name and club; without a name nobody is another.

    merged: of each person of the club who is merged into another one, that one. The only place that decides who is who across
    evenings.
    """
    with suppress(Appearance.DoesNotExist):
        return str(root_of(participant.appearance.person_id, merged))
    if participant.name == public_name("", participant.start_number, Tournament.Names.NUMBER):
        return f"#{participant.pk}"
    return _by_name(participant.name, participant.club)


def _by_name(name: str, club: str) -> str:
    return f"{same_name_key(name)}\n{same_name_key(club) if club else ''}"


def series_page(series: Series, *, today: date) -> SeriesPage:
    """Return the standing for everybody, with names until thirty days after the series has ended. Four queries."""
    rule = SeriesRule.from_dict(series.rule)
    stored = list(_evenings_of(series))
    people = _People(stored)
    evenings = tuple(
        _inputs(each, rule, people) for each in stored if each.results.all() and not each.is_frozen
    )
    remaining = None if series.planned is None else max(0, series.planned - len(evenings))
    problem, rows = None, tuple[SeriesRow, ...]()
    try:
        rows = series_standing(rule, evenings, lot_seed=series.lot_seed, remaining=remaining)
    except Refusal as refusal:
        problem = refusal
    named = today <= last_named_day(series, stored, today)
    names = {row.player: people.name_and_club(row.player, named=named) for row in rows}
    counting = {evening.key for evening in evenings}
    return SeriesPage(
        series=series,
        rule=rule,
        heads=tuple(
            EveningHead(
                key=str(each.pk),
                name=str(each),
                played_on=each.day,
                counts=str(each.pk) in counting,
                winners=_names(names, winners_of_the_day(rows, str(each.pk))),
            )
            for each in stored
        ),
        lines=tuple(SeriesLine(row, *names[row.player]) for row in rows),
        evenings=evenings,
        remaining=remaining,
        honours=tuple((name, _names(names, _HONOURS[name](rows))) for name in rule.honours if rows),
        problem=problem,
    )


def _names(names: Mapping[str, tuple[str, str]], players: Iterable[str]) -> tuple[str, ...]:
    """Return the names of those players who are named."""
    return tuple(names[player][0] for player in players if names[player][0])


def evenings_to_choose(series: Series, user: User) -> list[tuple[Tournament, bool]]:
    """Return the tournaments that the account organises, latest first, and whether each is in the series."""
    chosen = set(series.evenings.values_list("tournament", flat=True))
    return [(each, each.pk in chosen) for each in organised_by(user).exclude(is_practice=True)]


def is_in_series(tournament: Tournament) -> bool:
    return Series.objects.filter(evenings__tournament=tournament).exists()


_HONOURS = {"most_evenings": most_evenings, "best_mean_rank": best_mean_ranks}


class _People:
    """Who played in the series, by key, with the strictest wish that they had for their name at any evening."""

    def __init__(self, evenings: Iterable[Evening]) -> None:
        self.merged = merged_people()
        self.by_name: dict[str, set[str]] = {}
        for player in (result.participant for each in evenings for result in each.results.all()):
            if player:
                keys = self.by_name.setdefault(same_name_key(player.name), set())
                keys.add(identity_of(player, self.merged))
        self.wishes: dict[str, str] = {}
        self.latest: dict[str, tuple[str, int, str]] = {}

    def identity(self, result: EveningResult) -> str:
        """Return the key of the person of a result. A typed name is that of the only player who has it; who is not known is nobody else."""
        if result.participant:
            return identity_of(result.participant, self.merged)
        if result.person_id:
            return str(root_of(result.person_id, self.merged))
        if not result.name:
            return f"#result {result.pk}"
        keys = self.by_name.get(same_name_key(result.name), set())
        return min(keys) if len(keys) == 1 else _by_name(result.name, "")

    def add(self, key: str, result: EveningResult, tournament: Tournament | None) -> None:
        """Add a result. An evening without a tournament adds no wish but the person's own; a typed name is meant to be read."""
        player, person = result.participant, result.person
        if player and tournament:
            wish = player.names or tournament.names
            self.latest[key] = (player.name, player.start_number, player.club)
        else:
            wish = person.names if person else Tournament.Names.FULL
            self.latest[key] = (person.name, 0, person.club) if person else (result.name, 0, "")
        if wish:
            self.wishes[key] = max(wish, self.wishes.get(key, wish), key=_STRICTER.index)

    def name_and_club(self, key: str, *, named: bool) -> tuple[str, str]:
        """Return name and club as everybody may see them."""
        name, number, club = self.latest[key]
        wish = self.wishes.get(key, Tournament.Names.SHORT)
        if not named or not name or wish == Tournament.Names.NUMBER or key.startswith("#"):
            return "", ""
        return public_name(name, number, wish), club


def _evenings_of(series: Series) -> QuerySet[Any]:
    results = EveningResult.objects.select_related("participant__appearance", "person")
    return (
        series.evenings.select_related("tournament")
        .annotate(is_frozen=frozen("tournament"))
        .prefetch_related(Prefetch("results", results))
        .order_by("places__number")
    )


def frozen(tournament: str) -> Coalesce:
    """Return an annotation: whether the standings are frozen. tournament: the path to it; without one they are not."""
    latest = Publication.objects.filter(tournament=OuterRef(tournament)).order_by("-id").values("is_frozen")
    return Coalesce(Subquery(latest[:1]), Value(value=False))


def last_named_day(series: Series, evenings: Collection[Evening], today: date) -> date:
    """Return the last day on which names are names: thirty days after the last evening, a year if there are more to come.

    After a year without the next one the series is over, however many were planned.
    """
    is_over = series.planned is None or len(evenings) >= series.planned
    latest = max((evening.day for evening in evenings), default=today)
    return latest + (timedelta(days=PUBLIC_DAYS) if is_over else A_YEAR)


def _inputs(evening: Any, rule: SeriesRule, people: _People) -> PlayedEvening:
    """Return an evening for the core. Two players of one key are told apart in it, so neither gets the other's result twice."""
    scores: dict[str, EveningScore] = {}
    for result in evening.results.all():
        key = people.identity(result)
        key = f"{key}\n{result.pk}" if key in scores else key
        people.add(key, result, evening.tournament)
        is_guest = (result.participant or result).fee in rule.guest_fees
        scores[key] = EveningScore(
            key, result.rank, result.points, result.strokes, result.table_wins, is_guest
        )
    return PlayedEvening(str(evening.pk), kind_of(evening), tuple(scores.values()))


def kind_of(evening: Evening) -> str:
    """Return the kind of an evening's points: in a knockout they are the round reached."""
    if evening.tournament is None:
        return evening.kind
    rules = evening.tournament.rules
    return "knockout" if rules.qualifying else rules.sheet.kind
