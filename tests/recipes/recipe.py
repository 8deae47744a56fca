"""Recipes of docs/architecture.md, "Where to change what": the files that a change touches."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)+)`")


def files_in(text: str) -> list[str]:
    """Return the paths in backticks of a text, in their order."""
    return list(dict.fromkeys(PATH.findall(text)))


def recipe_of(change: str) -> str:
    """Return the paragraph of a change. Raises LookupError if the page has none."""
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    for paragraph in page.partition("## Where to change what")[2].split("\n\n"):
        if paragraph.startswith(f"**{change}**"):
            return paragraph
    raise LookupError(change)


def check_recipe(change: str, docstring: str | None, at_most: int) -> None:
    """Check that the page names the files of a test's docstring, that they exist, and that they are few enough.

    For a file that the change makes, the page names one of its kind.
    """
    files = files_in(recipe_of(change))
    assert files_in(docstring or "") == files
    assert [path for path in files if not (ROOT / path).exists()] == []
    assert 0 < len(files) <= at_most
