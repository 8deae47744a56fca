"""Codes with which players come back to their sign-up: twelve letters and digits, 60 bits, read aloud in groups of four.

The number of a sign-up is typed at the desk as "A17": "17" is a start number.
"""

import re

from tournaments.core.base32 import typed_code

_LETTERS = 12
_NUMBER = re.compile(r"a[\s.-]*(\d{1,9})", re.IGNORECASE | re.ASCII)
_CODE = re.compile(rf"[A-Z2-9]{{{_LETTERS}}}")


def plain_code(typed: str) -> str:
    """Return the code in a typed text (see `typed_code`); "" if it is none."""
    plain = typed_code(typed)
    return plain if _CODE.fullmatch(plain) else ""


def readable_code(code: str) -> str:
    """Return the code in groups of four."""
    return "-".join(code[at : at + 4] for at in range(0, _LETTERS, 4))


def sign_up_number_in(text: str) -> int | None:
    """Return the number of a sign-up in a typed text ("A17", "a 17"), or None."""
    match = _NUMBER.fullmatch(text.strip())
    return int(match[1]) if match else None
