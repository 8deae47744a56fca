"""Rounds, tables, seats and draws in the document."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from tournaments.core.document_reader import LARGEST_TABLE_NUMBER, DocumentError, Reader
from tournaments.core.draw import DRAW_VERSION, RANDOM, change_from_dict, is_seed
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import possible_sizes
from tournaments.documents.fields import (
    IMPORT_TIME,
    NEEDED,
    Field,
    FieldTable,
    parts_of,
    read_numbers,
    read_object,
)
from tournaments.documents.people import People, read_wishes
from tournaments.models import DrawAttempt, Round, Seat, SeatChange, Table, Tournament
from tournaments.queries.seating import RoundRow
from tournaments.rulesets.schema import Ruleset

_History = list[list[list[int]]]


@dataclass(frozen=True, slots=True)
class ReadAttempt:
    attempt: DrawAttempt
    changes: tuple[SeatChange, ...]
    reader: Reader


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table as read. seats: seat number -> start number. scribe: columns of a named scribe. reader: for the sheet's entries."""

    number: int
    seats: dict[int, int]
    reader: Reader
    scribe: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReadRound:
    round: Round
    attempts: tuple[ReadAttempt, ...]
    tables: tuple[ReadTable, ...]
    reader: Reader

    @property
    def seating(self) -> list[list[int]]:
        """The tables by number, each as start numbers in seat order."""
        return [list(table.seats.values()) for table in sorted(self.tables, key=lambda table: table.number)]


def read_seed(reader: Reader) -> str:
    """Return a seed, in lower case."""
    if not isinstance(reader.value, str) or not is_seed(reader.value):
        raise reader.error("seed_bad")
    return reader.value.lower()


def _read_history(reader: Reader) -> _History:
    return [[read_numbers(table) for table in tables.items()] for tables in reader.items()]


ROUNDS = FieldTable(
    Round,
    Field("number", least=1),
    Field("state", default=NEEDED),
    Field("drawn_at", default=IMPORT_TIME),
    "released_at",
    Field("released_reason", required=True, or_null=True),
    "started_at",
    "closed_at",
    Field("closed_reason", required=True, or_null=True),
    "draw",
    Field("tables", default=NEEDED),
    "commitments",
)
TABLES = FieldTable(
    Table,
    Field("number", least=1, most=LARGEST_TABLE_NUMBER),
    Field("seats", default=NEEDED),
    "scribe",
    "digest",
    "entries",
    "parked",
)
SEATS = FieldTable(Seat, Field("seat_number", least=1), Field("start_number", "participant"))
SCRIBES = FieldTable(
    Table,
    Field("seat_number", "scribe", default=NEEDED, write=lambda seat: seat.seat_number),
    Field("by", "scribe_by"),
    Field("at", "scribe_at", default=IMPORT_TIME),
    Field("agreed", "scribe_agreed"),
)
_OF_ATTEMPT = (
    Field("version", default=DRAW_VERSION, least=1),
    Field("mode", required=True),
    Field("seed", read=read_seed),
    Field("attempt", least=1),
    Field("commitment", write=lambda commitment: commitment.number if commitment else None),
    Field("players", read=read_numbers),
    Field("sizes", default=list, read=read_numbers),
    Field("history", read=_read_history),
    Field("wishes", read=read_wishes),
    Field("changes", default=NEEDED),
    Field("reason", required=True, or_null=True),
    Field("made_at", default=IMPORT_TIME),
    Field("by", default=""),
    "abandoned",
    "abandoned_because",
)
ATTEMPTS = FieldTable(DrawAttempt, *_OF_ATTEMPT)
ABANDONED = FieldTable(DrawAttempt, *_OF_ATTEMPT, Field("abandoned_at", default=NEEDED))
SEAT_CHANGES = FieldTable(
    SeatChange, Field("reason", default=""), Field("by", default=""), Field("at", default=IMPORT_TIME)
)
"""The keys of `data` are added to them."""


# --- writing -------------------------------------------------------------------------------------------------------


def round_document(row: RoundRow) -> dict[str, Any]:
    """Return the document of a round with draw and seating. The callers in scoring add the entries of the sheets."""
    tables = [
        TABLES.write(
            table,
            seats=[
                {"seat_number": seat.seat_number, "start_number": seat.start_number} for seat in table.seats
            ],
            scribe=SCRIBES.write(table) if table.scribe and table.scribe_at else None,
        )
        for table in row.tables
    ]
    return ROUNDS.write(row, draw=draw_document(row), tables=tables)


