"""The bracket of a knockout: each round with its tables and the players who qualified there (RULES 4.2).

For public pages it uses only what is public anyway: the ranks of `visible_standings` and the seating of
released rounds. While the standings are frozen it reveals no more of a table than where its players sit next.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.queries.standings import Leaderboard, current_standings, visible_standings
from tournaments.core.bracket_preview import Stage, stages
from tournaments.core.names import public_name
from tournaments.core.refusal import Refusal
from tournaments.models import Round, Seat, Tournament

Fate = Literal["", "on", "out", "left", "won"]
"""left: qualified, but does not play on."""


@dataclass(frozen=True, slots=True)
class BracketSeat:
    """A player at a table. rank: at that table, None while it is not visible."""

    seat_number: int
    start_number: int
    name: str
    rank: int | None
    fate: Fate


@dataclass(frozen=True, slots=True)
class BracketTable:
    """A table with its seats by rank, as far as ranks are visible."""

    number: int
    seats: tuple[BracketSeat, ...]

    @property
    def is_counted(self) -> bool:
        return any(seat.rank is not None for seat in self.seats)


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of the bracket that is drawn."""

    number: int
    state: str
    is_final: bool
    tables: tuple[BracketTable, ...]

    @property
    def is_draft(self) -> bool:
        return self.state == Round.State.DRAWN


@dataclass(frozen=True, slots=True)
class Bracket:
    """The rounds so far, and those that follow if no players share a rank at the cut."""

    leaderboard: Leaderboard
    rounds: tuple[BracketRound, ...]
    ahead: tuple[Stage, ...]

    @property
    def tournament(self) -> Tournament:
        return self.leaderboard.tournament


def public_bracket(slug: str) -> Bracket | None:
    """Return the public bracket; None unless it is a knockout. Two queries. Raises Tournament.DoesNotExist."""
    leaderboard = visible_standings(slug)
    names = leaderboard.tournament.names
    return _tree(leaderboard, names, with_drawn=False) if leaderboard.is_knockout else None


def organiser_bracket(tournament: Tournament) -> Bracket | None:
    """Return the bracket with unreleased rounds; None unless it is a knockout. Two queries."""
    leaderboard = current_standings(tournament)
    return _tree(leaderboard, None, with_drawn=True) if leaderboard.is_knockout else None


def _tree(leaderboard: Leaderboard, names: str | None, *, with_drawn: bool) -> Bracket:
    """Return the bracket. names: how names are shown by default; None: all in full, for the organiser."""
    seats = Seat.objects.filter(tournament=leaderboard.tournament).select_related(
        "round", "table", "participant"
    )
    if not with_drawn:
        seats = seats.exclude(round__state=Round.State.DRAWN)
    by_round: dict[int, list[Seat]] = {}
    for seat in seats.order_by("round__number", "table__number", "seat_number"):
        by_round.setdefault(seat.round.number, []).append(seat)
    fates = _Fates(leaderboard, by_round)
    rounds = tuple(_round(number, seats, fates, names) for number, seats in by_round.items())
    return Bracket(leaderboard, rounds, _ahead(leaderboard, rounds))


class _Fates:
    """The rank and the fate of each player at each table."""

    def __init__(self, leaderboard: Leaderboard, by_round: Mapping[int, Sequence[Seat]]) -> None:
        qualifying = leaderboard.tournament.rules.qualifying
        assert qualifying is not None
        self.go_on = qualifying.go_on
        self.is_over = leaderboard.ended_after > 0
        self.ranks = {row.start_number: row.by_round for row in leaderboard.rows}
        self.seated = {number: {seat.participant_id for seat in seats} for number, seats in by_round.items()}
        self.finals = {
            number for number, seats in by_round.items() if len({seat.table_id for seat in seats}) == 1
        }

    def rank(self, seat: Seat) -> int | None:
        by_round = self.ranks.get(seat.participant.start_number, ())
        place = seat.round.number - 1
        return by_round[place] if place < len(by_round) else None

    def of(self, seat: Seat) -> Fate:
        rank, number = self.rank(seat), seat.round.number
        if number in self.finals:
            return "won" if rank == 1 else ""
        qualifies = rank is not None and rank <= self.go_on
        following = self.seated.get(number + 1)
        if following is not None and seat.participant_id in following:
            return "on"
        if following is None and (rank is None or (qualifies and self.is_over)):
            return ""
        if not qualifies:
            return "out"
        return "on" if following is None and not seat.participant.has_left else "left"


def _round(number: int, seats: Sequence[Seat], fates: _Fates, names: str | None) -> BracketRound:
    tables: dict[int, list[BracketSeat]] = {}
    for seat in seats:
        person = seat.participant
        name = person.name
        if names is not None:
            name = public_name(name, person.start_number, person.names or names)
        row = BracketSeat(seat.seat_number, person.start_number, name, fates.rank(seat), fates.of(seat))
        tables.setdefault(seat.table.number, []).append(row)
    for rows in tables.values():
        rows.sort(key=lambda row: (row.rank is None, row.rank or 0, row.seat_number))
    return BracketRound(
        number=number,
        state=seats[0].round.state,
        is_final=number in fates.finals,
        tables=tuple(BracketTable(table, tuple(rows)) for table, rows in tables.items()),
    )


def _ahead(leaderboard: Leaderboard, rounds: Sequence[BracketRound]) -> tuple[Stage, ...]:
    """Return the rounds that follow the last one.

    Their head count is that of the players who go on if all tables count, else the number expected from the
    tables.
    """
    rules = leaderboard.tournament.rules
    if not rounds or rounds[-1].is_final or rules.qualifying is None or leaderboard.ended_after:
        return ()
    last = rounds[-1]
    if all(table.is_counted for table in last.tables):
        players = sum(seat.fate == "on" for table in last.tables for seat in table.seats)
    else:
        players = len(last.tables) * rules.qualifying.go_on
    try:
        return stages(players, rules, first=last.number + 1)
    except Refusal:
        return ()
