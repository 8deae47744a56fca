"""Lossless export and import of a whole tournament as one document.

The document omits what belongs to this installation only: accounts, memberships, invitations, link versions, pens and
the holders of their epochs, phones, the time of import, and publication (the freeze, the last public day, the
place on the start page; an imported tournament is published). It also omits what is derived: results and states of sheets.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any
from uuid import UUID

from django.db import transaction

from scoring.core import sheet as core
from scoring.core.entries import Entry
from scoring.core.marks import next_digest
from scoring.core.prize_plan import read_plan
from scoring.mark_documents import mark_documents, store_marks
from scoring.models import Decision, EntryBody, ParkedEntry, Sheet, SheetEntry
from scoring.prize_documents import handout_documents, store_handouts
from scoring.services.sheets import project
from scoring.sheet_log import OpenSheet, empty_digest, with_text, without_text
from tournaments.commitment_documents import (
    Commitments,
    commitment_documents,
    link_draws,
    lot_commitment,
    read_commitments,
    read_lot,
)
from tournaments.core.document_reader import DocumentError, Fields, Reader, parse
from tournaments.core.refusal import Refusal
from tournaments.document_import import (
    ReadRound,
    ReadTable,
    check_ending,
    check_schema,
    read_participants,
    read_rounds,
    read_tournament,
    refuse_newer,
)
from tournaments.documents import (
    DOCUMENT_KEYS,
    MORE_DOCUMENT_KEYS,
    SCHEMA,
    moment,
    participant_documents,
    round_document,
    tournament_document,
)
from tournaments.models import (
    Commitment,
    Participant,
    Payment,
    PersonChange,
    Round,
    Seat,
    SeatChange,
    Table,
    Tournament,
)
from tournaments.money_documents import cash_documents, check_fees, desk_documents, store_desks
from tournaments.queries.seating import RoundRow, rounds_with_seating
from tournaments.services.rounds import lay_tables

ENTRY_KEYS = ("id", "kind", "data", "by", "made_at")
MORE_ENTRY_KEYS = ("initials", "author", "recorded_at", "pen_epoch")
PARKED_KEYS = ("id", "kind", "data", "made_at")
MORE_PARKED_KEYS = (
    "pen_epoch",
    "parked_at",
    "outcome",
    "decided_by",
    "decided_reason",
    "decided_at",
    "decided_initials",
)


# --- writing -------------------------------------------------------------------------------------------------------


def export_tournament(tournament: Tournament) -> dict[str, Any]:
    """Return the document of a tournament. It contains the seeds of unreleased draws: for organisers only."""
    entries = _by_table(
        SheetEntry.objects.filter(tournament=tournament).order_by("sequence"), _entry_document
    )
    digests = _last_digests(tournament)
    parked = _by_table(ParkedEntry.objects.filter(tournament=tournament).order_by("id"), _parked_document)
    return {
        "schema": SCHEMA,
        "tournament": tournament_document(tournament),
        "participants": participant_documents(tournament),
        "desks": desk_documents(tournament),
        "cash": cash_documents(tournament),
        "rounds": [_with_logs(row, entries, parked, digests) for row in rounds_with_seating(tournament)],
        "commitments": commitment_documents(tournament),
        "decisions": [
            _decision_document(decision)
            for decision in tournament.decisions.order_by("id").select_related("commitment")
        ],
        "prizes_given": handout_documents(tournament),
        "marks": mark_documents(tournament),
    }


def dump(document: dict[str, Any]) -> str:
    """Return the document as text. The same document always gives the same bytes."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _by_table(rows: Any, written: Callable[[Any], dict[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    tables: dict[int, list[dict[str, Any]]] = {}
    for row in rows.select_related("sheet"):
        tables.setdefault(row.sheet.table_id, []).append(written(row))
    return tables


def _last_digests(tournament: Tournament) -> dict[int, str]:
    """Return the digest of the last entry of each sheet, by the id of its table."""
    entries = SheetEntry.objects.filter(tournament=tournament).order_by("sheet__table_id", "-sequence")
    return dict(entries.distinct("sheet__table_id").values_list("sheet__table_id", "digest"))


