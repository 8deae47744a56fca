"""Responses of the public pages: cached content, ETag, and the end of publicity."""

import gzip
import hashlib
import json
import re
import secrets
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from functools import cached_property, wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from tournaments.access import View
from tournaments.models import Tournament
from tournaments.page_cache import page_cache
from tournaments.queries.publicity import public_until

# Placeholders in cached pages for what differs in each response; TOKEN: for the CSRF token of a page that also has
# something else. They cannot be guessed.
VOLATILE, TOKEN = secrets.token_hex(32), secrets.token_hex(32)
_OWN_COOKIES = {settings.SESSION_COOKIE_NAME, "messages"}


class PublicityEnded(Exception):
    """The pages of the tournament are no longer public."""


def of_tournament(view: View) -> View:
    """Answer 404 if there is no such tournament, 410 if it is no longer public."""

    @wraps(view)
    def looked_up(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, slug, **kwargs)
        except Tournament.DoesNotExist:
            raise Http404 from None
        except PublicityEnded:
            return _gone(request)

    return looked_up


def _gone(request: HttpRequest) -> HttpResponse:
    response = render(request, "scoring/public/ended.html", {"tournament": None}, status=410)
    response["X-Robots-Tag"] = "noindex"
    response["Cache-Control"] = "no-cache"
    return response


def page(request: HttpRequest, template: str, context: dict[str, Any], *, volatile: str) -> HttpResponse:
    """Return the rendered page. volatile: the part that differs in each response."""
    text = render_to_string(template, context, request).replace(volatile, VOLATILE)
    content = Content.of(text, context["tournament"])
    return _answer(request, "text/html; charset=utf-8", content, volatile=volatile)


@dataclass(frozen=True)
class Content:
    """A response body that is valid while nothing changes. until: the last public day."""

    text: str
    etag: str
    until: date

    @cached_property
    def compressed(self) -> bytes:
        """The text, compressed once. Only for content without a secret: the size of an answer would tell of it."""
        return gzip.compress(self.text.encode(), compresslevel=6, mtime=0)

    @classmethod
    def of(cls, text: str, tournament: Tournament) -> "Content":
        return cls(text, _etag(text), public_until(tournament))

    @classmethod
    def of_json(cls, document: dict[str, Any], tournament: Tournament) -> "Content":
        return cls.of(json.dumps(document, ensure_ascii=False), tournament)


def kept_page(
    request: HttpRequest,
    slug: str,
    name: Hashable | None,
    make: Callable[[], Content],
    *,
    volatile: str,
    token: str = "",
) -> HttpResponse:
    """Return a cached page, the same for all readers of a language; `volatile` replaces VOLATILE, `token` TOKEN.

    With query parameters or for a logged-in reader the page is made anew. name: None for a page of one reader.
    """
    is_everybodys = name is not None and not request.GET and not _OWN_COOKIES & request.COOKIES.keys()
    content = page_cache.get_or_make(slug, ("page", name, get_language()), make) if is_everybodys else make()
    return _answer(request, "text/html; charset=utf-8", content, volatile=volatile, token=token)


def kept_json(request: HttpRequest, slug: str, name: Hashable, make: Callable[[], Content]) -> HttpResponse:
    content = page_cache.get_or_make(slug, ("json", name), make)
    response = _answer(request, "application/json", content)
    patch_vary_headers(response, ["Accept-Encoding"])
    if response.status_code == 200 and _accepts_gzip(request):
        response.content = content.compressed
        response["Content-Encoding"] = "gzip"
        response["ETag"] = f"W/{content.etag}"  # other bytes than the ETag stands for
    return response


def _accepts_gzip(request: HttpRequest) -> bool:
    codings = request.headers.get("Accept-Encoding", "").lower().replace(" ", "").split(",")
    return any(re.fullmatch(r"gzip(;q=(0\.\d*[1-9]\d*|1(\.0*)?))?", coding) for coding in codings)


def _answer(
    request: HttpRequest, content_type: str, content: Content, *, volatile: str = "", token: str = ""
) -> HttpResponse:
    """Return a response with an ETag, or 304. Caches revalidate each time; search engines do not index it.

    Raises PublicityEnded if it is no longer public.
    """
    if timezone.localdate() > content.until:
        raise PublicityEnded
    conditional = get_conditional_response(request, etag=content.etag)
    response = conditional or HttpResponse(content_type=content_type)
    if conditional is None:
        response.content = content.text.replace(VOLATILE, volatile).replace(TOKEN, token)
    response["ETag"] = content.etag
    response["Cache-Control"] = "no-cache"
    response["X-Robots-Tag"] = "noindex"
    return response


def _etag(text: str) -> str:
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