def draw_document(row: RoundRow) -> dict[str, Any] | None:
    """Return the attempt in force with the abandoned ones; None if an imported round has no draw on record."""
    if row.attempt is None:
        return None
    abandoned = [ABANDONED.write(attempt, changes=_changes(attempt)) for attempt in row.abandoned]
    return ATTEMPTS.write(row.attempt, changes=_changes(row.attempt), abandoned=abandoned)


def _changes(attempt: DrawAttempt) -> list[dict[str, Any]]:
    return [change.data | SEAT_CHANGES.write(change) for change in attempt.changes.all()]


def public_round_document(row: RoundRow) -> dict[str, Any]:
    """Return the public document of a released round: without free text, accounts and private wishes."""
    document: dict[str, Any] = _without(
        ("released_reason", "closed_reason", "reason", "by", "agreed"), round_document(row)
    )
    draw = document["draw"]
    for attempt in [draw, *draw["abandoned"]] if draw else []:
        _hide_private_wishes(attempt)
    return document


def _without(keys: Collection[str], value: Any) -> Any:
    """Return a copy of a JSON value without these keys, at any depth."""
    if isinstance(value, dict):
        return {key: _without(keys, inner) for key, inner in value.items() if key not in keys}
    return [_without(keys, inner) for inner in value] if isinstance(value, list) else value


def _hide_private_wishes(attempt: dict[str, Any]) -> None:
    """Replace the private wishes of an attempt by their number.

    The seed goes with them: a reader could replay the draw with every possible wish until the tables match.
    """
    public = [wish for wish in attempt["wishes"] if not wish.get("private")]
    if hidden := len(attempt["wishes"]) - len(public):
        attempt.update(wishes=public, private_wishes=hidden, seed=None)


# --- reading -------------------------------------------------------------------------------------------------------


def read_rounds(reader: Reader, tournament: Tournament, people: People, *, at: datetime) -> list[ReadRound]:
    """Return the rounds, unsaved, and check their order.

    They must be numbered from 1, and all but the last must be closed. If rounds are drawn ahead, this holds only for
    the rounds before a released or closed one.
    """
    rules = tournament.rules
    rounds: list[ReadRound] = []
    for item in reader.items():
        history = [earlier.seating for earlier in rounds]
        rounds.append(_read_round(item, tournament, people, history, at))
    for expected, read_round in enumerate(rounds, start=1):
        if read_round.round.number != expected:
            raise read_round.reader.key("number").error("document_round_out_of_order", expected=expected)
        if expected > rules.most_rounds:
            raise read_round.reader.key("number").error("all_rounds_drawn", rounds=rules.most_rounds)
    for read_round, later in pairwise(rounds):
        may_be_open = rules.drawn_ahead and later.round.state == Round.State.DRAWN
        if read_round.round.state != Round.State.CLOSED and not may_be_open:
            raise read_round.reader.key("state").error("previous_round_open", round=read_round.round.number)
    return rounds


def _read_round(
    reader: Reader, tournament: Tournament, people: People, history: _History, at: datetime
) -> ReadRound:
    new_round = ROUNDS.read(reader, at=at, tournament=tournament)
    is_released = new_round.state != Round.State.DRAWN
    new_round.released_at = (new_round.released_at or at) if is_released else None
    new_round.started_at = _start_of(new_round, reader, tournament) if is_released else None
    new_round.closed_at = (new_round.closed_at or at) if new_round.state == Round.State.CLOSED else None
    tables = tuple(_read_tables(reader.key("tables"), tournament.rules, people, at))
    draw = reader.key("draw")
    attempts = () if draw.is_null else tuple(_read_draw(draw, new_round, tables, history, at))
    return ReadRound(new_round, attempts, tables, reader)


def _start_of(new_round: Round, reader: Reader, tournament: Tournament) -> datetime | None:
    """Return the sign to start; if the document does not speak of one and the rules ask for it, the release."""
    is_unsaid = "started_at" not in reader.value and tournament.rules.starts_at_sign
    return new_round.released_at if is_unsaid else new_round.started_at