def _with_logs(
    row: RoundRow,
    entries: dict[int, list[dict[str, Any]]],
    parked: dict[int, list[dict[str, Any]]],
    digests: dict[int, str],
) -> dict[str, Any]:
    document = round_document(row)
    for table, written in zip(row.tables, document["tables"], strict=True):
        written["digest"] = digests.get(table.id)
        written["entries"] = entries.get(table.id, [])
        written["parked"] = parked.get(table.id, [])
    return document


def _entry_document(row: SheetEntry) -> dict[str, Any]:
    return {
        "id": str(row.entry_id),
        "kind": row.kind,
        "data": _sorted(with_text(row)),
        "by": row.by,
        "made_at": moment(row.made_at),
        "initials": row.initials or None,
        "author": row.author or None,
        "recorded_at": moment(row.recorded_at),
        "pen_epoch": row.pen_epoch,
    }


def _parked_document(row: ParkedEntry) -> dict[str, Any]:
    return {
        "id": str(row.entry_id),
        "kind": row.kind,
        "data": _sorted(with_text(row)),
        "made_at": moment(row.made_at),
        "pen_epoch": row.pen_epoch,
        "parked_at": moment(row.parked_at),
        "outcome": row.outcome or None,
        "decided_by": row.decided_by or None,
        "decided_reason": row.decided_reason or None,
        "decided_at": moment(row.decided_at),
        "decided_initials": row.decided_initials or None,
    }


def _decision_document(decision: Decision) -> dict[str, Any]:
    return {
        "kind": decision.kind,
        "order": decision.order,
        "reason": decision.reason or None,
        "seed": decision.seed or None,
        "commitment": decision.commitment.number if decision.commitment else None,
        "by": decision.by,
        "at": moment(decision.at),
        "revoked_by": decision.revoked_by or None,
        "revoked_at": moment(decision.revoked_at),
    }


