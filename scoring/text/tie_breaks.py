"""Explanations of the ranking: how ranks are decided, and the reason for a row's rank."""

from collections.abc import Sequence

from django.utils.translation import gettext, gettext_lazy

from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.tie_breaks import TIE_BREAKS
from tournaments.text.sentences import sentence_maker

_say_ranking = sentence_maker(__file__, "ranking")
_say_note = sentence_maker(__file__, "tie_notes")
_SERIES_TIES = {
    "best_evening": gettext_lazy("der beste Abend"),
    "wins": gettext_lazy("mehr gewonnene Abende"),
    "table_wins": gettext_lazy("mehr gewonnene Tische"),
    "strokes": gettext_lazy("mehr Striche"),
    "evenings": gettext_lazy("mehr gespielte Abende"),
    "last_evening": gettext_lazy("der letzte Abend"),
    "lot": gettext_lazy("das Los"),
}


def explain_ranking(rules: Ruleset) -> str:
    """Return the sentence that explains how ranks of the tournament are decided."""
    if rules.qualifying is not None:
        return _say_ranking("knockout")
    if not rules.tie_break:
        return _say_ranking("points_only")
    if rules.tie_break == ("strokes",):
        return _say_ranking("strokes")
    return _say_ranking("chain_and_lot" if rules.lot_by_program else "chain", chain=_listed(rules.tie_break))


def tie_note(note: str, broken_by: Sequence[str]) -> str:
    """Return the reason for the rank of a row among rows with equal points; "" for no note.

    note, broken_by: see `StandingsRow`. Raises KeyError for an unknown note.
    """
    return _say_note(note, tie_breaks=_listed(broken_by)) if note else ""


def series_ties(ties: Sequence[str]) -> str:
    """Return the sentences that say what decides between players of the same value in a year's standing."""
    if not ties:
        return gettext("Wer gleich viel hat, teilt sich den Rang.")
    chain = ", ".join(str(_SERIES_TIES[tie]) for tie in ties)
    text = gettext("Bei gleicher Wertung entscheidet der Reihe nach: %(chain)s.") % {"chain": chain}
    return (
        text if ties[-1] == "lot" else f"{text} {gettext('Wer dann noch gleich ist, teilt sich den Rang.')}"
    )


def _listed(keys: Sequence[str]) -> str:
    return ", ".join(gettext(TIE_BREAKS[key].name) for key in keys)
