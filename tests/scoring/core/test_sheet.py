"""The fold: taking back, correcting, confirming, objecting, handing in, accepting, reopening."""

import copy
import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from scoring.core.entries import Entry
from scoring.core.sheet import ReplayRefused, SheetLog, append, empty, normalised, replay
from tests.scoring.core.vectors import Log, entry_id, log_of, logs, seats_of, steps, vector
from tests.scoring.core.writing import (
    SCHNAUZ_PLACING,
    SUBMITTED,
    Line,
    accepted,
    confirmed,
    corrected,
    feuer,
    knock,
    objected,
    ranked,
    ranks,
    refused,
    reopened,
    schnauz,
    stroke,
    table_of,
    voided,
    written,
)
from tournaments.core.refusal import Refusal

ALL_CONFIRM = replace(SCHNAUZ_PLACING, confirmation="required")


def finished(size: int = 3) -> SheetLog:
    """Return a sheet on which seat 1 has won; lines 1-4 drowned the last seat, and so on."""
    return table_of(size, *[knock(seat) for seat in range(size, 1, -1) for _ in range(4)])


# -- Writing ----------------------------------------------------------------------------------------------------------


def test_a_new_sheet_is_open_and_empty() -> None:
    sheet = table_of(5)
    assert (sheet.status, sheet.is_complete, sheet.entries, sheet.facts) == ("open", False, (), ())
    assert ranks(sheet) == dict.fromkeys(seats_of(5))


def test_deals_are_numbered_in_their_order_and_other_facts_are_not() -> None:
    sheet = table_of(3, knock(1), stroke(1), knock(2))
    assert [fact.deal_number for fact in sheet.facts] == [1, None, 2]


def test_an_entry_keeps_what_was_written_beside_it() -> None:
    entry = Entry(entry_id(1).upper(), "deal", dict(knock(3, 1).data), "organiser", initials="AB")
    (kept,) = append(table_of(3), entry).entries
    assert (kept.id, kept.by, kept.initials) == (entry_id(1), "organiser", "AB")
    assert kept.data == {"losers": [1, 3], "ended_by": "knock", "finisher": None}


def test_an_id_is_used_once_on_a_sheet_whatever_its_case() -> None:
    sheet = append(
        table_of(3), Entry("AAAAAAAA-0000-4000-8000-000000000000", "deal", knock(1).data, "scribe")
    )
    again = Entry("aaaaaaaa-0000-4000-8000-000000000000", "deal", knock(1).data, "scribe")
    with pytest.raises(Refusal) as caught:
        append(sheet, again)
    assert caught.value.code == "duplicate_id"


def test_what_the_kind_of_sheet_does_not_know_is_refused() -> None:
    assert refused(table_of(3), Line("totalled", {})).code == "unknown_kind"


def test_a_log_that_cannot_be_names_the_entry() -> None:
    entries = [Entry(entry_id(n), "deal", knock(n).data, "scribe") for n in (1, 2, 9)]
    with pytest.raises(ReplayRefused) as caught:
        replay(SCHNAUZ_PLACING, seats_of(3), entries)
    assert (caught.value.index, caught.value.entry_id) == (2, entry_id(9))
    assert caught.value.refusal.code == "unknown_seat"


def test_the_data_of_a_correction_is_normalised_as_the_fact_it_corrects() -> None:
    data = {"entry": entry_id(1), "data": knock(3, 2).data, "reason": " zu früh "}
    assert normalised(table_of(3, knock(1)), "corrected", data) == {
        "entry": entry_id(1),
        "data": {"losers": [2, 3], "ended_by": "knock", "finisher": None},
        "reason": "zu früh",
    }


# -- Taking back ------------------------------------------------------------------------------------------------------


def test_the_scribe_takes_back_any_fact_without_a_reason() -> None:
    sheet = table_of(3, knock(1), knock(2), knock(3), voided(2))
    assert [(fact.data["losers"], fact.deal_number) for fact in sheet.facts] == [([1], 1), ([3], 2)]
    assert sheet.voided == {entry_id(2): entry_id(4)}
    assert len(sheet.entries) == 4