def _sorted(value: Any) -> Any:
    """Sort the keys of a JSON value, since the database does not keep their order."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


# --- reading -------------------------------------------------------------------------------------------------------


def import_tournament(text: str, *, at: datetime) -> Tournament:
    """Store the tournament of a document, all or nothing. Every entry is replayed and checked like a live one.

    Raises DocumentError with the JSON path of the first error.
    """
    reader = parse(text)
    refuse_newer(reader)
    fields = reader.fields(DOCUMENT_KEYS, MORE_DOCUMENT_KEYS)
    check_schema(fields)
    tournament = read_tournament(fields["tournament"], at=at)
    if tournament.prize_plan is not None:
        tournament.prize_plan = read_plan(fields["tournament"].key("prize_plan")).to_dict()
    with transaction.atomic():
        if Tournament.objects.filter(slug=tournament.slug).exists():
            raise fields["tournament"].key("slug").error("slug_taken", slug=tournament.slug)
        tournament.save()
        people = read_participants(fields["participants"], tournament, at=at)
        Participant.objects.bulk_create(person.participant for person in people)
        payments = [payment for person in people for payment in person.payments]
        check_fees(fields["participants"], payments)
        Payment.objects.bulk_create(payments)
        store_desks(fields, tournament, payments)
        PersonChange.objects.bulk_create(change for person in people for change in person.changes)
        start_numbers = {person.participant.start_number for person in people}
        ids: set[str] = set()
        commitments = read_commitments(fields, tournament)
        Commitment.objects.bulk_create(commitments.values())
        rounds = read_rounds(fields["rounds"], tournament, start_numbers, at=at)
        link_draws(rounds, commitments)
        check_ending(fields["tournament"], tournament, rounds)
        for found in rounds:
            _store_round(found, ids, at)
        if fields.has("decisions"):
            _store_decisions(fields["decisions"], tournament, start_numbers, commitments)
        if fields.has("prizes_given"):
            store_handouts(fields["prizes_given"], tournament)
        if fields.has("marks"):
            store_marks(fields["marks"], tournament)
    return tournament


def _store_round(found: ReadRound, ids: set[str], at: datetime) -> None:
    found.round.save()
    for read in found.attempts:
        read.attempt.save()
        SeatChange.objects.bulk_create(read.changes)
    tables = lay_tables(found.round, {table.number: table.seats for table in found.tables})
    _store_scribes(tables, found)
    seats = _seats_by_table(tables)
    sheets = Sheet.objects.bulk_create(Sheet(table=table) for table in tables)
    replayed = []
    for sheet, read_table in zip(sheets, found.tables, strict=True):
        replayed.append(_replay(sheet, seats[sheet.table_id], read_table, ids, at))
        _check_state(found, read_table, replayed[-1].sheet.log)
    SheetEntry.objects.bulk_create(chain.from_iterable(one.entries for one in replayed))
    ParkedEntry.objects.bulk_create(chain.from_iterable(one.parked for one in replayed))
    for one in replayed:
        if one.entries:
            project(one.sheet)


def _seats_by_table(tables: Sequence[Table]) -> dict[int, tuple[Seat, ...]]:
    found: dict[int, list[Seat]] = {table.pk: [] for table in tables}
    seats = Seat.objects.filter(table__in=tables).select_related("participant")
    for seat in seats.order_by("seat_number"):
        found[seat.table_id].append(seat)
    return {table: tuple(seats) for table, seats in found.items()}


def _store_scribes(tables: Iterable[Table], found: ReadRound) -> None:
    numbers = {read.scribe.start_number for read in found.tables if read.scribe}
    people = {
        person.start_number: person
        for person in found.round.tournament.participants.filter(start_number__in=numbers)
    }
    for table, read in zip(tables, found.tables, strict=True):
        if read.scribe is not None:
            table.scribe = people[read.scribe.start_number]
            table.scribe_by, table.scribe_at = read.scribe.by, read.scribe.at
            table.scribe_agreed = read.scribe.agreed
    if numbers:
        Table.objects.bulk_update(tables, ["scribe", "scribe_by", "scribe_at", "scribe_agreed"])


def _check_state(found: ReadRound, table: ReadTable, log: core.SheetLog) -> None:
    """Check that a drawn round has no entries, and that the sheet of a closed round is accepted or has a reason.

    The reason is that of the closed round, or that of a sheet that was accepted and reopened afterwards.
    """
    if found.round.state == Round.State.DRAWN and log.entries:
        raise table.reader.key("entries").error("round_not_released", round=found.round.number)
    settled = log.phase == "accepted" or (log.was_accepted and log.last_reopened) or found.round.closed_reason
    if found.round.state == Round.State.CLOSED and not settled:
        error = found.reader.key("closed_reason").error
        raise error("sheets_not_accepted", round=found.round.number, tables=[table.number])


@dataclass(frozen=True, slots=True)
class _Replayed:
    """A sheet with the rows of its log and of its parked entries, to be stored unchanged."""

    sheet: OpenSheet
    entries: list[SheetEntry]
    parked: list[ParkedEntry]


def _replay(row: Sheet, seats: tuple[Seat, ...], read: ReadTable, ids: set[str], at: datetime) -> _Replayed:
    """Replay the entries of one table, and read its parked entries."""
    table = row.table
    numbers = tuple(seat.seat_number for seat in seats)
    writer = core.SheetWriter(core.empty(table.round.tournament.rules, numbers))
    rows = [_read_entry(item, row, writer, ids, at) for item in _items(read.reader.key("entries"))]
    digest = empty_digest(table, seats)
    for stored, entry in zip(rows, writer.entries, strict=True):
        stored.digest = digest = next_digest(digest, entry)
    _check_digest(read.reader.key("digest"), digest if rows else None)
    parked_ids: set[str] = set()
    parked = [
        _read_parked(item, row, writer, ids, parked_ids, at) for item in _items(read.reader.key("parked"))
    ]
    ids |= parked_ids
    return _Replayed(OpenSheet(row, table, seats, writer.log, digest), rows, parked)


def _check_digest(reader: Reader, digest: str | None) -> None:
    """Check that the entries are those over which the digest of the document was made, if it has one."""
    if not reader.is_null and reader.value != digest:
        raise reader.error("digest_does_not_match")


def _read_entry(
    reader: Reader, row: Sheet, writer: core.SheetWriter, ids: set[str], at: datetime
) -> SheetEntry:
    fields = reader.fields(ENTRY_KEYS, MORE_ENTRY_KEYS)
    entry = Entry(
        id=_new_id(fields["id"], ids),
        kind=fields["kind"].text(most=20),
        data=fields["data"].value,
        by="organiser" if fields["by"].choice(EntryBody.Author.values) == "organiser" else "scribe",
        made_at=fields["made_at"].moment(),
        initials=_optional_text(fields["initials"], most=8),
    )
    ids.add(entry.id)
    try:
        written = writer.append(entry)
    except Refusal as refusal:
        raise _misfit(reader, refusal) from None
    return SheetEntry(
        sheet=row,
        sequence=len(writer.entries),
        by=entry.by,
        author=_optional_text(fields["author"], most=150),
        initials=entry.initials,
        recorded_at=at if fields["recorded_at"].is_null else fields["recorded_at"].moment(),
        **_body(fields, row, entry.id, entry.kind, written.data),
    )


def _read_parked(
    reader: Reader, row: Sheet, writer: core.SheetWriter, ids: set[str], parked_ids: set[str], at: datetime
) -> ParkedEntry:
    fields = reader.fields(PARKED_KEYS, MORE_PARKED_KEYS)
    kind = fields["kind"].text(most=20)
    try:
        data = core.normalised(writer, kind, fields["data"].value)
    except Refusal as refusal:
        raise _misfit(reader, refusal) from None
    outcome = fields["outcome"].choice(ParkedEntry.Outcome.values) if fields.has("outcome") else ""
    adopted = outcome == ParkedEntry.Outcome.ADOPTED
    entry_id = _new_id(fields["id"], parked_ids if adopted else ids | parked_ids)
    logged = writer.entry(entry_id)
    if adopted and (logged is None or (logged.kind, logged.data) != (kind, data)):
        raise fields["outcome"].error("document_adopted_not_in_log", entry=entry_id)
    parked_ids.add(entry_id)
    return ParkedEntry(
        sheet=row,
        parked_at=at if fields["parked_at"].is_null else fields["parked_at"].moment(),
        outcome=outcome,
        decided_by=_optional_text(fields["decided_by"], most=150),
        decided_reason=_optional_text(fields["decided_reason"], most=500),
        decided_at=_decided_at(fields["decided_at"], at) if outcome else None,
        decided_initials=_optional_text(fields["decided_initials"], most=8),
        **_body(fields, row, entry_id, kind, data),
    )


def _misfit(reader: Reader, refusal: Refusal) -> DocumentError:
    """Return a DocumentError with the path of an entry's kind, of a field of its data, or of the entry itself."""
    place = "kind" if refusal.code == "unknown_kind" else str(refusal.params.get("field", ""))
    return DocumentError(f"{reader.path}.{place}" if place else reader.path, refusal)


