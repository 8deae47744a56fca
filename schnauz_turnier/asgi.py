"""The application as the web server sees it: static files first, everything else to Django.

Static files are answered outside Django: ServeStatic, the fork of WhiteNoise for ASGI, reads them without blocking the
event loop and without a thread for each request, which WhiteNoise's own middleware needs (it is synchronous).
"""

import os
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application
from servestatic import ServeStaticASGI


def _no_sniffing(headers: Any, _path: str, _url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "schnauz_turnier.settings")

application = ServeStaticASGI(
    get_asgi_application(),
    root=settings.STATIC_ROOT,
    prefix=settings.STATIC_URL,
    allow_all_origins=False,
    add_headers_function=_no_sniffing,
)
