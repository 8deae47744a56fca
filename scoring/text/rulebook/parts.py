"""Parts of a rules page."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Figures:
    """A table: a heading for each column, and rows that begin with their subject. circled: places of rows with a circle."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    circled: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with sentences, terms with their meaning, and a table, as far as there are any."""

    key: str
    title: str
    says: tuple[str, ...]
    terms: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    table: Figures | None = field(default=None, kw_only=True)


Sentences = Iterator[str]


def section(
    key: str,
    title: str,
    says: Iterable[str],
    *,
    terms: Iterable[tuple[str, str]] = (),
    table: Figures | None = None,
) -> Section | None:
    """Return the section; None without content."""
    made = Section(key, title, tuple(says), terms=tuple(terms), table=table)
    return made if made.says or made.terms or made.table else None
