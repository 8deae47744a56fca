"""Texts about three cards, by the tournament's rule sheet: cards, hands, and why one of two is better.

A sentence settles an argument at the table, so it names the deciding figures and the consequences.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from scoring.core.cards import Card, Face, Hand, Suit, ranks
from scoring.text.refusals import message
from tournaments.core.refusal import Refusal
from tournaments.rulesets.hands import HandRules
from tournaments.rulesets.schema import Ruleset
from tournaments.text.numbers import listed
from tournaments.text.ruleset_fields import FIELDS
from tournaments.text.sentences import labels_beside, sentence_maker

_SUITS = {names: labels_beside(__file__, f"suits_{names}") for names in ("german", "french")}
_FACES = {names: labels_beside(__file__, f"faces_{names}") for names in ("german", "french")}
_THREES = labels_beside(__file__, "threes")
_SIGNS_OF_BOTH: Mapping[Face, Promise] = {
    "king": pgettext_lazy("auf der Karte", "K"),
    "ace": pgettext_lazy("auf der Karte", "A"),
}
_SIGNS: Mapping[str, Mapping[Face, Promise]] = {
    "german": {
        "unter": pgettext_lazy("auf der Karte", "U"),
        "ober": pgettext_lazy("auf der Karte", "O"),
        **_SIGNS_OF_BOTH,
    },
    "french": {
        "unter": pgettext_lazy("auf der Karte", "B"),
        "ober": pgettext_lazy("auf der Karte", "D"),
        **_SIGNS_OF_BOTH,
    },
}

_say = sentence_maker(__file__, "hands")


def suit_word(suit: Suit, hands: HandRules) -> str:
    return str(_SUITS[hands.card_names][suit])


def face_word(face: Face, hands: HandRules) -> str:
    return str(_FACES[hands.card_names].get(face, face))


def face_sign(face: Face, hands: HandRules) -> str:
    """Return the sign in the corner of the card."""
    return str(_SIGNS[hands.card_names].get(face, face))


def card_word(card: Card, hands: HandRules) -> str:
    return _say("card", suit=suit_word(card.suit, hands), face=face_word(card.face, hands))


def three_word(face: Face, hands: HandRules) -> str:
    return str(_THREES.get(f"{face}_{hands.card_names}") or _THREES[face])


def figure(points: Fraction | int | None) -> str:
    """Return points as they are written at the table, 30½; "" for none."""
    if points is None:
        return ""
    whole, half = divmod(points, 1)
    return f"{whole}½" if half else str(whole)


def three_of_a_kind_word(hands: HandRules) -> str:
    """Return the name of three of a kind on this sheet."""
    return hands.three_of_a_kind_name or _say("three_of_a_kind")


def name_word(hand: Hand, hands: HandRules) -> str:
    """Return the name of the hand; a sum is named by its points."""
    names = {"feuer": "Feuer", "schnauz": "Schnauz", "three_of_a_kind": three_of_a_kind_word(hands)}
    return names.get(hand.name) or _say("points", points=sum(card.pips for card in hand.counting))


def value_of(hand: Hand) -> str:
    """Return the points of a named hand; "" if the sheet gives it none, or if the points are its name."""
    return "" if hand.name == "suit_sum" else figure(hand.points)


def refusal_word(refusal: Refusal, names: Mapping[str, str]) -> str:
    """Return why these cards are not a hand. names: code -> name of every card."""
    params = dict(refusal.params)
    if "card" in params:
        params["card"] = names[str(params["card"])]
    return message(Refusal(refusal.code, **params))


def explained(hand: Hand, rules: Ruleset, hands: HandRules) -> list[str]:
    """Return why the hand has its value, and the consequences at this table."""
    match hand.name:
        case "suit_sum":
            return [_added_up(hand, hands), *_no_schnauz(hand, hands)]
        case "three_of_a_kind":
            three = f"{_capital(three_word(hand.cards[0].face, hands))}."
            return [three, _three_against_others(hand, hands), *_never_pays(hand, rules, hands)]
        case "schnauz":
            made_of = _say(f"schnauz_{hands.schnauz}")
            return [made_of, *_ends_it("schnauz", rules), *_handschnauz(rules, hands)]
    return [_say("feuer"), *_ends_it("feuer", rules)]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The better of two hands, and why. winner: 1, 2, or None if they tie."""

    winner: int | None
    sentences: tuple[str, ...]

    @property
    def title(self) -> str:
        return _say("better", number=self.winner) if self.winner else _say("tie")


def compared(first: Hand, second: Hand, rules: Ruleset, hands: HandRules) -> Comparison:
    rank_of_first, rank_of_second = ranks([first, second])
    if rank_of_first == rank_of_second:
        return Comparison(None, tuple(_tied(first, rules, hands)))
    better, lesser = (first, second) if rank_of_first < rank_of_second else (second, first)
    why = [_why(better, lesser, hands), *_no_schnauz(lesser), *_what_follows(better, lesser, rules, hands)]
    return Comparison(1 if better is first else 2, tuple(why))


def _added_up(hand: Hand, hands: HandRules) -> str:
    if len(hand.counting) == 1:
        return _say("highest_card", card=card_word(hand.counting[0], hands))
    pips = [card.pips for card in hand.counting]
    addition = f"{' + '.join(map(str, pips))} = {sum(pips)}".replace(" ", "\N{NO-BREAK SPACE}")
    return _say("best_suit", suit=suit_word(hand.counting[0].suit, hands), sum=addition)


