"""Words for the lines of the security log."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.models import EventKind

KINDS: Mapping[str, Promise] = {
    EventKind.LOG_IN.value: gettext_lazy("angemeldet"),
    EventKind.LOG_IN_FAILED.value: gettext_lazy("Anmeldung misslungen"),
    EventKind.REFUSED.value: gettext_lazy("nicht eingelassen"),
    EventKind.INVITED.value: gettext_lazy("Einladung gemacht"),
    EventKind.WITHDRAWN.value: gettext_lazy("Einladung zurückgezogen"),
    EventKind.JOINED.value: gettext_lazy("Einladung angenommen"),
    EventKind.REMOVED.value: gettext_lazy("aus einem Turnier entfernt"),
    EventKind.CLOSED.value: gettext_lazy("Konto geschlossen"),
    EventKind.LINK_MADE.value: gettext_lazy("Link für ein neues Passwort gemacht"),
    EventKind.PASSWORD.value: gettext_lazy("Passwort geändert"),
    EventKind.SECOND_FACTOR.value: gettext_lazy("zweiter Faktor geändert"),
    EventKind.DOWNLOADED.value: gettext_lazy("heruntergeladen"),
    EventKind.PURGED.value: gettext_lazy("gelöscht"),
}
