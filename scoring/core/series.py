"""The year's standing (Jahreswertung): what the evenings of a series are worth, and who leads.

Terminology: an *evening* is a tournament, or a table of results of earlier times; its *rank* is that of its standings. The *value* of
an evening is what the rule makes of it for one player. An evening *counts*, or is *struck* (Streichergebnis). A player is *ranked*
after the least number of evenings. All numbers are exact.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import Literal, NamedTuple

from scoring.core.ranking import competition_ranks
from scoring.core.series_rule import SeriesRule
from tournaments.core.lot import draw_lot
from tournaments.core.refusal import Refusal

Value = Fraction
Unranked = Literal["", "guest", "too_few_evenings"]


class EveningScore(NamedTuple):
    """A player's result of an evening. player: the key of the person. table_wins: rounds won at a table."""

    player: str
    rank: int
    points: int
    strokes: int = 0
    table_wins: int = 0
    is_guest: bool = False


@dataclass(frozen=True, slots=True)
class PlayedEvening:
    """An evening of the series. kind: of its points, since points of different kinds are not added up; "" fits to all."""

    key: str
    kind: str
    scores: tuple[EveningScore, ...]


@dataclass(frozen=True, slots=True)
class EveningValue:
    """An evening for one player. value, rank: None if the player was absent or a guest. rank: among those who take a place.

    counts: False for a struck result.
    """

    evening: str
    value: Value | None = None
    rank: int | None = None
    counts: bool = False
    strokes: int = 0
    table_wins: int = 0

    @property
    def is_struck(self) -> bool:
        return self.value is not None and not self.counts


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """A player's row. rank: None with the reason in `unranked`; lacking: evenings until a rank. shared: another row has the rank.

    played: evenings with a value. can_win: whether rank 1 is still possible, None if not asked, if the rule sets no bound, and for guests.
    in_final: whether the player may play the final as it stands.
    """

    player: str
    rank: int | None
    shared: bool
    value: Value
    evenings: tuple[EveningValue, ...]
    played: int
    lacking: int = 0
    unranked: Unranked = ""
    can_win: bool | None = None
    in_final: bool = False


def series_standing(
    rule: SeriesRule, evenings: Sequence[PlayedEvening], *, lot_seed: str = "", remaining: int | None = None
) -> tuple[SeriesRow, ...]:
    """Return the rows, best first; those without a rank follow by value, guests last.

    evenings: in their order; players without any do not appear. lot_seed: 64 hex digits, "" while no lot is drawn.
    remaining: the evenings to come, for `can_win`. Refuses series_kinds_differ (kinds) if points of different kinds would be
    added, and series_player_twice (evening).
    """
    _check(rule, evenings)
    keep = _number_that_counts(rule, len(evenings))
    by_player = _values(rule, evenings)
    totals = {player: _SeriesTotal.of(rule, values, keep) for player, values in by_player.items()}
    lacking = {player: max(0, rule.least_evenings - total.played) for player, total in totals.items()}
    ranked = sorted(player for player, total in totals.items() if total.played and not lacking[player])
    places = _ranks(rule, {player: totals[player].key(rule) for player in ranked}, lot_seed)
    sharing = Counter(places.values())
    winners = _possible_winners(rule, totals, len(evenings), remaining)
    rows = [
        SeriesRow(
            player=player,
            rank=places.get(player),
            shared=sharing[places[player]] > 1 if player in places else False,
            value=total.value,
            evenings=total.evenings,
            played=total.played,
            lacking=lacking[player],
            unranked="" if player in places else "too_few_evenings" if total.played else "guest",
            can_win=player in winners if winners is not None and total.played else None,
            in_final=player in places and _is_in_final(rule, places[player], total.evenings),
        )
        for player, total in totals.items()
    ]
    return tuple(sorted(rows, key=_order))


def ranks_without(rule: SeriesRule, evenings: Iterable[PlayedEvening], latest: str) -> dict[str, int]:
    """Return the ranks as they were before the evening `latest`, without a lot. Refuses what `series_standing` refuses."""
    rows = series_standing(rule, [evening for evening in evenings if evening.key != latest])
    return {row.player: row.rank for row in rows if row.rank is not None}


