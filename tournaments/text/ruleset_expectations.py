"""Expected values of the fields of a ruleset, for errors in a document."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

# By the path of the field in the document.
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
