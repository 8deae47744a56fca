"""Output on a terminal that cannot show every character, as some of Windows."""

import sys
from io import TextIOWrapper


def show_what_can_be_shown() -> None:
    """Let characters that the output does not know, be shown as question marks: no error ends the program for them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
