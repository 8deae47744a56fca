"""A search forgives errors of typing, and no more than that."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.near_names import LONG, SHORTEST, begins_nearly, name_nearly_fits

LETTERS = st.characters(categories=["Ll"], max_codepoint=0x17F)
WORDS = st.text(LETTERS, min_size=SHORTEST + 1, max_size=20)


@pytest.mark.parametrize(
    "query", ["Mülelr", "Muler", "Müllner", "Nüller", "Jörk Müller", "Meller, Jörg", "mueler"]
)
def test_a_slip_of_the_finger_is_forgiven(query: str) -> None:
    assert name_nearly_fits("Müller, Jörg", query)


@pytest.mark.parametrize(
    "query", ["", "-", "Maier", "Jö Maier", "Mlelür", "ller", "Müller Müler", "Jörgg Müller Max"]
)
def test_another_name_is_another_name(query: str) -> None:
    assert not name_nearly_fits("Müller, Jörg", query)


def slips(word: str, at: int, letter: str) -> list[str]:
    """Return the word with each kind of error at a place: one letter too few, another, one too many, two exchanged."""
    before, rest = word[:at], word[at:]
    return [
        before + rest[1:],
        before + letter + rest[1:],
        before + letter + rest,
        before + rest[1::-1] + rest[2:],
    ]


@given(WORDS, st.data())
def test_one_error_is_found_wherever_it_is_and_whatever_follows(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    for slip in slips(word, at, data.draw(LETTERS)):
        assert begins_nearly(word + data.draw(st.text(LETTERS, max_size=5)), slip)


@given(st.text(LETTERS, min_size=LONG + 2, max_size=20), st.data())
def test_two_errors_are_found_in_a_long_word(word: str, data: st.DataObject) -> None:
    at, then = sorted(data.draw(st.tuples(st.integers(0, len(word) - 1), st.integers(0, len(word) - 1))))
    once = slips(word, then, "x")[data.draw(st.integers(0, 2))]
    assert begins_nearly(word, slips(once, min(at, len(once) - 1), "y")[data.draw(st.integers(0, 2))])


@given(WORDS, st.text(LETTERS, max_size=SHORTEST - 1))
def test_of_short_words_each_letter_counts(word: str, part: str) -> None:
    assert begins_nearly(word, part) == word.startswith(part)


@given(st.text("ab", max_size=9), st.text("ab", min_size=SHORTEST, max_size=9))
def test_it_forgives_exactly_what_trying_every_way_finds(word: str, part: str) -> None:
    most = 1 if len(part) < LONG else 2
    near = min(by_trying(part, word[:end]) for end in range(len(word) + 1)) <= most
    assert begins_nearly(word, part) == near


@cache
def by_trying(a: str, b: str) -> int:
    """Return the optimal string alignment distance."""
    if not a or not b:
        return len(a) + len(b)
    ways = [
        by_trying(a[:-1], b[:-1]) + (a[-1] != b[-1]),
        by_trying(a[:-1], b) + 1,
        by_trying(a, b[:-1]) + 1,
    ]
    if len(a) > 1 and len(b) > 1 and (a[-1], a[-2]) == (b[-2], b[-1]):
        ways.append(by_trying(a[:-2], b[:-2]) + 1)
    return min(ways)
