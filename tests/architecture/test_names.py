"""Names and first words: one class a name, no names that say nothing, docstrings that begin with a noun or a verb."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGES, ROOT, Module, modules, plant

TWIN = "schnauz_turnier/systems/windows.py"  # has the names of posix.py, one of which is imported
NAMES_OF_DJANGO = {"Command", "DatabaseWrapper", "Meta"}
VAGUE = {"found", "one", "given", "shown", "known", "own"}
CLEAN = (
    "schnauz_turnier",
    "scoring/core",
    "scoring/documents",
    "scoring/management",
    "scoring/organiser",
    "scoring/phone",
    "scoring/pictures",
    "scoring/practice",
    "scoring/public",
    "scoring/queries",
    "scoring/services",
    "scoring/templatetags",
    "scoring/text",
    "tournaments",
)
"""Packages without vague names. The list grows until it has all."""
QUESTIONS = re.compile(r"(What|Who|Whom|Whose|How|Where|When)\b")


def doubles(root: Path) -> Iterator[str]:
    """Yield the names of classes and type aliases that stand more than once in a package."""
    for package in PACKAGES:
        found = defaultdict(list)
        for module in modules(root, package):
            if module.path.as_posix() == TWIN:
                continue
            for line, name in [*classes(module), *aliases(module)]:
                found[name].append(module.at(line))
        for name, places in sorted(found.items()):
            if len(places) > 1 and name not in NAMES_OF_DJANGO:
                yield f"{name}: {', '.join(places)}"


def classes(module: Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef):
            yield node.lineno, node.name


def aliases(module: Module) -> Iterator[tuple[int, str]]:
    for node in module.tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Name) and re.match(r"_?[A-Z]\w*[a-z]", target.id):
                yield node.lineno, target.id


def test_names_of_classes_are_unique_in_their_package() -> None:
    assert list(doubles(ROOT)) == []


def test_names_of_two_classes_are_found(tmp_path: Path) -> None:
    plant(tmp_path, "scoring/public/rows.py", "class Row:\n    class Meta: ...\n\n\nPLACES = 3\n")
    plant(tmp_path, "scoring/queries/rows.py", "Row = tuple[int, str]\n\n\nclass Meta: ...\n\n\nPLACES = 3\n")
    plant(tmp_path, "tournaments/queries/rows.py", "class Row: ...\n")
    assert list(doubles(tmp_path)) == ["Row: scoring/public/rows.py:1, scoring/queries/rows.py:1"]


def vague_names(root: Path, *packages: str) -> Iterator[str]:
    """Yield the variables, parameters and attributes that are named with a word of VAGUE."""
    for module in modules(root, *packages):
        for node in ast.walk(module.tree):
            name = {ast.Name: "id", ast.arg: "arg", ast.Attribute: "attr"}.get(type(node), "")
            if getattr(node, name, "") in VAGUE:
                yield f"{module.at(getattr(node, 'lineno', 1))} {getattr(node, name)}"


def test_names_say_what_they_hold() -> None:
    assert list(vague_names(ROOT, *CLEAN)) == []


def test_vague_names_are_found(tmp_path: Path) -> None:
    plant(
        tmp_path, "scoring/services/rows.py", "def rows(given):\n    found = [one for one in given.known]\n"
    )
    places = ["1 given", "2 found", "2 known", "2 one", "2 one", "2 given"]
    assert sorted(vague_names(tmp_path, "scoring/services")) == sorted(
        f"scoring/services/rows.py:{place}" for place in places
    )


def questions(root: Path) -> Iterator[str]:
    """Yield the docstrings of modules and of what they make public that begin with a question word."""
    for module in modules(root):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                name = getattr(node, "name", "module")
                text = ast.get_docstring(node) or ""
                if not name.startswith("_") and QUESTIONS.match(text):
                    yield f"{module.at(getattr(node, 'lineno', 1))} {name}: {text.splitlines()[0]}"


def test_docstrings_begin_with_a_noun_or_a_verb() -> None:
    assert list(questions(ROOT)) == []


@pytest.mark.parametrize("word", ["What", "Who", "Whom", "Whose", "How", "Where", "When"])
@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("", "module"),
        ("class Row:\n    ", "Row"),
        ("def rows():\n    ", "rows"),
        ("async def rows():\n    ", "rows"),
    ],
)
def test_docstrings_that_begin_with_a_question_are_found(
    tmp_path: Path, word: str, head: str, name: str
) -> None:
    plant(tmp_path, "scoring/public/rows.py", f'{head}"""{word} is shown."""\n')
    assert list(questions(tmp_path)) == [f"scoring/public/rows.py:1 {name}: {word} is shown."]


def test_other_docstrings_are_let_through(tmp_path: Path) -> None:
    plant(
        tmp_path, "scoring/public/rows.py", '"""Whether; Rows."""\n\ndef _rows():\n    """What is shown."""\n'
    )
    assert list(questions(tmp_path)) == []
