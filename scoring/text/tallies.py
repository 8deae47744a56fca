"""Texts of the tallies: the columns beside the points (see `queries.standings.tally_names`)."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext


@dataclass(frozen=True, slots=True)
class Tally:
    """A column of the standings. short: the heading on a phone, "" for the name. is_pair: for "won/played"."""

    name: Promise
    short: Promise | str = ""
    is_pair: bool = False


_TALLIES: Mapping[str, Tally] = {
    "strokes": Tally(gettext_lazy("Striche"), short=gettext_lazy("Str.")),
    "schnauz": Tally(gettext_lazy("Schnauz"), short=gettext_lazy("Schn.")),
    "feuer": Tally(gettext_lazy("Feuer")),
    "tout": Tally(gettext_lazy("Tout"), is_pair=True),
    "solo": Tally(gettext_lazy("Solo"), is_pair=True),
}


def tally_of(key: str) -> Tally:
    """Return the texts of a column. Raises KeyError for an unknown one."""
    return _TALLIES[key]


def tally_in_words(key: str, value: str) -> str:
    """Return a value with its name: „3 Striche“, „2 Schnauz“, „Tout 1/2“. Raises KeyError for an unknown column."""
    tally = _TALLIES[key]
    if key == "strokes":
        return ngettext("%(strokes)s Strich", "%(strokes)s Striche", int(value)) % {"strokes": value}
    return f"{tally.name} {value}" if tally.is_pair else f"{value} {tally.name}"


def won_and_played() -> str:
    """Return the explanation of the two figures of a pair."""
    return _("gewonnen/gespielt")
