"""Texts of the tallies: the columns beside the points (see `queries.standings.tally_names`)."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.rulesets.tie_breaks import TIE_BREAKS


@dataclass(frozen=True, slots=True)
class Tally:
    """A column of the standings. short: the heading on a phone, "" for the name. is_pair: for "won/played"."""

    name: Promise | str
    short: str = ""
    is_pair: bool = False


_FURTHER: Mapping[str, Tally] = {
    "tout": Tally(gettext_lazy("Tout"), is_pair=True),
    "solo": Tally(gettext_lazy("Solo"), is_pair=True),
}
"""Columns that are no tie-breaks themselves."""


def tally_of(key: str) -> Tally:
    """Return the texts of a column. Raises KeyError for an unknown one."""
    if key in _FURTHER:
        return _FURTHER[key]
    tie_break = TIE_BREAKS[key]
    return Tally(_(tie_break.name), _(tie_break.short) if tie_break.short else "")


def tally_in_words(key: str, value: str) -> str:
    """Return a value with its name: „3 Striche“, „2 Schnauz“, „1 von 2 Tout gewonnen“. Raises KeyError for an unknown column."""
    tally = tally_of(key)
    if key == "strokes":
        return ngettext("%(strokes)s Strich", "%(strokes)s Striche", int(value)) % {"strokes": value}
    if not tally.is_pair:
        return f"{value} {tally.name}"
    won, _slash, played = value.partition("/")
    words = _("%(won)s von %(played)s %(game)s gewonnen") if int(played or 0) else _("kein %(game)s")
    return words % {"won": won, "played": played, "game": tally.name}


def won_and_played() -> str:
    """Return the explanation of the two figures of a pair."""
    return _("gewonnen/gespielt")
