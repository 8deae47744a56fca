"""Names that may be of one person: the same in another spelling or order, or with a typing error."""

from functools import lru_cache

from tournaments.core.names import same_name_key
from tournaments.core.near_names import names_are_near

_key = lru_cache(maxsize=4096)(same_name_key)


@lru_cache(maxsize=65536)
def are_alike(name: str, other: str) -> bool:
    """Whether the names may be of one person: capitals, umlauts, order of words and an error in long words do not matter."""
    key, other_key = _key(name), _key(other)
    if key == other_key:
        return True
    if len(name.split()) != len(other.split()):
        return False
    return names_are_near(name, other)
