"""The files of the scribe's page: all that its scripts import are kept on the phone, and those that they import at once are preloaded."""

import re
from pathlib import Path

from scoring.phone.assets import FILES, MODULES

STATIC = Path(__file__).parents[3] / "static"
SHEET = STATIC / "js" / "sheet"
AT_ONCE = re.compile(r'^import [^"]*"(\.[^"]+)"', re.MULTILINE)
LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')


def imported(by: str, pattern: re.Pattern[str]) -> set[str]:
    script = STATIC / by
    return {
        str((script.parent / name).resolve().relative_to(STATIC.resolve()))
        for name in pattern.findall(script.read_text())
    }


def loaded(names: set[str]) -> set[str]:
    """The parts of a view are stored in it."""
    return {name for name in names if not re.match(r"js/sheet/\w*view/", name)}


def test_what_is_imported_at_once_is_preloaded() -> None:
    waiting = ["js/sheet/main.js"]
    found: set[str] = set()
    while waiting:
        new = imported(waiting.pop(), AT_ONCE) - found
        found |= new
        waiting += new
    assert loaded(found) == set(MODULES)


def test_what_is_imported_later_is_kept_on_the_phone() -> None:
    scripts = [str(script.relative_to(STATIC)) for script in SHEET.rglob("*.js")]
    needed = {
        name for script in scripts for pattern in (AT_ONCE, LATER) for name in imported(script, pattern)
    }
    assert loaded(needed) <= set(FILES)