def test_the_organiser_takes_back_with_a_reason_only() -> None:
    sheet = table_of(3, knock(1))
    assert refused(sheet, voided(1), by="organiser").code == "reason_needed"
    assert written(sheet, voided(1, "Doppelt"), by="organiser").facts == ()


def test_taking_back_the_last_deal_opens_a_decided_table_again() -> None:
    sheet = written(finished(), voided(8))
    assert (sheet.is_complete, sheet.state.swimming) == (False, (2,))


def test_taking_back_the_ranks_lets_the_deals_go_on() -> None:
    sheet = table_of(3, knock(1), ranked(1, 2, 3), voided(2), knock(1))
    assert (sheet.state.deals, sheet.is_complete) == (2, False)


def test_taking_back_what_makes_a_later_deal_impossible_is_refused() -> None:
    """Seat 3 drowned in deal 4; without it the Feuer of deal 5 would have to cost this seat a life as well."""
    sheet = table_of(3, *[knock(3)] * 4, feuer(1, 2))
    refusal = refused(sheet, voided(4))
    assert refusal.code == "later_entry_impossible"
    assert refusal.params == {"entry": entry_id(5), "why": "all_others_lose"}
    assert written(sheet, voided(5), voided(4)).state.deals == 3


def test_only_facts_corrections_and_objections_are_taken_back() -> None:
    sheet = table_of(3, knock(1), confirmed(2), voided(1), ranked(1, 2, 3), corrected(4, ranked(1, 3, 2)))
    assert refused(sheet, voided(2)).code == "cannot_be_voided"
    assert refused(sheet, voided(3)).code == "cannot_be_voided"
    assert refused(sheet, voided(5)).code == "organiser_only"


def test_the_organiser_takes_back_a_correction_and_the_one_before_it_counts_again() -> None:
    sheet = table_of(3, knock(1), corrected(1, knock(2)), corrected(1, knock(3)))
    once = written(sheet, voided(3, "Doch nicht"), by="organiser")
    assert [(fact.data["losers"], fact.corrected) for fact in once.facts] == [([2], True)]
    twice = written(once, voided(2, "Gar nicht"), by="organiser")
    assert [(fact.data["losers"], fact.corrected) for fact in twice.facts] == [([1], False)]
    assert refused(twice, voided(2, "Noch einmal"), by="organiser").code == "already_voided"


def test_a_correction_of_what_was_taken_back_is_not_taken_back() -> None:
    sheet = table_of(3, knock(1), corrected(1, knock(2)), voided(1))
    assert refused(sheet, voided(2, "Doch nicht"), by="organiser").code == "already_voided"


def test_nothing_is_taken_back_twice_and_nothing_that_is_not_there() -> None:
    sheet = table_of(3, knock(1), voided(1))
    assert (refused(sheet, voided(1)).code, refused(sheet, voided(99)).code) == (
        "already_voided",
        "unknown_entry",
    )


# -- Correcting -------------------------------------------------------------------------------------------------------


def test_a_corrected_deal_counts_with_its_new_data_at_its_old_place() -> None:
    sheet = table_of(3, knock(1), knock(2), corrected(1, schnauz(2, 3)))
    assert [(fact.data["losers"], fact.corrected) for fact in sheet.facts] == [([3], True), ([2], False)]
    assert dict(sheet.state.lost) == {1: 0, 2: 1, 3: 1}
    assert sheet.state.strokes_of(2) == 1


def test_the_last_correction_counts() -> None:
    sheet = table_of(3, knock(1), corrected(1, knock(2)), corrected(1, knock(3)))
    assert [fact.data["losers"] for fact in sheet.facts] == [[3]]


