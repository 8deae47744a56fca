"""docs/security.md answers every requirement of the ASVS 5.0, levels 1 and 2, and names tests that exist."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROW = re.compile(
    r"^\| ([\d., ]+) \|([^|]+)\| (met|by design|not met|n/a) \|([^|]*)\|([^|]*)\|$", re.MULTILINE
)
REQUIREMENTS = (
    "1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4 "
    "5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 "
    "8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 "
    "12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 "
    "16.4:3 16.5:3 17.1:1 17.2:4 17.3:2"
)
"""Sections with the number of their requirements of levels 1 and 2, which come first in each section."""


def required() -> list[str]:
    sections = [section.split(":") for section in REQUIREMENTS.split()]
    return [f"{name}.{number}" for name, count in sections for number in range(1, int(count) + 1)]


def answers() -> list[tuple[str, str, str, str, str]]:
    """Return requirements, subject, state, answer and test of each row."""
    return ROW.findall((ROOT / "docs" / "security.md").read_text())


def is_there(test: str) -> bool:
    path, _, name = test.partition("::")
    file = ROOT / path
    return file.is_file() and (
        not name or re.search(rf"^def {name}\(", file.read_text(), re.MULTILINE) is not None
    )


def test_every_requirement_is_answered_once() -> None:
    assert len(required()) == 253
    counted = Counter(number for found in answers() for number in found[0].split(", "))
    assert counted == Counter(required())


def test_what_is_met_names_a_test_that_exists_and_what_is_not_says_why() -> None:
    for numbers, _subject, state, answer, test in answers():
        assert answer.strip() or test.strip(), numbers
        named = re.findall(r"`(tests/[\w/.]+(?:::\w+)?)`", test)
        assert bool(named) == (state == "met"), numbers
        assert [one for one in named if not is_there(one)] == [], numbers


def test_a_test_that_does_not_exist_is_noticed() -> None:
    assert is_there("tests/security/test_asvs.py::test_every_requirement_is_answered_once")
    assert not is_there("tests/security/test_asvs.py::test_no_such_thing")
    assert not is_there("tests/security/test_nothing.py")
