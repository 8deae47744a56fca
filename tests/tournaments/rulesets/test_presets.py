"""The five presets hold the numbers and switches of their rule sheets (RULES 1 to 5)."""

import tomllib
from pathlib import Path

import pytest

from tests.rulesets import sheet_as
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import table_sizes
from tournaments.rulesets import loader
from tournaments.rulesets.hands import HandRules
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.schema import Stakes, TableRules
from tournaments.rulesets.sheets import HandPointsRules, LevelPoints, PlusMinusRules, SurvivalRules

FIVES_AND_SIXES = TableRules(sizes=(5, 6), exceptions=(4, 7), prefer="smaller")
FOLDER = Path(loader.__file__).parent


def test_there_are_five_rule_sheets() -> None:
    assert PRESETS == ("fce", "knockout", "konradsreuth", "schafkopf", "schnauz-placing")


@pytest.mark.parametrize("name", PRESETS)
def test_every_field_of_a_preset_is_explained(name: str) -> None:
    """A comment stands before each field, or before the group of fields without a blank line between that it is in."""
    lines = (FOLDER / f"{name.replace('-', '_')}.toml").read_text(encoding="utf-8").splitlines()
    explained = False
    for line in lines:
        if line.startswith("#"):
            explained = True
        elif not line or line.startswith("["):
            explained = False
        else:
            assert explained or line.startswith(("name", "title", "prefer", "exceptions")), line


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_leaves_nothing_to_a_default(name: str) -> None:
    written = tomllib.loads((FOLDER / f"{name.replace('-', '_')}.toml").read_text(encoding="utf-8"))
    document = preset(name).to_dict()
    assert {key for key, value in document.items() if value is not None} - written.keys() <= {"drawn_ahead"}
    for table in ("hands", "sheet"):
        said = {key for key, value in (document[table] or {}).items() if value is not None}
        assert said == written.get(table, {}).keys()


# -- 1. schnauz-placing -----------------------------------------------------------------------------------------------


def test_rules_1_1_three_rounds_of_fives_and_sixes_drawn_anew() -> None:
    """RULES 1.1."""
    ruleset = preset("schnauz-placing")
    assert (ruleset.rounds, ruleset.tables, ruleset.drawn_ahead) == (3, FIVES_AND_SIXES, False)
    assert ruleset.qualifying is None


def test_rules_1_2_the_entry_fee_is_3_euro() -> None:
    """RULES 1.2."""
    assert preset("schnauz-placing").entry_fee_cents == 300


def test_rules_1_3_seat_1_writes() -> None:
    """RULES 1.3."""
    ruleset = preset("schnauz-placing")
    assert (ruleset.scribe, ruleset.volunteer_scribe) == ("seat_1", False)


def test_rules_1_4_everybody_has_three_lives() -> None:
    """RULES 1.4."""
    assert sheet_as(preset("schnauz-placing"), SurvivalRules).lives == 3


def test_rules_1_5_how_a_deal_ends_and_when_all_others_lose() -> None:
    """RULES 1.5."""
    sheet = sheet_as(preset("schnauz-placing"), SurvivalRules)
    assert sheet.endings == ("knock", "schnauz", "feuer", "handschnauz")
    assert (sheet.all_others_lose, sheet.three_of_a_kind_spared) == (("feuer", "handschnauz"), ())


def test_rules_1_8_points_by_rank() -> None:
    """RULES 1.8."""
    assert preset("schnauz-placing").points == (6, 4, 3, 2, 1, 1)


def test_rules_1_9_feuer_is_a_stroke_as_schnauz_is() -> None:
    """RULES 1.9."""
    assert sheet_as(preset("schnauz-placing"), SurvivalRules).marks == ("schnauz", "feuer")


def test_rules_1_10_the_stake_is_60_cents_and_goes_back_to_rank_2() -> None:
    """RULES 1.10."""
    assert preset("schnauz-placing").stakes == Stakes(60, (2,))


def test_rules_1_11_strokes_decide_then_the_organiser() -> None:
    """RULES 1.11."""
    ruleset = preset("schnauz-placing")
    assert (ruleset.tie_break, ruleset.lot_by_program) == (("strokes",), False)


def test_rules_1_13_hands_of_36_cards() -> None:
    """RULES 1.13."""
    assert preset("schnauz-placing").hands == HandRules(
        lowest_card="6",
        card_names="german",
        schnauz="any_31",
        schnauz_points=31,
        feuer="above_schnauz",
        feuer_points=None,
        three_of_a_kind_name="Spitz",
        three_of_a_kind_half_points=61,
        threes="ranked",
    )


