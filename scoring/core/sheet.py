"""A table sheet as a fold over its log: voids, confirmations and life cycle, for all kinds of sheets.

open       being written; `objected` while an objection stands
submitted  handed in by the scribe, who can no longer write
accepted   counted by the organiser; only `reopened` leads back

Facts that count are the entries of facts that were not taken back, in the order of the log, each with the
data of its last correction. Taking back or correcting replays them, and is refused if a later one becomes
impossible. The life cycle is judged by the log as it was at the time, and is never replayed.

An objection stands until it is taken back, or, where the ruleset says so, until the next deal is written (RULES 5.5).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from scoring.core import entries as life_cycle
from scoring.core.entries import LIFE_CYCLE, ORGANISER_ONLY, Data, Entry
from scoring.core.registry import kind_of
from scoring.core.sheet_kind import Fact, SeatScore, SheetKind
from tournaments.core.refusal import Refusal
from tournaments.rulesets.schema import Ruleset

Phase = Literal["open", "submitted", "accepted"]
Status = Literal["open", "objected", "submitted", "accepted"]
Folded = tuple[tuple[Fact, ...], Any]
"""The facts that count, and the kind's state after them."""


@dataclass(frozen=True, slots=True)
class Objection:
    """A player's objection that stands. The sheet cannot be handed in until it ends."""

    entry_id: str
    seat_number: int
    note: str


@dataclass(frozen=True, slots=True)
class SheetLog:
    """The state of a sheet after its entries.

    seats: seat numbers in their order. facts: those that count. voided: id of the entry taken back -> id of
    the voiding entry. state: that of the kind. confirmed: seats whose confirmation stands. was_accepted:
    accepted at least once, even if reopened since. last_reopened: open because it was reopened.
    """

    ruleset: Ruleset
    kind: SheetKind[Any]
    seats: tuple[int, ...]
    entries: tuple[Entry, ...]
    facts: tuple[Fact, ...]
    voided: Mapping[str, str]
    state: Any
    confirmed: frozenset[int]
    objections: tuple[Objection, ...]
    phase: Phase
    was_accepted: bool
    last_reopened: bool

    @property
    def status(self) -> Status:
        return "objected" if self.phase == "open" and self.objections else self.phase

    @property
    def missing(self) -> Refusal | None:
        """The reason why the sheet is not complete yet; None if it is."""
        return self.kind.missing(self.state)

    @property
    def is_complete(self) -> bool:
        return self.missing is None

    @property
    def results(self) -> tuple[SeatScore, ...]:
        """One score a seat, in the order of the seats; rank and points as far as they are decided."""
        return self.kind.results(self.state)


class ReplayRefused(Exception):
    """A log that is impossible: its entry at `index` (from 0) is refused."""

    def __init__(self, index: int, entry_id: str, refusal: Refusal) -> None:
        super().__init__(index, entry_id, refusal)
        self.index = index
        self.entry_id = entry_id
        self.refusal = refusal

    def __str__(self) -> str:
        return f"entry {self.index} ({self.entry_id}): {self.refusal}"


def empty(ruleset: Ruleset, seats: Sequence[int]) -> SheetLog:
    """Return the sheet of a table before the first entry."""
    kind = kind_of(ruleset)
    return SheetLog(
        ruleset=ruleset,
        kind=kind,
        seats=tuple(seats),
        entries=(),
        facts=(),
        voided={},
        state=kind.start(seats),
        confirmed=frozenset(),
        objections=(),
        phase="open",
        was_accepted=False,
        last_reopened=False,
    )


def append(sheet: SheetLog, entry: Entry) -> SheetLog:
    """Return the sheet with one more entry, its data normalised. Raises Refusal; the given sheet never changes."""
    entry_id = life_cycle.canonical_id(entry.id)
    if any(earlier.id == entry_id for earlier in sheet.entries):
        raise Refusal("duplicate_id", entry=entry_id)
    data = normalised(sheet, entry.kind, entry.data)
    if entry.kind in ORGANISER_ONLY | sheet.kind.approvals:
        _check_organiser(entry, entry.kind)
    kept = Entry(entry_id, entry.kind, data, entry.by, made_at=entry.made_at, initials=entry.initials)
    return _STEPS.get(entry.kind, _fact_added)(sheet, kept)


def replay(ruleset: Ruleset, seats: Sequence[int], entries: Iterable[Entry]) -> SheetLog:
    """Return the sheet after all these entries. Raises ReplayRefused for the first that is refused."""
    sheet = empty(ruleset, seats)
    for index, entry in enumerate(entries):
        try:
            sheet = append(sheet, entry)
        except Refusal as refusal:
            raise ReplayRefused(index, entry.id, refusal) from refusal
    return sheet


