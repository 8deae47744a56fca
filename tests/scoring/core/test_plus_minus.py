"""Plus and minus, read along the rule sheet `schafkopf` (RULES 5)."""

from dataclasses import replace

import pytest
from hypothesis import given

from scoring.core.plus_minus import COUNTS, PlusMinus
from scoring.core.sheet import SheetLog
from tests.rulesets import sheet_as
from tests.scoring.core.vectors import Log, entry_id, logs, steps
from tests.scoring.core.writing import (
    SUBMITTED,
    Line,
    accepted,
    approved,
    confirmed,
    corrected,
    knock,
    objected,
    points,
    ranks,
    refused,
    reopened,
    ruf,
    solo,
    strokes,
    table_of,
    totalled,
    voided,
    written,
)
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import PlusMinusRules, Solo

SCHAFKOPF = preset("schafkopf")
SLIPS = replace(SCHAFKOPF, scribe_takes_back="latest_deal")
"""The scribe may take back the latest deal, for a slip of the finger."""
THE_SAMPLE = [
    ruf(1, 2),
    ruf(2, 4, level="schneider"),
    solo(1),
    ruf(3, 2, level="durch"),
    ruf(1, 4, won=False),
    solo(1, won=False),
    solo(4, level="tout"),
    ruf(4, 1, won=False, level="schneider"),
    solo(3),
    ruf(3, 4, won=False, level="schneider"),
    solo(2, won=False),
    ruf(2, 3),
]
"""The sample list of the rule sheet."""
ALL_CONFIRM = [confirmed(seat) for seat in (1, 2, 3, 4)]


def schafkopf(*lines: Line, ruleset: Ruleset = SCHAFKOPF, size: int = 4) -> SheetLog:
    return table_of(size, *lines, ruleset=ruleset)


def whole_round(*last: Line) -> list[Line]:
    return [ruf(1, 2)] * (32 - len(last)) + list(last)


def gives(line: Line) -> list[int | None]:
    """Return the points of one deal for seats 1 to 4; a Rufspiel is written before it."""
    sheet = schafkopf(ruf(1, 2), line)
    if sheet.state.waiting:
        sheet = written(sheet, approved(2))
    return [value - before for value, before in zip(sheet_points(sheet), (1, 1, -1, -1), strict=True)]


def sheet_points(sheet: SheetLog) -> list[int]:
    return [score.points or 0 for score in sheet.results]


# -- What a deal gives (RULES 5.2) ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "worth"), [("normal", 1), ("schneider", 2), ("durch", 3)])
def test_rules_5_2_a_rufspiel_is_two_against_two(level: str, worth: int) -> None:
    """RULES 5.2."""
    assert gives(ruf(1, 3, level=level)) == [worth, -worth, worth, -worth]
    assert gives(ruf(1, 3, level=level, won=False)) == [-worth, worth, -worth, worth]


@pytest.mark.parametrize("game", ["solo", "wenz", "farbwenz"])
@pytest.mark.parametrize(
    ("level", "declarer", "others"),
    [("normal", 6, 2), ("schneider", 9, 3), ("durch", 12, 4), ("tout", 24, 8)],
)
def test_rules_5_2_a_solo_or_wenz_is_one_against_three(
    game: str, level: str, declarer: int, others: int
) -> None:
    """RULES 5.2."""
    assert gives(solo(2, game=game, level=level)) == [-others, declarer, -others, -others]
    assert gives(solo(2, game=game, level=level, won=False)) == [others, -declarer, others, others]


def test_rules_5_2_a_rufspiel_has_a_partner_who_is_somebody_else() -> None:
    """RULES 5.2."""
    without = Line("deal", {**ruf(1, 2).data, "partner": None})
    assert refused(schafkopf(), without).code == "partner_needed"
    refusal = refused(schafkopf(), ruf(1, 1))
    assert (refusal.code, refusal.params) == ("partner_is_declarer", {"seat": 1})


