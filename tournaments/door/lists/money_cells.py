"""Cells of a list that are about money: what is paid, and the kind of fee."""

import re
from collections.abc import Iterator, Sequence

from tournaments.core.fees import FeeKind
from tournaments.core.refusal import Refusal
from tournaments.text.money import word_fee

_YES = frozenset(
    ["ja", "j", "yes", "y", "x", "✓", "✔", "true", "wahr", "bezahlt", "paid", "bar", "überwiesen"]
)
_NO = frozenset(["", "nein", "n", "no", "-", "–", "—", "offen", "unbezahlt", "unpaid", "false", "falsch"])
_NO_KIND = frozenset(["", "nein", "no", "-", "–", "—"])
_AMOUNT = re.compile(r"(\d{1,4})(?:[.,](\d{1,2}))?")


def paid_cents(text: str, fee_cents: int) -> int:
    """Return the cents that a line says are paid: an amount, or the fee for a yes. Refuses paid_bad, paid_too_much."""
    word = _word(text)
    if word in _YES:
        return fee_cents
    if word in _NO:
        return 0
    cents = _cents(word)
    if cents is None:
        raise Refusal("paid_bad")
    if cents > fee_cents:
        raise Refusal("paid_too_much")
    return cents


def fee_kind(text: str, kinds: Sequence[FeeKind]) -> FeeKind | None:
    """Return the kind of fee that a line names: by its name, its key, or an amount that only this kind has.

    None if it names none. Refuses fee_word_unknown (word, fees).
    """
    if text.casefold() in _NO_KIND:
        return None
    found = [kind for kind in kinds if text.casefold() in _words_of(kind)]
    found = found or [kind for kind in kinds if kind.cents == _cents(_word(text))]
    if len(found) != 1:
        raise Refusal("fee_word_unknown", word=text[:40], fees=", ".join(map(word_fee, kinds)))
    return found[0]


def _words_of(kind: FeeKind) -> Iterator[str]:
    return (word.casefold() for word in (kind.name, word_fee(kind), kind.key))


def _word(text: str) -> str:
    return text.casefold().removesuffix("eur").removesuffix("euro").strip(" €")


def _cents(word: str) -> int | None:
    amount = _AMOUNT.fullmatch(word)
    return int(amount[1]) * 100 + int((amount[2] or "").ljust(2, "0")) if amount else None
