"""Decisions on ties, and handed-out prizes, in the document.

payment, cash: index from 0 among the player's payments, and among the lines of `cash`.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar

from scoring.core.prize_plan import LONGEST_THING
from scoring.models import Decision, PrizeHandout
from tournaments.core.cash import LARGEST_AMOUNT
from tournaments.core.document_reader import Fields, Reader
from tournaments.documents.commitments import Commitments, lot_commitment, read_lot
from tournaments.documents.fields import Field, FieldTable, parts_of, read_numbers
from tournaments.documents.people import People
from tournaments.documents.rounds import read_seed
from tournaments.models import CashEntry, Payment, Tournament

L = TypeVar("L", Payment, CashEntry)
MOST_THINGS = 60


def _read_things(reader: Reader) -> list[str]:
    things = [thing.text(most=LONGEST_THING) for thing in reader.items()]
    if len(things) > MOST_THINGS:
        raise reader.error("prize_plan_too_long", most=MOST_THINGS)
    return things


DECISIONS = FieldTable(
    Decision,
    "kind",
    Field("order", read=read_numbers),
    Field("reason", or_null=True),
    Field("seed", or_null=True, read=read_seed),
    Field("commitment", write=lambda commitment: commitment.number if commitment else None),
    "by",
    "at",
    Field("revoked_by", or_null=True),
    "revoked_at",
)
HANDOUTS = FieldTable(
    PrizeHandout,
    Field("start_number", "participant", write=lambda person: person.start_number),
    Field("prize", required=True),
    "kind",
    Field("cents", default=0, most=LARGEST_AMOUNT),
    Field("things", read=_read_things),
    "payment",
    "cash",
    "at",
    "by",
)


def decision_documents(tournament: Tournament) -> list[dict[str, Any]]:
    decisions = tournament.decisions.order_by("id").select_related("commitment")
    return [DECISIONS.write(decision) for decision in decisions]


def store_decisions(
    document: Fields, tournament: Tournament, people: People, commitments: Commitments, *, at: datetime
) -> None:
    """Store the decisions, after checking their players and that each lot follows from its seed."""
    for item in parts_of(document.reader, "decisions"):
        seed = read_lot(item)
        decision = DECISIONS.read(item, at=at, tournament=tournament)
        if not seed:
            item.key("reason").text(most=500)
        times = Counter(decision.order)
        for number, place in zip(decision.order, item.key("order").items(), strict=True):
            if number not in people or times[number] > 1:
                raise place.error("unknown_participant", start_number=number)
        decision.commitment = lot_commitment(item.key("commitment"), decision.order, seed, commitments)
        decision.save()


def handout_documents(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the records of prizes given, taken back and not collected, in the order of their creation."""
    payments = {
        payment.pk: index for paid in _payments(tournament).values() for index, payment in enumerate(paid)
    }
    cash = {entry.pk: index for index, entry in enumerate(tournament.cash_entries.order_by("id"))}
    return [
        HANDOUTS.write(row, payment=payments.get(row.payment_id or 0), cash=cash.get(row.cash_id or 0))
        for row in tournament.handouts.order_by("id").select_related("participant")
    ]


def store_handouts(document: Fields, tournament: Tournament, people: People, *, at: datetime) -> None:
    """Store the records of prizes. The payments and the lines of the desks are stored already."""
    payments, cash = _payments(tournament), list(tournament.cash_entries.order_by("id"))
    times: Counter[tuple[int, str]] = Counter()
    had: Counter[tuple[int, str]] = Counter()
    handouts: list[PrizeHandout] = []
    money: set[Payment | CashEntry] = set()
    for item in parts_of(document.reader, "prizes_given"):
        handout = _read(item, tournament, people, at)
        slot = (handout.participant.start_number, handout.prize)
        times[slot] += 1
        handout.number = times[slot]
        if handout.cents and handout.kind == PrizeHandout.PrizeHandoutKind.GIVEN:
            of_player = payments.get(handout.participant.pk, [])
            handout.payment = _line(item.key("payment"), of_player, Payment.Kind.PAYOUT, handout.cents)
            had[slot] += handout.cents
        if handout.cents and handout.kind == PrizeHandout.PrizeHandoutKind.BACK:
            handout.cash = _line(item.key("cash"), cash, CashEntry.CashKind.BACK, handout.cents)
            had[slot] -= handout.cents
        if had[slot] < 0:
            raise item.key("cents").error("document_more_back")
        moved = handout.payment or handout.cash
        if moved in money:
            raise item.error("document_money_twice")
        if moved is not None:
            money.add(moved)
        handouts.append(handout)
    PrizeHandout.objects.bulk_create(handouts)


def _read(reader: Reader, tournament: Tournament, people: People, at: datetime) -> PrizeHandout:
    handout = HANDOUTS.read(reader, at=at, tournament=tournament)
    start_number = reader.key("start_number").whole(least=1)
    if start_number not in people:
        raise reader.key("start_number").error("unknown_participant", start_number=start_number)
    handout.participant = people[start_number]
    is_absent = handout.kind == PrizeHandout.PrizeHandoutKind.ABSENT
    if bool(handout.cents or handout.things) is is_absent:
        raise reader.key("cents").error("document_handout_empty")
    return handout


def _line(reader: Reader, lines: Sequence[L], kind: str, cents: int) -> L:
    """Return the payment or line of a prize's money."""
    index = reader.whole()
    line = lines[index] if index < len(lines) else None
    if line is None or (line.kind, line.cents) != (kind, cents):
        raise reader.error(
            "document_payout_differs" if kind == Payment.Kind.PAYOUT else "document_money_back_differs"
        )
    return line


def _payments(tournament: Tournament) -> dict[int, list[Payment]]:
    """Return the payments of each player in their order, by the player's id."""
    by_player: dict[int, list[Payment]] = {}
    for payment in Payment.objects.filter(participant__tournament=tournament).order_by("id"):
        by_player.setdefault(payment.participant_id, []).append(payment)
    return by_player
