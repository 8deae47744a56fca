"""The sentence for each refusal of the sheets, the phone and the standings."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from tournaments.core.refusal import Refusal
from tournaments.text import refusals as tournament_refusals


def message(refusal: Refusal) -> str:
    """Return the sentence for a refusal, in the reader's language. Raises KeyError for an unknown code."""
    if refusal.code not in _SENTENCES:
        return tournament_refusals.message(refusal)
    return str(_SENTENCES[refusal.code]) % _shown(refusal.params)


def catalogue() -> dict[str, str]:
    """Return code -> sentence with %(name)s placeholders, in the reader's language, for the offline phone.

    A list is joined with commas, seats are the names of their players; `why` is the code of another refusal, which has the other parameters. Left out are those
    that only other pages show, or that only the server gives, with the sentence.
    """
    return {code: str(sentence) for code, sentence in _ON_SHEETS.items() if code not in _FROM_THE_SERVER}


def _shown(params: Mapping[str, Any]) -> dict[str, Any]:
    shown = {
        name: _seats(value) if _names_seats(name, value) else _listed(value) for name, value in params.items()
    }
    if "why" in params:
        others = {name: value for name, value in params.items() if name != "why"}
        shown["why"] = _why(Refusal(str(params["why"]), **others))
    return shown


def _why(refusal: Refusal) -> str:
    """Return the sentence of a refusal inside another; "" if its parameters were not passed on."""
    try:
        return message(refusal)
    except KeyError:
        return ""


def _names_seats(name: str, value: object) -> bool:
    """Return whether a sentence names these seats; `seats` can also be their number."""
    return name == "seat" or (name == "seats" and isinstance(value, list | tuple))


def _seats(value: object) -> str:
    """Return seats as the organiser knows them. The phone puts in the names of the players."""
    return gettext("Platz-Nr. %(seats)s") % {"seats": _listed(value)}