def test_only_the_organiser_corrects_accepts_and_reopens() -> None:
    """RULES 1.12."""
    sheet = written(finished(), SUBMITTED)
    for line in (corrected(1, knock(1)), accepted("x"), reopened()):
        refusal = refused(sheet, line, by="scribe")
        assert (refusal.code, refusal.params) == ("organiser_only", {"kind": line.kind})


def test_strokes_and_ranks_are_corrected_as_well() -> None:
    sheet = table_of(
        3, stroke(1), ranked(1, 2, 3), corrected(1, stroke(2, "feuer")), corrected(2, ranked(2, 1, 3))
    )
    assert ranks(sheet) == {1: 2, 2: 1, 3: 3}
    assert dict(sheet.state.feuer) == {1: 0, 2: 1, 3: 0}


def test_a_correction_must_be_possible_at_its_place() -> None:
    sheet = table_of(3, *[knock(3)] * 4, knock(1))
    assert refused(sheet, corrected(5, knock(3))).code == "already_drowned"
    assert refused(sheet, corrected(5, stroke(3))).code == "bad_entry"
    assert refused(sheet, corrected(5, knock())).code == "no_losers"


def test_a_correction_that_makes_a_later_deal_impossible_is_refused() -> None:
    sheet = table_of(2, knock(1), knock(2), knock(2), knock(2), knock(1), knock(2))
    refusal = refused(sheet, corrected(1, knock(2)))
    assert refusal.code == "later_entry_impossible"
    assert refusal.params == {"entry": entry_id(5), "why": "table_decided"}


def test_only_facts_that_count_are_corrected() -> None:
    sheet = table_of(3, knock(1), confirmed(2), voided(1))
    assert refused(sheet, corrected(1, knock(2))).code == "already_voided"
    assert refused(sheet, corrected(2, knock(2))).code == "cannot_be_corrected"
    assert refused(sheet, corrected(99, knock(2))).code == "unknown_entry"


# -- Confirming and objecting -----------------------------------------------------------------------------------------


def test_a_confirmation_stands_until_the_facts_change() -> None:
    sheet = table_of(3, knock(1), confirmed(1), confirmed(2))
    assert sheet.confirmed == {1, 2}
    for line in (knock(1), stroke(1), ranked(1, 2, 3), corrected(1, knock(2)), voided(1)):
        assert written(sheet, line).confirmed == set()


def test_confirming_twice_changes_nothing() -> None:
    assert table_of(3, confirmed(1), confirmed(1)).confirmed == {1}


def test_an_objection_leaves_the_confirmations_and_so_does_taking_it_back() -> None:
    sheet = table_of(3, confirmed(1), objected(2))
    assert sheet.status == "objected"
    assert sheet.confirmed == {1}
    sheet = written(sheet, confirmed(2), voided(2))
    assert (sheet.status, sheet.objections) == ("open", ())
    assert sheet.confirmed == {1, 2}


def test_a_player_who_objected_and_then_confirms_still_objects() -> None:
    sheet = table_of(3, objected(2), confirmed(2))
    assert [(objection.seat_number, objection.note) for objection in sheet.objections] == [
        (2, "Das waren nur 12")
    ]


def test_each_objection_is_taken_back_for_itself() -> None:
    sheet = table_of(3, objected(2), objected(2, "Und das auch"), voided(1))
    assert [objection.entry_id for objection in sheet.objections] == [entry_id(2)]
    assert refused(sheet, voided(1)).code == "already_voided"


# -- Handing in, accepting, reopening ---------------------------------------------------------------------------------


def test_a_complete_sheet_is_handed_in_and_closed_to_everything_but_the_organisers_yes() -> None:
    sheet = written(finished(), SUBMITTED)
    assert sheet.status == "submitted"
    for line in (stroke(1), confirmed(1), objected(1), voided(1), corrected(1, knock(2)), SUBMITTED):
        assert refused(sheet, line, by="organiser").code == "sheet_is_submitted"
    assert written(sheet, accepted()).status == "accepted"