def test_rules_5_2_a_solo_has_no_partner() -> None:
    """RULES 5.2."""
    with_one = Line("deal", {**solo(1).data, "partner": 2})
    assert refused(schafkopf(), with_one).code == "no_partner_in_a_solo"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "ramsch"}, "unknown_game"),
        ({"game": None}, "unknown_game"),
        ({"game": ["ruf"]}, "unknown_game"),
        ({"declarer": 5}, "unknown_seat"),
        ({"declarer": None}, "bad_entry"),
        ({"declarer": True}, "bad_entry"),
        ({"partner": "2"}, "bad_entry"),
        ({"partner": 0}, "unknown_seat"),
        ({"won": 1}, "bad_entry"),
        ({"won": None}, "bad_entry"),
        ({"level": "contra"}, "unknown_level"),
        ({"level": "kind"}, "unknown_level"),
        ({"level": None}, "unknown_level"),
        ({"points": {}}, "bad_entry"),
    ],
)
def test_a_deal_has_exact_keys_types_and_values(change: dict[str, object], code: str) -> None:
    assert refused(schafkopf(), Line("deal", {**ruf(1, 2).data, **change})).code == code


def test_a_game_that_the_ruleset_does_not_have_is_refused() -> None:
    rules = replace(sheet_as(SCHAFKOPF, PlusMinusRules), solos=("solo", "wenz"))
    sheet = schafkopf(ruleset=replace(SCHAFKOPF, sheet=rules))
    assert refused(sheet, solo(1, game="farbwenz")).code == "unknown_game"


@pytest.mark.parametrize("size", [3, 5])
def test_rules_5_1_it_is_played_by_four(size: int) -> None:
    """RULES 5.1."""
    refusal = refused(schafkopf(size=size), ruf(1, 2))
    assert (refusal.code, refusal.params) == ("four_at_the_table", {"seats": size})


# -- The first deal, and the Tout (RULES 5.3) -------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["solo", "wenz", "farbwenz"])
@pytest.mark.parametrize("level", ["durch", "tout"])
def test_rules_5_3_no_tout_and_no_durch_of_solo_or_wenz_in_the_first_deal(game: str, level: str) -> None:
    """RULES 5.3."""
    assert refused(schafkopf(), solo(1, game=game, level=level)).code == "not_in_first_deal"
    assert schafkopf(ruf(1, 2), solo(1, game=game, level=level)).facts[1].deal_number == 2


def test_rules_5_3_a_durch_rufspiel_and_a_schneider_solo_may_be_the_first_deal() -> None:
    """RULES 5.3."""
    assert schafkopf(ruf(1, 2, level="durch")).facts
    assert schafkopf(solo(1, level="schneider")).facts


def test_rules_5_3_the_first_deal_stays_where_the_second_could_not_be_the_first() -> None:
    """RULES 5.3."""
    sheet = schafkopf(ruf(1, 2), solo(1, level="durch"))
    refusal = refused(sheet, voided(1, "Doppelt"), by="organiser")
    assert refusal.params == {"entry": entry_id(2), "why": "not_in_first_deal"}


def test_rules_5_3_a_rufspiel_is_never_a_tout() -> None:
    """RULES 5.3."""
    assert refused(schafkopf(ruf(1, 2)), ruf(1, 2, level="tout")).code == "unknown_level"


@pytest.mark.parametrize("game", ["solo", "wenz", "farbwenz"])
def test_rules_5_3_a_tout_waits_for_the_supervisors_mark_and_does_not_count_before(game: str) -> None:
    """RULES 5.3."""
    sheet = schafkopf(ruf(1, 2), solo(3, game=game, level="tout"))
    assert (sheet.state.waiting, sheet_points(sheet)) == ((2,), [1, 1, -1, -1])
    sheet = written(sheet, approved(2))
    assert (sheet.state.waiting, sheet_points(sheet)) == ((), [-7, -7, 23, -9])


