"""The cookie with the codes of a browser's sign-ups. A code gives access to its sign-up."""

from collections.abc import Iterable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from tournaments.core.sign_up_codes import plain_code
from tournaments.queries.sign_ups import MOST_OWN
from tournaments.signed_values import set_cookie

_SECONDS = 90 * 24 * 60 * 60


def own_codes(request: HttpRequest) -> list[str]:
    """Return the codes of this browser's sign-ups, the oldest first, without invalid ones."""
    value = request.COOKIES.get(settings.SIGN_UP_COOKIE_NAME, "")[:200]
    return [code for typed in value.split(".") if (code := plain_code(typed))][-MOST_OWN:]


def remember_codes(response: HttpResponse, slug: str, codes: Iterable[str]) -> None:
    """Store the codes in the browser, the last ones if there are too many."""
    set_cookie(
        response,
        settings.SIGN_UP_COOKIE_NAME,
        ".".join(list(codes)[-MOST_OWN:]),
        seconds=_SECONDS,
        path=reverse("sign_up:form", args=[slug]),
    )
