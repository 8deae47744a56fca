"""A filled paper sheet, typed in as one line: the ranks in the order of the seats, then the strokes.

For a table of six, all of these lines mean the same:

    341624 102001
    3 4 1 6 2 4  1 0 2 0 0 1
    3 4 1 6 2 4 / 1 0 2 0 0 1

On sheets of plus and minus it holds the points in the order of the seats, then the supervisor's initials: 16 -4 -8 -4 AB.

A single 0 stands for no strokes at all, a dash for a 0. If there is a third part, it holds the strokes for Feuer, and
the second those for Schnauz. On paper the tally does not tell them apart, and they count the same (RULES 1.9).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from scoring.core.entries import Data
from tournaments.core.refusal import Refusal

LONGEST_LINE = 200
MOST_STROKES = 40
MARKS = ("schnauz", "feuer")

Draft = tuple[str, Data]


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """The contents of a paper sheet: by seat, the rank and the strokes of each mark."""

    ranks: dict[int, int]
    strokes: dict[str, dict[int, int]]

    def drafts(self) -> list[Draft]:
        """Return the equivalent facts of a table sheet."""
        drafts: list[Draft] = [("ranked", {"ranks": {str(seat): rank for seat, rank in self.ranks.items()}})]
        for mark, by_seat in self.strokes.items():
            for seat, count in by_seat.items():
                drafts += [("stroke", {"seat_number": seat, "mark": mark})] * count
        return drafts


def read_line(line: str, seats: Sequence[int]) -> PaperSheet:
    """Parse a typed line.

    Raises Refusal paper_unreadable (text), paper_ranks_count (given, needed), paper_strokes_missing,
    paper_strokes_count (given, needed), paper_too_much and paper_too_many_strokes (most). The sheet, not this
    function, checks that the ranks form a ranking.
    """
    ranks, *tallies = _parts(line[: LONGEST_LINE + 1], len(seats))
    if len(ranks) != len(seats):
        raise Refusal("paper_ranks_count", given=len(ranks), needed=len(seats))
    if not tallies:
        raise Refusal("paper_strokes_missing")
    if len(tallies) > len(MARKS):
        raise Refusal("paper_too_much")
    strokes = {mark: _by_seat(tally, seats) for mark, tally in zip(MARKS, tallies, strict=False)}
    return PaperSheet(dict(zip(seats, ranks, strict=True)), strokes)


def read_points(line: str, seats: Sequence[int]) -> tuple[dict[int, int], str]:
    """Parse the points by seat, and the initials behind them; "" without any.

    Raises Refusal paper_points_unreadable (text) and paper_points_count (given, needed).
    """
    text = re.sub(r"([+-])\s*(?=[0-9])", r" \1", re.sub(r"[−–—]", "-", line[:LONGEST_LINE]))
    words = re.findall(r"[^\s,;/|]+", text)
    points = [int(word) for word in takewhile(re.compile(r"[+-]?[0-9]{1,5}").fullmatch, words)]
    initials = words[len(points) :]
    bad = next((word for word in initials if re.search(r"[0-9+-]", word)), None)
    if bad is not None:
        raise Refusal("paper_points_unreadable", text=bad[:20])
    if len(points) != len(seats):
        raise Refusal("paper_points_count", given=len(points), needed=len(seats))
    return dict(zip(seats, points, strict=True)), " ".join(initials)


def _by_seat(tally: list[int], seats: Sequence[int]) -> dict[int, int]:
    counts = tally * len(seats) if tally == [0] else tally
    if len(counts) != len(seats):
        raise Refusal("paper_strokes_count", given=len(counts), needed=len(seats))
    if max(counts) > MOST_STROKES:
        raise Refusal("paper_too_many_strokes", most=MOST_STROKES)
    return dict(zip(seats, counts, strict=True))


def _parts(line: str, size: int) -> list[list[int]]:
    """Return the numbers of each part; the first part has the ranks and may be empty."""
    text = re.sub(r"[-–—]", "0", line)
    bad = re.search(r"[^0-9\s,;./|]+", text, re.ASCII)
    if bad:
        raise Refusal("paper_unreadable", text=bad[0][:20])
    sections = [re.findall(r"[0-9]+", section) for section in re.split(r"[/|]", text)]
    if len(sections) > 1:
        return [_numbers(tokens, size) for tokens in sections]
    return _parts_of(sections[0], size)


def _numbers(tokens: list[str], size: int) -> list[int]:
    """Return numbers written one by one, or as one run of digits."""
    if len(tokens) == 1 and len(tokens[0]) == size:
        return [int(digit) for digit in tokens[0]]
    return [_number(token) for token in tokens]


def _parts_of(tokens: list[str], size: int) -> list[list[int]]:
    """Divide the tokens of a line without part separators into parts by their length."""
    parts: list[list[int]] = []
    while tokens:
        digits = [int(digit) for digit in tokens[0]]
        if len(digits) % size == 0 and (size > 2 or not parts):
            parts += [digits[start : start + size] for start in range(0, len(digits), size)]
            tokens = tokens[1:]
        elif len(digits) > 2:  # no number is that large: a run of digits, too many or too few
            parts.append(digits)
            tokens = tokens[1:]
        else:
            parts.append([_number(token) for token in tokens[:size]])
            tokens = tokens[size:]
    return parts or [[]]


def _number(token: str) -> int:
    """Return a number. Only five digits are read, which already make it too large for anything."""
    return int(token[:5])
