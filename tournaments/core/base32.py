"""Letters and digits for people: of digests that they compare (base 32 after Crockford, without I, L, O and U), and of codes that
they type. A code has neither O nor I, nor 0 or 1. Those of earlier versions had O and I; who types 0 or 1 means these.
"""

from base64 import b32encode

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def letters_of(digest: str, count: int) -> str:
    """Return the first 5 * count bits of a digest (hexadecimal). count: a multiple of 4."""
    bits = int(digest[: count * 5 // 4], 16)
    return "".join(_CROCKFORD[bits >> 5 * place & 31] for place in reversed(range(count)))


def code_of(data: bytes) -> str:
    """Return a code of these bits: capitals and the digits from 2 to 9, without O and I. data: a multiple of five bytes."""
    return b32encode(data).decode().translate(str.maketrans("OI", "89"))


def typed_code(text: str) -> str:
    """Return the letters and digits of a typed code, in capitals, with 0 and 1 as O and I."""
    return "".join(filter(str.isalnum, text)).upper().translate(str.maketrans("01", "OI"))