# -- 2. konradsreuth --------------------------------------------------------------------------------------------------


def test_rules_2_1_two_to_seven_at_a_table_three_chips() -> None:
    """RULES 2.1."""
    ruleset = preset("konradsreuth")
    assert sorted((*ruleset.tables.sizes, *ruleset.tables.exceptions)) == [2, 3, 4, 5, 6, 7]
    assert sheet_as(ruleset, SurvivalRules).lives == 3


def test_rules_2_1_2_2_2_3_hands_of_24_cards() -> None:
    """RULES 2.1, 2.2, 2.3."""
    assert preset("konradsreuth").hands == HandRules(
        lowest_card="9",
        card_names="german",
        schnauz="ace_king_ten",
        schnauz_points=31,
        feuer="none",
        feuer_points=None,
        three_of_a_kind_name="Halbschnauz",
        three_of_a_kind_half_points=None,
        threes="equal",
    )


def test_rules_2_3_three_of_a_kind_never_pays_and_there_is_no_feuer() -> None:
    """RULES 2.3."""
    sheet = sheet_as(preset("konradsreuth"), SurvivalRules)
    assert (sheet.endings, sheet.marks) == (("knock", "schnauz", "handschnauz"), ("schnauz",))
    assert sheet.all_others_lose == ("handschnauz",)
    assert sheet.three_of_a_kind_spared == ("knock", "schnauz", "handschnauz")
    assert sheet.three_never_pays


def test_rules_2_4_the_evening_is_that_of_sheet_1_and_says_that_it_is_our_choice() -> None:
    """RULES 2.4."""
    ruleset, first = preset("konradsreuth"), preset("schnauz-placing")
    assert (ruleset.rounds, ruleset.points, ruleset.tables.sizes) == (3, first.points, (5, 6))
    assert (ruleset.entry_fee_cents, ruleset.stakes) == (first.entry_fee_cents, first.stakes)
    text = (FOLDER / "konradsreuth.toml").read_text(encoding="utf-8")
    for field in (
        "rounds",
        "entry_fee_cents",
        "points",
        "sizes",
        "exceptions",
        "stake_cents",
        "returned_to_ranks",
    ):
        comment = text[: text.index(f"\n{field} = ")].rpartition("\n\n")[2].rpartition("\n[")[2]
        assert "nsere Wahl" in comment.splitlines()[-1], field


# -- 3. fce -----------------------------------------------------------------------------------------------------------


def test_rules_3_1_three_rounds_of_24_deals_drawn_anew_and_a_volunteer_may_write() -> None:
    """RULES 3.1."""
    ruleset = preset("fce")
    assert (ruleset.rounds, sheet_as(ruleset, HandPointsRules).deals, ruleset.drawn_ahead) == (3, 24, False)
    assert ruleset.tables == FIVES_AND_SIXES
    assert (ruleset.scribe, ruleset.volunteer_scribe) == ("seat_1", True)


def test_rules_3_2_3_3_hands_of_32_cards_and_what_they_are_worth() -> None:
    """RULES 3.2, 3.3."""
    assert preset("fce").hands == HandRules(
        lowest_card="7",
        card_names="french",
        schnauz="any_31",
        schnauz_points=35,
        feuer="below_schnauz",
        feuer_points=33,
        three_of_a_kind_name="Halbes",
        three_of_a_kind_half_points=62,
        threes="equal",
    )


def test_rules_3_4_a_deal_can_end_on_the_table() -> None:
    """RULES 3.4."""
    endings = sheet_as(preset("fce"), HandPointsRules).endings
    assert endings == ("knock", "schnauz", "feuer", "table_schnauz", "table_feuer")


def test_rules_3_5_the_sheet_gives_the_points_and_may_be_accepted_early() -> None:
    """RULES 3.5."""
    ruleset = preset("fce")
    assert (ruleset.points, sheet_as(ruleset, HandPointsRules).early_acceptance) == ((), True)


def test_rules_3_6_schnauz_then_feuer_decide() -> None:
    """RULES 3.6."""
    assert preset("fce").tie_break == ("schnauz", "feuer")


# -- 4. knockout ------------------------------------------------------------------------------------------------------


