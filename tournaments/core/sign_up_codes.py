"""Codes with which players come back to their sign-up: twelve letters and digits, 60 bits, read aloud in groups of four."""

import re

_LETTERS = 12
_CODE = re.compile(rf"[A-Z2-7]{{{_LETTERS}}}")


def plain_code(typed: str) -> str:
    """Return the code in a typed text, without hyphens and blanks, in capitals; "" if it is none."""
    plain = "".join(typed.split()).replace("-", "").upper()
    return plain if _CODE.fullmatch(plain) else ""


def readable_code(code: str) -> str:
    """Return the code in groups of four."""
    return "-".join(code[at : at + 4] for at in range(0, _LETTERS, 4))
