"""Words of the operator's pages."""

from django.utils.translation import gettext_lazy as _

STATES = {
    "": _("alle"),
    "open": _("offen"),
    "archived": _("geschlossen"),
    "ending": _("wird gelöscht"),
    "behind": _("Datenbank nicht aktuell"),
    "failed": _("Sicherung misslungen"),
}