def best_mean_ranks(rows: Iterable[SeriesRow]) -> tuple[str, ...]:
    """Return the ranked players with the best mean rank over all evenings that they played."""
    means = {
        row.player: Fraction(sum(each.rank or 0 for each in row.evenings), row.played)
        for row in rows
        if row.rank is not None
    }
    best = min(means.values(), default=None)
    return tuple(player for player, mean in means.items() if mean == best)


def most_evenings(rows: Iterable[SeriesRow]) -> tuple[str, ...]:
    """Return the players, ranked or not, who played most evenings."""
    played = {row.player: row.played for row in rows if row.played}
    most = max(played.values(), default=None)
    return tuple(player for player, count in played.items() if count == most)


def winners_of_the_day(rows: Iterable[SeriesRow], evening: str) -> tuple[str, ...]:
    """Return the players who won an evening, guests without a value left out."""
    return tuple(
        row.player for row in rows for each in row.evenings if each.evening == evening and each.rank == 1
    )


def _check(rule: SeriesRule, evenings: Iterable[PlayedEvening]) -> None:
    kinds = set()
    for evening in evenings:
        kinds |= {evening.kind} - {""}
        if len({score.player for score in evening.scores}) != len(evening.scores):
            raise Refusal("series_player_twice", evening=evening.key)
    if rule.value == "points" and len(kinds) > 1:
        raise Refusal("series_kinds_differ", kinds=sorted(kinds))


def _number_that_counts(rule: SeriesRule, held: int) -> int | None:
    """Return how many evenings of a player count at most, None for all. Of a series that has begun, one always counts."""
    return rule.count_best if rule.strike_worst is None else max(1, held - rule.strike_worst)


def _values(rule: SeriesRule, evenings: Sequence[PlayedEvening]) -> dict[str, list[EveningValue]]:
    """Return for each player one value an evening, in the order of the evenings."""
    players = {score.player for evening in evenings for score in evening.scores}
    values_by_player: dict[str, list[EveningValue]] = {player: [] for player in sorted(players)}
    for evening in evenings:
        values = dict(_values_of(rule, evening))
        for player, row in values_by_player.items():
            row.append(values.get(player) or EveningValue(evening.key))
    return values_by_player


def _values_of(rule: SeriesRule, evening: PlayedEvening) -> Iterable[tuple[str, EveningValue]]:
    """Yield players with what the evening is worth for them; guests who are skipped have no value."""
    playing = [score for score in evening.scores if rule.guests == "rank" or not score.is_guest]
    field = playing if rule.guests == "skip" else evening.scores
    ranks = dict(
        zip(
            (score.player for score in field),
            competition_ranks([-score.rank for score in field]),
            strict=True,
        )
    )
    at_rank = Counter(ranks.values())
    for score in playing:
        rank = ranks[score.player]
        value = _worth(rule, score, rank=rank, sharing=at_rank[rank], players=len(field))
        value += rule.attendance_points
        yield (
            score.player,
            EveningValue(evening.key, value, rank, strokes=score.strokes, table_wins=score.table_wins),
        )


def _worth(rule: SeriesRule, score: EveningScore, *, rank: int, sharing: int, players: int) -> Value:
    """Return the value of an evening without the points for coming. sharing: the players at this rank, this one included."""
    match rule.value:
        case "points":
            return Fraction(score.points)
        case "strokes":
            return Fraction(score.strokes)
        case "one":
            return Fraction(1)
        case "beaten":
            others = players - 1
            return Fraction(players - rank - (sharing - 1), others) if others else Fraction(0)
        case "place_points":
            if rule.shared_places == "each":
                return Fraction(sum(rule.place_points[rank - 1 : rank]))
            return Fraction(sum(rule.place_points[rank - 1 : rank - 1 + sharing]), sharing)


