"""Money in the tournament document: kinds of fees, payments, the cash desks and their ledger."""

from collections.abc import Iterable, Iterator
from typing import Any

from tournaments.core.cash import LARGEST_AMOUNT, MOST_PIECES, PIECES, sum_of_pieces
from tournaments.core.document_reader import Fields, Reader
from tournaments.core.fees import MOST_KINDS
from tournaments.documents import moment
from tournaments.models import CashDesk, CashEntry, DeskChange, Participant, Payment, Tournament
from tournaments.rulesets.schema import MOST_CENTS

NO_REASON = "–"
"""The reason of a line that has to have one and comes without."""


def desk_documents(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the desks with their closings and reopenings."""
    return [
        {
            "name": desk.name,
            "changes": [
                {
                    "kind": change.kind,
                    "reason": change.reason or None,
                    "at": moment(change.at),
                    "by": change.by,
                }
                for change in sorted(desk.changes.all(), key=lambda change: change.pk)
            ],
        }
        for desk in tournament.desks.order_by("number").prefetch_related("changes")
    ]


def cash_documents(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the lines of all desks, in the order in which they were written."""
    return [
        {
            "desk": entry.desk.name,
            "kind": entry.kind,
            "cents": entry.cents,
            "to": entry.to.name if entry.to else None,
            "reason": entry.reason or None,
            "pieces": _largest_first(entry.pieces) if entry.pieces is not None else None,
            "at": moment(entry.at),
            "by": entry.by,
        }
        for entry in tournament.cash_entries.order_by("id").select_related("desk", "to")
    ]


def _largest_first(pieces: dict[str, int]) -> dict[str, int]:
    return {value: pieces[value] for value in sorted(pieces, key=int, reverse=True)}


def read_fees(reader: Reader) -> list[dict[str, object]]:
    """Return the kinds of fees as they are stored."""
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


def read_prize_plan(reader: Reader) -> dict[str, Any] | None:
    """Return the plan of prizes, None without one."""
    if reader.is_null:
        return None
    if not isinstance(reader.value, dict):
        raise reader.error("document_object_expected")
    return reader.value


def read_payment(reader: Reader, participant: Participant) -> Payment:
    fields = reader.fields(("kind", "cents", "at", "by"), ("desk",))
    return Payment(
        participant=participant,
        kind=fields["kind"].choice(Payment.Kind.values),
        cents=fields["cents"].whole(least=1, most=LARGEST_AMOUNT),
        at=fields["at"].moment(),
        by=fields["by"].text(most=150, required=False),
        desk=fields["desk"].text(most=40, required=False) if fields.has("desk") else "",
    )


def check_fees(reader: Reader, payments: Iterable[Payment]) -> None:
    """Check that the fees of all players less the refunds are no more than a tournament takes."""
    signs = {Payment.Kind.FEE: 1, Payment.Kind.REFUND: -1}
    if sum(signs.get(Payment.Kind(one.kind), 0) * one.cents for one in payments) > LARGEST_AMOUNT:
        raise reader.error("fees_too_large", most=LARGEST_AMOUNT)


def store_desks(fields: Fields, tournament: Tournament, payments: Iterable[Payment]) -> None:
    """Store the desks of a document and their lines, with those desks that only lines or payments name.

    The desks are closed at the end, when all payments are stored.
    """
    listed = list(_items(fields, "desks"))
    lines = list(_items(fields, "cash"))
    desks: dict[str, CashDesk] = {}
    for item in listed:
        name = _name(item.fields(("name",), ("changes",))["name"])
        if name in desks:
            raise item.key("name").error("desk_twice", desk=name)
        _add_desk(desks, name, tournament)
    for payment in payments:
        _add_desk(desks, payment.desk, tournament)
    read = [_read_line(item, tournament, desks) for item in lines]
    CashDesk.objects.bulk_create(desks.values())
    CashEntry.objects.bulk_create(read)
    for item in listed:
        _store_changes(item, desks[_name(item.key("name"))])


def _items(fields: Fields, key: str) -> Iterator[Reader]:
    return fields[key].items() if fields.has(key) else iter(())


def _add_desk(desks: dict[str, CashDesk], name: str, tournament: Tournament) -> CashDesk:
    """Return the desk of this name. A new one gets the next number."""
    return desks.setdefault(name, CashDesk(tournament=tournament, number=len(desks) + 1, name=name))


def _read_line(reader: Reader, tournament: Tournament, desks: dict[str, CashDesk]) -> CashEntry:
    fields = reader.fields(("desk", "kind", "cents", "at", "by"), ("to", "reason", "pieces"))
    kind = fields["kind"].choice(CashEntry.CashKind.values)
    may_be_nothing = kind in (CashEntry.CashKind.FLOAT, CashEntry.CashKind.COUNT)
    cents = fields["cents"].whole(least=0 if may_be_nothing else 1, most=LARGEST_AMOUNT)
    desk = _add_desk(desks, _name(fields["desk"]), tournament)
    reason = fields["reason"].text(most=500, required=False) if fields.has("reason") else ""
    if not reason and kind in (CashEntry.CashKind.IN, CashEntry.CashKind.OUT):
        reason = NO_REASON
    return CashEntry(
        tournament=tournament,
        desk=desk,
        kind=kind,
        cents=cents,
        to=_read_other_desk(fields, kind, desk, desks),
        reason=reason,
        pieces=_read_pieces(fields["pieces"], kind, cents),
        at=fields["at"].moment(),
        by=fields["by"].text(most=150, required=False),
    )


def _read_other_desk(
    fields: Fields, kind: str, desk: CashDesk, desks: dict[str, CashDesk]
) -> CashDesk | None:
    """Return the desk that gets a transfer, by default the one without a name; None for other kinds."""
    if kind != CashEntry.CashKind.TRANSFER:
        if fields.has("to"):
            raise fields["to"].error("document_no_transfer")
        return None
    to = _add_desk(desks, _name(fields["to"]) if fields.has("to") else "", desk.tournament)
    if to is desk:
        raise fields["to"].error("transfer_to_itself")
    return to


def _read_pieces(reader: Reader, kind: str, cents: int) -> dict[str, int] | None:
    if reader.is_null:
        return None
    if kind != CashEntry.CashKind.COUNT:
        raise reader.error("document_no_count")
    fields = reader.fields((), [str(value) for value in PIECES])
    pieces = {key: fields[key].whole(most=MOST_PIECES) for key in reader.value if fields.has(key)}
    if sum_of_pieces(pieces) != cents:
        raise reader.error("pieces_differ", cents=cents)
    return pieces


def _store_changes(reader: Reader, desk: CashDesk) -> None:
    """Store closings and reopenings, which take turns, a closing first."""
    kinds = DeskChange.DeskChangeKind
    expected = kinds.CLOSED
    for item in _items(reader.fields(("name",), ("changes",)), "changes"):
        fields = item.fields(("kind", "at", "by"), ("reason",))
        fields["kind"].choice([expected.value])
        reason = fields["reason"].text(most=500) if fields.has("reason") else ""
        if expected == kinds.OPENED and not reason:
            raise fields["reason"].error("reason_needed")
        DeskChange.objects.create(
            desk=desk,
            kind=expected,
            reason=reason,
            at=fields["at"].moment(),
            by=fields["by"].text(most=150, required=False),
        )
        expected = kinds.OPENED if expected == kinds.CLOSED else kinds.CLOSED


def _name(reader: Reader) -> str:
    return reader.text(most=40, required=False)
