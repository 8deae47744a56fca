"""Texts of the tie-breaks, one entry each. Ranking explanations, rules page, forms and standings use it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class TieBreakWords:
    """Texts of a tie-break.

    name: in a list, "gewonnene Tout". clause: on the rules page, "wer mehr Striche hat"; clause_in_knockout: the same if
    only the last table counts. own_head, own_choice: see `head` and `choice`; None for the name.
    """

    name: Promise
    clause: Promise
    own_head: Promise | None = None
    own_choice: Promise | None = None
    clause_in_knockout: Promise | None = None

    @property
    def head(self) -> Promise:
        """The text above the sum column of a paper sheet: "Tout gewonnen"."""
        return self.own_head or self.name

    @property
    def choice(self) -> Promise:
        """The text on the form of the rules: "die Striche"."""
        return self.own_choice or self.name


TIE_BREAKS: Mapping[str, TieBreakWords] = {
    "strokes": TieBreakWords(
        _("Striche"),
        _("wer mehr Striche hat"),
        own_choice=_("die Striche"),
        clause_in_knockout=_("wer dort mehr Striche hat"),
    ),
    "schnauz": TieBreakWords(_("Schnauz"), _("wer mehr Schnauz hat"), own_choice=_("die Schnauz")),
    "feuer": TieBreakWords(_("Feuer"), _("wer mehr Feuer hat"), own_choice=_("die Feuer")),
    "rank": TieBreakWords(
        _("Rang am letzten Tisch"),
        _("wer am letzten Tisch den besseren Rang hat"),
        own_choice=_("der Rang am letzten Tisch"),
    ),
    "tout_won": TieBreakWords(_("gewonnene Tout"), _("wer mehr Tout gewonnen hat"), _("Tout gewonnen")),
    "tout_played": TieBreakWords(_("gespielte Tout"), _("wer mehr Tout gespielt hat"), _("Tout gespielt")),
    "solo_won": TieBreakWords(_("gewonnene Solo"), _("wer mehr Solo gewonnen hat"), _("Solo gewonnen")),
    "solo_played": TieBreakWords(_("gespielte Solo"), _("wer mehr Solo gespielt hat"), _("Solo gespielt")),
}
"""By key, in the order of the form."""
