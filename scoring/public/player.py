"""Page model of a player's own part of the players' page: rounds and ranks still possible."""

from dataclasses import dataclass
from functools import partial

from scoring.core.rank_bounds import Held, RankBounds, rank_bounds
from scoring.core.ranking import Score
from scoring.public.search import Found, find
from scoring.queries.public_view import PublicRound, PublicView
from tournaments.models import Round, Seat, Tournament
from tournaments.page_cache import page_cache


def rank_bounds_of(view: PublicView, start_number: int) -> RankBounds | None:
    """Return the ranks still possible for a player, from public data, while the last round is played.

    None otherwise, and also if ranks give no points, while the standings are frozen, and for a player who is
    not ranked.
    """
    rules, found = view.tournament.rules, view.round
    if found is None or found.is_closed or found.number != rules.rounds or not rules.points:
        return None
    held = {row.start_number: Held(row.points, row.tie_break) for row in view.rows}
    if view.leaderboard.is_frozen or view.leaderboard.rounds < found.number or start_number not in held:
        return None
    return rank_bounds(start_number, held, _open_tables(view, found), rules)


def _open_tables(view: PublicView, found: PublicRound) -> list[list[int]]:
    """Return the players of each table whose sheet does not count yet, by the standings that are shown."""
    counted = {row.start_number for row in view.rows if row.by_round[found.number - 1] is not None}
    seated = [[seat.start_number for seat in table.seats] for table in found.tables]
    return [players for players in seated if players and not counted.intersection(players)]


@dataclass(frozen=True, slots=True)
class MyRound:
    """A round in which the player has a seat. score: None while the sheet does not count or is withheld."""

    number: int
    table_number: int
    seat_number: int
    score: Score | None


@dataclass(frozen=True, slots=True)
class MyEvening:
    """A player's seat and row (person), rounds, and the ranks still possible (see `rank_bounds_of`)."""

    person: Found
    rounds: tuple[MyRound, ...]
    bounds: RankBounds | None

    @property
    def latest(self) -> MyRound | None:
        return self.rounds[-1] if self.rounds else None


def my_evening(view: PublicView, start_number: int) -> MyEvening | None:
    """Return the page model; None if no public page shows this start number."""
    answer = find(view, str(start_number))
    if not answer.is_unique:
        return None
    return MyEvening(answer.found[0], _rounds(view, start_number), rank_bounds_of(view, start_number))


def _rounds(view: PublicView, start_number: int) -> tuple[MyRound, ...]:
    """Return the rounds up to the one in the view; a round released since is left out."""
    known = view.round.number if view.round else 0
    seats = page_cache.get_or_make(
        view.tournament.slug, ("seats", known), partial(_seats, view.tournament, known)
    )
    scores = {
        score.round_number: score
        for score in view.leaderboard.scores
        if score.start_number == start_number and score.is_decided
    }
    mine = seats.get(start_number, ())
    return tuple(MyRound(number, table, seat, scores.get(number)) for number, table, seat in mine)


def _seats(tournament: Tournament, known: int) -> dict[int, list[tuple[int, int, int]]]:
    """Return round, table and seat of each player in each round up to `known`: one query for all who ask."""
    released = Seat.objects.filter(tournament=tournament, round__number__lte=known).exclude(
        round__state=Round.State.DRAWN
    )
    columns = ("participant__start_number", "round__number", "table__number", "seat_number")
    seats: dict[int, list[tuple[int, int, int]]] = {}
    for start_number, *seat in released.order_by("round__number").values_list(*columns):
        seats.setdefault(start_number, []).append((seat[0], seat[1], seat[2]))
    return seats
