"""Wishes and changes of a draw as sentences."""

from collections.abc import Mapping
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.draw import Joined, Left, Moved, Replaced, Step, Swap
from tournaments.core.wishes import KeepApart, Wish


def word_wish(wish: Wish, names: Mapping[int, str]) -> str:
    """Return a wish as a sentence, without its reason."""
    name = partial(_name, names)
    if isinstance(wish, KeepApart):
        return _("%(a)s und %(b)s nicht an einem Tisch") % {"a": name(wish.a), "b": name(wish.b)}
    return _("%(player)s immer an Tisch %(table)s") % {"player": name(wish.player), "table": wish.table}


def _name(names: Mapping[int, str], player: int) -> str:
    return names.get(player) or _("Nr. %(number)s") % {"number": player}


def word_step(step: Step, names: Mapping[int, str]) -> str:
    """Return a recorded step as a sentence. names: by start number; a player without one is called by number."""
    name = partial(_name, names)
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
