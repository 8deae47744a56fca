"""Tie-breaks: the values of a sheet that decide between equal points, one entry each, with their words.

Standard library only. The words are German here and translated where they are shown.
"""

from collections.abc import Set
from dataclasses import dataclass


def _(german: str) -> str:
    """Mark a text for translation."""
    return german


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break and its words.

    key: in a ruleset, and in the `counts` of a result. kinds: the kinds of sheets that have the value.
    only_in_knockout: whether it exists only where players drop out. name: in a list, "gewonnene Tout". choice: on the
    form of the rules, "die Striche". head: above the sum column of a paper sheet, "Tout gewonnen". clause: on the rules
    page, "wer mehr Striche hat"; clause_in_knockout: the same if only the last table counts, "" for the same words.
    column: the key of its column in the standings; "won/played" share one. short: the heading of that column on a
    phone, "" for the name.
    """

    key: str
    kinds: Set[str]
    name: str
    choice: str
    head: str
    clause: str
    clause_in_knockout: str = ""
    only_in_knockout: bool = False
    column: str = ""
    short: str = ""


TALLIED = frozenset({"survival", "hand_points"})
GAMES = frozenset({"plus_minus"})
NOT_COUNTED = frozenset({"strokes", "rank"})
"""Tie-breaks that are fields of a result, not among its `counts`."""

TIE_BREAKS: dict[str, TieBreak] = {
    tie_break.key: tie_break
    for tie_break in (
        TieBreak(
            "strokes",
            TALLIED,
            name=_("Striche"),
            choice=_("die Striche"),
            head=_("Striche"),
            clause=_("wer mehr Striche hat"),
            clause_in_knockout=_("wer dort mehr Striche hat"),
            short=_("Str."),
        ),
        TieBreak(
            "schnauz",
            TALLIED,
            name=_("Schnauz"),
            choice=_("die Schnauz"),
            head=_("Schnauz"),
            clause=_("wer mehr Schnauz hat"),
            short=_("Schn."),
        ),
        TieBreak(
            "feuer",
            TALLIED,
            name=_("Feuer"),
            choice=_("die Feuer"),
            head=_("Feuer"),
            clause=_("wer mehr Feuer hat"),
        ),
        TieBreak(
            "tout_won",
            GAMES,
            name=_("gewonnene Tout"),
            choice=_("gewonnene Tout"),
            head=_("Tout gewonnen"),
            clause=_("wer mehr Tout gewonnen hat"),
            column="tout",
        ),
        TieBreak(
            "tout_played",
            GAMES,
            name=_("gespielte Tout"),
            choice=_("gespielte Tout"),
            head=_("Tout gespielt"),
            clause=_("wer mehr Tout gespielt hat"),
            column="tout",
        ),
        TieBreak(
            "solo_won",
            GAMES,
            name=_("gewonnene Solo"),
            choice=_("gewonnene Solo"),
            head=_("Solo gewonnen"),
            clause=_("wer mehr Solo gewonnen hat"),
            column="solo",
        ),
        TieBreak(
            "solo_played",
            GAMES,
            name=_("gespielte Solo"),
            choice=_("gespielte Solo"),
            head=_("Solo gespielt"),
            clause=_("wer mehr Solo gespielt hat"),
            column="solo",
        ),
        TieBreak(
            "rank",
            TALLIED | GAMES,
            name=_("Rang am letzten Tisch"),
            choice=_("der Rang am letzten Tisch"),
            head=_("Rang am letzten Tisch"),
            clause=_("wer am letzten Tisch den besseren Rang hat"),
            only_in_knockout=True,
        ),
    )
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
