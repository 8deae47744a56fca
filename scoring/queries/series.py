"""The year's standing as its readers see it. An evening with frozen standings counts when they are released.

An evening that goes on counts as everybody sees it now where that is asked for: marked, and as it was when it was frozen.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from scoring.core.series import (
    EveningScore,
    PlayedEvening,
    SeriesRow,
    best_mean_ranks,
    most_evenings,
    ranks_without,
    series_standing,
    winners_of_the_day,
)
from scoring.core.series_rule import SeriesRule
from scoring.models import Evening, EveningResult, Publication, Series
from scoring.queries.public_view import public_view
from scoring.queries.standings import LONG_NAME
from tournaments.core.names import public_name, same_name_key, sort_key
from tournaments.core.publicity import PUBLIC_DAYS
from tournaments.core.refusal import Refusal
from tournaments.models import Appearance, Participant, Tournament
from tournaments.queries.people import merged_people, root_of
from tournaments.queries.publicity import is_public

A_YEAR = timedelta(days=366)
_STRICTER = (Tournament.Names.FULL, Tournament.Names.SHORT, Tournament.Names.NUMBER)


@dataclass(frozen=True, slots=True)
class EveningHead:
    """An evening of the series. counts: its standings are final and public. is_to_come: today or later. winners: their names."""

    key: str
    name: str
    played_on: date
    counts: bool
    is_to_come: bool = False
    winners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """A row with the player's name, "" for one who is not named. before: the rank before the latest evening, None without one.

    known_as: name and club as the organiser has them, on no public page; ("", "") for one who was erased.
    """

    row: SeriesRow
    name: str
    club: str
    before: int | None = None
    known_as: tuple[str, str] = ("", "")

    @property
    def moved(self) -> int:
        """Ranks gained at the latest evening, negative if lost."""
        return self.before - self.row.rank if self.before and self.row.rank else 0

    @property
    def is_long(self) -> bool:
        return len(self.name) > LONG_NAME


@dataclass(frozen=True, slots=True)
class SeriesPage:
    """A series with its standing. problem: why there is none. remaining: evenings to come, None if nobody knows.

    honours: names by honour. evenings: what is counted, for the JSON. latest: the evening that the ranks before are without.
    is_provisional: the latest evening goes on, and counts as it stands now. is_frozen: or as it stood when it was frozen.
    """

    series: Series
    rule: SeriesRule
    heads: tuple[EveningHead, ...]
    lines: tuple[SeriesLine, ...]
    evenings: tuple[PlayedEvening, ...]
    remaining: int | None = None
    honours: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problem: Refusal | None = None
    latest: EveningHead | None = None
    is_provisional: bool = False
    is_frozen: bool = False

    @property
    def leaders(self) -> list[SeriesLine]:
        return [line for line in self.lines if line.row.rank == 1]

    @property
    def finalists(self) -> list[SeriesLine]:
        """The players who may play the final and have a name, by rank."""
        return [line for line in self.lines if line.row.in_final and line.known_as[0]]

    @property
    def next_evening(self) -> EveningHead | None:
        return next((head for head in self.heads if head.is_to_come), None)

    @property
    def held(self) -> int:
        """The number of evenings that count."""
        return len(self.evenings)

    @property
    def contenders(self) -> list[SeriesLine]:
        """The players who can still win, as soon as somebody cannot; [] before and after, and where nobody knows."""
        can_win = [line for line in self.lines if line.row.can_win]
        is_open = bool(self.remaining) and any(line.row.can_win is False for line in self.lines)
        return can_win if is_open else []

    @property
    def has_moved(self) -> bool:
        return any(line.moved for line in self.lines)

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


def person_of(identity: str) -> UUID | None:
    """Return the person of the club who has this key of `identity_of`; None for a player who is known by name only."""
    with suppress(ValueError):
        return UUID(identity)
    return None


def _by_name(name: str, club: str) -> str:
    return f"{same_name_key(name)}\n{same_name_key(club) if club else ''}"


def evening_of_the_day(series: Series, today: date) -> Tournament | None:
    """Return the evening of the series that may be going on, if everybody may see it: of today, or of the night before."""
    days = (today - timedelta(days=1), today)
    public = Tournament.objects.filter(evening__places__series=series, is_hidden=False, played_on__range=days)
    latest = public.order_by("-evening__places__number").first()
    return latest if latest and is_public(latest.slug, today) else None


def series_page(series: Series, *, today: date, running: Tournament | None = None) -> SeriesPage:
    """Return the standing for everybody, with names until thirty days after the series has ended. Four queries.

    running: the evening of the day, which counts as everybody sees it now, until its standings are final and public.
    """
    rule = SeriesRule.from_dict(series.rule)
    stored = list(_evenings_of(series))
    results = {each.pk: list(each.results.all()) for each in stored}
    counting = [each.pk for each in stored if results[each.pk] and not each.is_frozen]
    latest = max(counting, key=[each.pk for each in stored].index, default=None)
    played = None
    if running and running.evening.pk not in counting:
        played = _results_now(running)
    if running and played:
        latest = running.evening.pk
        results[latest] = played.results
    people = _People(results)
    evenings = tuple(
        _inputs(each, results[each.pk], rule, people) for each in stored if each.pk in (*counting, latest)
    )
    remaining = None if series.planned is None else max(0, series.planned - len(evenings))
    problem, rows, before = None, tuple[SeriesRow, ...](), dict[str, int]()
    try:
        to_come = None if played else remaining
        rows = series_standing(rule, evenings, lot_seed=series.lot_seed, remaining=to_come)
        before = ranks_without(rule, evenings, str(latest))
    except Refusal as refusal:
        problem = refusal
    named = today <= last_named_day(series, stored, today)
    names = {row.player: people.name_and_club(row.player, named=named) for row in rows}
    heads = tuple(_head(each, rows, names, today, counts=each.pk in counting) for each in stored)
    return SeriesPage(
        series=series,
        rule=rule,
        heads=heads,
        latest=next((head for head in heads if head.key == str(latest)), None),
        lines=_in_order(
            SeriesLine(row, *names[row.player], before.get(row.player), people.known_as(row.player))
            for row in rows
        ),
        evenings=evenings,
        remaining=remaining,
        honours=tuple((name, _names(names, _HONOURS[name](rows))) for name in rule.honours if rows),
        problem=problem,
        is_provisional=played is not None,
        is_frozen=played is not None and played.is_frozen,
    )


def series_of(tournament: Tournament, *, today: date) -> list[SeriesPage]:
    """Return the series that an evening belongs to, with the evening as everybody sees it now. One query if there are none."""
    all_series = Series.objects.filter(evenings__tournament=tournament).order_by("created_at")
    return [series_page(series, today=today, running=tournament) for series in all_series]


def _head(
    evening: Evening,
    rows: Iterable[SeriesRow],
    names: Mapping[str, tuple[str, str]],
    today: date,
    *,
    counts: bool,
) -> EveningHead:
    key = str(evening.pk)
    return EveningHead(
        key=key,
        name=str(evening),
        played_on=evening.day,
        counts=counts,
        is_to_come=not counts and evening.day >= today,
        winners=_names(names, winners_of_the_day(rows, key)) if counts else (),
    )


class _Now(NamedTuple):
    """Results of an evening that goes on, unsaved. is_frozen: they are those of the moment of the freeze."""

    results: list[EveningResult]
    is_frozen: bool


def _results_now(tournament: Tournament) -> _Now | None:
    """Return the results as everybody sees them; None before the first one, and while the end is kept."""
    view = public_view(tournament.slug)
    board = view.leaderboard
    if view.keeps_the_end or not board.has_results:
        return None
    players = {player.start_number: player for player in tournament.participants.select_related("appearance")}
    results = [
        EveningResult(
            participant=players[row.start_number],
            rank=row.rank,
            shared=row.tied,
            points=row.points,
            strokes=row.strokes,
            table_wins=board.rounds_won[row.start_number],
        )
        for row in board.rows
        if row.has_played
    ]
    return _Now(results, board.is_frozen)


def _names(names: Mapping[str, tuple[str, str]], players: Iterable[str]) -> tuple[str, ...]:
    """Return the names of those players who are named."""
    return tuple(names[player][0] for player in players if names[player][0])


def evenings_to_choose(series: Series) -> list[tuple[Tournament, bool]]:
    """Return the tournaments, latest first, and whether each is in the series."""
    chosen = set(series.evenings.values_list("tournament", flat=True))
    return [
        (each, each.pk in chosen)
        for each in Tournament.objects.filter(is_practice=False).order_by("-played_on", "-id")
    ]


def _in_order(lines: Iterable[SeriesLine]) -> tuple[SeriesLine, ...]:
    """Return the lines, those that share a rank by name, and those without one last, as they are."""
    listed = list(lines)
    ranked = [line for line in listed if line.row.rank]
    ranked.sort(key=lambda line: (line.row.rank or 0, sort_key(line.name)))
    return (*ranked, *(line for line in listed if not line.row.rank))


def evening_to_copy(series: Series) -> Tournament | None:
    """Return the latest evening of the series that is a tournament."""
    return Tournament.objects.filter(evening__series=series).order_by("played_on", "pk").last()


def is_in_series(tournament: Tournament) -> bool:
    return Series.objects.filter(evenings__tournament=tournament).exists()


_HONOURS = {"most_evenings": most_evenings, "best_mean_rank": best_mean_ranks}


class _People:
    """Who played in the series, by key, with the strictest wish that they had for their name at any evening."""

    def __init__(self, results: Mapping[int, Sequence[EveningResult]]) -> None:
        """Take the results by evening."""
        self.merged = merged_people()
        self.by_name: dict[str, set[str]] = {}
        for player in (result.participant for each in results.values() for result in each):
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

    def known_as(self, key: str) -> tuple[str, str]:
        """Return name and club as the organiser has them."""
        name, _number, club = self.latest[key]
        return ("", "") if key.startswith("#") else (name, club)

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


def _inputs(
    evening: Evening, results: Iterable[EveningResult], rule: SeriesRule, people: _People
) -> PlayedEvening:
    """Return an evening for the core. Two players of one key are told apart in it, so neither gets the other's result twice."""
    scores: dict[str, EveningScore] = {}
    for result in results:
        key = people.identity(result)
        key = f"{key}\n{result.participant_id or result.pk}" if key in scores else key
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
