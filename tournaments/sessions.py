"""Expiry of sessions: after SESSION_COOKIE_AGE without an action of a person."""

import time

from django.conf import settings
from django.http import HttpRequest

from tournaments.clocks import CLOCKS_DIFFER

_ACTIVE_AT = "active_at"


def begin_session(request: HttpRequest, **_signal: object) -> None:
    request.session[_ACTIVE_AT] = int(time.time())


def prolong_session(request: HttpRequest) -> None:
    """Prolong the session, unless the page fetches a fragment by itself. Writes it at most every few minutes.

    After the clock was set back, every request restarts the period: the session would last too long.
    """
    silence = time.time() - request.session.get(_ACTIVE_AT, 0)
    is_of_the_future = silence < -CLOCKS_DIFFER.total_seconds()
    if not is_of_the_future and request.method == "GET" and getattr(request, "htmx", False):
        return
    if is_of_the_future or silence >= settings.SESSION_PROLONGED_EVERY:
        begin_session(request)
