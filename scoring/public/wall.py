"""Pages of the wall screen: content for each phase of the tournament, legible from ten metres.

welcome       nothing is released yet
club          what the club announces, with its picture, while people are welcomed
gather        all players are called to the draw, before a round
sealed        what the next draw, or a lot, is committed to
draw          before the hall: the tables as they are drawn, seat by seat, until a table has begun
winner        the tournament is decided
start         the sign to all tables to start, until one has begun
seating       seats by name, as long as their tables have not begun, and nothing else until half of them have
play          the tables as tiles: who has drowned, the strokes so far, which are done
onward        knockout, between two rounds: the players who go on, and their tables
standings     by rank
race          the ranks of the leaders over the rounds, as lines
king          who has the most strokes, and who follows
series        the year's standing of each series that the evening belongs to
pause         a round is over, and there is nothing to show yet, or its end is kept for the prize-giving
announcement  the organiser's text
plan          the prizes that there are, while there is no winner
picture       the picture of the club, where the organiser shows it
prizes        who is revealed last at the prize-giving, and those before in a row below
black         nothing

The state of the tournament decides which of them a screen shows, unless the organiser has sent it a scene.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

from django.utils.translation import gettext as _

from scoring.public.name_columns import FEW_PAGES, pages_of_names
from scoring.queries.public_seats import PublicSeat
from scoring.queries.public_view import PublicRound, PublicView
from scoring.queries.screens import Prizes, SentScene
from scoring.queries.series import SeriesPage
from scoring.queries.standings import StandingsRow
from scoring.text.prizes import PrizeLine
from tournaments.core.name_order import with_initial
from tournaments.core.names import namesakes
from tournaments.queries.club import ClubDetails
from tournaments.queries.pictures import WallPicture

MOST_ROWS = 12
MOST_TILES = 15
TILES = {1: "1x1", 2: "2x1", 4: "2x2", 6: "3x2", 8: "4x2", 12: "4x3", MOST_TILES: "5x3"}
"""Columns and rows of the tiles by how many they hold at most, so that they fill the screen."""
MOST_LARGE = 3
MOST_REVEALED = 4
SMALL_BESIDE_LARGE = 7
MOST_WINNERS = 5
MOST_OF_A_SERIES = 3 * MOST_ROWS
FEWEST_LINES, MOST_LINES = 2, 4
LETTERS_OF_A_LINE = 50
"""Of those who are missing, whatever letters they are."""
TURN, SHORTEST_TURN = 12_000, 6_000
"""Milliseconds for which a page stays, and a page of standings that makes others wait."""
PASS = 40_000
"""Milliseconds in which everybody's name comes by, unless the pages were shorter than anybody reads."""
READ_NAMES, FIND_NAME = 5_000, 3_600
"""Milliseconds in which a page of whole names is read, and for which any page of names stays."""
AUTOMATIC = SentScene()
WITH_MORE = ("automatic", "welcome")
"""Scenes that rotate with the prizes and the picture of the club."""


