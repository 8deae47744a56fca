"""Earlier years as clubs paste them, line by line: honours, and the table of an evening."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tournaments.core.names import clean_person_name, clean_text
from tournaments.core.refusal import Refusal

MOST_LINES = 1000
EARLIEST, LATEST = 1800, 2200
_BETWEEN = re.compile(r"[;\t]")
_NUMBER = re.compile(r"[+−-]?\d{1,6}")


class TypedHonour(NamedTuple):
    """An honour. title: "" for the winner of the year."""

    year: int
    name: str
    title: str


class TypedResult(NamedTuple):
    """A line of an evening's table."""

    rank: int
    name: str
    points: int
    shared: bool = False


def typed_honours(text: str) -> list[TypedHonour]:
    """Return the honours of lines such as "1998; Name" or "1998; Name; Vereinsmeister".

    Refuses typed_line_bad (line), typed_too_long (most), and what a name refuses.
    """
    return [
        TypedHonour(_number(cells[0], line, EARLIEST, LATEST), clean_person_name(cells[1]), _title(cells))
        for line, cells in _lines(text, least=2)
    ]


def typed_results(text: str) -> list[TypedResult]:
    """Return the results of lines such as "1; Name; 18", in the order of their ranks.

    Refuses typed_line_bad (line), typed_too_long (most), typed_ranks_bad (rank): so many are not in front, and what a name refuses.
    """
    lines = [
        TypedResult(
            _number(cells[0], line, 1, MOST_LINES),
            clean_person_name(cells[1]),
            _number(cells[2], line, -(10**6), 10**6),
        )
        for line, cells in _lines(text, least=3)
    ]
    at_rank, ahead = Counter(line.rank for line in lines), 0
    for rank, count in sorted(at_rank.items()):
        if rank != ahead + 1:
            raise Refusal("typed_ranks_bad", rank=rank)
        ahead += count
    return sorted(line._replace(shared=at_rank[line.rank] > 1) for line in lines)


def _lines(text: str, *, least: int) -> Iterator[tuple[int, list[str]]]:
    """Yield number and cells of each line that is not blank, three cells at most."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) > MOST_LINES:
        raise Refusal("typed_too_long", most=MOST_LINES)
    for number, line in lines:
        cells = [cell.strip() for cell in _BETWEEN.split(line)]
        if not least <= len(cells) <= 3:
            raise Refusal("typed_line_bad", line=number)
        yield number, cells


def _number(cell: str, line: int, least: int, most: int) -> int:
    if not _NUMBER.fullmatch(cell.rstrip(".")):
        raise Refusal("typed_line_bad", line=line)
    number = int(cell.rstrip(".").replace("−", "-"))
    if not least <= number <= most:
        raise Refusal("typed_line_bad", line=line)
    return number


def _title(cells: list[str]) -> str:
    return clean_text("".join(cells[2:]), most=120)
