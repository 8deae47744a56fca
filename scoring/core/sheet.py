"""A table sheet as a fold over its log: voids, confirmations and life cycle, for all kinds of sheets.

open       being written; `objected` while an objection stands
submitted  handed in by the scribe, who can no longer write
accepted   counted by the organiser; only `reopened` leads back

Facts that count are the entries of facts that were not taken back, in the order of the log, each with the
data of its last correction. Taking back or correcting one replays those after it, and is refused if one of them becomes
impossible. The life cycle is judged by the log as it was at the time, and is never replayed. Every other entry takes
the same time however long the log is.

An objection stands until it is taken back, or, where the ruleset says so, until the next deal is written (RULES 5.5).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from scoring.core import entries as life_cycle
from scoring.core.entries import LIFE_CYCLE, ORGANISER_ONLY, Data, Entry
from scoring.core.registry import kind_of
from scoring.core.sheet_kind import Fact, SeatScore, SheetKind
from tournaments.core.refusal import Refusal
from tournaments.rulesets.schema import Ruleset

Phase = Literal["open", "submitted", "accepted"]
Status = Literal["open", "objected", "submitted", "accepted"]


@dataclass(frozen=True, slots=True)
class Objection:
    """A player's objection that stands. The sheet cannot be handed in until it ends."""

    entry_id: str
    seat_number: int
    note: str


@dataclass(frozen=True, slots=True)
class SheetLog:
    """The state of a sheet after its entries.

    seats: seat numbers in their order. facts: those that count. states: those of the kind, before the first fact and
    after each. voided: id of the entry taken back -> id of the voiding entry. confirmed: seats whose confirmation
    stands. was_accepted: accepted at least once, even if reopened since. last_reopened: open because it was reopened.
    """

    ruleset: Ruleset
    kind: SheetKind[Any]
    seats: tuple[int, ...]
    states: tuple[Any, ...]
    entries: tuple[Entry, ...] = ()
    facts: tuple[Fact, ...] = ()
    voided: Mapping[str, str] = field(default_factory=dict)
    confirmed: frozenset[int] = frozenset()
    objections: tuple[Objection, ...] = ()
    phase: Phase = "open"
    was_accepted: bool = False
    last_reopened: bool = False

    @property
    def state(self) -> Any:
        return self.states[-1]

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

    def entry(self, entry_id: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.id == entry_id), None)


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
    return SheetLog(ruleset, kind, tuple(seats), states=(kind.start(seats),))


def append(sheet: SheetLog, entry: Entry) -> SheetLog:
    """Return the sheet with one more entry, its data normalised. Raises Refusal; the given sheet never changes."""
    writer = SheetWriter(sheet)
    writer.append(entry)
    return writer.log


def replay(ruleset: Ruleset, seats: Sequence[int], entries: Iterable[Entry]) -> SheetLog:
    """Return the sheet after all these entries. Raises ReplayRefused for the first that is refused."""
    return go_on(empty(ruleset, seats), entries)


def go_on(sheet: SheetLog, entries: Iterable[Entry]) -> SheetLog:
    """Return the sheet after these further entries. Raises ReplayRefused for the first that is refused."""
    writer = SheetWriter(sheet)
    for index, entry in enumerate(entries, start=len(sheet.entries)):
        try:
            writer.append(entry)
        except Refusal as refusal:
            raise ReplayRefused(index, entry.id, refusal) from refusal
    return writer.log


class SheetWriter:
    """A sheet that entries are appended to in place; `log` is its state so far.

    The fields are those of `SheetLog`, with objections by the id of their entry.
    """

    def __init__(self, log: SheetLog) -> None:
        self.ruleset, self.kind, self.seats = log.ruleset, log.kind, log.seats
        self._by_id = {entry.id: entry for entry in log.entries}
        self.facts, self.states = list(log.facts), list(log.states)
        self.voided = dict(log.voided)
        self.confirmed = log.confirmed
        self.objections = {stands.entry_id: stands for stands in log.objections}
        self.phase: Phase = log.phase
        self.was_accepted, self.last_reopened = log.was_accepted, log.last_reopened

    @property
    def log(self) -> SheetLog:
        return SheetLog(
            ruleset=self.ruleset,
            kind=self.kind,
            seats=self.seats,
            entries=tuple(self.entries),
            facts=tuple(self.facts),
            states=tuple(self.states),
            voided=dict(self.voided),
            confirmed=self.confirmed,
            objections=tuple(self.objections.values()),
            phase=self.phase,
            was_accepted=self.was_accepted,
            last_reopened=self.last_reopened,
        )

    @property
    def entries(self) -> Collection[Entry]:
        return self._by_id.values()

    def entry(self, entry_id: str) -> Entry | None:
        return self._by_id.get(entry_id)

    @property
    def state(self) -> Any:
        return self.states[-1]

    def append(self, entry: Entry) -> Entry:
        """Append an entry and return it with its data normalised. Raises Refusal; then nothing has changed."""
        entry_id = life_cycle.canonical_id(entry.id)
        if entry_id in self._by_id:
            raise Refusal("duplicate_id", entry=entry_id)
        data = normalised(self, entry.kind, entry.data)
        if entry.kind in ORGANISER_ONLY | self.kind.approvals:
            _check_organiser(entry, entry.kind)
        kept = Entry(entry_id, entry.kind, data, entry.by, made_at=entry.made_at, initials=entry.initials)
        _STEPS.get(entry.kind, _fact_added)(self, kept)
        self._by_id[entry_id] = kept
        return kept


