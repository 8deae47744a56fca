"""The sentence for each refusal of the core and the services."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.core.refusal import Refusal
from tournaments.rulesets.languages import field_of
from tournaments.text.money import euros, word_desk
from tournaments.text.numbers import in_words, listed
from tournaments.text.ruleset_fields import FIELDS, expected_value
from tournaments.text.table_sizes import (
    does_not_work_out,
    list_tables,
    players_more,
    sits_out,
    ways_out,
)


def message(refusal: Refusal) -> str:
    """Return the sentence for a refusal, in the reader's language. Raises KeyError for an unknown code."""
    made = _MADE.get(refusal.code)
    if made is not None:
        return made(refusal.params)
    return str(_SENTENCES[refusal.code]) % refusal.params


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
    ways = [players_more(params["missing"]), sits_out(params["surplus"])]
    return f"{does_not_work_out(params['players'], params['sizes'])} {ways_out(ways)}"


def _needs_confirmation(params: Mapping[str, Any]) -> str:
    return _(
        "Diese Spielerzahl geht nicht ganz auf. Die Aufteilung wäre: %(tables)s. Bitte bestätigen, "
        "oder die Spielerzahl ändern."
    ) % {"tables": list_tables(tuple(params["sizes"]))}


def _same_name(params: Mapping[str, Any]) -> str:
    return _(
        "Den Namen %(name)s gibt es schon: Nr. %(numbers)s. Ist es jemand anders? Dann bitte noch einmal bestätigen."
    ) % {"name": params["name"], "numbers": listed([str(number) for number in params["start_numbers"]])}


def _sheets_not_accepted(params: Mapping[str, Any]) -> str:
    tables = params["tables"]
    return ngettext(
        "Die Tischliste von Tisch %(tables)s ist noch nicht angenommen. Bitte erst annehmen, oder die "
        "Spielrunde mit einer Begründung schließen.",
        "Die Tischlisten der Tische %(tables)s sind noch nicht angenommen. Bitte erst annehmen, oder die "
        "Spielrunde mit einer Begründung schließen.",
        len(tables),
    ) % {"tables": listed([str(table) for table in tables])}


def _scribes_missing(params: Mapping[str, Any]) -> str:
    tables = params["tables"]
    return ngettext(
        "An Tisch %(tables)s steht noch nicht fest, wer schreibt. Bitte bestimmen, oder sagen, warum die Spielrunde "
        "trotzdem freigegeben wird.",
        "An den Tischen %(tables)s steht noch nicht fest, wer schreibt. Bitte bestimmen, oder sagen, warum die "
        "Spielrunde trotzdem freigegeben wird.",
        len(tables),
    ) % {"tables": listed([str(table) for table in tables])}


def _password_bad(params: Mapping[str, Any]) -> str:
    """Return the messages of Django's validators, which are in the reader's language."""
    return " ".join(map(str, params["messages"]))


def _log_in_slowed(params: Mapping[str, Any]) -> str:
    return ngettext(
        "Zu viele falsche Versuche. Bitte noch eine Sekunde warten, dann noch einmal anmelden.",
        "Zu viele falsche Versuche. Bitte noch %(seconds)s Sekunden warten, dann noch einmal anmelden.",
        params["seconds"],
    ) % {"seconds": params["seconds"]}


def _ruleset_bad(params: Mapping[str, Any]) -> str:
    path = str(params["path"])
    name = re.sub(r"\[\d+\]", "", path)
    if not path:
        return _("Das ist kein Regelwerk. Bitte eine Vorlage wählen und deren Felder ändern.")
    if field_of(name)[0] not in FIELDS:
        return _("Ein Regelwerk hat kein Feld „%(path)s“. Bitte das Feld entfernen.") % {"path": path}
    return _("Im Regelwerk fehlt das Feld „%(path)s“, oder es stimmt nicht. Erwartet: %(expected)s.") % {
        "path": path,
        "expected": expected_value(name),
    }


