"""Every numbered rule of the five rule sheets has a test that names it and shows what the rule does.

A test names a rule by its own name (`test_rules_1_6_...`), by its docstring or by that of its class ("RULES 1.6.").
Comments and the docstrings of modules and helpers do not count. Tests that only read a preset, or the page that
explains the rules, do not count either, because they do not show the behaviour of the program.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[2]
RULES = {1: 13, 2: 4, 3: 6, 4: 3, 5: 8}
"""The number of numbered rules of each of the five rule sheets."""
SAID_ONLY = {"test_presets.py", "test_rulebook.py"}
"""Tests of the contents of a ruleset, and of the sentences that are made of it."""
_IN_WORDS = re.compile(r"\bRULES ((?:\d\.\d+(?: to |, and |, | and )?)+)")
_IN_NAME = re.compile(r"test_rules((?:_\d_\d+)+)_")


def named_in(docstring: str) -> Iterator[str]:
    """Yield rules: "RULES 3.3, 3.4 and 1.12: ..." names three; "RULES 1.4 to 1.6" names the first and the last."""
    for numbers in _IN_WORDS.findall(docstring):
        yield from re.findall(r"\d\.\d+", numbers)


def named_by(test: ast.FunctionDef) -> Iterator[str]:
    """Yield the rules in the name and in the docstring of a test."""
    found = _IN_NAME.match(test.name)
    if found:
        yield from (number.replace("_", ".") for number in re.findall(r"\d_\d+", found[1]))
    yield from named_in(ast.get_docstring(test) or "")


def cases_of(body: Iterable[ast.stmt]) -> list[ast.FunctionDef]:
    return [node for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]


def named(source: str) -> set[str]:
    """Return the rules that the tests of a module name."""
    body = ast.parse(source).body
    found = {number for test in cases_of(body) for number in named_by(test)}
    for node in body:
        if isinstance(node, ast.ClassDef) and cases_of(node.body):
            found |= set(named_in(ast.get_docstring(node) or ""))
            found |= {number for test in cases_of(node.body) for number in named_by(test)}
    return found


@cache
def named_by_file() -> dict[Path, set[str]]:
    """Return the rules that each file of tests names. What has none of the words is not parsed."""
    texts = {path: path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")}
    return {path: named(text) for path, text in texts.items() if "RULES" in text or "test_rules_" in text}


THERE = {f"{sheet}.{number}" for sheet, last in RULES.items() for number in range(1, last + 1)}


def test_the_rules_of_every_sheet_are_named() -> None:
    shown = {
        number
        for path, numbers in named_by_file().items()
        for number in numbers
        if path.name not in SAID_ONLY
    }
    assert THERE - shown == set()


def test_no_test_names_a_rule_that_is_not_there() -> None:
    assert {
        (path.name, number) for path, numbers in named_by_file().items() for number in numbers - THERE
    } == set()


def test_only_a_test_names_a_rule() -> None:
    assert named(
        '"""RULES 1.1."""\n'
        "# RULES 1.2\n"
        'def helper():\n    """RULES 1.3."""\n'
        "def test_rules_1_4_1_5_of_a_name(): ...\n"
        'def test_of_a_docstring():\n    """RULES 1.6, 1.7 and 1.8: because."""\n'
        'class TestOfAClass:\n    """RULES 1.9."""\n    def test_of_it(self): ...\n'
        'class Helper:\n    """RULES 1.10."""\n'
    ) == {"1.4", "1.5", "1.6", "1.7", "1.8", "1.9"}
