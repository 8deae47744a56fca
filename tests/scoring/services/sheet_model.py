"""A minimal model of a table's sheet, its pen and its phones, without a database.

The services must give the same outcomes as the model, and the database must have the same content.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from scoring.core import sheet as core
from scoring.core.entries import Entry
from scoring.services.sheets import EntryOutcome, Sent
from tests.factories import AT
from tournaments.core.refusal import Refusal
from tournaments.rulesets.schema import Ruleset

State = Literal["waiting", "refused", "parked"]
Draft = tuple[str, Any]
MOST_AT_ONCE = 4  # small, so that a phone sometimes needs several requests


@dataclass(frozen=True)
class Shown:
    """The part of a sheet that a phone reads."""

    entries: tuple[str, ...]
    epoch: int
    is_mine: bool


@dataclass
class Mine:
    """An entry stored on a phone, with the epoch that it was made under."""

    sent: Sent
    epoch: int
    state: State = "waiting"


@dataclass(frozen=True)
class Delivery:
    """A request that the server has not received yet."""

    device: str
    link: int
    epoch: int
    entries: tuple[Sent, ...]


@dataclass(frozen=True)
class Answer:
    device: str
    outcomes: tuple[EntryOutcome, ...]
    shown: Shown


@dataclass
class Phone:
    """A phone, which keeps an entry until an answer names it, as `static/js/sheet/sync.js` does.

    link: the version of the link that it entered by, 0 if it never did.
    """

    device: str
    link: int = 0
    shown: Shown = Shown((), 0, False)
    keeps: list[Mine] = field(default_factory=list)
    made: list[str] = field(default_factory=list)

    def take(self, shown: Shown) -> None:
        """Show a sheet, unless it is older than the one shown."""
        if len(shown.entries) >= len(self.shown.entries) and shown.epoch >= self.shown.epoch:
            self.shown = shown
            self.keeps = [mine for mine in self.keeps if mine.sent.id not in shown.entries]

    def hear(self, answer: Answer) -> None:
        told = {outcome.id: outcome.outcome for outcome in answer.outcomes}
        done = {entry_id for entry_id, outcome in told.items() if outcome in ("recorded", "duplicate")}
        self.keeps = [mine for mine in self.keeps if mine.sent.id not in done]
        for mine in self.keeps:
            outcome = told.get(mine.sent.id)
            if outcome == "refused" or outcome == "parked":
                mine.state = outcome
        self.take(answer.shown)

    def note(self, sent: Sent) -> None:
        self.keeps.append(Mine(sent, self.shown.epoch))
        self.made.append(sent.id)

    @property
    def next_request(self) -> Delivery | None:
        """The request with the oldest waiting entries of one epoch, None if no entry is waiting."""
        waiting = [mine for mine in self.keeps if mine.state == "waiting"]
        if not waiting:
            return None
        epoch = waiting[0].epoch
        same = next((i for i, mine in enumerate(waiting) if mine.epoch != epoch), len(waiting))
        batch = waiting[: min(same, MOST_AT_ONCE)]
        return Delivery(self.device, self.link, epoch, tuple(mine.sent for mine in batch))

    def state_of(self, entry_id: str) -> State | None:
        return next((mine.state for mine in self.keeps if mine.sent.id == entry_id), None)

    def as_it_sees(self, log: core.SheetLog) -> core.SheetLog:
        """Return the log with the phone's own entries appended, except those that the log refuses."""
        for mine in self.keeps:
            with suppress(Refusal):
                log = core.append(log, Entry(mine.sent.id, mine.sent.kind, mine.sent.data, "scribe"))
        return log


