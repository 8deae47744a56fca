"""Template filters for changes of a draw and their cost."""

from collections.abc import Mapping

from django import template
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.core.draw import Step, change_from_dict
from tournaments.models import SeatChange
from tournaments.queries.seating import TableRow
from tournaments.text.draws import word_step, word_wish
from tournaments.text.table_sizes import list_tables

register = template.Library()


@register.filter
def in_words(step: Step | SeatChange, names: Mapping[int, str]) -> str:
    """Return a step, or a recorded change, as a sentence. names: by start number."""
    return word_step(change_from_dict(step.data) if isinstance(step, SeatChange) else step, names)


register.filter("wish_in_words", word_wish)
register.filter("tables_in_words", list_tables)


@register.filter
def named_in_words(table: TableRow) -> str:
    """Return by whom and when the scribe of a table was named."""
    time = date_format(localtime(table.scribe_at), "H:i")
    if table.scribe_agreed:
        return _("am Tisch weitergegeben, alle einverstanden, %(time)s Uhr") % {"time": time}
    return _("von %(by)s, %(time)s Uhr") % {"by": table.scribe_by, "time": time}


@register.filter
def name_of(player: int, names: Mapping[int, str]) -> str:
    return names[player]
