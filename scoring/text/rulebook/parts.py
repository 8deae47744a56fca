"""Parts of a rules page."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tournaments.text.sentences import sentence_maker


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

_title = sentence_maker(__file__, "titles")


def section(
    key: str,
    says: Iterable[str] = (),
    *,
    title: str = "",
    terms: Iterable[tuple[str, str]] = (),
    table: Figures | None = None,
) -> Section | None:
    """Return the section; None without content. title: the key of its title, if that is another one."""
    made = Section(key, _title(title or key), tuple(says), terms=tuple(terms), table=table)
    return made if made.says or made.terms or made.table else None
