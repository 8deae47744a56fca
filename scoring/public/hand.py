"""Page model of the hand page, which says what three cards are worth."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scoring.core.cards import CARDS_IN_A_HAND, FACES, SUITS, Card, Hand, Suit, check_dealt, deck, hand_of
from scoring.text.hands import (
    Comparison,
    HandStep,
    card_word,
    compared,
    explained,
    face_sign,
    name_word,
    order_of_hands,
    pips_of_cards,
    refusal_word,
    suit_word,
    value_of,
)
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament
from tournaments.queries.publicity import tournament_by_slug
from tournaments.rulesets.hands import HandRules
from tournaments.rulesets.schema import Ruleset
from tournaments.text.ruleset_summary import title_of

_ICONS = {"german": ("eichel", "gras", "herz", "schellen"), "french": ("kreuz", "pik", "herz", "karo")}


@dataclass(frozen=True, slots=True)
class SuitRow:
    """A suit by icon and name."""

    icon: str
    word: str


@dataclass(frozen=True, slots=True)
class CardRow:
    """A card: its code in the URL, its suit, the sign in its corner, its name."""

    code: str
    icon: str
    sign: str
    word: str


_Rows = Mapping[Card, CardRow]


@dataclass(frozen=True, slots=True)
class HandRow:
    """One of the two hands on the page.

    name, points, sentences: the evaluation of three cards; "" and () while some are missing.
    """

    number: int
    cards: tuple[CardRow, ...]
    name: str = ""
    points: str = ""
    sentences: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Name of the query parameter with this hand's cards."""
        return "ab"[self.number - 1]

    @property
    def codes(self) -> set[str]:
        return {card.code for card in self.cards}

    @property
    def missing(self) -> int:
        return max(0, CARDS_IN_A_HAND - len(self.cards))


@dataclass(frozen=True, slots=True)
class HandPage:
    """The deck of the tournament's rule sheet, by face from the aces down, and two hands of it.

    comparison: if both hands have three cards. problem: the error in the cards, "" if none. order: the hands
    of the rule sheet, the best first. pips: the values of its cards.
    """

    tournament: Tournament
    title: str
    suits: tuple[SuitRow, ...]
    cards: tuple[CardRow, ...]
    hands: tuple[HandRow, HandRow]
    comparison: Comparison | None
    problem: str
    order: tuple[HandStep, ...]
    pips: str

    @property
    def touched(self) -> list[HandRow]:
        return [hand for hand in self.hands if hand.cards]

    @property
    def is_untouched(self) -> bool:
        return not self.touched and not self.problem

    @property
    def alone(self) -> HandRow | None:
        """The hand with cards, if the other has none."""
        return self.touched[0] if len(self.touched) == 1 else None


def hand_page(slug: str, first: Iterable[str], second: Iterable[str]) -> HandPage | None:
    """Return the page for the cards with these codes; None if no player of this ruleset holds three cards.

    A code of no card is skipped and named as a problem of its hand. Raises Tournament.DoesNotExist.
    """
    tournament = tournament_by_slug(slug)
    rules = tournament.rules
    if rules.hands is None:
        return None
    rows = {card: _card_row(card, rules.hands) for card in _face_by_face(rules.hands)}
    first_hand, second_hand = (_picked(codes, rows, rules.hands) for codes in (first, second))
    problem = first_hand.problem or second_hand.problem or _problem_of_both(first_hand, second_hand, rows)
    comparison = None
    if first_hand.hand and second_hand.hand and not problem:
        comparison = compared(first_hand.hand, second_hand.hand, rules, rules.hands)
    return HandPage(
        tournament=tournament,
        title=title_of(rules),
        suits=tuple(_suit_row(suit, rules.hands) for suit in SUITS),
        cards=tuple(rows.values()),
        hands=(_hand_row(1, first_hand, rows, rules), _hand_row(2, second_hand, rows, rules)),
        comparison=comparison,
        problem=problem,
        order=tuple(order_of_hands(rules.hands)),
        pips=pips_of_cards(rules.hands),
    )


@dataclass(frozen=True, slots=True)
class _Picked:
    """The cards of a hand, their evaluation, or the problem; neither while some are missing."""

    cards: tuple[Card, ...]
    hand: Hand | None
    problem: str


def _picked(codes: Iterable[str], rows: _Rows, hands: HandRules) -> _Picked:
    by_code = {card.code: card for card in rows}
    asked = list(codes)
    cards = tuple(by_code[code] for code in asked if code in by_code)
    try:
        if len(cards) < len(asked):
            raise Refusal("unknown_card")
        hand = hand_of(cards, hands) if len(cards) >= CARDS_IN_A_HAND else None
    except Refusal as refusal:
        return _Picked(cards, None, _refusal_word(refusal, rows))
    return _Picked(cards, hand, "")


def _problem_of_both(first: _Picked, second: _Picked, rows: _Rows) -> str:
    """Return the problem of a card that is in both hands. A card twice in one hand is that hand's problem."""
    try:
        check_dealt(set(first.cards), set(second.cards))
    except Refusal as refusal:
        return _refusal_word(refusal, rows)
    return ""


def _refusal_word(refusal: Refusal, rows: _Rows) -> str:
    return refusal_word(refusal, {row.code: row.word for row in rows.values()})


def _hand_row(number: int, picked: _Picked, rows: _Rows, rules: Ruleset) -> HandRow:
    cards = tuple(row for card, row in rows.items() if card in picked.cards)
    row = HandRow(number, cards)
    if picked.hand is None or rules.hands is None:
        return row
    return replace(
        row,
        name=name_word(picked.hand, rules.hands),
        points=value_of(picked.hand),
        sentences=tuple(explained(picked.hand, rules, rules.hands)),
    )


def _face_by_face(hands: HandRules) -> list[Card]:
    """Return the deck in the order of the page: the aces of all suits first."""
    return sorted(deck(hands), key=lambda card: (-FACES.index(card.face), SUITS.index(card.suit)))


def _card_row(card: Card, hands: HandRules) -> CardRow:
    icon = _suit_row(card.suit, hands).icon
    return CardRow(card.code, icon, face_sign(card.face, hands), card_word(card, hands))


def _suit_row(suit: Suit, hands: HandRules) -> SuitRow:
    return SuitRow(_ICONS[hands.card_names][SUITS.index(suit)], suit_word(suit, hands))