def normalised(sheet: SheetLog | SheetWriter, kind: str, data: object) -> dict[str, Any]:
    """Return the data of an entry for this sheet as the log stores it, so that equal bodies compare equal.

    Raises Refusal for data that is impossible under this ruleset and these seats, and unknown_entry or
    cannot_be_corrected if a correction does not refer to a fact of this sheet.
    """
    if not isinstance(kind, str):
        raise Refusal("bad_entry", field="kind")
    if kind not in LIFE_CYCLE:
        return sheet.kind.normalised(sheet.seats, kind, data)
    values = life_cycle.normalised(sheet.seats, kind, data)
    if kind == "corrected":
        target = _entry(sheet, values["entry"])
        if target.kind not in sheet.kind.facts:
            raise Refusal("cannot_be_corrected", kind=target.kind)
        values["data"] = sheet.kind.normalised(sheet.seats, target.kind, values["data"])
    return values


def _fact_added(sheet: SheetWriter, entry: Entry) -> None:
    check_open(sheet)
    fact = Fact(entry.id, entry.kind, entry.data, _deal_number(entry.kind, sheet.facts))
    sheet.kind.check(sheet.state, fact)
    sheet.states.append(sheet.kind.apply(sheet.state, fact))
    sheet.facts.append(fact)
    if entry.kind not in sheet.kind.approvals:
        sheet.confirmed = frozenset()
    if entry.kind == "deal" and sheet.ruleset.objections_end == "next_deal":
        sheet.objections = {}


def _confirmed(sheet: SheetWriter, entry: Entry) -> None:
    check_open(sheet)
    sheet.confirmed |= {entry.data["seat_number"]}


def _objected(sheet: SheetWriter, entry: Entry) -> None:
    check_open(sheet)
    sheet.objections[entry.id] = Objection(entry.id, entry.data["seat_number"], entry.data["note"])


def _submitted(sheet: SheetWriter, _entry: Entry) -> None:
    check_open(sheet)
    _check_complete(sheet.kind.missing(sheet.state))
    if sheet.objections:
        raise Refusal(
            "objection_stands", seats=sorted({stands.seat_number for stands in sheet.objections.values()})
        )
    unconfirmed = [seat for seat in sheet.seats if seat not in sheet.confirmed]
    if sheet.ruleset.confirmation == "required" and unconfirmed:
        raise Refusal("confirmations_missing", seats=unconfirmed)
    sheet.phase, sheet.last_reopened = "submitted", False


def _accepted(sheet: SheetWriter, entry: Entry) -> None:
    if sheet.phase == "accepted":
        raise Refusal("already_accepted")
    _check_complete(sheet.kind.unacceptable(sheet.state))
    if sheet.phase == "open" and "reason" not in entry.data:
        raise Refusal("reason_needed")
    sheet.phase, sheet.was_accepted, sheet.last_reopened = "accepted", True, False


def _reopened(sheet: SheetWriter, _entry: Entry) -> None:
    if sheet.phase == "open":
        raise Refusal("sheet_is_open")
    sheet.phase, sheet.last_reopened = "open", True


def _voided(sheet: SheetWriter, entry: Entry) -> None:
    check_open(sheet)
    if entry.by == "organiser" and "reason" not in entry.data:
        raise Refusal("reason_needed")
    target = _entry(sheet, entry.data["entry"])
    if target.id in sheet.voided:
        raise Refusal("already_voided", entry=target.id)
    if target.kind == "objected":
        if sheet.objections.pop(target.id, None) is None:
            raise Refusal("objection_is_closed", entry=target.id)
    elif target.kind == "corrected":
        _check_organiser(entry, "corrected")
        _take_correction_back(sheet, target)
    elif target.kind in sheet.kind.facts:
        _check_may_take_back(sheet, entry, target)
        _refold(sheet, _index(sheet.facts, target.id), None)
    else:
        raise Refusal("cannot_be_voided", kind=target.kind)
    sheet.voided[target.id] = entry.id


