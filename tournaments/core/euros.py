"""Amounts of money as people type them."""

import re

from tournaments.core.refusal import Refusal
from tournaments.rulesets.schema import MOST_CENTS

_EUROS = re.compile(r"([0-9]{1,5})(?:[,.]([0-9]{1,2}))?\s*(?:€|EUR)?", re.IGNORECASE)

_THOUSANDS = re.compile(r"^([0-9]{1,3})([.,])([0-9]{3})(?!\2)(?=[.,][0-9]{2}(?![0-9]))")
"""A mark between thousands: with cents behind it nobody can take it for another."""


def cents_of(text: str) -> int:
    """Return the cents of an amount: „3,00“, „3.00 €“, „3,0“ and „3“ give 300, „1.503,00“ 150300. Refuses fee_bad: „3.000“, „-3“."""
    match = _EUROS.fullmatch(_THOUSANDS.sub(r"\1\3", text.strip()))
    cents = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0")) if match else MOST_CENTS + 1
    if cents > MOST_CENTS:
        raise Refusal("fee_bad")
    return cents
