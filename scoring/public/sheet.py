"""The public sheet of a table, readable once it is accepted and released.

While the standings are frozen it is the sheet at the moment of the freeze: the log is append-only, so its
beginning does not change. Names are the public ones. Free text, objections and confirmations are left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scoring.core import sheet as core
from scoring.core.marks import mark_of
from scoring.core.sheet_kind import SeatScore
from scoring.models import SheetEntry
from scoring.queries.sheet_page import EntryLine, entry_lines
from scoring.queries.standings import freeze_in_force, released_entries
from scoring.sheet_log import entry_of
from tournaments.core.names import namesakes, public_name
from tournaments.models import Round, Seat, Tournament
from tournaments.queries.publicity import tournament_by_slug

_BETWEEN_PERSONS = ("confirmed", "objected")


@dataclass(frozen=True, slots=True)
class SheetPlayer:
    """A player at the table. name: with the start number if two at the table have the same name."""

    seat_number: int
    start_number: int
    name: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class PublicSheet:
    """A table with its players. scores, lines: best rank and last line first; mark: of the entries shown; empty until readable.

    is_held_back: the standings are frozen, so there may be more than is shown.
    """

    tournament: Tournament
    round_number: int
    table_number: int
    seats: tuple[SheetPlayer, ...]
    is_held_back: bool
    scores: tuple[tuple[SheetPlayer, SeatScore], ...] = ()
    lines: tuple[EntryLine, ...] = ()
    mark: str = ""

    @property
    def is_readable(self) -> bool:
        return bool(self.scores)

    @property
    def counts_strokes(self) -> bool:
        return self.tournament.rules.sheet.counts_strokes

    @property
    def is_corrected(self) -> bool:
        """Whether any entry was voided or corrected."""
        return any(line.voided or line.corrected_to for line in self.lines)


def public_sheet(slug: str, round_number: int, table_number: int) -> PublicSheet | None:
    """Return the sheet of a table of a released round; None if there is none.

    Four queries. Raises Tournament.DoesNotExist. The entries are read before the limit of visible ones, so
    that a freeze in between withholds them.
    """
    tournament = tournament_by_slug(slug)
    place = {"round__number": round_number, "number": table_number}
    written = {f"sheet__table__{name}": value for name, value in place.items()}
    rows = list(SheetEntry.objects.filter(tournament=tournament, **written).order_by("sequence"))
    most = _last_released(tournament, round_number, table_number)
    seats = _seats(tournament, round_number, table_number)
    if not seats:
        return None
    sheet = PublicSheet(tournament, round_number, table_number, seats, is_held_back=most is not None)
    return _opened(sheet, [row for row in rows if most is None or row.sequence <= most])


def _last_released(tournament: Tournament, round_number: int, table_number: int) -> int | None:
    """Return the sequence of the last entry that is public; None: all are, 0: none is."""
    freeze = freeze_in_force(tournament)
    return None if freeze is None else released_entries(freeze).get((round_number, table_number), 0)


def _seats(tournament: Tournament, round_number: int, table_number: int) -> tuple[SheetPlayer, ...]:
    seats = Seat.objects.filter(
        tournament=tournament, round__number=round_number, table__number=table_number
    ).exclude(round__state=Round.State.DRAWN)
    columns = ("seat_number", "participant__start_number", "participant__name", "participant__names")
    players = [
        (seat, number, public_name(name, number, wish or tournament.names), wish or tournament.names)
        for seat, number, name, wish in seats.order_by("seat_number").values_list(*columns)
    ]
    alike = namesakes(name for _seat, _number, name, _names in players)
    return tuple(
        SheetPlayer(
            seat,
            number,
            f"{name} ({number})" if name in alike else name,
            is_number=names == Tournament.Names.NUMBER,
        )
        for seat, number, name, names in players
    )


def _opened(sheet: PublicSheet, rows: Sequence[SheetEntry]) -> PublicSheet:
    """Return the sheet with these entries, if they accept it."""
    by_seat = {seat.seat_number: seat for seat in sheet.seats}
    log = core.replay(sheet.tournament.rules, tuple(by_seat), [entry_of(row) for row in rows])
    if log.phase != "accepted":
        return sheet
    scores = sorted(log.results, key=lambda score: (score.rank or len(by_seat) + 1, score.seat_number))
    return replace(
        sheet,
        scores=tuple((by_seat[score.seat_number], score) for score in scores),
        lines=tuple(_public(entry_lines(rows, log, by_seat))),
        mark=mark_of(rows[-1].digest),
    )


def _public(lines: Sequence[EntryLine]) -> Iterable[EntryLine]:
    """Return the lines without confirmations, objections and their revocations; the last line first."""
    private = {line.number for line in lines if line.kind in _BETWEEN_PERSONS}
    return (line for line in reversed(lines) if not private & {line.number, line.target})