def _corrected(sheet: SheetWriter, entry: Entry) -> None:
    check_open(sheet)
    _put_data(sheet, entry.data["entry"], entry.data["data"], corrected=True)


def _take_correction_back(sheet: SheetWriter, correction: Entry) -> None:
    """Restore the data of a fact: that of its last correction that still stands, or as it was first written."""
    target = correction.data["entry"]
    standing = [
        entry.data["data"]
        for entry in sheet.entries
        if entry.kind == "corrected"
        and entry.data["entry"] == target
        and entry.id != correction.id
        and entry.id not in sheet.voided
    ]
    data = standing[-1] if standing else _entry(sheet, target).data
    _put_data(sheet, target, data, corrected=bool(standing))


def _put_data(sheet: SheetWriter, target: str, data: Data, *, corrected: bool) -> None:
    """Give one of the facts other data; it keeps its index."""
    if target in sheet.voided:
        raise Refusal("already_voided", entry=target)
    index = _index(sheet.facts, target)
    fact = replace(sheet.facts[index], data=data, corrected=corrected)
    sheet.kind.check(sheet.states[index], fact)
    _refold(sheet, index, fact)


def _refold(sheet: SheetWriter, index: int, instead: Fact | None) -> None:
    """Drop a fact, or put `instead`, which was checked, in its place. Raises Refusal if a later one becomes impossible."""
    facts = [] if instead is None else [instead]
    states = [] if instead is None else [sheet.kind.apply(sheet.states[index], instead)]
    is_deal_less = instead is None and sheet.facts[index].kind == "deal"
    for fact in sheet.facts[index + 1 :]:
        if is_deal_less and fact.deal_number is not None:
            fact = replace(fact, deal_number=fact.deal_number - 1)
        state = states[-1] if states else sheet.states[index]
        try:
            sheet.kind.check(state, fact)
        except Refusal as refusal:
            raise Refusal("later_entry_impossible", entry=fact.entry_id, why=refusal.code) from refusal
        facts.append(fact)
        states.append(sheet.kind.apply(state, fact))
    sheet.facts[index:] = facts
    sheet.states[index + 1 :] = states
    sheet.confirmed = frozenset()


def _deal_number(kind: str, before: Sequence[Fact]) -> int | None:
    if kind != "deal":
        return None
    latest = _latest_deal(before)
    return (latest.deal_number or 0) + 1 if latest else 1


def _latest_deal(facts: Sequence[Fact]) -> Fact | None:
    return next((fact for fact in reversed(facts) if fact.kind == "deal"), None)


def _check_organiser(entry: Entry, kind: str) -> None:
    if entry.by != "organiser":
        raise Refusal("organiser_only", kind=kind)


def check_open(sheet: SheetLog | SheetWriter) -> None:
    """Refuse sheet_is_submitted or sheet_is_accepted unless the sheet is open."""
    if sheet.phase != "open":
        raise Refusal("sheet_is_submitted" if sheet.phase == "submitted" else "sheet_is_accepted")


def _check_may_take_back(sheet: SheetWriter, entry: Entry, target: Entry) -> None:
    """Let a scribe take back only the latest deal, or nothing, if the ruleset says so (RULES 5.5).

    Refuse even this deal once the supervisor has corrected it: it is no longer the scribe's slip of the finger.
    """
    if entry.by == "organiser" or sheet.ruleset.scribe_takes_back == "any":
        return
    if sheet.ruleset.scribe_takes_back == "none":
        raise Refusal("supervisor_takes_back")
    latest = _latest_deal(sheet.facts)
    if latest is None or latest.entry_id != target.id:
        raise Refusal("latest_deal_only")
    if latest.corrected:
        raise Refusal("corrected_by_supervisor")


def _check_complete(missing: Refusal | None) -> None:
    if missing is not None:
        raise Refusal("not_complete", why=missing.code, **missing.params)


def _entry(sheet: SheetLog | SheetWriter, entry_id: str) -> Entry:
    entry = sheet.entry(entry_id)
    if entry is None:
        raise Refusal("unknown_entry", entry=entry_id)
    return entry


def _index(facts: Sequence[Fact], entry_id: str) -> int:
    return next(index for index in reversed(range(len(facts))) if facts[index].entry_id == entry_id)


_STEPS: Mapping[str, Callable[[SheetWriter, Entry], None]] = {
    "confirmed": _confirmed,
    "objected": _objected,
    "submitted": _submitted,
    "accepted": _accepted,
    "reopened": _reopened,
    "voided": _voided,
    "corrected": _corrected,
}
