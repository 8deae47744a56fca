"""States, kinds and outcomes in words: what a badge, a heading or a button says. An unknown one raises KeyError."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.rulesets.schema import Ruleset

Labels = Mapping[str, Promise]

SHEETS: Labels = {
    "untouched": gettext_lazy("nicht begonnen"),
    "open": gettext_lazy("wird gespielt"),
    "objected": gettext_lazy("Einspruch"),
    "submitted": gettext_lazy("abgegeben"),
    "accepted": gettext_lazy("angenommen"),
}
ROUNDS: Labels = {
    "todo": gettext_lazy("noch nicht ausgelost"),
    "drawn": gettext_lazy("ausgelost, nicht freigegeben"),
    "released": gettext_lazy("wird gespielt"),
    "closed": gettext_lazy("abgeschlossen"),
}
ROUNDS_TO_PRINT: Labels = {
    "drawn": gettext_lazy("ausgelost"),
    "released": gettext_lazy("freigegeben"),
    "closed": gettext_lazy("abgeschlossen"),
}
FATES: Labels = {
    "won": gettext_lazy("gewonnen"),
    "on": gettext_lazy("weiter"),
    "left": gettext_lazy("spielt nicht weiter"),
    "out": gettext_lazy("ausgeschieden"),
}
"""What became of a player at a table of a knockout."""

PARKED_OUTCOMES: Labels = {
    "adopted": gettext_lazy("übernommen"),
    "discarded": gettext_lazy("verworfen"),
}

DECISIONS: Labels = {
    "lot": gettext_lazy("Los:"),
    "playoff": gettext_lazy("Stechen:"),
}
DECISIONS_ON_PAPER: Labels = {
    "lot": gettext_lazy("Das Los hat entschieden:"),
    "playoff": gettext_lazy("Das Stechen hat entschieden:"),
}

BACKUP_PROBLEMS: Labels = {
    "gone": gettext_lazy(
        "Der Ordner %(folder)s ist nicht da. Bitte den Stick wieder einstecken; die nächste Sicherung kommt dann von selbst."
    ),
    "not_writable": gettext_lazy(
        "In den Ordner %(folder)s lässt sich nicht schreiben. Bitte nachsehen, ob der Stick gesperrt oder voll ist."
    ),
    "failed": gettext_lazy(
        "Die Sicherung nach %(folder)s ist misslungen: %(reason)s. Sie wird jede Minute wieder versucht."
    ),
    "late": gettext_lazy(
        "Im Ordner %(folder)s kommt nichts mehr an. Bitte den Stick neu einstecken, und „Sicherungskopie speichern“, "
        "bis es wieder geht."
    ),
}


def round_name(number: int, *, is_final: bool) -> str:
    """„Spielrunde 2“, or „Finale“."""
    return _("Finale") if is_final else _("Spielrunde %(number)s") % {"number": number}


def round_reached(number: int, rank: int, *, is_final: bool) -> str:
    """Return the stage that a player reached in a knockout: „2. Runde, Rang 3“, or „Finale, Rang 1“."""
    name = _("Finale") if is_final else _("%(number)s. Runde") % {"number": number}
    return f"{name}, {_('Rang %(rank)s') % {'rank': rank}}"


def draw_name(rules: Ruleset, number: int) -> str:
    """Return the thing to draw: the round, or all rounds where they are drawn ahead."""
    if rules.drawn_ahead and number == 1 and rules.rounds is not None and rules.rounds > 1:
        return _("Beide Spielrunden auslosen") if rules.rounds == 2 else _("Alle Spielrunden auslosen")
    return _("Spielrunde %(number)s auslosen") % {"number": number}


def who_is_drawn(rules: Ruleset) -> str:
    """Return the sentence on the players of the first draw and on latecomers."""
    if rules.qualifying:
        late = _("Wer später kommt, kann nur noch einen freien Platz dieser Spielrunde nehmen.")
    elif rules.drawn_ahead:
        late = _("Danach kommt niemand mehr dazu.")
    else:
        late = _("Wer später kommt, spielt ab der nächsten Spielrunde mit.")
    return f"{_('Ausgelost werden alle, die als anwesend vermerkt sind.')} {late}"


def backup_problem(problem: str, folder: object, reason: str) -> str:
    """Return the problem of the backups and its remedy. reason: the message of the system."""
    return str(BACKUP_PROBLEMS[problem]) % {"folder": folder, "reason": reason}
