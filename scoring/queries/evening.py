"""Reads for the organiser: what a draw would give, where the evening stands, and how the public sees the standings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import Count, OuterRef, Q, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from scoring.models import Decision, Sheet
from scoring.queries.field import players_of_round, taking_part, uncounted_tables
from scoring.queries.standings import Leaderboard, LeaderboardRow, current_standings, visible_standings
from scoring.queries.supervision import Board, board
from tournaments.core.preview import Preview, previews
from tournaments.core.refusal import Refusal
from tournaments.core.repeats import Repeat, repeats
from tournaments.core.sizes import Choice, Sizes, fewest, sizes_of_round
from tournaments.core.stages import Stage, stages
from tournaments.models import DrawAttempt, Participant, Payment, Round, Tournament
from tournaments.queries.seating import RoundRow, SeatRow, rounds_with_seating
from tournaments.rulesets.schema import Ruleset

# --- before the draw -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeadCount:
    """Who of the field of a round is here, who is expected, and who owes the entry fee."""

    present: int
    announced: int
    absent: int
    unpaid: int


def head_count(tournament: Tournament, number: int = 1) -> HeadCount:
    """Of those who may play round `number`. Two queries at most."""
    presence = Participant.Presence
    fee = tournament.rules.entry_fee_cents
    counts = (
        taking_part(tournament, number)
        .annotate(paid=_paid(Payment.Kind.FEE) - _paid(Payment.Kind.REFUND))
        .aggregate(
            present=Count("pk", filter=Q(presence=presence.PRESENT)),
            announced=Count("pk", filter=Q(presence=presence.ANNOUNCED)),
            absent=Count("pk", filter=Q(presence=presence.ABSENT)),
            unpaid=Count("pk", filter=Q(presence=presence.PRESENT, paid__lt=Value(fee))),
        )
    )
    return HeadCount(**counts)


def _paid(kind: Payment.Kind) -> Coalesce:
    lines = Payment.objects.filter(participant=OuterRef("pk"), kind=kind).order_by().values("participant")
    return Coalesce(Subquery(lines.annotate(cents=Sum("cents")).values("cents")), 0)


@dataclass(frozen=True, slots=True)
class SizeOption:
    """How the tables would come out: `sizes`, or why not. size: of which there are more, 0 where all are equal."""

    prefer: Choice
    size: int
    sizes: Sizes | None
    refusal: Refusal | None


def size_options(players: int, rules: Ruleset) -> list[SizeOption]:
    """The splits to choose from, the ruleset's own preference first; each only once."""
    smaller, larger = rules.tables.sizes[0], rules.tables.sizes[-1]
    options = [_option(players, rules, "smaller", smaller), _option(players, rules, "larger", larger)]
    if rules.tables.prefer == "larger":
        options.reverse()
    options.append(_option(players, rules, "equal", 0))
    first, *others = options
    return [first] + [
        option
        for index, option in enumerate(others, start=1)
        if option.sizes not in [earlier.sizes for earlier in options[:index]]
    ]


def _option(players: int, rules: Ruleset, prefer: Choice, size: int) -> SizeOption:
    try:
        return SizeOption(prefer, size, sizes_of_round(players, rules.tables, rules.qualifying, prefer), None)
    except Refusal as refusal:
        return SizeOption(prefer, size, None, refusal)


@dataclass(frozen=True, slots=True)
class Abandoned:
    """An attempt that was given up, and why: the reason stands with the attempt that came after it."""

    attempt: DrawAttempt
    reason: str


def abandoned_attempts(found: RoundRow) -> list[Abandoned]:
    attempts = [*found.abandoned, *([found.attempt] if found.attempt else [])]
    reasons = [later.reason for later in attempts[1:]] + [""]
    return [Abandoned(attempt, reason) for attempt, reason in zip(found.abandoned, reasons, strict=False)]


@dataclass(frozen=True, slots=True)
class Reunion:
    """Two who meet again."""

    a: SeatRow
    b: SeatRow
    table_number: int
    times: int


def reunions(tournament: Tournament, found: RoundRow) -> list[Reunion]:
    """Who meets whom again in a round."""
    earlier = [other.seating for other in rounds_with_seating(tournament, range(1, found.number))]
    seats = {seat.start_number: seat for seat in found.seats}
    return [_reunion(repeat, seats) for repeat in repeats(found.seating, earlier)] if earlier else []


def _reunion(repeat: Repeat, seats: Mapping[int, SeatRow]) -> Reunion:
    return Reunion(seats[repeat.a], seats[repeat.b], repeat.table_number, repeat.times)


