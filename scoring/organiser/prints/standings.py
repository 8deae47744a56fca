"""The printed standings, cut into pages; see `paging`."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.models import Decision
from scoring.organiser.prints.paging import Page, chunks, numbered
from scoring.queries.bracket import Bracket
from scoring.queries.standings import Leaderboard, StandingsRow

STANDINGS_A_PAGE = 31
ROWS_OF_THE_WINNER = 5
ROWS_OF_A_DECISION = 3
MOST_ROUND_COLUMNS = 8
"""Largest number of rounds with a column each; more do not fit beside the names."""
MOST_ROUNDS_OF_A_KNOCKOUT = 3
"""The same limit for a knockout, which has a column for the round that each player reached."""


@dataclass(frozen=True, slots=True)
class StandingsPaper:
    """The standings, cut into pages. going_on: players who have qualified for the next round of a knockout.

    decided: decisions on the order of tied players, best first. Their reasons are not printed, since the standings are posted.
    """

    leaderboard: Leaderboard
    decided: tuple[tuple[Decision, list[StandingsRow]], ...]
    pages: tuple[Page[StandingsRow], ...]
    going_on: frozenset[int] = frozenset()

    @property
    def round_numbers(self) -> range:
        """The rounds that have a column."""
        most = MOST_ROUNDS_OF_A_KNOCKOUT if self.leaderboard.is_knockout else MOST_ROUND_COLUMNS
        return range(1, self.leaderboard.rounds + 1 if self.leaderboard.rounds <= most else 1)

    @property
    def latest_round(self) -> int:
        """The last round with a result; 0 before the first sheet counts."""
        results = [row.by_round for row in self.leaderboard.rows]
        return max(
            (n for by_round in results for n, points in enumerate(by_round, 1) if points is not None),
            default=0,
        )

    @property
    def has_ties(self) -> bool:
        return any(row.tied for row in self.leaderboard.rows)


def standings_paper(
    leaderboard: Leaderboard, decisions: Iterable[Decision], bracket: Bracket | None = None
) -> StandingsPaper:
    """Return the standings in pages. bracket: only for a knockout."""
    decided = tuple(_decided_ties(leaderboard, decisions))
    first = STANDINGS_A_PAGE - ROWS_OF_THE_WINNER * len(leaderboard.winners[:3])
    notes = ROWS_OF_A_DECISION * len(decided)
    cut = [leaderboard.rows[:first], *chunks(leaderboard.rows[first:], STANDINGS_A_PAGE)]
    room = first if len(cut) == 1 else STANDINGS_A_PAGE
    if notes and len(cut[-1]) + notes > room:
        keep = max(len(cut[-1]) - notes, 1)
        cut[-1:] = [cut[-1][:keep], cut[-1][keep:]]
    pages = tuple(numbered([(rows,) for rows in cut]))
    return StandingsPaper(
        leaderboard, decided, pages, frozenset(_going_on(leaderboard, bracket)) if bracket else frozenset()
    )


def _going_on(leaderboard: Leaderboard, bracket: Bracket) -> Iterable[int]:
    """Yield the players who qualified at the table that decides their rank."""
    reached = {row.start_number: row.reached.round_number for row in leaderboard.rows if row.reached}
    for bracket_round in bracket.rounds:
        for seat in (seat for table in bracket_round.tables for seat in table.seats):
            if seat.fate == "on" and reached.get(seat.start_number) == bracket_round.number:
                yield seat.start_number


def _decided_ties(
    leaderboard: Leaderboard, decisions: Iterable[Decision]
) -> Iterable[tuple[Decision, list[StandingsRow]]]:
    """Yield the ties that a decision breaks: the latest decision on all players who are equal now."""
    groups: dict[tuple[int, ...], list[StandingsRow]] = {}
    for row in leaderboard.rows:
        groups.setdefault(row.ranking_key, []).append(row)
    for equal in groups.values():
        if len(equal) > 1 and not equal[0].tied:
            numbers = {row.start_number for row in equal}
            decision = next((candidate for candidate in decisions if numbers <= set(candidate.order)), None)
            if decision is not None:
                yield decision, equal
