"""State machine test: after any order of steps by phones, network and supervisor the database agrees with the model."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from scoring.core import sheet as core
from scoring.core.entries import Entry
from scoring.models import ParkedEntry, SheetEntry
from scoring.services import parked_entries, sheets
from scoring.services import rounds as scoring_rounds
from scoring.services.projection import COMPARED
from scoring.services.sheets import Sent
from scoring.sheet_log import _instance, entry_of, open_sheet
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.scoring.core.playing_survival import ranking
from tests.scoring.core.vectors import attempt_on, entry_id
from tests.scoring.services.sheet_model import Answer, Delivery, Draft, Model, Phone, Shown
from tournaments import links
from tournaments.core.refusal import Refusal
from tournaments.models import Table
from tournaments.rulesets.loader import preset
from tournaments.services import rounds

SEATS = (1, 2, 3, 4, 5)
DEVICES = ("a" * 32, "b" * 32, "c" * 32)
MOST_ON_THE_WAY = 4

seeds = st.integers(0, 2**32)
devices = st.sampled_from(DEVICES)
indexes = st.integers(0, 20)
mostly = st.sampled_from((True, True, True, False))
rarely = st.sampled_from((False, False, False, True))
ANSWERED, UNANSWERED, UNDER_WAY, OFFLINE = "answered", "unanswered", "under way", "offline"
fates = st.sampled_from((ANSWERED, ANSWERED, ANSWERED, UNANSWERED, UNDER_WAY, OFFLINE))


STORED = f"""
SELECT sheet.pen_epoch, sheet.pen_device,
    (SELECT coalesce(json_agg(json_build_array(epoch, device)), '[]')
        FROM scoring_pengrant WHERE sheet_id = sheet.id),
    (SELECT coalesce(json_agg(json_build_array(entry_id, outcome)), '[]')
        FROM scoring_parkedentry WHERE sheet_id = sheet.id),
    (SELECT coalesce(json_agg(entry ORDER BY entry.sequence), '[]')
        FROM scoring_sheetentry entry WHERE sheet_id = sheet.id),
    (SELECT coalesce(json_agg(json_build_array(seat.seat_number, {", ".join(COMPARED)}) ORDER BY seat.seat_number), '[]')
        FROM scoring_seatresult JOIN tournaments_seat seat ON seat.id = seat_id WHERE sheet_id = sheet.id)
