"""Amounts in words, as they stand on receipts, so that nobody adds a figure."""

from django.utils.translation import get_language

_GERMAN = (
    "null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
    "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
)  # fmt: skip
_GERMAN_TENS = (
    "",
    "",
    "zwanzig",
    "dreißig",
    "vierzig",
    "fünfzig",
    "sechzig",
    "siebzig",
    "achtzig",
    "neunzig",
)
_ENGLISH = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_ENGLISH_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def euros_in_words(cents: int) -> str:
    """Return „siebenundvierzig Euro und fünfzig Cent“, in the language of the reader. Raises ValueError for a negative amount."""
    if cents < 0:
        raise ValueError(f"{cents} cents have no words here")
    is_german = get_language() != "en"
    spelled, and_ = (_german, "und") if is_german else (_english, "and")
    whole, rest = divmod(cents, 100)
    parts = [
        f"{spelled(whole)} {'euro' if not is_german and whole == 1 else 'Euro' if is_german else 'euros'}"
    ]
    if rest:
        parts.append(f"{spelled(rest)} {'Cent' if is_german else 'cent' if rest == 1 else 'cents'}")
    return f" {and_} ".join(parts if whole or not rest else parts[1:])


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
