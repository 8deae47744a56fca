"""Explanations of the ranking: how ranks are decided, and the reason for a row's rank."""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.tie_breaks import TIE_BREAKS


def explain_ranking(rules: Ruleset) -> str:
    """Return the sentence that explains how ranks of the tournament are decided."""
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
    chain = _listed(rules.tie_break)
    if rules.lot_by_program:
        return _("Bei gleichen Punkten entscheidet der Reihe nach: %(chain)s, das Los.") % {"chain": chain}
    return _(
        "Bei gleichen Punkten entscheidet der Reihe nach: %(chain)s. Wer auch dann gleich ist, teilt sich den Rang."
    ) % {"chain": chain}


def tie_note(note: str, broken_by: Sequence[str]) -> str:
    """Return the reason for the rank of a row among rows with equal points; "" for no note.

    note, broken_by: see `StandingsRow`. Raises KeyError for an unknown note.
    """
    if not note:
        return ""
    if note == "chain":
        return _("punktgleich – es entscheidet: %(tie_breaks)s") % {"tie_breaks": _listed(broken_by)}
    return str(_NOTES[note])


def _listed(keys: Sequence[str]) -> str:
    return ", ".join(_(TIE_BREAKS[key].name) for key in keys)


_NOTES: Mapping[str, Promise] = {
    "strokes": gettext_lazy("punktgleich – die Striche entscheiden"),
    "strokes_there": gettext_lazy("gleich weit und gleicher Rang am Tisch – die Striche dort entscheiden"),
    "shared": gettext_lazy("gleich an Punkten und Strichen – geteilter Rang"),
    "decided": gettext_lazy("gleich an Punkten und Strichen – Stechen oder Los hat entschieden"),
    "shared_in_all": gettext_lazy("in allem gleich – geteilter Rang"),
    "decided_in_all": gettext_lazy("in allem gleich – Stechen oder Los hat entschieden"),
}
