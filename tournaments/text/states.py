"""The states of a participant, and the kinds of changes, payments and security events, in words."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models import EventKind

STATES_OF_PEOPLE: Mapping[str, Promise] = {
    "announced": _("angekündigt"),
    "present": _("anwesend"),
    "absent": _("fehlt"),
    "withdrawn": _("abgemeldet"),
    "excluded": _("ausgeschlossen"),
}

KINDS_OF_PAYMENTS: Mapping[str, Promise] = {
    "fee": _("Startgebühr"),
    "refund": _("Rückzahlung"),
    "payout": _("Preisgeld"),
}

KINDS_OF_CASH: Mapping[str, Promise] = {
    "float": _("Anfangsbestand"),
    "in": _("Einlage"),
    "out": _("Entnahme"),
    "transfer": _("Übergabe"),
    "count": _("Zählung"),
    "closed": _("abgeschlossen"),
    "opened": _("wieder geöffnet"),
}


CHANGES_OF_PEOPLE: Mapping[str, Promise] = {
    "renamed": _("umbenannt, vorher"),
    "naming": _("Name in der Öffentlichkeit geändert"),
    "withdrawn": _("abgemeldet"),
    "returned": _("spielt wieder mit"),
    "excluded": _("ausgeschlossen"),
    "readmitted": _("Ausschluss zurückgenommen"),
    "fee": _("Beitrag geändert, vorher"),
}


EXCLUSION_REASONS: Mapping[str, Promise] = {
    "cheating": _("Falschspiel"),
    "false_entry": _("wissentlich falsche Eintragung"),
    "protest": _("zu lautes Protestieren"),
    "misdealing": _("öfter vergeben"),
}
"""The reasons of rule sheet 5, offered where an organiser excludes a player or a table."""


def word_state(state: str) -> str:
    """The state of a participant. Raises KeyError for one without words."""
    return str(STATES_OF_PEOPLE[state])


def word_payment(kind: str) -> str:
    """The kind of a payment, or of a line of a desk. Raises KeyError for one without words."""
    return str({**KINDS_OF_PAYMENTS, **KINDS_OF_CASH}[kind])


def word_change(kind: str) -> str:
    """The kind of a change of a participant. Raises KeyError for one without words."""
    return str(CHANGES_OF_PEOPLE[kind])


KINDS_OF_EVENTS: Mapping[str, Promise] = {
    EventKind.LOG_IN.value: _("angemeldet"),
    EventKind.LOG_IN_FAILED.value: _("Anmeldung misslungen"),
    EventKind.REFUSED.value: _("nicht eingelassen"),
    EventKind.INVITED.value: _("Einladung gemacht"),
    EventKind.WITHDRAWN.value: _("Einladung zurückgezogen"),
    EventKind.JOINED.value: _("Einladung angenommen"),
    EventKind.REMOVED.value: _("aus einem Turnier entfernt"),
    EventKind.CLOSED.value: _("Konto geschlossen"),
    EventKind.LINK_MADE.value: _("Link für ein neues Passwort gemacht"),
    EventKind.PASSWORD.value: _("Passwort geändert"),
    EventKind.SECOND_FACTOR.value: _("zweiter Faktor geändert"),
    EventKind.DOWNLOADED.value: _("heruntergeladen"),
    EventKind.PURGED.value: _("gelöscht"),
}
