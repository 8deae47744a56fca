"""Names that may be of one person: the same in another spelling or order, or with a typing error in one of the words."""

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Generic, TypeVar

from tournaments.core.names import same_name_key
from tournaments.core.near_names import name_nearly_fits

T = TypeVar("T")


@lru_cache(maxsize=65536)
def are_alike(name: str, other: str) -> bool:
    """Whether the names may be of one person: capitals, umlauts, order of words and an error in long words do not matter."""
    if same_name_key(name) == same_name_key(other):
        return True
    if len(name.split()) != len(other.split()):
        return False
    return name_nearly_fits(name, other) and name_nearly_fits(other, name)


class Namesakes(Generic[T]):
    """People by the words of their names, to find those with a name like another one without comparing all with all."""

    def __init__(self, people: Iterable[tuple[str, T]]) -> None:
        """people: name and what is found by it, in the order in which they are returned."""
        self._by_word: dict[str, list[tuple[int, str, T]]] = defaultdict(list)
        for place, (name, one) in enumerate(people):
            for word in set(same_name_key(name).split()):
                self._by_word[word].append((place, name, one))

    def of(self, name: str) -> list[T]:
        """Return those whose name is like this one and shares a word with it."""
        words = set(same_name_key(name).split())
        found = {place: (other, one) for word in words for place, other, one in self._by_word.get(word, ())}
        return [
            one
            for _place, (other, one) in sorted(found.items(), key=lambda item: item[0])
            if are_alike(name, other)
        ]
