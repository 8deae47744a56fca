"""Tests of writing to a sheet: phones with and without the pen, the organiser, parked entries."""

from typing import Any
from uuid import uuid4

import pytest

from scoring.core import sheet as core
from scoring.core.entries import Entry
from scoring.models import ParkedEntry, SeatResult, SheetEntry
from scoring.services import parked_entries, sheets
from scoring.services import rounds as scoring_rounds
from scoring.services.sheets import EntryOutcome, Sent
from scoring.sheet_log import open_sheet
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.races import at_once
from tournaments import links
from tournaments.core.refusal import Refusal
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services import rounds

PHONE, OTHER = "phone", "other phone"


@pytest.fixture
def tournament(db: None) -> Tournament:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(12, tournament=tournament)
    return tournament


@pytest.fixture
def table(tournament: Tournament) -> Table:
    """Return a table of six, whose pen the phone PHONE holds under epoch 1."""
    return a_table(tournament, 1)


def a_table(tournament: Tournament, number: int) -> Table:
    played = tournament.rounds.first() or a_round(tournament)
    table: Table = played.tables.get(number=number)
    sheets.take_pen(table, device=PHONE, at=AT)
    return table


def knock(*losers: int, entry_id: str = "") -> Sent:
    data = {"losers": list(losers), "ended_by": "knock", "finisher": None}
    return Sent(entry_id or str(uuid4()), "deal", data, AT)


def sent(kind: str, data: Any) -> Sent:
    return Sent(str(uuid4()), kind, data, AT)


def record(table: Table, *entries: Sent, device: str = PHONE, pen_epoch: int = 1) -> list[str]:
    """Record entries and return the outcome of each, or the code of its refusal."""
    outcomes, _ = sheets.record(table, entries, device=device, pen_epoch=pen_epoch, at=AT)
    return [outcome.refusal.code if outcome.refusal else outcome.outcome for outcome in outcomes]


def losers(table: Table) -> list[list[int]]:
    return [fact.data["losers"] for fact in open_sheet(table.pk).log.facts]


def decide(table: Table) -> None:
    """Record deals with which seat 1 wins and the others drown, from the last seat on."""
    assert set(record(table, *[knock(seat) for seat in (6, 5, 4, 3, 2) for _ in range(4)])) == {"recorded"}


def parked_one(table: Table) -> ParkedEntry:
    return ParkedEntry.objects.get(sheet__table=table)


# --- one phone -----------------------------------------------------------------------------------------------------


def test_entries_are_written_in_the_order_they_were_sent(table: Table) -> None:
    assert record(table, knock(1), knock(2, 3), knock(1)) == ["recorded"] * 3

    assert losers(table) == [[1], [2, 3], [1]]
    rows = SheetEntry.objects.filter(sheet__table=table)
    assert [(row.sequence, row.by, row.author, row.pen_epoch) for row in rows] == [
        (sequence, "scribe", "", 1) for sequence in (1, 2, 3)
    ]


def test_a_repeated_batch_is_all_duplicates_and_adds_no_row(table: Table) -> None:
    batch = [knock(1), knock(2)]
    record(table, *batch)

    assert record(table, *batch, knock(3)) == ["duplicate", "duplicate", "recorded"]
    assert losers(table) == [[1], [2], [3]]


def test_an_id_is_taken_by_its_first_body_also_inside_one_batch(table: Table) -> None:
    first = knock(1)

    assert record(table, first, knock(2, entry_id=first.id), first) == ["recorded", "id_taken", "duplicate"]
    assert losers(table) == [[1]]


def test_the_order_of_keys_and_losers_makes_no_other_body(table: Table) -> None:
    first = knock(1, 2)
    again = Sent(first.id, "deal", {"finisher": None, "losers": [2, 1], "ended_by": "knock"}, AT)

    assert record(table, first, again) == ["recorded", "duplicate"]


def test_an_id_of_another_table_is_taken(tournament: Tournament, table: Table) -> None:
    entry = knock(1)
    record(table, entry)

    assert record(a_table(tournament, 2), entry) == ["id_taken"]


