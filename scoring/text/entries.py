"""Entries of a sheet as text: for the organiser's pages, the history of a table, and paper.

`name` returns the name for a seat: that of the player, or „Platz-Nr. 3“ on paper.
"""

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.entries import Data
from scoring.core.plus_minus import RUF
from tournaments.rulesets.tie_breaks import TIE_BREAKS

NameOf = Callable[[int], str]

GAMES: Mapping[str, Promise] = {
    RUF: gettext_lazy("Rufspiel"),
    "solo": gettext_lazy("Solo"),
    "wenz": gettext_lazy("Wenz"),
    "farbwenz": gettext_lazy("Farbwenz"),
}
LEVELS: Mapping[str, Promise] = {
    "normal": gettext_lazy("einfach"),
    "schneider": gettext_lazy("Schneider"),
    "durch": gettext_lazy("Durch"),
    "tout": gettext_lazy("Tout"),
}
ENTRY_KINDS: Mapping[str, Promise] = {
    "deal": gettext_lazy("Spiel"),
    "stroke": gettext_lazy("Strich"),
    "ranked": gettext_lazy("Ränge"),
    "totalled": gettext_lazy("Summen vom Papier"),
    "approved": gettext_lazy("Abgezeichnet"),
    "confirmed": gettext_lazy("Bestätigt"),
    "objected": gettext_lazy("Einspruch"),
    "submitted": gettext_lazy("Abgegeben"),
    "accepted": gettext_lazy("Angenommen"),
    "reopened": gettext_lazy("Wieder geöffnet"),
    "voided": gettext_lazy("Zurückgenommen"),
    "corrected": gettext_lazy("Berichtigt"),
}
ENDINGS: Mapping[str, Promise] = {
    "knock": gettext_lazy("Klopfen"),
    "schnauz": gettext_lazy("Schnauz"),
    "feuer": gettext_lazy("Feuer"),
    "handschnauz": gettext_lazy("Handschnauz"),
    "table_schnauz": gettext_lazy("Tischschnauz"),
    "table_feuer": gettext_lazy("Tischfeuer"),
}
_SOLOS: Mapping[str, Promise] = {
    "solo": gettext_lazy("%(name)s spielt ein Solo"),
    "wenz": gettext_lazy("%(name)s spielt einen Wenz"),
    "farbwenz": gettext_lazy("%(name)s spielt einen Farbwenz"),
}
_STEPS: Mapping[str, Promise] = {
    "approved": gettext_lazy("Von der Aufsicht abgezeichnet"),
    "submitted": gettext_lazy("Abgegeben"),
    "accepted": gettext_lazy("Angenommen"),
    "reopened": gettext_lazy("Wieder geöffnet"),
    "voided": gettext_lazy("Zurückgenommen"),
    "corrected": gettext_lazy("Berichtigt"),
}


def fact_words(kind: str, data: Data, name: NameOf) -> str:
    """Return an entry in a few words: „Schnauz von Anna, ein Leben verliert: Sepp“.

    Raises KeyError for an unknown kind.
    """
    maker = _MAKERS.get(kind)
    return str(_STEPS[kind]) if maker is None else maker(data, name)


def with_sign(number: int) -> str:
    """Return „+6“, „−2“, „0“."""
    return f"+{number}" if number > 0 else figure(number)


def figure(number: int) -> str:
    """Return a number with a real minus sign: „6“, „−2“."""
    return str(number).replace("-", "−")


def game_words(data: Data, name: NameOf) -> str:
    """Return a deal of plus and minus: „Anna ruft Sepp – gewonnen, Schneider“ (sample of rule sheet 5)."""
    who = {"name": name(data["declarer"])}
    if data["partner"] is not None:
        game = _("%(name)s ruft %(partner)s") % {**who, "partner": name(data["partner"])}
    else:
        game = str(_SOLOS[data["game"]]) % who
    outcome = _("gewonnen") if data["won"] else _("verloren")
    return f"{game} – {outcome}, {LEVELS[data['level']]}"


def _deal(data: Data, name: NameOf) -> str:
    """Return the text of a deal. The fields of a deal show its kind of sheet."""
    if "points" in data:
        return _hands(data, name)
    return game_words(data, name) if "game" in data else _lives(data, name)


def _lives(data: Data, name: NameOf) -> str:
    ended_by, finisher = data["ended_by"], data["finisher"]
    sentences = {
        "schnauz": _("Schnauz von %(name)s"),
        "feuer": _("Feuer von %(name)s"),
        "handschnauz": _("Handschnauz von %(name)s"),
    }
    ended = _("Geklopft") if ended_by == "knock" else sentences[ended_by] % {"name": name(finisher)}
    if not data["losers"]:
        return _("%(ended)s, niemand verliert ein Leben") % {"ended": ended}
    losers = ", ".join(map(name, data["losers"]))
    return _("%(ended)s, ein Leben verliert: %(losers)s") % {"ended": ended, "losers": losers}


def _hands(data: Data, name: NameOf) -> str:
    points = ", ".join(f"{name(int(seat))} {value}" for seat, value in data["points"].items())
    ended_by = data.get("ended_by")
    return f"{ENDINGS[ended_by]}: {points}" if ended_by else points


def _totalled(data: Data, name: NameOf) -> str:
    sums = "; ".join(
        f"{name(int(seat))} {figure(points)}{_tie_breaks(data, seat)}"
        for seat, points in data["points"].items()
    )
    return _("Summen vom Papier: %(sums)s") % {"sums": sums}


def _tie_breaks(data: Data, seat: str) -> str:
    """Return „ (2 Schnauz, 1 Feuer)“; "" if there are none."""
    counts = {name: by_seat[seat] for name, by_seat in data.items() if name != "points"}
    listed = ", ".join(f"{count} {_(TIE_BREAKS[name].head)}" for name, count in counts.items() if count)
    return f" ({listed})" if listed else ""


def _stroke(data: Data, name: NameOf) -> str:
    sentence = (
        _("Strich für %(name)s (Feuer)") if data["mark"] == "feuer" else _("Strich für %(name)s (Schnauz)")
    )
    return sentence % {"name": name(data["seat_number"])}


def _ranked(data: Data, name: NameOf) -> str:
    best_first = sorted(data["ranks"].items(), key=lambda pair: (pair[1], int(pair[0])))
    ranks = ", ".join(f"{rank}. {name(int(seat))}" for seat, rank in best_first)
    return _("Ränge: %(ranks)s") % {"ranks": ranks}


_MAKERS: Mapping[str, Callable[[Data, NameOf], str]] = {
    "deal": _deal,
    "totalled": _totalled,
    "stroke": _stroke,
    "ranked": _ranked,
    "confirmed": lambda data, name: _("Bestätigt von %(name)s") % {"name": name(data["seat_number"])},
    "objected": lambda data, name: _("Einspruch von %(name)s") % {"name": name(data["seat_number"])},
}
