"""The club of a request, by host or path: CLUB.example.org, or example.org/c/CLUB/.

The applications behind it see the path as in an installation of one club, with the rest in `root_path`, and cookies get
the path of the club. Requests without an open club get only the pages about the installation.
"""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http.request import split_domain_port

from schnauz_turnier.background.companion import closing_connections
from schnauz_turnier.clubs import urls
from schnauz_turnier.clubs.catalogue import Directory, Entry, State
from schnauz_turnier.web.asgi_types import App, Message, Receive, Scope, Send
from tournaments.current_club import Club, in_club

SAME_FOR_ALL = ("/healthz", "/metrics", settings.STATIC_URL)
"""Prefixes of paths that are the same for every club, and without one."""
LANGUAGE = "/i18n/"
OF_THE_INSTALLATION = {f"/{page.pattern}" for page in urls.urlpatterns if not page.pattern.converters}
"""The paths of pages without a club. Those with a name in them answer for a club that is not open, and have no address."""

_CLUB_PATH = re.compile(r"/c/([^/]*)(/.*|)", re.DOTALL)
_COOKIE_PATH = re.compile(rb"(; *path=)(/[^;]*)", re.IGNORECASE)


class ClubRouting:
    """ASGI application in front of `app`."""

    def __init__(self, app: App, directory: Directory) -> None:
        self._app = app
        self._directory = directory
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="clubs")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        slug, path = _named_in(scope)
        if path.startswith(SAME_FOR_ALL) or (slug is None and path in OF_THE_INSTALLATION):
            await self._app({**scope, "path": path}, receive, send)
            return
        entry = await self._find(slug) if slug is not None else None
        if entry is None or entry.state is not State.OPEN:
            await self._app(_closed(scope, path, entry), receive, send)
        else:
            club = entry.club
            with in_club(club):
                below = {**scope, "path": path, "root_path": club.prefix}
                await self._app(below, receive, _with_cookies_of(club, send) if club.prefix else send)

    async def _find(self, slug: str) -> Entry | None:
        if (cached := self._directory.cached(slug)) is not None:
            return cached[0]
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, closing_connections, self._directory.find, slug
        )


def _named_in(scope: Scope) -> tuple[str | None, str]:
    """Return the slug of the club that a request names, and its path in the club; None and its path if it names none."""
    path: str = scope["path"]
    if settings.CLUBS == "paths":
        match = _CLUB_PATH.fullmatch(path)
        return (match[1], match[2] or "/") if match else (None, path)
    host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin1")
    domain, _port = split_domain_port(host.lower())
    slug, dot, base = domain.partition(".")
    return (slug if dot and base == urlsplit(settings.PUBLIC_URL).hostname else None), path


def _closed(scope: Scope, path: str, entry: Entry | None) -> Scope:
    """Return the scope of the installation's page about a club that is not open, or of the choice of language."""
    if path == LANGUAGE:
        return {**scope, "path": LANGUAGE, "query_string": b""}
    if entry is not None and entry.moved_to:
        query = urlencode({"path": path}).encode()
        return {**scope, "path": f"/closed/moved/{entry.slug}/", "query_string": query}
    state = entry.state if entry is not None and entry.state is not State.NEW else "unknown"
    return {**scope, "path": f"/closed/{state}", "query_string": b""}


def _with_cookies_of(club: Club, send: Send) -> Send:
    """Return a `send` that sets the path of cookies to that of the club."""

    def with_path(match: re.Match[bytes]) -> bytes:
        prefix = club.prefix.encode()
        path = match[2]
        return match[1] + (path if path.startswith(prefix + b"/") else prefix + path)

    async def send_with_path(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: list[Any] = [
                (
                    name,
                    _COOKIE_PATH.sub(with_path, value, count=1) if name.lower() == b"set-cookie" else value,
                )
                for name, value in message["headers"]
            ]
            message = {**message, "headers": headers}
        await send(message)

    return send_with_path


def as_django_reads(scope: Scope) -> Scope:
    """Return a scope whose path begins with its root_path, as ASGI requires."""
    return {**scope, "path": scope["root_path"] + scope["path"]} if scope.get("root_path") else scope


def below_the_path(app: Any) -> App:
    """Return `app`, for scopes as `ClubRouting` makes them."""

    async def called(scope: Scope, receive: Receive, send: Send) -> None:
        await app(as_django_reads(scope), receive, send)

    return called
