"""Table sizes and the rounds to come as sentences."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from tournaments.core.bracket_preview import Stage
from tournaments.core.sizes import Sizes, to_regular
from tournaments.rulesets.schema import Qualifying, TableRules
from tournaments.text.numbers import in_words, listed


def explain_sizes(
    players: int,
    sizes: Sizes,
    rules: TableRules,
    qualifying: Qualifying | None = None,
    *,
    field_is_settled: bool = False,
) -> str:
    """Return why a split needs the organiser's confirmation, and the alternatives; "" for regular tables.

    „Mit 13 Spielern gehen Fünfer- und Sechsertische nicht auf. Zwei Spieler mehr, einer weniger, oder zwei
    Vierertische.“ More and fewer lead to the next head counts with regular tables only; they are left out if
    the field is settled.
    """
    if sizes.is_regular:
        return ""
    why = does_not_work_out(players, rules.sizes)
    if field_is_settled:
        return f"{why} " + _("Mit dabei: %(tables)s.") % {"tables": list_tables(sizes.exceptional)}
    more, fewer = to_regular(players, rules, qualifying)
    ways = [players_more(more)] + ([_fewer(fewer)] if fewer else []) + [list_tables(sizes.exceptional)]
    return f"{why} {ways_out(ways)}"


def explain_stages(stages: Sequence[Stage]) -> str:
    """Return the rounds of a knockout that are to come; "" for none.

    „34 Spieler, 3 Spielrunden: 6 Tische, dann 12 Spieler an 2 Tischen, dann das Finale mit 4.“
    """
    if not stages:
        return ""
    rounds = ngettext(
        "%(players)s Spieler, eine Spielrunde", "%(players)s Spieler, %(rounds)s Spielrunden", len(stages)
    ) % {"players": stages[0].players, "rounds": len(stages)}
    first, *later = stages
    tables = ngettext("%(tables)s Tisch", "%(tables)s Tische", len(first.sizes)) % {
        "tables": len(first.sizes)
    }
    parts = [_("das Finale an einem Tisch") if first.is_final else tables, *map(_stage, later)]
    return _("%(rounds)s: %(parts)s.") % {"rounds": rounds, "parts": _(", dann ").join(parts)}


def explain_next_stages(stages: Sequence[Stage]) -> str:
    """Return the rounds that are still to come in a knockout that has begun; "" for none.

    „Noch zu spielen: 12 Spieler an 2 Tischen, dann das Finale mit 4.“
    """
    if not stages:
        return ""
    return _("Noch zu spielen: %(parts)s.") % {"parts": _(", dann ").join(map(_stage, stages))}


def _stage(stage: Stage) -> str:
    if stage.is_final:
        return _("das Finale mit %(players)s") % {"players": stage.players}
    return _("%(players)s Spieler an %(tables)s Tischen") % {
        "players": stage.players,
        "tables": len(stage.sizes),
    }


def list_tables(sizes: Iterable[int]) -> str:
    """Return the number of tables of each size, largest first: „zwei Sechsertische und sieben Fünfertische“."""
    by_size = sorted(Counter(sizes).items(), reverse=True)
    return listed([_TABLES[size](count) % {"count": in_words(count)} for size, count in by_size])


def more_tables_of(size: int) -> str:
    """Return „mehr Fünfertische“, for a choice."""
    return _("mehr %(tables)s") % {"tables": _LAST_SIZES[size]}


def does_not_work_out(players: int, sizes: Iterable[int]) -> str:
    *first, last = sorted(sizes)
    parts = [*(str(_FIRST_SIZES[size]) for size in first), str(_LAST_SIZES[last])]
    return _("Mit %(players)s Spielern gehen %(tables)s nicht auf.") % {
        "players": players,
        "tables": listed(parts),
    }


def ways_out(ways: list[str]) -> str:
    """Return „Ein Spieler mehr, einer weniger, oder ein Vierertisch.“"""
    *first, last = ways
    sentence = _("%(first)s, oder %(last)s.") % {"first": ", ".join(first), "last": last}
    return sentence[0].upper() + sentence[1:]


def players_more(count: int) -> str:
    return ngettext("ein Spieler mehr", "%(count)s Spieler mehr", count) % {"count": in_words(count)}


def _fewer(count: int) -> str:
    return ngettext("einer weniger", "%(count)s weniger", count) % {"count": in_words(count)}


def sits_out(count: int) -> str:
    return ngettext("einer setzt aus", "%(count)s setzen aus", count) % {"count": in_words(count)}


# The forms in "Vierer-, Fünfer- und Sechsertische": the first for all sizes but the last.
_FIRST_SIZES: Mapping[int, Promise] = {
    2: pgettext_lazy("first of several table sizes", "Zweier-"),
    3: pgettext_lazy("first of several table sizes", "Dreier-"),
    4: pgettext_lazy("first of several table sizes", "Vierer-"),
    5: pgettext_lazy("first of several table sizes", "Fünfer-"),
    6: pgettext_lazy("first of several table sizes", "Sechser-"),
    7: pgettext_lazy("first of several table sizes", "Siebener-"),
    8: pgettext_lazy("first of several table sizes", "Achter-"),
    9: pgettext_lazy("first of several table sizes", "Neuner-"),
    10: pgettext_lazy("first of several table sizes", "Zehner-"),
    11: pgettext_lazy("first of several table sizes", "Elfer-"),
    12: pgettext_lazy("first of several table sizes", "Zwölfer-"),
}

_LAST_SIZES: Mapping[int, Promise] = {
    2: pgettext_lazy("last of several table sizes", "Zweiertische"),
    3: pgettext_lazy("last of several table sizes", "Dreiertische"),
    4: pgettext_lazy("last of several table sizes", "Vierertische"),
    5: pgettext_lazy("last of several table sizes", "Fünfertische"),
    6: pgettext_lazy("last of several table sizes", "Sechsertische"),
    7: pgettext_lazy("last of several table sizes", "Siebenertische"),
    8: pgettext_lazy("last of several table sizes", "Achtertische"),
    9: pgettext_lazy("last of several table sizes", "Neunertische"),
    10: pgettext_lazy("last of several table sizes", "Zehnertische"),
    11: pgettext_lazy("last of several table sizes", "Elfertische"),
    12: pgettext_lazy("last of several table sizes", "Zwölfertische"),
}

_TABLES: Mapping[int, Callable[[int], str]] = {
    2: lambda count: ngettext("ein Zweiertisch", "%(count)s Zweiertische", count),
    3: lambda count: ngettext("ein Dreiertisch", "%(count)s Dreiertische", count),
    4: lambda count: ngettext("ein Vierertisch", "%(count)s Vierertische", count),
    5: lambda count: ngettext("ein Fünfertisch", "%(count)s Fünfertische", count),
    6: lambda count: ngettext("ein Sechsertisch", "%(count)s Sechsertische", count),
    7: lambda count: ngettext("ein Siebenertisch", "%(count)s Siebenertische", count),
    8: lambda count: ngettext("ein Achtertisch", "%(count)s Achtertische", count),
    9: lambda count: ngettext("ein Neunertisch", "%(count)s Neunertische", count),
    10: lambda count: ngettext("ein Zehnertisch", "%(count)s Zehnertische", count),
    11: lambda count: ngettext("ein Elfertisch", "%(count)s Elfertische", count),
    12: lambda count: ngettext("ein Zwölfertisch", "%(count)s Zwölfertische", count),
}
