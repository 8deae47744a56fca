"""Money in the document: kinds of fees, payments, the cash desks and their ledger."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from tournaments.core.cash import LARGEST_AMOUNT, MOST_PIECES, PIECES, sum_of_pieces
from tournaments.core.document_reader import Fields, Reader
from tournaments.core.fees import MOST_KINDS
from tournaments.documents.fields import NEEDED, Field, FieldTable, parts_of
from tournaments.models import MOVEMENTS, CashDesk, CashEntry, DeskChange, Payment, Tournament
from tournaments.rulesets.schema import MOST_CENTS

NO_REASON = "–"
"""The reason of a line that needs one and has none."""


def write_fees(fees: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
    return [{key: fee[key] for key in ("key", "name", "cents")} for fee in fees] or None


def read_fees(reader: Reader) -> list[dict[str, object]]:
    """Return the kinds of fees as stored."""
    kinds: dict[str, dict[str, object]] = {}
    for item in reader.items():
        fields = item.fields(("key", "name", "cents"))
        key = fields["key"].text(most=40)
        if key in kinds:
            raise fields["key"].error("fee_key_twice", key=key)
        if len(kinds) == MOST_KINDS:
            raise item.error("too_many_fees", most=MOST_KINDS)
        kinds[key] = {
            "key": key,
            "name": fields["name"].text(most=40, required=False),
            "cents": fields["cents"].whole(most=MOST_CENTS),
        }
    return list(kinds.values())


def _read_pieces(reader: Reader) -> dict[str, int]:
    fields = reader.fields((), [str(value) for value in PIECES])
    return {key: fields[key].whole(most=MOST_PIECES) for key in reader.value if fields.has(key)}


def _write_pieces(pieces: dict[str, int] | None) -> dict[str, int] | None:
    """Return the pieces with the largest value first."""
    return pieces and {value: pieces[value] for value in sorted(pieces, key=int, reverse=True)}


PAYMENTS = FieldTable(
    Payment,
    "kind",
    Field("cents", least=1, most=LARGEST_AMOUNT),
    "at",
    "by",
    "desk",
)
DESKS = FieldTable(CashDesk, Field("name", default=NEEDED), "is_in_advance", "changes")
DESK_CHANGES = FieldTable(
    DeskChange,
    "kind",
    Field("reason", required=True, or_null=True),
    "at",
    "by",
)
CASH_ENTRIES = FieldTable(
    CashEntry,
    Field("desk", write=lambda desk: desk.name),
    "kind",
    Field("cents", most=LARGEST_AMOUNT),
    Field("to", write=lambda desk: desk.name if desk else None),
    Field("reason", or_null=True),
    Field("pieces", read=_read_pieces, write=_write_pieces),
    "takes_back",
    "at",
    "by",
)


def desk_documents(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the desks with their closings, reopenings and earlier names."""
    return [
        DESKS.write(
            desk,
            changes=[DESK_CHANGES.write(row) for row in sorted(desk.changes.all(), key=lambda row: row.pk)],
        )
        for desk in tournament.desks.order_by("number").prefetch_related("changes")
    ]


