"""The end of a session: after SESSION_COOKIE_AGE without anything that a person did."""

import time

from django.conf import settings
from django.http import HttpRequest

_ACTIVE_AT = "active_at"


def begin_session(request: HttpRequest, **_signal: object) -> None:
    request.session[_ACTIVE_AT] = int(time.time())


def prolong_session(request: HttpRequest) -> None:
    """Prolong the session, unless the page fetches a fragment by itself. Writes it at most every few minutes."""
    if request.method == "GET" and getattr(request, "htmx", False):
        return
    if time.time() - request.session.get(_ACTIVE_AT, 0) >= settings.SESSION_PROLONGED_EVERY:
        begin_session(request)
