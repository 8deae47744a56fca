"""The sentences for refusals about fees, payments and cash desks."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.text.money import euros, word_desk


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


MADE: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "desk_closed": _desk_closed,
    "count_differs": _count_differs,
    "amount_too_large": _amount_too_large,
    "fees_too_large": _fees_too_large,
}

SENTENCES: Mapping[str, Promise] = {
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
}
