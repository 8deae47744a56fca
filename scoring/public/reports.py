"""The cookie of a browser that has reported problems: the tournament and the numbers of the reports, signed.

Only the browser knows that they are its own: the reports themselves do not say who sent them once they are closed.
"""

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse

from tournaments.signed_values import read, set_cookie, sign

MOST_REPORTS = 20
_SALT = "scoring.reports"
_SECONDS = 7 * 24 * 60 * 60


def reports_in(cookies: dict[str, str], slug: str) -> list[int]:
    """Return the numbers of the browser's reports; none without a valid cookie of this tournament."""
    found = read(cookies.get(settings.REPORTS_COOKIE_NAME, ""), salt=_SALT, seconds=_SECONDS)
    if found is None:
        return []
    of, numbers = found
    return list(numbers) if of == slug else []


def remember_report(response: HttpResponse, cookies: dict[str, str], slug: str, number: int) -> None:
    """Add a report to the cookie; the oldest make room."""
    numbers = [one for one in reports_in(cookies, slug) if one != number]
    set_cookie(
        response,
        settings.REPORTS_COOKIE_NAME,
        sign([slug, [*numbers, number][-MOST_REPORTS:]], salt=_SALT),
        seconds=_SECONDS,
        path=reverse("public:players", args=[slug]),
    )
