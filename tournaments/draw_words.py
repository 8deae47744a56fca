"""What was done to a draw by hand, in the words of the club."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.draw import Joined, Left, Moved, Replaced, Step, Swap


def word_step(step: Step, names: Mapping[int, str]) -> str:
    """A line of the record in a sentence; names: by start number, a player without one is called by his number."""

    def name(player: int) -> str:
        return names.get(player) or _("Nr. %(number)s") % {"number": player}

    match step:
        case Swap(a, b):
            return _("%(a)s und %(b)s haben die Plätze getauscht") % {"a": name(a), "b": name(b)}
        case Left(player):
            return _("%(player)s fehlt") % {"player": name(player)}
        case Joined(player, table):
            return _("%(player)s ist an Tisch %(table)s nachgerückt") % {
                "player": name(player),
                "table": table,
            }
        case Moved(player, table):
            return _("%(player)s ist an Tisch %(table)s gewechselt") % {
                "player": name(player),
                "table": table,
            }
        case Replaced(player, by):
            return _("%(by)s spielt für %(player)s") % {"by": name(by), "player": name(player)}
        case _taken_back:
            return ngettext(
                "Die letzte Änderung ist zurückgenommen",
                "Die letzten %(changes)s Änderungen sind zurückgenommen",
                _taken_back.changes,
            ) % {"changes": _taken_back.changes}