def test_a_refused_entry_does_not_stop_the_following_ones(table: Table) -> None:
    assert record(table, knock(1), knock(99), sent("cheered", {}), knock(2)) == [
        "recorded",
        "unknown_seat",
        "unknown_kind",
        "recorded",
    ]
    assert losers(table) == [[1], [2]]


def test_a_refused_entry_leaves_no_trace(table: Table) -> None:
    outcomes, after = sheets.record(table, [knock()], device=PHONE, pen_epoch=1, at=AT)

    assert [(row.outcome, row.refusal and row.refusal.code) for row in outcomes] == [("refused", "no_losers")]
    assert after.log.entries == ()
    assert not SheetEntry.objects.filter(sheet__table=table).exists()


def test_free_text_stands_in_its_own_column_and_comes_back(table: Table) -> None:
    record(table, sent("objected", {"seat_number": 2, "note": "So nicht"}))

    row = SheetEntry.objects.get(sheet__table=table)
    assert (row.data, row.text) == ({"seat_number": 2}, "So nicht")
    assert open_sheet(table.pk).log.entries[0].data == {"seat_number": 2, "note": "So nicht"}


def test_results_follow_the_log_and_count_once_accepted(table: Table) -> None:
    decide(table)
    record(table, sent("submitted", {}))
    assert set(SeatResult.objects.filter(sheet__table=table).values_list("accepted", flat=True)) == {False}

    sheets.write(table, [("accepted", {})], by="spielleitung", at=AT)

    results = SeatResult.objects.filter(sheet__table=table).order_by("seat__seat_number")
    assert [(row.rank, row.points, row.accepted) for row in results] == [
        (1, 6, True),
        (2, 4, True),
        (3, 3, True),
        (4, 2, True),
        (5, 1, True),
        (6, 1, True),
    ]


def test_after_the_hand_in_the_phone_writes_nothing_more(table: Table) -> None:
    decide(table)

    assert record(table, sent("submitted", {}), sent("confirmed", {"seat_number": 1})) == [
        "recorded",
        "sheet_is_submitted",
    ]


# --- the pen -------------------------------------------------------------------------------------------------------


def test_taking_the_pen_again_keeps_its_epoch(table: Table) -> None:
    sheet = sheets.take_pen(table, device=PHONE, at=AT)

    assert (sheet.row.pen_epoch, sheet.row.pen_device) == (1, PHONE)


def test_a_phone_that_never_had_the_pen_is_refused(table: Table) -> None:
    assert record(table, knock(1), device=OTHER) == ["no_pen"]
    assert record(table, knock(1), device=OTHER, pen_epoch=0) == ["no_pen"]
    assert record(table, knock(1), pen_epoch=2) == ["no_pen"]
    assert record(table, knock(1), device="", pen_epoch=0) == ["no_pen"]


def test_entries_under_an_older_epoch_are_parked_once(table: Table) -> None:
    sheets.take_pen(table, device=OTHER, at=AT)
    late = knock(1)

    assert record(table, late, knock(2), late) == ["parked", "parked", "parked"]
    assert record(table, late) == ["parked"]
    assert record(table, knock(3, entry_id=late.id)) == ["id_taken"]
    assert ParkedEntry.objects.filter(sheet__table=table).count() == 2
    assert losers(table) == []


def test_an_invalid_entry_is_refused_and_not_parked(table: Table) -> None:
    sheets.take_pen(table, device=OTHER, at=AT)

    assert record(table, knock(99), sent("cheered", {})) == ["unknown_seat", "unknown_kind"]
    assert not ParkedEntry.objects.exists()


def test_the_organisers_facts_raise_the_epoch_and_leave_the_pen(table: Table) -> None:
    sheets.write(table, [("stroke", {"seat_number": 1, "mark": "feuer"})], by="spielleitung", at=AT)

    sheet = open_sheet(table.pk)
    assert (sheet.row.pen_epoch, sheet.row.pen_device) == (2, PHONE)
    assert record(table, knock(1)) == ["parked"]
    assert record(table, knock(2), pen_epoch=2) == ["recorded"]


