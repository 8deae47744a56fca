"""Numbers and lists in sentences."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy


def listed(parts: list[str]) -> str:
    """Return „3“, „3 und 5“, „3, 5 und 8“."""
    *first, last = parts
    return _("%(first)s und %(last)s") % {"first": ", ".join(first), "last": last} if first else last


def in_words(count: int) -> str:
    """Return numbers up to twelve in words, as is usual in German, larger ones in figures."""
    return str(_NUMBERS[count]) if count in _NUMBERS else str(count)


_NUMBERS: Mapping[int, Promise] = {
    2: pgettext_lazy("number", "zwei"),
    3: pgettext_lazy("number", "drei"),
    4: pgettext_lazy("number", "vier"),
    5: pgettext_lazy("number", "fünf"),
    6: pgettext_lazy("number", "sechs"),
    7: pgettext_lazy("number", "sieben"),
    8: pgettext_lazy("number", "acht"),
    9: pgettext_lazy("number", "neun"),
    10: pgettext_lazy("number", "zehn"),
    11: pgettext_lazy("number", "elf"),
    12: pgettext_lazy("number", "zwölf"),
}
