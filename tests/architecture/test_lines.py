"""Lines of code, without blank lines, comments and docstrings. The test prints them for each package.

A change may raise a limit, in the commit that says what for.
"""

import ast
import io
import re
import tokenize
from collections import Counter
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGES, ROOT

MOST_PYTHON = 45_600
MOST_JAVASCRIPT = 7_450
MOST_TESTS = 76_700

LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def lines_of_python(text: str) -> int:
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def lines_of_javascript(text: str) -> int:
    without_blocks = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return sum(not re.match(r"\s*(//|$)", line) for line in without_blocks.splitlines())


def counted(root: Path, *folders: str) -> Counter[str]:
    """Return lines of code by package: the first two folders of a path. Vendored scripts are left out."""
    lines: Counter[str] = Counter()
    for folder in folders:
        for path in (root / folder).rglob("*"):
            package = "/".join(path.relative_to(root).parts[:-1][:2])
            if path.suffix == ".py":
                lines[package] += lines_of_python(path.read_text(encoding="utf-8"))
            elif path.suffix in (".js", ".mjs") and "vendor" not in path.parts:
                lines[package] += lines_of_javascript(path.read_text(encoding="utf-8"))
    return lines


def test_the_program_does_not_grow_unnoticed(capsys: pytest.CaptureFixture[str]) -> None:
    python, scripts, tests = counted(ROOT, *PACKAGES), counted(ROOT, "static"), counted(ROOT, "tests")
    with capsys.disabled():
        print("\nLines of code:")
        for package, lines in sorted((python + scripts + tests).items()):
            print(f"{lines:7,} {package}")
        print(f"{python.total():,} Python, {scripts.total():,} JavaScript, {tests.total():,} tests")
    assert python.total() <= MOST_PYTHON
    assert scripts.total() <= MOST_JAVASCRIPT
    assert tests.total() <= MOST_TESTS


def test_only_code_is_counted() -> None:
    python = '"""A module."""\n\n# why\nX = [\n    1,\n]\n\n\ndef f():\n    """Docstring\n    of two lines."""\n    return """a\nb"""\n'
    assert lines_of_python(python) == 6
    assert lines_of_javascript("// why\n/* long\n   comment */\n\nconst x = 1; // one\n") == 1