def _body(fields: Fields, row: Sheet, entry_id: str, kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that SheetEntry and ParkedEntry have in common."""
    rest, text = without_text(kind, data)
    return {
        "tournament": row.table.round.tournament,
        "entry_id": UUID(entry_id),
        "kind": kind,
        "data": rest,
        "text": text,
        "made_at": fields["made_at"].moment(),
        "pen_epoch": None if fields["pen_epoch"].is_null else fields["pen_epoch"].whole(),
    }


def _store_decisions(
    reader: Reader, tournament: Tournament, start_numbers: set[int], commitments: Commitments
) -> None:
    for item in reader.items():
        fields = item.fields(
            ("kind", "order", "reason", "by", "at"), ("seed", "commitment", "revoked_by", "revoked_at")
        )
        seed = read_lot(item)
        order = [number.whole(least=1) for number in fields["order"].items()]
        times = Counter(order)
        for number, place in zip(order, fields["order"].items(), strict=True):
            if number not in start_numbers or times[number] > 1:
                raise place.error("unknown_participant", start_number=number)
        tournament.decisions.create(
            kind=fields["kind"].choice(Decision.Kind.values),
            order=order,
            reason=_optional_text(fields["reason"], most=500) if seed else fields["reason"].text(most=500),
            seed=seed,
            commitment=lot_commitment(fields["commitment"], order, seed, commitments),
            by=fields["by"].text(most=150, required=False),
            at=fields["at"].moment(),
            revoked_by=_optional_text(fields["revoked_by"], most=150),
            revoked_at=None if fields["revoked_at"].is_null else fields["revoked_at"].moment(),
        )


def _items(reader: Reader) -> Iterator[Reader]:
    return iter(()) if reader.is_null else reader.items()


def _new_id(reader: Reader, ids: set[str]) -> str:
    entry_id = reader.identifier()
    if entry_id in ids:
        raise reader.error("duplicate_id", entry=entry_id)
    return entry_id


def _optional_text(reader: Reader, *, most: int) -> str:
    return "" if reader.is_null else reader.text(most=most, required=False)


def _decided_at(reader: Reader, at: datetime) -> datetime:
    return at if reader.is_null else reader.moment()