def cash_documents(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the lines of all desks, in the order in which they were written. takes_back: index from 0 among them."""
    entries = list(tournament.cash_entries.order_by("id").select_related("desk", "to"))
    indices = {entry.pk: index for index, entry in enumerate(entries)}
    return [CASH_ENTRIES.write(entry, takes_back=indices.get(entry.takes_back_id or 0)) for entry in entries]


def check_fees(reader: Reader, payments: Iterable[Payment]) -> None:
    """Check that the fees of all players minus refunds do not exceed the largest sum of a tournament."""
    signs = {Payment.Kind.FEE: 1, Payment.Kind.REFUND: -1}
    if sum(signs.get(Payment.Kind(payment.kind), 0) * payment.cents for payment in payments) > LARGEST_AMOUNT:
        raise reader.error("fees_too_large", most_cents=LARGEST_AMOUNT)


def store_desks(
    document: Fields, tournament: Tournament, payments: Iterable[Payment], *, at: datetime
) -> None:
    """Store the desks of a document and their lines, including desks that only lines or payments name.

    The desks are closed at the end, when all payments are stored.
    """
    listed = list(parts_of(document.reader, "desks"))
    desks: dict[str, CashDesk] = {}
    for item in listed:
        desk = DESKS.read(item, at=at)
        if desk.name in desks:
            raise item.key("name").error("desk_twice", desk=desk.name)
        _add_desk(desks, desk.name, tournament).is_in_advance = desk.is_in_advance
    for payment in payments:
        _add_desk(desks, payment.desk, tournament)
    lines = [(item, _read_line(item, tournament, desks, at)) for item in parts_of(document.reader, "cash")]
    _mark_prize_money(document, [line for _item, line in lines])
    CashDesk.objects.bulk_create(desks.values())
    _store_lines(lines)
    for desk, item in zip(desks.values(), listed, strict=False):
        _store_changes(item, desk, at)


def _add_desk(desks: dict[str, CashDesk], name: str, tournament: Tournament) -> CashDesk:
    """Return the desk of this name. A new one gets the next number."""
    return desks.setdefault(name, CashDesk(tournament=tournament, number=len(desks) + 1, name=name))


def _read_line(reader: Reader, tournament: Tournament, desks: dict[str, CashDesk], at: datetime) -> CashEntry:
    entry = CASH_ENTRIES.read(reader, at=at, tournament=tournament)
    kinds, kind = CashEntry.CashKind, entry.kind
    if kind not in (kinds.FLOAT, kinds.COUNT):
        reader.key("cents").whole(least=1, most=LARGEST_AMOUNT)
    entry.desk = _add_desk(desks, _desk_name(reader.key("desk")), tournament)
    if kind in (kinds.IN, kinds.OUT):
        entry.reason = entry.reason or NO_REASON
    entry.to = _other_desk(reader.key("to"), entry, desks)
    if entry.pieces is not None and kind != kinds.COUNT:
        raise reader.key("pieces").error("document_no_count")
    if entry.pieces is not None and sum_of_pieces(entry.pieces) != entry.cents:
        raise reader.key("pieces").error("pieces_differ", cents=entry.cents)
    return entry


def _mark_prize_money(document: Fields, lines: Sequence[CashEntry]) -> None:
    """Mark the prize money that came back, in documents of before it had a kind of its own."""
    for item in parts_of(document.reader, "prizes_given"):
        handout = item.value if isinstance(item.value, dict) else {}
        index = handout.get("cash") if handout.get("kind") == "back" else None
        if isinstance(index, int) and 0 <= index < len(lines) and lines[index].kind == CashEntry.CashKind.IN:
            lines[index].kind = CashEntry.CashKind.BACK


def _store_lines(lines: Sequence[tuple[Reader, CashEntry]]) -> None:
    """Store the lines one after the other: one that takes another back needs its id."""
    taken_back: set[int] = set()
    for number, (item, entry) in enumerate(lines):
        reader = item.key("takes_back")
        if not reader.is_null:
            index = reader.whole()
            line = lines[index][1] if index < number else None
            if line is None or index in taken_back or not _reverses(entry, line):
                raise reader.error("document_takes_back_differs")
            taken_back.add(index)
            entry.takes_back = line
        entry.save()


def _reverses(entry: CashEntry, line: CashEntry) -> bool:
    """Whether a line takes an earlier one back."""
    alike = (entry.kind, entry.cents, entry.desk, entry.to) == (line.kind, line.cents, line.desk, line.to)
    return alike and line.kind in MOVEMENTS and line.takes_back is None


def _other_desk(reader: Reader, entry: CashEntry, desks: dict[str, CashDesk]) -> CashDesk | None:
    """Return the desk that gets a transfer, by default the one without a name; None for other kinds."""
    if entry.kind != CashEntry.CashKind.TRANSFER:
        if not reader.is_null:
            raise reader.error("document_no_transfer")
        return None
    to = _add_desk(desks, "" if reader.is_null else _desk_name(reader), entry.tournament)
    if to is entry.desk:
        raise reader.error("transfer_to_itself")
    return to


def _store_changes(reader: Reader, desk: CashDesk, at: datetime) -> None:
    """Store closings and reopenings, which alternate, a closing first; names change only while the desk is open."""
    kinds = DeskChange.DeskChangeKind
    expected = kinds.CLOSED
    for item in parts_of(reader, "changes"):
        change = DESK_CHANGES.read(item, at=at, desk=desk)
        if change.kind == kinds.NAMED and expected == kinds.CLOSED:
            change.save()
            continue
        item.key("kind").choice([expected.value])
        if expected == kinds.OPENED and not change.reason:
            raise item.key("reason").error("reason_needed")
        change.save()
        expected = kinds.OPENED if expected == kinds.CLOSED else kinds.CLOSED


def _desk_name(reader: Reader) -> str:
    return reader.text(most=40, required=False)
