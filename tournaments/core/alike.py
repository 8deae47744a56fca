"""Names that may be of one person: the same in another spelling or order, or with a typing error."""

from functools import lru_cache

from tournaments.core.names import same_name_key
from tournaments.core.near_names import names_are_near


@lru_cache(maxsize=65536)
def are_alike(name: str, other: str) -> bool:
    """Whether the names may be of one person: capitals, umlauts, order of words and an error in long words do not matter."""
    if same_name_key(name) == same_name_key(other):
        return True
    if len(name.split()) != len(other.split()):
        return False
    return names_are_near(name, other)


def rough_keys(name: str) -> set[str]:
    """Return keys of which alike names share one, but for rare ones: so only few names need to be compared.

    The beginnings of all words; and each of the first words with the others, whole and without one letter, which two texts with one
    error have in common.
    """
    words = same_name_key(name).split()
    keys = {" ".join(sorted(word[:3] for word in words))}
    for at, word in enumerate(words[:4]):
        rest = " ".join(words[:at] + words[at + 1 :])
        keys |= {f"{word}, {rest[:gap]}{rest[gap + 1 :]}" for gap in range(len(rest) + 1)}
    return keys
