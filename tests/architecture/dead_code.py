"""Dead code: definitions that neither the packages nor the templates use. A test alone does not keep one alive.

Run as a program it prints them. vulture finds them, by the names of [tool.vulture] in pyproject.toml, which frameworks use.
"""

import ast
import fnmatch
import re
import sys
import tomllib
from collections.abc import Iterator
from keyword import iskeyword
from pathlib import Path

from vulture import Vulture
from vulture.core import Item

from tests.architecture.sources import ROOT, modules, templates

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETTINGS = PROJECT["tool"]["vulture"]


def dead_code(root: Path) -> list[str]:
    return [
        f"{item.filename.relative_to(root).as_posix()}:{item.first_lineno} {item.message}"
        for item in unused_items(root, SETTINGS["ignore_names"])
    ]


def needless_exceptions(root: Path) -> list[str]:
    """Return the entries of the allow list that let nothing through."""
    unused = [item.name for item in unused_items(root, [])]
    return [entry for entry in SETTINGS["ignore_names"] if not fnmatch.filter(unused, entry)]


def unused_items(root: Path, ignore_names: list[str]) -> list[Item]:
    vulture = Vulture(ignore_names=ignore_names)
    paths = [root / path for path in SETTINGS["paths"]]
    vulture.scavenge([path for path in paths if path.exists()], exclude=SETTINGS["exclude"])
    vulture.scan("\n".join(sorted({*names_in_templates(root), *names_in_field_tables(root)})))
    found: list[Item] = vulture.get_unused_code()
    return found


def names_in_templates(root: Path) -> Iterator[str]:
    """Yield each name in a tag as Python that uses it: variables, attributes, tags and filters, but no strings."""
    for _template, text in templates(root):
        for tag in re.findall(r"\{%.*?%\}|\{\{.*?\}\}", text):
            names = re.findall(r"[A-Za-z_]\w*", re.sub(r'"[^"]*"|\'[^\']*\'', "", tag))
            yield from (f"_.{name}" for name in names if not iskeyword(name))


def names_in_field_tables(root: Path) -> Iterator[str]:
    """Yield each column in a table of fields of a document as Python that uses it."""
    for module in modules(root):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Field", "FieldTable"):
                texts = (argument.value for argument in node.args if isinstance(argument, ast.Constant))
                yield from (f"_.{text}" for text in texts if isinstance(text, str) and text.isidentifier())


if __name__ == "__main__":
    sys.exit("\n".join(dead_code(ROOT)) or 0)
