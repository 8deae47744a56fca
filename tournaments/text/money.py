"""Amounts as text: stored in cents, shown as 3,00 €."""

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tournaments.core.fees import FeeKind


def gain(cents: int) -> str:
    """Return the amount with its sign: „+1,80 €“, „−0,60 €“, or „0,00 €“."""
    return f"+{euros(cents)}" if cents > 0 else euros(cents)


def euros(cents: int) -> str:
    """Return „3,00 €“ with a no-break space and a real minus sign."""
    amount = number_format(Decimal(abs(cents)) / 100, decimal_pos=2)
    return f"{'−' if cents < 0 else ''}{amount}\u00a0€"


def word_desk(name: str) -> str:
    """Return the name of a cash desk, a word for the one without."""
    return name or _("Kasse ohne Namen")


def word_fee(kind: FeeKind) -> str:
    """Return the name of a kind of fee, a word for the ruleset's fee."""
    return kind.name or _("Startgebühr")


def word_piece(cents: int) -> str:
    """Return the name of a note or coin: „50 €“, „20 Cent“."""
    return f"{cents // 100}\u00a0€" if cents >= 100 else f"{cents}\u00a0Cent"