def test_rules_5_3_with_a_tout_that_waits_the_sheet_is_neither_submitted_nor_accepted() -> None:
    """RULES 5.3."""
    sheet = schafkopf(*whole_round(solo(3, level="tout")), *ALL_CONFIRM)
    refusal = refused(sheet, SUBMITTED)
    assert (refusal.code, refusal.params) == ("not_complete", {"why": "approval_missing", "numbers": [32]})
    assert refused(sheet, accepted("Trotzdem")).params == refusal.params
    assert written(sheet, approved(32), SUBMITTED).status == "submitted"


def test_rules_5_3_only_the_organiser_puts_his_mark() -> None:
    """RULES 5.3."""
    sheet = schafkopf(ruf(1, 2), solo(3, level="tout"))
    refusal = refused(sheet, approved(2), by="scribe")
    assert (refusal.code, refusal.params) == ("organiser_only", {"kind": "approved"})


def test_rules_5_3_there_is_nothing_to_approve_but_a_tout_that_waits() -> None:
    """RULES 5.3."""
    sheet = schafkopf(ruf(1, 2), solo(3, level="durch"), solo(3, level="tout"), approved(3))
    for number in (1, 2, 3, 4, 99):
        assert refused(sheet, approved(number)).code == "nothing_to_approve"


def test_the_mark_leaves_the_confirmations_as_they_stand() -> None:
    sheet = schafkopf(ruf(1, 2), solo(3, level="tout"), confirmed(1), approved(2))
    assert sheet.confirmed == {1}


def test_a_tout_that_is_approved_is_neither_taken_back_nor_made_another_game() -> None:
    sheet = schafkopf(ruf(1, 2), solo(3, level="tout"), approved(2), ruleset=SLIPS)
    assert refused(sheet, voided(2)).params["why"] == "nothing_to_approve"
    assert refused(sheet, corrected(2, solo(3, level="durch"))).params["why"] == "nothing_to_approve"
    without = written(sheet, voided(3, "Nicht gemeldet"), by="organiser")
    assert without.state.waiting == (2,)
    assert written(without, voided(2)).state.deals == sheet.state.deals[:1]


# -- The sheet's own sample (RULES 5.4) -------------------------------------------------------------------------------


def test_rules_5_4_the_sample_list_of_the_rule_sheet() -> None:
    """RULES 5.4: four pairs of columns, total, deduction, result."""
    state: PlusMinus = schafkopf(*THE_SAMPLE, approved(7)).state
    assert [(state.plus(seat), state.minus(seat)) for seat in state.seats] == [
        (11, 25),
        (14, 18),
        (17, 15),
        (30, 14),
    ]
    assert [state.deduction(seat) for seat in state.seats] == [11, 14, 15, 14]
    assert [state.result(seat) for seat in state.seats] == [-14, -4, 2, 16]


def test_rules_5_4_the_sample_list_deal_by_deal() -> None:
    """RULES 5.4."""
    state: PlusMinus = schafkopf(*THE_SAMPLE, approved(7)).state
    assert [[deal.points[seat] for seat in state.seats] for deal in state.deals] == [
        [1, 1, -1, -1],
        [-2, 2, -2, 2],
        [6, -2, -2, -2],
        [-3, 3, 3, -3],
        [-1, 1, 1, -1],
        [-6, 2, 2, 2],
        [-8, -8, -8, 24],
        [-2, 2, 2, -2],
        [-2, -2, 6, -2],
        [2, 2, -2, -2],
        [2, -6, 2, 2],
        [-1, 1, 1, -1],
    ]


def test_rules_5_4_what_the_sample_list_counts_for_ties() -> None:
    """RULES 5.4, 5.7."""
    sheet = schafkopf(*THE_SAMPLE, approved(7))
    assert (ranks(sheet), strokes(sheet)) == ({1: 4, 2: 3, 3: 2, 4: 1}, dict.fromkeys((1, 2, 3, 4), 0))
    assert [tuple(score.counts[name] for name in COUNTS) for score in sheet.results] == [
        (0, 0, 1, 2),
        (0, 0, 0, 1),
        (0, 0, 1, 1),
        (1, 1, 1, 1),
    ]


