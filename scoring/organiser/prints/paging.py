"""Lists cut into printed pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list; `columns` side by side, each with its own rows."""

    number: int
    of: int
    columns: tuple[tuple[T, ...], ...]

    @property
    def rows(self) -> tuple[T, ...]:
        return tuple(row for column in self.columns for row in column)

    @property
    def is_first(self) -> bool:
        return self.number == 1

    @property
    def is_last(self) -> bool:
        return self.number == self.of


def numbered(pages: Sequence[tuple[tuple[T, ...], ...]]) -> list[Page[T]]:
    """Return the pages, each with its number and their count."""
    return [Page(number, len(pages), columns) for number, columns in enumerate(pages, start=1)]


def chunks(rows: Sequence[T], size: int) -> list[tuple[T, ...]]:
    """Return the rows in runs of `size`; the last run may be shorter."""
    return [tuple(rows[start : start + size]) for start in range(0, len(rows), size)]


def paged(rows: Sequence[T], size: int) -> list[Page[T]]:
    """Return the pages of one column, each with `size` rows; the last may have fewer."""
    return numbered([(run,) for run in chunks(rows, size)])


def shares(rows: Sequence[T], parts: int) -> list[tuple[T, ...]]:
    """Return the rows in `parts` runs of nearly the same length, longer ones first."""
    size, more = divmod(len(rows), parts)
    starts = [part * size + min(part, more) for part in range(parts + 1)]
    return [tuple(rows[start:end]) for start, end in pairwise(starts)]