def test_rules_4_1_survival_where_only_the_lowest_hands_lose() -> None:
    """RULES 4.1."""
    sheet = sheet_as(preset("knockout"), SurvivalRules)
    assert (sheet.lives, sheet.endings) == (3, ("knock", "schnauz", "feuer"))
    assert (sheet.all_others_lose, sheet.three_of_a_kind_spared) == ((), ())


def test_rules_4_1_hands_of_32_cards() -> None:
    """RULES 4.1."""
    assert preset("knockout").hands == HandRules(
        lowest_card="7",
        card_names="french",
        schnauz="any_31",
        schnauz_points=31,
        feuer="equal_to_schnauz",
        feuer_points=31,
        three_of_a_kind_name=None,
        three_of_a_kind_half_points=61,
        threes="equal",
    )


def test_rules_4_2_two_of_each_table_go_on_and_up_to_seven_are_the_final() -> None:
    """RULES 4.2."""
    ruleset = preset("knockout")
    assert ruleset.qualifying is not None
    assert (ruleset.qualifying.go_on, ruleset.qualifying.final) == (2, 7)
    assert (ruleset.rounds, ruleset.tables) == (None, FIVES_AND_SIXES)


def test_rules_4_3_rank_then_strokes_decide_and_there_are_no_stakes_unless_the_club_plays_for_them() -> None:
    """RULES 4.3."""
    ruleset = preset("knockout")
    assert (ruleset.points, ruleset.tie_break) == ((), ("rank", "strokes"))
    assert ruleset.stakes is None


# -- 5. schafkopf -----------------------------------------------------------------------------------------------------


def test_rules_5_1_two_rounds_of_32_deals_at_tables_of_4_drawn_ahead() -> None:
    """RULES 5.1."""
    ruleset = preset("schafkopf")
    assert (ruleset.rounds, ruleset.drawn_ahead) == (2, True)
    assert sheet_as(ruleset, PlusMinusRules).deals == 32
    assert ruleset.tables == TableRules(sizes=(4,), exceptions=(), prefer="smaller")


@pytest.mark.parametrize(("players", "missing", "surplus"), [(45, 3, 1), (46, 2, 2), (47, 1, 3)])
def test_rules_5_1_another_head_count_names_who_is_missing(players: int, missing: int, surplus: int) -> None:
    """RULES 5.1."""
    with pytest.raises(Refusal) as caught:
        table_sizes(players, preset("schafkopf").tables)
    assert caught.value.code == "head_count_does_not_fit"
    assert (caught.value.params["missing"], caught.value.params["surplus"]) == (missing, surplus)


def test_rules_5_nobody_holds_three_cards() -> None:
    """RULES 5."""
    assert preset("schafkopf").hands is None


def test_rules_5_2_games_and_what_they_are_worth() -> None:
    """RULES 5.2: the declarer has three times what each of the others has."""
    sheet = sheet_as(preset("schafkopf"), PlusMinusRules)
    assert sheet.solos == ("solo", "wenz", "farbwenz")
    assert sheet.ruf == LevelPoints(normal=1, schneider=2, durch=3, tout=None)
    assert sheet.solo == LevelPoints(normal=2, schneider=3, durch=4, tout=8)


def test_rules_5_3_the_first_deal_and_the_mark_for_a_tout() -> None:
    """RULES 5.3."""
    sheet = sheet_as(preset("schafkopf"), PlusMinusRules)
    assert (sheet.not_in_first_deal, sheet.needs_approval) == (("durch", "tout"), ("tout",))


def test_rules_5_5_only_the_supervisor_changes_a_deal_and_a_complaint_ends_with_the_next() -> None:
    """RULES 5.5: as the sheet has it; that the scribe takes back the latest deal is a choice of the club."""
    ruleset = preset("schafkopf")
    assert (ruleset.scribe_takes_back, ruleset.objections_end) == ("none", "next_deal")
    assert (ruleset.scribe, ruleset.pen_needs_supervisor) == ("organiser", True)


def test_rules_5_6_every_player_confirms() -> None:
    """RULES 5.6."""
    assert preset("schafkopf").confirmation == "required"


def test_rules_5_7_tout_then_solos_decide_then_a_lot_of_the_program() -> None:
    """RULES 5.7."""
    ruleset = preset("schafkopf")
    assert ruleset.tie_break == ("tout_won", "tout_played", "solo_won", "solo_played")
    assert sheet_as(ruleset, PlusMinusRules).tie_solo_games == ("solo",)
    assert ruleset.lot_by_program
