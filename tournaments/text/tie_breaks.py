"""Texts of the tie-breaks, one entry each. Ranking explanations, rules page, forms and standings use it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class TieBreakWords:
    """Texts of a tie-break.

    name: in a list, "gewonnene Tout". choice: on the form of the rules, "die Striche". head: above the sum
    column of a paper sheet, "Tout gewonnen". clause: on the rules page, "wer mehr Striche hat";
    clause_in_knockout: the same if only the last table counts.
    """

    key: str
    name: Promise
    choice: Promise
    head: Promise
    clause: Promise
    clause_in_knockout: Promise | None = None


TIE_BREAKS: Mapping[str, TieBreakWords] = {
    words.key: words
    for words in (
        TieBreakWords(
            "strokes",
            name=_("Striche"),
            choice=_("die Striche"),
            head=_("Striche"),
            clause=_("wer mehr Striche hat"),
            clause_in_knockout=_("wer dort mehr Striche hat"),
        ),
        TieBreakWords(
            "schnauz",
            name=_("Schnauz"),
            choice=_("die Schnauz"),
            head=_("Schnauz"),
            clause=_("wer mehr Schnauz hat"),
        ),
        TieBreakWords(
            "feuer", name=_("Feuer"), choice=_("die Feuer"), head=_("Feuer"), clause=_("wer mehr Feuer hat")
        ),
        TieBreakWords(
            "rank",
            name=_("Rang am letzten Tisch"),
            choice=_("der Rang am letzten Tisch"),
            head=_("Rang am letzten Tisch"),
            clause=_("wer am letzten Tisch den besseren Rang hat"),
        ),
        TieBreakWords(
            "tout_won",
            name=_("gewonnene Tout"),
            choice=_("gewonnene Tout"),
            head=_("Tout gewonnen"),
            clause=_("wer mehr Tout gewonnen hat"),
        ),
        TieBreakWords(
            "tout_played",
            name=_("gespielte Tout"),
            choice=_("gespielte Tout"),
            head=_("Tout gespielt"),
            clause=_("wer mehr Tout gespielt hat"),
        ),
        TieBreakWords(
            "solo_won",
            name=_("gewonnene Solo"),
            choice=_("gewonnene Solo"),
            head=_("Solo gewonnen"),
            clause=_("wer mehr Solo gewonnen hat"),
        ),
        TieBreakWords(
            "solo_played",
            name=_("gespielte Solo"),
            choice=_("gespielte Solo"),
            head=_("Solo gespielt"),
            clause=_("wer mehr Solo gespielt hat"),
        ),
    )
}
"""By key, in the order of the form."""
