"""Wishes and changes of a draw as sentences."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.draw import Joined, Left, Moved, Replaced, Step, Swap
from tournaments.core.wishes import KeepApart, Wish


def word_wish(wish: Wish, names: Mapping[int, str]) -> str:
    """Return a wish as a sentence, without its reason."""
    if isinstance(wish, KeepApart):
        return _("%(a)s und %(b)s nicht an einem Tisch") % {
            "a": _name(wish.a, names),
            "b": _name(wish.b, names),
        }
    return _("%(player)s immer an Tisch %(table)s") % {
        "player": _name(wish.player, names),
        "table": wish.table,
    }


def _name(player: int, names: Mapping[int, str]) -> str:
    return names.get(player) or _("Nr. %(number)s") % {"number": player}


def word_step(step: Step, names: Mapping[int, str]) -> str:
    """Return a recorded step as a sentence. names: by start number; a player without one is called by number."""
    match step:
        case Swap(a, b):
            return _("%(a)s und %(b)s haben die Plätze getauscht") % {
                "a": _name(a, names),
                "b": _name(b, names),
            }
        case Left(player):
            return _("%(player)s fehlt") % {"player": _name(player, names)}
        case Joined(player, table):
            return _("%(player)s ist an Tisch %(table)s nachgerückt") % {
                "player": _name(player, names),
                "table": table,
            }
        case Moved(player, table):
            return _("%(player)s ist an Tisch %(table)s gewechselt") % {
                "player": _name(player, names),
                "table": table,
            }
        case Replaced(player, by):
            return _("%(by)s spielt für %(player)s") % {
                "by": _name(by, names),
                "player": _name(player, names),
            }
        case _taken_back:
            return ngettext(
                "Die letzte Änderung ist zurückgenommen",
                "Die letzten %(changes)s Änderungen sind zurückgenommen",
                _taken_back.changes,
            ) % {"changes": _taken_back.changes}