@dataclass
class Model:
    """The state of a sheet. parked: by id, with outcome "", "adopted" or "discarded". grants: epoch -> device.

    needless: ids of confirmations that were answered and not stored, as they changed nothing.
    """

    log: core.SheetLog
    pen: str = ""
    epoch: int = 0
    link: int = 1
    is_closed: bool = False
    grants: dict[int, str] = field(default_factory=dict)
    parked: dict[str, tuple[Sent, str]] = field(default_factory=dict)
    needless: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, ruleset: Ruleset, seats: Iterable[int]) -> "Model":
        return cls(core.empty(ruleset, tuple(seats)))

    @property
    def logged(self) -> set[str]:
        return {entry.id for entry in self.log.entries}

    @property
    def outcomes_of_parked(self) -> Mapping[str, str]:
        return {entry_id: outcome for entry_id, (_sent, outcome) in self.parked.items()}

    def raise_epoch(self, *, pen: str) -> None:
        self.epoch, self.pen = self.epoch + 1, pen
        self.grants[self.epoch] = pen

    def receive(self, delivery: Delivery) -> list[tuple[str, str | None]]:
        """Apply a request and return the outcome of each entry, with the code if it is refused."""
        known = {entry.id: entry.kind for entry in self.log.entries}
        kinds = [known.get(sent.id) for sent in delivery.entries]
        ends = self.log.kind.facts | {"voided", "submitted"}
        return [
            self._receive(sent, delivery, is_overtaken=any(kind in ends for kind in kinds[index:]))
            for index, sent in enumerate(delivery.entries)
        ]

    def _receive(self, sent: Sent, delivery: Delivery, *, is_overtaken: bool) -> tuple[str, str | None]:
        try:
            return self._judge(sent, delivery, is_overtaken=is_overtaken), None
        except Refusal as refusal:
            return "refused", refusal.code

    def _judge(self, sent: Sent, delivery: Delivery, *, is_overtaken: bool) -> str:
        known = next((entry for entry in self.log.entries if entry.id == sent.id), None)
        if known is not None:
            self._check_same(sent, known.kind, known.data)
            return "duplicate"
        if sent.id in self.parked:
            parked, outcome = self.parked[sent.id]
            self._check_same(sent, parked.kind, parked.data)
            if outcome == "discarded":
                raise Refusal("was_discarded")
            return "parked"
        if (self.pen, self.epoch) == (delivery.device, delivery.epoch) and not self.is_closed:
            if sent.kind == "confirmed":
                seat = core.normalised(self.log, sent.kind, sent.data)["seat_number"]
                if is_overtaken or (self.log.phase == "open" and seat in confirmed_anew(self.log)):
                    self.needless.add(sent.id)
                    return "duplicate"
            self.log = written(self.log, Entry(sent.id, sent.kind, sent.data, "scribe", made_at=AT))
            return "recorded"
        if self.grants.get(delivery.epoch) != delivery.device:
            raise Refusal("no_pen")
        self.parked[sent.id] = (replace(sent, data=core.normalised(self.log, sent.kind, sent.data)), "")
        return "parked"

    def _check_same(self, sent: Sent, kind: str, data: Any) -> None:
        if kind != sent.kind or core.normalised(self.log, sent.kind, sent.data) != data:
            raise Refusal("id_taken")

    def why_not(self, entries: Iterable[Entry]) -> str | None:
        """Return the code with which one of these entries would be refused; None if all fit."""
        log = self.log
        try:
            for entry in entries:
                log = written(log, entry)
        except Refusal as refusal:
            return refusal.code
        return None

    def write(self, entries: Iterable[Entry]) -> None:
        """Append the organiser's entries. Facts, voids and corrections raise the epoch."""
        kinds = set()
        for entry in entries:
            self.log = written(self.log, entry)
            kinds.add(entry.kind)
        if kinds & (self.log.kind.facts | {"voided", "corrected"}):
            self.raise_epoch(pen=self.pen)

    def adopt(self, entry_id: str) -> None:
        sent, _outcome = self.parked[entry_id]
        self.log = written(self.log, Entry(sent.id, sent.kind, sent.data, "scribe", made_at=AT))
        self.parked[entry_id] = (sent, "adopted")
        self.raise_epoch(pen=self.pen)

    def places_of(self, entry_id: str, kept: State | None) -> int:
        """Return the number of places of an entry. The phone counts only if the server does not have the entry.

        The answer counts as the place of a needless confirmation that was not stored.
        """
        logged = entry_id in self.logged
        aside = self.outcomes_of_parked.get(entry_id) in ("", "discarded")
        stored = logged + aside + (kept is not None and not logged and not aside)
        return stored or int(entry_id in self.needless)


def written(log: core.SheetLog, entry: Entry) -> core.SheetLog:
    """Return the log with an entry more. Beyond the fold, a reopened sheet is confirmed anew before it is handed in."""
    after = core.append(log, entry)
    ever = {item.data["seat_number"] for item in log.entries if item.kind == "confirmed"}
    needed = {"required": set(log.seats), "optional": ever, "paper": set[int]()}[log.ruleset.confirmation]
    if entry.kind == "submitted" and log.last_reopened and needed - confirmed_anew(log):
        raise Refusal("confirmations_missing")
    return after


def confirmed_anew(log: core.SheetLog) -> set[int]:
    """Return the seats whose confirmation stands, without those from before the last reopening."""
    kinds = [entry.kind for entry in log.entries]
    start = len(kinds) - kinds[::-1].index("reopened") if log.last_reopened else 0
    return {
        entry.data["seat_number"] for entry in log.entries[start:] if entry.kind == "confirmed"
    } & log.confirmed
