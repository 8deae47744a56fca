"""Scripts use nothing newer than the browsers that their pages are promised for: browsers.toml."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

JS = ROOT / "static/js"
TABLE = tomllib.loads(Path(__file__).with_name("browsers.toml").read_text(encoding="utf-8"))
# On purpose: a part that does without what is missing.
GUARDED = {"check/seating.js": {"BigInt"}, "forms.js": {"submitter"}}
TEXTS = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
ENTRIES = ("sheet/main", "live", "players/me", "wall/main", "wall/hall_code", "check/main", "ui")


def scripts(page: str) -> set[Path]:
    """Return the scripts of a page; of the others all that are named."""
    others = {JS / f"{name}.js" for name in TABLE["pages"]["others"]}
    paths = {path for name in TABLE["pages"][page] for path in JS.glob(f"{name}.js")}
    return paths if page == "others" else paths - others


def newer(page: str, script: str) -> Iterator[str]:
    """Yield the names and the syntax of a script that are newer than its page."""
    tables = ("players", "wall") if page == "wall" else ("players",)
    plain = TEXTS.sub('""', script)
    for table in tables:
        for name in TABLE[table]["names"]:
            if name not in polyfilled() and re.search(rf"(?<![\w$-]){name}\b(?!:)", plain):
                yield name
        for pattern in TABLE[table]["syntax"]:
            where = script if "closest" in pattern else plain
            if re.search(pattern, where, re.MULTILINE):
                yield pattern


def polyfilled() -> set[str]:
    text = (JS / "old_browsers.js").read_text(encoding="utf-8")
    return set(re.findall(r"^ +(\w+)(?:\(.*\) \{|: )", text, re.MULTILINE)) - {"constructor"}


def test_every_script_has_a_page() -> None:
    named = set().union(*(scripts(page) for page in TABLE["pages"]))
    assert sorted(set(JS.rglob("*.js")) - named) == []
    assert [
        name for page in TABLE["pages"].values() for name in page if not list(JS.glob(f"{name}.js"))
    ] == []


@pytest.mark.parametrize("page", ["players", "wall"])
def test_no_script_uses_what_is_newer(page: str) -> None:
    told = {}
    for path in scripts(page):
        name = path.relative_to(JS).as_posix()
        told[name] = set(newer(page, path.read_text(encoding="utf-8"))) - GUARDED.get(name, set())
    assert {name: used for name, used in told.items() if used} == {}


@pytest.mark.parametrize("entry", ENTRIES)
def test_entries_begin_with_what_old_browsers_lack(entry: str) -> None:
    imports = re.findall(
        r'^import .*?"([^"]+)";$', (JS / f"{entry}.js").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert imports[0].endswith("/old_browsers.js")


@pytest.mark.parametrize(
    ("page", "planted"),
    [
        ("players", "crypto.randomUUID();"),
        ("players", "const later = structuredClone(now);"),
        ("players", "due ??= 1;"),
        ("players", "class A {\n  #hidden() {}\n}"),
        ("players", "text.split(/(?<=[.!?]) /);"),
        ("players", "const none = 0n;"),
        ("players", "class A {\n  seats = 6;\n}"),
        ("players", 'row.closest(":is(tr, li)");'),
        ("players", "new Intl.DateTimeFormat(de, { timeStyle });"),
        ("wall", "page?.remove();"),
        ("wall", "const name = given ?? 1;"),
        ("wall", "lists.flatMap(of);"),
        ("wall", "due ||= 1;"),
    ],
)
def test_what_is_newer_is_found(page: str, planted: str) -> None:
    assert list(newer(page, planted))


@pytest.mark.parametrize("page", ["players", "wall"])
def test_what_is_old_or_mere_text_is_not_found(page: str) -> None:
    """Control."""
    script = 'const one = list.findLast(is); // ?? any\nsay("a ?? b", one ? .5 : "at");\nObject.assign(one, two);\n'
    assert list(newer(page, script)) == []
