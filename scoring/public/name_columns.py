"""Names in columns, for a screen that is read from ten metres: a long name takes more lines, and none is cut.

A name is given in parts, each of which stays on one line if it fits on any: „Huber,“, „ Karl-Heinz“, „ Nr. 7“.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

FEW_PAGES = 6
COLUMNS = ((1, 2220, (12,)), (FEW_PAGES, 1190, (12, 9)), (0, 845, (12, 12, 9)))
"""One, two and three columns: on how many pages they suffice, the width of a line in hundredths of an em, and the lines of each.

The last of several columns ends above the code of the players' page.
"""
_GROUPS = {20: ".,", 26: "\N{NO-BREAK SPACE} ", 29: "()ijlIJ", 39: "-frt", 47: "cesz", 90: "mwMW"}
_CAPITAL, _OTHER = 68, 57
_WIDTHS = {letter: width for width, letters in _GROUPS.items() for letter in letters}
"""Of letters in the font of the wall; measured."""


def pages_of_names(names: Sequence[Sequence[str]], *, kept: int = 0) -> list[list[list[int]]]:
    """Return for each page its columns, as places of the names. kept: lines of each column that are taken.

    The columns are as few as suffice, else as make the fewest pages, which are as even as the names let them be.
    """
    tried = []
    for most, width, full in COLUMNS:
        lines = [_lines(name, width) for name in names]
        room = [end - kept for end in full]
        tried.append((_filled(lines, room), lines, room))
        if len(tried[-1][0]) <= most:
            return _evened(*tried[-1])
    return _evened(*min(tried, key=lambda layout: len(layout[0])))


@lru_cache(maxsize=4096)
def _lines(parts: Sequence[str], width: int) -> int:
    """Return how many lines of this width a name takes. A part that fits on none breaks after spaces and hyphens."""
    used = 0
    for part in parts:
        for word in [part] if _wide(part) <= width else re.findall(" ?[^ -]*-?", part):
            if used % width + _wide(word) > width:
                used += -used % width
            used += _wide(word)
    return -(-used // width)


def _wide(text: str) -> int:
    return sum(_WIDTHS.get(letter, _CAPITAL if letter.isupper() else _OTHER) for letter in text)


def _filled(lines: Sequence[int], room: Sequence[int], less: int = 0, of: int = 1) -> list[list[list[int]]]:
    """Fill columns one after the other, those of a page with so many lines. less: lines that so many pages are without."""
    pages: list[list[list[int]]] = []
    left = 0
    for place, needed in enumerate(lines):
        if needed > left:
            if not pages or len(pages[-1]) == len(room):
                pages.append([])
            column, of_this = len(pages[-1]), max(less + of - len(pages), 0) // of
            left = room[column] - (of_this + column) // len(room)
            pages[-1].append([])
        pages[-1][-1].append(place)
        left -= needed
    return pages


def _evened(pages: list[list[list[int]]], lines: Sequence[int], room: Sequence[int]) -> list[list[list[int]]]:
    """Return the pages with as few lines as make no further page, the first ones with the fewest."""
    for less in range(1, sum(room) * len(pages)):
        tried = _filled(lines, room, less, len(pages))
        if len(tried) > len(pages):
            break
        pages = tried
    return pages
