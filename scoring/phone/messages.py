"""Texts of the scribe's page, which is rendered on the phone: key -> sentence, or (singular, plural).

`static/js/sheet/words.js` fills in the %(name)s and chooses the form for `count`. The texts are sent with the page, so that
it needs no network for them; those of `static/js/sheet/extras.js` come with it, and the service worker keeps them.
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = dict[str, str | list[str]]
PhoneWords = dict[str, Promise | tuple[Promise, Promise]]


def said(sentences: PhoneWords) -> Words:
    """Return the texts in the reader's language."""
    return {
        key: [str(form) for form in sentence] if isinstance(sentence, tuple) else str(sentence)
        for key, sentence in sentences.items()
    }


WORDS: PhoneWords = {
    # Head and state of the link
    "title": _("Tisch %(table)s, %(round)s. Spielrunde"),
    "sheet": _("Tischliste"),
    "table": _("Tisch %(number)s"),
    "round": _("%(number)s. Spielrunde"),
    "opening": _("Wird geöffnet …"),
    "all_sent": _("Alles übertragen"),
    "storing": _("Wird notiert …"),
    "waiting": (_("1 Eintrag wartet"), _("%(count)s Einträge warten")),
    "waiting_not_lasting": (
        _("1 Eintrag wartet, nur solange diese Seite offen ist"),
        _("%(count)s Einträge warten, nur solange diese Seite offen ist"),
    ),
    "set_aside": _("%(count)s zurückgestellt: Spielleitung holen"),
    "no_network": _("Keine Verbindung. Alles übertragen"),
    "no_network_yet": _(
        "Noch keine Verbindung zum Turnier. Ist das Handy im richtigen WLAN? Es wird weiter versucht."
    ),
    "foreign": _("Es antwortet nicht das Turnier. Alles übertragen"),
    "foreign_answer": _(
        "In diesem Netz antwortet nicht das Turnier, sondern jemand anders. Verlangt das WLAN eine Anmeldung? Es wird weiter versucht."
    ),
    "busy": _("Das Turnier ist gerade überlastet. Alles übertragen"),
    "busy_answer": _("Das Turnier kann gerade nicht antworten. Es wird weiter versucht."),
    "not_taken": _("Abgewiesen. Alles übertragen"),
    "refused_answer": _(
        "Das Turnier nimmt von diesem Handy nichts an (Antwort %(status)s). Verlangt das WLAN eine Anmeldung? Sonst bitte den Code auf dem Tisch noch einmal scannen."
    ),
    "not_let_in": _("Nicht angemeldet"),
    "scan": _("Der Code steht auf dem Blatt, das auf dem Tisch liegt. Einfach mit der Kamera anschauen."),
    "elsewhere": _(
        "In diesem Browser ist inzwischen ein anderer Tisch geöffnet. Hier wird nichts mehr eingetragen."
    ),
    "reload": _("Neu laden"),
    "players": _("Zur Spielerseite"),
    "page_too_old": _("Diese Seite versteht die Tischliste nicht ganz. Bitte neu laden."),
    # A player's row
    "number": _("Nr. %(number)s"),
    "lives": (_("%(count)s von %(of)s Leben"), _("%(count)s von %(of)s Leben")),
    "strokes": (_("1 Strich"), _("%(count)s Striche")),
    "swims": _("schwimmt"),
    "drowned": _("untergegangen"),
    "rank_points": (_("– Rang %(rank)s, 1 Punkt"), _("– Rang %(rank)s, %(count)s Punkte")),
    "rank_only": _("– Rang %(rank)s"),
    "schnauz": _("Schnauz"),
    "feuer": _("Feuer"),
    "mark_for": _("%(mark)s: %(name)s"),
    # The bar: deals
    "who_lost": _("%(number)s. Spiel: Wer hat verloren?"),
    "who_lost_schnauz": _("Schnauz: %(name)s. Wer hat verloren?"),
    "who_lost_feuer": _("Feuer: %(name)s. Wer hat verloren?"),
    "who_lost_handschnauz": _("Handschnauz: %(name)s. Wer hat verloren?"),
    "ended_schnauz": _("Schnauz: %(name)s."),
    "ended_handschnauz": _("Handschnauz: %(name)s."),
    "ended_feuer": _("Feuer: %(name)s."),
    "gives_life": (_("%(names)s gibt ein Leben."), _("%(names)s geben je ein Leben.")),
    "goes_under": (_("%(names)s geht unter."), _("%(names)s gehen unter.")),
    "record_knock": _("Geklopft – eintragen"),
    "record_schnauz": _("Schnauz – eintragen"),
    "record_feuer": _("Feuer – eintragen"),
    "record_handschnauz": _("Handschnauz – eintragen"),
    "handschnauz": _("Handschnauz"),
    "all_handschnauz": _("Handschnauz: alle anderen verlieren"),
    "spared_handschnauz": _("Handschnauz: ohne die mit drei Gleichen"),
    "record_nobody": _("Niemand verliert – eintragen"),
    "nobody_button": _("Niemand"),
    "nobody_loses": _("Niemand verliert"),
    "knocked_nobody": _("%(number)s. Spiel: geklopft, und niemand verliert?"),
    "ended_nobody": _("Und niemand verliert?"),
    "all_others_pay": _("Alle anderen geben ein Leben."),
    "spared_hint": _("Wer drei Gleiche hat, verliert nicht."),
    "take_back_deal": _("Spiel %(number)s zurücknehmen"),
    "take_back_stroke": _("Strich zurücknehmen"),
    "take_back_ranked": _("Ränge zurücknehmen"),
    "take_back_totalled": _("Summen zurücknehmen"),
    "take_back_objected": _("Einspruch zurücknehmen"),
    "not_newest": _("Seither ist etwas Neues eingetragen worden. Bitte nachsehen, was jetzt das Letzte ist."),
    "taken_back": _("Zurückgenommen: %(what)s"),
    "cancel": _("Abbrechen"),
    "last": _("Zuletzt: %(what)s"),
    # The bar: strokes and ranks
    "strokes_hint": _("Schnauz oder Feuer? Beim Namen antippen."),
    "enter_ranks": _("Ränge eintragen"),
    "who_won": _("Wer hat gewonnen? Namen antippen."),
    "who_next": _("Wer kommt auf Rang %(rank)s?"),
    "rank_hint": _("Der Reihe nach, der Sieger zuerst."),
    "ranks_full": _("Stimmt die Reihenfolge?"),
    "tie_hint": _("Zwei gleichzeitig untergegangen? Beim unteren „gleich“ antippen."),
    "tie": _("gleich"),
    "tie_with_name": _("gleich: zusammen mit %(name)s untergegangen"),
    "record_ranks": _("Ränge eintragen"),
    # Points of every hand
    "deal_of": _("%(number)s. von %(deals)s Spielen, %(name)s gibt"),
    "all_deals": _("Alle %(deals)s Spiele sind eingetragen."),
    "table_schnauz": _("Tischschnauz"),
    "table_feuer": _("Tischfeuer"),
    "three_of_a_kind": _("Drei Gleiche"),
    "value_pad": _("Punkte der Hand"),
    "value_strip": _("Dieses Spiel"),
    "value_of": _("%(name)s: wie viele Punkte?"),
    "values_full": _("Stimmt alles? Zum Ändern den Namen antippen."),
    "record_deal": _("%(number)s. Spiel eintragen"),
    # Plus and minus
    "deal_count": _("%(number)s. von %(deals)s Spielen"),
    "who_plays": _("%(number)s. Spiel: Wer spielt?"),
    "whom_or_what": _("%(name)s ruft wen? Namen antippen. Oder spielt allein:"),
    "plays": _("spielt"),
    "is_called": _("ist gerufen"),
    "plays_game": _("%(name)s spielt %(game)s."),
    "calls": _("%(name)s ruft %(partner)s."),
    "game_ruf": _("Rufspiel"),
    "game_solo": _("Solo"),
    "game_wenz": _("Wenz"),
    "game_farbwenz": _("Farbwenz"),
    "won": _("Gewonnen"),
    "lost": _("Verloren"),
    "level_normal": _("einfach"),
    "level_schneider": _("Schneider"),
    "level_durch": _("Durch"),
    "level_tout": _("Tout"),
    "waits_for_mark": (
        _("Spiel %(numbers)s: Der Tout zählt erst, wenn ihn die Aufsicht abgezeichnet hat."),
        _("Spiele %(numbers)s: Ein Tout zählt erst, wenn ihn die Aufsicht abgezeichnet hat."),
    ),
    "mark_missing": (
        _("Es fehlt noch das Zeichen der Aufsicht für Spiel %(numbers)s."),
        _("Es fehlt noch das Zeichen der Aufsicht für die Spiele %(numbers)s."),
    ),
    "waits": _("wartet auf die Aufsicht"),
    "plus_and_minus": _("+%(plus)s −%(minus)s"),
    "deal_list": _("Wertungsliste"),
    "all_check": _("Bitte prüfen alle am Tisch mit. Stimmt etwas nicht, gleich sagen."),
    "every_deal": _("Alle %(count)s Spiele zeigen"),
    "latest_deals": _("Nur die letzten Spiele zeigen"),
    "plus": _("Plus"),
    "minus": _("Minus"),
    "sum_short": _("Ges."),
    "deduction_short": _("Abz."),
    "result_short": _("Erg."),
    "solos": _("%(won)s von %(played)s Solo gewonnen"),
    "touts": _("%(won)s von %(played)s Tout gewonnen"),
    # The bar: afterwards, and for readers
    "hand_in": _("Blatt abgeben"),
    "hand_in_hint": _("Alles richtig? Jeder tippt seinen Namen an, dann abgeben."),
    "hand_in_paper": _("Alles richtig? Auf Papier unterschreiben lassen, dann abgeben."),
    "is_submitted": _("Abgegeben. Danke!"),
    "is_submitted_hint": _("Stimmt doch etwas nicht? Der Veranstalter kann das Blatt wieder öffnen."),
    "is_submitted_here": _("Zum Abgeben bereit, aber noch nicht übertragen."),
    "is_submitted_here_hint": _("Bitte warten, bis oben „Alles übertragen“ steht."),
    "is_accepted": _("Angenommen: Das Ergebnis zählt."),
    "mark": _("Prüfzeichen"),
    "round_closed": _("Die Spielrunde ist abgeschlossen. Hier lässt sich nur noch nachlesen."),
    "other_phone_writes": _("Ein anderes Handy schreibt diese Tischliste. Schreiben Sie?"),
    "pen_is_held": _(
        "Hier schreibt schon ein anderes Handy. Bitte die Spielleitung holen, sie gibt die Tischliste frei."
    ),
    "only_watch": _("Nein"),
    "nobody_writes": _("Noch schreibt niemand diese Tischliste."),
    "watching": _("Hier kann man zuschauen."),
    "watching_and_pen": _(
        "Was das andere Handy noch nicht übertragen hat, wird beim Weiterschreiben zurückgestellt."
    ),
    "pen_needs_network": _(
        "Zum Weiterschreiben braucht es eine Verbindung. Bitte gleich noch einmal antippen."
    ),
    "take_pen": _("Hier weiterschreiben"),
    # Entries in words
    "deal_number": _("%(number)s. Spiel"),
    "deal": _("Spiel"),
    "all_others": _("alle anderen"),
    "nobody": _("niemand"),
    "deal_knock": (
        _("%(deal)s: geklopft, %(losers)s verliert"),
        _("%(deal)s: geklopft, %(losers)s verlieren"),
    ),
    "deal_schnauz": (
        _("%(deal)s: Schnauz von %(name)s, %(losers)s verliert"),
        _("%(deal)s: Schnauz von %(name)s, %(losers)s verlieren"),
    ),
    "deal_feuer": (
        _("%(deal)s: Feuer von %(name)s, %(losers)s verliert"),
        _("%(deal)s: Feuer von %(name)s, %(losers)s verlieren"),
    ),
    "deal_handschnauz": (
        _("%(deal)s: Handschnauz von %(name)s, %(losers)s verliert"),
        _("%(deal)s: Handschnauz von %(name)s, %(losers)s verlieren"),
    ),
    "deal_values": _("%(deal)s: %(values)s"),
    "deal_table_schnauz": _("%(deal)s, Tischschnauz: %(values)s"),
    "deal_table_feuer": _("%(deal)s, Tischfeuer: %(values)s"),
    "deal_ruf": _("%(deal)s: %(name)s ruft %(partner)s, %(outcome)s"),
    "deal_solo": _("%(deal)s: %(game)s von %(name)s, %(outcome)s"),
    "won_normal": _("gewonnen"),
    "won_schneider": _("gewonnen mit Schneider"),
    "won_durch": _("gewonnen mit Durch"),
    "won_tout": _("Tout gewonnen"),
    "lost_normal": _("verloren"),
    "lost_schneider": _("verloren mit Schneider"),
    "lost_durch": _("verloren mit Durch"),
    "lost_tout": _("Tout verloren"),
    "approved": _("Tout von der Aufsicht abgezeichnet"),
    "totalled": _("Vom Papier: %(values)s"),
    "stroke_schnauz": _("Strich für %(name)s: Schnauz"),
    "stroke_feuer": _("Strich für %(name)s: Feuer"),
    "ranked": _("Ränge: %(ranks)s"),
    "confirmed": _("%(name)s: stimmt"),
    "objected": _("Einspruch von %(name)s: %(note)s"),
    "submitted": _("Blatt abgegeben"),
    "accepted": _("Blatt angenommen"),
    "accepted_because": _("Blatt angenommen: %(reason)s"),
    "reopened": _("Vom Veranstalter wieder geöffnet: %(reason)s"),
    "corrected": _("Vom Veranstalter berichtigt: %(reason)s"),
    "voided": _("Zurückgenommen"),
    "voided_because": _("Vom Veranstalter zurückgenommen: %(reason)s"),
    "is_void": _("zurückgenommen"),
    "is_corrected": _("berichtigt"),
    "is_waiting": _("noch nicht übertragen"),
    "history": _("Zuletzt eingetragen"),
    "show_all": _("Alle %(count)s zeigen"),
    "show_less": _("Weniger zeigen"),
    "whole_history": _("Ganze Geschichte der Tischliste"),
    "rules": _("Die Regeln"),
    "hand": _("Was zählt meine Hand?"),
    # Entries that are not on the sheet
    "tray": _("Nicht auf der Tischliste"),
    "state_refused": _("Abgelehnt:"),
    "state_held": _("Nicht angenommen:"),
    "state_stuck": _("Nicht übertragen:"),
    "stuck": _("Diese Einträge bleiben auf diesem Handy, bis das Turnier sie annimmt."),
    "stuck_until_scanned": _(
        "Diese Einträge bleiben auf diesem Handy. Sie werden gesendet, sobald der neue Code dieses Tisches gescannt ist."
    ),
    "too_large": _("Dieser Eintrag ist zu groß. Bitte kürzer fassen."),
    "parked": _("Zurückgestellte Einträge"),
    "state_discarded": _("Verworfen:"),
    "state_adopted": _("Übernommen:"),
    "state_parked": _("Zurückgestellt:"),
    "decided": _("Spielleitung: „%(reason)s“"),
    "parked_why": _(
        "Inzwischen hat ein anderer geschrieben, oder die Spielrunde ist vorbei. Der Veranstalter entscheidet."
    ),
    "other_sheet": _("Noch von Tisch %(table)s, %(round)s. Spielrunde"),
    "other_sheet_why": _(
        "Diese Einträge hat das Turnier nie bekommen. Zum Senden den Code jenes Tisches scannen, sonst bitte der Aufsicht zeigen."
    ),
    "put_away": _("Gezeigt, weglegen"),
    "try_again": _("Noch einmal senden"),
    "have_read": _("Gelesen"),
    # Modes of writing
    "modes": _("Was wird mitgeschrieben?"),
    "mode_deals": _("Jedes Spiel"),
    "mode_deals_hint": _("Leben und Ränge kommen von selbst."),
    "mode_strokes": _("Nur Striche und Ränge"),
    "mode_strokes_hint": _("Leben zählt der Tisch mit Münzen."),
    # What is behind these buttons is loaded with the first tap
    "moving": _("Code für andere Handys"),
    "moving_needs_network": _("Dafür braucht es eine Verbindung. Der Code auf dem Tisch geht ebenso."),
    "missing": _("Wer fehlt?"),
    "missing_needs_network": _("Geht nur mit Netz."),
    "call": _("Aufsicht rufen"),
    "supervisor": _("Aufsicht"),
    "call_needs_network": _("Geht nur mit Netz: bitte winken."),
    # The sign to start
    "not_started": _("Noch nicht anfangen: Das Zeichen kommt für alle Tische zugleich."),
    "started": _("Es geht los! Das Zeichen kam um %(time)s Uhr."),
    # The scribe's office
    "office": _("Es schreibt %(name)s."),
    "office_agreed": _("Es schreibt %(name)s; alle am Tisch sind einverstanden."),
    "office_give": _("Jemand anders soll schreiben"),
    "office_who": _("Wer schreibt ab jetzt?"),
    "office_who_missing": _("Bitte auswählen, wer ab jetzt schreibt."),
    "office_consent": _("Alle am Tisch sind einverstanden: %(names)s"),
    "office_record": _("Das Schreiben weitergeben"),
    "office_needs_network": _(
        "Dafür braucht es eine Verbindung. Die Auswahl bleibt stehen; bitte gleich noch einmal antippen."
    ),
    # The result
    "result": _("Ergebnis"),
    "rank": _("Rang"),
    "tied": _(" (geteilt)"),
    "points": (_("1 Punkt"), _("%(count)s Punkte")),
    "gets": _("bekommt %(money)s"),
    "right": _("stimmt"),
    "right_question": _("stimmt?"),
    "shared_drowned": (
        _(
            "Rang %(rank)s teilen sich %(names)s: im selben Spiel untergegangen. Alle bekommen %(points)s, Rang %(skipped)s entfällt."
        ),
        _(
            "Rang %(rank)s teilen sich %(names)s: im selben Spiel untergegangen. Alle bekommen %(points)s, die Ränge %(skipped)s entfallen."
        ),
    ),
    "shared_ranked": (
        _("Rang %(rank)s teilen sich %(names)s. Alle bekommen %(points)s, Rang %(skipped)s entfällt."),
        _("Rang %(rank)s teilen sich %(names)s. Alle bekommen %(points)s, die Ränge %(skipped)s entfallen."),
    ),
    "pot": _(
        "Im Pott liegen %(pot)s. Rang %(ranks)s bekommt den Einsatz von %(stake)s zurück, der Sieger den Rest."
    ),
    "pot_to_winner": _("Im Pott liegen %(pot)s. Der Sieger bekommt alles."),
    "object": _("Einspruch erheben"),
    "objection_hint": _("Bitte klären. Solange der Einspruch steht, lässt sich das Blatt nicht abgeben."),
    "who_objects": _("Wer erhebt Einspruch?"),
    "objector_missing": _("Bitte auswählen, wer Einspruch erhebt."),
    "what_is_wrong": _("Was stimmt nicht?"),
}
"""The texts of the page."""

