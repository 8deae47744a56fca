"""Numbers and lists in sentences."""

from django.utils.translation import gettext as _

from tournaments.text.sentences import sentences_beside, translated

_NUMBERS = sentences_beside(__file__)["numbers"]


def listed(parts: list[str]) -> str:
    """Return „3“, „3 und 5“, „3, 5 und 8“."""
    *first, last = parts
    return _("%(first)s und %(last)s") % {"first": ", ".join(first), "last": last} if first else last


def in_words(count: int) -> str:
    """Return numbers up to twelve in words, as is usual in German, larger ones in figures."""
    return str(translated(_NUMBERS.get(str(count), str(count))))
