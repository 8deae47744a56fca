"""The evening as a calendar file (RFC 5545), for the phones of the guests."""

from datetime import UTC, datetime

from django.http import Http404, HttpResponse
from django.utils import timezone

from tournaments.access import public_view, publicity_ended
from tournaments.links import sign_up_url
from tournaments.models import Tournament
from tournaments.queries.publicity import is_public
from tournaments.requests import Request
from tournaments.text.start import word_start


@public_view("GET")
def calendar(request: Request, slug: str) -> HttpResponse:
    """Return the calendar file of a tournament, 410 once its pages are no longer public."""
    try:
        if not is_public(slug, timezone.localdate()):
            return publicity_ended(request)
        tournament = Tournament.objects.get(slug=slug)
    except Tournament.DoesNotExist:
        raise Http404 from None
    answer = HttpResponse(calendar_of(tournament), content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slug}.ics"'
    answer["X-Robots-Tag"] = "noindex"
    answer["Cache-Control"] = "no-cache"
    return answer


def calendar_of(tournament: Tournament) -> bytes:
    """Return the file: one event that begins with the start or else the admission, or the whole day. It has no end.

    The UID stays the same when the evening is moved, so that calendars replace the event.
    """
    from icalendar import Calendar, Event  # noqa: PLC0415 (12 MB of memory, which most processes never need)

    file, event = Calendar(), Event()
    file.add("prodid", "-//Schnauz-Turnier//Schnauz-Turnier//DE")
    file.add("version", "2.0")
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
    file.add_component(event)
    content: bytes = file.to_ical()
    return content


def _to_the_second(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(microsecond=0)
