"""Amounts as text: stored in cents, shown as 3,00 €; on receipts also in words, against added figures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from tournaments.core.fees import FeeKind
from tournaments.models import Tournament
from tournaments.rulesets.languages import SOURCE


def gain(cents: int) -> str:
    """Return the amount with its sign: „+1,80 €“, „−0,60 €“, or „0,00 €“."""
    return f"+{euros(cents)}" if cents > 0 else euros(cents)


def euros(cents: int) -> str:
    """Return „1.503,00 €“ with a no-break space and a real minus sign."""
    amount = number_format(Decimal(abs(cents)) / 100, decimal_pos=2, force_grouping=True)
    return f"{'−' if cents < 0 else ''}{amount}\u00a0€"


def word_desk(name: str) -> str:
    """Return the name of a cash desk, a word for the one without."""
    return name or _("Kasse ohne Namen")


def word_fee(kind: FeeKind) -> str:
    """Return the name of a kind of fee, a word for the ruleset's fee."""
    return kind.name or _("Startgebühr")


def named_fee(kind: FeeKind) -> str:
    """Return a kind of fee with its amount, or that it is free: „voll 5,00 €“, „Helfer frei“; „voll“ if amounts are hidden."""
    if not kind.cents:
        return f"{word_fee(kind)} {_('frei')}"
    return word_fee(kind) if kind.hides_amount else f"{word_fee(kind)} {euros(kind.cents)}"


def paid_in(cents: int, tournament: Tournament) -> str:
    """Return the amount that somebody pays, or „bezahlt“ where the club has a till of its own."""
    return pgettext("eines Spielers", "bezahlt") if tournament.hides_amounts else euros(cents)


def money_in(cents: int, tournament: Tournament) -> str:
    """Return an amount that somebody gets back, or „das Geld“ where the club has a till of its own."""
    return _("das Geld") if tournament.hides_amounts else euros(cents)


def word_fees(kinds: Sequence[FeeKind]) -> str:
    """Return the fees of a tournament: „Startgebühr 3,00 €“, „voll 5,00 € · Helfer frei“; "" if nobody pays."""
    if not any(kind.cents for kind in kinds):
        return ""
    return "\u00a0· ".join(map(named_fee, kinds))


def sentence_of_fees(kinds: Sequence[FeeKind]) -> str:
    """Return what a player pays, as a sentence: on the rules page, when signing up, and at the microphone."""
    if not any(kind.cents for kind in kinds):
        return _("Eine Startgebühr gibt es nicht.")
    if len(kinds) == 1:
        if kinds[0].hides_amount:
            return _("Die Startgebühr wird einmal je Spieler an der Kasse bezahlt.")
        return _("Die Startgebühr ist %(fee)s, einmal je Spieler.") % {"fee": euros(kinds[0].cents)}
    fees = ", ".join(map(named_fee, kinds))
    return _("Die Startgebühr, einmal je Spieler: %(fees)s.") % {"fees": fees}


def word_piece(cents: int) -> str:
    """Return the name of a note or coin: „50 €“, „20 Cent“."""
    return f"{cents // 100}\u00a0€" if cents >= 100 else f"{cents}\u00a0Cent"


_GERMAN = (
    "null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
    "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
)  # fmt: skip
_GERMAN_TENS = (
    "", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
)  # fmt: skip
_ENGLISH = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_ENGLISH_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def euros_in_words(cents: int) -> str:
    """Return „siebenundvierzig Euro und fünfzig Cent“, in the reader's language, or in German if the language has no words here.

    Raises ValueError for a negative amount.
    """
    if cents < 0:
        raise ValueError(f"{cents} cents have no words here")
    words = _AMOUNTS.get(get_language() or SOURCE, _AMOUNTS[SOURCE])
    whole, rest = divmod(cents, 100)
    parts = [f"{words.number(whole)} {words.euro if whole == 1 else words.euros}"]
    if rest:
        parts.append(f"{words.number(rest)} {words.cent if rest == 1 else words.cents}")
    return f" {words.and_} ".join(parts if whole or not rest else parts[1:])


def _german(number: int) -> str:
    if number >= 1_000_000:
        millions, rest = divmod(number, 1_000_000)
        spelled = "eine Million" if millions == 1 else f"{_german(millions)} Millionen"
        return f"{spelled} {_german(rest)}" if rest else spelled
    if number >= 1000:
        thousands, rest = divmod(number, 1000)
        return f"{_german(thousands)}tausend{_german(rest) if rest else ''}"
    if number >= 100:
        hundreds, rest = divmod(number, 100)
        return f"{_GERMAN[hundreds]}hundert{_german(rest) if rest else ''}"
    if number >= 20:
        tens, ones = divmod(number, 10)
        return f"{_GERMAN[ones]}und{_GERMAN_TENS[tens]}" if ones else _GERMAN_TENS[tens]
    return _GERMAN[number]


def _english(number: int) -> str:
    if number >= 1_000_000:
        millions, rest = divmod(number, 1_000_000)
        return f"{_english(millions)} million{_joined(rest)}"
    if number >= 1000:
        thousands, rest = divmod(number, 1000)
        return f"{_english(thousands)} thousand{_joined(rest)}"
    if number >= 100:
        hundreds, rest = divmod(number, 100)
        return f"{_ENGLISH[hundreds]} hundred{' and ' + _english(rest) if rest else ''}"
    if number >= 20:
        tens, ones = divmod(number, 10)
        return f"{_ENGLISH_TENS[tens]}-{_ENGLISH[ones]}" if ones else _ENGLISH_TENS[tens]
    return _ENGLISH[number]


def _joined(rest: int) -> str:
    if not rest:
        return ""
    return f" and {_english(rest)}" if rest < 100 else f" {_english(rest)}"


@dataclass(frozen=True, slots=True)
class _AmountWords:
    """The words of an amount in a language. number: spells a whole number."""

    number: Callable[[int], str]
    and_: str
    euro: str
    euros: str
    cent: str
    cents: str


_AMOUNTS: Mapping[str, _AmountWords] = {
    "de": _AmountWords(_german, "und", "Euro", "Euro", "Cent", "Cent"),
    "en": _AmountWords(_english, "and", "euro", "euros", "cent", "cents"),
}
