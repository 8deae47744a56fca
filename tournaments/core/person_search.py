"""Search for a player by start number or name: one rule for the door, the organiser's pages and the public."""

import re
from collections.abc import Callable
from functools import lru_cache

from tournaments.core.names import same_name_key, sort_key

_NUMBER = re.compile(r"(?:nr\.?|nummer|no\.?|#)?\s*(\d{1,9})", re.IGNORECASE | re.ASCII)


def start_number_in(query: str) -> int | None:
    """Return the start number that a query names ("17", "Nr. 17", "#17"), or None."""
    found = _NUMBER.fullmatch(query.strip())
    return int(found[1]) if found else None


def name_fits(name: str, query: str) -> bool:
    """Whether each word of the query begins another word of the name, with ü typed as ue or as u.

    A query without a letter or digit fits no name.
    """
    return any(_fits(_typed_words(query, spelling), _words(name, spelling)) for spelling in _SPELLINGS)


def known_name_fits(name: str, shown: str, query: str) -> bool:
    """Whether the query fits what is shown of a name, or each of its words begins a shown word or is a whole one."""
    return name_fits(shown, query) or any(
        _fits(_typed_words(query, spelling), _words(name, spelling), in_full=_hidden(name, shown, spelling))
        for spelling in _SPELLINGS
    )


def _hidden(name: str, shown: str, spelling: Callable[[str], str]) -> frozenset[str]:
    return frozenset(_words(name, spelling)) - frozenset(_words(shown, spelling))


def _fits(parts: tuple[str, ...], words: tuple[str, ...], in_full: frozenset[str] = frozenset()) -> bool:
    """Whether each part begins another word; those of in_full have to be whole."""
    left = list(words)
    wanted = [part for part in parts if any(character.isalnum() for character in part)]
    for part in wanted:
        fitting = (word for word in left if word == part or (word.startswith(part) and word not in in_full))
        word = next(fitting, None)
        if word is None:
            return False
        left.remove(word)
    return bool(wanted)


def _as_in_a_dictionary(text: str) -> str:
    return sort_key(text)[0]


_SPELLINGS: tuple[Callable[[str], str], ...] = (same_name_key, _as_in_a_dictionary)


# Names are few and short, and kept for long. What is typed into a search may be long and ever new.


@lru_cache(maxsize=4096)
def spelled_words(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a name in each of the spellings that are searched."""
    return tuple(tuple(word for word in _words(name, spelling) if word) for spelling in _SPELLINGS)


@lru_cache(maxsize=64)
def typed_words(query: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a query in each of these spellings."""
    return tuple(tuple(word for word in _split(query, spelling) if word) for spelling in _SPELLINGS)


def _split(text: str, spelling: Callable[[str], str]) -> tuple[str, ...]:
    return tuple(re.split(r"[\s\-.,]+", spelling(text)))


_words = lru_cache(maxsize=8192)(_split)
_typed_words = lru_cache(maxsize=64)(_split)
