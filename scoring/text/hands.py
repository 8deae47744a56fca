"""Texts about three cards, by the tournament's rule sheet: cards, hands, and why one of two is better.

A sentence settles an argument at the table, so it names the deciding figures and the consequences.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from scoring.core.cards import Card, Face, Hand, Suit, ranks
from scoring.text.refusals import message
from tournaments.core.refusal import Refusal
from tournaments.rulesets.hands import HandRules
from tournaments.rulesets.schema import Ruleset
from tournaments.text.numbers import listed
from tournaments.text.ruleset_fields import FIELDS

_SUITS: Mapping[str, Mapping[Suit, Promise]] = {
    "german": {
        "acorns": gettext_lazy("Eichel"),
        "leaves": gettext_lazy("Gras"),
        "hearts": gettext_lazy("Herz"),
        "bells": gettext_lazy("Schellen"),
    },
    "french": {
        "acorns": gettext_lazy("Kreuz"),
        "leaves": gettext_lazy("Pik"),
        "hearts": gettext_lazy("Herz"),
        "bells": gettext_lazy("Karo"),
    },
}
_OF_BOTH: Mapping[Face, Promise] = {"king": gettext_lazy("König"), "ace": gettext_lazy("Ass")}
_FACES: Mapping[str, Mapping[Face, Promise]] = {
    "german": {"unter": gettext_lazy("Unter"), "ober": gettext_lazy("Ober"), **_OF_BOTH},
    "french": {"unter": gettext_lazy("Bube"), "ober": gettext_lazy("Dame"), **_OF_BOTH},
}
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
_THREE: Mapping[Face, Promise] = {
    "6": gettext_lazy("drei Sechser"),
    "7": gettext_lazy("drei Siebener"),
    "8": gettext_lazy("drei Achter"),
    "9": gettext_lazy("drei Neuner"),
    "10": gettext_lazy("drei Zehner"),
    "king": gettext_lazy("drei Könige"),
    "ace": gettext_lazy("drei Asse"),
}
_THREE_PICTURES: Mapping[str, Mapping[Face, Promise]] = {
    "german": {"unter": gettext_lazy("drei Unter"), "ober": gettext_lazy("drei Ober")},
    "french": {"unter": gettext_lazy("drei Buben"), "ober": gettext_lazy("drei Damen")},
}


def suit_word(suit: Suit, hands: HandRules) -> str:
    return str(_SUITS[hands.card_names][suit])


def face_word(face: Face, hands: HandRules) -> str:
    return str(_FACES[hands.card_names].get(face, face))


def face_sign(face: Face, hands: HandRules) -> str:
    """Return the sign in the corner of the card."""
    return str(_SIGNS[hands.card_names].get(face, face))


def card_word(card: Card, hands: HandRules) -> str:
    return _("%(suit)s-%(face)s") % {
        "suit": suit_word(card.suit, hands),
        "face": face_word(card.face, hands),
    }


def three_word(face: Face, hands: HandRules) -> str:
    return str(_THREE_PICTURES[hands.card_names].get(face) or _THREE[face])


def figure(points: Fraction) -> str:
    """Return points as they are written at the table: 30½."""
    whole, half = divmod(points, 1)
    return f"{whole}½" if half else str(whole)


def points_word(points: Fraction) -> str:
    return _("%(points)s Punkte") % {"points": figure(points)}


def three_of_a_kind_word(hands: HandRules) -> str:
    """Return the name of three of a kind on this sheet."""
    return hands.three_of_a_kind_name or _("Drei Gleiche")


def name_word(hand: Hand, hands: HandRules) -> str:
    """Return the name of the hand; a sum is named by its points."""
    if hand.name == "suit_sum":
        return points_word(Fraction(sum(card.pips for card in hand.counting)))
    names = {"feuer": "Feuer", "schnauz": "Schnauz", "three_of_a_kind": three_of_a_kind_word(hands)}
    return names[hand.name]


def value_of(hand: Hand) -> str:
    """Return the points of a named hand; "" if the sheet gives it none, or if the points are its name."""
    return "" if hand.name == "suit_sum" or hand.points is None else figure(hand.points)


def refusal_word(refusal: Refusal, names: Mapping[str, str]) -> str:
    """Return why these cards are not a hand. names: code -> name of every card."""
    params = dict(refusal.params)
    if "card" in params:
        params["card"] = names[str(params["card"])]
    return message(Refusal(refusal.code, **params))


def explained(hand: Hand, rules: Ruleset, hands: HandRules) -> list[str]:
    """Return why the hand has its value, and the consequences at this table."""
    makers = {
        "suit_sum": _sum_words,
        "three_of_a_kind": _three_words,
        "schnauz": _schnauz_words,
        "feuer": _feuer_words,
    }
    return makers[hand.name](hand, rules, hands)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The better of two hands, and why. winner: 1, 2, or None if they tie."""

    winner: int | None
    sentences: tuple[str, ...]

    @property
    def title(self) -> str:
        if self.winner is None:
            return _("Beide Hände sind gleich.")
        return _("Die %(number)s. Hand ist besser.") % {"number": self.winner}