FROM scoring_sheet sheet WHERE sheet.table_id = %s
"""
"""All that is stored of a sheet, in one statement: it is read after every step."""


class SheetMachine(RuleBasedStateMachine):
    """A table of a round in play. Each run is rolled back."""

    table: Table

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.stack.enter_context(transaction.atomic())
        self.tournament = self.table.round.tournament
        self.model = Model.of(self.tournament.rules, SEATS)
        self.phones = {device: Phone(device) for device in DEVICES}
        self.on_the_way: list[Delivery] = []
        self.answers: list[Answer] = []
        self.told_refused: set[str] = set()
        self.count = self.steps = 0
        self.was_asked = False
        open_sheet(self.table.pk)

    def teardown(self) -> None:
        try:
            self.everything_calms_down()
            self.was_asked = True
            self.agrees()
        finally:
            transaction.set_rollback(True)
            self.stack.close()

    # --- phones ---

    @initialize(device=devices)
    def somebody_begins(self, device: str) -> None:
        self.comes_back(device)
        self.takes_the_pen(device, answered=True)

    @rule(device=devices)
    def comes_back(self, device: str) -> None:
        """Open the table's link. The phone gets the sheet if the link or an older cookie gives it access."""
        self.was_asked = True
        secret = links.sheet_secret(self.table.pk, self.model.link)
        if self.model.is_closed:
            refused("link_of_closed_round", lambda: sheets.enter(secret, device=device))
        else:
            assert sheets.enter(secret, device=device) == (self.table, device)
            self.phones[device].link = self.model.link
        if self._is_let_in(device):
            self.phones[device].take(self._shown_to(device))

    @rule(device=devices, answered=mostly)
    def takes_the_pen(self, device: str, answered: bool) -> None:
        self.was_asked = True
        if not self._is_let_in(device):
            return
        held = self.model.pen not in ("", device) and self.tournament.rules.pen_needs_supervisor
        if self.model.is_closed or held:
            code = "round_is_closed" if self.model.is_closed else "pen_needs_supervisor"
            refused(code, lambda: sheets.take_pen(self.table, device=device, at=AT))
            return
        if self.model.pen != device:
            self.model.raise_epoch(pen=device)
        sheets.take_pen(self.table, device=device, at=AT)
        if answered:
            self.phones[device].take(self._shown_to(device))

    @rule(index=indexes, seed=seeds, entries=st.integers(1, 3), fate=fates)
    def somebody_writes(self, index: int, seed: int, entries: int, fate: str) -> None:
        """Make entries on a phone that believes to hold the pen. They follow on its earlier entries."""
        writers = [phone for phone in self.phones.values() if phone.shown.is_mine]
        if not writers:
            device = self.model.pen or DEVICES[index % len(DEVICES)]
            self.comes_back(device)
            return self.takes_the_pen(device, answered=True)
        phone, chance = writers[index % len(writers)], Random(seed)
        for _ in range(entries):
            self.count += 1
            tried = attempt_on(chance, phone.as_it_sees(self.model.log), self.count)
            phone.note(Sent(entry_id(self.count), tried.kind, tried.data, AT))
        return self.sends(phone.device, fate)

    # --- the network ---

    @rule(device=devices, fate=fates)
    def sends(self, device: str, fate: str) -> None:
        """Send the waiting entries, possibly while an earlier request is under way. The request may arrive at once."""
        request = self.phones[device].next_request
        if fate == OFFLINE or not request or len(self.on_the_way) == MOST_ON_THE_WAY:
            return
        self.on_the_way.append(request)
        if fate != UNDER_WAY:
            self.a_request_arrives(len(self.on_the_way) - 1, again=False, fate=fate)

    @precondition(lambda self: self.on_the_way)
    @rule(index=indexes, again=rarely, fate=fates)
    def a_request_arrives(self, index: int, again: bool, fate: str) -> None:
        """Deliver any request. again: it is delivered once more later. Its answer arrives at once, later, or never."""
        request = self.on_the_way[index % len(self.on_the_way)]
        if not again:
            self.on_the_way.remove(request)
        answer = self._arrives(request)
        if answer and fate == ANSWERED:
            self.phones[answer.device].hear(answer)
        elif answer and fate != UNANSWERED:
            self.answers.append(answer)

    @precondition(lambda self: self.on_the_way or self.answers)
    @rule(index=indexes)
    def something_is_lost(self, index: int) -> None:
        lost = self.on_the_way or self.answers
        lost.pop(index % len(lost))

    @precondition(lambda self: self.answers)
    @rule(index=indexes)
    def a_late_answer_arrives(self, index: int) -> None:
        answer = self.answers.pop(index % len(self.answers))
        self.phones[answer.device].hear(answer)

    @precondition(lambda self: self.model.log.entries)
    @rule(device=devices, index=indexes, seed=seeds)
    def a_known_id_comes_with_another_body(self, device: str, index: int, seed: int) -> None:
        entry = self.model.log.entries[index % len(self.model.log.entries)]
        forged = attempt_on(Random(seed), self.model.log, 0)
        sent = Sent(entry.id, forged.kind, forged.data, AT)
        self._arrives(Delivery(device, self.model.link, self.model.epoch, (sent,)))

    # --- the supervisor ---

    @rule(seed=seeds)
    def the_supervisor_writes(self, seed: int) -> None:
        """Reopen, type in from paper and accept, write an entry, valid or not, correct or void."""
        log, chance = self.model.log, Random(seed)
        if log.phase != "open" and chance.random() < 0.7:
            return self._supervisor(("reopened", {"reason": "Ein Spiel fehlt"}))
        if chance.random() < 0.2:
            accepted = ("accepted", {"reason": "vom Papier"})
            return self._supervisor(("ranked", ranking(chance, SEATS)), accepted)
        attempts = [attempt_on(chance, log, 0) for _ in range(20)]
        if not log.facts or chance.random() < 0.3:
            return self._supervisor((attempts[0].kind, attempts[0].data))
        fact = chance.choice(log.facts)
        target = {"entry": fact.entry_id, "reason": "Verhört"}
        if chance.random() < 0.5:
            return self._supervisor(("voided", target))
        data = next((tried.data for tried in attempts if tried.kind == fact.kind), fact.data)
        return self._supervisor(("corrected", {**target, "data": data}))

    @precondition(lambda self: self.model.parked)
    @rule(index=indexes, adopts=mostly)
    def the_supervisor_decides_on_a_parked_entry(self, index: int, adopts: bool) -> None:
        self.was_asked = True
        sent, outcome = list(self.model.parked.values())[index % len(self.model.parked)]
        row = ParkedEntry.objects.get(entry_id=sent.id).pk
        decide = parked_entries.adopt if adopts else parked_entries.discard
        code = "parked_is_decided" if outcome else None
        if adopts and not code:
            code = self.model.why_not([Entry(sent.id, sent.kind, sent.data, "scribe")])
        if code:
            return refused(code, lambda: decide(self.tournament, row, reason="Ja", by="o", at=AT))
        decide(self.tournament, row, reason="Ja", by="o", at=AT)
        if adopts:
            return self.model.adopt(sent.id)
        self.model.parked[sent.id] = (sent, "discarded")
        return None

    @rule(what=st.sampled_from(("pen", "link", "round", "nothing", "nothing")))
    def the_supervisor_frees_the_pen_revokes_the_link_or_closes_the_round(self, what: str) -> None:
        self.was_asked = True
        if what == "pen":
            if self.model.pen:
                self.model.raise_epoch(pen="")
            sheets.free_pen(self.table, at=AT)
        elif what == "link" and not self.model.is_closed:
            self.model.link = rounds.revoke_link(self.tournament, 1, 1).link_version
        elif what == "round" and self.steps > 20 and not self.model.is_closed:
            scoring_rounds.close(self.tournament, 1, reason="Der Wirt macht zu", at=AT)
            self.model.is_closed = True

    # --- invariants ---

    @precondition(lambda self: self.steps % 5 == 4)
    @rule()
    def everything_calms_down(self) -> None:
        """Deliver all requests and answers and let every phone sync. Then each entry must be in exactly one place."""
        while self.on_the_way:
            self.a_request_arrives(0, again=False, fate=ANSWERED)
        while self.answers:
            self.a_late_answer_arrives(0)
        for phone in self.phones.values():
            if phone.link:
                self.comes_back(phone.device)
            while self._is_let_in(phone.device) and (request := phone.next_request):
                answer = self._arrives(request)
                assert answer
                phone.hear(answer)
            for uid in phone.made:
                assert self.model.places_of(uid, phone.state_of(uid)) == 1
                assert phone.state_of(uid) != "waiting" or not self._is_let_in(phone.device)

    @invariant()
    def agrees(self) -> None:
        self.steps += 1
        for phone in self.phones.values():
            self._nothing_of_it_is_lost(phone)
        if not self.was_asked:  # no request since the last check
            return
        self.was_asked = False
        with connection.cursor() as cursor:
            cursor.execute(STORED, [self.table.pk])
            [(*pen, grants, parked, entries, results)] = cursor.fetchall()
        model = self.model
        assert pen == [model.epoch, model.pen]
        assert dict(grants) == model.grants
        assert dict(parked) == model.outcomes_of_parked
        adopted = {uid for uid, outcome in model.outcomes_of_parked.items() if outcome == "adopted"}
        assert model.logged & model.parked.keys() == adopted
        rows = [_instance(SheetEntry, columns) for columns in entries]
        self._the_log_replays(rows)
        self._only_the_epoch_of_its_time_gets_in(rows)
        assert list(map(tuple, results)) == self._results()

    def _the_log_replays(self, rows: list[SheetEntry]) -> None:
        log = core.replay(self.tournament.rules, SEATS, map(entry_of, rows))
        assert (log.entries, log.facts, log.phase) == (
            self.model.log.entries,
            self.model.log.facts,
            self.model.log.phase,
        )
        assert len(self.model.logged) == len(rows)

    def _results(self) -> list[tuple[Any, ...]]:
        """Return the results in the form that `rebuild_results` compares; none if the log is empty."""
        log = self.model.log
        return [
            (row.seat_number, log.phase == "accepted", row.rank, row.points, row.strokes, dict(row.counts))
            for row in log.results
            if log.entries
        ]

    def _only_the_epoch_of_its_time_gets_in(self, rows: list[SheetEntry]) -> None:
        """Check that, except for adopted entries, epochs never decrease and each phone's entries are in order."""
        direct = {str(row.entry_id): row.pen_epoch or 0 for row in rows if row.by == "scribe"}
        for uid in self.model.parked:
            direct.pop(uid, None)
        assert list(direct.values()) == sorted(direct.values())
        for phone in self.phones.values():
            places = {uid: place for place, uid in enumerate(phone.made)}
            not_stored_at_first = self.told_refused | self.model.needless
            order = [places[uid] for uid in direct if uid in places and uid not in not_stored_at_first]
            assert order == sorted(order)

    def _nothing_of_it_is_lost(self, phone: Phone) -> None:
        """Check that entries no longer on the phone are in the log, and that the states on the phone are true."""
        for uid in phone.made:
            state = phone.state_of(uid)
            assert state or uid in self.model.logged | self.model.needless
            assert state != "parked" or uid in self.model.parked
            assert state != "refused" or uid in self.told_refused

    # --- helpers ---

    def _is_let_in(self, device: str) -> bool:
        return self.phones[device].link == self.model.link

    def _shown_to(self, device: str) -> Shown:
        model = self.model
        return Shown(tuple(entry.id for entry in model.log.entries), model.epoch, model.pen == device)

    def _arrives(self, request: Delivery) -> Answer | None:
        """Deliver a request and return its answer.

        None if the phone's link was revoked: it gets 401 (tests/scoring/phone/test_phone_api.py), and nothing changes.
        """
        if request.link != self.model.link:
            return None
        self.was_asked = True
        expected = self.model.receive(request)
        outcomes, _ = sheets.record(
            self.table, request.entries, device=request.device, pen_epoch=request.epoch, at=AT
        )
        assert [(answer.outcome, answer.refusal and answer.refusal.code) for answer in outcomes] == expected
        self.told_refused |= {answer.id for answer in outcomes if answer.outcome == "refused"}
        return Answer(request.device, tuple(outcomes), self._shown_to(request.device))

    def _supervisor(self, *drafts: Draft) -> None:
        """Write the organiser's entries: all of them or none."""
        self.was_asked = True
        code = self.model.why_not(Entry(str(uuid4()), kind, data, "organiser") for kind, data in drafts)
        if code:
            return refused(code, lambda: sheets.write(self.table, drafts, by="o", at=AT))
        written = sheets.write(self.table, drafts, by="o", at=AT).log.entries[-len(drafts) :]
        ids = [entry.id for entry in written]
        return self.model.write(
            Entry(uid, kind, data, "organiser", made_at=AT)
            for uid, (kind, data) in zip(ids, drafts, strict=True)
        )


def refused(code: str, attempt: Callable[[], object]) -> None:
    with pytest.raises(Refusal) as caught:
        attempt()
    assert caught.value.code == code


@pytest.mark.django_db
@pytest.mark.parametrize("pen_needs_supervisor", [False, True])
def test_the_database_equals_the_model_after_any_sequence_of_events(
    pen_needs_supervisor: bool,
) -> None:
    rules = replace(preset("schnauz-placing"), pen_needs_supervisor=pen_needs_supervisor)
    tournament = TournamentFactory.create(ruleset=rules.to_dict())
    ParticipantFactory.create_batch(len(SEATS), tournament=tournament)
    drawn = a_round(tournament)
    bounds = settings(
        max_examples=12 if pen_needs_supervisor else 30,
        stateful_step_count=50,
        suppress_health_check=list(HealthCheck),
    )

    class AtThisTable(SheetMachine):
        table = drawn.tables.select_related("round__tournament").get()

    run_state_machine_as_test(AtThisTable, settings=bounds)