@dataclass(frozen=True, slots=True)
class WallPage:
    """One page. columns: side by side, each of at most MOST_ROWS rows. number, of: among all pages. large: rows on top in larger letters.

    stays: milliseconds until the next page. series: the one whose rows these are.
    """

    kind: str
    columns: tuple[Sequence[Any], ...] = ()
    place: int = 1
    number: int = 1
    of: int = 1
    large: int = 0
    stays: int = TURN
    series: SeriesPage | None = None

    @property
    def key(self) -> str:
        """A key that the page keeps after an update, even if others were inserted before it."""
        return f"{self.kind}-{self.place}"

    @property
    def template(self) -> str:
        return f"scoring/public/wall/{self.kind}.html"

    @property
    def rows(self) -> Sequence[Any]:
        return self.columns[0] if self.columns else ()

    @property
    def names_missing(self) -> bool:
        """Whether those who are missing at their tables are named."""
        return self.kind in ("seating", "start", "play")

    @property
    def shows_mark(self) -> bool:
        """Whether the page shows the result of a round, and so its mark."""
        return self.kind in ("standings", "onward", "pause", "winner")

    @property
    def says_points_once(self) -> bool:
        """Whether to show the shared points once, in the heading."""
        return len(self.rows) > 2 and not self.rows[0].is_special

    @property
    def shows_line(self) -> bool:
        """Whether to show the player's rank after each round. A special prize comes first and must reveal no rank."""
        return len(self.rows) == 1 and not self.rows[0].is_special

    @property
    def letters(self) -> str:
        """The range of the first letters of a page of names; of the numbers, where there are no names.

        Of many pages, where one may hold a single letter, the first two letters.
        """
        seats = [seat for column in self.columns for seat in column]
        length = 1 if self.of <= FEW_PAGES else 2
        ends = [
            seat.name if seat.is_number else seat.listed_name[:length].capitalize()
            for seat in (seats[0], seats[-1])
        ]
        return "–".join(dict.fromkeys(ends))

    @property
    def shows_seats(self) -> bool:
        """Whether the seats stand beside the tables: of many players in three columns, their table alone."""
        return self.kind == "seating" and len(self.columns) < 3

    @property
    def tiles(self) -> str:
        return next(grid for most, grid in TILES.items() if len(self.rows) <= most)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Those who are missing, named above a page, in so many lines as high as a row."""

    seats: Sequence[PublicSeat] = ()
    lines: int = 0


def wanted_on(latest: PublicRound | None) -> Wanted:
    """Return the first who are missing, as many as fit with their whole names."""
    wanted = Wanted()
    seats = latest.wanted if latest else ()
    for most in range(1, len(seats) + 1):
        lines = max(_lines(seats[:most]), FEWEST_LINES)
        if wanted.seats and lines > MOST_LINES:
            break
        wanted = Wanted(seats[:most], min(lines, MOST_LINES))
    return wanted


def _lines(seats: Sequence[PublicSeat]) -> int:
    """Return the lines that names with their tables take, one after the other, a name that fits in a line unsplit."""
    lines = room = 0
    for seat in seats:
        letters = len(f"{seat.table_number} {seat.name}") + 2
        if letters > room:
            lines += -(-letters // LETTERS_OF_A_LINE)
            room = LETTERS_OF_A_LINE
        room -= letters
    return lines


def wall_pages(
    view: PublicView,
    scene: SentScene = AUTOMATIC,
    prizes: Prizes | None = None,
    *,
    plan: Sequence[PrizeLine] = (),
    picture: WallPicture | None = None,
    series: Sequence[SeriesPage] = (),
    club: ClubDetails | None = None,
) -> list[WallPage]:
    """Return the pages in the order in which they rotate. prizes: None while there is no winner. plan, picture, club: that may be shown.

    series: those of the evening, for their scene.
    """
    pages = _sent(view, scene, prizes, series)
    if club and club.announcement and any(page.kind == "welcome" for page in pages):
        pages.append(WallPage("club"))
    is_alone = scene.kind == "automatic" and view.round is not None and view.round.is_sitting_down
    if scene.kind in WITH_MORE and not is_alone:
        pages += [*_paged("plan", () if view.winners else plan), *([WallPage("picture")] if picture else [])]
    return [replace(page, number=number, of=len(pages)) for number, page in enumerate(pages, start=1)]


def _sent(
    view: PublicView, scene: SentScene, prizes: Prizes | None, series: Sequence[SeriesPage]
) -> list[WallPage]:
    """Return the pages of the scene; while it has no content, the round in play, or a page that announces it."""
    in_play = view.round if view.round and not view.round.is_closed else None
    to_come = _of_the_round(view) if in_play else [WallPage("pause" if view.round else "welcome")]
    match scene.kind:
        case "gather" if view.seal:
            return [WallPage("sealed")]
        case "automatic":
            return _pages(view)
        case "seating":
            return (_seated(view, in_play.by_name) if in_play else []) or to_come
        case "play":
            return _paged("play", in_play.tables if in_play else (), most=MOST_TILES) or to_come
        case "standings" | "race" | "king" if view.keeps_the_end:
            return [WallPage("pause")]
        case "king":
            return _king(view) or to_come
        case "standings":
            return _standings(view) or to_come
        case "series":
            return _series(series) or to_come
        case "prizes":
            return _prizes(prizes) or to_come
    return [WallPage(scene.kind)]


def _prizes(prizes: Prizes | None) -> list[WallPage]:
    """Return the page of those who are revealed last, or several if many share a rank. Empty before the first."""
    if prizes is None:
        return []
    return _paged("prizes", prizes.revealed_last, most=MOST_REVEALED) or [WallPage("prizes")]


def _pages(view: PublicView) -> list[WallPage]:
    standings = _standings(view)
    sealed = [WallPage("sealed")] if view.seal else []
    if sealed and view.calls_for_words:
        return sealed
    if view.winners and standings:
        return [_winner(view), *_king(view), *standings]
    if view.keeps_the_end:
        return [*sealed, WallPage("pause")]
    if view.round is None:
        return sealed or [WallPage("welcome")]
    if view.round.is_closed:
        standings = [*standings, *_king(view)]
        return [*sealed, *_before_standings(view, standings)] or [WallPage("pause")]
    if view.round.is_sitting_down:
        return _of_the_round(view)  # and nothing else, which makes those wait who look for their seat
    in_play = [] if view.round.is_done else _of_the_round(view)
    return [*in_play, *standings, *_king(view)] or [WallPage("pause")]


def _of_the_round(view: PublicView) -> list[WallPage]:
    assert view.round is not None
    play = [] if view.round.is_sitting_down else _paged("play", view.round.tables, most=MOST_TILES)
    start = [WallPage("start")] if view.round.starts_now else []
    draw = [WallPage("draw")] if view.is_staged else []
    return [*draw, *start, *_seated(view, view.round.on_their_way), *play]


def _seated(view: PublicView, seats: Sequence[PublicSeat]) -> list[WallPage]:
    """Return pages of seats, with room for those who are missing."""
    return _named("seating", view, seats, kept=wanted_on(view.round).lines)


def _named(
    kind: str, view: PublicView, seats: Sequence[PublicSeat], *, kept: int = 0, within: int = PASS
) -> list[WallPage]:
    """Return pages of names, which come by within so many milliseconds: all of a round read them at once.

    First names are initials where many pages would be too short to read. kept: lines that are taken.
    """

    def cut_of(seats: Sequence[PublicSeat]) -> list[list[list[int]]]:
        names = [_as_listed(seat, numbered=seat.name in view.namesakes) for seat in seats]
        return pages_of_names(names, kept=kept)

    cut = cut_of(seats)
    if READ_NAMES * len(cut) > within:
        seats = shortened(seats)
        cut = cut_of(seats)
    return [
        WallPage(
            kind,
            tuple([seats[place] for place in column] for column in columns),
            number,
            stays=max(min(TURN, within // len(cut)), FIND_NAME),
        )
        for number, columns in enumerate(cut, start=1)
    ]


def shortened(seats: Sequence[PublicSeat]) -> list[PublicSeat]:
    """Return the seats with the initials of first names, whole where two would be the same."""
    alike = namesakes(with_initial(seat.listed_name) for seat in seats)
    return [replace(seat, is_shortened=with_initial(seat.listed_name) not in alike) for seat in seats]


def _as_listed(seat: PublicSeat, *, numbered: bool) -> tuple[str, ...]:
    """Return what a page of names says of a player."""
    surname, first = seat.listed_parts
    number = f" Nr.\N{NO-BREAK SPACE}{seat.start_number}" if numbered else ""
    title = f" {_('Titelverteidiger')}" if seat.defends_title else ""
    return (f"{surname},", f" {first}", number, title) if first else (surname, number, title)


def _before_standings(view: PublicView, standings: list[WallPage]) -> list[WallPage]:
    """Return the names of those who go on, and as many pages of standings as let them come by again in time."""
    if not view.going_on:
        return standings
    named = _named("onward", view, view.going_on, within=PASS - TURN)
    room = max(PASS - sum(page.stays for page in named), 0)
    following = standings[: room // SHORTEST_TURN]
    return [*named, *(replace(page, stays=min(TURN, room // len(following))) for page in following)]


def _standings(view: PublicView) -> list[WallPage]:
    """Return the standings, with the first three ranks larger as far as all players of a shared rank are among three.

    None is larger where that alone would make a second page.
    """
    if not view.leaderboard.has_results:
        return []
    large = 0
    for rank, group in groupby(view.rows[: MOST_LARGE + 1], key=lambda row: row.rank):
        shared = len(list(group))
        if rank > MOST_LARGE or large + shared > MOST_LARGE:
            break
        large += shared
    if large + SMALL_BESIDE_LARGE < len(view.rows) <= MOST_ROWS:
        large = 0
    first = large + SMALL_BESIDE_LARGE if large else MOST_ROWS
    rest = [replace(page, place=page.place + 1) for page in _paged("standings", view.rows[first:])]
    return [WallPage("standings", (view.rows[:first],), large=large), *rest]


def _winner(view: PublicView) -> WallPage:
    """Return the winners and the ranks after them, as far as all players of a shared rank fit."""
    winners = view.winners[:MOST_WINNERS]
    others: list[StandingsRow] = []
    for _rank, group in groupby((row for row in view.podium if row.rank > 1), key=lambda row: row.rank):
        shared = list(group)
        if len(winners) + len(others) + len(shared) > MOST_WINNERS:
            break
        others += shared
    return WallPage("winner", (winners, others))


def _king(view: PublicView) -> list[WallPage]:
    """Return the page of the most strokes, with two lines of those who follow; [] while that is held back."""
    leaders, second, third = [*view.by_strokes, [], [], []][:3]
    columns = (leaders, second) if len(second) == 2 else (leaders, second, third)
    return [WallPage("king", tuple(filter(None, columns)))] if leaders else []


def _series(series: Sequence[SeriesPage]) -> list[WallPage]:
    """Return the first ranks of each series, the first one first."""
    pages = [
        replace(page, series=standing)
        for standing in series
        for page in _paged("series", [line for line in standing.lines if line.row.rank][:MOST_OF_A_SERIES])
    ]
    return [replace(page, place=place) for place, page in enumerate(pages, start=1)]


def _paged(kind: str, rows: Sequence[Any], *, most: int = MOST_ROWS) -> list[WallPage]:
    """Split the rows into pages of at most so many, as even as they can be."""
    pages = -(-len(rows) // most)
    ends = [len(rows) * cut // pages for cut in range(pages + 1)] if pages else []
    return [WallPage(kind, (rows[start:end],), n) for n, (start, end) in enumerate(pairwise(ends), start=1)]
