"""Output on terminals that cannot show every character, such as some on Windows."""

import sys
from io import TextIOWrapper


def show_what_can_be_shown() -> None:
    """Print characters that the terminal lacks as question marks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
