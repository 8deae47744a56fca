"""Every numbered rule that the program decides has a test that names it."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
RULES = {1: 13, 2: 4, 3: 6, 4: 3, 5: 8}
"""How many numbered rules each of the five rule sheets has."""
_NAMED = re.compile(r"RULES ((?:\d\.\d+(?: to |, and |, | and )?)+)")


def named() -> set[str]:
    found = set()
    for path in TESTS.rglob("test_*.py"):
        for numbers in _NAMED.findall(path.read_text(encoding="utf-8")):
            found |= set(re.findall(r"\d\.\d+", numbers))
    return found


@pytest.mark.parametrize("sheet", RULES)
def test_the_rules_of_a_sheet_are_named(sheet: int) -> None:
    assert {f"{sheet}.{number}" for number in range(1, RULES[sheet] + 1)} - named() == set()