def test_accepting_and_reopening_leave_the_epoch_unchanged(table: Table) -> None:
    decide(table)
    sheets.write(
        table, [("accepted", {"reason": "so ist es"}), ("reopened", {"reason": "doch nicht"})], by="o", at=AT
    )

    assert open_sheet(table.pk).row.pen_epoch == 1


def test_the_organisers_mark_on_a_tout_leaves_the_epoch_and_only_he_can_put_it(db: None) -> None:
    tournament = TournamentFactory.create(ruleset=preset("schafkopf").to_dict())
    ParticipantFactory.create_batch(4, tournament=tournament)
    table = a_table(tournament, 1)
    ruf = {"game": "ruf", "declarer": 1, "partner": 2, "won": True, "level": "normal"}
    tout = sent("deal", {**ruf, "game": "solo", "partner": None, "level": "tout"})
    assert record(table, sent("deal", ruf), tout, sent("approved", {"entry": tout.id})) == [
        "recorded",
        "recorded",
        "organiser_only",
    ]

    sheets.write(table, [("approved", {"entry": tout.id})], by="spielleitung", initials="SL", at=AT)

    assert open_sheet(table.pk).row.pen_epoch == 1
    assert record(table, sent("deal", ruf)) == ["recorded"]
    seats = SeatResult.objects.filter(sheet__table=table).order_by("seat__seat_number")
    assert [seat.points for seat in seats] == [26, -6, -10, -10]
    assert seats[0].counts == {"tout_won": 1, "tout_played": 1, "solo_won": 1, "solo_played": 1}


def test_the_organiser_writes_all_or_nothing(table: Table) -> None:
    stroke = ("stroke", {"seat_number": 1, "mark": "feuer"})

    with pytest.raises(Refusal, match="unknown_seat"):
        sheets.write(table, [stroke, ("stroke", {"seat_number": 99, "mark": "feuer"})], by="o", at=AT)

    assert open_sheet(table.pk).log.entries == ()


def test_the_organisers_entries_say_who_wrote_them(table: Table) -> None:
    sheets.write(
        table, [("stroke", {"seat_number": 1, "mark": "feuer"})], by="spielleitung", at=AT, initials="SL"
    )

    row = SheetEntry.objects.get(sheet__table=table)
    assert (row.by, row.author, row.initials, row.pen_epoch) == ("organiser", "spielleitung", "SL", None)


def test_nobody_writes_before_the_round_is_released(tournament: Tournament) -> None:
    table = a_round(tournament, released=False).tables.get(number=1)

    with pytest.raises(Refusal, match="round_not_released"):
        sheets.write(table, [("stroke", {"seat_number": 1, "mark": "feuer"})], by="o", at=AT)
    with pytest.raises(Refusal, match="round_is_closed"):
        sheets.take_pen(table, device=PHONE, at=AT)


# --- confirmations that change nothing ------------------------------------------------------------------------------


def test_a_confirmation_that_stands_is_a_duplicate_under_any_id_and_is_not_stored(table: Table) -> None:
    first, again = sent("confirmed", {"seat_number": 2}), sent("confirmed", {"seat_number": 2})

    assert record(table, first, again) == ["recorded", "duplicate"]
    assert record(table, again, first) == ["duplicate", "duplicate"]

    assert [entry.id for entry in open_sheet(table.pk).log.entries] == [first.id]


def test_a_confirmation_after_the_next_deal_counts_again(table: Table) -> None:
    confirmation = {"seat_number": 2}
    entries = sent("confirmed", confirmation), knock(1), sent("confirmed", confirmation)

    assert record(table, *entries) == ["recorded", "recorded", "recorded"]
    assert open_sheet(table.pk).log.confirmed == {2}


