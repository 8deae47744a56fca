"""Text of a file for a terminal, which obeys escape sequences."""

_SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"


def printable(text: object) -> str:
    """Return the text as one line, with every control, format and invisible character replaced."""
    return "".join(
        sign if sign.isprintable() or sign in _SPACES else "\N{REPLACEMENT CHARACTER}" for sign in str(text)
    )
