"""Table sizes and the rounds to come as sentences."""

from collections import Counter
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.bracket_preview import Stage
from tournaments.core.sizes import Sizes, to_regular
from tournaments.rulesets.schema import Qualifying, TableRules
from tournaments.text.numbers import in_words, listed
from tournaments.text.sentences import counted, sentences_beside, translated

_SECTIONS = sentences_beside(__file__)
_FIRST_SIZES = _SECTIONS["first_of_several_table_sizes"]
_LAST_SIZES = _SECTIONS["last_of_several_table_sizes"]
_TABLES = _SECTIONS["tables_of_a_size"]


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
    return listed(
        [counted(_TABLES[str(size)], count) % {"count": in_words(count)} for size, count in by_size]
    )


def more_tables_of(size: int) -> str:
    """Return „mehr Fünfertische“, for a choice."""
    return _("mehr %(tables)s") % {"tables": translated(_LAST_SIZES[str(size)])}


def does_not_work_out(players: int, sizes: Iterable[int]) -> str:
    *first, last = sorted(sizes)
    names = [*(_FIRST_SIZES[str(size)] for size in first), _LAST_SIZES[str(last)]]
    return _("Mit %(players)s Spielern gehen %(tables)s nicht auf.") % {
        "players": players,
        "tables": listed([str(translated(name)) for name in names]),
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
