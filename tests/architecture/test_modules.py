"""Modules: short functions, short files, typed requests."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import ROOT, modules, plant

LONGEST_FUNCTION = 60
LONGEST_MODULE = 700


def too_long(root: Path) -> Iterator[str]:
    for module in modules(root):
        length = len(module.text.splitlines())
        if length > LONGEST_MODULE:
            yield f"{module.at(1)} has {length} lines"
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    yield f"{module.at(node.lineno)} {node.name} has {length} lines"


def test_functions_and_modules_are_short() -> None:
    assert list(too_long(ROOT)) == []


def test_long_functions_and_modules_are_found(tmp_path: Path) -> None:
    plant(tmp_path, "scoring/core/right.py", "def right():\n" + "    ...\n" * 59 + "\n" * 640)
    plant(tmp_path, "scoring/core/wrong.py", "@cache\ndef wrong():\n" + "    ...\n" * 60 + "\n" * 639)
    plant(tmp_path, "scoring/migrations/0001_initial.py", "\n" * 701)
    assert list(too_long(tmp_path)) == [
        "scoring/core/wrong.py:1 has 701 lines",
        "scoring/core/wrong.py:2 wrong has 61 lines",
    ]


def untyped_requests(root: Path) -> Iterator[str]:
    for module in modules(root):
        for number, line in enumerate(module.text.splitlines(), 1):
            if "type: ignore" in line and "request" in line.lower():
                yield f"{module.at(number)} {line.strip()}"


def test_requests_are_typed() -> None:
    """tournaments.requests has a type for each kind of request."""
    assert list(untyped_requests(ROOT)) == []


def test_requests_that_mypy_is_told_to_ignore_are_found(tmp_path: Path) -> None:
    text = (
        "name = request.nam  # type: ignore[attr-defined]\ntable = row.tabl  # type: ignore[attr-defined]\n"
    )
    plant(tmp_path, "scoring/phone/views.py", text)
    assert list(untyped_requests(tmp_path)) == [
        "scoring/phone/views.py:1 name = request.nam  # type: ignore[attr-defined]"
    ]