def normalised(sheet: SheetLog, kind: str, data: object) -> dict[str, Any]:
    """Return the data of an entry for this sheet as the log stores it, so that equal bodies compare equal.

    Raises Refusal for data that is impossible under this ruleset and these seats, and unknown_entry or
    cannot_be_corrected if a correction does not refer to a fact of this sheet.
    """
    if not isinstance(kind, str):
        raise Refusal("bad_entry", field="kind")
    if kind not in LIFE_CYCLE:
        return sheet.kind.normalised(sheet.seats, kind, data)
    known = life_cycle.normalised(sheet.seats, kind, data)
    if kind == "corrected":
        target = _entry(sheet, known["entry"])
        if target.kind not in sheet.kind.facts:
            raise Refusal("cannot_be_corrected", kind=target.kind)
        known["data"] = sheet.kind.normalised(sheet.seats, target.kind, known["data"])
    return known


def _after(sheet: SheetLog, entry: Entry, **changes: Any) -> SheetLog:
    """Return the sheet with this entry at the end of its log, and with `changes`."""
    return replace(sheet, entries=(*sheet.entries, entry), **changes)


def _fact_added(sheet: SheetLog, entry: Entry) -> SheetLog:
    _check_open(sheet)
    fact = Fact(entry.id, entry.kind, entry.data, _deal_number(entry.kind, sheet.facts))
    sheet.kind.check(sheet.state, fact)
    state = sheet.kind.apply(sheet.state, fact)
    confirmed = sheet.confirmed if entry.kind in sheet.kind.approvals else frozenset()
    closes = entry.kind == "deal" and sheet.ruleset.objections_end == "next_deal"
    return _after(
        sheet,
        entry,
        facts=(*sheet.facts, fact),
        state=state,
        confirmed=confirmed,
        objections=() if closes else sheet.objections,
    )


def _confirmed(sheet: SheetLog, entry: Entry) -> SheetLog:
    _check_open(sheet)
    return _after(sheet, entry, confirmed=sheet.confirmed | {entry.data["seat_number"]})


def _objected(sheet: SheetLog, entry: Entry) -> SheetLog:
    _check_open(sheet)
    objection = Objection(entry.id, entry.data["seat_number"], entry.data["note"])
    return _after(sheet, entry, objections=(*sheet.objections, objection))


def _submitted(sheet: SheetLog, entry: Entry) -> SheetLog:
    _check_open(sheet)
    _check_complete(sheet.missing)
    if sheet.objections:
        raise Refusal("objection_stands", seats=sorted({stands.seat_number for stands in sheet.objections}))
    unconfirmed = [seat for seat in sheet.seats if seat not in sheet.confirmed]
    if sheet.ruleset.confirmation == "required" and unconfirmed:
        raise Refusal("confirmations_missing", seats=unconfirmed)
    return _after(sheet, entry, phase="submitted", last_reopened=False)


def _accepted(sheet: SheetLog, entry: Entry) -> SheetLog:
    if sheet.phase == "accepted":
        raise Refusal("already_accepted")
    _check_complete(sheet.kind.unacceptable(sheet.state))
    if sheet.phase == "open" and "reason" not in entry.data:
        raise Refusal("reason_needed")
    return _after(sheet, entry, phase="accepted", was_accepted=True, last_reopened=False)


def _reopened(sheet: SheetLog, entry: Entry) -> SheetLog:
    if sheet.phase == "open":
        raise Refusal("sheet_is_open")
    return _after(sheet, entry, phase="open", last_reopened=True)


def _voided(sheet: SheetLog, entry: Entry) -> SheetLog:
    _check_open(sheet)
    if entry.by == "organiser" and "reason" not in entry.data:
        raise Refusal("reason_needed")
    target = _entry(sheet, entry.data["entry"])
    if target.id in sheet.voided:
        raise Refusal("already_voided", entry=target.id)
    voided = {**sheet.voided, target.id: entry.id}
    if target.kind == "objected":
        if target.id not in [stands.entry_id for stands in sheet.objections]:
            raise Refusal("objection_is_closed", entry=target.id)
        standing = tuple(o for o in sheet.objections if o.entry_id != target.id)
        return _after(sheet, entry, voided=voided, objections=standing)
    if target.kind == "corrected":
        _check_organiser(entry, "corrected")
        facts, state = _correction_taken_back(sheet, target)
    elif target.kind in sheet.kind.facts:
        _check_may_take_back(sheet, entry, target)
        index = _index(sheet.facts, target.id)
        facts, state = _refolded(sheet, sheet.facts[:index], sheet.facts[index + 1 :])
    else:
        raise Refusal("cannot_be_voided", kind=target.kind)
    return _after(sheet, entry, voided=voided, facts=facts, state=state, confirmed=frozenset())


