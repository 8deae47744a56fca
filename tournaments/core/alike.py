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
