"""The page that checks a record, as one file: scripts and styles stand in it, so that it needs no network.

Modules cannot be imported by a page that is opened from a disk, so they become one classic script: each module a function that
returns its exports, those that it imports first.
"""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from os.path import normpath
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.utils.safestring import mark_safe

from tournaments.old_browsers import lowered

_ENTRY = "js/check/main.js"
_STYLES = (
    "css/tokens.css",
    "css/base.css",
    "css/components.css",
    "css/check/check.css",
)
_DARK = "css/dark.css"

_FROM = re.compile(r'^(import|export) \{([^}]*)\} from "(\.[\w/.-]+)";\n', re.MULTILINE)
_FOR_ITS_EFFECT = re.compile(r'^import "(\.[\w/.-]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
# What only some browsers load, and a page from a disk may not: a module without imports and exports.
_OPTIONAL = re.compile(r'^( *if \(.*\)) import\("([^"]+)"\)\.catch\(\(\) => \{\}\);\n', re.MULTILINE)
_MODULE_SYNTAX = re.compile(r"^(?:import|export)\b", re.MULTILINE)
_IMPORTED_STYLE = re.compile(r'@import url\("([^"]+)"\);')
_FONT = re.compile(r"@font-face \{.*?\n\}\n", re.DOTALL)
_ENDS_ELEMENT = re.compile(r"</(?:script|style)|<!--", re.IGNORECASE)


@cache
def file_context() -> dict[str, Any]:
    """Return script, style and policy of the file. The policy allows both by their digests, and nothing from outside."""
    script, style = bundle(_ENTRY), _style()
    policy = (
        f"default-src 'none'; script-src {_source(script)}; style-src {_source(style)}; worker-src blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    # Both are our own files, and `_element` makes sure that they end where their element ends.
    return {"script": mark_safe(_element(script)), "style": mark_safe(_element(style)), "policy": policy}


def bundle(entry: str) -> str:
    """Return a module and all that it imports as one classic script. Raises ValueError for what is not understood."""
    modules: dict[str, str] = {}
    _add(entry, modules, ())
    return "(() => {\n" + '"use strict";\n' + "".join(modules.values()) + "})();\n"


def _add(path: str, modules: dict[str, str], importing: tuple[str, ...]) -> None:
    """Add a module after those that it imports. importing: the modules being added, to detect cycles."""
    if path in importing:
        raise ValueError(f"{path} imports itself")
    if path in modules:
        return
    text = _read(path)
    for other in (*_FOR_ITS_EFFECT.findall(text), *(other for _, _, other in _FROM.findall(text))):
        _add(_beside(path, other), modules, (*importing, path))
    exports = _EXPORT.findall(text)
    exports += [
        exported.strip()
        for keyword, names, _ in _FROM.findall(text)
        if keyword == "export"
        for exported in names.split(",")
    ]

    def taken(match: re.Match[str]) -> str:
        """Return the statement that takes what is imported from the exports of another module."""
        return f"const {{{match[2].replace(' as ', ': ')}}} = {_constant(_beside(path, match[3]))};\n"

    def inlined(match: re.Match[str]) -> str:
        return f"{match[1]} {{\n{_read(_beside(path, match[2]))}}}\n"

    body = _EXPORT.sub("", _FROM.sub(taken, _FOR_ITS_EFFECT.sub("", _OPTIONAL.sub(inlined, text))))
    if match := _MODULE_SYNTAX.search(body):
        raise ValueError(f"{path}: {body[match.start() :].splitlines()[0]}")
    modules[path] = f"const {_constant(path)} = (() => {{\n{body}return {{ {', '.join(exports)} }};\n}})();\n"


def _beside(path: str, other: str) -> str:
    return normpath(Path(path).parent / other)


def _constant(path: str) -> str:
    """Return the name of the constant with the exports of a module: its folder and its own name."""
    return "_".join(["module", Path(path).parent.name, Path(path).stem])


def _style() -> str:
    light = "".join(map(_with_imports, _STYLES))
    return lowered(f"{_FONT.sub('', light)}@media (prefers-color-scheme: dark) {{\n{_read(_DARK)}}}\n")


def _with_imports(name: str) -> str:
    """Return a stylesheet with those that it imports in place of their imports."""

    def imported(match: re.Match[str]) -> str:
        return _with_imports(_beside(name, match[1]))

    return _IMPORTED_STYLE.sub(imported, _read(name))


def _read(name: str) -> str:
    path = finders.find(name)
    if not isinstance(path, str):
        raise ValueError(f"{name} is no static file")
    return Path(path).read_text(encoding="utf-8")


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _element(text: str) -> str:
    if match := _ENDS_ELEMENT.search(text):
        raise ValueError(f"{match[0]} would end the element")
    return text
