"""Responses of the public pages: cached content, ETag, and the end of publicity."""

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache, wraps
from typing import Any, TypeVar, cast

from csp.constants import SELF
from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.clickjacking import xframe_options_sameorigin
from zlib_ng import zlib_ng

from tournaments.access import PublicityEnded, View, publicity_ended
from tournaments.edition import edition
from tournaments.models import Tournament
from tournaments.page_cache import KEEP, page_cache
from tournaments.queries.publicity import is_public, public_until

T = TypeVar("T")

VOLATILE = secrets.token_hex(32)
"""Placeholder in cached pages for what differs in each response. It cannot be guessed."""
OWN_COOKIES = frozenset({settings.SESSION_COOKIE_NAME, "messages"})
"""Cookies with which a page is personal."""


GZIP = 31  # the format, for zlib
LONGEST_HEADER = 300  # bytes; of a header that decides which page is sent
_HTML = "text/html; charset=utf-8"


def of_tournament(view: View) -> View:
    """Answer 404 if there is no such tournament, 410 if it is no longer public."""

    @wraps(view)
    def looked_up(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, slug, **kwargs)
        except Tournament.DoesNotExist:
            raise Http404 from None
        except PublicityEnded:
            return publicity_ended(request)

    return looked_up


def check_public(slug: str) -> None:
    """Raise PublicityEnded if the tournament is no longer public, for answers that are not cached."""
    if not is_public(slug, timezone.localdate()):
        raise PublicityEnded


def found_or_404(result: T | None) -> T:
    """Return the result of a query. Raise Http404 if there is none."""
    if result is None:
        raise Http404
    return result


def in_a_frame(view: View) -> View:
    """Let our own pages show the answer in a frame. No other page does."""
    framed = csp_replace({"frame-ancestors": [SELF]})(view)
    return cast(View, xframe_options_sameorigin(framed))


@dataclass(frozen=True)
class Content:
    """A response body that is valid while nothing changes. until: the last public day."""

    body: bytes
    etag: str
    until: date

    @cached_property
    def compressed(self) -> bytes:
        """The body, compressed once. Only for content without a secret: the size of an answer would reveal it."""
        return zlib_ng.compress(self.body, 7, wbits=GZIP)

    def complete(self) -> "Content":
        """Return the content, compressed already, so that the page cache knows its whole size."""
        if VOLATILE.encode() not in self.body:
            _ = self.compressed
        return self

    def with_volatile(self, text: str) -> bytes:
        """Return the body with a text in place of VOLATILE."""
        return self.body.replace(VOLATILE.encode(), text.encode())

    @classmethod
    def of(cls, text: str, tournament: Tournament) -> "Content":
        body = text.encode()
        return cls(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"', public_until(tournament))


def kept_page(
    request: HttpRequest,
    slug: str,
    name: Hashable | None,
    template: str,
    make_context: Callable[[], dict[str, Any]],
    *,
    volatile: str = "",
) -> HttpResponse:
    """Return a cached page, the same for all readers of a language; `volatile` replaces VOLATILE.

    With query parameters or for a logged-in reader the page is made anew. name: None for a page of one reader.
    make_context: returns the context of the template, with its tournament.
    """

    def make() -> Content:
        context = make_context()
        return Content.of(render_to_string(template, context, request), context["tournament"])

    is_strangers = not OWN_COOKIES & request.COOKIES.keys()
    is_everybodys = is_strangers and name is not None and not request.GET
    if is_everybodys:
        content = page_cache.get_or_make(slug, ("page", name, get_language()), lambda: make().complete())
    else:
        content = make()
    if is_strangers:
        response = _answer_to_strangers(
            request, _HTML, content, is_everybodys=is_everybodys, volatile=volatile
        )
        if is_everybodys:
            response["Players-Page"] = edition()  # the service worker may keep it
    else:
        response = _answer(request, _HTML, content, content.etag)
        if response.status_code == 200:
            response.content = content.with_volatile(volatile)
    patch_vary_headers(response, ["Cookie"])
    return response


def kept_json(
    request: HttpRequest,
    slug: str,
    name: Hashable,
    make_document: Callable[[], tuple[dict[str, Any], Tournament]],
    *,
    group: str = "json",
) -> HttpResponse:
    """Return cached JSON, the same for all readers. group: of entries in the page cache."""

    def make() -> Content:
        document, tournament = make_document()
        return Content.of(json.dumps(document, ensure_ascii=False), tournament)

    content = page_cache.get_or_make(slug, (group, name), lambda: make().complete())
    return _answer_to_strangers(request, "application/json", content, is_everybodys=not request.GET)


def _answer_to_strangers(
    request: HttpRequest, content_type: str, content: Content, *, is_everybodys: bool, volatile: str = ""
) -> HttpResponse:
    """Return a response without a secret. If it is the same for everybody at all times, say so to the layer that keeps answers."""
    is_compressed = accepts_gzip(request.headers.get("Accept-Encoding", "")[:LONGEST_HEADER])
    # A compressed answer has other bytes than the ETag stands for.
    etag = f"W/{content.etag}" if is_compressed else content.etag
    response = _answer(request, content_type, content, etag)
    if response.status_code == 200:
        if volatile:
            body = content.with_volatile(volatile)
            response.content = zlib_ng.compress(body, 4, wbits=GZIP) if is_compressed else body
        else:
            response.content = content.compressed if is_compressed else content.body
        if is_compressed:
            response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    keep = getattr(request, "scope", {}).get(KEEP)
    if is_everybodys and not volatile and keep is not None and _is_canonical(request):
        keep()
    return response


def _is_canonical(request: HttpRequest) -> bool:
    """Whether the address is spelled as the program spells it; else one page would be kept under many addresses."""
    match = request.resolver_match
    return match is not None and reverse(match.view_name, kwargs=match.kwargs) == request.path


@lru_cache(maxsize=256)
def accepts_gzip(header: str) -> bool:
    """Whether a client takes gzip, by its Accept-Encoding header."""
    codings = header.lower().replace(" ", "").split(",")
    return any(re.fullmatch(r"gzip(;q=(0\.\d*[1-9]\d*|1(\.0*)?))?", coding) for coding in codings)


def _answer(request: HttpRequest, content_type: str, content: Content, etag: str) -> HttpResponse:
    """Return an empty response with an ETag, or 304. Caches revalidate each time; search engines do not index it.

    Raises PublicityEnded if it is no longer public.
    """
    if timezone.localdate() > content.until:
        raise PublicityEnded
    response = get_conditional_response(request, etag=etag) or HttpResponse(content_type=content_type)
    response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    response["X-Robots-Tag"] = "noindex"
    return response
