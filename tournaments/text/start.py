"""Admission and start of the evening in words."""

from datetime import date, datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.models import Tournament


def word_start(tournament: Tournament) -> str:
    """Return „Einlass 18:00 Uhr, Beginn 19:30 Uhr“ or the one that is set, with the day if it is another than the
    tournament's; "" if neither is.
    """
    admission = _word_moment(
        tournament.admits_at,
        tournament.played_on,
        _("Einlass %(time)s Uhr"),
        _("Einlass %(day)s, %(time)s Uhr"),
    )
    start = _word_moment(
        tournament.starts_at,
        tournament.played_on,
        _("Beginn %(time)s Uhr"),
        _("Beginn %(day)s, %(time)s Uhr"),
    )
    if admission and start:
        return _("%(admission)s, %(start)s") % {"admission": admission, "start": start}
    return admission or start


def _word_moment(at: datetime | None, played_on: date, on_the_day: str, on_another: str) -> str:
    if at is None:
        return ""
    local = timezone.localtime(at)
    day = f"{date_format(local, 'l')}, {date_format(local, 'DATE_FORMAT')}"
    words = {"day": day, "time": date_format(local, "H:i")}
    return (on_the_day if local.date() == played_on else on_another) % words
