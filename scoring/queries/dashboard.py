"""The organiser's overview of a tournament: its rounds, and what to do next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from scoring.core.pace import end_of_evening
from scoring.models import SeatResult, Sheet
from scoring.queries.draw_options import HeadCount, head_count
from scoring.queries.entrants import players_of_round, uncounted_tables
from scoring.queries.standings import Leaderboard, current_standings, is_frozen
from scoring.queries.table_monitor import TableMonitor, TableState, table_monitor
from tournaments.core.bracket_preview import Stage, stages
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import fewest
from tournaments.models import Round, Seat, Table, Tournament


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round, drawn or not. stage: its preview in a knockout, while it is not drawn."""

    number: int
    state: Literal["todo", "drawn", "released", "closed"]
    tables: int = 0
    accepted: int = 0
    players: int = 0
    closed_reason: str = ""
    closed_at: datetime | None = None
    stage: Stage | None = None
    is_final: bool = False


def rounds_of(tournament: Tournament) -> list[RoundLine]:
    """Return every round of the ruleset or of the entries; after an early end, only those played. Three queries at most."""
    counted = Exists(SeatResult.objects.filter(sheet=OuterRef("pk"), accepted=True))
    drawn = {
        row.number: row
        for row in Round.objects.filter(tournament=tournament).annotate(
            table_count=_count_by_round(Table.objects.all(), "round"),
            player_count=_count_by_round(Seat.objects.all(), "round"),
            accepted_count=_count_by_round(Sheet.objects.filter(counted), "table__round"),
        )
    }
    rules = tournament.rules
    if tournament.ended_at is not None:
        drawn = {number: row for number, row in drawn.items() if row.state == Round.State.CLOSED}
        return [
            _round_line(number, drawn[number], drops_out=bool(rules.qualifying)) for number in sorted(drawn)
        ]
    if rules.qualifying is None:
        last = max([rules.most_rounds, *drawn])
        return [_round_line(number, drawn.get(number)) for number in range(1, last + 1)]
    played = [_round_line(number, drawn[number], drops_out=True) for number in sorted(drawn)]
    ahead = _stages_ahead(tournament, drawn)
    return played + [RoundLine(stage.number, "todo", stage=stage, is_final=stage.is_final) for stage in ahead]


def ends_in_public(tournament: Tournament, number: int) -> bool:
    """Return whether the final standings are public once this round is closed: it is the last one, and nothing is frozen."""
    return rounds_of(tournament)[-1].number == number and not is_frozen(tournament)


def _count_by_round(rows: QuerySet[Any], of_round: str) -> Coalesce:
    """Return the number of these rows in a round. A subquery each: joins would multiply tables by seats."""
    by_round = rows.filter(**{of_round: OuterRef("pk")}).order_by().values(of_round)
    return Coalesce(Subquery(by_round.annotate(n=Count("pk")).values("n")), 0)


def open_round_before(tournament: Tournament, number: int) -> int | None:
    """Return the first round before this one that is not closed, if rounds are drawn ahead."""
    earlier = Round.objects.filter(tournament=tournament, number__lt=number).order_by("number")
    return earlier.exclude(state=Round.State.CLOSED).values_list("number", flat=True).first()


def _stages_ahead(tournament: Tournament, drawn: Mapping[int, Any]) -> tuple[Stage, ...]:
    """Return the rounds of a knockout that are still to be drawn, if no players share a rank at the cut.

    With too few players for any, return one that cannot be drawn yet.
    """
    rules = tournament.rules
    latest = drawn.get(len(drawn))
    if rules.qualifying is None or (latest is not None and latest.table_count == 1):
        return ()
    following = len(drawn) + 1
    if latest is None or latest.state == Round.State.CLOSED:
        players = len(players_of_round(tournament, following))
    else:
        players = latest.table_count * rules.qualifying.go_on
    try:
        return stages(players, rules, first=following)
    except Refusal:
        return (Stage(following, players, ()),)


