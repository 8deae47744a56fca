"""The start of the evening in words."""

from datetime import date, datetime
from typing import Protocol

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _


class Starting(Protocol):
    """A tournament, or a row of a list of tournaments."""

    @property
    def played_on(self) -> date: ...
    @property
    def starts_at(self) -> datetime | None: ...


def word_start(tournament: Starting) -> str:
    """Return „Beginn 19:30 Uhr“, with the day if it is another than the tournament's, or "" if no start is set."""
    if tournament.starts_at is None:
        return ""
    start = timezone.localtime(tournament.starts_at)
    time = date_format(start, "H:i")
    if start.date() == tournament.played_on:
        return _("Beginn %(time)s Uhr") % {"time": time}
    return _("Beginn %(day)s, %(time)s Uhr") % {"day": date_format(start, "l, j. F Y"), "time": time}
