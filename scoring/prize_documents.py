"""Prizes given in the tournament document.

`payment` counts the payments of the player, `cash` the lines of `cash`, both from 0.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from scoring.core.prize_plan import LONGEST_THING
from scoring.models import PrizeHandout
from tournaments.core.cash import LARGEST_AMOUNT
from tournaments.core.document_reader import Fields, Reader
from tournaments.documents import moment
from tournaments.models import CashEntry, Participant, Payment, Tournament

MOST_THINGS = 60


def handout_documents(tournament: Tournament) -> list[dict[str, Any]]:
    """Return what was given, came back or was not fetched, in the order in which it was written."""
    payments = _payments(tournament)
    cash = {entry.pk: index for index, entry in enumerate(tournament.cash_entries.order_by("id"))}
    return [
        {
            "start_number": handout.participant.start_number,
            "prize": handout.prize,
            "kind": handout.kind,
            "cents": handout.cents,
            "things": handout.things,
            "payment": _index(payments.get(handout.participant_id, ()), handout.payment_id),
            "cash": cash.get(handout.cash_id) if handout.cash_id else None,
            "at": moment(handout.at),
            "by": handout.by,
        }
        for handout in tournament.handouts.order_by("id").select_related("participant")
    ]


def store_handouts(reader: Reader, tournament: Tournament) -> None:
    """Store what was given. Its payments and the lines of the desks are stored already."""
    people = {person.start_number: person for person in tournament.participants.all()}
    payments, cash = _payments(tournament), list(tournament.cash_entries.order_by("id"))
    times: Counter[tuple[int, str]] = Counter()
    had: Counter[tuple[int, str]] = Counter()
    found: list[PrizeHandout] = []
    money: set[Payment | CashEntry] = set()
    for item in reader.items():
        handout = _read(item, people)
        slot = (handout.participant.start_number, handout.prize)
        times[slot] += 1
        handout.tournament, handout.number = tournament, times[slot]
        if handout.kind == PrizeHandout.PrizeHandoutKind.GIVEN and handout.cents:
            handout.payment = _payout(item.key("payment"), handout, payments.get(handout.participant.pk, ()))
            had[slot] += handout.cents
        if handout.kind == PrizeHandout.PrizeHandoutKind.BACK and handout.cents:
            handout.cash = _money_back(item.key("cash"), handout, cash)
            had[slot] -= handout.cents
        if had[slot] < 0:
            raise item.key("cents").error("document_more_back")
        moved = handout.payment or handout.cash
        if moved in money:
            raise item.error("document_money_twice")
        if moved is not None:
            money.add(moved)
        found.append(handout)
    PrizeHandout.objects.bulk_create(found)


def _read(reader: Reader, people: dict[int, Participant]) -> PrizeHandout:
    fields = reader.fields(
        ("start_number", "prize", "kind", "at", "by"), ("cents", "things", "payment", "cash")
    )
    kind = fields["kind"].choice(PrizeHandout.PrizeHandoutKind.values)
    start_number = fields["start_number"].whole(least=1)
    if start_number not in people:
        raise fields["start_number"].error("unknown_participant", start_number=start_number)
    cents = fields["cents"].whole(most=LARGEST_AMOUNT) if fields.has("cents") else 0
    things = _things(fields)
    if bool(cents or things) is (kind == PrizeHandout.PrizeHandoutKind.ABSENT):
        raise fields["cents"].error("document_handout_empty")
    return PrizeHandout(
        participant=people[start_number],
        prize=fields["prize"].text(most=100),
        kind=kind,
        cents=cents,
        things=things,
        at=fields["at"].moment(),
        by=fields["by"].text(most=150, required=False),
    )


def _things(fields: Fields) -> list[str]:
    things = (
        [thing.text(most=LONGEST_THING) for thing in fields["things"].items()] if fields.has("things") else []
    )
    if len(things) > MOST_THINGS:
        raise fields["things"].error("prize_plan_too_long", most=MOST_THINGS)
    return things


def _payout(reader: Reader, handout: PrizeHandout, payments: Sequence[Payment]) -> Payment:
    index = reader.whole()
    found = payments[index] if index < len(payments) else None
    if found is None or (found.kind, found.cents) != (Payment.Kind.PAYOUT, handout.cents):
        raise reader.error("document_payout_differs")
    return found


def _money_back(reader: Reader, handout: PrizeHandout, cash: Sequence[CashEntry]) -> CashEntry:
    index = reader.whole()
    found = cash[index] if index < len(cash) else None
    if found is None or (found.kind, found.cents) != (CashEntry.CashKind.IN, handout.cents):
        raise reader.error("document_money_back_differs")
    return found


def _payments(tournament: Tournament) -> dict[int, list[Payment]]:
    """Return the payments of each player in their order, by the player's id."""
    found: dict[int, list[Payment]] = {}
    for payment in Payment.objects.filter(participant__tournament=tournament).order_by("id"):
        found.setdefault(payment.participant_id, []).append(payment)
    return found


def _index(payments: Sequence[Payment], payment_id: int | None) -> int | None:
    return next((index for index, payment in enumerate(payments) if payment.pk == payment_id), None)
