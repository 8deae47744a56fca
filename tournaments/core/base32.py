"""Letters and digits for people who compare digests: base 32 after Crockford, without I, L, O and U."""

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def letters_of(digest: str, count: int) -> str:
    """Return the first 5 * count bits of a digest (hexadecimal). count: a multiple of 4."""
    bits = int(digest[: count * 5 // 4], 16)
    return "".join(_CROCKFORD[bits >> 5 * place & 31] for place in reversed(range(count)))
