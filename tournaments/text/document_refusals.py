"""The sentences for what is refused in a tournament document."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

SENTENCES: Mapping[str, Promise] = {
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
}