def _listed(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


_ON_SHEETS: Mapping[str, Promise] = {
    # Any entry
    "bad_entry": gettext_lazy(
        "Dieser Eintrag ist unvollständig oder unlesbar (%(field)s). Bitte die Seite neu laden und noch "
        "einmal eintragen."
    ),
    "bad_text": gettext_lazy(
        "Der Text geht so nicht. Bitte kurz sagen, worum es geht: 1 bis %(longest)s Zeichen in einer Zeile."
    ),
    "unknown_kind": gettext_lazy(
        "Diese Art von Eintrag gibt es auf dieser Tischliste nicht. Bitte die Seite neu laden."
    ),
    "unknown_seat": gettext_lazy("%(seat)s gibt es an diesem Tisch nicht. Bitte die Platz-Nr. prüfen."),
    "unknown_entry": gettext_lazy(
        "Diesen Eintrag gibt es auf dieser Tischliste nicht. Bitte die Seite neu laden."
    ),
    "duplicate_id": gettext_lazy("Dieser Eintrag steht schon auf der Tischliste. Es ist nichts zu tun."),
    "organiser_only": gettext_lazy("Das kann nur der Veranstalter. Bitte ihn an den Tisch holen."),
    "reason_needed": gettext_lazy(
        "Das geht nur mit einer Begründung. Bitte in ein paar Worten sagen, warum."
    ),
    # Deals, strokes and ranks
    "no_losers": gettext_lazy("Es fehlt, wer verloren hat. Bitte mindestens einen Spieler antippen."),
    "unknown_ending": gettext_lazy(
        "So kann ein Spiel nach diesem Regelwerk nicht enden. Bitte ein anderes Spielende wählen."
    ),
    "finisher_needed": gettext_lazy("Es fehlt, wer das Spiel beendet hat. Bitte diesen Spieler antippen."),
    "finisher_on_knock": gettext_lazy(
        "Beim Klopfen gibt es keinen Strich. Bitte den Spieler weglassen, oder Schnauz oder Feuer wählen."
    ),
    "finisher_cannot_lose": gettext_lazy(
        "Wer das Spiel beendet, kann nicht verlieren. Bitte %(seat)s nicht als Verlierer antippen."
    ),
    "already_drowned": gettext_lazy(
        "%(seat)s ist schon untergegangen. Bitte nur Spieler antippen, die noch im Spiel sind."
    ),
    "all_others_lose": gettext_lazy(
        "Bei diesem Spielende verlieren alle anderen, die noch im Spiel sind. Bitte %(seats)s "
        "als Verlierer eintragen."
    ),
    "would_drown_everybody": gettext_lazy(
        "Damit wären alle untergegangen, und es gäbe keinen Sieger. Dieses Spiel wird nicht eingetragen; "
        "bitte noch einmal spielen."
    ),
    "table_decided": gettext_lazy(
        "Der Tisch ist entschieden: %(seat)s hat gewonnen. Wenn das nicht stimmt, bitte das letzte "
        "Spiel zurücknehmen."
    ),
    "already_ranked": gettext_lazy(
        "Die Ränge sind schon eingetragen. Bitte zuerst diesen Eintrag zurücknehmen oder berichtigen."
    ),
    "unknown_mark": gettext_lazy(
        "Dafür gibt es nach diesem Regelwerk keinen Strich. Bitte einen anderen Strich wählen."
    ),
    "ranks_incomplete": gettext_lazy(
        "Es fehlt ein Rang, oder einer ist zu viel. Bitte jedem Platz am Tisch genau einen Rang geben."
    ),
    "ranks_two_winners": gettext_lazy(
        "Es kann nur einen Sieger geben. Bitte den Rang 1 nur einmal vergeben."
    ),
    "ranks_no_competition_ranking": gettext_lazy(
        "Diese Ränge gehen nicht auf. Bitte mit 1 beginnen und nach einem geteilten Rang die nachfolgenden "
        "auslassen, zum Beispiel 1, 2, 2, 4."
    ),
    "seats_incomplete": gettext_lazy(
        "Es fehlt ein Platz, oder einer ist zu viel. Bitte jedem Platz am Tisch genau eine Zahl geben."
    ),
    # Points of every deal
    "impossible_hand": gettext_lazy(
        "%(points)s Punkte kann keine Hand haben (%(seat)s). Bitte noch einmal zusammenzählen."
    ),
    "two_feuer": gettext_lazy(
        "Es gibt nur vier Asse, also in einem Spiel höchstens ein Feuer. Bitte die Punkte prüfen."
    ),
    "all_deals_written": gettext_lazy(
        "Alle %(deals)s Spiele stehen schon da. Bitte die Tischliste abgeben, oder ein falsches Spiel zurücknehmen."
    ),
    "deals_missing": gettext_lazy(
        "Es stehen %(played)s von %(deals)s Spielen da. Bitte weiterspielen; früher annehmen kann nur die "
        "Spielleitung, mit einer Begründung."
    ),
    "already_totalled": gettext_lazy(
        "Die Summen vom Papier stehen schon da. Bitte zuerst diesen Eintrag zurücknehmen oder berichtigen."
    ),
    "deals_written": gettext_lazy(
        "Es stehen schon Spiele da (%(deals)s). Bitte sie zuerst zurücknehmen; Summen vom Papier gibt es nur statt "
        "der Spiele."
    ),
    "impossible_total": gettext_lazy(
        "Diese Summen passen nicht zusammen (%(seat)s). Bitte mit dem Papier vergleichen."
    ),
    # Plus and minus
    "four_at_the_table": gettext_lazy(
        "Für diese Tischliste braucht es vier am Tisch, hier sitzen %(seats)s. Bitte die Spielleitung holen."
    ),
    "unknown_game": gettext_lazy(
        "Dieses Spiel gibt es nach diesem Regelwerk nicht. Bitte ein anderes Spiel wählen."
    ),
    "unknown_level": gettext_lazy(
        "Das gibt es bei diesem Spiel nicht. Bitte etwas anderes wählen; ein Rufspiel ist nie ein Tout."
    ),
    "partner_needed": gettext_lazy("Beim Rufspiel fehlt der Mitspieler. Bitte den Gerufenen antippen."),
    "partner_is_declarer": gettext_lazy(
        "Wer spielt, kann sich nicht selbst rufen. Bitte einen anderen als %(seat)s antippen."
    ),
    "no_partner_in_a_solo": gettext_lazy(
        "Bei einem Spiel gegen drei gibt es keinen Mitspieler. Bitte ihn weglassen, oder Rufspiel wählen."
    ),
    "not_in_first_deal": gettext_lazy(
        "Im ersten Spiel einer Spielrunde gibt es das nicht: keinen Tout, und kein Solo und keinen Wenz als Durch. "
        "Bitte die Spielleitung holen."
    ),
    "approval_missing": gettext_lazy(
        "Ein Tout wartet noch auf die Spielleitung (Spiel %(numbers)s). Bitte sie abzeichnen lassen."
    ),
    "nothing_to_approve": gettext_lazy(
        "Hier ist nichts abzuzeichnen: Dieser Eintrag ist kein Tout, der noch wartet. Bitte die Seite neu laden."
    ),
    "points_do_not_balance": gettext_lazy(
        "Plus und Minus gehen nicht auf: zusammen %(sum)s statt 0. Bitte mit dem Papier vergleichen."
    ),
    "too_many_solos": gettext_lazy(
        "Mehr als %(deals)s Spiele hat die Liste nicht. Bitte die Zahl der Solo mit dem Papier vergleichen."
    ),
    # Taking back and correcting
    "supervisor_takes_back": gettext_lazy(
        "Streichen und ändern darf hier nur die Aufsicht. Bitte die Spielleitung rufen."
    ),
    "latest_deal_only": gettext_lazy(
        "Zurücknehmen lässt sich hier nur das letzte Spiel. Für alles andere bitte die Spielleitung holen."
    ),
    "corrected_by_supervisor": gettext_lazy(
        "Dieses Spiel hat die Spielleitung berichtigt. Wenn es nicht stimmt, bitte die Spielleitung holen."
    ),
    "objection_is_closed": gettext_lazy(
        "Dieser Einspruch ist schon erledigt: Seither ist ein Spiel eingetragen worden. Es ist nichts zu tun."
    ),
    "cannot_be_voided": gettext_lazy(
        "Das lässt sich nicht zurücknehmen, nur Spiele, Striche, Ränge und Einsprüche. Bitte einen davon "
        "auswählen."
    ),
    "cannot_be_corrected": gettext_lazy(
        "Das lässt sich nicht berichtigen, nur Spiele, Striche und Ränge. Bitte einen davon auswählen."
    ),
    "already_voided": gettext_lazy(
        "Dieser Eintrag ist schon zurückgenommen. Wenn er doch gilt, bitte noch einmal eintragen."
    ),
    "later_entry_impossible": gettext_lazy(
        "Ein späterer Eintrag wäre dann nicht mehr möglich. Bitte zuerst die späteren zurücknehmen, den "
        "letzten zuerst."
    ),
    # From open to accepted
    "not_complete": gettext_lazy("Die Tischliste ist noch nicht fertig. %(why)s"),
    "no_winner_yet": gettext_lazy(
        "Es sind noch %(left)s Spieler im Spiel. Bitte weiterspielen, bis einer übrig ist, oder die Ränge "
        "eintragen."
    ),
    "objection_stands": gettext_lazy(
        "Ein Einspruch ist noch offen (%(seats)s). Bitte klären und den Einspruch zurücknehmen."
    ),
    "confirmations_missing": gettext_lazy(
        "Noch nicht bestätigt: %(seats)s. Bitte jeden Spieler seinen Namen antippen lassen."
    ),
    "sheet_is_submitted": gettext_lazy(
        "Die Tischliste ist schon abgegeben. Für eine Änderung bitte den Veranstalter sie wieder öffnen lassen."
    ),
    "sheet_is_accepted": gettext_lazy(
        "Die Tischliste ist schon angenommen. Für eine Änderung bitte den Veranstalter sie wieder öffnen "
        "lassen."
    ),
    "sheet_is_open": gettext_lazy(
        "Die Tischliste ist noch offen. Sie lässt sich ändern, ohne sie wieder zu öffnen."
    ),
    "already_accepted": gettext_lazy("Die Tischliste ist schon angenommen. Es ist nichts zu tun."),
    # The phone and its link
    "link_unknown": gettext_lazy(
        "Dieser Link gilt nicht mehr. Bitte den Code auf dem Tisch noch einmal scannen, oder beim "
        "Veranstalter einen neuen holen."
    ),
    "link_of_closed_round": gettext_lazy(
        "Die Spielrunde %(round)s ist abgeschlossen, ihr Code gilt nicht mehr. Bitte den Code der neuen "
        "Spielrunde scannen."
    ),
    "link_of_ended_tournament": gettext_lazy(
        "Das Turnier ist nicht mehr öffentlich, der Code gilt nicht mehr. Bitte beim Veranstalter melden."
    ),
    "no_pen": gettext_lazy(
        "Ein anderes Handy schreibt diese Tischliste. Zum Schreiben bitte hier das Schreiben übernehmen."
    ),
    "consent_missing": gettext_lazy(
        "Ein anderer schreibt nur, wenn alle am Tisch einverstanden sind. Bitte alle fragen und es antippen."
    ),
    "id_taken": gettext_lazy(
        "Unter dieser Kennung steht schon ein anderer Eintrag. Bitte die Seite neu laden und noch einmal "
        "eintragen."
    ),
    "sheet_is_full": gettext_lazy(
        "Auf dieser Tischliste ist kein Platz mehr (%(most)s Einträge). Bitte auf Papier weiterschreiben und die "
        "Spielleitung holen."
    ),
    "sheet_takes_no_more": gettext_lazy(
        "Auf diese Tischliste geht nichts mehr, auch nicht von der Spielleitung (%(most)s Einträge). Bitte das Ergebnis "
        "auf Papier festhalten und die Spielrunde mit einer Begründung schließen."
    ),
    "too_many_parked": gettext_lazy(
        "Von diesem Tisch ist schon zu viel zurückgestellt (%(most)s Einträge). Bitte diesen Eintrag auf Papier "
        "schreiben und der Spielleitung geben."
    ),
    "was_discarded": gettext_lazy(
        "Dieser Eintrag wurde verworfen: %(reason)s. Wenn er doch gilt, bitte noch einmal eintragen."
    ),
    "unknown_parked": gettext_lazy(
        "Diesen zurückgestellten Eintrag gibt es nicht. Bitte die Seite neu laden."
    ),
    "parked_is_decided": gettext_lazy(
        "Über diesen zurückgestellten Eintrag ist schon entschieden. Es ist nichts zu tun."
    ),
    "entries_parked": gettext_lazy(
        "Es gibt noch zurückgestellte Einträge (Tisch %(tables)s). Bitte übernehmen oder verwerfen, oder die "
        "Spielrunde mit einer Begründung schließen."
    ),
}

_FROM_THE_SERVER = frozenset(
    {
        # About links, pens and what the phone does not know
        *(
            "unknown_seat",
            "link_unknown",
            "link_of_closed_round",
            "link_of_ended_tournament",
            "no_pen",
            "id_taken",
        ),
        *("sheet_is_full", "sheet_takes_no_more", "too_many_parked"),
        *("was_discarded", "unknown_parked", "parked_is_decided", "entries_parked"),
        # About entries that no scribe writes
        *("reason_needed", "cannot_be_corrected", "already_accepted", "sheet_is_open", "nothing_to_approve"),
        *("deals_written", "impossible_total", "points_do_not_balance", "too_many_solos"),
    }
)

_ON_PAGES: Mapping[str, Promise] = {
    # Latecomers and no-shows
    "cannot_join": gettext_lazy(
        "Die Teiln.-Nr. %(start_number)s spielt in dieser Spielrunde nicht mit. Bitte die Nummer prüfen, oder erst "
        "anmelden."
    ),
    "table_has_begun": gettext_lazy(
        "An Tisch %(table)s wird schon gespielt, darum bleibt er besetzt, wie er ist. Bitte einen anderen Tisch wählen."
    ),
    "proposal_outdated": gettext_lazy(
        "Inzwischen sitzen die Tische anders. Bitte noch einmal ansehen, was sich ändern würde."
    ),
    # Problems reported from the tables
    "flags_too_many": gettext_lazy(
        "Von hier ist in den letzten Minuten schon viel gemeldet worden. Bitte die Spielleitung direkt ansprechen."
    ),
    "flags_enough": gettext_lazy(
        "Zu dieser Tischliste liegen schon mehrere Meldungen bei der Spielleitung. Sie weiß Bescheid."
    ),
    "complaint_closed": gettext_lazy(
        "Das %(deal)s. Spiel ist abgeschlossen, denn auf der Tischliste steht schon das %(written)s. Eine Reklamation gilt nur, "
        "bis das nächste Spiel angeschrieben ist. Bitte die Spielleitung ansprechen."
    ),
    "flag_is_closed": gettext_lazy("Diese Meldung hat %(by)s inzwischen erledigt. Es ist nichts zu tun."),
    "flag_is_looked_at": gettext_lazy("Hier sieht schon %(by)s nach. Bitte miteinander absprechen."),
    # Three cards in a hand
    "hand_of_three": gettext_lazy(
        "Eine Hand hat genau drei Karten, hier sind es %(cards)s. Bitte antippen, welche weg sollen."
    ),
    "card_twice": gettext_lazy(
        "%(card)s ist zweimal dabei, und jede Karte gibt es nur einmal. Bitte eine davon wegnehmen."
    ),
    "unknown_card": gettext_lazy("Diese Karte gibt es in diesem Spiel nicht. Bitte eine andere nehmen."),
    # A paper sheet typed in
    "paper_unreadable": gettext_lazy(
        "„%(text)s“ ist keine Zahl. Bitte nur Ränge und Striche eintippen, zum Beispiel 341624 102001."
    ),
    "paper_ranks_count": gettext_lazy(
        "Gelesen: %(given)s Ränge, am Tisch sitzen aber %(needed)s. Bitte für jede Platz-Nr. einen Rang eintippen."
    ),
    "paper_strokes_missing": gettext_lazy(
        "Es fehlen die Striche. Bitte nach den Rängen für jede Platz-Nr. eine Zahl, oder eine einzige 0, wenn es "
        "keine gab."
    ),
    "paper_strokes_count": gettext_lazy(
        "Gelesen: Striche für %(given)s Plätze, am Tisch sitzen aber %(needed)s. Bitte für jede Platz-Nr. eine Zahl, "
        "oder eine einzige 0, wenn es keine gab."
    ),
    "paper_too_much": gettext_lazy(
        "Das sind mehr Zahlen, als auf die Tischliste passen. Bitte erst die Ränge, dann die Striche, beides in der "
        "Reihenfolge der Platz-Nr."
    ),
    "paper_too_many_strokes": gettext_lazy(
        "Mehr als %(most)s Striche hat niemand. Bitte die Striche prüfen; zwischen zweistelligen Zahlen gehören "
        "Leerzeichen."
    ),
    "paper_replaces": gettext_lazy(
        "Auf dieser Tischliste stehen schon Einträge (%(entries)s). Bitte ankreuzen, dass das Papierblatt sie ersetzt, "
        "oder die Tischliste öffnen."
    ),
    # Standings
    "is_frozen": gettext_lazy("Die Rangliste ist schon eingefroren. Es ist nichts zu tun."),
    "is_not_frozen": gettext_lazy("Die Rangliste ist nicht eingefroren. Es ist nichts freizugeben."),
    "not_tied": gettext_lazy(
        "Diese Spieler sind nicht in allem gleich (Teiln.-Nr. %(start_numbers)s). Entschieden wird nur "
        "zwischen allen, die sich einen Rang teilen; bitte genau diese wählen."
    ),
    "lot_is_drawn_by_program": gettext_lazy(
        "Nach diesem Regelwerk zieht das Programm das Los. Bitte auf „Los ziehen“ tippen."
    ),
    "lot_is_drawn_by_hand": gettext_lazy(
        "Nach diesem Regelwerk wird von Hand gestochen oder gelost. Bitte die Reihenfolge unten eintragen."
    ),
    "nobody_has_won": gettext_lazy(
        "Noch steht kein Sieger fest. Zur Siegerehrung geht es, wenn die letzte Spielrunde abgeschlossen ist."
    ),
    "revealed_meanwhile": gettext_lazy(
        "Inzwischen ist weiter enthüllt oder neu begonnen worden. Bitte nachsehen, wo die Siegerehrung jetzt ist."
    ),
    "clock_minutes": gettext_lazy("Eine Spielrunde dauert %(least)s bis %(most)s Minuten."),
    "clock_wait": gettext_lazy("Das Startzeichen kommt in %(least)s bis %(most)s Minuten."),
    "screen_code_unknown": gettext_lazy(
        "Diesen Code zeigt gerade keine Leinwand. Bitte noch einmal ablesen: Nach zehn Minuten, oder nach fünf falschen "
        "Eingaben, zeigt sie einen neuen."
    ),
    "screen_codes_enough": gettext_lazy(
        "Zu viele Bildschirme warten schon auf eine Verbindung. In zehn Minuten geht es wieder; bis dahin verbindet sich "
        "jede Leinwand, die die Spielleitung angemeldet öffnet."
    ),
    "unknown_screen": gettext_lazy(
        "Diese Leinwand gibt es nicht. Bitte eine aus der Liste wählen; es gehen die Nummern 1 bis 9."
    ),
    # The prize plan
    "prize_range_reversed": gettext_lazy(
        "Von Rang %(first)s bis Rang %(last)s ist verkehrt herum. Bitte den besseren Rang zuerst."
    ),
    "prize_is_nothing": gettext_lazy(
        "Dieser Preis ist leer. Bitte einen Betrag, einen Anteil oder eine Sache angeben, oder die Zeile leer lassen."
    ),
    "prize_has_two_amounts": gettext_lazy(
        "Das Geld eines Preises ist ein Betrag oder ein Anteil, nicht beides. Bitte eines davon leer lassen."
    ),
    "prize_shares_above_all": gettext_lazy(
        "Die Anteile ergeben zusammen %(sum)s Prozent. Bitte höchstens 100 vergeben; ein Anteil gilt für jeden Rang der "
        "Zeile."
    ),
    "prize_ranks_overlap": gettext_lazy(
        "Rang %(rank)s kommt zweimal vor. Bitte jedem Rang höchstens einmal Geld und einmal eine Sache geben."
    ),
    "prize_fee_unknown": gettext_lazy(
        "Diese Art von Startgebühr gibt es nicht mehr. Bitte für diesen Preis etwas anderes wählen."
    ),
    "prize_plan_changed": gettext_lazy(
        "Inzwischen hat jemand anders den Preisplan geändert. Bitte die Seite neu laden und nachsehen, oder noch einmal "
        "speichern: Dann gilt dieser."
    ),
    "prize_plan_too_long": gettext_lazy(
        "Mehr als %(most)s Preise passen nicht in einen Plan. Bitte Ränge zusammenfassen, zum Beispiel 4 bis 10."
    ),
    "prize_changed": gettext_lazy(
        "Dieser Preis ist inzwischen ein anderer, oder jemand anders hat ihn schon vergeben. Es ist nichts gebucht; bitte "
        "nachsehen, was jetzt gilt."
    ),
    "prize_is_given": gettext_lazy("Von diesem Preis ist nichts mehr zu geben. Bitte die Seite neu laden."),
    "prize_thing_gone": gettext_lazy(
        "„%(thing)s“ hat schon jemand anders bekommen. Bitte die Seite neu laden."
    ),
    "prize_not_had": gettext_lazy("Von diesem Preis ist nichts zurückzunehmen. Bitte die Seite neu laden."),
    "unknown_decision": gettext_lazy("Diese Entscheidung gibt es nicht. Bitte die Seite neu laden."),
    "pen_needs_supervisor": gettext_lazy(
        "Hier schreibt schon ein anderes Handy. Bitte die Spielleitung holen, sie gibt die Tischliste frei."
    ),
    "sheet_has_changed": gettext_lazy(
        "Inzwischen ist etwas eingetragen worden. Bitte noch einmal anschauen und dann erst bestätigen."
    ),
    "has_objected": gettext_lazy(
        "Ihr Einspruch steht schon auf der Tischliste. Bitte am Tisch klären, dann kann er zurückgenommen werden."
    ),
    "not_practice": gettext_lazy(
        "Das ist kein Übungsturnier. Gelöscht wird es in den Einstellungen, dort wird sein Name verlangt."
    ),
    "name_differs": gettext_lazy("So heißt das Turnier nicht. Bitte den Namen genau so eintippen: %(name)s."),
}

_SENTENCES: Mapping[str, Promise] = {**_ON_SHEETS, **_ON_PAGES}
