"""The random stream: its numbers are fixed, so that every Python version draws the same."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.random_stream import RandomStream

ZEROS = bytes(32)
COUNTING = bytes(range(32))


def test_the_words_are_those_of_sha256_of_seed_and_counter() -> None:
    """Compute the stream by its documentation: four words a block, big-endian."""
    stream = RandomStream(COUNTING)
    text = b"".join(sha256(COUNTING + block.to_bytes(8, "big")).digest() for block in range(3))
    by_hand = [int.from_bytes(text[at : at + 8], "big") for at in range(0, 96, 8)]
    assert [stream.below(2**64) for _ in range(12)] == by_hand


def test_vectors() -> None:
    """Every implementation of the stream must give these numbers; they never change."""
    zeros = RandomStream(ZEROS)
    assert [zeros.below(2**64) for _ in range(2)] == [3185397464471143308, 6538991910595841187]
    zeros = RandomStream(ZEROS)
    limits = (2, 6, 10, 36, 47, 1000, 10**9, 2**40)
    assert [zeros.below(n) for n in limits] == [0, 3, 3, 11, 5, 479, 323776618, 320405333222]
    counting = RandomStream(COUNTING)
    dice = [1, 1, 5, 4, 4, 4, 5, 3, 0, 3, 2, 3, 4, 0, 3, 4, 5, 1, 5, 3]
    assert [counting.below(6) for _ in range(20)] == dice
    assert RandomStream(COUNTING).shuffled(range(1, 13)) == [12, 11, 8, 3, 4, 10, 7, 1, 5, 6, 9, 2]


def test_words_that_would_favour_small_numbers_are_thrown_away() -> None:
    """With n just above half of the range nearly every second word is too large."""
    n = 2**63 + 1
    words = RandomStream(COUNTING)
    kept = [word for word in (words.below(2**64) for _ in range(100)) if word < n]
    assert 30 < len(kept) < 70
    stream = RandomStream(COUNTING)
    assert [stream.below(n) for _ in kept] == kept


def test_one_word_is_taken_even_where_there_is_no_choice() -> None:
    stream, words = RandomStream(ZEROS), RandomStream(ZEROS)
    assert stream.below(1) == 0
    words.below(2**64)
    assert stream.below(2**64) == words.below(2**64)


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_a_bound_outside_1_to_2_to_the_64_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="no number below"):
        RandomStream(ZEROS).below(n)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_has_32_bytes(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        RandomStream(seed)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**64))
def test_numbers_lie_below_n(seed: bytes, n: int) -> None:
    stream = RandomStream(seed)
    assert all(0 <= stream.below(n) < n for _ in range(8))


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers()))
def test_shuffling_keeps_every_item_and_the_list_itself(seed: bytes, items: list[int]) -> None:
    before = list(items)
    assert sorted(RandomStream(seed).shuffled(items)) == sorted(items)
    assert items == before
