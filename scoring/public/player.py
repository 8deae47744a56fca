"""Page model of a player's own part of the players' page: rounds, ranks still possible, and the pots of the tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from django.utils.safestring import SafeString, mark_safe

from scoring.core.rank_bounds import Held, RankBounds, rank_bounds
from scoring.core.ranking import Score
from scoring.core.stakes import payout
from scoring.public.search import Found, find
from scoring.queries.public_view import PublicRound, PublicView
from scoring.queries.standings import StandingsRow
from tournaments.core.names import public_name
from tournaments.models import Round, Seat, Tournament
from tournaments.page_cache import page_cache


def rank_bounds_of(view: PublicView, start_number: int) -> RankBounds | None:
    """Return the ranks still possible for a player, from public data, while the last round is played.

    None otherwise, and also if ranks give no points, while the standings are frozen, and for a player who is
    not ranked.
    """
    rules, latest = view.tournament.rules, view.round
    if latest is None or latest.is_closed or latest.number != rules.rounds or not rules.points:
        return None
    held = {row.start_number: Held(row.points, row.tie_break) for row in view.rows}
    if view.leaderboard.is_frozen or view.leaderboard.rounds < latest.number or start_number not in held:
        return None
    return rank_bounds(start_number, held, _open_tables(view, latest), rules)


def _open_tables(view: PublicView, latest: PublicRound) -> list[list[int]]:
    """Return the players of each table whose sheet does not count yet, by the standings that are shown."""
    counted = {row.start_number for row in view.rows if row.by_round[latest.number - 1] is not None}
    seated = [[seat.start_number for seat in table.seats] for table in latest.tables]
    return [players for players in seated if players and not counted.intersection(players)]


@dataclass(frozen=True, slots=True)
class MyRound:
    """A round in which the player has a seat. score: None while the sheet does not count or is withheld.

    against: the names of the others at the table. got_cents: the player's share of the pot; None while it is not decided,
    or if the tables do not play for money. goes_on: whether the rank is good for the next round of a knockout, None in the
    final, for who has gone home, and in other tournaments.
    """

    number: int
    table_number: int
    seat_number: int
    score: Score | None
    against: tuple[str, ...] = ()
    got_cents: int | None = None
    goes_on: bool | None = None
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of everybody: round, table and seat by player, and players by seat at each table of a round."""

    of: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)
    at: dict[tuple[int, int], dict[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Gap:
    """The distance in points to the next better rank, or, for who leads alone, to the next lower one (is_lead)."""

    rank: int
    points: int
    is_lead: bool


@dataclass(frozen=True, slots=True)
class MyEvening:
    """A player's seat and row (person), rounds, the ranks still possible (see `rank_bounds_of`), and the gap to the next one.

    stake_cents: what the player puts into the pot of a round; None if the tables do not play for money. seats: those of
    everybody in these rounds.
    """

    person: Found
    rounds: tuple[MyRound, ...]
    bounds: RankBounds | None
    stake_cents: int | None
    seats: Seats
    gap: Gap | None = None

    @property
    def latest(self) -> MyRound | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def sum_cents(self) -> int | None:
        """The shares of the pots less the stakes of their rounds; None before the first pot is decided."""
        got = [played.got_cents for played in self.rounds if played.got_cents is not None]
        return sum(got) - len(got) * self.stake_cents if got and self.stake_cents is not None else None


def my_evening(view: PublicView, start_number: int) -> MyEvening | None:
    """Return the page model; None if no public page shows this start number."""
    answer = find(view, str(start_number))
    if not answer.is_unique:
        return None
    stakes = view.tournament.rules.stakes
    seats = _seats_of(view)
    return MyEvening(
        person=answer.players[0],
        rounds=_rounds(view, start_number, seats),
        bounds=rank_bounds_of(view, start_number),
        stake_cents=stakes.stake_cents if stakes else None,
        seats=seats,
        gap=_gap(view, answer.players[0].row),
    )


def own_table_first(view: PublicView, mine: MyEvening) -> PublicView:
    """Return the view with the player's table before the others."""
    my_table = mine.person.table
    if my_table is None or view.round is None:
        return view
    others = tuple(table for table in view.round.tables if table.number != my_table.number)
    return replace(view, round=replace(view.round, tables=(my_table, *others)))


def mark_mine(part: str, mine: MyEvening) -> SafeString:
    """Return a part of a page in which the player's row, table and seat are marked, as me.js does it."""
    number, table = mine.person.start_number, mine.person.table
    for attribute in (
        f'<tr id="p{number}"',
        f'data-player="{number}"',
        f'id="table-{table.number}"' if table else "",
    ):
        part = part.replace(attribute, f'{attribute} data-mine="true"', 1) if attribute else part
    return mark_safe(part)


def _gap(view: PublicView, mine: StandingsRow | None) -> Gap | None:
    """Return the gap to the nearest other rank by the standings that are shown; None where ranks are not by points."""
    if mine is None or view.leaderboard.is_knockout or not view.leaderboard.has_results:
        return None
    ahead = [row for row in view.rows if row.rank < mine.rank]
    if ahead:
        return Gap(ahead[-1].rank, ahead[-1].points - mine.points, is_lead=False)
    behind = [row for row in view.rows if row.rank > mine.rank]
    return Gap(behind[0].rank, mine.points - behind[0].points, is_lead=True) if behind else None


def _rounds(view: PublicView, start_number: int, seats: Seats) -> tuple[MyRound, ...]:
    """Return the rounds up to the one in the view; a round released since is left out."""
    mine = seats.of.get(start_number, ())
    mates = {player for number, table, _seat in mine for player in seats.at[number, table].values()}
    scores = {
        (score.round_number, score.start_number): score
        for score in view.leaderboard.scores
        if score.start_number in mates and score.is_decided
    }
    names = _names(view)
    gone = {row.start_number for row in view.rows if row.withdrawn}
    return tuple(
        MyRound(
            number=number,
            table_number=table,
            seat_number=seat,
            score=scores.get((number, start_number)),
            against=tuple(
                names.get(player) or public_name("", player, Tournament.Names.NUMBER)
                for _seat, player in sorted(seats.at[number, table].items())
                if player != start_number
            ),
            got_cents=_share_of(view.tournament, seat, number, seats.at[number, table], scores),
            goes_on=None
            if start_number in gone
            else _goes_on(view, number, scores.get((number, start_number))),
            is_final=_is_final(view, number),
        )
        for number, table, seat in mine
    )


def _is_final(view: PublicView, number: int) -> bool:
    return view.plays_final and view.round is not None and view.round.number == number


def _goes_on(view: PublicView, number: int, score: Score | None) -> bool | None:
    qualifying = view.tournament.rules.qualifying
    is_last = _is_final(view, number) or view.leaderboard.ended_after == number
    if qualifying is None or is_last or score is None or score.rank is None:
        return None
    return score.rank <= qualifying.go_on


def _names(view: PublicView) -> dict[int, str]:
    """Return the names as the page shows them, also of those who are excluded and still have a seat."""
    seated = {seat.start_number: seat.name for seat in (view.round.seats if view.round else ())}
    return seated | {row.start_number: row.name for row in view.rows}


def _share_of(
    tournament: Tournament,
    seat: int,
    number: int,
    players: Mapping[int, int],
    scores: Mapping[tuple[int, int], Score],
) -> int | None:
    """Return the share of the pot that a seat gets, in cents (RULES 1.10); None while the table is not decided."""
    stakes = tournament.rules.stakes
    by_seat = {at: scores.get((number, player)) for at, player in players.items()}
    ranks = {at: score.rank for at, score in by_seat.items() if score is not None and score.rank is not None}
    if stakes is None or len(ranks) < len(players) or 1 not in ranks.values():
        return None
    return payout(ranks, stakes).by_seat[seat]


def _seats_of(view: PublicView) -> Seats:
    """Return the seats of everybody in the rounds up to the one in the view."""
    latest = view.round.number if view.round else 0
    return page_cache.get_or_make(
        view.tournament.slug, ("seats", latest), partial(_seats, view.tournament, latest)
    )


def _seats(tournament: Tournament, latest: int) -> Seats:
    """Return the seats in each round up to `known`: one query for all who ask."""
    released = Seat.objects.filter(tournament=tournament, round__number__lte=latest).exclude(
        round__state=Round.State.DRAWN
    )
    columns = ("participant__start_number", "round__number", "table__number", "seat_number")
    seats = Seats()
    for start_number, number, table, seat in released.order_by("round__number").values_list(*columns):
        seats.of.setdefault(start_number, []).append((number, table, seat))
        seats.at.setdefault((number, table), {})[seat] = start_number
    return seats
