"""The cookie of a browser that has reported problems: the tournament and the numbers of the reports, signed.

Only this cookie connects a browser with its reports: a closed report does not say who sent it.
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
    signed = read(cookies.get(settings.REPORTS_COOKIE_NAME, ""), salt=_SALT, seconds=_SECONDS)
    if signed is None:
        return []
    of, numbers = signed
    return list(numbers) if of == slug else []


def remember_report(response: HttpResponse, cookies: dict[str, str], slug: str, number: int) -> None:
    """Add a report to the cookie; the oldest make room."""
    numbers = [earlier for earlier in reports_in(cookies, slug) if earlier != number]
    set_cookie(
        response,
        settings.REPORTS_COOKIE_NAME,
        sign([slug, [*numbers, number][-MOST_REPORTS:]], salt=_SALT),
        seconds=_SECONDS,
        path=reverse("public:players", args=[slug]),
    )
