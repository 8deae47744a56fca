"""Static files of the scribe's page."""

_IMPORTED = (
    *("sync", "server", "store", "view", "light", "beside"),
    *("replay", "checks", "words", "dom"),
)
_ON_DEMAND = ("office", "tray", "extras", "after", "call", "me_here", "missing", "moving", "own", "update")
_KINDS = ("survival", "hand_points", "plus_minus")
MODULES = ["js/old_browsers.js", "vendor/idb-8.0.4/index.js", *(f"js/sheet/{name}.js" for name in _IMPORTED)]
"""Modules that the page's script imports, for preloading."""

WORKER = "js/sheet/worker.js"
FILES = [
    *("icons/favicon.svg", "icons/phone.svg"),
    *(f"css/{name}.css" for name in ("tokens", "dark", "sheet/sheet", "marks")),
    *(
        "js/errors.js",
        "js/has.js",
        "js/sheet/main.js",
        *MODULES,
        *(f"js/sheet/{name}.js" for name in _ON_DEMAND),
    ),
    *(f"js/sheet/{kind}{part}.js" for kind in _KINDS for part in ("", "_view")),
]
"""All files that the page may load, cached by the service worker. A page needs one kind of sheet only, and few need the modules
on demand."""
