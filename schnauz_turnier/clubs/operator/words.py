"""Words of the operator's pages."""

from django.utils.translation import gettext_lazy as _

KINDS_OF_INCIDENTS = {
    "": _("alles"),
    "request": _("Seite oder Eintrag"),
    "backup": _("Sicherung"),
    "migration": _("Datenbank"),
    "other": _("im Hintergrund"),
}
STATES = {
    "": _("alle"),
    "open": _("offen"),
    "archived": _("geschlossen"),
    "ending": _("wird gelöscht"),
    "behind": _("Datenbank nicht aktuell"),
    "failed": _("Sicherung misslungen"),
    "to_agree": _("Zustimmung fehlt"),
}