def test_a_confirmation_sent_again_with_the_deal_after_it_does_not_confirm_this_deal(table: Table) -> None:
    """The answer was lost, so the phone sends the whole request again."""
    record(table, sent("confirmed", {"seat_number": 2}))
    request = sent("confirmed", {"seat_number": 2}), knock(1)

    assert record(table, *request) == ["duplicate", "recorded"]
    assert record(table, *request) == ["duplicate", "duplicate"]

    assert open_sheet(table.pk).log.confirmed == frozenset()


def test_a_confirmation_on_a_sheet_that_was_handed_in_is_still_refused(table: Table) -> None:
    decide(table)
    record(table, sent("confirmed", {"seat_number": 2}), sent("submitted", {}))

    assert record(table, sent("confirmed", {"seat_number": 2})) == ["sheet_is_submitted"]


# --- a reopened sheet -----------------------------------------------------------------------------------------------


def reopen(table: Table) -> None:
    sheets.write(table, [("reopened", {"reason": "Ein Spiel fehlt"})], by="maria", at=AT)


def confirmations(*seats: int) -> list[Sent]:
    return [sent("confirmed", {"seat_number": seat}) for seat in seats]


def test_a_reopened_sheet_is_handed_in_with_new_confirmations_only(table: Table) -> None:
    decide(table)
    old, submitted = confirmations(1, 2, 3), sent("submitted", {})
    assert record(table, *old, submitted) == ["recorded"] * 4
    reopen(table)

    assert record(table, *old, sent("submitted", {})) == ["duplicate"] * 3 + ["confirmations_missing"]
    assert record(table, *confirmations(1, 1, 2), sent("submitted", {})) == [
        *("recorded", "duplicate", "recorded", "confirmations_missing")
    ]
    assert record(table, *confirmations(3), sent("submitted", {})) == ["recorded", "recorded"]
    assert record(table, *old, submitted) == ["duplicate"] * 4
    assert open_sheet(table.pk).log.phase == "submitted"


def test_other_reasons_against_submitting_a_reopened_sheet_come_first(table: Table) -> None:
    decide(table)
    record(table, *confirmations(1), sent("submitted", {}))
    reopen(table)
    record(table, sent("objected", {"seat_number": 2, "note": "So nicht"}))

    assert record(table, sent("submitted", {})) == ["objection_stands"]


def test_a_parked_hand_in_of_a_reopened_sheet_is_not_adopted(tournament: Tournament, table: Table) -> None:
    decide(table)
    record(table, *confirmations(1), sent("submitted", {}))
    reopen(table)
    sheets.take_pen(table, device=OTHER, at=AT)
    assert record(table, sent("submitted", {})) == ["parked"]

    with pytest.raises(Refusal) as refusal:
        parked_entries.adopt(tournament, parked_one(table).pk, reason="Ja", by="maria", at=AT)
    assert (refusal.value.code, refusal.value.params) == ("confirmations_missing", {"seats": [1]})


def test_a_stored_log_with_a_hand_in_after_a_reopening_is_still_read(table: Table) -> None:
    """Such logs were written before the rule."""
    decide(table)
    record(table, *confirmations(1), sent("submitted", {}))
    reopen(table)
    log = open_sheet(table.pk).log

    assert core.append(log, Entry(str(uuid4()), "submitted", {}, "scribe")).phase == "submitted"


# --- parked entries ------------------------------------------------------------------------------------------------


def test_an_adopted_entry_is_appended_under_its_own_id(tournament: Tournament, table: Table) -> None:
    sheets.take_pen(table, device=OTHER, at=AT)
    late = knock(1)
    record(table, late)

    parked_entries.adopt(tournament, parked_one(table).pk, reason="Stimmt so", by="spielleitung", at=AT)

    assert [entry.id for entry in open_sheet(table.pk).log.entries] == [late.id]
    assert record(table, late) == ["duplicate"]
    decided = parked_one(table)
    assert (decided.outcome, decided.decided_by, decided.decided_reason) == (
        "adopted",
        "spielleitung",
        "Stimmt so",
    )
    assert open_sheet(table.pk).row.pen_epoch == 3


