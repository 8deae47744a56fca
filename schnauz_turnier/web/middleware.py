"""Middleware of the project: threads, database connections, log, cookies."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_only_middleware

from schnauz_turnier.web.current_request import name_route
from tournaments.hashing import return_connection

GetResponse = Callable[[HttpRequest], HttpResponseBase]


@sync_only_middleware
def one_thread(get_response: GetResponse) -> GetResponse:
    """Make the whole middleware chain synchronous. Must be the innermost middleware.

    Django builds the chain from the inside and keeps it synchronous from here on. So a request crosses from the event
    loop to its thread once, not twice per middleware. This halves the processor time per page.
    """
    return get_response


@sync_only_middleware
def connection_for_the_answer_only(get_response: GetResponse) -> GetResponse:
    """Return the database connection to the pool before the answer is sent. Must be the outermost middleware.

    Django keeps it until the answer has been sent, so a few clients that read slowly would hold all of the pool.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not response.streaming:
            return_connection()
        return response

    return answer


@sync_only_middleware
def route_is_named(get_response: GetResponse) -> GetResponse:
    """Record the route of the request for the log, before the view runs."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        return get_response(request)

    def process_view(request: HttpRequest, *_view: object) -> None:
        if request.resolver_match is not None:
            name_route(request.resolver_match.view_name)

    answer.__dict__["process_view"] = process_view
    return answer


@sync_only_middleware
def session_stays_encrypted(get_response: GetResponse) -> GetResponse:
    """Mark a session that began over https, so that the browser never sends it over http. Outside SessionMiddleware.

    With HTTPS=1 the same host answers both, and SESSION_COOKIE_SECURE would end the sessions on the laptop itself.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and request.is_secure():
            cookie["secure"] = True
        return response

    return answer
