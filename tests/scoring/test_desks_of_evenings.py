"""The cash desks of 500 evenings, all desks together and their daily reports: the same as `desk_evenings`, to the cent."""

from collections import Counter
from datetime import UTC
from functools import partial
from typing import Any

import pytest

from scoring.core.closing import Closing
from tests.factories import ParticipantFactory
from tests.scoring.pages import Staff
from tests.tournaments.core import desk_evenings as oracle
from tests.tournaments.core.desk_evenings import ADVANCE, ZONE, Evening, Event
from tournaments.core.cash_days import CashDay, LedgerLine, cash_days
from tournaments.models import CashEntry, Participant, Payment, Tournament
from tournaments.queries.desks import DeskRow, desk_row, desk_rows, sum_of_desks
from tournaments.queries.door import door
from tournaments.queries.ledger import daily_reports, ledger, year_book
from tournaments.services import desks, payments
from tournaments.services.tournaments import lock_tournament

EVENINGS = range(500)
SAMPLE = range(0, 500, 25)
SIGNS = {"fee": 1, "float": 1, "in": 1, "back": 1, "refund": -1, "payout": -1, "out": -1, "transfer": -1}


# --- pure ----------------------------------------------------------------------------------------------------------


def lines_of(events: list[Event]) -> list[LedgerLine]:
    return [
        line for event in events if event.kind not in ("advance", "reopen") for line in lines_of_event(event)
    ]


def lines_of_event(event: Event) -> list[LedgerLine]:
    kind, sign = (event.reverses.kind, -1) if event.reverses else (event.kind, 1)
    line = partial(
        LedgerLine, event.at.astimezone(UTC), "x", total_cents=0, start_number=None, name="", reason=""
    )
    line = partial(line, is_in_advance=False)
    if kind == "count":
        return [line(desk=event.desk, kind=kind, cents=0, counted_cents=event.cents)]
    lines = [line(desk=event.desk, kind=kind, cents=sign * SIGNS[kind] * event.cents, counted_cents=0)]
    if event.to:
        lines.append(line(desk=event.to, kind="received", cents=sign * event.cents, counted_cents=0))
    return lines


def as_oracle(day: CashDay) -> dict[str, object]:
    return {
        "day": day.day,
        "desk": day.desk,
        "opening": day.opening_cents,
        "closing": day.closing_cents,
        "takings": day.takings_cents,
        "expenses": day.expenses_cents,
        "deposits": day.deposits_cents,
        "withdrawals": day.withdrawals_cents,
        "difference": day.difference_cents,
        "counted": day.is_counted,
    }


def test_the_daily_reports_and_what_the_club_keeps_are_those_of_the_oracle() -> None:
    seen: Counter[str] = Counter()
    for number in EVENINGS:
        evening = oracle.evening(number)
        days = [as_oracle(day) for day in cash_days(lines_of(evening.events), ZONE)]
        assert days == oracle.reports(evening.events), number
        assert closing_of(evening).kept_cents == oracle.kept(evening), number
        seen.update(event.kind for event in evening.events)
        seen["days"] += len({day["day"] for day in days}) > 1
        seen["after midnight"] += any(event.at.hour < 5 for event in evening.events)
        seen["differences"] += any(day["difference"] for day in days)
    assert min(seen[kind] for kind in (*SIGNS, "undo", "count", "reopen", "advance")) > 50
    assert min(seen["days"], seen["after midnight"], seen["differences"]) > 20


def closing_of(evening: Evening) -> Closing:
    columns: Counter[str] = Counter()
    for figures in oracle.figures(evening.events).values():
        columns.update(figures.columns)
    return Closing(
        columns["fee"],
        columns["refund"],
        columns["payout"],
        open_cents=evening.unfetched,
        costs_cents=evening.costs,
    )


# --- through services and database ---------------------------------------------------------------------------------