def compared(one: Hand, other: Hand, rules: Ruleset, hands: HandRules) -> Comparison:
    first, second = ranks([one, other])
    if first == second:
        return Comparison(None, tuple(_tied(one, other, rules, hands)))
    better, lesser = (one, other) if first < second else (other, one)
    why = [_why(better, lesser, hands), *_no_schnauz(lesser), *_what_follows(better, lesser, rules, hands)]
    return Comparison(1 if better is one else 2, tuple(why))


def _sum_words(hand: Hand, rules: Ruleset, hands: HandRules) -> list[str]:
    more = _("Auch %(three)s ist mehr.") % {"three": three_of_a_kind_word(hands)}
    no_schnauz = _no_schnauz(hand)
    return [_added_up(hand, hands), *no_schnauz, *([more] if no_schnauz else [])]


def _added_up(hand: Hand, hands: HandRules) -> str:
    if len(hand.counting) == 1:
        (card,) = hand.counting
        return _("Drei Farben, also zählt nur die höchste Karte: %(card)s.") % {
            "card": card_word(card, hands)
        }
    return _("Beste Farbe ist %(suit)s: %(sum)s.") % {
        "suit": suit_word(hand.counting[0].suit, hands),
        "sum": _addition(hand),
    }


def _addition(hand: Hand) -> str:
    pips = [card.pips for card in hand.counting]
    return f"{' + '.join(map(str, pips))} = {sum(pips)}".replace(" ", "\N{NO-BREAK SPACE}")


def _no_schnauz(hand: Hand) -> list[str]:
    """Return the explanation of a 31 that is no Schnauz in Konradsreuth."""
    is_31 = hand.name == "suit_sum" and hand.points == 31
    return [_("Kein Schnauz: der ist nur Ass, König und 10 einer Farbe.")] if is_31 else []


def _three_words(hand: Hand, rules: Ruleset, hands: HandRules) -> list[str]:
    face = hand.cards[0].face
    return [
        f"{_capital(three_word(face, hands))}.",
        _three_against_others(hand, hands),
        *_never_pays(hand, rules, hands),
    ]


def _three_against_others(hand: Hand, hands: HandRules) -> str:
    if hand.points is None:
        return _("Mehr als jede Summe, auch als 31, und weniger als ein Schnauz.")
    above = "Schnauz" if hands.feuer == "none" else _("Schnauz und Feuer")
    if hands.threes == "equal":
        return _("Welche drei es sind, ist gleich. Mehr ist nur: %(hands)s.") % {"hands": above}
    if hand.cards[0].face in ("king", "ace"):
        return _("Mehr ist nur: %(hands)s.") % {"hands": above}
    return _("Mehr ist nur: drei höhere Karten, %(hands)s.") % {"hands": above}


def _never_pays(hand: Hand, rules: Ruleset, hands: HandRules) -> list[str]:
    spared = rules.sheet.three_of_a_kind_spared
    if hand.name != "three_of_a_kind" or not spared:
        return []
    three = {"three": three_of_a_kind_word(hands)}
    if rules.sheet.three_never_pays:
        return [_("%(three)s zahlt nie.") % three]
    words = FIELDS["sheet.endings"].choices
    endings = listed([str(words[ending]) for ending in spared])
    return [_("%(three)s zahlt nicht bei: %(endings)s.") % {**three, "endings": endings}]


def _schnauz_words(hand: Hand, rules: Ruleset, hands: HandRules) -> list[str]:
    if hands.schnauz == "ace_king_ten":
        made = _("Ass, König und 10 einer Farbe.")
    else:
        made = _("Ein Ass und zwei Karten zu 10, alle von einer Farbe.")
    return [made, *_ends_it("schnauz", rules), *_handschnauz(rules, hands)]


def _feuer_words(hand: Hand, rules: Ruleset, hands: HandRules) -> list[str]:
    return [_("Drei Asse."), *_ends_it("feuer", rules)]


def _ends_it(ending: str, rules: Ruleset) -> list[str]:
    said = [_("Das Spiel ist sofort zu Ende."), *_who_pays(ending, rules)]
    if f"table_{ending}" in rules.sheet.endings:
        said.append(_("Das gilt auch, wenn die drei Karten offen in der Mitte liegen."))
    return said


