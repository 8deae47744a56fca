"""The bracket of a knockout: each round with its tables and the players who qualified there (RULES 4.2).

For public pages it uses only what is public anyway: the ranks of `visible_standings` and the seating of
released rounds. While the standings are frozen it reveals no more of a table than where its players sit next.
"""

from collections.abc import Iterable, Mapping, Sequence
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
    return (
        _tree(leaderboard, leaderboard.tournament.names, with_drawn=False)
        if leaderboard.is_knockout
        else None
    )


def organiser_bracket(tournament: Tournament) -> Bracket | None:
    """Return the bracket with unreleased rounds; None unless it is a knockout. Two queries."""
    leaderboard = current_standings(tournament)
    return _tree(leaderboard, None, with_drawn=True) if leaderboard.is_knockout else None


@dataclass(frozen=True, slots=True)
class _Sitting:
    round_number: int
    state: str
    table: int
    seat: int
    start_number: int
    name: str
    has_left: bool


def _tree(leaderboard: Leaderboard, names: str | None, *, with_drawn: bool) -> Bracket:
    """Return the bracket. names: how names are shown by default; None: all in full, for the organiser."""
    by_round: dict[int, list[_Sitting]] = {}
    for sitting in _sittings(leaderboard.tournament, names, with_drawn=with_drawn):
        by_round.setdefault(sitting.round_number, []).append(sitting)
    fates = _Fates(leaderboard, by_round)
    rounds = tuple(_round(number, found, fates) for number, found in by_round.items())
    return Bracket(leaderboard, rounds, _ahead(leaderboard, rounds))


def _sittings(tournament: Tournament, names: str | None, *, with_drawn: bool) -> Iterable[_Sitting]:
    seats = Seat.objects.filter(tournament=tournament)
    if not with_drawn:
        seats = seats.exclude(round__state=Round.State.DRAWN)
    columns = (
        "round__number", "round__state", "table__number", "seat_number", "participant__start_number",
        "participant__name", "participant__names", "participant__withdrawn_at", "participant__excluded_at",
    )  # fmt: skip
    found = seats.order_by("round__number", "table__number", "seat_number").values_list(*columns)
    for number, state, table, seat, player, name, wish, withdrawn_at, excluded_at in found:
        shown = name if names is None else public_name(name, player, wish or names)
        has_left = withdrawn_at is not None or excluded_at is not None
        yield _Sitting(number, state, table, seat, player, shown, has_left)


class _Fates:
    """The rank and the fate of each player at each table."""

    def __init__(self, leaderboard: Leaderboard, by_round: Mapping[int, Sequence[_Sitting]]) -> None:
        qualifying = leaderboard.tournament.rules.qualifying
        assert qualifying is not None
        self.go_on = qualifying.go_on
        self.is_over = leaderboard.ended_after > 0
        self.ranks = {row.start_number: row.by_round for row in leaderboard.rows}
        self.seated = {number: {one.start_number for one in found} for number, found in by_round.items()}
        self.finals = {number for number, found in by_round.items() if len({one.table for one in found}) == 1}

    def rank(self, sitting: _Sitting) -> int | None:
        by_round = self.ranks.get(sitting.start_number, ())
        place = sitting.round_number - 1
        return by_round[place] if place < len(by_round) else None

    def of(self, sitting: _Sitting) -> Fate:
        rank = self.rank(sitting)
        if sitting.round_number in self.finals:
            return "won" if rank == 1 else ""
        made_it = rank is not None and rank <= self.go_on
        following = self.seated.get(sitting.round_number + 1)
        if following is not None and sitting.start_number in following:
            return "on"
        if following is None and (rank is None or (made_it and self.is_over)):
            return ""
        if not made_it:
            return "out"
        return "on" if following is None and not sitting.has_left else "left"


def _round(number: int, found: Sequence[_Sitting], fates: _Fates) -> BracketRound:
    tables: dict[int, list[BracketSeat]] = {}
    for one in found:
        seat = BracketSeat(one.seat, one.start_number, one.name, fates.rank(one), fates.of(one))
        tables.setdefault(one.table, []).append(seat)
    for seats in tables.values():
        seats.sort(key=lambda seat: (seat.rank is None, seat.rank or 0, seat.seat_number))
    return BracketRound(
        number=number,
        state=found[0].state,
        is_final=number in fates.finals,
        tables=tuple(BracketTable(table, tuple(seats)) for table, seats in tables.items()),
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
