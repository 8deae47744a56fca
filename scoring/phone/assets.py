import hashlib

from django.http import HttpRequest
from django.templatetags.static import static

_IMPORTED = (
    "sync",
    "store",
    "view",
    "beside",
    "tray",
    "moving",
    "result",
    "replay",
    "checks",
    "stakes",
    "words",
    "dom",
)
_KINDS = ("survival", "hand_points", "plus_minus")
MODULES = ["vendor/idb-8.0.4/index.js", *(f"js/sheet/{name}.js" for name in _IMPORTED)]
"""What the page's script imports, for the browser to fetch at once instead of one after the other."""

WORKER = "js/sheet/worker.js"
FILES = [
    *("icons/favicon.svg", "icons/sprite.svg"),
    *(f"css/{name}.css" for name in ("tokens", "dark", "phone", "marks")),
    *("js/sheet/main.js", *MODULES),
    *(f"js/sheet/{kind}{part}.js" for kind in _KINDS for part in ("", "_view")),
]
"""Everything that the page may load, for the service worker to keep; of the kinds of sheets a page needs one."""


def version(request: HttpRequest | None = None) -> str:
    """Changes whenever a file of the page does: their names hold what is in them."""
    names = [static(name) for name in (*FILES, WORKER)]
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]
