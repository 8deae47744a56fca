"""Admission and start of the evening in words."""

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
    @property
    def admits_at(self) -> datetime | None: ...


def word_start(tournament: Starting) -> str:
    """Return „Einlass 18:00 Uhr, Beginn 19:30 Uhr“ or the one that is set, with the day if it is another than the
    tournament's; "" if neither is.
    """
    admission, start = _admission(tournament), _start(tournament)
    if admission and start:
        return _("%(admission)s, %(start)s") % {"admission": admission, "start": start}
    return admission or start


def _admission(tournament: Starting) -> str:
    if tournament.admits_at is None:
        return ""
    day, time = _day_and_time(tournament.admits_at, tournament.played_on)
    if not day:
        return _("Einlass %(time)s Uhr") % {"time": time}
    return _("Einlass %(day)s, %(time)s Uhr") % {"day": day, "time": time}


def _start(tournament: Starting) -> str:
    if tournament.starts_at is None:
        return ""
    day, time = _day_and_time(tournament.starts_at, tournament.played_on)
    if not day:
        return _("Beginn %(time)s Uhr") % {"time": time}
    return _("Beginn %(day)s, %(time)s Uhr") % {"day": day, "time": time}


def _day_and_time(at: datetime, played_on: date) -> tuple[str, str]:
    """Return the day in words, "" for that of the tournament, and the time."""
    local = timezone.localtime(at)
    return "" if local.date() == played_on else date_format(local, "l, j. F Y"), date_format(local, "H:i")
