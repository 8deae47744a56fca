"""The cookie of a browser that shows a screen: the tournament, and the random name of the browser, signed."""

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse

from tournaments.signed_values import read, set_cookie, sign

_SALT = "scoring.screen_cookie"
COOKIE = settings.SCREEN_COOKIE_NAME
COOKIE_SECONDS = 7 * 24 * 60 * 60


def device_in(cookies: dict[str, str], slug: str) -> str:
    """Return the name of the browser; "" without a valid cookie of this tournament."""
    content = read(cookies.get(COOKIE, ""), salt=_SALT, seconds=COOKIE_SECONDS)
    if content is None:
        return ""
    found, device = content
    return str(device) if found == slug else ""


def set_device(response: HttpResponse, slug: str, device: str) -> None:
    """Give the browser its name; its path is the tournament, so that each tournament has a cookie of its own."""
    set_cookie(
        response,
        COOKIE,
        sign([slug, device], salt=_SALT),
        seconds=COOKIE_SECONDS,
        path=reverse("public:players", args=[slug]),
    )
