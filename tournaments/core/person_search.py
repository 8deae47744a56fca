"""Search for a player by start number or name: one rule for the door, the organiser's pages and the public."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial

from tournaments.core.names import same_name_key, sort_key

_NUMBER = re.compile(r"(?:nr\.?|nummer|no\.?|#)?\s*(\d{1,9})", re.IGNORECASE | re.ASCII)


def start_number_in(query: str) -> int | None:
    """Return the start number that a query names ("17", "Nr. 17", "#17"), or None."""
    match = _NUMBER.fullmatch(query.strip())
    return int(match[1]) if match else None


def name_fits(name: str, query: str) -> bool:
    """Whether each word of the query begins another word of the name, with ü typed as ue or as u.

    A query without a letter or digit fits no name.
    """
    return any(map(fits_words, _searched(query), spelled_words(name)))


def known_name_fits(name: str, public: str, query: str) -> bool:
    """Whether the query fits the public form of a name, or each word of it begins a public word or is a whole word of the name."""
    return name_fits(public, query) or any(
        fits_words(parts, words, partial(_is_known, public=public_words))
        for parts, words, public_words in zip(
            _searched(query), spelled_words(name), spelled_words(public), strict=True
        )
    )


def _is_known(word: str, part: str, *, public: tuple[str, ...]) -> bool:
    return word == part or (word in public and word.startswith(part))


def _searched(query: str) -> list[list[str]]:
    """Return the words of a query that have a letter or digit, in each spelling."""
    return [[part for part in parts if any(map(str.isalnum, part))] for parts in typed_words(query)]


def fits_words(
    parts: Iterable[str], words: Iterable[str], is_fit: Callable[[str, str], bool] = str.startswith
) -> bool:
    """Whether each part fits another word; no parts fit nothing."""
    left, wanted = list(words), list(parts)
    for part in wanted:
        word = next((word for word in left if is_fit(word, part)), None)
        if word is None:
            return False
        left.remove(word)
    return bool(wanted)


def _as_in_a_dictionary(text: str) -> str:
    return sort_key(text)[0]


_SPELLINGS: tuple[Callable[[str], str], ...] = (same_name_key, _as_in_a_dictionary)


def _words_of(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a text in each of the spellings that are searched."""
    return tuple(tuple(filter(None, re.split(r"[\s\-.,]+", spelling(text)))) for spelling in _SPELLINGS)


# Names are few and short, and kept for long. What is typed into a search may be long and ever new.
spelled_words = lru_cache(maxsize=8192)(_words_of)
typed_words = lru_cache(maxsize=64)(_words_of)


def words_of(name: str) -> str:
    """Return the words of a name in each spelling, as a person of the club has them."""
    return " ".join(sorted({word for words in spelled_words(name) for word in words}))
