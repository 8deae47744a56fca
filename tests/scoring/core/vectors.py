"""Rulesets, tables and logs made by chance, for everything that must hold for every sheet.

A log is made by a table that mostly keeps to the rules and sometimes does not, so that most entries are
accepted and every reason for a refusal turns up. `vector()` writes down what the fold makes of a log, as JSON
knows it: what `static/js/sheet/replay.js` has to show as well.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from scoring.core.entries import ORGANISER_ONLY, Author, Entry
from scoring.core.sheet import Sheet, append, empty
from scoring.core.survival import Survival
from tournaments.core.refusal import Refusal
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Confirmation, Ruleset
from tournaments.rulesets.sheets import SurvivalRules

SURVIVAL_PRESETS = ("schnauz-placing", "schnauz-placing", "konradsreuth", "knockout")
TEXTS = (
    "Falsch abgelesen",
    "  Zwei hatten 12  ",
    "Ü",
    "",
    "   ",
    "x" * 500,
    "x" * 501,
    "a\nb",
    "\u202eabc",
    7,
    None,
)
"""Reasons and notes, good and bad."""


@dataclass(frozen=True)
class Log:
    """What was tried on a sheet, in this order; some of it is refused."""

    ruleset: Ruleset
    seats: tuple[int, ...]
    attempts: tuple[Entry, ...]


def entry_id(number: int) -> str:
    """A UUID that is the same in every run."""
    return str(UUID(int=number))


def steps(log: Log) -> tuple[Sheet, list[Refusal | None]]:
    """The sheet after all attempts, and for each attempt why it was refused, or None."""
    sheet, refusals = empty(log.ruleset, log.seats), list[Refusal | None]()
    for attempt in log.attempts:
        try:
            sheet = append(sheet, attempt)
            refusals.append(None)
        except Refusal as refusal:
            refusals.append(refusal)
    return sheet, refusals


def logs(*, longest: int = 60) -> st.SearchStrategy[Log]:
    """Logs of up to `longest` attempts."""
    return st.builds(log_of, st.randoms(use_true_random=True), st.integers(0, longest))


def rulesets() -> st.SearchStrategy[Ruleset]:
    """The survival presets with their numbers and switches turned."""
    return st.builds(ruleset_of, st.randoms(use_true_random=True))


def seats() -> st.SearchStrategy[tuple[int, ...]]:
    """The seats of a table of 2 to 7."""
    return st.integers(2, 7).map(seats_of)


def log_of(chance: Random, length: int) -> Log:
    """A log of so many attempts, the same for the same state of `chance`."""
    ruleset, table = ruleset_of(chance), seats_of(chance.randint(2, 7))
    sheet, attempts = empty(ruleset, table), list[Entry]()
    for number in range(length):
        attempt = attempt_on(chance, sheet, number)
        attempts.append(attempt)
        with suppress(Refusal):
            sheet = append(sheet, attempt)
    return Log(ruleset, table, tuple(attempts))


def ruleset_of(chance: Random) -> Ruleset:
    """One of the variations of the survival presets."""
    ruleset = preset(chance.choice(SURVIVAL_PRESETS))
    survival = ruleset.sheet_as(SurvivalRules)
    endings = chance.choice([survival.endings, ("knock", "schnauz", "handschnauz")])
    everybody_pays = chance.choice([("feuer", "handschnauz"), ("handschnauz",), ()])
    spared = chance.choice([survival.three_of_a_kind_spared, ("knock",), ("schnauz", "handschnauz")])
    rules = replace(
        survival,
        lives=chance.randint(0, 4),
        endings=endings,
        three_of_a_kind_spared=tuple(ending for ending in spared if ending in endings),
        all_others_lose=tuple(ending for ending in everybody_pays if ending in endings),
        marks=chance.choice([("schnauz", "feuer"), ("schnauz",)]),
    )
    return replace(ruleset, confirmation=chance.choice(_CONFIRMATIONS), sheet=rules)


def seats_of(size: int) -> tuple[int, ...]:
    return tuple(range(1, size + 1))


def sensible_deal(chance: Random, sheet: Sheet) -> dict[str, Any]:
    """A deal as it is played by who is still in; everybody may tie for the worst hand."""
    state: Survival = sheet.state
    rules = sheet.ruleset.sheet_as(SurvivalRules)
    ended_by = chance.choice(["knock", "knock", *rules.endings])
    finisher = None if ended_by == "knock" else chance.choice(state.still_in)
    others = [seat for seat in state.still_in if seat != finisher]
    losers = others or [chance.choice(sheet.seats)]
    if ended_by in rules.three_of_a_kind_spared:
        losers = [seat for seat in others if chance.random() < 0.6]
    elif others and ended_by not in rules.all_others_lose:
        losers = chance.sample(others, chance.choice([1, 1, 1, 2, 2, len(others)]) if len(others) > 1 else 1)
    return {"losers": losers, "ended_by": ended_by, "finisher": finisher}


def spoilt_deal(chance: Random, sheet: Sheet) -> dict[str, Any]:
    """A deal with one thing in it changed to what somebody could type."""
    deal = sensible_deal(chance, sheet)
    table = list(sheet.seats)
    spoils: list[dict[str, Any]] = [
        {"losers": chance.choice([[], None, "1", [0], [99], [True], [1, 1], ["1"], table])},
        {"losers": chance.sample(table, chance.randint(1, len(table)))},
        {"ended_by": chance.choice(["knock", "schnauz", "feuer", "handschnauz", "gong", None, []])},
        {"finisher": chance.choice([*table, *table, None, 99, True, "1"])},
        {chance.choice(["note", "losers "]): 1},
    ]
    return deal | chance.choice(spoils)


def ranking(chance: Random, table: Sequence[int]) -> dict[str, Any]:
    """Ranks for every seat from drowning in some order, with one winner."""
    winner = chance.choice(table)
    drowned_in = {seat: len(table) if seat == winner else chance.randrange(1, len(table)) for seat in table}
    later = {seat: sum(deal > drowned_in[seat] for deal in drowned_in.values()) for seat in table}
    return {"ranks": {str(seat): 1 + count for seat, count in later.items()}}


def spoilt_ranking(chance: Random, table: Sequence[int]) -> dict[str, Any]:
    """Ranks that mostly cannot be."""
    named = chance.choice([table, table, table[1:], (*table, 99)])
    ranks: dict[str, Any] = {str(seat): chance.randint(0, len(table) + 1) for seat in named}
    return {"ranks": chance.choice([ranks, ranks, ranks, ranks | {"1": "1"}, ranks | {"1": None}, None])}


def _stroke(chance: Random, sheet: Sheet) -> dict[str, Any]:
    seat = chance.choice([*sheet.seats, *sheet.seats, 99])
    return {
        "seat_number": seat,
        "mark": chance.choice([*sheet.ruleset.sheet_as(SurvivalRules).marks * 3, "feuer", "knock", None]),
    }


def _fact_data(chance: Random, sheet: Sheet, kind: str) -> dict[str, Any]:
    sound = chance.random() < 0.8
    match kind:
        case "stroke":
            return _stroke(chance, sheet)
        case "ranked":
            return ranking(chance, sheet.seats) if sound else spoilt_ranking(chance, sheet.seats)
    return sensible_deal(chance, sheet) if sound else spoilt_deal(chance, sheet)


_CONFIRMATIONS: tuple[Confirmation, ...] = ("required", "optional", "paper")
_OFTEN = {
    "deal": 24,
    "stroke": 3,
    "ranked": 1,
    "confirmed": 5,
    "objected": 2,
    "submitted": 4,
    "accepted": 2,
    "reopened": 5,
    "voided": 6,
    "corrected": 4,
    "cheered": 1,
}


def attempt_on(chance: Random, sheet: Sheet, number: int) -> Entry:
    """What somebody might try on this sheet next; `number` makes its id."""
    kind = chance.choices(list(_OFTEN), list(_OFTEN.values()))[0]
    by: Author = "organiser" if chance.random() < (0.9 if kind in ORGANISER_ONLY else 0.3) else "scribe"
    repeated = bool(sheet.entries) and chance.random() < 0.03
    identity = sheet.entries[-1].id.upper() if repeated else entry_id(number)
    return Entry(identity, kind, _data(chance, sheet, kind), by)


def _data(chance: Random, sheet: Sheet, kind: str) -> dict[str, Any]:
    if kind in {"deal", "stroke", "ranked"}:
        return _fact_data(chance, sheet, kind)
    if kind in {"submitted", "cheered"}:
        return chance.choice([{}, {}, {}, {}, {"loud": True}])
    text = chance.choice([*TEXTS[:3] * 6, *TEXTS])
    if kind in {"accepted", "reopened"}:
        return chance.choice([{"reason": text}, {"reason": text}, {}])
    if kind in {"confirmed", "objected"}:
        seat = chance.choice([*sheet.seats, *sheet.seats, 99])
        return {"seat_number": seat} if kind == "confirmed" else {"seat_number": seat, "note": text}
    target = _target(chance, sheet)
    if kind == "voided":
        return {"entry": target, "reason": text}
    corrected = next((entry.kind for entry in sheet.entries if entry.id == target), "deal")
    return {"entry": target, "data": _fact_data(chance, sheet, corrected), "reason": text}


def _target(chance: Random, sheet: Sheet) -> str:
    """An entry to void or correct: mostly a fact or an objection, sometimes any, sometimes none of this sheet."""
    known = [
        *(fact.entry_id for fact in sheet.facts),
        *(objection.entry_id for objection in sheet.objections),
        *(entry.id for entry in sheet.entries if entry.kind == "corrected"),
    ]
    if known and chance.random() < 0.8:
        return chance.choice([*known, known[-1], known[-1]])
    return chance.choice([*(entry.id for entry in sheet.entries), entry_id(10**6), "7"])


def vector(log: Log) -> dict[str, Any]:
    """A log, and what the fold makes of it, as JSON knows it."""
    sheet, refusals = steps(log)
    return {
        "ruleset": log.ruleset.to_dict(),
        "seats": list(log.seats),
        "attempts": [_written(attempt) for attempt in log.attempts],
        "refusals": [None if r is None else {"code": r.code, "params": r.params} for r in refusals],
        "sheet": display(sheet),
    }


def _written(entry: Entry) -> dict[str, Any]:
    return {"id": entry.id, "kind": entry.kind, "data": entry.data, "by": entry.by}


def display(sheet: Sheet) -> dict[str, Any]:
    """A sheet in the shape that `replay.js` gives it, without its ruleset."""
    return {
        "seats": list(sheet.seats),
        "entries": [_written(entry) for entry in sheet.entries],
        "facts": [
            {
                "entry_id": fact.entry_id,
                "kind": fact.kind,
                "data": fact.data,
                "deal_number": fact.deal_number,
                "corrected": fact.corrected,
            }
            for fact in sheet.facts
        ],
        "voided": dict(sheet.voided),
        "state": _state(sheet.state),
        "confirmed": sorted(sheet.confirmed),
        "objections": [
            {"entry_id": o.entry_id, "seat_number": o.seat_number, "note": o.note} for o in sheet.objections
        ],
        "phase": sheet.phase,
        "status": sheet.status,
        "was_accepted": sheet.was_accepted,
        "last_reopened": sheet.last_reopened,
        "is_complete": sheet.is_complete,
        "results": [
            {
                "seat_number": score.seat_number,
                "rank": score.rank,
                "points": score.points,
                "strokes": score.strokes,
                "counts": dict(score.counts),
            }
            for score in sheet.results
        ],
    }


def _state(state: Survival) -> dict[str, Any]:
    return {
        "lives": state.lives,
        "lost": _by_seat(state.lost),
        "lives_left": {str(seat): state.lives_left(seat) for seat in state.seats},
        "still_in": list(state.still_in),
        "swimming": list(state.swimming),
        "drowned_in": _by_seat(state.drowned_in),
        "deals": state.deals,
        "schnauz": _by_seat(state.schnauz),
        "feuer": _by_seat(state.feuer),
        "ranked": None if state.ranked is None else _by_seat(state.ranked),
        "winner": state.winner,
    }


def _by_seat(values: Mapping[int, int]) -> dict[str, int]:
    return {str(seat): value for seat, value in values.items()}