@dataclass(frozen=True, slots=True)
class _SeriesTotal:
    """A player's evenings taken together."""

    value: Value
    evenings: tuple[EveningValue, ...]
    played: int

    @classmethod
    def of(cls, rule: SeriesRule, values: Sequence[EveningValue], keep: int | None) -> "_SeriesTotal":
        """Take the best `keep` evenings; of equal ones the earlier counts."""
        played = [(each.value, -place) for place, each in enumerate(values) if each.value is not None]
        counting = sorted(played, reverse=True)[:keep]
        places = {-place for _, place in counting}
        evenings = tuple(
            replace(each, counts=True) if place in places else each for place, each in enumerate(values)
        )
        return cls(_combined(rule, [value for value, _ in counting]), evenings, len(played))

    def key(self, rule: SeriesRule) -> tuple[Fraction, ...]:
        """Return the sort key, the greatest first, without the lot."""
        return (self.value, *(self._tie(name) for name in rule.ties if name != "lot"))

    def _tie(self, name: str) -> Fraction:
        """Return what a criterion counts, over all evenings played, struck ones included."""
        match name:
            case "best_evening":
                return max(each.value for each in self.evenings if each.value is not None)
            case "wins":
                return Fraction(sum(each.rank == 1 for each in self.evenings))
            case "table_wins":
                return Fraction(sum(each.table_wins for each in self.evenings))
            case "strokes":
                return Fraction(sum(each.strokes for each in self.evenings))
            case "evenings":
                return Fraction(self.played)
            case _:
                last = self.evenings[-1].value
                return ABSENT if last is None else last


ABSENT = Fraction(-(10**12))
"""Less than the value of any evening: of two equal players, the one who came to the last evening is better."""


def _combined(rule: SeriesRule, counting: Sequence[Value]) -> Value:
    total = sum(counting, Fraction(0))
    return total / len(counting) if rule.combine == "mean" and counting else total


def _ranks(rule: SeriesRule, keys: Mapping[str, tuple[Fraction, ...]], lot_seed: str) -> dict[str, int]:
    """Return the ranks of these players; the lot separates those who are equal on the whole key."""
    ranks = dict(zip(keys, competition_ranks(list(keys.values())), strict=True))
    if "lot" not in rule.ties or not lot_seed:
        return ranks
    for rank, tied in groupby(sorted(ranks, key=lambda player: (ranks[player], player)), ranks.__getitem__):
        players = list(tied)
        for offset, place in enumerate(draw_lot(lot_seed, range(len(players)))):
            ranks[players[place]] = rank + offset
    return ranks


def _is_in_final(rule: SeriesRule, rank: int, evenings: Iterable[EveningValue]) -> bool:
    match rule.final:
        case "first":
            return rank <= (rule.final_places or 0)
        case "winners":
            return any(each.rank == 1 for each in evenings)
        case "table_winners":
            return any(each.table_wins for each in evenings)
    return rule.final == "came"


def _order(row: SeriesRow) -> tuple[int, int, Fraction, str]:
    return (("", "too_few_evenings", "guest").index(row.unranked), row.rank or 0, -row.value, row.player)


def _possible_winners(
    rule: SeriesRule, totals: Mapping[str, _SeriesTotal], held: int, remaining: int | None
) -> set[str] | None:
    """Return who can still reach rank 1, ties included; None if no bound is known.

    A player's best case is to win every evening to come. The worst case of the others is to stay away, and for a mean to come
    and get nothing. Both together may be impossible, so a player left out here certainly cannot win.
    """
    most = _most_an_evening(rule)
    if remaining is None or most is None:
        return None
    keep = _number_that_counts(rule, held + remaining)
    with_all = partial(_with_evenings, rule, keep, remaining)
    best = {player: with_all(total, most) for player, total in totals.items()}
    worst = {
        player: min(
            _with_evenings(rule, keep, 0, total, most), with_all(total, Fraction(rule.attendance_points))
        )
        for player, total in totals.items()
        if total.played >= rule.least_evenings
    }
    return {
        player
        for player, total in totals.items()
        if total.played + remaining >= rule.least_evenings
        and all(best[player] >= least for other, least in worst.items() if other != player)
    }


def _most_an_evening(rule: SeriesRule) -> Value | None:
    """Return the largest value of an evening, None for points and strokes, which have no bound."""
    most = {"place_points": rule.place_points[0] if rule.place_points else 0, "beaten": 1, "one": 1}.get(
        rule.value
    )
    return None if most is None else Fraction(most + rule.attendance_points)


def _with_evenings(rule: SeriesRule, keep: int | None, more: int, total: _SeriesTotal, value: Value) -> Value:
    """Return a player's value after so many more evenings of this value."""
    had = [each.value for each in total.evenings if each.value is not None]
    return _combined(rule, sorted([*had, *[value] * more], reverse=True)[:keep])