def _one_time_code_wait(params: Mapping[str, Any]) -> str:
    return ngettext(
        "Zu viele falsche Codes. Bitte noch eine Sekunde warten, dann noch einmal eingeben.",
        "Zu viele falsche Codes. Bitte noch %(seconds)s Sekunden warten, dann noch einmal eingeben.",
        params["seconds"],
    ) % {"seconds": params["seconds"]}


def _desk_closed(params: Mapping[str, Any]) -> str:
    return _(
        "%(desk)s ist abgeschlossen und nimmt nichts mehr an. Bitte erst mit einer Begründung wieder öffnen, "
        "oder eine andere Kasse nehmen."
    ) % {"desk": word_desk(params["desk"])}


def _count_differs(params: Mapping[str, Any]) -> str:
    expected, counted = params["expected"], params["counted"]
    amounts = {"counted": euros(counted), "expected": euros(expected), "by": euros(abs(counted - expected))}
    too_much = _(
        "Gezählt sind %(counted)s, erwartet %(expected)s: %(by)s zu viel. Bitte nachzählen, oder ein Wort dazu."
    )
    too_little = _(
        "Gezählt sind %(counted)s, erwartet %(expected)s: %(by)s zu wenig. Bitte nachzählen, oder ein Wort dazu."
    )
    return (too_much if counted > expected else too_little) % amounts


def _amount_too_large(params: Mapping[str, Any]) -> str:
    return _("Auf einmal gehen höchstens %(most)s. Bitte den Betrag prüfen.") % {
        "most": euros(params["most"])
    }


def _fees_too_large(params: Mapping[str, Any]) -> str:
    return _(
        "Ein Turnier nimmt höchstens %(most)s an Startgebühren ein. Bitte prüfen, ob ein Betrag zu hoch ist."
    ) % {"most": euros(params["most"])}


def _sign_up_over(params: Mapping[str, Any]) -> str:
    return _(
        "Die Anmeldung von zu Hause ist seit %(at)s zu Ende. Im Saal geht es noch, mit dem Code an der Leinwand oder an der Tür."
    ) % {"at": date_format(timezone.localtime(params["at"]), "SHORT_DATETIME_FORMAT")}


_MADE: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "too_few_players": _too_few_players,
    "head_count_does_not_fit": _head_count_does_not_fit,
    "needs_confirmation": _needs_confirmation,
    "same_name": _same_name,
    "sheets_not_accepted": _sheets_not_accepted,
    "scribes_missing": _scribes_missing,
    "password_bad": _password_bad,
    "log_in_slowed": _log_in_slowed,
    "ruleset_bad": _ruleset_bad,
    "desk_closed": _desk_closed,
    "count_differs": _count_differs,
    "amount_too_large": _amount_too_large,
    "fees_too_large": _fees_too_large,
    "sign_up_over": _sign_up_over,
    "one_time_code_wait": _one_time_code_wait,
}

