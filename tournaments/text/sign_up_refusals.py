"""The sentences for refusals of those who register themselves, and of their own page."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


def _sign_up_over(params: Mapping[str, Any]) -> str:
    return _(
        "Die Anmeldung von zu Hause ist seit %(at)s zu Ende. Im Saal geht es noch, mit dem Code an der Leinwand oder an der Tür."
    ) % {"at": date_format(timezone.localtime(params["at"]), "SHORT_DATETIME_FORMAT")}


MADE: Mapping[str, Callable[[Mapping[str, Any]], str]] = {"sign_up_over": _sign_up_over}

SENTENCES: Mapping[str, Promise] = {
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
}
