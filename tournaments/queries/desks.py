"""Cash desks with their figures and lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, OuterRef, Q, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from tournaments.core.refusal import Refusal
from tournaments.models import MOVEMENTS, CashEntry, DeskChange, Payment, Tournament
from tournaments.queries.ledger import SIGNED_CENTS, SIGNED_PAYMENT


@dataclass(frozen=True, slots=True)
class DeskRow:
    """A cash desk and its figures in cents. counted_cents: the latest count, None without one.

    fees, refunds, payouts: their numbers. payouts_cents: less what came back. is_in_advance: see `CashDesk`.
    """

    number: int
    name: str
    is_in_advance: bool
    is_closed: bool
    float_cents: int
    fees_cents: int
    refunds_cents: int
    in_cents: int
    out_cents: int
    received_cents: int
    handed_over_cents: int
    payouts_cents: int
    counted_cents: int | None
    fees: int
    refunds: int
    payouts: int

    @property
    def expected_cents(self) -> int:
        """The amount that must be in the desk."""
        taken = self.float_cents + self.fees_cents + self.in_cents + self.received_cents
        paid_out = self.refunds_cents + self.out_cents + self.handed_over_cents + self.payouts_cents
        return taken - paid_out

    @property
    def difference_cents(self) -> int | None:
        """The amount counted beyond what is expected, negative for too little; None without a count."""
        return None if self.counted_cents is None else self.counted_cents - self.expected_cents

    @property
    def off_cents(self) -> int:
        """The difference without its sign."""
        return abs(self.difference_cents or 0)


def named_desks(tournament: Tournament) -> list[str]:
    """Return the names of the desks, open or closed, but for that of money paid in advance."""
    desks = tournament.desks.filter(is_in_advance=False).exclude(name="")
    return list(desks.values_list("name", flat=True))


def open_desk_names(tournament: Tournament) -> list[str]:
    """Return the names of the open desks that have a drawer, by number. One query."""
    latest = DeskChange.objects.filter(desk=OuterRef("pk")).order_by("-id").values("kind")[:1]
    desks = tournament.desks.filter(is_in_advance=False).annotate(state=Coalesce(Subquery(latest), Value("")))
    return list(desks.exclude(state=DeskChange.DeskChangeKind.CLOSED).values_list("name", flat=True))


_FIGURES = (
    *("float_cents", "fees_cents", "refunds_cents", "in_cents", "out_cents", "received_cents"),
    *("handed_over_cents", "payouts_cents", "fees", "refunds", "payouts"),
)


def desk_rows(tournament: Tournament) -> tuple[DeskRow, ...]:
    """Return the desks by number. Three queries."""
    changes = DeskChange.objects.filter(desk=OuterRef("pk")).order_by("-id")
    counts = CashEntry.objects.filter(desk=OuterRef("pk"), kind=CashEntry.CashKind.COUNT).order_by("-id")
    desks = list(
        tournament.desks.annotate(
            state=Subquery(changes.values("kind")[:1]), counted=Subquery(counts.values("cents")[:1])
        )
    )
    payments = {
        (row["desk"], row["kind"]): row
        for row in Payment.objects.filter(participant__tournament=tournament)
        .values("desk", "kind")
        .annotate(sum=Sum("cents"), times=Count("pk"))
    }
    entries: dict[tuple[int, str], int] = {}
    moved = tournament.cash_entries.values_list("desk", "to", "kind").annotate(sum=Sum(SIGNED_CENTS))
    for desk_id, to_id, kind, cents in moved:
        entries[desk_id, kind] = entries.get((desk_id, kind), 0) + cents
        if to_id is not None:
            entries[to_id, "received"] = entries.get((to_id, "received"), 0) + cents
    return tuple(_row(desk, payments, entries) for desk in desks)


def _row(
    desk: Any, payments: Mapping[tuple[str, str], Any], entries: Mapping[tuple[int, str], int]
) -> DeskRow:
    """Return the figures of a desk that was read with its state and its latest count."""
    nothing = {"sum": 0, "times": 0}
    fees, refunds, payouts = (payments.get((desk.name, kind), nothing) for kind in Payment.Kind.values)
    return DeskRow(
        number=desk.number,
        name=desk.name,
        is_in_advance=desk.is_in_advance,
        is_closed=desk.state == DeskChange.DeskChangeKind.CLOSED,
        float_cents=entries.get((desk.pk, "float"), 0),
        fees_cents=fees["sum"],
        refunds_cents=refunds["sum"],
        in_cents=entries.get((desk.pk, "in"), 0),
        out_cents=entries.get((desk.pk, "out"), 0),
        received_cents=entries.get((desk.pk, "received"), 0),
        handed_over_cents=entries.get((desk.pk, "transfer"), 0),
        payouts_cents=payouts["sum"] - entries.get((desk.pk, "back"), 0),
        counted_cents=desk.counted,
        fees=fees["times"],
        refunds=refunds["times"],
        payouts=payouts["times"],
    )


def taken_cents(tournament: Tournament) -> int:
    """Return the fees less the refunds. Prizes that were paid out change nothing. One query."""
    payments = Payment.objects.filter(participant__tournament=tournament).exclude(kind=Payment.Kind.PAYOUT)
    taken: int = payments.aggregate(taken=Coalesce(Sum(SIGNED_PAYMENT), 0))["taken"]
    return taken


def sum_of_desks(rows: Sequence[DeskRow]) -> DeskRow:
    """Return some desks as one. It is closed and counted if all of them are."""
    is_closed = all(row.is_closed for row in rows)
    summed = {name: sum(getattr(row, name) for row in rows) for name in _FIGURES}
    counted = sum(row.counted_cents or 0 for row in rows) if is_closed else None
    return DeskRow(0, "", is_in_advance=False, is_closed=is_closed, counted_cents=counted, **summed)


def desk_row(tournament: Tournament, number: int) -> DeskRow:
    """Return one desk. Refuses unknown_desk."""
    row_of_desk = next((row for row in desk_rows(tournament) if row.number == number), None)
    if row_of_desk is None:
        raise Refusal("unknown_desk")
    return row_of_desk


@dataclass(frozen=True, slots=True)
class CountedPiece:
    """A note or coin, and how often it was counted."""

    cents: int
    number: int

    @property
    def sum_cents(self) -> int:
        return self.cents * self.number


@dataclass(frozen=True, slots=True)
class DeskLine:
    """A line of a desk, a closing or a reopening. cents: negative if the money leaves the desk; 0 where none moves.

    kind: a CashKind or a DeskChangeKind. other: the other desk of a transfer, None without one. counted_cents, pieces:
    of a count. movement: the id of a line that can be taken back, None for any other. is_taken_back: it was.
    """

    at: datetime
    by: str
    kind: str
    cents: int
    reason: str
    other: str | None = None
    counted_cents: int = 0
    pieces: tuple[CountedPiece, ...] = ()
    movement: int | None = None
    is_taken_back: bool = False


def desk_lines(tournament: Tournament, number: int) -> list[DeskLine]:
    """Return the lines of a desk without payments, with its closings and reopenings, oldest first. Two queries."""
    desk = Q(desk__number=number) | Q(to__number=number)
    entries = tournament.cash_entries.filter(desk).select_related("desk", "to", "taken_back").order_by("id")
    changes = DeskChange.objects.filter(desk__tournament=tournament, desk__number=number).order_by("id")
    lines = [_line(entry, number) for entry in entries]
    lines += [DeskLine(change.at, change.by, change.kind, 0, change.reason) for change in changes]
    return sorted(lines, key=lambda line: line.at)


def _line(entry: CashEntry, number: int) -> DeskLine:
    kinds = CashEntry.CashKind
    is_given = entry.kind in (kinds.OUT, kinds.TRANSFER) and entry.desk.number == number
    is_count = entry.kind == kinds.COUNT
    is_taken_back = hasattr(entry, "taken_back")
    is_reversed = entry.takes_back_id is not None
    signed = -entry.cents if is_given != is_reversed else entry.cents
    pieces = sorted(((int(value), times) for value, times in (entry.pieces or {}).items()), reverse=True)
    return DeskLine(
        at=entry.at,
        by=entry.by,
        kind=entry.kind,
        cents=0 if is_count else signed,
        reason=entry.reason,
        other=_other(entry, number),
        counted_cents=entry.cents if is_count else 0,
        pieces=tuple(CountedPiece(value, times) for value, times in pieces),
        movement=entry.pk if entry.kind in MOVEMENTS and not (is_reversed or is_taken_back) else None,
        is_taken_back=is_taken_back,
    )


def _other(entry: CashEntry, number: int) -> str | None:
    if entry.to is None:
        return None
    return entry.to.name if entry.desk.number == number else entry.desk.name