# Sentences that need only their parameters filled in.
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
    "picture_missing": gettext_lazy("Bitte erst eine Datei wählen: ein Bild als JPEG oder PNG."),
    "picture_unreadable": gettext_lazy(
        "Das ist kein Bild als JPEG oder PNG. Bitte eine andere Datei wählen."
    ),
    "picture_too_large": gettext_lazy(
        "Diese Datei ist zu groß. Bitte ein Bild mit höchstens %(most)s MB wählen, oder dieses verkleinern."
    ),
    "picture_of_too_many_pixels": gettext_lazy(
        "Dieses Bild hat zu viele Bildpunkte. Bitte eines mit höchstens %(most)s Millionen wählen, oder dieses verkleinern."
    ),
    "date_bad": gettext_lazy("Diesen Tag gibt es nicht. Bitte Tag, Monat und Jahr prüfen."),
    "start_bad": gettext_lazy(
        "Das ist keine Uhrzeit. Bitte nur die Uhrzeit eingeben, zum Beispiel 19:30, oder Tag und Uhrzeit: 21.11.2026 19:30."
    ),
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
    "table_is_excluded": gettext_lazy(
        "An Tisch %(table)s ist niemand mehr, der nicht schon ausgeschlossen ist."
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
    "paid_bad": gettext_lazy(
        "In der Spalte „Bezahlt“ steht weder ja noch nein noch ein Betrag. Bitte berichtigen oder leer lassen."
    ),
    "paid_too_much": gettext_lazy(
        "Das ist mehr, als am Beitrag noch fehlt. Bitte höchstens eintragen, was noch offen ist."
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
    "no_volunteer_scribes": gettext_lazy(
        "Nach diesem Regelwerk gibt der Tisch das Schreiben nicht selbst weiter. Bitte die Spielleitung fragen."
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
    "unknown_ceremony": gettext_lazy("Diesen Ablauf einer Auslosung gibt es nicht."),
    "nothing_is_sealed": gettext_lazy("Es gibt noch kein Siegel. Bitte zuerst versiegeln."),
    "commitment_outdated": gettext_lazy(
        "Seit dem Siegel hat sich etwas geändert: wer mitspielt, ein Wunsch oder eine Spielrunde davor. Bitte neu versiegeln."
    ),
    "commitment_cannot_be_opened": gettext_lazy(
        "Dieses Siegel lässt sich hier nicht öffnen: Der geheime Schlüssel des Programms ist ein anderer als damals. "
        "Bitte neu versiegeln."
    ),
    "words_are_said": gettext_lazy(
        "Der Zuruf steht schon fest: „%(words)s“. Er lässt sich nicht mehr ändern."
    ),
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
    "tournament_ended": gettext_lazy(
        "Das Turnier ist beendet. Soll es doch weitergehen, bitte zuerst in der Übersicht auf „Doch weiterspielen“ tippen."
    ),
    "tournament_not_ended": gettext_lazy("Das Turnier läuft schon wieder. Es ist nichts weiter zu tun."),
    "round_in_play": gettext_lazy(
        "Die Spielrunde %(round)s wird noch gespielt. Bitte zuerst abschließen oder ihre Freigabe zurücknehmen."
    ),
    "no_round_closed": gettext_lazy(
        "Noch ist keine Spielrunde abgeschlossen, also gibt es keinen Endstand. Bitte zuerst eine abschließen."
    ),
    "all_rounds_played": gettext_lazy(
        "Alle Spielrunden sind gespielt, das Turnier ist von selbst zu Ende. Es ist nichts weiter zu tun."
    ),
    "round_has_entries": gettext_lazy(
        "Auf einer Tischliste dieser Spielrunde steht schon etwas, darum bleibt die Auslosung, wie sie "
        "ist. Fehler bitte auf der Tischliste berichtigen."
    ),
    # Documents of tournaments
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
    "digest_does_not_match": gettext_lazy(
        "Die Einträge dieser Tischliste sind nicht mehr die, über die ihre Prüfsumme „digest“ gebildet wurde. "
        "Wer sie absichtlich geändert hat, lässt das Feld weg."
    ),
    "commitment_does_not_match": gettext_lazy("Dieses Siegel gehört nicht zu dem, was hier und davor steht."),
    "mark_does_not_match": gettext_lazy(
        "Dieses Prüfzeichen einer Spielrunde folgt nicht aus dem, was hier und davor steht."
    ),
    "document_moment_of_nothing": gettext_lazy(
        "Hier steht ein Zeitpunkt für etwas, das nicht eingetreten ist. Bitte weglassen."
    ),
    "document_uuid_expected": gettext_lazy("Hier muss eine UUID stehen."),
    "document_schema_newer": gettext_lazy(
        "Diese Turnierdatei ist von einer neueren Version des Programms. Bitte zuerst dieses Programm aktualisieren."
    ),
    "document_schema_unknown": gettext_lazy(
        "Diese Fassung der Turnierdatei kennt das Programm nicht; es liest „%(expected)s“."
    ),
    "document_number_twice": gettext_lazy("Die Nummer %(number)s steht zweimal da. Bitte eine davon ändern."),
    "document_no_transfer": gettext_lazy(
        "Eine zweite Kasse steht nur bei einer Übergabe („transfer“). Bitte weglassen."
    ),
    "document_no_count": gettext_lazy(
        "Scheine und Münzen stehen nur bei einer Zählung („count“). Bitte weglassen."
    ),
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
    # Fees, payments, cash desks
    "fee_in_use": gettext_lazy(
        "Den Beitrag „%(fee)s“ haben Spieler. Bitte ihnen zuerst einen anderen geben, oder ihn stehen lassen."
    ),
    "fee_twice": gettext_lazy("Den Beitrag „%(fee)s“ gibt es zweimal. Bitte einen anders nennen."),
    "fee_unknown": gettext_lazy(
        "Diesen Beitrag gibt es in diesem Turnier nicht. Bitte einen anderen wählen."
    ),
    "fee_word_unknown": gettext_lazy(
        "Den Beitrag „%(word)s“ gibt es in diesem Turnier nicht. Möglich sind: %(fees)s. Oder leer lassen."
    ),
    "no_fee": gettext_lazy("Hier ist nichts zu bezahlen. Bitte den Betrag weglassen."),
    "amount_needed": gettext_lazy("Bitte einen Betrag über 0,00 € eintragen."),
    "unknown_desk": gettext_lazy("Diese Kasse gibt es nicht. Bitte die Seite neu laden."),
    "desk_is_open": gettext_lazy("Diese Kasse ist schon offen. Es ist nichts weiter zu tun."),
    "fee_key_twice": gettext_lazy("Den Beitrag „%(key)s“ gibt es schon. Bitte anders benennen."),
    "too_many_fees": gettext_lazy("Mehr als %(most)s Beiträge gibt es nicht. Bitte einen weglassen."),
    "desk_twice": gettext_lazy("Die Kasse „%(desk)s“ gibt es schon. Bitte einen anderen Namen nehmen."),
    "transfer_to_itself": gettext_lazy(
        "Geld kann eine Kasse nur an eine andere übergeben. Bitte eine andere wählen."
    ),
    "pieces_differ": gettext_lazy(
        "Scheine und Münzen ergeben einen anderen Betrag als %(cents)s Cent. Bitte beides vergleichen."
    ),
    "document_handout_empty": gettext_lazy(
        "Wer etwas bekam oder zurückgab, braucht einen Betrag oder eine Sache; wer nicht da war („absent“), keines von beiden."
    ),
    "document_payout_differs": gettext_lazy(
        "Hier muss die Nummer einer Auszahlung dieses Spielers über denselben Betrag stehen, von 0 an gezählt."
    ),
    "document_money_back_differs": gettext_lazy(
        "Hier muss die Nummer einer Einlage in „cash“ über denselben Betrag stehen, von 0 an gezählt."
    ),
    "document_money_twice": gettext_lazy(
        "Dasselbe Geld steht bei zwei Preisen. Bitte eines davon weglassen."
    ),
    "document_more_back": gettext_lazy("So viel hat dieser Spieler für diesen Preis nicht bekommen."),
    # Players who register themselves
    "sign_up_most_bad": gettext_lazy(
        "Die Zahl der Plätze liegt zwischen 1 und %(most)s. Ohne Grenze bleibt das Feld leer."
    ),
    "sign_up_closed": gettext_lazy(
        "Zu diesem Turnier meldet man sich nicht selbst an. Bitte an der Tür melden."
    ),
    "sign_up_only_in_hall": gettext_lazy(
        "Anmelden kann man sich nur im Saal. Bitte den Code an der Leinwand scannen, oder an der Tür melden."
    ),
    "hall_code_wrong": gettext_lazy(
        "Dieser Code gilt nicht, oder nicht mehr: Der an der Leinwand wechselt alle fünf Minuten. Bitte den neuen nehmen."
    ),
    "sign_up_code_unknown": gettext_lazy(
        "Zu diesem Code gibt es keine Anmeldung. Bitte noch einmal abtippen, oder sich neu anmelden."
    ),
    "sign_up_withdrawn": gettext_lazy(
        "Diese Anmeldung ist zurückgezogen. Wer doch mitspielen will, meldet sich neu an."
    ),
    "sign_up_confirmed": gettext_lazy(
        "Die Kasse hat diese Anmeldung schon bestätigt. Was jetzt noch anders werden soll, bitte dort sagen."
    ),
    "sign_up_not_confirmed": gettext_lazy("Die Kasse hat diese Anmeldung noch nicht bestätigt."),
    "sign_up_unknown": gettext_lazy(
        "Die Anmeldung A%(number)s gibt es nicht mehr. Vielleicht ist sie gerade zurückgezogen worden. Bitte die Liste ansehen."
    ),
    "sign_up_confirmed_as": gettext_lazy(
        "%(name)s steht schon in der Liste: Nr. %(start_number)s. Es ist nichts zu tun."
    ),
    "sign_ups_too_many": gettext_lazy(
        "Von hier kamen gerade sehr viele Anmeldungen. Bitte in zehn Minuten noch einmal versuchen, oder sich an der Tür melden."
    ),
    "sign_ups_enough": gettext_lazy(
        "Es warten schon sehr viele Anmeldungen auf die Kasse. Bitte sich an der Tür melden."
    ),
    "withdrawn_by_desk": gettext_lazy(
        "Abgemeldet hat die Kasse oder die Spielleitung. Wer wieder mitspielen will, sagt es bitte dort."
    ),
    "pause_impossible": gettext_lazy(
        "In diesem Turnier kann niemand eine Spielrunde aussetzen. Wer nicht weiterspielt, sagt es bitte der Spielleitung."
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
    "log_in_busy": gettext_lazy(
        "Gerade melden sich sehr viele auf einmal an. Bitte in ein paar Sekunden noch einmal versuchen."
    ),
    "organisers_exist": gettext_lazy(
        "Hier gibt es schon einen Veranstalter. Bitte anmelden, oder sich von ihm einladen lassen."
    ),
    "invitation_over": gettext_lazy(
        "Diese Einladung ist nicht mehr offen: angenommen, abgelaufen oder schon zurückgezogen. Bitte die Liste ansehen."
    ),
    "account_unknown": gettext_lazy("Dieses Konto gibt es nicht. Die Seite „Konten“ zeigt alle."),
    "account_closed": gettext_lazy(
        "Dieses Konto ist geschlossen. Wer wieder mitarbeiten soll, wird mit einem neuen Konto eingeladen."
    ),
    "last_owner": gettext_lazy(
        "Das ist das Konto, dem die Installation gehört. Es kann nicht geschlossen werden, sonst käme niemand mehr hinein."
    ),
    "last_organiser": gettext_lazy(
        "Das ist der letzte Veranstalter dieses Turniers. Bitte zuerst einen weiteren einladen."
    ),
    "second_factor_exists": gettext_lazy("Der zweite Faktor ist schon eingeschaltet."),
    "second_factor_unknown": gettext_lazy(
        "Der zweite Faktor ist noch nicht begonnen. Bitte „Einrichten“ drücken."
    ),
    "one_time_code_wrong": gettext_lazy(
        "Der Code stimmt nicht. Jeder gilt nur einmal und nur kurz: Bitte den nächsten eingeben."
    ),
    "log_in_with_code_first": gettext_lazy(
        "Dieses Konto hat einen zweiten Faktor. Bitte erst anmelden, dann den Link noch einmal öffnen."
    ),
}
