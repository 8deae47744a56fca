from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.models import Decision
from scoring.queries.standings import Leaderboard, LeaderboardRow, current_standings, visible_standings
from tournaments.models import Tournament

# --- the standings -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A row as the organiser sees it, and its rank and points as the public sees them."""

    row: LeaderboardRow
    public_rank: int | None
    public_points: int | None

    @property
    def differs(self) -> bool:
        return (self.row.rank, self.row.standing.points) != (self.public_rank, self.public_points)


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """The standings now, beside what the public sees. frozen_at: since when it sees no more."""

    current: Leaderboard
    rows: tuple[RankedRow, ...]
    frozen_at: datetime | None
    decisions: tuple[Decision, ...]

    @property
    def held_back(self) -> int:
        """How many rows the public sees differently."""
        return sum(1 for row in self.rows if row.differs)

    @property
    def ties(self) -> list[list[LeaderboardRow]]:
        """The players of each shared rank among those who have played, best rank first."""
        groups: dict[int, list[LeaderboardRow]] = {}
        for row in self.current.rows:
            if row.standing.tied and any(points is not None for points in row.standing.by_round):
                groups.setdefault(row.rank, []).append(row)
        return list(groups.values())


def standings_page(tournament: Tournament) -> StandingsPage:
    current = current_standings(tournament)
    public = visible_standings(tournament.slug, full_names=True) if current.is_frozen else current
    seen = {row.start_number: row.standing for row in public.rows}
    latest = tournament.publications.order_by("-id").only("at", "is_frozen").first()
    return StandingsPage(
        current=current,
        rows=tuple(_ranked_row(row, seen) for row in current.rows),
        frozen_at=latest.at if latest and latest.is_frozen else None,
        decisions=tuple(tournament.decisions.order_by("id")),
    )


def _ranked_row(row: LeaderboardRow, seen: Mapping[int, Any]) -> RankedRow:
    public = seen.get(row.start_number)
    return RankedRow(row, public.rank if public else None, public.points if public else None)