class Books:
    """Writes an evening into the books of a tournament."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.player: Participant = ParticipantFactory.create(tournament=tournament)
        self.entries: dict[int, CashEntry] = {}

    def write(self, event: Event) -> None:
        number = (
            desks.open_desk(self.tournament, event.desk).number
            if event.kind not in ("advance", "reopen")
            else 0
        )
        signature: Any = {"by": "kasse", "at": event.at.astimezone(UTC)}
        match event.kind:
            case "fee" | "refund" | "payout":
                self.player.tournament = lock_tournament(self.tournament)
                payments.pay(self.player, Payment.Kind(event.kind), event.cents, desk=event.desk, **signature)
            case "advance":
                desk = desks.desk_in_advance(self.tournament, ADVANCE)
                Payment.objects.create(
                    participant=self.player, kind="fee", cents=event.cents, desk=desk.name, **signature
                )
            case "back":
                self.tournament.cash_entries.create(
                    desk=desks.open_desk(self.tournament, event.desk),
                    kind="back",
                    cents=event.cents,
                    **signature,
                )
            case "undo":
                movement = self.entries[id(event.reverses)]
                desks.take_back_movement(self.tournament, number, movement.pk, reason="Irrtum", **signature)
            case "count":
                expected = desk_row(self.tournament, number).expected_cents
                word = "" if expected == event.cents else "verzählt"
                pieces = {"1": event.cents}
                desks.close_desk(self.tournament, number, pieces=pieces, reason=word, **signature)
            case "reopen":
                number = self.tournament.desks.get(name=event.desk).number
                desks.reopen_desk(self.tournament, number, reason="Nachzügler", **signature)
            case _:
                self.entries[id(event)] = self.move(number, event, signature)

    def move(self, number: int, event: Event, signature: Any) -> CashEntry:
        to = desks.open_desk(self.tournament, event.to).number if event.to else None
        there = desk_row(self.tournament, number).expected_cents
        return desks.enter_cash(
            *(self.tournament, number, event.kind),
            cents=event.cents,
            reason="Grund",
            to=to,
            confirmed=desks.confirmation(event.cents, there),
            **signature,
        )


def columns_of(row: DeskRow) -> dict[str, int]:
    return {
        "float": row.float_cents,
        "fee": row.fees_cents,
        "refund": row.refunds_cents,
        "in": row.in_cents,
        "out": row.out_cents,
        "received": row.received_cents,
        "transfer": row.handed_over_cents,
        "payout": row.payouts_cents,
    }


@pytest.mark.django_db
@pytest.mark.parametrize("number", SAMPLE)
def test_the_books_of_an_evening_are_those_of_the_oracle(number: int) -> None:
    evening = oracle.evening(number)
    staff = Staff()
    plan = {"costs_cents": evening.costs, "prizes": []}
    Tournament.objects.filter(pk=staff.tournament.pk).update(prize_plan=plan)
    staff.tournament.refresh_from_db()
    books = Books(staff.tournament)
    for event in evening.events:
        books.write(event)
    rows = desk_rows(staff.tournament)
    expected = oracle.figures(evening.events)
    assert {row.name for row in rows} == set(expected)
    for row in rows:
        figures = expected[row.name]
        assert columns_of(row) == {kind: figures.columns[kind] for kind in oracle.COLUMNS}
        assert (row.expected_cents, row.counted_cents) == (figures.expected, figures.counted)
    drawers = [row for row in rows if not row.is_in_advance]
    together = sum_of_desks(drawers)
    assert columns_of(together) == {
        kind: sum(expected[row.name].columns[kind] for row in drawers) for kind in oracle.COLUMNS
    }
    cash = sum(expected[row.name].expected for row in drawers)
    assert (
        together.expected_cents
        == ledger(staff.tournament).total_cents
        == door(staff.tournament).cash_cents
        == cash
    )
    reports = oracle.reports(evening.events)
    assert [as_oracle(day) for day in daily_reports(staff.tournament)] == reports
    assert [as_oracle(day) for _name, day in year_book(2026).days] == reports
    assert year_book(2026).in_advance_cents == sum(
        event.cents for event in evening.events if event.kind == "advance"
    )
    closing = staff.get("closing_of_desks").context["closing"]
    assert closing.kept_cents == oracle.kept(evening) + evening.unfetched
