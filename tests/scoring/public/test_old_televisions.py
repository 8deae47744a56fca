"""Scripts and styles of the wall are written in what televisions with Chrome 68 understand."""

import re

from tests.conftest import ROOT

SCRIPTS = ROOT / "static/js"
TOO_NEW = {
    ".js": r"\?\.[\w\[(]|\?\?|\d_\d|\.at\(|findLast|toggleAttribute|replaceChildren|replaceAll|hasOwn\(|timeStyle|AbortSignal\.timeout|this\.#",
    ".css": r":has\(|:is\(|:where\(|[\s(:](min|max|clamp)\(",
}


def scripts_of_the_wall() -> set[str]:
    """Return the scripts that the page of a screen loads, with what they import."""
    page = (ROOT / "templates/scoring/public/screen.html").read_text(encoding="utf-8")
    found: set[str] = set()
    to_read = set(re.findall(r"'js/([\w.]+)'", page))
    while to_read:
        name = to_read.pop()
        found.add(name)
        text = (SCRIPTS / name).read_text(encoding="utf-8")
        to_read |= set(re.findall(r'from "\./([\w.]+)"', text)) - found
    return found


def test_nothing_is_too_new_for_the_wall() -> None:
    names = scripts_of_the_wall()
    assert {"wall.js", "live.js", "server_time.js"} <= names
    found = []
    for path in [*(SCRIPTS / name for name in sorted(names)), ROOT / "static/css/screen.css"]:
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        found += [(path.name, match[0]) for match in re.finditer(TOO_NEW[path.suffix], text)]
    assert found == []
