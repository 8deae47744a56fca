"""Pictures of the public standings: race, points a round, spread of the field, and whom a player has met.

They show the standings that are public, so they obey the freeze, and the names of its rows. They are kept with the
standings: an entry of a sheet in play changes none of them.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from scoring.pictures.meetings import met_by
from scoring.pictures.race import LEADERS, MOST_ROUNDS, Race, Ranks, Runner, race, ranks_by_round
from scoring.pictures.rank_line import RankLine, rank_line
from scoring.pictures.shapes import Bar, bars
from scoring.pictures.spread import Spread, spread
from scoring.public.player import MyEvening
from scoring.queries.public_view import PublicView
from scoring.queries.screens import Prizes
from scoring.queries.standings import Leaderboard, StandingsRow
from scoring.templatetags.ranking import points_of
from scoring.text.states import round_reached
from tournaments.core.names import cut_name
from tournaments.page_cache import STANDINGS, page_cache

register = template.Library()

LEADERS_ON_THE_WALL = 8
_LONGEST_NAME, _LONGEST_NAME_WITH_NUMBER = 26, 19
"""Characters of a name that fit beside the lines on the wall."""


@dataclass(frozen=True, slots=True)
class NamedRace:
    """The race, and its runners with their names."""

    picture: Race
    runners: tuple[tuple[Runner, str], ...]


@dataclass(frozen=True, slots=True)
class WallRace:
    """The race on the wall, and its runners with their names and points, "" in a knockout."""

    picture: Race
    runners: tuple[tuple[Runner, str, str], ...]


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round of a player. points: None if there are none; average: of all who have points in it."""

    number: int
    points: int | None
    average: float | None
    strokes: int | None
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class Met:
    """Another player whom a player has met. tables: one for each round of the player, None where they did not meet."""

    start_number: int
    name: str
    tables: tuple[int | None, ...]

    @property
    def times(self) -> int:
        return sum(table is not None for table in self.tables)


@dataclass(frozen=True, slots=True)
class MyPictures:
    """The pictures of a player; each is None or empty if there is nothing to compare yet."""

    race: NamedRace | None
    rounds: tuple[PlayedRound, ...]
    spread: Spread | None
    met: tuple[Met, ...]
    met_rounds: tuple[int, ...]

    @property
    def counts_strokes(self) -> bool:
        return any(played.strokes is not None for played in self.rounds)


@register.simple_tag
def pictures_of(view: PublicView, mine: MyEvening) -> SafeString:
    """Return the pictures of a player as HTML, in the current language."""
    number = mine.person.start_number
    latest = mine.latest.number if mine.latest else 0
    name = (STANDINGS, "pictures", number, latest, get_language())
    return page_cache.get_or_make(view.tournament.slug, name, partial(_rendered, view, mine))


def _rendered(view: PublicView, mine: MyEvening) -> SafeString:
    context = {"view": view, "pictures": my_pictures(view, mine)}
    return mark_safe(render_to_string("scoring/public/_my_pictures.html", context))


def my_pictures(view: PublicView, mine: MyEvening) -> MyPictures:
    """Return the pictures of a player, from what was read for the player's part of the page: no query."""
    leaderboard, row = view.leaderboard, mine.person.row
    points = [standing.points for standing in leaderboard.rows if standing.has_played]
    counted = row if row is not None and row.has_played and not leaderboard.is_knockout else None
    return MyPictures(
        race=race_of(leaderboard, player=row.start_number) if row is not None else None,
        rounds=_rounds(leaderboard, counted) if counted else (),
        spread=spread(points, counted.points) if counted else None,
        met=_met(leaderboard, mine),
        met_rounds=tuple(played.number for played in mine.rounds),
    )


def race_of(
    leaderboard: Leaderboard, *, player: int | None = None, leaders: int = LEADERS
) -> NamedRace | None:
    """Return the race of the leaders of the public standings. player: a further one to be pointed out."""
    first = [row.start_number for row in leaderboard.rows[:leaders]]
    picture = race(_history(leaderboard), first, player)
    if picture is None:
        return None
    names = {row.start_number: row.name for row in leaderboard.rows}
    return NamedRace(picture, tuple((runner, names[runner.start_number]) for runner in picture.runners))