def counted(sheet: SheetLog, seat: int) -> tuple[int, ...]:
    """Return the counts of a seat in the order of the chain: Tout won, Tout played, Solos won, Solos played."""
    return tuple(sheet.results[seat - 1].counts[name] for name in COUNTS)


def of_games(*games: Solo) -> Ruleset:
    """Return the preset with these games counted for tie-breaks."""
    return replace(SCHAFKOPF, sheet=replace(sheet_as(SCHAFKOPF, PlusMinusRules), tie_solo_games=games))


EVERY_GAME = [
    ruf(1, 2),
    solo(3, level="tout"),
    approved(2),
    solo(3, game="wenz", level="tout"),
    approved(4),
    solo(3, game="farbwenz", won=False),
    solo(3, won=False),
]
"""Seat 3 plays each game against three, a Solo and a Wenz as a Tout."""


def test_sheet_5_ties_count_solos_alone() -> None:
    """RULES 5.7: a Wenz and a Farbwenz count in no tally, not even as a Tout; a Solo Tout counts in both."""
    assert counted(schafkopf(*EVERY_GAME), 3) == (1, 1, 1, 2)


@pytest.mark.parametrize(
    ("games", "counts"),
    [
        (("solo", "wenz", "farbwenz"), (2, 2, 2, 4)),
        (("wenz",), (1, 1, 1, 1)),
        (("farbwenz",), (0, 0, 0, 1)),
    ],
)
def test_a_copy_of_sheet_5_may_count_other_games(games: tuple[Solo, ...], counts: tuple[int, ...]) -> None:
    """RULES 5.7: a Tout of a counted game counts in both tallies."""
    assert counted(schafkopf(*EVERY_GAME, ruleset=of_games(*games)), 3) == counts


def test_a_ruleset_from_before_the_field_counts_every_game_against_three_as_it_did() -> None:
    """RULES 5.7: what was stored without the field keeps its results."""
    stored = SCHAFKOPF.to_dict()
    del stored["sheet"]["tie_solo_games"]
    assert counted(schafkopf(*EVERY_GAME, ruleset=Ruleset.from_dict(stored)), 3) == (2, 2, 2, 4)


# -- Correcting and taking back (RULES 5.5) ---------------------------------------------------------------------------


def test_rules_5_5_the_scribe_takes_back_the_latest_deal_only() -> None:
    """RULES 5.5, where the club lets the scribe."""
    sheet = schafkopf(ruf(1, 2), ruf(1, 3), ruf(1, 4), ruleset=SLIPS)
    assert refused(sheet, voided(1)).code == "latest_deal_only"
    assert refused(sheet, voided(2)).code == "latest_deal_only"
    once = written(sheet, voided(3))
    assert sheet_points(once) == [2, 0, 0, -2]
    assert sheet_points(written(once, voided(2))) == [1, 1, -1, -1]


def test_sheet_5_strikes_only_by_the_supervisor() -> None:
    """RULES 5.5: the preset leaves the scribe nothing to take back, but an objection."""
    sheet = schafkopf(ruf(1, 2), ruf(1, 3), objected(4))
    assert refused(sheet, voided(2)).code == "supervisor_takes_back"
    assert not written(sheet, voided(3)).objections
    assert sheet_points(written(sheet, voided(2, "Verschrieben"), by="organiser")) == [1, 1, -1, -1]


def test_rules_5_5_a_deal_that_the_supervisor_has_corrected_is_no_longer_the_scribes() -> None:
    """RULES 5.5."""
    sheet = schafkopf(ruf(1, 2), ruf(1, 3), corrected(2, ruf(1, 4)), ruleset=SLIPS)
    assert refused(sheet, voided(2)).code == "corrected_by_supervisor"
    assert refused(sheet, voided(1)).code == "latest_deal_only"
    assert sheet_points(written(sheet, voided(2, "Nie gespielt"), by="organiser")) == [1, 1, -1, -1]
    as_first_written = written(sheet, voided(3, "War doch richtig"), by="organiser")
    assert sheet_points(written(as_first_written, voided(2))) == [1, 1, -1, -1]
    one_more = written(sheet, ruf(2, 3))
    assert refused(written(one_more, voided(4)), voided(2)).code == "corrected_by_supervisor"


