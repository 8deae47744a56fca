"""Random rulesets, tables and logs, for properties that must hold for every sheet.

A log is made by a table that mostly keeps to the rules and sometimes does not, so that most entries are
accepted and every reason for a refusal occurs. `vector()` returns the fold of a log as JSON, which
`static/js/sheet/replay.js` must reproduce.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from scoring.core.entries import ORGANISER_ONLY, Entry, Writer
from scoring.core.sheet import SheetLog, append, empty
from tests.scoring.core import playing_hand_points, playing_plus_minus, playing_survival
from tournaments.core.refusal import Refusal
from tournaments.rulesets.schema import Confirmation, Ruleset

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
class Play:
    """The random play of a kind of sheet: the data of its facts, and the weight of each."""

    often: Mapping[str, int]
    size_of: Callable[[Random], int]
    ruleset_of: Callable[[Random], Ruleset]
    fact_data: Callable[[Random, SheetLog, str], dict[str, Any]]
    display: Callable[[Any], dict[str, Any]]


def _play(kind: Any) -> Play:
    return Play(kind.OFTEN, kind.size_of, kind.ruleset_of, kind.fact_data, kind.display)


PLAYS: Mapping[str, Play] = {
    "survival": _play(playing_survival),
    "hand_points": _play(playing_hand_points),
    "plus_minus": _play(playing_plus_minus),
}


@dataclass(frozen=True)
class Log:
    """The attempts on a sheet, in this order; some of them are refused."""

    ruleset: Ruleset
    seats: tuple[int, ...]
    attempts: tuple[Entry, ...]


def entry_id(number: int) -> str:
    """Return a UUID that is the same in every run."""
    return str(UUID(int=number))


def steps(log: Log) -> tuple[SheetLog, list[Refusal | None]]:
    """Return the sheet after all attempts, and for each attempt why it was refused, or None."""
    sheet, refusals = empty(log.ruleset, log.seats), list[Refusal | None]()
    for attempt in log.attempts:
        try:
            sheet = append(sheet, attempt)
            refusals.append(None)
        except Refusal as refusal:
            refusals.append(refusal)
    return sheet, refusals


def logs(kind: str | None = None, *, longest: int = 60) -> st.SearchStrategy[Log]:
    """Return a strategy for logs of up to `longest` attempts, on sheets of this kind, or of any."""
    kinds = st.sampled_from(list(PLAYS)) if kind is None else st.just(kind)
    return st.builds(log_of, st.randoms(use_true_random=True), st.integers(0, longest), kinds)


def log_of(chance: Random, length: int, kind: str | None = None) -> Log:
    """Return a log of so many attempts, the same for the same state of `chance`."""
    play = PLAYS[kind or chance.choice(list(PLAYS))]
    ruleset, table = _turned(chance, play.ruleset_of(chance)), seats_of(play.size_of(chance))
    sheet, attempts = empty(ruleset, table), list[Entry]()
    for number in range(length):
        attempt = attempt_on(chance, sheet, number)
        attempts.append(attempt)
        with suppress(Refusal):
            sheet = append(sheet, attempt)
    return Log(ruleset, table, tuple(attempts))


def ruleset_of(chance: Random) -> Ruleset:
    """Return one of the variations of any preset."""
    return _turned(chance, PLAYS[chance.choice(list(PLAYS))].ruleset_of(chance))


def _turned(chance: Random, ruleset: Ruleset) -> Ruleset:
    return replace(ruleset, confirmation=chance.choice(_CONFIRMATIONS))


def seats_of(size: int) -> tuple[int, ...]:
    return tuple(range(1, size + 1))


_CONFIRMATIONS: tuple[Confirmation, ...] = ("required", "optional", "paper")
_OFTEN = {
    "confirmed": 5,
    "objected": 2,
    "submitted": 4,
    "accepted": 2,
    "reopened": 5,
    "voided": 6,
    "corrected": 4,
    "cheered": 1,
}


def attempt_on(chance: Random, sheet: SheetLog, number: int) -> Entry:
    """Return a plausible next attempt on this sheet; `number` makes its id."""
    often = {**PLAYS[sheet.ruleset.sheet.kind].often, **_OFTEN}
    kind = chance.choices(list(often), list(often.values()))[0]
    is_his = kind in ORGANISER_ONLY | sheet.kind.approvals
    by: Writer = "organiser" if chance.random() < (0.9 if is_his else 0.3) else "scribe"
    repeated = bool(sheet.entries) and chance.random() < 0.03
    identity = sheet.entries[-1].id.upper() if repeated else entry_id(number)
    return Entry(identity, kind, _data(chance, sheet, kind), by)


def _data(chance: Random, sheet: SheetLog, kind: str) -> dict[str, Any]:
    fact_data = PLAYS[sheet.ruleset.sheet.kind].fact_data
    if kind in sheet.kind.facts:
        return fact_data(chance, sheet, kind)
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
    return {"entry": target, "data": fact_data(chance, sheet, corrected), "reason": text}


def _target(chance: Random, sheet: SheetLog) -> str:
    """Return an entry to void or correct: mostly a fact or an objection, sometimes any, sometimes none of this sheet."""
    latest = [fact.entry_id for fact in sheet.facts if fact.kind == "deal"][-1:]
    known = [
        *(fact.entry_id for fact in sheet.facts),
        *latest * 4,
        *(objection.entry_id for objection in sheet.objections),
        *(entry.id for entry in sheet.entries if entry.kind == "corrected"),
    ]
    if known and chance.random() < 0.8:
        return chance.choice([*known, known[-1], known[-1]])
    return chance.choice([*(entry.id for entry in sheet.entries), entry_id(10**6), "7"])


def vector(log: Log) -> dict[str, Any]:
    """Return a log and its fold as JSON."""
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


def display(sheet: SheetLog) -> dict[str, Any]:
    """Return a sheet in the shape that `replay.js` gives it, without its ruleset."""
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
        "state": PLAYS[sheet.ruleset.sheet.kind].display(sheet.state),
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
