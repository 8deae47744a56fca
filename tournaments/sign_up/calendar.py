"""One evening or all as a calendar file (RFC 5545), for the phones of the guests."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.utils import timezone

from tournaments.access import public_view, publicity_ended
from tournaments.links import sign_up_url
from tournaments.models import Tournament
from tournaments.queries.club import club
from tournaments.queries.publicity import is_public
from tournaments.queries.tournaments import announced
from tournaments.requests import Request
from tournaments.text.start import word_start

if TYPE_CHECKING:
    from icalendar import Event


@public_view("GET")
def calendar(request: Request, slug: str) -> HttpResponse:
    """Return the calendar file of a tournament, 410 once its pages are no longer public."""
    try:
        if not is_public(slug, timezone.localdate()):
            return publicity_ended(request)
        tournament = Tournament.objects.get(slug=slug)
    except Tournament.DoesNotExist:
        raise Http404 from None
    return _answer([tournament], slug)


@public_view("GET")
def all_evenings(request: Request) -> HttpResponse:
    """Return the calendar file of all announced evenings, to subscribe to."""
    named = club()
    return _answer(announced(timezone.localdate()), "calendar", title=named.name if named else "")


def _answer(tournaments: Iterable[Tournament], name: str, title: str = "") -> HttpResponse:
    answer = HttpResponse(calendar_of(tournaments, title), content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.ics"'
    answer["X-Robots-Tag"] = "noindex"
    answer["Cache-Control"] = "no-cache"
    return answer


def calendar_of(tournaments: Iterable[Tournament], title: str = "") -> bytes:
    """Return the file of these evenings. title: what a calendar program calls it."""
    from icalendar import Calendar  # noqa: PLC0415 (12 MB of memory, which most processes never need)

    file = Calendar()
    file.add("prodid", "-//Schnauz-Turnier//Schnauz-Turnier//DE")
    file.add("version", "2.0")
    if title:
        file.add("x-wr-calname", title)
    for tournament in tournaments:
        file.add_component(_event_of(tournament))
    content: bytes = file.to_ical()
    return content


def _event_of(tournament: Tournament) -> "Event":
    """Return the event, which begins with the start or else the admission, or is the whole day. It has no end.

    The UID stays the same when the evening is moved, so that calendars replace the event.
    """
    from icalendar import Event  # noqa: PLC0415 (as above)

    event = Event()
    made_at = tournament.created_at
    event.add("uid", f"{tournament.slug}-{int(made_at.timestamp())}@schnauz-turnier")
    event.add("dtstamp", _to_the_second(made_at))
    moment = tournament.starts_at or tournament.admits_at
    event.add("dtstart", _to_the_second(moment) if moment else tournament.played_on)
    event.add("summary", tournament.name)
    if tournament.place:
        event.add("location", tournament.place)
    if said := word_start(tournament):
        event.add("description", said)
    event.add("url", sign_up_url(tournament.slug))
    return event


def _to_the_second(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(microsecond=0)