def test_an_incomplete_sheet_is_neither_handed_in_nor_accepted() -> None:
    sheet = table_of(3, knock(1))
    refusal = refused(sheet, SUBMITTED)
    assert (refusal.code, refusal.params) == ("not_complete", {"why": "no_winner_yet", "left": 3})
    assert refused(sheet, accepted("Sie gehen heim")).code == "not_complete"
    assert written(sheet, ranked(1, 2, 3), accepted("Sie gehen heim")).status == "accepted"


def test_an_objection_stops_the_sheet_until_it_is_taken_back() -> None:
    sheet = written(finished(), objected(3), objected(2), objected(3))
    refusal = refused(sheet, SUBMITTED)
    assert (refusal.code, refusal.params) == ("objection_stands", {"seats": [2, 3]})
    assert written(sheet, voided(9), voided(10), voided(11), SUBMITTED).status == "submitted"


def test_the_organiser_may_accept_over_an_objection_with_a_reason() -> None:
    """RULES 1.12: in doubt the organiser decides."""
    sheet = written(finished(), objected(3))
    assert refused(sheet, accepted()).code == "reason_needed"
    assert written(sheet, accepted("Beide Zeugen sagen 13")).status == "accepted"


def test_where_the_ruleset_wants_it_everybody_confirms_first() -> None:
    sheet = table_of(2, *[knock(2)] * 4, confirmed(2), ruleset=ALL_CONFIRM)
    refusal = refused(sheet, SUBMITTED)
    assert (refusal.code, refusal.params) == ("confirmations_missing", {"seats": [1]})
    assert written(sheet, confirmed(1), SUBMITTED).status == "submitted"


def test_an_accepted_sheet_is_closed_to_everybody() -> None:
    sheet = written(finished(), SUBMITTED, accepted())
    assert refused(sheet, stroke(1), by="organiser").code == "sheet_is_accepted"
    assert refused(sheet, SUBMITTED).code == "sheet_is_accepted"
    assert refused(sheet, accepted()).code == "already_accepted"


def test_only_a_closed_sheet_is_reopened() -> None:
    assert refused(finished(), reopened()).code == "sheet_is_open"


def test_confirmations_outlive_reopening_until_the_facts_change() -> None:
    sheet = table_of(
        2, *[knock(2)] * 4, confirmed(1), confirmed(2), SUBMITTED, accepted(), reopened(), ruleset=ALL_CONFIRM
    )
    assert sheet.status == "open"
    assert sheet.confirmed == {1, 2}
    assert written(sheet, SUBMITTED).status == "submitted"
    assert refused(written(sheet, stroke(1)), SUBMITTED).code == "confirmations_missing"


def test_a_sheet_remembers_that_it_was_accepted_and_that_it_was_reopened() -> None:
    sheet = written(finished(), SUBMITTED, reopened())
    assert (sheet.was_accepted, sheet.last_reopened) == (False, True)
    sheet = written(sheet, accepted("Jetzt stimmt es"))
    assert (sheet.was_accepted, sheet.last_reopened) == (True, False)
    sheet = written(sheet, reopened(), stroke(1))
    assert (sheet.was_accepted, sheet.last_reopened) == (True, True)
    assert written(sheet, SUBMITTED).last_reopened is False


def test_the_life_cycle_is_judged_as_the_log_stood() -> None:
    """After reopening, the deal that decided the table may go, although the sheet was handed in with it."""
    sheet = written(finished(), SUBMITTED, reopened(), voided(8))
    assert (sheet.status, sheet.is_complete) == ("open", False)
    assert replay(sheet.ruleset, sheet.seats, sheet.entries) == sheet


# -- What always holds ------------------------------------------------------------------------------------------------


@given(logs())
def test_what_is_refused_changes_nothing(log: Log) -> None:
    sheet = empty(log.ruleset, log.seats)
    for attempt in log.attempts:
        before = copy.deepcopy(sheet)
        try:
            after = append(sheet, attempt)
        except Refusal:
            after = sheet
        assert sheet == before
        assert after.entries[: len(sheet.entries)] == sheet.entries
        sheet = after


