"""Entries of a sheet as text: for the organiser's pages, the history of a table, and paper.

`name` returns the name for a seat: that of the player, or „Platz-Nr. 3“ on paper.
"""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext

from scoring.core.entries import Data
from scoring.core.sheet_kind import SeatScore
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.tie_breaks import TIE_BREAKS
from tournaments.text.sentences import labels_beside, sentence_maker

NameOf = Callable[[int], str]

GAMES = labels_beside(__file__, "games")
LEVELS = labels_beside(__file__, "levels")
ENTRY_KINDS = labels_beside(__file__, "entry_kinds")
ENDINGS = labels_beside(__file__, "endings")

_say = sentence_maker(__file__, "entries")


def fact_words(kind: str, data: Data, name: NameOf) -> str:
    """Return an entry in a few words: „Schnauz von Anna, ein Leben verliert: Sepp“.

    Raises KeyError for an unknown kind.
    """
    maker = _MAKERS.get(kind)
    return str(ENTRY_KINDS[kind]) if maker is None else maker(data, name)


def with_sign(number: int) -> str:
    """Return „+6“, „−2“, „0“."""
    return f"+{number}" if number > 0 else figure(number)


def figure(number: int) -> str:
    """Return a number with a real minus sign: „6“, „−2“."""
    return str(number).replace("-", "−")


def points_under(points: int, rules: Ruleset) -> str:
    """Return points as the table's sheet has them: with a plus where they may be negative."""
    return with_sign(points) if rules.sheet.kind == "plus_minus" else figure(points)


def game_words(data: Data, name: NameOf) -> str:
    """Return a deal of plus and minus: „Anna ruft Sepp – gewonnen, Schneider“ (sample of rule sheet 5)."""
    partner = "" if data["partner"] is None else name(data["partner"])
    game = _say(data["game"], name=name(data["declarer"]), partner=partner)
    return f"{game} – {_say('won' if data['won'] else 'lost')}, {LEVELS[data['level']]}"


def _deal(data: Data, name: NameOf) -> str:
    """Return the text of a deal. The fields of a deal show its kind of sheet."""
    if "points" in data:
        return _hands(data, name)
    return game_words(data, name) if "game" in data else _lives(data, name)


def _lives(data: Data, name: NameOf) -> str:
    finisher = "" if data["finisher"] is None else name(data["finisher"])
    ended = _say(data["ended_by"], name=finisher)
    losers = ", ".join(map(name, data["losers"]))
    return _say("losers" if losers else "no_losers", ended=ended, losers=losers)


def _hands(data: Data, name: NameOf) -> str:
    points = ", ".join(f"{name(int(seat))} {value}" for seat, value in data["points"].items())
    ended_by = data.get("ended_by")
    return f"{ENDINGS[ended_by]}: {points}" if ended_by else points


def _totalled(data: Data, name: NameOf) -> str:
    written = with_sign if "tout_won" in data else figure
    sums = "; ".join(
        f"{name(int(seat))} {written(points)}{_tie_breaks(data, seat)}"
        for seat, points in data["points"].items()
    )
    return _say("totalled", sums=sums)


def _tie_breaks(data: Data, seat: str) -> str:
    """Return „ (2 Schnauz, 1 Feuer)“; "" if there are none."""
    counts = {name: by_seat[seat] for name, by_seat in data.items() if name != "points"}
    listed = ", ".join(f"{count} {gettext(TIE_BREAKS[name].head)}" for name, count in counts.items() if count)
    return f" ({listed})" if listed else ""


def score_in_words(score: SeatScore, rules: Ruleset) -> str:
    """Return „Rang 2, Punkte: 14, 1 Solo“: all that a sheet gives a seat."""
    counts = (f"{count} {gettext(TIE_BREAKS[name].head)}" for name, count in score.counts.items() if count)
    return ", ".join([_say("score", rank=score.rank, points=points_under(score.points or 0, rules)), *counts])


def _ranked(data: Data, name: NameOf) -> str:
    best_first = sorted(data["ranks"].items(), key=lambda pair: (pair[1], int(pair[0])))
    ranks = ", ".join(f"{rank}. {name(int(seat))}" for seat, rank in best_first)
    return _say("ranked", ranks=ranks)


_MAKERS: Mapping[str, Callable[[Data, NameOf], str]] = {
    "deal": _deal,
    "totalled": _totalled,
    "stroke": lambda data, name: _say(f"stroke_{data['mark']}", name=name(data["seat_number"])),
    "ranked": _ranked,
    "approved": lambda _data, _name: _say("approved"),
    "confirmed": lambda data, name: _say("confirmed", name=name(data["seat_number"])),
    "objected": lambda data, name: _say("objected", name=name(data["seat_number"])),
}
