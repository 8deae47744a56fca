"""Verification of the draws and lots of an exported document.

Every draw is replayed: the record of an attempt plus the changes made by hand must give the tables of the document.
Every lot between tied players is drawn again. Only the document is needed, no database.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from tournaments.core.document_reader import DocumentError, Reader, parse
from tournaments.core.draw import RANDOM, Tables, apply_changes, change_from_dict
from tournaments.core.refusal import Refusal
from tournaments.document_import import (
    ReadAttempt,
    ReadRound,
    check_schema,
    read_lot,
    read_participants,
    read_rounds,
    read_tournament,
)
from tournaments.documents import DOCUMENT_KEYS, MORE_DOCUMENT_KEYS

_SOME_TIME = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Verified:
    """The verified draw of a round. attempts: their number, abandoned ones included; 0 if no draw is on record."""

    round_number: int
    attempts: int
    changes: int


def verify_draws(text: str) -> list[Verified]:
    """Replay the draws of all rounds. Raises DocumentError with the path of the first contradiction."""
    reader = parse(text)
    fields = reader.fields(DOCUMENT_KEYS, MORE_DOCUMENT_KEYS)
    check_schema(fields)
    tournament = read_tournament(fields["tournament"], at=_SOME_TIME)
    people = read_participants(fields["participants"], tournament, at=_SOME_TIME)
    numbers = {person.participant.start_number for person in people}
    ahead = tournament.rules.drawn_ahead
    verified: list[Verified] = []
    past: list[list[Tables]] = []
    for found in read_rounds(fields["rounds"], tournament, numbers, at=_SOME_TIME):
        seatings = [_laid(found.seating)]
        for read in found.attempts:
            _check_history(read, past)
            replayed = _replayed(read)
            if read.attempt.abandoned_at is None:
                _check_tables(found, replayed[-1])
            seatings += map(_laid, replayed) if ahead else []
        past.append(seatings)
        changes = sum(len(read.changes) for read in found.attempts)
        verified.append(Verified(found.round.number, len(found.attempts), changes))
    return verified


def verify_lots(text: str) -> int:
    """Draw every lot again and return their number. Raises DocumentError with the path of the first contradiction."""
    decisions = parse(text).key("decisions")
    return sum(bool(read_lot(item)) for item in decisions.items()) if not decisions.is_null else 0


def _replayed(read: ReadAttempt) -> list[Tables]:
    """Return the tables as drawn, and after each of the changes."""
    try:
        drawn = read.attempt.drawn()
        steps = [change_from_dict(change.data) for change in read.changes]
        seatings = [apply_changes(drawn, steps[:made]) for made in range(len(steps) + 1)]
    except Refusal as refusal:
        raise DocumentError(read.reader.path, refusal) from None
    return seatings


def _check_history(read: ReadAttempt, past: list[list[Tables]]) -> None:
    """Check that the draw used the earlier rounds as they were played.

    If rounds are drawn ahead, an earlier round may be in any state that it has had: as drawn or after any change.
    """
    history = read.attempt.history
    place = read.reader.key("history")
    if read.attempt.mode == RANDOM and not history:
        return
    if len(history) != len(past):
        raise place.error("draw_history_does_not_match", round=min(len(history), len(past)) + 1)
    for index, (tables, seatings) in enumerate(zip(history, past, strict=True)):
        if _laid(tables) not in seatings:
            path = Reader(tables, f"{place.path}[{index}]")
            raise path.error("draw_history_does_not_match", round=index + 1)


def _check_tables(found: ReadRound, drawn: Tables) -> None:
    """Check that the document's tables are those drawn. Tables without players are omitted."""
    shown = {table.number: tuple(table.seats.values()) for table in found.tables}
    laid = {number: table for number, table in enumerate(drawn, start=1) if table}
    tables = found.reader.key("tables")
    for item in tables.items():
        number = item.value["number"]
        if shown[number] != laid.get(number):
            raise item.error("draw_does_not_match", table=number)
    for number in laid.keys() - shown.keys():
        raise tables.error("draw_does_not_match", table=number)


def _laid(tables: Iterable[Sequence[int]]) -> Tables:
    return tuple(tuple(table) for table in tables if table)
