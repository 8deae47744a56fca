"""Every refusal in one sentence or two for the screen: what is wrong, and what to do about it.

German is the message id. Each code that is raised in this package has its words here; `word` raises KeyError
for any other, so that a forgotten one is noticed.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from tournaments.core.refusal import Refusal
from tournaments.core.sizes import Sizes, to_regular
from tournaments.core.stages import Stage
from tournaments.rulesets.schema import Qualifying, TableRules


def word(refusal: Refusal) -> str:
    """The sentence for a refusal, in the reader's language. Raises KeyError for a code without words."""
    made = _MADE.get(refusal.code)
    if made is not None:
        return made(refusal.params)
    return str(_SENTENCES[refusal.code]) % refusal.params


def explain_sizes(
    players: int,
    sizes: Sizes,
    rules: TableRules,
    qualifying: Qualifying | None = None,
    *,
    field_is_settled: bool = False,
) -> str:
    """Why a split needs the organiser's yes, and the ways out; "" for a split into regular tables.

    „Mit 13 Spielern gehen Fünfer- und Sechsertische nicht auf. Zwei Spieler mehr, einer weniger, oder zwei
    Vierertische.“ More and fewer lead to the next head counts with regular tables only; a field that is settled has
    neither.
    """
    if sizes.is_regular:
        return ""
    why = _does_not_work_out(players, rules.sizes)
    if field_is_settled:
        return f"{why} " + _("Mit dabei: %(tables)s.") % {"tables": _tables(sizes.exceptional)}
    more, fewer = to_regular(players, rules, qualifying)
    ways = [_players_more(more)] + ([_fewer(fewer)] if fewer else []) + [_tables(sizes.exceptional)]
    return f"{why} {_ways_out(ways)}"