def previews_of(tournament: Tournament, number: int) -> tuple[Preview, ...]:
    """How a round would come out with up to three players fewer or more; none where the field is settled."""
    rules = tournament.rules
    if number > 1 and (rules.qualifying is not None or rules.drawn_ahead):
        return ()
    return previews(
        players_of_round(tournament, number),
        rules.tables,
        rules.qualifying,
        history=[row.seating for row in rounds_with_seating(tournament, range(1, number))],
        points=rules.points,
    )


# --- the evening ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round of the evening, drawn or not. stage: what it will be, where players drop out and it is not drawn."""

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
    """Every round that the ruleset provides for, or the entries; three queries at most."""
    accepted = Sheet.objects.filter(table__round=OuterRef("pk"), results__accepted=True).order_by()
    drawn = {
        found.number: found
        for found in Round.objects.filter(tournament=tournament).annotate(
            table_count=Count("tables", distinct=True),
            player_count=Count("seats", distinct=True),
            accepted_count=Coalesce(
                Subquery(accepted.values("table__round").annotate(n=Count("pk", distinct=True)).values("n")),
                0,
            ),
        )
    }
    rules = tournament.rules
    if rules.qualifying is None:
        last = max([rules.most_rounds, *drawn])
        return [_round_line(number, drawn.get(number)) for number in range(1, last + 1)]
    played = [_round_line(number, drawn[number], drops_out=True) for number in sorted(drawn)]
    ahead = _stages_ahead(tournament, drawn)
    return played + [RoundLine(stage.number, "todo", stage=stage, is_final=stage.is_final) for stage in ahead]


def open_round_before(tournament: Tournament, number: int) -> int | None:
    """The first round before this one that is not closed, where rounds are drawn ahead."""
    earlier = Round.objects.filter(tournament=tournament, number__lt=number).order_by("number")
    return earlier.exclude(state=Round.State.CLOSED).values_list("number", flat=True).first()


def _stages_ahead(tournament: Tournament, drawn: Mapping[int, Any]) -> tuple[Stage, ...]:
    """Where players drop out: the rounds that are still to be drawn, if nobody shares a rank at the cut.

    With too few players for any, one that cannot be drawn yet.
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


def _round_line(number: int, found: Any, *, drops_out: bool = False) -> RoundLine:
    if found is None:
        return RoundLine(number, "todo")
    return RoundLine(
        number=number,
        state=found.state,
        tables=found.table_count,
        accepted=found.accepted_count,
        players=found.player_count,
        closed_reason=found.closed_reason,
        closed_at=found.closed_at,
        is_final=drops_out and found.table_count == 1,
    )


Step = Literal["wait", "draw", "look", "board", "accept", "close", "decide", "show", "over"]


@dataclass(frozen=True, slots=True)
class Evening:
    """The evening as steps, and the one thing to do next. people: of the round that is next. needed: to draw it."""

    people: HeadCount
    rounds: Sequence[RoundLine]
    next: Step
    number: int
    needed: int = 0
    uncounted: tuple[int, ...] = ()
    board: Board | None = None
    leaderboard: Leaderboard | None = None

    @property
    def ahead(self) -> list[Stage]:
        """Where players drop out: the rounds that are still to be drawn, as far as they can be."""
        return [line.stage for line in self.rounds if line.stage and line.stage.sizes]

    @property
    def begun(self) -> bool:
        return self.rounds[0].state != "todo"

    @property
    def is_played(self) -> bool:
        return all(line.state == "closed" for line in self.rounds)


def evening_of(tournament: Tournament) -> Evening:
    """Where the evening stands, and what comes next."""
    rounds = rounds_of(tournament)
    current = next((line for line in rounds if line.state != "closed"), None)
    people = head_count(tournament, current.number if current else len(rounds))
    if current is None:
        return _after_the_last_round(tournament, people, rounds)
    if current.state == "todo":
        return _before_a_draw(tournament, people, rounds, current.number)
    if current.state == "drawn":
        return Evening(people, rounds, "look", current.number)
    tables = board(tournament, current.number)
    if tables is not None and not tables.missing:
        return Evening(people, rounds, "close", current.number, board=tables)
    step: Step = "accept" if tables and tables.needing else "board"
    return Evening(people, rounds, step, current.number, board=tables)


def _before_a_draw(
    tournament: Tournament, people: HeadCount, rounds: list[RoundLine], number: int
) -> Evening:
    rules = tournament.rules
    needed = fewest(rules.tables, rules.qualifying)
    step: Step = "draw" if people.present >= needed else "wait"
    return Evening(
        people, rounds, step, number, needed=needed, uncounted=uncounted_tables(tournament, number)
    )


def _after_the_last_round(tournament: Tournament, people: HeadCount, rounds: list[RoundLine]) -> Evening:
    leaderboard = current_standings(tournament)
    first: Step = "show" if leaderboard.is_frozen else "over"
    last = "decide" if len(leaderboard.winners) > 1 else first
    return Evening(people, rounds, last, len(rounds), leaderboard=leaderboard)


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