@register.simple_tag
def wall_race(view: PublicView) -> WallRace | None:
    """Return the race of the leaders, with names as long as the wall has room; None before there are two rounds.

    Names that are alike once they are cut get their start number.
    """
    named = race_of(view.leaderboard, leaders=LEADERS_ON_THE_WALL)
    if named is None:
        return None
    cut = Counter(cut_name(name, _LONGEST_NAME) for _runner, name in named.runners)

    def written(runner: Runner, name: str) -> str:
        if name not in view.namesakes and cut[cut_name(name, _LONGEST_NAME)] == 1:
            return cut_name(name, _LONGEST_NAME)
        number = gettext("Nr. %(number)s") % {"number": runner.start_number}
        return f"{cut_name(name, _LONGEST_NAME_WITH_NUMBER)} {number}"

    rows = {row.start_number: row for row in view.rows}
    is_counted = not view.leaderboard.is_knockout
    runners = (
        (runner, written(runner, name), points_of(rows[runner.start_number]) if is_counted else "")
        for runner, name in named.runners
    )
    return WallRace(named.picture, tuple(runners))


@register.simple_tag
def rank_line_of(view: PublicView, prizes: Prizes, player: StandingsRow) -> RankLine | None:
    """Return the ranks of a player who is revealed, with this one at the end. None for a knockout, which has no race.

    While the standings are frozen, a rank after an earlier round is shown if the public ones count that round in full.
    """
    public, last = view.leaderboard, len(prizes.counted)
    if public.is_knockout:
        return None
    before = [
        (number, ranks[player.start_number])
        for number, (ranks, public_count, count) in enumerate(
            zip(_history(public), public.counted, prizes.counted, strict=False), start=1
        )
        if number < last and public_count == count and player.start_number in ranks
    ]
    return rank_line([*before, (last, player.rank)], most=MOST_ROUNDS)


@register.simple_tag
def rank_line_words(line: RankLine) -> str:
    """Return the ranks in words, for readers who do not see the line."""
    title = gettext("Rang nach jeder Spielrunde")
    stops = [round_reached(stop.number, stop.rank, is_final=False) for stop in line.stops]
    return f"{title}: {'; '.join(stops)}"


def _history(leaderboard: Leaderboard) -> tuple[Ranks, ...]:
    """Return everybody's rank after each round, kept with the public standings."""

    def make() -> tuple[Ranks, ...]:
        latest = {row.start_number: row.rank for row in leaderboard.rows}
        return ranks_by_round(latest.keys(), leaderboard.scores, leaderboard.tournament.rules, latest)

    return page_cache.get_or_make(leaderboard.tournament.slug, (STANDINGS, "history"), make)


def _rounds(leaderboard: Leaderboard, row: StandingsRow) -> tuple[PlayedRound, ...]:
    """Return each round that counts for anybody, with a player's points."""
    averages = [
        _average(standing.by_round[index] for standing in leaderboard.rows)
        for index in range(len(row.by_round))
    ]
    played = [index for index, average in enumerate(averages) if average is not None]
    drawn = bars([row.by_round[index] for index in played], [averages[index] for index in played])
    counts_strokes = leaderboard.tournament.rules.sheet.counts_strokes
    strokes = {
        score.round_number: score.strokes
        for score in leaderboard.scores
        if counts_strokes and score.start_number == row.start_number and score.is_decided
    }
    return tuple(
        PlayedRound(index + 1, row.by_round[index], averages[index], strokes.get(index + 1), bar)
        for index, bar in zip(played, drawn, strict=True)
    )


def _average(points: Iterable[int | None]) -> float | None:
    scored = [value for value in points if value is not None]
    return sum(scored) / len(scored) if scored else None


def _met(leaderboard: Leaderboard, mine: MyEvening) -> tuple[Met, ...]:
    """Return whom a player has met, by the seats of now. A player who is not listed is left out."""
    names = {row.start_number: row.name for row in leaderboard.rows}
    places = [(played.number, played.table_number) for played in mine.rounds]
    tables = [(number, mine.seats.at[number, table].values()) for number, table in places]
    return tuple(
        Met(
            meeting.start_number,
            names[meeting.start_number],
            tuple(table if number in meeting.rounds else None for number, table in places),
        )
        for meeting in met_by(mine.person.start_number, tables)
        if meeting.start_number in names
    )
