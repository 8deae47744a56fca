"""Page model of the organiser's standings, compared with the public ones."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from scoring.models import Decision, RoundMark
from scoring.queries.standings import Leaderboard, StandingsRow, current_standings, visible_standings
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A row for the organiser beside the public one, which is None if the public does not see the player."""

    row: StandingsRow
    public: StandingsRow | None

    @property
    def differs(self) -> bool:
        seen = (self.public.rank, self.public.points) if self.public else None
        return (self.row.rank, self.row.points) != seen


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """The current standings beside the public ones. frozen_at: time of the freeze, None if not frozen."""

    current: Leaderboard
    rows: tuple[ComparedRow, ...]
    frozen_at: datetime | None
    decisions: tuple[Decision, ...]

    @property
    def held_back(self) -> int:
        """The number of rows that differ in public."""
        return sum(1 for row in self.rows if row.differs)

    @property
    def ties(self) -> list[list[StandingsRow]]:
        """The players of each shared rank among those who have played, best rank first."""
        groups: dict[int, list[StandingsRow]] = {}
        for row in self.current.rows:
            if row.tied and row.has_played:
                groups.setdefault(row.rank, []).append(row)
        return list(groups.values())


def standings_page(tournament: Tournament) -> StandingsPage:
    current = current_standings(tournament)
    public = visible_standings(tournament.slug, full_names=True) if current.is_frozen else current
    seen = {row.start_number: row for row in public.rows}
    latest = tournament.publications.order_by("-id").only("at", "is_frozen").first()
    return StandingsPage(
        current=current,
        rows=tuple(ComparedRow(row, seen.get(row.start_number)) for row in current.rows),
        frozen_at=latest.at if latest and latest.is_frozen else None,
        decisions=tuple(tournament.decisions.order_by("id")),
    )


def after_what_is_public(tournament: Tournament, at: datetime) -> datetime:
    """Return `at`, or the moment after the latest freeze, release, mark and commitment if the clock was set back since.

    A freeze holds back what is later than itself. Three queries.
    """
    moments = (
        tournament.publications.order_by("-id").values_list("at", flat=True).first(),
        RoundMark.objects.filter(tournament=tournament)
        .order_by("-number")
        .values_list("made_at", flat=True)
        .first(),
        tournament.commitments.order_by("-number").values_list("made_at", flat=True).first(),
    )
    return max([at, *(moment + timedelta(microseconds=1) for moment in moments if moment)])