def _read_tables(reader: Reader, rules: Ruleset, people: People, at: datetime) -> Iterable[ReadTable]:
    numbers: set[int] = set()
    seated: set[int] = set()
    for item in reader.items():
        number = TABLES.read(item, at=at).number
        if number in numbers:
            raise item.key("number").error("document_number_twice", number=number)
        numbers.add(number)
        seats = _read_seats(item.key("seats"), rules, people, seated, at)
        scribe = item.key("scribe")
        named = {} if scribe.is_null else _read_scribe(scribe, rules, seats, people, at)
        yield ReadTable(number, seats, item, named)


def _read_scribe(
    reader: Reader, rules: Ruleset, seats: Mapping[int, int], people: People, at: datetime
) -> dict[str, Any]:
    """Return the columns of a named scribe."""
    columns = SCRIBES.columns(reader, at=at)
    seat = reader.key("seat_number").whole(least=1)
    if not rules.names_scribes:
        raise reader.error("scribe_is_seat_1")
    if seat not in seats:
        raise reader.key("seat_number").error("not_at_this_table", seat=seat)
    return {"scribe": people[seats[seat]], **columns}


def _read_seats(
    reader: Reader, rules: Ruleset, people: People, seated: set[int], at: datetime
) -> dict[int, int]:
    """Return seat number -> start number of one table, and add the players to `seated`.

    The seats must be 1 to k, for a possible table size k; each player must be registered and have one seat a round.
    """
    seats: dict[int, int] = {}
    for item in reader.items():
        seat = SEATS.read(item, at=at).seat_number
        number = item.key("start_number")
        player = number.whole(least=1)
        if seat in seats:
            raise item.key("seat_number").error("document_number_twice", number=seat)
        if player not in people:
            raise number.error("unknown_participant", start_number=player)
        if player in seated:
            raise number.error("player_twice", start_number=player)
        seats[seat] = player
        seated.add(player)
    if sorted(seats) != list(range(1, len(seats) + 1)):
        raise reader.error("document_seats_bad")
    possible = possible_sizes(rules.tables, rules.qualifying)
    if len(seats) not in possible:
        raise reader.error("document_table_size", seats=len(seats), least=possible[0], most=possible[-1])
    return dict(sorted(seats.items()))


def _read_draw(
    reader: Reader, drawn: Round, tables: tuple[ReadTable, ...], history: _History, at: datetime
) -> Iterable[ReadAttempt]:
    sizes = [len(table.seats) for table in sorted(tables, key=lambda table: table.number)]
    numbers = set()
    in_force = _read_attempt(reader, ATTEMPTS, drawn, sizes, history, at)
    earlier = [
        _read_attempt(item, ABANDONED, drawn, sizes, history, at) for item in parts_of(reader, "abandoned")
    ]
    for read in (*earlier, in_force):
        if read.attempt.attempt in numbers:
            raise read.reader.key("attempt").error("document_number_twice", number=read.attempt.attempt)
        numbers.add(read.attempt.attempt)
        yield read


def _read_attempt(
    reader: Reader,
    table: FieldTable[DrawAttempt],
    new_round: Round,
    sizes: list[int],
    history: _History,
    at: datetime,
) -> ReadAttempt:
    """Return an attempt, unsaved. Missing sizes are taken from the tables, missing history from the earlier rounds."""
    attempt = table.read(reader, at=at, round=new_round)
    if reader.key("sizes").is_null:
        attempt.sizes = sizes
    if reader.key("history").is_null and attempt.mode != RANDOM:
        attempt.history = history
    changes = enumerate(reader.key("changes").items(), start=1)
    made = tuple(_read_change(item, attempt, sequence, at) for sequence, item in changes)
    return ReadAttempt(attempt, made, reader)


def _read_change(reader: Reader, attempt: DrawAttempt, sequence: int, at: datetime) -> SeatChange:
    keys = SEAT_CHANGES.keys
    value = read_object(reader)
    try:
        data = change_from_dict({key: value[key] for key in value if key not in keys}).to_dict()
    except Refusal as refusal:
        raise DocumentError(reader.path, refusal) from None
    rest = Reader({key: value[key] for key in value if key in keys}, reader.path)
    return SEAT_CHANGES.read(rest, at=at, attempt=attempt, sequence=sequence, data=data)