def test_rules_5_5_where_any_entry_may_be_taken_back_so_may_a_corrected_one() -> None:
    """The ruleset decides which facts a scribe may take back."""
    ruleset = replace(SCHAFKOPF, scribe_takes_back="any")
    sheet = schafkopf(ruf(1, 2), corrected(1, ruf(1, 4)), ruleset=ruleset)
    assert sheet_points(written(sheet, voided(1))) == [0, 0, 0, 0]


def test_rules_5_5_the_organiser_takes_back_any_deal_with_a_reason() -> None:
    """RULES 5.5."""
    sheet = schafkopf(ruf(1, 2), ruf(1, 3))
    assert refused(sheet, voided(1), by="organiser").code == "reason_needed"
    assert sheet_points(written(sheet, voided(1, "Doppelt"), by="organiser")) == [1, -1, 1, -1]


def test_rules_5_5_only_the_supervisor_corrects_a_written_deal() -> None:
    """RULES 5.5."""
    sheet = schafkopf(ruf(1, 2), ruf(1, 3))
    assert refused(sheet, corrected(2, ruf(1, 4)), by="scribe").code == "organiser_only"
    assert sheet_points(written(sheet, corrected(1, solo(4)))) == [-1, -3, -1, 5]


def test_rules_5_5_a_complaint_is_closed_once_the_next_deal_is_written() -> None:
    """RULES 5.5."""
    sheet = schafkopf(ruf(1, 2), objected(3))
    assert sheet.status == "objected"
    later = written(sheet, ruf(1, 2))
    assert (later.status, later.objections) == ("open", ())
    assert refused(later, voided(2)).code == "objection_is_closed"
    assert written(sheet, voided(2)).status == "open"


def test_rules_5_5_a_complaint_about_the_last_deal_stops_the_sheet() -> None:
    """RULES 5.5."""
    sheet = schafkopf(*whole_round(), objected(3), *ALL_CONFIRM)
    assert refused(sheet, SUBMITTED).code == "objection_stands"


# -- Handing in (RULES 5.1, 5.6) --------------------------------------------------------------------------------------


def test_rules_5_1_a_round_has_32_deals_and_no_33rd() -> None:
    """RULES 5.1."""
    sheet = schafkopf(*whole_round())
    assert refused(sheet, ruf(1, 2)).params == {"deals": 32}
    assert refused(schafkopf(*whole_round()[1:]), SUBMITTED).params == {
        "why": "deals_missing",
        "played": 31,
        "deals": 32,
    }


def test_with_fewer_deals_the_supervisor_accepts_early_with_a_reason_only() -> None:
    sheet = schafkopf(ruf(1, 2))
    assert refused(sheet, accepted()).code == "reason_needed"
    assert written(sheet, accepted("Feueralarm")).status == "accepted"


def test_rules_5_6_every_player_confirms_before_the_sheet_is_handed_in() -> None:
    """RULES 5.6."""
    sheet = schafkopf(*whole_round(), *ALL_CONFIRM[:3])
    refusal = refused(sheet, SUBMITTED)
    assert (refusal.code, refusal.params) == ("confirmations_missing", {"seats": [4]})
    sheet = written(sheet, confirmed(4), SUBMITTED, accepted(), reopened(), corrected(1, ruf(3, 4)))
    assert refused(sheet, SUBMITTED).params == {"seats": [1, 2, 3, 4]}


# -- From paper -------------------------------------------------------------------------------------------------------


def paper(points: list[int], **counts: list[int]) -> Line:
    return totalled(points=points, **{name: counts.get(name, [0, 0, 0, 0]) for name in COUNTS})


