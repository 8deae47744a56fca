from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_only_middleware

from schnauz_turnier.clubs.catalogue import is_operators
from schnauz_turnier.web.middleware import GetResponse
from tournaments.current_club import current_club

URLS_OF_A_CLUB = "schnauz_turnier.clubs.urls_of_a_club"
URLS_OF_THE_INSTALLATION = "schnauz_turnier.clubs.urls"
URLS_OF_THE_OPERATOR = "schnauz_turnier.clubs.operator.urls"


@sync_only_middleware
def pages_of_the_installation(get_response: GetResponse) -> GetResponse:
    """With CLUBS set, let a request without a club have no account, and only the pages about the installation.

    One with a club has pages about its place here. The operator's accounts have pages of their own, and none of tournaments.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        club = current_club()
        if settings.CLUBS and club is None:
            request.urlconf = URLS_OF_THE_INSTALLATION
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        elif club is not None and is_operators(club.schema):
            request.urlconf = URLS_OF_THE_OPERATOR
        elif club is not None:
            request.urlconf = URLS_OF_A_CLUB
        return get_response(request)

    return answer
