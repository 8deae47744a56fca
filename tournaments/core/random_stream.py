"""Reproducible random numbers: a SHA-256 counter stream.

The full specification, so that a draw can be repeated in any language and on every Python version:

- The seed is 32 bytes. Block i (i = 0, 1, 2, ...) is SHA-256(seed || i), i as 8 bytes, big-endian.
- Each block of 32 bytes gives four words: its bytes 0-7, 8-15, 16-23, 24-31, each read as a whole number,
  big-endian (0 to 2**64 - 1). Words are used in this order, each once, none is skipped.
- `below(n)`, a number from 0 to n - 1: let L be the largest multiple of n that is at most 2**64. Take words
  until one is smaller than L (the others are discarded: they would favour small numbers); the number is
  that word modulo n. At least one word is taken, for n = 1 too.
- `shuffled(items)` is Fisher-Yates from the back: for i = last index, ..., 2, 1, swap items i, below(i + 1).

Python's `random` is not used because its results for a seed may change with the version.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from struct import Struct
from typing import TypeVar

_Item = TypeVar("_Item")

SEED_BYTES = 32
_WORDS = Struct(">4Q")
_WORD_RANGE = 2**64


class RandomStream:
    """The sequence of numbers that follows from one seed. Each call advances it.

    Raises ValueError if the seed is not 32 bytes long.
    """

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed is {SEED_BYTES} bytes, not {len(seed)}")
        self._words = _words(seed)

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, each equally likely. Raises ValueError unless 1 <= n <= 2**64."""
        if not 1 <= n <= _WORD_RANGE:
            raise ValueError(f"no number below {n}")
        limit = _WORD_RANGE - _WORD_RANGE % n
        for word in self._words:
            if word < limit:
                return word % n
        raise AssertionError("the stream has no end")  # pragma: no cover

    def shuffled(self, items: Sequence[_Item]) -> list[_Item]:
        """Return the items in random order, every order equally likely; `items` itself is not changed."""
        result = list(items)
        take, sure = self._words.__next__, _WORD_RANGE - len(result)
        for i in range(len(result) - 1, 0, -1):
            # Same as below(i + 1), inlined: a call for each item takes more than twice the time.
            word = take()
            while word >= sure and word >= _WORD_RANGE - _WORD_RANGE % (i + 1):
                word = take()
            j = word % (i + 1)
            result[i], result[j] = result[j], result[i]
        return result


def _words(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from _WORDS.unpack(sha256(seed + block.to_bytes(8, "big")).digest())
        block += 1
