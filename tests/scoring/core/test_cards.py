"""The values of three cards on each of the four Schnauz sheets (RULES 1.13, 2.2, 2.3, 3.2, 3.3, 4.1)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.cards import (
    FACES,
    SUITS,
    Card,
    Hand,
    Suit,
    check_dealt,
    deck,
    hand_of,
    possible_values,
    ranks,
)
from tests.scoring.core.hand_sheets import ALL_FACES, BY_HAND, SUIT_LETTERS, all_hands
from tournaments.core.refusal import Refusal
from tournaments.rulesets.hands import HandRules
from tournaments.rulesets.loader import preset

HALF = Fraction(1, 2)
SHEETS = tuple(BY_HAND)
every_sheet = pytest.mark.parametrize("sheet", SHEETS)


def rules_of(sheet: str) -> HandRules:
    rules = preset(sheet).hands
    assert rules is not None
    return rules


def cards(text: str) -> list[Card]:
    """Parse "Hk HT B6": king and ten of hearts, six of bells; suits A(corns), L(eaves), H(earts), B(ells)."""
    suits = dict(zip(SUIT_LETTERS, SUITS, strict=True))
    faces = dict(zip(ALL_FACES, FACES, strict=True))
    return [Card(suits[letters[0]], faces[letters[1]]) for letters in text.split()]


def held(sheet: str, text: str) -> Hand:
    return hand_of(cards(text), rules_of(sheet))


def in_order(sheet: str, *texts: str) -> list[int]:
    return ranks([held(sheet, text) for text in texts])


# --- all hands, by brute force -------------------------------------------------------------------------------------


@every_sheet
def test_every_hand_is_what_the_brute_force_says(sheet: str) -> None:
    for three in all_hands(sheet):
        hand = held(sheet, " ".join(three))
        _stands, name, points = BY_HAND[sheet](three)
        assert (hand.name, hand.points) == (name, points), three


@every_sheet
def test_all_hands_stand_in_the_order_of_the_brute_force_ties_included(sheet: str) -> None:
    """Strengths are equal if the brute force has equal numbers, and greater if it has a greater one."""
    pairs = {(BY_HAND[sheet](three)[0], held(sheet, " ".join(three)).strength) for three in all_hands(sheet)}
    expected, strengths = zip(*sorted(pairs), strict=True)
    assert len(set(expected)) == len(set(strengths)) == len(pairs)
    assert list(strengths) == sorted(strengths)


@every_sheet
def test_the_possible_values_are_those_of_the_brute_force(sheet: str) -> None:
    counted = {BY_HAND[sheet](three)[2] for three in all_hands(sheet)} - {None}
    assert possible_values(rules_of(sheet)) == counted


@pytest.mark.parametrize(
    ("sheet", "cards_in_deck", "hands"),
    [("schnauz-placing", 36, 7140), ("konradsreuth", 24, 2024), ("fce", 32, 4960), ("knockout", 32, 4960)],
)
def test_a_deck_has_every_card_of_four_suits_once(sheet: str, cards_in_deck: int, hands: int) -> None:
    assert len(deck(rules_of(sheet))) == len(set(deck(rules_of(sheet)))) == cards_in_deck
    assert len(list(all_hands(sheet))) == hands


# --- RULES 1.13: schnauz-placing -----------------------------------------------------------------------------------


def test_rules_1_13_ace_is_11_pictures_and_ten_are_10_the_others_their_pips() -> None:
    pips = [card.pips for card in cards("Ha Hk Ho Hu HT H9 H8 H7 H6")]
    assert pips == [11, 10, 10, 10, 10, 9, 8, 7, 6]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("Hk HT B6", 20),
        ("Hk BT B6", 16),
        ("H6 B9 Ak", 10),
        ("Ha Ba A9", 11),
        ("H6 H7 H8", 21),
        ("H6 A6 L7", 7),
    ],
)
def test_rules_1_13_the_best_sum_within_one_suit_counts(text: str, points: int) -> None:
    assert held("schnauz-placing", text).points == points


def test_rules_1_13_the_cards_that_count_are_named() -> None:
    assert held("schnauz-placing", "Hk B6 BT").counting == tuple(cards("B6 BT"))
    assert held("schnauz-placing", "H7 Bk AT").counting == tuple(cards("Bk"))


def test_rules_1_13_every_31_of_one_suit_is_schnauz() -> None:
    schnauze = ["Ha Hk Ho", "Ha Hk Hu", "Ha Ho Hu", "Ha Hk HT", "Ha Ho HT", "Ha Hu HT"]
    assert {
        (held("schnauz-placing", text).name, held("schnauz-placing", text).points) for text in schnauze
    } == {("schnauz", Fraction(31))}
    assert in_order("schnauz-placing", *schnauze) == [1] * 6


def test_rules_1_13_three_of_a_kind_is_30_and_a_half_above_every_sum_below_schnauz() -> None:
    assert held("schnauz-placing", "H6 B6 A6").points == 30 + HALF
    assert in_order("schnauz-placing", "Ha Hk Ho", "H6 B6 A6", "Hk Ho Hu") == [1, 2, 3]


def test_rules_1_13_three_of_a_kind_rank_k_o_u_10_9_8_7_6() -> None:
    best_first = [f"H{face} B{face} A{face}" for face in "kouT9876"]
    assert in_order("schnauz-placing", *best_first) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_rules_1_13_three_aces_are_feuer_and_beat_everything() -> None:
    feuer = held("schnauz-placing", "Ha Ba Aa")
    assert (feuer.name, feuer.points) == ("feuer", None)
    assert in_order("schnauz-placing", "Ha Ba La", "Aa Ak Ao", "Hk Bk Ak") == [1, 2, 3]


def test_rules_1_13_schnauz_and_feuer_end_the_deal_nothing_else_does() -> None:
    ends = {
        text: held("schnauz-placing", text).ends_the_deal for text in ("Ha Hk Ho", "Ha Ba Aa", "Hk Bk Ak")
    }
    assert ends == {"Ha Hk Ho": True, "Ha Ba Aa": True, "Hk Bk Ak": False}


def test_rules_1_13_of_a_deck_from_six_on_7_is_the_lowest_value() -> None:
    assert min(possible_values(rules_of("schnauz-placing"))) == 7


# --- RULES 2.2, 2.3: konradsreuth ----------------------------------------------------------------------------------


def test_rules_2_2_only_ace_king_ten_of_one_suit_is_schnauz() -> None:
    assert held("konradsreuth", "Ha Hk HT").name == "schnauz"
    others = ["Ha Hk Hu", "Ha Hk Ho", "Ha Ho Hu", "Ha Ho HT", "Ha Hu HT", "Ha Hk BT"]
    assert {held("konradsreuth", text).name for text in others} == {"suit_sum"}


def test_rules_2_2_schnauz_then_three_of_a_kind_then_a_31_that_is_no_schnauz() -> None:
    assert in_order("konradsreuth", "Ha Hk HT", "H9 B9 A9", "La Lu Lk", "Bk Bo Bu") == [1, 2, 3, 4]
    assert held("konradsreuth", "La Lu Lk").points == 31


def test_rules_2_2_three_of_a_kind_are_all_equal_and_have_an_order_but_no_value() -> None:
    assert in_order("konradsreuth", *(f"H{face} B{face} A{face}" for face in "akouT9")) == [1] * 6
    assert held("konradsreuth", "H9 B9 A9").points is None


def test_rules_2_2_the_sheets_own_example_of_20_points() -> None:
    assert held("konradsreuth", "L9 La Hk").points == 20


def test_rules_2_2_no_suit_or_card_decides_between_equals() -> None:
    assert in_order("konradsreuth", "Ha Hk L9", "Ba BT L9", "Aa Au Ho") == [1, 1, 1]


def test_rules_2_3_three_aces_are_three_of_a_kind_and_end_nothing() -> None:
    aces = held("konradsreuth", "Ha Ba Aa")
    assert (aces.name, aces.ends_the_deal) == ("three_of_a_kind", False)
    assert held("konradsreuth", "Ha Hk HT").ends_the_deal


# --- RULES 3.2, 3.3: fce -------------------------------------------------------------------------------------------


def test_rules_3_2_played_with_32_cards_from_7_to_ace() -> None:
    dealt = deck(rules_of("fce"))
    assert (len(dealt), {card.face for card in dealt}) == (32, {*FACES} - {"6"})
    assert min(possible_values(rules_of("fce"))) == 8


def test_rules_3_3_schnauz_35_feuer_33_three_of_a_kind_31() -> None:
    texts = ("Ha Ho HT", "Ha Ba Aa", "H7 B7 A7", "Hk Ho Hu")
    assert [held("fce", text).points for text in texts] == [35, 33, 31, 30]
    assert in_order("fce", *texts) == [1, 2, 3, 4]


def test_rules_3_3_three_of_a_kind_are_all_worth_the_same() -> None:
    assert in_order("fce", "Hk Bk Ak", "H7 B7 A7") == [1, 1]


@pytest.mark.parametrize("points", [0, 1, 6, 7, 32, 34, 36])
def test_rules_3_3_a_value_that_no_hand_has_is_not_possible(points: int) -> None:
    assert points not in possible_values(rules_of("fce"))


@pytest.mark.parametrize("points", [8, 9, 29, 30, 31, 33, 35])
def test_rules_3_3_a_value_that_some_hand_has_is_possible(points: int) -> None:
    assert points in possible_values(rules_of("fce"))


# --- RULES 4.1: knockout -------------------------------------------------------------------------------------------


def test_rules_4_1_schnauz_and_feuer_both_count_31_and_end_the_deal() -> None:
    schnauz, feuer = held("knockout", "Ha Ho HT"), held("knockout", "Ba Aa La")
    assert [schnauz.points, feuer.points] == [31, 31]
    assert ranks([schnauz, feuer]) == [1, 1]
    assert schnauz.ends_the_deal
    assert feuer.ends_the_deal


def test_rules_4_1_three_of_a_kind_is_30_and_a_half_all_equal() -> None:
    assert in_order("knockout", "H7 B7 A7", "Hk Bk Ak", "Hk Ho Hu") == [1, 1, 3]
    assert held("knockout", "H7 B7 A7").points == 30 + HALF


# --- who wins, who loses -------------------------------------------------------------------------------------------


def test_equal_hands_share_the_better_rank_and_the_next_is_left_out() -> None:
    assert in_order("knockout", "Hk HT B7", "Ha Hk Ho", "Bk Bo A7", "A9 L8 H7") == [2, 1, 2, 4]


def test_the_lowest_hand_or_hands_lose() -> None:
    hands = [held("knockout", text) for text in ("H9 B8 A7", "Ha Hk Ho", "L9 A8 B7")]
    assert ranks(hands) == [2, 1, 2]
    assert ranks(hands[1:]) == [1, 2]


# --- what is no hand -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "Ha", "Ha Hk", "Ha Hk Ho Hu"])
def test_a_hand_is_three_cards(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        held("fce", text)
    assert (caught.value.code, caught.value.params) == ("hand_of_three", {"cards": len(text.split())})


def test_a_card_is_in_a_hand_once() -> None:
    with pytest.raises(Refusal) as caught:
        held("fce", "Ha Ha Hk")
    assert (caught.value.code, caught.value.params) == ("card_twice", {"card": "hearts-ace"})


def test_a_card_is_in_one_hand_only() -> None:
    check_dealt(cards("Ha Hk"), cards("Ba Bk Ho"))
    with pytest.raises(Refusal) as caught:
        check_dealt(cards("Ha Hk HT"), cards("Ba Bk Hk"))
    assert (caught.value.code, caught.value.params) == ("card_twice", {"card": "hearts-king"})


def test_a_card_that_the_deck_does_not_have_is_refused() -> None:
    with pytest.raises(Refusal, match="unknown_card"):
        held("fce", "H6 Ha Hk")


@every_sheet
def test_every_card_has_a_code_of_its_own(sheet: str) -> None:
    whole = deck(rules_of(sheet))
    assert len({card.code for card in whole}) == len(whole)


# --- what holds for any hands --------------------------------------------------------------------------------------

sheets = st.sampled_from(SHEETS)
suits_anew = st.permutations(SUITS)


@st.composite
def hands(draw: st.DrawFn, count: int) -> list[Hand]:
    rules = rules_of(draw(sheets))
    dealt = draw(st.lists(st.sampled_from(deck(rules)), min_size=3, max_size=3, unique=True))
    more = st.lists(st.sampled_from(deck(rules)), min_size=3, max_size=3, unique=True)
    return [hand_of(three, rules) for three in (dealt, *(draw(more) for _ in range(count - 1)))]


@given(hands(2))
def test_of_two_hands_one_is_better_or_they_tie(two: list[Hand]) -> None:
    one, other = two
    forward, backward = ranks([one, other]), ranks([other, one])
    assert forward == backward[::-1]
    assert forward in ([1, 1], [1, 2], [2, 1])


@given(hands(3))
def test_the_order_is_transitive(three: list[Hand]) -> None:
    best, middle, least = sorted(three, key=lambda hand: hand.strength, reverse=True)
    assert ranks([best, middle])[0] == ranks([middle, least])[0] == ranks([best, least])[0] == 1
    assert (ranks([best, least]) == [1, 1]) == (ranks([best, middle]) == ranks([middle, least]) == [1, 1])


@given(hands(4))
def test_a_better_hand_never_counts_fewer_points(four: list[Hand]) -> None:
    """Except for Konradsreuth's 31 that is not a Schnauz, both hands have points and the greater ones win."""
    counted = sorted((hand for hand in four if hand.points is not None), key=lambda hand: hand.strength)
    points = [hand.points for hand in counted]
    assert points == sorted(points, key=lambda value: value or 0)


@given(sheets, st.permutations(range(36)), suits_anew)
def test_other_suits_change_nothing(sheet: str, shuffled: list[int], suits: list[Suit]) -> None:
    rules = rules_of(sheet)
    whole = deck(rules)
    first = [whole[index] for index in shuffled if index < len(whole)][:3]
    other_suit = dict(zip(SUITS, suits, strict=True))
    hand = hand_of(first, rules)
    same = hand_of([Card(other_suit[card.suit], card.face) for card in first], rules)
    assert (same.name, same.points, same.strength) == (hand.name, hand.points, hand.strength)


@given(sheets, st.permutations(range(36)), st.permutations(range(3)))
def test_the_order_of_the_cards_changes_nothing(sheet: str, shuffled: list[int], turned: list[int]) -> None:
    rules = rules_of(sheet)
    whole = deck(rules)
    three = [whole[index] for index in shuffled if index < len(whole)][:3]
    hand, same = hand_of(three, rules), hand_of([three[index] for index in turned], rules)
    assert (same.name, same.points, same.strength) == (hand.name, hand.points, hand.strength)
