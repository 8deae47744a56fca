"""Replays every draw of an exported document: the record of an attempt plus the changes made by hand must give
the tables that the document shows. Needs the document only, no database."""

from dataclasses import dataclass
from datetime import UTC, datetime

from tournaments.core.draw import apply_changes, change_from_dict, draw
from tournaments.core.reader import DocumentError, Reader, parse
from tournaments.core.refusal import Refusal
from tournaments.documents import ReadAttempt, check_schema, read_participants, read_rounds, read_tournament

_SOME_TIME = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Verified:
    """A round's draw that was replayed. attempts: how many, the abandoned ones included; 0: none on record."""

    round_number: int
    attempts: int
    changes: int


def verify_draws(text: str) -> list[Verified]:
    """Raises DocumentError naming the first place where the document and its draws disagree."""
    reader = parse(text)
    fields = reader.fields(("schema", "tournament", "participants", "rounds"), ("decisions",))
    check_schema(fields)
    tournament = read_tournament(fields["tournament"], at=_SOME_TIME)
    people = read_participants(fields["participants"], tournament, at=_SOME_TIME)
    numbers = {person.participant.start_number for person in people}
    verified = []
    for found in read_rounds(fields["rounds"], tournament, numbers, at=_SOME_TIME):
        shown = {table.number: tuple(table.seats.values()) for table in found.tables}
        place = found.reader.key("draw")
        for read in found.attempts:
            tables = _replayed(read, place)
            if read.attempt.abandoned_at is None and shown != dict(enumerate(tables, start=1)):
                raise _disagreement(found.reader.key("tables"), shown, tables)
        changes = sum(len(read.changes) for read in found.attempts)
        verified.append(Verified(found.round.number, len(found.attempts), changes))
    return verified


def _replayed(read: ReadAttempt, place: Reader) -> tuple[tuple[int, ...], ...]:
    attempt = read.attempt
    try:
        drawn = draw(
            version=attempt.version,
            mode=attempt.mode,
            seed=attempt.seed,
            players=attempt.players,
            sizes=attempt.sizes,
        )
        return apply_changes(drawn, [change_from_dict(change.data) for change in read.changes])
    except Refusal as refusal:
        raise DocumentError(place.path, refusal) from None


def _disagreement(
    tables: Reader, shown: dict[int, tuple[int, ...]], drawn: tuple[tuple[int, ...], ...]
) -> DocumentError:
    """The first table that differs from what was drawn."""
    for item in tables.items():
        number = item.value["number"]
        if number > len(drawn) or shown[number] != drawn[number - 1]:
            return item.error("draw_does_not_match", table=number)
    return tables.error("draw_does_not_match", table=len(shown) + 1)