def _no_schnauz(hand: Hand, hands: HandRules | None = None) -> list[str]:
    """Return the explanation of a 31 that is no Schnauz in Konradsreuth. hands: to say that three of a kind are more."""
    if hand.name != "suit_sum" or hand.points != 31:
        return []
    more = [_say("three_is_more", three=three_of_a_kind_word(hands))] if hands else []
    return [_say("no_schnauz"), *more]


def _three_against_others(hand: Hand, hands: HandRules) -> str:
    if hand.points is None:
        return _say("three_without_points")
    above = "Schnauz" if hands.feuer == "none" else _say("schnauz_and_feuer")
    if hands.threes == "equal":
        return _say("more_than_any_three", hands=above)
    is_highest = hand.cards[0].face in ("king", "ace")
    return _say("more" if is_highest else "more_than_three", hands=above)


def _never_pays(hand: Hand, rules: Ruleset, hands: HandRules) -> list[str]:
    spared = rules.sheet.three_of_a_kind_spared
    if hand.name != "three_of_a_kind" or not spared:
        return []
    three = three_of_a_kind_word(hands)
    if rules.sheet.three_never_pays:
        return [_say("never_pays", three=three)]
    words = FIELDS["sheet.endings"].choices
    endings = listed([str(words[ending]) for ending in spared])
    return [_say("does_not_pay", three=three, endings=endings)]


def _ends_it(ending: str, rules: Ruleset) -> list[str]:
    is_on_table = f"table_{ending}" in rules.sheet.endings
    also = [_say("also_on_the_table")] if is_on_table else []
    return [_say("deal_is_over"), *_who_pays(ending, rules), *also]


def _who_pays(ending: str, rules: Ruleset) -> list[str]:
    if rules.sheet.lives is None:
        return []
    return [_say("all_others_pay" if ending in rules.sheet.all_others_lose else "least_pays")]


def _handschnauz(rules: Ruleset, hands: HandRules) -> list[str]:
    if "handschnauz" not in rules.sheet.all_others_lose:
        return []
    if "handschnauz" in rules.sheet.three_of_a_kind_spared:
        return [_say("handschnauz_but_three", three=three_of_a_kind_word(hands))]
    return [_say("handschnauz")]


def _why(better: Hand, lesser: Hand, hands: HandRules) -> str:
    if better.name == lesser.name == "three_of_a_kind":
        three, lesser_three = (three_word(hand.cards[0].face, hands) for hand in (better, lesser))
        return _capital(_say("threes_above", better=three, lesser=lesser_three))
    if better.points is not None and lesser.points is not None and better.points > lesser.points:
        return _say("points_above", better=figure(better.points), lesser=figure(lesser.points))
    return _say("above", better=name_word(better, hands), lesser=name_word(lesser, hands))


def _tied(hand: Hand, rules: Ruleset, hands: HandRules) -> list[str]:
    """Return why two hands tie, by the first of them: they are of one kind unless their points decide."""
    if hand.name == "three_of_a_kind":
        same = _say("threes_alike")
    elif hand.points is not None:
        same = _say("same_points", points=_say("points", points=figure(hand.points)))
    else:
        same = _say("nothing_more")
    if hand.ends_the_deal:
        return [same, *_first_come(rules)]
    unpaid = _never_pays(hand, rules, hands)
    return [same, *([_say("both_pay")] if rules.sheet.lives is not None and not unpaid else unpaid)]


def _what_follows(better: Hand, lesser: Hand, rules: Ruleset, hands: HandRules) -> list[str]:
    if better.ends_the_deal and lesser.ends_the_deal:
        return _first_come(rules)
    unpaid = _never_pays(lesser, rules, hands)
    if better.ends_the_deal:
        return [
            _say("ends_at_once", name=name_word(better, hands)),
            *(unpaid or _who_pays(better.name, rules)),
        ]
    return unpaid


def _first_come(rules: Ruleset) -> list[str]:
    """Return the rule for two finishing hands at once: the first one has ended the deal (RULES 1.5)."""
    return [] if rules.sheet.lives is None else [_say("both_end")]


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


@dataclass(frozen=True, slots=True)
class HandStep:
    """A step in the order of hands: name, points ("" if the sheet gives none), description."""

    name: str
    points: str
    made_of: str


def order_of_hands(hands: HandRules) -> list[HandStep]:
    """Return the hands of the sheet, the best first; equal Schnauz and Feuer are named as equal."""
    feuer = HandStep("Feuer", figure(hands.feuer_points), _say("step_feuer"))
    steps = [HandStep("Schnauz", str(hands.schnauz_points), _say(f"step_schnauz_{hands.schnauz}"))]
    if hands.feuer != "none":
        steps.insert(0 if hands.feuer == "above_schnauz" else 1, feuer)
    half_points = hands.three_of_a_kind_half_points
    three_points = figure(None if half_points is None else Fraction(half_points, 2))
    threes = _say(f"step_threes_{hands.threes}", **_face_words(hands))
    three = HandStep(three_of_a_kind_word(hands), three_points, threes)
    return [*steps, three, HandStep(_say("otherwise"), "", _say("step_otherwise"))]


def pips_of_cards(hands: HandRules) -> str:
    """Return the values of the cards."""
    return _say("pips", **_face_words(hands))


def _face_words(hands: HandRules) -> dict[str, str]:
    return {face: face_word(face, hands) for face in ("ace", "king", "ober", "unter")}
