"""Text of a file for a terminal, which obeys escape sequences."""


def printable(text: object) -> str:
    """Return the text as one line, with every control, format and invisible character replaced."""
    return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in str(text))