LATER_WORDS: PhoneWords = {
    # Moving to another phone
    "moving_done": _("Code wieder verbergen"),
    "moving_how": _(
        "Wer diesen Code scannt, schaut am eigenen Handy zu und bestätigt dort seinen Namen. Zum Weiterschreiben dort auf "
        "„Hier weiterschreiben“ tippen. Er gilt nur für diesen Tisch."
    ),
    "moving_code": _("QR-Code für Tisch %(table)s"),
    # Who is missing at the table
    "missing_who": _("%(name)s fehlt"),
    "missing_found": _("%(name)s wird gesucht. Wieder da?"),
    "missing_told": _("%(name)s wird jetzt im Saal gesucht."),
    # Confirming on one's own phone
    "own": _("Am eigenen Handy bestätigen"),
    "own_who": _("Wer sind Sie?"),
    "own_not_me": _("Das bin ich nicht"),
    "own_later": _("%(name)s: Sobald das Ergebnis feststeht, können Sie hier bestätigen."),
    "own_ask": _("%(name)s: Stimmt alles, was hier steht?"),
    "own_yes": _("Ja, stimmt"),
    "own_done": _("%(name)s: bestätigt. Danke!"),
    "own_objected": _("%(name)s: Ihr Einspruch steht auf der Tischliste."),
    "own_needs_network": _("Nicht angekommen: Dafür braucht es eine Verbindung. Bitte gleich noch einmal."),
    # After the end
    "sheet_is_accepted": _("Angenommen"),
    "round_is_over": _("Die Runde ist vorbei"),
    "next_seat": _("%(round)s. Spielrunde: Tisch %(table)s, Platz-Nr. %(seat)s"),
    "next_seat_of": _("%(round)s. Spielrunde für %(name)s: Tisch %(table)s, Platz-Nr. %(seat)s"),
    "next_seat_later": _("Hier steht Ihr nächster Platz, sobald er feststeht."),
    "next_seat_there": _("Ihr nächster Platz steht auf der Spielerseite, sobald er feststeht."),
    # Calling the supervisor
    "called": _("Die Aufsicht ist gerufen, um %(time)s Uhr."),
    "call_back": _("Hat sich erledigt"),
}
"""The texts of the modules that few pages need."""
