"""The hands of the four Schnauz sheets, counted once more by brute force.

Nothing of `scoring.core.cards` is used here: a card is a text ("Hk", suit and face), and each sheet is a function that
tests its own rules from the best hand down and returns the first that fits.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

Held = tuple[str, str, str]
Standing = tuple[float, str, Fraction | None]
"""The strength of a hand (a greater number beats a smaller one), its name, its points."""

ALL_FACES = "6789Tuoka"
SUIT_LETTERS = "ALHB"
WORTH = {**{face: int(face) for face in "6789"}, **dict.fromkeys("Tuok", 10), "a": 11}
LOWEST = {"schnauz-placing": "6", "konradsreuth": "9", "fce": "7", "knockout": "7"}


def all_hands(sheet: str) -> Iterator[Held]:
    """Yield every hand of the sheet's deck, once."""
    faces = ALL_FACES[ALL_FACES.index(LOWEST[sheet]) :]
    pack = [suit + face for suit in SUIT_LETTERS for face in faces]
    for one in range(len(pack)):
        for two in range(one):
            for three in range(two):
                yield pack[one], pack[two], pack[three]


def suit_sum(held: Held) -> int:
    sums = dict.fromkeys(SUIT_LETTERS, 0)
    for card in held:
        sums[card[0]] += WORTH[card[1]]
    return max(sums.values())


def is_alike(held: Held) -> bool:
    return held[0][1] == held[1][1] == held[2][1]


def are_aces(held: Held) -> bool:
    return [card[1] for card in held] == ["a", "a", "a"]


def schnauz_placing(held: Held) -> Standing:
    if are_aces(held):
        return 1000, "feuer", None
    if suit_sum(held) == 31:
        return 900, "schnauz", Fraction(31)
    if is_alike(held):
        return 800 + "6789Tuok".index(held[0][1]), "three_of_a_kind", Fraction("30.5")
    return suit_sum(held), "suit_sum", Fraction(suit_sum(held))


def konradsreuth(held: Held) -> Standing:
    suits, faces = {card[0] for card in held}, {card[1] for card in held}
    if faces == {"a", "k", "T"} and len(suits) == 1:
        return 3000, "schnauz", Fraction(31)
    if is_alike(held):
        return 2000, "three_of_a_kind", None
    return suit_sum(held), "suit_sum", Fraction(suit_sum(held))


def fce(held: Held) -> Standing:
    if suit_sum(held) == 31:
        return 35, "schnauz", Fraction(35)
    if are_aces(held):
        return 33, "feuer", Fraction(33)
    if is_alike(held):
        return 31, "three_of_a_kind", Fraction(31)
    return suit_sum(held), "suit_sum", Fraction(suit_sum(held))


def knockout(held: Held) -> Standing:
    if are_aces(held):
        return 31, "feuer", Fraction(31)
    if suit_sum(held) == 31:
        return 31, "schnauz", Fraction(31)
    if is_alike(held):
        return 30.5, "three_of_a_kind", Fraction("30.5")
    return suit_sum(held), "suit_sum", Fraction(suit_sum(held))


BY_HAND: dict[str, Callable[[Held], Standing]] = {
    "schnauz-placing": schnauz_placing,
    "konradsreuth": konradsreuth,
    "fce": fce,
    "knockout": knockout,
}
