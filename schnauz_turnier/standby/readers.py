"""Choice of the requests that read from the standby: those of strangers for public pages.

Who is known by a cookie reads from the primary: accounts, whoever is shown the answer to a form, and the browsers that show
a screen, since a pairing that is made or ended counts at once. So does every other page, and whatever writes.
"""

from functools import lru_cache

from django.conf import settings
from django.http import parse_cookie

from schnauz_turnier.web.asgi_types import App, Receive, Scope, Send
from scoring.public.responses import OWN_COOKIES
from tournaments.standby import reading, turn_to_read

_KNOWN = OWN_COOKIES | {settings.SCREEN_COOKIE_NAME}
_LONGEST = 1000  # bytes; who has more cookies reads from the primary, too


class StandbyReaders:
    """ASGI application in front of `app`, in the club of the request."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        turn = turn_to_read() if _is_of_a_stranger(scope) else None
        with reading(turn):
            await self._app(scope, receive, send)


def _is_of_a_stranger(scope: Scope) -> bool:
    if (
        scope["type"] != "http"
        or scope["method"] not in ("GET", "HEAD")
        or not scope["path"].startswith("/t/")
    ):
        return False
    return not any(
        len(value) > _LONGEST or _is_known(value) for name, value in scope["headers"] if name == b"cookie"
    )


@lru_cache(maxsize=1024)
def _is_known(cookies: bytes) -> bool:
    return not _KNOWN.isdisjoint(parse_cookie(cookies.decode("latin1")))