def test_the_results_of_a_paper_list_stand_instead_of_deals() -> None:
    line = paper([-14, -4, 2, 16], tout_won=[0, 0, 0, 1], tout_played=[0, 0, 0, 1], solo_won=[1, 0, 1, 1], solo_played=[2, 1, 1, 1])  # fmt: skip
    sheet = schafkopf(line, *ALL_CONFIRM, SUBMITTED)
    assert points(sheet) == {1: -14, 2: -4, 3: 2, 4: 16}
    assert sheet.results == schafkopf(*THE_SAMPLE, approved(7)).results


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (paper([1, 0, 0, 0]), "points_do_not_balance"),
        (paper([1, -1, 0]), "seats_incomplete"),
        (paper([769 * 3, -769, -769, -769]), "impossible_total"),
        (paper([0, 0, 0, 0], solo_won=[1, 0, 0, 0]), "impossible_total"),
        (paper([0, 0, 0, 0], tout_played=[1, 0, 0, 0]), "impossible_total"),
        (paper([0, 0, 0, 0], solo_played=[-1, 0, 0, 0]), "impossible_total"),
        (
            paper([0, 0, 0, 0], tout_played=[1, 0, 0, 0], solo_won=[1, 0, 0, 0], solo_played=[1, 0, 0, 0]),
            "impossible_total",
        ),
        (paper([0, 0, 0, 0], solo_played=[20, 13, 0, 0]), "too_many_solos"),
        (totalled(points=[0, 0, 0, 0]), "bad_entry"),
    ],
)
def test_totals_that_no_list_has_are_refused(line: Line, code: str) -> None:
    assert refused(schafkopf(), line).code == code


def test_totals_and_deals_do_not_mix() -> None:
    assert refused(schafkopf(ruf(1, 2)), paper([0, 0, 0, 0])).code == "deals_written"
    assert refused(schafkopf(paper([0, 0, 0, 0])), ruf(1, 2)).code == "already_totalled"


def test_facts_of_other_sheets_are_refused() -> None:
    assert refused(schafkopf(), Line("ranked", {})).code == "unknown_kind"
    assert refused(schafkopf(), knock(1)).code == "bad_entry"


# -- What always holds ------------------------------------------------------------------------------------------------


@given(logs("plus_minus"))
def test_rules_5_2_every_deal_and_every_sheet_add_up_to_zero(log: Log) -> None:
    """RULES 5.2."""
    sheet, _ = steps(log)
    state: PlusMinus = sheet.state
    assert all(sum(deal.points.values()) == 0 for deal in state.deals)
    assert sum(sheet_points(sheet)) == 0
    for seat in state.seats:
        plus, minus, deduction = state.plus(seat), state.minus(seat), state.deduction(seat)
        assert min(plus - deduction, minus - deduction) == 0
        assert state.totals or state.result(seat) == plus - minus


@given(logs("plus_minus"))
def test_on_every_sheet_deals_waits_and_counts_are_those_of_its_facts(log: Log) -> None:
    sheet, _ = steps(log)
    rules, state = sheet_as(log.ruleset, PlusMinusRules), sheet.state
    deals = [fact for fact in sheet.facts if fact.kind == "deal"]
    marked = {fact.data["entry"] for fact in sheet.facts if fact.kind == "approved"}
    assert len(state.deals) == len(deals) <= rules.deals
    touts = {fact.entry_id for fact in deals if fact.data["level"] in rules.needs_approval}
    assert {deal.entry_id for deal in state.deals if deal.waits} == touts - marked
    assert marked <= touts
    if sheet.phase != "open":
        assert not state.waiting
    for score in sheet.results:
        counts = score.counts
        assert counts["tout_won"] <= counts["tout_played"] <= counts["solo_played"]
        assert counts["tout_won"] <= counts["solo_won"] <= counts["solo_played"]


@given(logs("plus_minus"))
def test_a_first_deal_is_never_one_that_the_rules_forbid(log: Log) -> None:
    sheet, _ = steps(log)
    rules = sheet_as(log.ruleset, PlusMinusRules)
    first = next((fact.data for fact in sheet.facts if fact.kind == "deal"), None)
    assert first is None or first["game"] == "ruf" or first["level"] not in rules.not_in_first_deal
