"""Public views of the installation: start page and health check."""

from collections.abc import Callable, Collection, Mapping

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.i18n import set_language

from tournaments.access import form_of_everybody, public_view
from tournaments.core.publicity import PUBLIC_DAYS
from tournaments.queries import tournaments as queries
from tournaments.queries.club import club, name_of_club, picture_of_club
from tournaments.queries.readiness import database_answers
from tournaments.requests import Request, page_near
from tournaments.security_log import DAYS
from tournaments.services.sign_ups import FORGOTTEN_AFTER


@public_view("GET")
def start(
    request: Request,
    winners_of: Callable[[Collection[str]], Mapping[str, list[str]]],
    pages_of_the_year: Callable[[], Collection[tuple[str, str]]],
) -> HttpResponse:
    """List what is played, to come and over. A club that has named itself shows the next evening large, and leads to its year.

    winners_of: returns the names of the winners, by slug. pages_of_the_year: returns names and addresses of pages over many evenings.
    """
    today, named = timezone.localdate(), club()
    tournaments = queries.tournaments_to_watch(today, ahead=queries.A_YEAR_AHEAD if named else queries.AHEAD)
    coming = queries.to_come(tournaments, today)
    winners = winners_of([row.slug for row in tournaments if row.released_at])
    context = {
        "club": named,
        "name": name_of_club(),
        "coming": coming,
        "large": coming[0] if coming and named else None,
        "pages_of_the_year": pages_of_the_year() if named else (),
    }
    groups = queries.by_day(tournaments, today, winners)
    return render(request, "tournaments/public/start.html", {**context, "groups": groups})


@public_view("GET")
def imprint(request: Request) -> HttpResponse:
    """Say who runs this site, as § 5 DDG asks; 404 before the club is named."""
    details = club()
    if details is None:
        raise Http404
    return render(request, "tournaments/public/imprint.html", {"club": details})


@public_view("GET")
def club_picture(request: Request) -> HttpResponse:
    """Return the picture of the club; 404 without one. Its address on the pages names its version."""
    jpeg = picture_of_club()
    if jpeg is None:
        raise Http404
    return HttpResponse(jpeg, content_type="image/jpeg", headers={"Cache-Control": "max-age=3600"})


@public_view("GET")
def privacy(request: Request) -> HttpResponse:
    """Say which data are kept, why and for how long."""
    context = {
        "club": club(),
        "public_days": PUBLIC_DAYS,
        "sign_up_days": FORGOTTEN_AFTER.days,
        "log_days": DAYS,
    }
    return render(request, "tournaments/public/privacy.html", context)


@form_of_everybody
@public_view("GET", "POST", once=False)
def language(request: Request) -> HttpResponse:
    """Set the language and lead back; where the page was the answer to a form, to the page above it."""
    response = set_language(request)
    if "Location" in response:
        response["Location"] = page_near(response["Location"]) or "/"
    return response


@never_cache
@public_view("GET")
def healthz(request: Request) -> HttpResponse:
    """Return 200 if the database answers, else 503. For proxies and monitoring; sets no cookie."""
    version = {"Program-Version": settings.VERSION}
    if not database_answers():
        text, headers = "database does not answer\n", {**version, "Retry-After": "5"}
        return HttpResponse(text, status=503, content_type="text/plain", headers=headers)
    return HttpResponse("ok\n", content_type="text/plain", headers=version)