def _corrected(sheet: SheetLog, entry: Entry) -> SheetLog:
    _check_open(sheet)
    facts, state = _with_data(sheet, entry.data["entry"], entry.data["data"], corrected=True)
    return _after(sheet, entry, facts=facts, state=state, confirmed=frozenset())


def _correction_taken_back(sheet: SheetLog, correction: Entry) -> Folded:
    """Restore the data of a fact: that of its last correction that still stands, or as it was first written."""
    target = correction.data["entry"]
    standing = [
        entry.data["data"]
        for entry in sheet.entries
        if entry.kind == "corrected"
        and entry.data["entry"] == target
        and entry.id not in (correction.id, *sheet.voided)
    ]
    data = standing[-1] if standing else _entry(sheet, target).data
    return _with_data(sheet, target, data, corrected=bool(standing))


def _with_data(sheet: SheetLog, target: str, data: Data, *, corrected: bool) -> Folded:
    """Return the facts with other data for one of them, which keeps its index."""
    if target in sheet.voided:
        raise Refusal("already_voided", entry=target)
    index = _index(sheet.facts, target)
    fact = replace(sheet.facts[index], data=data, corrected=corrected)
    before = sheet.facts[:index]
    sheet.kind.check(_state_after(sheet, before), fact)
    return _refolded(sheet, (*before, fact), sheet.facts[index + 1 :])


def _refolded(sheet: SheetLog, sound: Sequence[Fact], later: Sequence[Fact]) -> Folded:
    """Return facts and state after a change: those known to be `sound`, and `later` ones if still possible."""
    facts, state = list(sound), _state_after(sheet, sound)
    deals = sum(1 for fact in sound if fact.kind == "deal")
    for fact in later:
        if fact.kind == "deal":
            deals += 1
            fact = fact if fact.deal_number == deals else replace(fact, deal_number=deals)
        try:
            sheet.kind.check(state, fact)
        except Refusal as refusal:
            raise Refusal("later_entry_impossible", entry=fact.entry_id, why=refusal.code) from refusal
        facts.append(fact)
        state = sheet.kind.apply(state, fact)
    return tuple(facts), state


def _state_after(sheet: SheetLog, facts: Iterable[Fact]) -> Any:
    state = sheet.kind.start(sheet.seats)
    for fact in facts:
        state = sheet.kind.apply(state, fact)
    return state


def _deal_number(kind: str, before: Sequence[Fact]) -> int | None:
    return 1 + sum(1 for fact in before if fact.kind == "deal") if kind == "deal" else None


def _check_organiser(entry: Entry, kind: str) -> None:
    if entry.by != "organiser":
        raise Refusal("organiser_only", kind=kind)


def _check_open(sheet: SheetLog) -> None:
    if sheet.phase != "open":
        raise Refusal("sheet_is_submitted" if sheet.phase == "submitted" else "sheet_is_accepted")


def _check_may_take_back(sheet: SheetLog, entry: Entry, target: Entry) -> None:
    """Let a scribe take back only the latest deal, if the ruleset says so (RULES 5.5).

    Refuse even this deal once the supervisor has corrected it: it is no longer the scribe's slip of the finger.
    """
    if entry.by == "organiser" or sheet.ruleset.scribe_takes_back == "any":
        return
    latest = next((fact for fact in reversed(sheet.facts) if fact.kind == "deal"), None)
    if latest is None or latest.entry_id != target.id:
        raise Refusal("latest_deal_only")
    if latest.corrected:
        raise Refusal("corrected_by_supervisor")


def _check_complete(missing: Refusal | None) -> None:
    if missing is not None:
        raise Refusal("not_complete", why=missing.code, **missing.params)


def _entry(sheet: SheetLog, entry_id: str) -> Entry:
    for entry in sheet.entries:
        if entry.id == entry_id:
            return entry
    raise Refusal("unknown_entry", entry=entry_id)


def _index(facts: Sequence[Fact], entry_id: str) -> int:
    return next(index for index, fact in enumerate(facts) if fact.entry_id == entry_id)


_STEPS: Mapping[str, Callable[[SheetLog, Entry], SheetLog]] = {
    "confirmed": _confirmed,
    "objected": _objected,
    "submitted": _submitted,
    "accepted": _accepted,
    "reopened": _reopened,
    "voided": _voided,
    "corrected": _corrected,
}
