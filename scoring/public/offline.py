"""Service worker of the players' pages, and the page that it shows without a connection."""

import json
import re

from django.conf import settings
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import etag

from scoring.public.tabs import TABS
from tournaments.access import public_view
from tournaments.edition import edition
from tournaments.requests import Request

_FILE = re.compile(rf'(?:href|src)="({re.escape(settings.STATIC_URL)}[^"#]+\.(?:css|js|svg|woff2))[#"]')
_of_edition = etag(lambda _request: f'"{edition()}-{get_language()}"')


@cache_control(no_cache=True)
@_of_edition
@public_view("GET")
def page(request: Request) -> HttpResponse:
    """Return the page without a connection, the same for everybody: it is made without the request, which knows who asks."""
    return HttpResponse(_page())


def _page() -> str:
    return render_to_string("scoring/public/offline.html")


@cache_control(no_cache=True)
@_of_edition
@public_view("GET")
def worker(request: Request) -> HttpResponse:
    """Return the service worker. Its URL lies below /t/, so that all players' pages are in its scope."""
    address = reverse("public:worker")
    guarded = {
        "version": edition(),
        "scope": address.removesuffix("worker.js"),
        "page": reverse("public:offline"),
        "files": sorted(set(_FILE.findall(_page()))),
        "tabs": [tab.path for tab in TABS.values()],
        "said": render_to_string("scoring/public/_last_seen.html"),
    }
    script = f"importScripts({json.dumps(static('js/players/worker.js'))});\nguard({json.dumps(guarded)});\n"
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")
