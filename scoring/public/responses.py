import hashlib
import json
import secrets
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language

from tournaments.access import View
from tournaments.models import Tournament
from tournaments.page_cache import page_cache
from tournaments.queries.publicity import public_until

# Stands in a kept page for what differs at every view although nothing has changed; nobody can guess it.
VOLATILE = secrets.token_hex(32)
_OWN_COOKIES = {settings.SESSION_COOKIE_NAME, "messages"}


class PublicityEnded(Exception):
    """The pages of the tournament are public no more."""


def of_tournament(view: View) -> View:
    """404 where there is no such tournament, 410 where it is public no more."""

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
    """volatile: what differs at every view although nothing has changed."""
    text = render_to_string(template, context, request).replace(volatile, VOLATILE)
    content = Content.of(text, context["tournament"])
    return _answer(request, "text/html; charset=utf-8", content, volatile=volatile)


@dataclass(frozen=True, slots=True)
class Content:
    """What is answered as long as nothing changes, and until which day."""

    text: str
    etag: str
    until: date

    @classmethod
    def of(cls, text: str, tournament: Tournament) -> "Content":
        return cls(text, _etag(text), public_until(tournament))

    @classmethod
    def of_json(cls, document: dict[str, Any], tournament: Tournament) -> "Content":
        return cls.of(json.dumps(document, ensure_ascii=False), tournament)


def kept_page(
    request: HttpRequest, slug: str, name: Hashable, make: Callable[[], Content], *, volatile: str
) -> HttpResponse:
    """A page that is the same for all who see it in their language, but for `volatile`, which takes VOLATILE's place.

    What somebody asks for in particular, or sees because he is logged in, is made for him alone.
    """
    is_everybodys = not request.GET and not _OWN_COOKIES & request.COOKIES.keys()
    content = page_cache.get_or_make(slug, ("page", name, get_language()), make) if is_everybodys else make()
    return _answer(request, "text/html; charset=utf-8", content, volatile=volatile)


def kept_json(request: HttpRequest, slug: str, name: Hashable, make: Callable[[], Content]) -> HttpResponse:
    return _answer(request, "application/json", page_cache.get_or_make(slug, ("json", name), make))


def _answer(request: HttpRequest, content_type: str, content: Content, *, volatile: str = "") -> HttpResponse:
    """With an ETag: who has it already gets 304. Caches ask every time; search engines stay out.

    Raises PublicityEnded once it is public no more.
    """
    if timezone.localdate() > content.until:
        raise PublicityEnded
    conditional = get_conditional_response(request, etag=content.etag)
    response = conditional or HttpResponse(content_type=content_type)
    if conditional is None:
        response.content = content.text.replace(VOLATILE, volatile)
    response["ETag"] = content.etag
    response["Cache-Control"] = "no-cache"
    response["X-Robots-Tag"] = "noindex"
    return response


def _etag(text: str) -> str:
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
