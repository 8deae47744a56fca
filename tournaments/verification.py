"""Verification of the draws and lots of an exported document.

Every draw is replayed: the record of an attempt plus the changes made by hand must give the tables of the document. Each seed with a
commitment must follow from it and from the words of the hall.
Every lot between tied players is drawn again. Only the document is needed, no database.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from tournaments.core.document_reader import DocumentError, Fields, Reader
from tournaments.core.draw import RANDOM, Tables, apply_changes, change_from_dict
from tournaments.core.refusal import Refusal
from tournaments.documents.commitments import (
    Commitments,
    link_draws,
    lot_commitment,
    read_commitments,
    read_lot,
)
from tournaments.documents.fields import parts_of, read_numbers
from tournaments.documents.people import read_participants, read_tournament
from tournaments.documents.rounds import ReadAttempt, ReadRound, read_rounds
from tournaments.documents.schema import read_document
from tournaments.models import Tournament
from tournaments.queries.draw_digests import digest_of_attempts

SOME_TIME = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Verified:
    """The verified draw of a round. attempts: their number, abandoned ones included; 0 if no draw is on record."""

    round_number: int
    attempts: int
    changes: int


@dataclass(frozen=True, slots=True)
class DocumentOfDraws:
    """The tournament and the rounds of a document. fields: of the whole."""

    fields: Fields
    tournament: Tournament
    rounds: list[ReadRound]


def read_draws(text: str) -> DocumentOfDraws:
    """Read the tournament and the rounds of a document, each attempt with its commitment. Raises DocumentError."""
    document = _read(text)
    link_draws(document.rounds, read_commitments(document.fields, document.tournament, at=SOME_TIME))
    return document


def digest_of_draw(read_round: ReadRound) -> str | None:
    """Return the digest of the draw of a round, None without one."""
    attempts = sorted(read_round.attempts, key=lambda read: read.attempt.attempt)
    return digest_of_attempts((read.attempt, read.changes) for read in attempts)


def _read(text: str) -> DocumentOfDraws:
    fields = read_document(text)
    tournament = read_tournament(fields["tournament"], at=SOME_TIME)
    people, _payments, _changes = read_participants(fields["participants"], tournament, at=SOME_TIME)
    rounds = read_rounds(fields["rounds"], tournament, people, at=SOME_TIME)
    return DocumentOfDraws(fields, tournament, rounds)


def verify_draws(text: str) -> list[Verified]:
    """Replay the draws of all rounds. Raises DocumentError with the path of the first contradiction."""
    document = _read(text)
    ahead = document.tournament.rules.drawn_ahead
    verified: list[Verified] = []
    past: list[list[Tables]] = []
    for read_round in document.rounds:
        seatings = [_laid(read_round.seating)]
        for read in read_round.attempts:
            _check_history(read, past)
            replayed = _replayed(read)
            if read.attempt.abandoned_at is None:
                _check_tables(read_round, replayed[-1])
            seatings += map(_laid, replayed) if ahead else []
        past.append(seatings)
        changes = sum(len(read.changes) for read in read_round.attempts)
        verified.append(Verified(read_round.round.number, len(read_round.attempts), changes))
    link_draws(document.rounds, read_commitments(document.fields, document.tournament, at=SOME_TIME))
    return verified


def verify_lots(text: str) -> int:
    """Draw every lot again and return their number. Raises DocumentError with the path of the first contradiction."""
    fields = read_document(text)
    tournament = read_tournament(fields["tournament"], at=SOME_TIME)
    commitments = read_commitments(fields, tournament, at=SOME_TIME)
    return sum(_is_lot(item, commitments) for item in parts_of(fields.reader, "decisions"))


def _is_lot(decision: Reader, commitments: Commitments) -> bool:
    """Whether a decision is a lot that the program drew, after drawing it again."""
    seed = read_lot(decision)
    if seed:
        order = read_numbers(decision.key("order"))
        lot_commitment(decision.key("commitment"), order, seed, commitments)
    return bool(seed)


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


def _check_tables(read_round: ReadRound, drawn: Tables) -> None:
    """Check that the document's tables are those drawn. Tables without players are omitted."""
    seated = {table.number: tuple(table.seats.values()) for table in read_round.tables}
    laid = {number: table for number, table in enumerate(drawn, start=1) if table}
    tables = read_round.reader.key("tables")
    for item in tables.items():
        number = item.value["number"]
        if seated[number] != laid.get(number):
            raise item.error("draw_does_not_match", table=number)
    for number in laid.keys() - seated.keys():
        raise tables.error("draw_does_not_match", table=number)


def _laid(tables: Iterable[Sequence[int]]) -> Tables:
    return tuple(tuple(table) for table in tables if table)
