"""Tie-breaks: the values of a sheet that decide between equal points, one entry each, with their words.

Standard library only. The words are German here and translated where they are shown.
"""

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break and its words, as `words/tie_breaks.toml` explains them. key: in a ruleset, and in the `counts` of a result.

    clause_in_knockout, short: "" for the same words. column: "" for the key.
    """

    key: str
    kinds: Collection[str]
    name: str
    choice: str
    head: str
    clause: str
    clause_in_knockout: str = ""
    only_in_knockout: bool = False
    column: str = ""
    short: str = ""


NOT_COUNTED = frozenset({"strokes", "rank"})
"""Tie-breaks that are fields of a result, not among its `counts`."""

_TEXTS = Path(__file__).with_name("words") / "tie_breaks.toml"
TIE_BREAKS: dict[str, TieBreak] = {
    key: TieBreak(key, **entry) for key, entry in tomllib.loads(_TEXTS.read_text(encoding="utf-8")).items()
}
"""By key, in the order of the form."""


def tie_breaks_of(kind: str, *, in_knockout: bool) -> list[str]:
    """Return the keys of the tie-breaks that a kind of sheet has."""
    return [
        tie_break.key
        for tie_break in TIE_BREAKS.values()
        if kind in tie_break.kinds and (in_knockout or not tie_break.only_in_knockout)
    ]


def counted_for(kind: str) -> list[str]:
    """Return the keys that every result of a kind of sheet has in its `counts`."""
    return [key for key in tie_breaks_of(kind, in_knockout=True) if key not in NOT_COUNTED]


def column_of(key: str) -> str:
    """Return the key of the column of the standings that shows a tie-break. Raises KeyError for an unknown one."""
    return TIE_BREAKS[key].column or key
