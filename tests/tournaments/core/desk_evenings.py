"""Evenings at the cash desks, and what follows from them; worked out without anything of the program.

An evening is a list of events, oldest first. Every desk is a box that money goes into and comes out of.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Europe/Berlin")
DESKS = ("Kasse 1", "Kasse 2", "Theke")
ADVANCE = "Vorab bezahlt"
AMOUNTS = (50, 300, 350, 1000, 5000, 12_345)


@dataclass
class Event:
    """at: local time. to: the other desk of a transfer. reverses: the movement that is taken back."""

    at: datetime
    kind: str
    desk: str
    cents: int = 0
    to: str = ""
    reverses: "Event | None" = None


@dataclass
class Evening:
    events: list[Event]
    costs: int
    unfetched: int


def evening(number: int) -> Evening:
    """Return an evening of up to three desks. Some go past midnight, some past five in the morning, some take two days."""
    chance = Random(f"desks {number}")
    now = datetime(2026, 11, chance.randint(19, 22), 17, tzinfo=ZONE)
    desks, closed = DESKS[: chance.randint(1, 3)], set()
    events: list[Event] = []
    for _ in range(chance.choice((0, 2))):
        events.append(
            Event(now - timedelta(days=3, minutes=len(events)), "advance", ADVANCE, chance.choice(AMOUNTS))
        )
    events.sort(key=lambda event: event.at)
    for _ in range(chance.choice((1, 6, 20, 40))):
        now += timedelta(minutes=chance.randint(1, 40))
        if chance.random() < 0.02:
            now += timedelta(days=1)
        desk = chance.choice(desks)
        if desk in closed:
            events.append(Event(now, "reopen", desk))
            closed.discard(desk)
            continue
        event = drawn(
            chance, now, desk, [other for other in desks if other != desk and other not in closed], events
        )
        events.append(event)
        if event.kind == "count":
            closed.add(desk)
    for desk in desks:
        if desk not in closed and chance.random() < 0.8:
            now += timedelta(minutes=1)
            events.append(Event(now, "count", desk, chance.choice((0, inside(events)[desk], 777))))
    for event in events:
        event.cents = max(0, event.cents)
    return Evening(events, chance.choice((0, 2500)), chance.choice((0, 0, 1500)))


def drawn(chance: Random, now: datetime, desk: str, others: list[str], events: list[Event]) -> Event:
    kinds = ["fee"] * 8 + [
        "refund",
        "payout",
        "payout",
        "back",
        "float",
        "in",
        "out",
        "transfer",
        "undo",
        "undo",
        "count",
    ]
    kind = chance.choice(kinds)
    if kind == "transfer" and not others:
        kind = "out"
    if kind == "undo":
        gone = [event.reverses for event in events]
        open_desks = {desk, *others}
        able = [
            event
            for event in events
            if event.kind in ("float", "in", "out", "transfer")
            and event not in gone
            and {event.desk, event.to or event.desk} <= open_desks
        ]
        if not able:
            return Event(now, "fee", desk, chance.choice(AMOUNTS))
        undone = chance.choice(able)
        return Event(now, "undo", undone.desk, undone.cents, undone.to, undone)
    if kind == "count":
        return Event(now, "count", desk, chance.choice((inside(events)[desk], inside(events)[desk] - 150, 0)))
    to = chance.choice(others) if kind == "transfer" else ""
    return Event(now, kind, desk, chance.choice(AMOUNTS), to)


# --- working out ---------------------------------------------------------------------------------------------------

COLUMNS = ("float", "fee", "refund", "in", "out", "received", "transfer", "payout")


def inside(events: list[Event]) -> Counter[str]:
    """Return what must be in each box."""
    boxes: Counter[str] = Counter()
    for event in events:
        move(boxes, event)
    return boxes


def move(boxes: Counter[str], event: Event) -> None:
    """Put the money of an event into the boxes, or take it out."""
    if event.kind == "undo":
        back: Counter[str] = Counter()
        assert event.reverses is not None
        move(back, event.reverses)
        boxes.subtract(back)
    elif event.kind == "transfer":
        boxes[event.desk] -= event.cents
        boxes[event.to] += event.cents
    elif event.kind in ("fee", "advance", "float", "in", "back"):
        boxes[event.desk] += event.cents
    elif event.kind in ("refund", "out", "payout"):
        boxes[event.desk] -= event.cents


@dataclass
class Figures:
    """The columns of a desk's sheet, what must be inside, and the latest count."""

    columns: Counter[str] = field(default_factory=Counter)
    expected: int = 0
    counted: int | None = None


def figures(events: list[Event]) -> dict[str, Figures]:
    found: dict[str, Figures] = {}
    for event in events:
        mine = found.setdefault(event.desk, Figures())
        if event.kind == "count":
            mine.counted = event.cents
        elif event.kind == "back":
            mine.columns["payout"] -= event.cents
        elif event.kind == "advance":
            mine.columns["fee"] += event.cents
        elif event.kind != "reopen":
            kind, sign = (event.reverses.kind, -1) if event.reverses else (event.kind, 1)
            mine.columns[kind] += sign * event.cents
            if event.to:
                found.setdefault(event.to, Figures()).columns["received"] += sign * event.cents
    for desk, cents in inside(events).items():
        found[desk].expected = cents
    return found


def kept(evening: Evening) -> int:
    """Return what the club keeps: everybody's money, one after the other."""
    left = -evening.costs - evening.unfetched
    for event in evening.events:
        left += {"fee": 1, "advance": 1, "refund": -1, "payout": -1, "back": 1}.get(
            event.kind, 0
        ) * event.cents
    return left


def day_of(at: datetime) -> date:
    return at.date() if at.hour >= 5 else at.date() - timedelta(days=1)


def reports(events: list[Event]) -> list[dict[str, object]]:
    """Return for each day and desk: takings = closing + withdrawals + expenses - deposits - opening."""
    rows = []
    boxes: Counter[str] = Counter()
    for day in sorted({day_of(event.at) for event in events}):
        today = [event for event in events if day_of(event.at) == day and event.kind != "advance"]
        touched = {event.desk for event in today if event.kind != "reopen"} | {
            event.to for event in today if event.to
        }
        opening = Counter(boxes)
        last: dict[str, str] = {}
        for event in today:
            if event.kind == "count":
                boxes[event.desk] = event.cents
            else:
                move(boxes, event)
            if event.kind != "reopen":
                for desk in {event.desk, event.to} - {""}:
                    last[desk] = event.kind
        for desk in sorted(touched):
            row = report(desk, today, opening[desk], boxes[desk])
            rows.append({"day": day, "desk": desk, **row, "counted": last[desk] == "count"})
    return rows


def report(desk: str, today: list[Event], opening: int, closing: int) -> dict[str, object]:
    """Return the row of a desk. Float money of the day was there when the day began."""
    columns = figures(today).get(desk, Figures()).columns
    opening += columns["float"]
    withdrawals = columns["out"] + columns["transfer"]
    deposits = columns["in"] + columns["received"]
    takings = closing + withdrawals + columns["payout"] - deposits - opening
    receipts = columns["fee"] - columns["refund"]
    return {
        "opening": opening,
        "closing": closing,
        "takings": takings,
        "expenses": columns["payout"],
        "deposits": deposits,
        "withdrawals": withdrawals,
        "difference": takings - receipts,
    }
