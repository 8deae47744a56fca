"""The state of a table as public text."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_STATES: Mapping[str, Promise] = {
    "untouched": _("noch nichts notiert"),
    "playing": _("spielt"),
    "submitted": _("Liste abgegeben"),
    "accepted": _("fertig"),
}


def table_state(state: str) -> str:
    """Return the words for a `PublicTableState`. Raises KeyError for an unknown one."""
    return str(_STATES[state])