@given(logs())
def test_a_log_replayed_gives_the_same_sheet(log: Log) -> None:
    sheet, _ = steps(log)
    assert replay(log.ruleset, log.seats, sheet.entries) == sheet


@given(logs())
def test_the_facts_that_count_are_the_log_without_what_was_taken_back_and_with_what_was_corrected(
    log: Log,
) -> None:
    """Voids and corrections leave the state of a sheet on which things were written right at once."""
    sheet, _ = steps(log)
    standing = [e for e in sheet.entries if e.kind == "corrected" and e.id not in sheet.voided]
    latest = {entry.data["entry"]: entry.data["data"] for entry in standing}
    right_at_once = [
        replace(entry, data=latest.get(entry.id, entry.data))
        for entry in sheet.entries
        if entry.kind in sheet.kind.facts and entry.id not in sheet.voided
    ]
    other = replay(log.ruleset, log.seats, right_at_once)
    assert other.state == sheet.state
    assert other.results == sheet.results
    assert [replace(fact, corrected=False) for fact in sheet.facts] == list(other.facts)
    assert {fact.entry_id for fact in sheet.facts if fact.corrected} == latest.keys() - sheet.voided.keys()


@given(logs())
def test_a_closed_sheet_is_complete_and_an_accepted_one_once_was(log: Log) -> None:
    sheet, _ = steps(log)
    if sheet.phase != "open":
        assert sheet.kind.unacceptable(sheet.state) is None
        assert sheet.phase == "accepted" or sheet.is_complete
        assert not sheet.last_reopened
    assert sheet.was_accepted == any(entry.kind == "accepted" for entry in sheet.entries)
    assert sheet.confirmed <= set(log.seats)
    assert not {objection.entry_id for objection in sheet.objections} & sheet.voided.keys()


@given(logs(longest=25))
def test_a_log_and_its_sheet_go_through_json_unchanged(log: Log) -> None:
    assert json.loads(json.dumps(vector(log))) == vector(log)


def test_every_reason_to_refuse_an_entry_turns_up_in_the_logs() -> None:
    """The generator is useful only if it reaches them all."""
    codes = {
        *("bad_entry", "bad_text", "unknown_kind", "unknown_seat", "unknown_entry", "duplicate_id"),
        *("organiser_only", "reason_needed", "no_losers", "unknown_ending", "finisher_needed"),
        *("finisher_on_knock", "finisher_cannot_lose", "already_drowned", "all_others_lose"),
        *("would_drown_everybody", "table_decided", "already_ranked", "unknown_mark", "ranks_incomplete"),
        *("ranks_two_winners", "ranks_no_competition_ranking", "cannot_be_voided", "cannot_be_corrected"),
        *("already_voided", "later_entry_impossible", "not_complete", "objection_stands"),
        *("confirmations_missing", "sheet_is_submitted", "sheet_is_accepted", "sheet_is_open"),
        *("already_accepted", "latest_deal_only", "objection_is_closed", "seats_incomplete"),
        *("corrected_by_supervisor", "supervisor_takes_back"),
        *("impossible_hand", "two_feuer", "all_deals_written", "already_totalled", "deals_written"),
        *("impossible_total", "four_at_the_table", "unknown_game", "unknown_level", "partner_needed"),
        *("partner_is_declarer", "no_partner_in_a_solo", "not_in_first_deal", "nothing_to_approve"),
        *("points_do_not_balance", "too_many_solos"),
    }
    whys = {"no_winner_yet", "deals_missing", "approval_missing", "nothing_to_approve"}
    for seed in range(900):
        for refusal in filter(None, steps(log_of(Random(seed), 60))[1]):
            codes.discard(refusal.code)
            whys.discard(refusal.params.get("why", ""))
        if not codes and not whys:
            break
    assert (codes, whys) == (set(), set())