def test_a_discarded_entry_is_refused_with_the_reason(tournament: Tournament, table: Table) -> None:
    sheets.take_pen(table, device=OTHER, at=AT)
    late = knock(1)
    record(table, late)

    parked_entries.discard(tournament, parked_one(table).pk, reason="Doppelt", by="spielleitung", at=AT)

    outcomes, _ = sheets.record(table, [late], device=PHONE, pen_epoch=1, at=AT)
    assert outcomes[0].refusal is not None
    assert (outcomes[0].refusal.code, outcomes[0].refusal.params) == ("was_discarded", {"reason": "Doppelt"})
    assert losers(table) == []


def test_a_decision_on_a_parked_entry_is_made_once_and_with_a_reason(
    tournament: Tournament, table: Table
) -> None:
    sheets.take_pen(table, device=OTHER, at=AT)
    record(table, knock(1))
    parked = parked_one(table).pk
    with pytest.raises(Refusal, match="text_empty"):
        parked_entries.discard(tournament, parked, reason=" ", by="o", at=AT)
    parked_entries.discard(tournament, parked, reason="Doppelt", by="o", at=AT)

    with pytest.raises(Refusal, match="parked_is_decided"):
        parked_entries.adopt(tournament, parked, reason="Doch", by="o", at=AT)
    with pytest.raises(Refusal, match="unknown_parked"):
        parked_entries.adopt(TournamentFactory.create(), parked, reason="Doch", by="o", at=AT)
    assert losers(table) == []


def test_a_parked_entry_that_the_sheet_refuses_stays_parked(tournament: Tournament, table: Table) -> None:
    record(table, *[knock(6)] * 1, *[knock(6) for _ in range(3)])
    sheets.take_pen(table, device=OTHER, at=AT)
    record(table, knock(6))

    with pytest.raises(Refusal, match="already_drowned"):
        parked_entries.adopt(tournament, parked_one(table).pk, reason="Stimmt", by="o", at=AT)
    assert parked_one(table).outcome == ""


def test_all_parked_entries_are_adopted_in_one_go_but_for_those_that_do_not_fit(table: Table) -> None:
    record(table, *[knock(6) for _ in range(4)])
    sheets.take_pen(table, device=OTHER, at=AT)
    late = [knock(1), knock(6), knock(2)]
    record(table, *late)
    newest = ParkedEntry.objects.latest("pk").pk

    count, refused = parked_entries.adopt_all(table, up_to=newest, reason="Tisch gefragt", by="o", at=AT)

    drowned = ParkedEntry.objects.get(entry_id=late[1].id)
    assert (count, [(pk, why.code) for pk, why in refused.items()]) == (2, [(drowned.pk, "already_drowned")])
    assert losers(table)[4:] == [[1], [2]]
    assert list(ParkedEntry.objects.values_list("outcome", "decided_reason")) == [
        ("adopted", "Tisch gefragt"),
        ("", ""),
        ("adopted", "Tisch gefragt"),
    ]
    assert record(table, *late) == ["duplicate", "parked", "duplicate"]
    assert open_sheet(table.pk).row.pen_epoch == 3


def test_all_parked_entries_are_discarded_in_one_go(table: Table) -> None:
    sheets.take_pen(table, device=OTHER, at=AT)
    late = [knock(1), knock(2)]
    record(table, *late)
    newest = ParkedEntry.objects.latest("pk").pk

    assert parked_entries.discard_all(table, up_to=newest, reason="Unsinn", by="o", at=AT) == 2

    assert record(table, *late) == ["was_discarded", "was_discarded"]
    assert losers(table) == []
    assert parked_entries.discard_all(table, up_to=newest, reason="Unsinn", by="o", at=AT) == 0


def test_entries_parked_after_the_page_was_loaded_stay_parked(table: Table) -> None:
    sheets.take_pen(table, device=OTHER, at=AT)
    record(table, knock(1))
    seen = parked_one(table).pk
    record(table, knock(2))

    parked_entries.discard_all(table, up_to=seen, reason="Unsinn", by="o", at=AT)

    assert list(ParkedEntry.objects.values_list("outcome", flat=True)) == ["discarded", ""]


