"""Hands of three cards: their points under a rule sheet, their names, and their order.

Sources: RULES 1.13, 2.2, 3.3, 4.1, that is the paragraphs on combinations and points of the four Schnauz rule sheets.

A *face* is the value printed on a card (Unter, ace, 9); "rank" means the rank of a player. Points are fractions,
because three of a kind count 30½ on two of the sheets.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Literal, get_args

from scoring.core.ranking import competition_ranks
from tournaments.core.refusal import Refusal
from tournaments.rulesets.hands import HandRules

Suit = Literal["acorns", "leaves", "hearts", "bells"]
Face = Literal["6", "7", "8", "9", "10", "unter", "ober", "king", "ace"]
HandName = Literal["feuer", "schnauz", "three_of_a_kind", "suit_sum"]

SUITS: tuple[Suit, ...] = get_args(Suit)
FACES: tuple[Face, ...] = get_args(Face)
"""The faces from the lowest to the highest, as three of a kind are ranked on rule sheet 1."""

CARDS_IN_A_HAND = 3
_PIPS: dict[Face, int] = {"unter": 10, "ober": 10, "king": 10, "ace": 11}


@dataclass(frozen=True, slots=True)
class Card:
    suit: Suit
    face: Face

    @property
    def pips(self) -> int:
        """The points of the card: ace 11; king, Ober, Unter and ten 10; the others their number."""
        return _PIPS.get(self.face) or int(self.face)

    @property
    def code(self) -> str:
        """The name of the card in an address: "hearts-king"."""
        return f"{self.suit}-{self.face}"


@dataclass(frozen=True, slots=True)
class Hand:
    """Three different cards, judged under a rule sheet.

    counting: the cards that make the hand: all three, or those of the suit that counts. points: None if the sheet only
    says what the hand beats. strength: greater is better, equal hands tie.
    """

    cards: tuple[Card, ...]
    name: HandName
    counting: tuple[Card, ...]
    points: Fraction | None
    strength: tuple[int, int]

    @property
    def ends_the_deal(self) -> bool:
        """Whether the hand is shown at once and ends the deal: Schnauz and Feuer, on all four sheets."""
        return self.name in ("schnauz", "feuer")


@lru_cache(maxsize=64)
def deck(rules: HandRules) -> tuple[Card, ...]:
    """Return every card once, suit by suit, from the lowest to the ace."""
    return tuple(Card(suit, face) for suit in SUITS for face in FACES[FACES.index(rules.lowest_card) :])


def hand_of(cards: Iterable[Card], rules: HandRules) -> Hand:
    """Judge the hand of these cards. Raises Refusal unless they are three different cards of the deck."""
    held = tuple(cards)
    _check_different(held)
    if len(held) != CARDS_IN_A_HAND:
        raise Refusal("hand_of_three", cards=len(held))
    if not set(held) <= set(deck(rules)):
        raise Refusal("unknown_card")
    return _judged(held, rules)


def check_dealt(*hands: Iterable[Card]) -> None:
    """Check that these cards, three or fewer a hand, fit into one deal. Raises Refusal for a card in two hands."""
    _check_different([card for hand in hands for card in hand])


def ranks(hands: Sequence[Hand]) -> list[int]:
    """Return the rank of each hand, 1 for the best; equal hands share it, and the ranks they use up are left out."""
    return competition_ranks([hand.strength for hand in hands])


@lru_cache(maxsize=64)
def possible_values(rules: HandRules) -> frozenset[Fraction]:
    """Return the points of every possible hand, found by enumeration; whole ones compare equal to int."""
    judged = (_judged(held, rules) for held in combinations(deck(rules), CARDS_IN_A_HAND))
    return frozenset(hand.points for hand in judged if hand.points is not None)


def _check_different(cards: Sequence[Card]) -> None:
    for index, card in enumerate(cards):
        if card in cards[:index]:
            raise Refusal("card_twice", card=card.code)


def _judged(held: tuple[Card, ...], rules: HandRules) -> Hand:
    name = _name(held, rules)
    counting = _best_suit(held) if name == "suit_sum" else held
    total = sum(card.pips for card in counting)
    detail = {
        "suit_sum": total,
        "three_of_a_kind": FACES.index(held[0].face) if rules.threes == "ranked" else 0,
    }
    return Hand(held, name, counting, _points(name, total, rules), (_step(name, rules), detail.get(name, 0)))


def _name(held: Sequence[Card], rules: HandRules) -> HandName:
    faces = {card.face for card in held}
    if len(faces) == 1:
        return "feuer" if faces == {"ace"} and rules.feuer != "none" else "three_of_a_kind"
    return "schnauz" if _is_schnauz(held, faces, rules) else "suit_sum"


def _is_schnauz(held: Sequence[Card], faces: set[Face], rules: HandRules) -> bool:
    if len({card.suit for card in held}) > 1:
        return False
    if rules.schnauz == "ace_king_ten":
        return faces == {"ace", "king", "10"}
    return sum(card.pips for card in held) == 31


def _best_suit(held: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards of the suit with the best sum; of equal suits the one with the first card of the hand."""
    suits = (tuple(card for card in held if card.suit == first.suit) for first in held)
    return max(suits, key=lambda cards: sum(card.pips for card in cards))


def _points(name: HandName, total: int, rules: HandRules) -> Fraction | None:
    half_points = rules.three_of_a_kind_half_points
    points: dict[HandName, Fraction | int | None] = {
        "feuer": rules.feuer_points,
        "schnauz": rules.schnauz_points,
        "three_of_a_kind": None if half_points is None else Fraction(half_points, 2),
        "suit_sum": total,
    }
    value = points[name]
    return None if value is None else Fraction(value)


def _step(name: HandName, rules: HandRules) -> int:
    """Return the strength of a kind of hand: a sum is lowest, then three of a kind, then Schnauz and Feuer."""
    feuer = {"below_schnauz": 2, "equal_to_schnauz": 3, "above_schnauz": 4, "none": 1}
    return {"suit_sum": 0, "three_of_a_kind": 1, "schnauz": 3, "feuer": feuer[rules.feuer]}[name]
