"""Page model of the organiser's pictures: the length of the rounds by table, strokes by round, who has met whom."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.db.models import Min, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from scoring.models import SeatResult, SheetEntry
from scoring.pictures.meetings import Matrix, matrix
from scoring.pictures.shapes import Bar, bars
from tournaments.models import Round, Seat, Table, Tournament


@dataclass(frozen=True, slots=True)
class TableLength:
    """A table with the minutes from the start of the round to the first hand-in of its sheet; to now, if it still plays."""

    number: int
    minutes: int
    is_running: bool
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class RoundLength:
    """A round with its tables, the slowest first. middle: the median in minutes."""

    number: int
    middle: int
    tables: tuple[TableLength, ...]


@dataclass(frozen=True, slots=True)
class RoundStrokes:
    number: int
    strokes: int
    tables: int
    bar: Bar | None

    @property
    def a_table(self) -> float:
        return self.strokes / self.tables


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A player, how many others they have met, and those met more than once, with how often."""

    start_number: int
    name: str
    met: int
    again: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class EveningPictures:
    """The organiser's pictures. lengths: the latest round first; strokes: empty where none are counted."""

    lengths: tuple[RoundLength, ...]
    strokes: tuple[RoundStrokes, ...]
    matrix: Matrix | None
    people: tuple[Acquaintance, ...]

    @property
    def are_there(self) -> bool:
        return self.matrix is not None


def evening_pictures(tournament: Tournament, *, now: datetime) -> EveningPictures:
    """Return the page model. Two queries for any number of players."""
    tables = list(_tables(tournament))
    seated = list(
        Seat.objects.filter(tournament=tournament)
        .exclude(round__state=Round.State.DRAWN)
        .values_list("table_id", "participant__start_number", "participant__name")
    )
    by_table: defaultdict[int, list[int]] = defaultdict(list)
    for table, number, _name in seated:
        by_table[table].append(number)
    met = matrix(by_table.values())
    names = {number: name for _table, number, name in seated}
    counts = tournament.rules.sheet.counts_strokes
    return EveningPictures(
        lengths=_lengths(tables, now),
        strokes=_strokes(tables) if counts else (),
        matrix=met,
        people=_people(met, names) if met else (),
    )


def _tables(tournament: Tournament) -> Any:
    """Return the tables of released rounds: since when they play, when their sheet was first handed in, strokes."""
    handed_in = SheetEntry.objects.filter(sheet__table=OuterRef("pk"), kind__in=("submitted", "accepted"))
    results = SeatResult.objects.filter(sheet__table=OuterRef("pk"))
    first = handed_in.order_by().values("sheet__table").annotate(at=Min("recorded_at"))
    strokes = results.order_by().values("sheet__table").annotate(n=Sum("strokes"))
    return (
        Table.objects.filter(round__tournament=tournament)
        .exclude(round__state=Round.State.DRAWN)
        .annotate(
            since=Coalesce("round__started_at", "round__released_at"),
            done_at=Subquery(first.values("at")),
            strokes=Coalesce(Subquery(strokes.values("n")), 0),
        )
        .order_by("round__number", "number")
        .values_list("round__number", "round__state", "number", "since", "done_at", "strokes", named=True)
    )


def _lengths(tables: Sequence[Any], now: datetime) -> tuple[RoundLength, ...]:
    """Return the lengths. A table of a closed round whose sheet never came has none."""
    rounds: defaultdict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    for table in tables:
        is_running = table.done_at is None
        if is_running and table.round__state == Round.State.CLOSED:
            continue
        minutes = max(((table.done_at or now) - table.since) // timedelta(minutes=1), 0)
        rounds[table.round__number].append((table.number, minutes, is_running))
    return tuple(_length(number, rounds[number]) for number in sorted(rounds, reverse=True))


def _length(number: int, tables: Sequence[tuple[int, int, bool]]) -> RoundLength:
    slowest_first = sorted(tables, key=lambda table: (-table[1], table[0]))
    minutes = [table[1] for table in slowest_first]
    middle = median(minutes)
    drawn = bars(minutes, [middle] * len(minutes))
    rows = (TableLength(*table, bar) for table, bar in zip(slowest_first, drawn, strict=True))
    return RoundLength(number, round(middle), tuple(rows))


def _strokes(tables: Sequence[Any]) -> tuple[RoundStrokes, ...]:
    rounds: defaultdict[int, list[int]] = defaultdict(list)
    for table in tables:
        rounds[table.round__number].append(table.strokes)
    drawn = bars([sum(strokes) for strokes in rounds.values()])
    return tuple(
        RoundStrokes(number, sum(strokes), len(strokes), bar)
        for (number, strokes), bar in zip(rounds.items(), drawn, strict=True)
    )


def _people(met: Matrix, names: dict[int, str]) -> tuple[Acquaintance, ...]:
    others: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for first, second, times in met.pairs:
        others[first].append((second, times))
        others[second].append((first, times))
    return tuple(
        Acquaintance(
            number,
            names[number],
            len(others[number]),
            tuple((other, times) for other, times in others[number] if times > 1),
        )
        for number in met.numbers
    )
