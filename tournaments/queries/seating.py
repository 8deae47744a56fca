"""The seating of each round."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import Prefetch, QuerySet

from tournaments.core.draw import Change, Step, Tables, TakenBack, change_from_dict, standing
from tournaments.core.names import namesakes, public_name
from tournaments.core.repeats import DrawReport, report
from tournaments.core.wishes import wish_from_dict
from tournaments.models import DrawAttempt, Round, SeatChange, Table, Tournament


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat for the organiser. names: how its player is named in public, "" for the tournament's default.

    has_namesake: whether another player of the round has the same name.
    """

    seat_number: int
    start_number: int
    name: str
    club: str
    table_number: int
    is_scribe: bool = False
    names: str = ""
    town: str = ""
    has_namesake: bool = False

    @property
    def told_apart(self) -> str:
        """The name, with the start number if another player of the round has the same."""
        return f"{self.name} ({self.start_number})" if self.has_namesake else self.name


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table. scribe_by, scribe_at: author and time of the choice of scribe, if any.

    scribe_agreed: the scribe is a volunteer whom the whole table agreed to; then there is no author.
    """

    id: int
    number: int
    link_version: int
    seats: tuple[SeatRow, ...]
    scribe_by: str = ""
    scribe_at: datetime | None = None
    scribe_agreed: bool = False

    @property
    def scribe(self) -> SeatRow | None:
        """The scribe of the table; None until the organiser names one, if the ruleset asks for that."""
        return next((seat for seat in self.seats if seat.is_scribe), None)

    @property
    def start_numbers(self) -> tuple[int, ...]:
        return tuple(seat.start_number for seat in self.seats)


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round with its seating. `attempt` is None for an imported round whose draw is not on record."""

    number: int
    state: str
    drawn_at: datetime
    released_at: datetime | None
    released_reason: str
    started_at: datetime | None
    closed_at: datetime | None
    closed_reason: str
    attempt: DrawAttempt | None
    abandoned: tuple[DrawAttempt, ...]
    tables: tuple[TableRow, ...]

    @property
    def is_draft(self) -> bool:
        return self.state == Round.State.DRAWN

    @property
    def is_released(self) -> bool:
        return self.state == Round.State.RELEASED

    @property
    def is_closed(self) -> bool:
        return self.state == Round.State.CLOSED

    @property
    def is_changed_by_hand(self) -> bool:
        return bool(self.changes)

    @property
    def steps(self) -> list[Step]:
        """The changes by hand and their revocations, in order."""
        return steps_of(self.attempt) if self.attempt else []

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes by hand that were not revoked."""
        return standing(self.steps)

    @property
    def last_change(self) -> list[SeatChange]:
        """The latest changes that were made together and not revoked; empty if there are none."""
        stand: list[SeatChange] = []
        for change, step in zip(self.attempt.changes.all() if self.attempt else (), self.steps, strict=True):
            if isinstance(step, TakenBack):
                del stand[-step.changes :]
            else:
                stand.append(change)
        return [change for change in stand if (change.at, change.by) == (stand[-1].at, stand[-1].by)]

    @property
    def seating(self) -> Tables:
        """The start numbers at each table, by table number; a table that all have left is empty."""
        laid = {table.number: table.start_numbers for table in self.tables}
        return tuple(laid.get(number, ()) for number in range(1, max(laid, default=0) + 1))

    @property
    def seats(self) -> Iterable[SeatRow]:
        return (seat for table in self.tables for seat in table.seats)


def round_with_seating(tournament: Tournament, number: int) -> RoundRow | None:
    """Return a round; None if it is not drawn."""
    return next(iter(rounds_with_seating(tournament, numbers=[number])), None)


def rounds_with_seating(
    tournament: Tournament, numbers: Sequence[int] | None = None, *, table: int | None = None
) -> list[RoundRow]:
    """Return the rounds of a tournament, or those numbered `numbers`, in order. Four queries in all.

    table: the only one to read of each round.
    """
    rounds = tournament.rounds.order_by("number")
    if numbers is not None:
        rounds = rounds.filter(number__in=numbers)
    attempts = Prefetch("attempts", DrawAttempt.objects.select_related("commitment"))
    rounds_read = list(rounds.prefetch_related(attempts, "attempts__changes"))
    tables = Table.objects.filter(round__in=[played.pk for played in rounds_read])
    if table is not None:
        tables = tables.filter(number=table)
    laid = _tables_by_round(tables, seat_1_writes=tournament.rules.scribe == "seat_1")
    return [_round_row(played, laid.get(played.pk, ())) for played in rounds_read]


def names_of(tournament: Tournament) -> dict[int, str]:
    """Return the names of all participants by start number, seated or not. One query."""
    return dict(tournament.participants.values_list("start_number", "name"))


def towns_of(tournament: Tournament) -> dict[int, str]:
    """Return the towns of all participants by start number, "" where it is not known. One query."""
    return dict(tournament.participants.values_list("start_number", "town"))


def public_names_of(tournament: Tournament) -> dict[int, str]:
    """Return the public names by start number: by the player's own choice, else the tournament's. One query."""
    people = tournament.participants.values_list("start_number", "name", "names")
    return {player: public_name(name, player, wish or tournament.names) for player, name, wish in people}


def steps_of(attempt: DrawAttempt) -> list[Step]:
    """Return the recorded changes, in order."""
    return [change_from_dict(change.data) for change in attempt.changes.all()]


def report_of(tournament: Tournament, row: RoundRow) -> DrawReport:
    """Return the report of a drawn round: repeats and reasons, sizes and scribes so far, changes, wishes."""
    earlier = [other.seating for other in rounds_with_seating(tournament) if other.number < row.number]
    wishes = row.attempt.wishes if row.attempt else []
    return report(row.seating, earlier, changes=row.changes, wishes=[wish_from_dict(wish) for wish in wishes])


_OF_ROUND = (
    *("number", "state", "drawn_at", "released_at", "released_reason"),
    *("started_at", "closed_at", "closed_reason"),
)


def _tell_apart(tables: Sequence[TableRow]) -> list[TableRow]:
    alike = namesakes(seat.name for table in tables for seat in table.seats)
    if not alike:
        return list(tables)
    return [
        replace(table, seats=tuple(replace(seat, has_namesake=seat.name in alike) for seat in table.seats))
        for table in tables
    ]


def _round_row(played: Round, tables: Sequence[TableRow]) -> RoundRow:
    attempts = list(played.attempts.all())
    return RoundRow(
        **{column: getattr(played, column) for column in _OF_ROUND},
        attempt=next((attempt for attempt in attempts if attempt.abandoned_at is None), None),
        abandoned=tuple(attempt for attempt in attempts if attempt.abandoned_at is not None),
        tables=tuple(_tell_apart(tables)),
    )


_OF_TABLE = ("id", "number", "link_version", "scribe_by", "scribe_at", "scribe_agreed")
_OF_PARTICIPANT = ("start_number", "name", "club", "names", "town")
_COLUMNS = (
    *("round_id", "scribe_id", *_OF_TABLE, "seats__participant_id", "seats__seat_number"),
    *(f"seats__participant__{column}" for column in _OF_PARTICIPANT),
)


def _tables_by_round(tables: QuerySet[Table], *, seat_1_writes: bool) -> dict[int, list[TableRow]]:
    """Return the tables with their seats by the id of their round, in order. One query; a table without seats is one row."""
    by_round: dict[int, list[TableRow]] = {}
    seats: Iterable[Any] = tables.order_by("number", "id", "seats__seat_number").values_list(
        *_COLUMNS, named=True
    )
    for _id, grouped in groupby(seats, lambda row: row.id):
        rows = list(grouped)
        table = TableRow(
            **{column: getattr(rows[0], column) for column in _OF_TABLE},
            seats=tuple(
                _seat_row(row, seat_1_writes=seat_1_writes) for row in rows if row.seats__participant_id
            ),
        )
        by_round.setdefault(rows[0].round_id, []).append(table)
    return by_round


def _seat_row(row: Any, *, seat_1_writes: bool) -> SeatRow:
    return SeatRow(
        row.seats__seat_number,
        row.seats__participant__start_number,
        row.seats__participant__name,
        row.seats__participant__club,
        row.number,
        is_scribe=is_scribe(
            row.scribe_id, row.seats__participant_id, row.seats__seat_number, seat_1_writes=seat_1_writes
        ),
        names=row.seats__participant__names,
        town=row.seats__participant__town,
    )


def is_scribe(named_id: int | None, participant_id: int, seat_number: int, *, seat_1_writes: bool) -> bool:
    """Whether the participant is the scribe: the one named, else seat 1 if the ruleset says so."""
    if named_id is not None:
        return participant_id == named_id
    return seat_1_writes and seat_number == 1