def _who_pays(ending: str, rules: Ruleset) -> list[str]:
    if rules.sheet.lives is None:
        return []
    return [
        _("Alle anderen zahlen.")
        if ending in rules.sheet.all_others_lose
        else _("Wer am wenigsten hat, zahlt.")
    ]


def _handschnauz(rules: Ruleset, hands: HandRules) -> list[str]:
    if "handschnauz" not in rules.sheet.all_others_lose:
        return []
    if "handschnauz" in rules.sheet.three_of_a_kind_spared:
        sentence = _("Als Handschnauz zahlen alle anderen, außer wer %(three)s hat.")
        return [sentence % {"three": three_of_a_kind_word(hands)}]
    return [_("Als Handschnauz zahlen alle anderen.")]


def _why(better: Hand, lesser: Hand, hands: HandRules) -> str:
    if better.name == lesser.name == "three_of_a_kind":
        three = {
            "better": three_word(better.cards[0].face, hands),
            "lesser": three_word(lesser.cards[0].face, hands),
        }
        return _capital(_("%(better)s sind mehr als %(lesser)s.") % three)
    if better.points is not None and lesser.points is not None and better.points > lesser.points:
        figures = {"better": figure(better.points), "lesser": figure(lesser.points)}
        return _("%(better)s Punkte sind mehr als %(lesser)s.") % figures
    named = {"better": name_word(better, hands), "lesser": name_word(lesser, hands)}
    return _("%(better)s geht über %(lesser)s.") % named


def _tied(one: Hand, other: Hand, rules: Ruleset, hands: HandRules) -> list[str]:
    if one.name == other.name == "three_of_a_kind":
        same = _("Drei Gleiche sind hier alle gleich viel wert.")
    elif one.points is not None:
        same = _("Beide zählen %(points)s, mehr entscheidet nicht.") % {"points": points_word(one.points)}
    else:
        same = _("Mehr entscheidet nicht.")
    if one.ends_the_deal:
        return [same, *_first_come(rules)]
    pays = rules.sheet.lives is not None and not _never_pays(one, rules, hands)
    return [same, *([_("Hat niemand weniger, zahlen beide.")] if pays else _never_pays(one, rules, hands))]


def _what_follows(better: Hand, lesser: Hand, rules: Ruleset, hands: HandRules) -> list[str]:
    if better.ends_the_deal and lesser.ends_the_deal:
        return _first_come(rules)
    if better.ends_the_deal:
        paying = _never_pays(lesser, rules, hands) or _who_pays(better.name, rules)
        return [_("%(name)s beendet das Spiel sofort.") % {"name": name_word(better, hands)}, *paying]
    return _never_pays(lesser, rules, hands)


def _first_come(rules: Ruleset) -> list[str]:
    """Return the rule for two finishing hands at once: the first one has ended the deal (RULES 1.5)."""
    if rules.sheet.lives is None:
        return []
    return [_("Beide beenden das Spiel; den Strich bekommt, wer zuerst an der Reihe war.")]


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
    three_points = hands.three_of_a_kind_half_points
    feuer = HandStep("Feuer", _figure_or_nothing(hands.feuer_points), _("drei Asse"))
    schnauz = HandStep("Schnauz", str(hands.schnauz_points), _schnauz_is(hands))
    steps = {
        "above_schnauz": [feuer, schnauz],
        "equal_to_schnauz": [schnauz, feuer],
        "below_schnauz": [schnauz, feuer],
        "none": [schnauz],
    }[hands.feuer]
    three = HandStep(
        three_of_a_kind_word(hands),
        _figure_or_nothing(None if three_points is None else Fraction(three_points, 2)),
        _threes_are(hands),
    )
    return [*steps, three, HandStep(_("sonst"), "", _("die beste Summe von einer Farbe"))]


def pips_of_cards(hands: HandRules) -> str:
    """Return the values of the cards."""
    return _(
        "%(ace)s 11, %(king)s, %(ober)s, %(unter)s und 10 je 10, die anderen so viel wie darauf steht."
    ) % _face_words(hands)


def _face_words(hands: HandRules) -> dict[str, str]:
    return {face: face_word(face, hands) for face in ("ace", "king", "ober", "unter")}


def _figure_or_nothing(points: Fraction | int | None) -> str:
    return "" if points is None else figure(Fraction(points))


def _schnauz_is(hands: HandRules) -> str:
    if hands.schnauz == "ace_king_ten":
        return _("Ass, König und 10 einer Farbe")
    return _("ein Ass und zwei Karten zu 10 von einer Farbe")


def _threes_are(hands: HandRules) -> str:
    if hands.threes == "equal":
        return _("drei Gleiche, alle gleich viel wert")
    return _("drei Gleiche; %(king)s vor %(ober)s vor %(unter)s und so weiter") % _face_words(hands)