def _round_line(number: int, row: Any, *, drops_out: bool = False) -> RoundLine:
    if row is None:
        return RoundLine(number, "todo")
    return RoundLine(
        number=number,
        state=row.state,
        tables=row.table_count,
        accepted=row.accepted_count,
        players=row.player_count,
        closed_reason=row.closed_reason,
        closed_at=row.closed_at,
        is_final=drops_out and row.table_count == 1,
    )


NextStep = Literal["wait", "draw", "look", "board", "accept", "close", "decide", "show", "over"]


@dataclass(frozen=True, slots=True)
class Dashboard:
    """Page model of the overview.

    people: of the round that is next. needed: players needed to draw it. shows_the_end: the last round is in play, and
    its results are public at once.
    """

    people: HeadCount
    rounds: Sequence[RoundLine]
    next: NextStep
    number: int
    needed: int = 0
    uncounted: tuple[int, ...] = ()
    monitor: TableMonitor | None = None
    leaderboard: Leaderboard | None = None
    shows_the_end: bool = False

    @property
    def ahead(self) -> list[Stage]:
        """The rounds of a knockout that are still to be drawn, as far as they can be."""
        return [line.stage for line in self.rounds if line.stage and line.stage.sizes]

    @property
    def begun(self) -> bool:
        return self.rounds[0].state != "todo"

    @property
    def in_play(self) -> int | None:
        """The number of the round that is released and not closed."""
        return next((line.number for line in self.rounds if line.state == "released"), None)

    @property
    def played(self) -> int:
        """The number of rounds that are closed."""
        return sum(line.state == "closed" for line in self.rounds)

    def outlook(self, at: datetime) -> tuple[datetime, datetime] | None:
        """Return when the round in play and the evening will be over; None if it cannot be told."""
        if (
            self.monitor is None
            or self.monitor.started_at is None
            or (ends_at := self.monitor.ends_at(at)) is None
        ):
            return None
        left = sum(line.state in ("todo", "drawn") for line in self.rounds)
        return ends_at, end_of_evening(ends_at, started_at=self.monitor.started_at, rounds_left=left)

    @property
    def most_urgent(self) -> TableState | None:
        """The table that needs an organiser most."""
        return next(iter(self.monitor.most_urgent), None) if self.monitor else None

    @property
    def can_end_early(self) -> bool:
        """Whether the organiser may want to end the tournament before its last round."""
        return not self.is_played and bool(self.played or self.in_play)

    @property
    def is_played(self) -> bool:
        return all(line.state == "closed" for line in self.rounds)


def dashboard_of(tournament: Tournament) -> Dashboard:
    """Return the state of the tournament and the next step."""
    rounds = rounds_of(tournament)
    current = next((line for line in rounds if line.state != "closed"), None)
    people = head_count(tournament, current.number if current else len(rounds))
    if current is None:
        return _after_the_last_round(tournament, people, rounds)
    if current.state == "todo":
        return _before_a_draw(tournament, people, rounds, current.number)
    if current.state == "drawn":
        return Dashboard(people, rounds, "look", current.number)
    tables = table_monitor(tournament, current.number)
    step: NextStep = "accept" if tables and tables.needing else "board"
    if tables is not None and not tables.missing:
        step = "close"
    shows_the_end = current is rounds[-1] and not is_frozen(tournament)
    return Dashboard(people, rounds, step, current.number, monitor=tables, shows_the_end=shows_the_end)


def _before_a_draw(
    tournament: Tournament, people: HeadCount, rounds: list[RoundLine], number: int
) -> Dashboard:
    rules = tournament.rules
    needed = fewest(rules.tables, rules.qualifying)
    step: NextStep = "draw" if people.present >= needed else "wait"
    return Dashboard(
        people, rounds, step, number, needed=needed, uncounted=uncounted_tables(tournament, number)
    )


def _after_the_last_round(tournament: Tournament, people: HeadCount, rounds: list[RoundLine]) -> Dashboard:
    leaderboard = current_standings(tournament)
    first: NextStep = "show" if leaderboard.is_frozen else "over"
    last = "decide" if len(leaderboard.winners) > 1 else first
    return Dashboard(people, rounds, last, len(rounds), leaderboard=leaderboard)
