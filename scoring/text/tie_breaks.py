from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.rulesets.schema import Ruleset


def explain_ranking(rules: Ruleset) -> str:
    """What decides about the rank in the tournament, in a sentence."""
    if rules.qualifying is not None:
        return _(
            "Wer weiter kommt, steht vorn. In derselben Spielrunde entscheidet der Rang am Tisch, dann die Striche dort; "
            "wer auch dann gleich ist, teilt sich den Rang."
        )
    if not rules.tie_break:
        return _("Wer gleich viele Punkte hat, teilt sich den Rang.")
    if rules.tie_break == ("strokes",):
        return _(
            "Bei gleichen Punkten entscheiden die Striche; wer auch dann gleich ist, teilt sich den Rang."
        )
    chain = ", ".join(map(name_of_tie_break, rules.tie_break))
    if rules.lot_by_program:
        return _("Bei gleichen Punkten entscheidet der Reihe nach: %(chain)s, das Los.") % {"chain": chain}
    return _(
        "Bei gleichen Punkten entscheidet der Reihe nach: %(chain)s. Wer auch dann gleich ist, teilt sich den Rang."
    ) % {"chain": chain}


def name_of_tie_break(name: str) -> str:
    """What a tie-break of a ruleset is called."""
    return str(_TIE_BREAKS[name])


_TIE_BREAKS: Mapping[str, Promise] = {
    "rank": gettext_lazy("Rang am letzten Tisch"),
    "strokes": gettext_lazy("Striche"),
    "schnauz": gettext_lazy("Schnauz"),
    "feuer": gettext_lazy("Feuer"),
    "tout_won": gettext_lazy("gewonnene Tout"),
    "tout_played": gettext_lazy("gespielte Tout"),
    "solo_won": gettext_lazy("gewonnene Solo"),
    "solo_played": gettext_lazy("gespielte Solo"),
}
