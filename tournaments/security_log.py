"""The security log: log-ins, refusals, changes of roles, downloads; with account and address.

Writing a line never makes a request fail: errors of the database are dropped, and a line refers to no other row, so it
locks none. The log is bounded. Each kind keeps its latest lines, so that a flood of one kind removes no line of another;
what strangers cause is also limited by address and in all.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.db import Error, connection, transaction
from django.db.models import Q, Window
from django.db.models.functions import RowNumber
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from tournaments.clocks import confirmed, within
from tournaments.models import EventKind, SecurityEvent
from tournaments.requests import client_address

DAYS = 90
KEPT = 2000
"""The number of lines kept of each kind."""
WINDOW = timedelta(minutes=10)
MOST_BY_ADDRESS, MOST_IN_ALL = 20, 200
"""The number of lines that strangers can cause in a window, of each kind."""
_TRIM_EVERY = 50

_BY_STRANGERS = frozenset({EventKind.LOG_IN_FAILED, EventKind.REFUSED})


def record(
    kind: EventKind, request: HttpRequest | None, *, about: str = "", account: str | None = None
) -> None:
    """Write a line. request: None for a management command. account: the account's name, if not the request's."""
    if account is None:
        user = getattr(request, "user", None)
        account = user.get_username() if user is not None else ""
    event = SecurityEvent(
        kind=kind.value,
        at=timezone.now(),
        account=account[:150],
        address=client_address(request) if request is not None else "",
        about=about.replace("\0", "")[:200],
    )
    with suppress(Error), transaction.atomic():
        if kind in _BY_STRANGERS and _is_flood(event):
            return
        event.save()
        if kind == EventKind.LOG_IN or event.pk % _TRIM_EVERY == 0:
            _trim(confirmed(event.at, _latest))


def download(request: HttpRequest, filename: str, content: bytes | str, content_type: str) -> HttpResponse:
    """Return a file to be saved, and write a line for it."""
    record(EventKind.DOWNLOADED, request, about=filename)
    disposition = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return HttpResponse(content, content_type=content_type, headers=disposition)


def record_log_in(*, request: HttpRequest, user: User, **_more: Any) -> None:
    record(EventKind.LOG_IN, request, account=user.get_username())


def record_failed_log_in(
    *, credentials: dict[str, Any], request: HttpRequest | None = None, **_more: Any
) -> None:
    """Write a line for a wrong password. A name that is no account's is not stored: it may be a password."""
    name = str(credentials.get("username", ""))
    registered = User.objects.filter(username__iexact=name).values_list("username", flat=True).first()
    record(EventKind.LOG_IN_FAILED, request, account=registered or "")


def still_kept(at: datetime) -> Q:
    """Return the condition for lines of the last DAYS days, which are shown and kept."""
    return Q(at__gte=at - timedelta(days=DAYS))


def _is_flood(event: SecurityEvent) -> bool:
    recent = SecurityEvent.objects.filter(within("at", WINDOW, event.at), kind=event.kind)
    by_address = list(recent.values_list("address", flat=True)[:MOST_IN_ALL])
    return len(by_address) >= MOST_IN_ALL or by_address.count(event.address) >= MOST_BY_ADDRESS


def _latest(before: datetime) -> list[datetime]:
    """Return the time of the latest line until `before`; none without one."""
    return list(SecurityEvent.objects.filter(at__lte=before).order_by("-at").values_list("at", flat=True)[:1])


def _trim(at: datetime) -> None:
    """Delete the lines that are too old, and those of each kind beyond KEPT."""
    newest_first = Window(RowNumber(), partition_by="kind", order_by="-id")
    beyond = SecurityEvent.objects.annotate(place=newest_first).filter(place__gt=KEPT)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL schnauz.trim = 'on'")
        SecurityEvent.objects.exclude(still_kept(at)).delete()
        SecurityEvent.objects.filter(pk__in=beyond.values("pk")).delete()
        cursor.execute("SET LOCAL schnauz.trim = 'off'")


user_logged_in.connect(record_log_in)
user_login_failed.connect(record_failed_log_in)
