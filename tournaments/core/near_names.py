"""Search that forgives typing errors: a letter too many, too few, another one, or two in the wrong order."""

from collections.abc import Iterable
from functools import partial

from tournaments.core.person_search import fits_words, spelled_words, typed_words

SHORTEST = 4  # letters: shorter words are near to too many others
LONG = 8  # letters from which on two errors are forgiven


def name_nearly_fits(name: str, query: str) -> bool:
    """Whether each word of the query is near to the beginning of another word of the name, with ü typed as ue or as u."""
    return _nearly_fit(typed_words(query), spelled_words(name))


def names_are_near(name: str, other: str) -> bool:
    """Whether each of two names nearly fits the other."""
    words, others = spelled_words(name), spelled_words(other)
    return _nearly_fit(others, words) and _nearly_fit(words, others)


def _nearly_fit(parts: Iterable[tuple[str, ...]], words: Iterable[tuple[str, ...]]) -> bool:
    return any(map(partial(fits_words, is_fit=begins_nearly), parts, words))


def begins_nearly(word: str, part: str) -> bool:
    """Whether some beginning of the word is part, but for errors: none below SHORTEST letters, one, or two from LONG on."""
    if len(part) < SHORTEST:
        return word.startswith(part)
    most = 1 if len(part) < LONG else 2
    return not _lacks_letters(part, word, most) and _distance_to_beginning(part, word, most) <= most


def _lacks_letters(part: str, word: str, most: int) -> bool:
    """Whether the beginning of the word lacks more letters of part than errors are forgiven: quick, and true of most words."""
    left, lacking = word[: len(part) + most], 0
    for letter in part:
        if letter in left:
            left = left.replace(letter, "", 1)
        else:
            lacking += 1
            if lacking > most:
                return True
    return False


def _distance_to_beginning(part: str, word: str, most: int) -> int:
    """Return the fewest errors between part and a beginning of the word; more than `most` need not be exact.

    It is the optimal string alignment distance, computed only where at most `most` letters are too many or too few.
    """
    far = most + 1
    before: list[int] = []
    row = [min(column, far) for column in range(len(word) + 1)]
    for at, letter in enumerate(part, start=1):
        before, above = row, before
        row = [min(at, far)] + [far] * len(word)
        for column in range(max(1, at - most), min(len(word), at + most) + 1):
            costs = [
                before[column - 1] + (word[column - 1] != letter),
                before[column] + 1,
                row[column - 1] + 1,
            ]
            if above and column > 1 and (word[column - 1], word[column - 2]) == (part[at - 2], letter):
                costs.append(above[column - 2] + 1)
            row[column] = min(*costs, far)
        if min(row) > most:
            return far
    return min(row)