def test_all_parked_entries_are_decided_with_a_reason_or_none_is(table: Table) -> None:
    sheets.take_pen(table, device=OTHER, at=AT)
    record(table, knock(1))
    newest = parked_one(table).pk
    for decide_all in (parked_entries.adopt_all, parked_entries.discard_all):
        with pytest.raises(Refusal, match="text_empty"):
            decide_all(table, up_to=newest, reason=" ", by="o", at=AT)
    assert (parked_one(table).outcome, losers(table)) == ("", [])


# --- links and closed rounds ---------------------------------------------------------------------------------------


def test_a_closed_round_parks_what_comes_late_from_who_had_the_pen(
    tournament: Tournament, table: Table
) -> None:
    early = knock(1)
    record(table, early)
    scoring_rounds.close(tournament, 1, reason="Abend vorbei", at=AT)

    assert record(table, early, knock(2)) == ["duplicate", "parked"]
    assert record(table, knock(3), device=OTHER) == ["no_pen"]
    with pytest.raises(Refusal, match="round_is_closed"):
        sheets.take_pen(table, device=OTHER, at=AT)
    with pytest.raises(Refusal, match="link_of_closed_round"):
        sheets.enter(links.sheet_secret(table.pk, 1), device=None)


def test_a_revoked_link_lets_nobody_in_and_the_new_one_does(tournament: Tournament, table: Table) -> None:
    revoked = rounds.revoke_link(tournament, 1, 1)

    with pytest.raises(Refusal, match="link_unknown"):
        sheets.enter(links.sheet_secret(table.pk, 1), device=None)
    entered, device = sheets.enter(links.sheet_secret(table.pk, revoked.link_version), device=PHONE)
    assert (entered, device) == (table, PHONE)


# --- races ---------------------------------------------------------------------------------------------------------


def test_two_tries_of_one_batch_at_once_write_it_once(committed: None) -> None:
    tournament = TournamentFactory.create(slug=f"gleichzeitig-{uuid4().hex[:12]}")
    ParticipantFactory.create_batch(6, tournament=tournament)
    table = a_table(tournament, 1)
    batch = [knock(1), knock(2)]

    def send() -> list[EntryOutcome]:
        return sheets.record(table, batch, device=PHONE, pen_epoch=1, at=AT)[0]

    answers = at_once(send, send, send)

    said = [[row.outcome for row in answer] for answer in answers if isinstance(answer, list)]
    assert sorted(said) == [["duplicate"] * 2, ["duplicate"] * 2, ["recorded"] * 2]
    assert losers(table) == [[1], [2]]


def test_a_submission_and_a_simultaneous_correction_have_one_of_two_valid_results(committed: None) -> None:
    """The second writer sees the first one's entries: no sheet is submitted with an unseen correction."""
    tournament = TournamentFactory.create(slug=f"gleichzeitig-{uuid4().hex[:12]}")
    ParticipantFactory.create_batch(6, tournament=tournament)
    table = a_table(tournament, 1)
    decide(table)
    last = open_sheet(table.pk).log.facts[-1]
    other = {**last.data, "losers": [1]}
    correction = {"entry": last.entry_id, "data": other, "reason": "Verwechselt"}

    def hand_in() -> str:
        return record(table, sent("submitted", {}))[0]

    def correct() -> str:
        sheets.write(table, [("corrected", correction)], by="spielleitung", at=AT)
        return "corrected"

    submitted, corrected = at_once(hand_in, correct)

    kinds = [entry.kind for entry in open_sheet(table.pk).log.entries if entry.kind != "deal"]
    if kinds == ["submitted"]:
        assert (submitted, getattr(corrected, "code", None)) == ("recorded", "sheet_is_submitted")
    else:
        assert (kinds, submitted, corrected) == (["corrected"], "parked", "corrected")