def explain_stages(stages: Sequence[Stage]) -> str:
    """The rounds that are to come where players drop out; "" for none.

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
    """The same once the evening has begun: „Noch zu spielen: 12 Spieler an 2 Tischen, dann das Finale mit 4.“"""
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
    """How many tables of each size, largest first: „zwei Sechsertische und sieben Fünfertische“."""
    return _tables(tuple(sizes))


def more_tables_of(size: int) -> str:
    """„mehr Fünfertische“, as a choice."""
    return _("mehr %(tables)s") % {"tables": _last_of_sizes(size)}


def _too_few_players(params: Mapping[str, Any]) -> str:
    needed = in_words(params["needed"])
    if params["players"] == 0:
        there = _("Noch ist niemand da.")
    else:
        there = ngettext("Bisher ist einer da.", "Bisher sind %(players)s da.", params["players"]) % {
            "players": in_words(params["players"])
        }
    rule = _("Ausgelost werden kann ab %(needed)s Spielern.") % {"needed": needed}
    return f"{rule} {there}"


def _head_count_does_not_fit(params: Mapping[str, Any]) -> str:
    ways = [_players_more(params["missing"]), _sits_out(params["surplus"])]
    return f"{_does_not_work_out(params['players'], params['sizes'])} {_ways_out(ways)}"


def _needs_confirmation(params: Mapping[str, Any]) -> str:
    return _(
        "Diese Spielerzahl geht nicht ganz auf. Die Aufteilung wäre: %(tables)s. Bitte bestätigen, "
        "oder die Spielerzahl ändern."
    ) % {"tables": _tables(tuple(params["sizes"]))}


def _sheets_not_accepted(params: Mapping[str, Any]) -> str:
    tables = params["tables"]
    return ngettext(
        "Die Tischliste von Tisch %(tables)s ist noch nicht angenommen. Bitte erst annehmen, oder die "
        "Spielrunde mit einer Begründung schließen.",
        "Die Tischlisten der Tische %(tables)s sind noch nicht angenommen. Bitte erst annehmen, oder die "
        "Spielrunde mit einer Begründung schließen.",
        len(tables),
    ) % {"tables": listed([str(table) for table in tables])}


def _password_bad(params: Mapping[str, Any]) -> str:
    """Django's validators say what is wrong, in the reader's language."""
    return " ".join([_("Dieses Passwort geht nicht."), *map(str, params["messages"])])


def _ruleset_bad(params: Mapping[str, Any]) -> str:
    path = str(params["path"])
    expected = _RULESET_FIELDS.get(re.sub(r"\[\d+\]", "", path))
    if not path:
        return _("Das ist kein Regelwerk. Bitte eine Vorlage wählen und deren Felder ändern.")
    if expected is None:
        return _("Ein Regelwerk hat kein Feld „%(path)s“. Bitte das Feld entfernen.") % {"path": path}
    return _("Im Regelwerk fehlt das Feld „%(path)s“, oder es stimmt nicht. Erwartet: %(expected)s") % {
        "path": path,
        "expected": expected,
    }


def _does_not_work_out(players: int, sizes: Iterable[int]) -> str:
    *first, last = sorted(sizes)
    parts = [_first_of_sizes(size) for size in first] + [_last_of_sizes(last)]
    return _("Mit %(players)s Spielern gehen %(tables)s nicht auf.") % {
        "players": players,
        "tables": listed(parts),
    }


def _ways_out(ways: list[str]) -> str:
    """„Ein Spieler mehr, einer weniger, oder ein Vierertisch.“"""
    *first, last = ways
    sentence = _("%(first)s, oder %(last)s.") % {"first": ", ".join(first), "last": last}
    return sentence[0].upper() + sentence[1:]


def _players_more(count: int) -> str:
    return ngettext("ein Spieler mehr", "%(count)s Spieler mehr", count) % {"count": in_words(count)}


def _fewer(count: int) -> str:
    return ngettext("einer weniger", "%(count)s weniger", count) % {"count": in_words(count)}


def _sits_out(count: int) -> str:
    return ngettext("einer setzt aus", "%(count)s setzen aus", count) % {"count": in_words(count)}


def _tables(sizes: tuple[int, ...]) -> str:
    by_size = sorted(set(sizes), reverse=True)
    return listed([_tables_of_one_size(size, sizes.count(size)) for size in by_size])


def _tables_of_one_size(size: int, count: int) -> str:
    return _TABLES[size](count) % {"count": in_words(count)}


def listed(parts: list[str]) -> str:
    """„3“, „3 und 5“, „3, 5 und 8“."""
    *first, last = parts
    return _("%(first)s und %(last)s") % {"first": ", ".join(first), "last": last} if first else last


def in_words(count: int) -> str:
    """Up to twelve in words, as German typography has it, beyond in figures."""
    return str(_NUMBERS[count]) if count in _NUMBERS else str(count)


def _first_of_sizes(size: int) -> str:
    return str(_FIRST_SIZES[size])


def _last_of_sizes(size: int) -> str:
    return str(_LAST_SIZES[size])


# The words of table sizes in "Vierer-, Fünfer- und Sechsertische": all but the last, the last.
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

_NUMBERS: Mapping[int, Promise] = {
    2: pgettext_lazy("number", "zwei"),
    3: pgettext_lazy("number", "drei"),
    4: pgettext_lazy("number", "vier"),
    5: pgettext_lazy("number", "fünf"),
    6: pgettext_lazy("number", "sechs"),
    7: pgettext_lazy("number", "sieben"),
    8: pgettext_lazy("number", "acht"),
    9: pgettext_lazy("number", "neun"),
    10: pgettext_lazy("number", "zehn"),
    11: pgettext_lazy("number", "elf"),
    12: pgettext_lazy("number", "zwölf"),
}

_MADE: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "too_few_players": _too_few_players,
    "head_count_does_not_fit": _head_count_does_not_fit,
    "needs_confirmation": _needs_confirmation,
    "sheets_not_accepted": _sheets_not_accepted,
    "password_bad": _password_bad,
    "ruleset_bad": _ruleset_bad,
}

# Sentences that need nothing but names and numbers put in.
_SENTENCES: Mapping[str, Promise] = {
    # Names and texts
    "name_empty": gettext_lazy("Der Name fehlt. Bitte einen Namen eingeben."),
    "name_too_long": gettext_lazy("Der Name ist zu lang. Bitte auf höchstens %(most)s Zeichen kürzen."),
    "name_bad_characters": gettext_lazy(
        "Der Name enthält ein unsichtbares Zeichen (%(character)s). Bitte den Namen neu eintippen."
    ),
    "text_empty": gettext_lazy("Hier fehlt etwas. Bitte ausfüllen."),
    "text_too_long": gettext_lazy("Der Text ist zu lang. Bitte auf höchstens %(most)s Zeichen kürzen."),
    "text_bad_characters": gettext_lazy(
        "Der Text enthält ein unsichtbares Zeichen (%(character)s). Bitte den Text neu eintippen."
    ),
    "reason_needed": gettext_lazy(
        "Das geht nur mit einer Begründung. Bitte in ein paar Worten sagen, warum."
    ),
    "field_missing": gettext_lazy("Eine Angabe fehlt. Bitte alle Felder ausfüllen."),
    "fee_bad": gettext_lazy(
        "Das ist kein Betrag. Bitte Euro und Cent mit Komma eingeben, zum Beispiel 3,00."
    ),
    "date_bad": gettext_lazy("Diesen Tag gibt es nicht. Bitte Tag, Monat und Jahr prüfen."),
    # At the door
    "unknown_participant": gettext_lazy(
        "Die Teiln.-Nr. %(start_number)s gibt es in diesem Turnier nicht. Bitte die Nummer prüfen."
    ),
    "number_taken": gettext_lazy(
        "Die Teiln.-Nr. %(start_number)s ist schon vergeben. Bitte in der Liste eine andere eintragen "
        "oder das Feld leer lassen."
    ),
    "already_paid": gettext_lazy(
        "%(name)s hat die Startgebühr schon bezahlt. Es ist nichts mehr zu kassieren."
    ),
    "nothing_to_refund": gettext_lazy(
        "%(name)s hat nichts bezahlt, oder alles schon zurückbekommen. Es ist nichts auszuzahlen."
    ),
    "is_excluded": gettext_lazy(
        "%(name)s ist ausgeschlossen; die Startgebühr wird dann nicht zurückgezahlt."
    ),
    "not_excluded": gettext_lazy("%(name)s ist nicht ausgeschlossen. Es ist nichts zurückzunehmen."),
    "is_withdrawn": gettext_lazy("%(name)s ist abgemeldet. Wer wieder mitspielt, wird zuerst zurückgeholt."),
    "not_withdrawn": gettext_lazy("%(name)s ist nicht abgemeldet. Es ist nichts zurückzunehmen."),
    "already_present": gettext_lazy("%(name)s ist schon als anwesend vermerkt. Es ist nichts zu tun."),
    "has_been_seated": gettext_lazy(
        "%(name)s hat schon an einem Tisch gesessen und bleibt in der Liste. Bitte stattdessen abmelden."
    ),
    "joining_ended_with_round_1": gettext_lazy(
        "Die erste Spielrunde ist gespielt. Weiter spielt nur, wer an seinem Tisch weiterkommt; neu dazukommen kann "
        "niemand mehr."
    ),
    "joining_ended_with_release": gettext_lazy(
        "Alle Spielrunden sind schon ausgelost und freigegeben; dazukommen kann niemand mehr. Wer geht, kann ersetzt "
        "werden: bei ihm auf „Ersatz einsetzen“."
    ),
    "number_bad": gettext_lazy(
        "Die Teiln.-Nr. muss eine ganze Zahl von 1 bis %(most)s sein. Bitte berichtigen oder leer lassen."
    ),
    "list_empty": gettext_lazy("In der Liste steht kein Name. Bitte eine Datei wählen oder Zeilen einfügen."),
    "file_unreadable": gettext_lazy(
        "Diese Datei lässt sich nicht lesen. Bitte als CSV oder XLSX speichern und noch einmal wählen."
    ),
    "file_too_large": gettext_lazy(
        "Diese Datei ist zu groß. Bitte nur die Liste der Spieler speichern, ohne Bilder und weitere Blätter."
    ),
    "too_many_lines": gettext_lazy(
        "Die Liste hat mehr als %(most)s Zeilen. Bitte auf mehrere Listen aufteilen."
    ),
    # The draw
    "unknown_draw": gettext_lazy(
        "Diese Art der Auslosung kennt das Programm nicht (%(mode)s, Fassung %(version)s). Bitte eine "
        "neuere Fassung des Programms verwenden."
    ),
    "seed_bad": gettext_lazy(
        "Der Startwert der Auslosung muss aus 64 Zeichen von 0 bis 9 und a bis f bestehen. Bitte "
        "vollständig angeben oder weglassen."
    ),
    "player_twice": gettext_lazy(
        "Die Teiln.-Nr. %(start_number)s kommt zweimal vor. Bitte jeden Spieler nur einmal nennen."
    ),
    "sizes_do_not_match": gettext_lazy(
        "Die Tische haben %(seats)s Plätze, es sind aber %(players)s Spieler. Bitte die Tischgrößen anpassen."
    ),
    "unknown_change": gettext_lazy(
        "Diese Änderung an der Auslosung kennt das Programm nicht. Möglich ist: zwei Plätze tauschen, dazukommen, "
        "gehen, den Tisch wechseln, für einen anderen einspringen."
    ),
    "scribe_is_seat_1": gettext_lazy(
        "Nach diesem Regelwerk schreibt immer der Spieler auf Platz 1. Zum Wechseln bitte zwei Plätze tauschen."
    ),
    "not_at_this_table": gettext_lazy(
        "Einen Platz %(seat)s gibt es an diesem Tisch nicht. Bitte die Nummer prüfen."
    ),
    "not_at_a_table": gettext_lazy(
        "Die Teiln.-Nr. %(start_number)s sitzt in dieser Spielrunde an keinem Tisch. Bitte die Nummer prüfen."
    ),
    "same_player": gettext_lazy("Das ist zweimal derselbe Spieler. Bitte zwei verschiedene wählen."),
    "already_at_a_table": gettext_lazy(
        "Die Teiln.-Nr. %(start_number)s sitzt in dieser Spielrunde schon an einem Tisch. Bitte die Nummer prüfen."
    ),
    "table_full": gettext_lazy(
        "An Tisch %(table)s ist kein Platz mehr frei. Bitte einen anderen Tisch wählen."
    ),
    "same_table": gettext_lazy(
        "Der Spieler sitzt schon an Tisch %(table)s. Bitte einen anderen Tisch wählen."
    ),
    "nothing_to_take_back": gettext_lazy(
        "Es gibt keine Änderung mehr, die sich zurücknehmen lässt. Bitte die Seite neu laden."
    ),
    "cannot_be_mended": gettext_lazy(
        "An Tisch %(table)s sitzen zu wenige Spieler, und durch Umsetzen lässt sich das nicht beheben. Bitte neu "
        "auslosen."
    ),
    # Wishes
    "unknown_wish": gettext_lazy(
        "Diesen Wunsch an die Auslosung kennt das Programm nicht. Möglich ist: zwei Spieler nicht an einen Tisch, "
        "oder ein fester Tisch."
    ),
    "too_many_wishes": gettext_lazy("Mehr als %(most)s Wünsche gehen nicht. Bitte erst welche herausnehmen."),
    "wish_not_playing": gettext_lazy(
        "Für die Teiln.-Nr. %(start_number)s ist ein Wunsch vermerkt, sie spielt aber nicht mit. Bitte den Wunsch "
        "herausnehmen."
    ),
    "wish_two_tables": gettext_lazy(
        "Für die Teiln.-Nr. %(start_number)s sind zwei verschiedene feste Tische vermerkt. Bitte einen davon "
        "herausnehmen."
    ),
    "wish_table_full": gettext_lazy(
        "An Tisch %(table)s ist nur für %(seats)s Spieler Platz, es sollen aber mehr dort fest sitzen. Bitte "
        "jemandem einen anderen Tisch geben."
    ),
    "wish_apart_at_one_table": gettext_lazy(
        "Die Teiln.-Nrn. %(a)s und %(b)s sollen nicht an einen Tisch, haben aber beide Tisch %(table)s als festen "
        "Tisch. Bitte einen der Wünsche ändern."
    ),
    "wishes_impossible": gettext_lazy(
        "So viele Spieler lassen sich an so wenigen Tischen nicht voneinander fernhalten. Bitte einen der Wünsche "
        "herausnehmen."
    ),
    # Rounds
    "unknown_table": gettext_lazy(
        "Einen Tisch %(table)s gibt es in dieser Spielrunde nicht. Bitte die Nummer prüfen."
    ),
    "draw_not_recorded": gettext_lazy(
        "Diese Spielrunde wurde nicht hier ausgelost, darum lässt sich an den Plätzen nichts ändern. Bitte neu auslosen."
    ),
    "no_substitutes": gettext_lazy(
        "Ersatz gibt es nur, wo alle Spielrunden vorher ausgelost werden. Hier kann jeder zur nächsten Spielrunde dazukommen."
    ),
    "nothing_to_take_over": gettext_lazy(
        "Die Teiln.-Nr. %(start_number)s hat in keiner Spielrunde einen Platz, an dem noch nichts aufgeschrieben ist. Es gibt "
        "nichts zu übernehmen."
    ),
    "round_not_drawn": gettext_lazy("Diese Spielrunde ist noch nicht ausgelost. Bitte zuerst auslosen."),
    "round_already_drawn": gettext_lazy(
        "Diese Spielrunde ist schon ausgelost. Bitte die Auslosung ansehen, oder mit einer Begründung neu"
        " auslosen."
    ),
    "round_already_released": gettext_lazy(
        "Diese Auslosung ist schon freigegeben. Es ist nichts weiter zu tun."
    ),
    "round_not_released": gettext_lazy("Diese Auslosung ist noch nicht freigegeben. Bitte zuerst freigeben."),
    "round_is_closed": gettext_lazy("Diese Spielrunde ist abgeschlossen und lässt sich nicht mehr ändern."),
    "round_is_open": gettext_lazy("Diese Spielrunde läuft noch. Bitte zuerst abschließen."),
    "previous_round_open": gettext_lazy(
        "Die vorige Spielrunde läuft noch. Bitte zuerst abschließen, dann auslosen."
    ),
    "previous_round_not_drawn": gettext_lazy(
        "Die Spielrunde %(round)s ist noch nicht ausgelost. Bitte zuerst diese auslosen."
    ),
    "previous_round_not_closed": gettext_lazy(
        "Die Spielrunde %(round)s ist noch nicht abgeschlossen. Bitte zuerst abschließen, dann diese freigeben."
    ),
    "final_is_drawn": gettext_lazy(
        "Die Spielrunde %(round)s ist das Finale. Danach wird keine mehr ausgelost."
    ),
    "all_rounds_drawn": gettext_lazy(
        "Alle Spielrunden dieses Turniers sind ausgelost. Weitere sieht das Regelwerk nicht vor."
    ),
    "round_has_entries": gettext_lazy(
        "Auf einer Tischliste dieser Spielrunde steht schon etwas, darum bleibt die Auslosung, wie sie "
        "ist. Fehler bitte auf der Tischliste berichtigen."
    ),
    # The tournament document
    "document_no_json": gettext_lazy(
        "Das ist keine Turnierdatei (%(what)s). Bitte eine unveränderte Exportdatei nehmen."
    ),
    "document_object_expected": gettext_lazy("Hier müssen Felder in geschweiften Klammern stehen."),
    "document_list_expected": gettext_lazy("Hier muss eine Liste in eckigen Klammern stehen."),
    "document_unknown_key": gettext_lazy("Das Feld „%(key)s“ kennt das Programm nicht. Bitte weglassen."),
    "document_missing_key": gettext_lazy("Das Feld „%(key)s“ fehlt. Bitte ergänzen."),
    "document_number_expected": gettext_lazy("Hier muss eine ganze Zahl von %(least)s bis %(most)s stehen."),
    "document_yes_or_no_expected": gettext_lazy("Hier muss true oder false stehen."),
    "document_text_expected": gettext_lazy("Hier muss ein Text in Anführungszeichen stehen."),
    "document_choice_expected": gettext_lazy("Hier muss eines davon stehen: %(choices)s."),
    "document_day_expected": gettext_lazy("Hier muss ein Tag stehen, den es gibt, zum Beispiel 2026-11-21."),
    "document_moment_expected": gettext_lazy(
        "Hier muss ein Zeitpunkt stehen, zum Beispiel 2026-11-21T19:25:00Z."
    ),
    "document_adopted_not_in_log": gettext_lazy(
        "Dieser zurückgestellte Eintrag gilt als übernommen, steht aber nicht auf der Tischliste."
    ),
    "document_moment_of_nothing": gettext_lazy(
        "Hier steht ein Zeitpunkt für etwas, das nicht eingetreten ist. Bitte weglassen."
    ),
    "document_uuid_expected": gettext_lazy("Hier muss eine UUID stehen."),
    "document_schema_unknown": gettext_lazy(
        "Diese Fassung der Turnierdatei kennt das Programm nicht; es liest „%(expected)s“."
    ),
    "document_number_twice": gettext_lazy("Die Nummer %(number)s steht zweimal da. Bitte eine davon ändern."),
    "document_round_out_of_order": gettext_lazy(
        "Die Spielrunden zählen lückenlos von 1 an; hier muss %(expected)s stehen."
    ),
    "document_seats_bad": gettext_lazy("Die Plätze eines Tisches zählen lückenlos von 1 an."),
    "document_table_size": gettext_lazy(
        "Einen Tisch mit %(seats)s Spielern gibt es nach diesem Regelwerk nicht: mindestens sitzen %(least)s am Tisch, "
        "höchstens %(most)s."
    ),
    "draw_history_does_not_match": gettext_lazy(
        "Die hinterlegte Auslosung geht von einer anderen Besetzung der %(round)s. Spielrunde aus, als dort gespielt "
        "wurde."
    ),
    "lot_does_not_match": gettext_lazy("Dieses Los ergibt sich nicht aus dem Startwert, der dabei steht."),
    "draw_does_not_match": gettext_lazy(
        "Tisch %(table)s ist nicht so besetzt, wie es die hinterlegte Auslosung mit ihren Änderungen ergibt."
    ),
    # Accounts and tournaments
    "slug_taken": gettext_lazy(
        "Die Webadresse „%(slug)s“ gehört schon einem anderen Turnier. Bitte eine andere wählen."
    ),
    "slug_bad": gettext_lazy(
        "Die Webadresse darf nur aus Buchstaben a bis z, Ziffern und Bindestrichen bestehen. Bitte ändern."
    ),
    "rules_in_use": gettext_lazy(
        "Nach der ersten Auslosung bleibt das Regelwerk, wie es ist. Für andere Regeln bitte ein neues "
        "Turnier anlegen."
    ),
    "code_unknown": gettext_lazy(
        "Diesen Code gibt es nicht. Bitte den Link vollständig öffnen oder den Code noch einmal abtippen."
    ),
    "code_expired": gettext_lazy(
        "Dieser Code ist abgelaufen oder schon benutzt. Bitte beim Veranstalter um einen neuen bitten."
    ),
    "account_name_taken": gettext_lazy(
        "Den Namen „%(name)s“ hat schon jemand. Bitte einen anderen wählen, oder anmelden."
    ),
    "organisers_exist": gettext_lazy(
        "Hier gibt es schon einen Veranstalter. Bitte anmelden, oder sich von ihm einladen lassen."
    ),
    "last_organiser": gettext_lazy(
        "Das ist der letzte Veranstalter dieses Turniers. Bitte zuerst einen weiteren einladen."
    ),
}

# What a field of a ruleset must hold, by its path in the document.
_RULESET_FIELDS: Mapping[str, Promise] = {
    "name": gettext_lazy("ein Name aus Kleinbuchstaben a bis z, Ziffern und Bindestrichen."),
    "title": gettext_lazy("eine Überschrift mit höchstens 120 Zeichen."),
    "title_en": gettext_lazy("eine englische Überschrift mit höchstens 120 Zeichen."),
    "rounds": gettext_lazy("die Zahl der Spielrunden, 1 bis 20; keine, wo Spieler ausscheiden."),
    "qualifying": gettext_lazy("wer weiterkommt, wo Spieler ausscheiden."),
    "qualifying.go_on": gettext_lazy("wie viele von jedem Tisch weiterkommen, mindestens 1, aber nie alle."),
    "qualifying.final": gettext_lazy(
        "wie viele Spieler höchstens das Finale spielen: so viele, wie an den größten Tisch gehen, bis 12."
    ),
    "drawn_ahead": gettext_lazy("ja oder nein; nein, wo Spieler ausscheiden."),
    "entry_fee_cents": gettext_lazy("die Startgebühr in Cent, 0 bis 1000000."),
    "tables": gettext_lazy("die Tischgrößen."),
    "tables.sizes": gettext_lazy("verschiedene Tischgrößen von 2 bis 12, die kleinste zuerst."),
    "tables.exceptions": gettext_lazy("weitere Tischgrößen von 2 bis 12, keine zweimal."),
    "tables.prefer": gettext_lazy("„smaller“ für mehr kleine oder „larger“ für mehr große Tische."),
    "points": gettext_lazy("die Punkte je Rang, von -1000 bis 1000, für den besseren Rang nie weniger."),
    "tie_break": gettext_lazy(
        "was bei gleichen Punkten entscheidet, nichts zweimal, zum Beispiel „strokes“."
    ),
    "lot_by_program": gettext_lazy("ja oder nein."),
    "stakes": gettext_lazy("der Einsatz, oder gar keiner."),
    "stakes.stake_cents": gettext_lazy("der Einsatz in Cent, 1 bis 1000000."),
    "stakes.returned_to_ranks": gettext_lazy("Ränge von 2 bis 12, die ihren Einsatz zurückbekommen."),
    "scribe": gettext_lazy("wer schreibt: „seat_1“ oder „organiser“."),
    "volunteer_scribe": gettext_lazy("ja oder nein."),
    "scribe_takes_back": gettext_lazy("„any“ oder „latest_deal“."),
    "objections_end": gettext_lazy("„voided“ oder „next_deal“."),
    "confirmation": gettext_lazy("„required“, „optional“ oder „paper“."),
    "pen_needs_supervisor": gettext_lazy("ja oder nein."),
    "manners": gettext_lazy("höchstens 40 Sätze, jeder mit höchstens 300 Zeichen."),
    "manners_en": gettext_lazy("höchstens 40 Sätze auf Englisch, jeder mit höchstens 300 Zeichen."),
    "hands": gettext_lazy("was drei Karten zählen."),
    "hands.lowest_card": gettext_lazy("die niedrigste Karte: „6“, „7“ oder „9“."),
    "hands.card_names": gettext_lazy("„german“ für Unter und Ober, „french“ für Bube und Dame."),
    "hands.schnauz": gettext_lazy("„any_31“ oder „ace_king_ten“."),
    "hands.schnauz_points": gettext_lazy(
        "die Punkte für einen Schnauz, 31 bis 99, so viele wie auf der Tischliste."
    ),
    "hands.feuer": gettext_lazy("„above_schnauz“, „equal_to_schnauz“, „below_schnauz“ oder „none“."),
    "hands.feuer_points": gettext_lazy(
        "die Punkte für ein Feuer, 31 bis 99, zum Schnauz passend und so viele wie auf der Tischliste; oder keine."
    ),
    "hands.three_of_a_kind_name": gettext_lazy("wie drei Gleiche heißen, höchstens 30 Zeichen, oder nichts."),
    "hands.three_of_a_kind_half_points": gettext_lazy(
        "was drei Gleiche zählen, in halben Punkten: mehr als jede Summe, weniger als Schnauz und Feuer, und so "
        "viel wie auf der Tischliste; oder nichts."
    ),
    "hands.threes": gettext_lazy("„ranked“ oder „equal“."),
    "sheet": gettext_lazy("die Regeln der Tischliste."),
    "sheet.kind": gettext_lazy("„survival“, „hand_points“ oder „plus_minus“."),
    "sheet.lives": gettext_lazy("die Zahl der Leben, 0 bis 20."),
    "sheet.endings": gettext_lazy("wie ein Spiel enden kann; „knock“ gehört immer dazu."),
    "sheet.all_others_lose": gettext_lazy("welche Enden alle anderen verlieren lassen, außer „knock“."),
    "sheet.three_of_a_kind_spared": gettext_lazy("bei welchen Enden drei Gleiche nicht verlieren."),
    "sheet.marks": gettext_lazy("wofür es einen Strich gibt: „schnauz“, „feuer“."),
    "sheet.deals": gettext_lazy("die Zahl der Spiele einer Spielrunde, 1 bis 200."),
    "sheet.early_acceptance": gettext_lazy("ja oder nein."),
    "sheet.solos": gettext_lazy("die Spiele gegen drei: „solo“, „wenz“, „farbwenz“."),
    "sheet.ruf": gettext_lazy("die Punkte eines Rufspiels."),
    "sheet.solo": gettext_lazy("die Punkte eines Spiels gegen drei, für jeden der drei."),
    "sheet.not_in_first_deal": gettext_lazy(
        "Stufen, die ein Spiel gegen drei im ersten Spiel nicht haben darf: „schneider“, „durch“, „tout“."
    ),
    "sheet.needs_approval": gettext_lazy("Stufen, die die Aufsicht abzeichnen muss, zum Beispiel „tout“."),
    **{
        f"sheet.{game}.{level}": gettext_lazy("die Punkte dieser Stufe, 1 bis 1000.")
        for game in ("ruf", "solo")
        for level in ("normal", "schneider", "durch", "tout")
    },
}
