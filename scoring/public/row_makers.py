"""Writers of the rows of the public pages, of which there are as many as players.

Python writes them, in f-strings: Jinja2 templates of the same bytes take about twice as long, `format_html` three to
five times (bench/rows.py). The page around the rows is a template.

Nothing escapes by itself here. An f-string takes numbers, constants, what another function that writes rows returned, and
texts that went through `escape`, whether they were translated or typed by a person (tests/scoring/public/test_rows.py).

A row is a function of its own values and of the fields of its maker, so an unchanged row is not written again
(scoring/public/kept_rows.py).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Generic, TypeVar

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from scoring.public.kept_rows import kept_rows
from scoring.public.pieces import marked_piece
from scoring.queries.public_view import PublicTableState
from scoring.queries.standings import Reached, StandingsRow
from scoring.templatetags.ranking import rank
from scoring.text.tables import table_state

Row = TypeVar("Row")

INNER = "\0"


@dataclass(frozen=True)
class RowMaker(ABC, Generic[Row]):
    """Writer of the rows of a list. Equal makers write the same HTML for rows of equal values."""

    @abstractmethod
    def key(self, row: Row) -> str:
        """Return the key of the row among those of its list."""

    def values(self, row: Row) -> object:
        """Return what the HTML of the row depends on."""
        return row

    @abstractmethod
    def html(self, row: Row) -> str:
        """Return the row, with INNER in place of the inner piece."""

    def inner(self, _row: Row) -> tuple[str, str]:
        """Return key and HTML of the inner piece, if any. It does not depend on the values of the row alone."""
        return "", ""


def row_pieces(maker: RowMaker[Row], rows: Iterable[Row], in_list: str, slug: str) -> SafeString:
    """Return the rows as the pieces of a list."""
    name = (slug, get_language(), replace(maker))  # without what it has put together meanwhile
    known, is_written = kept_rows.of(name), False
    marked = []
    for row in rows:
        key, values = maker.key(row), maker.values(row)
        shown = known.get(key)
        if shown is None or (shown[0] is not values and shown[0] != values):
            before, _, after = maker.html(row).partition(INNER)
            shown, is_written = (values, before, after), True
            known[key] = shown
        marked.append(marked_piece(key, shown[1], in_list, inner=maker.inner(row), after=shown[2]))
    if is_written:
        kept_rows.keep(name, known)
    return mark_safe("".join(marked))


class Fragments:
    """HTML that the rows of one rendering share: each fragment is made once, in the language of the rendering."""

    def __init__(self) -> None:
        self._number = escape(gettext("Nr. %(number)s"))
        self.rank = cache(rank)
        self.state = cache(_state)
        self.reached = cache(_reached)
        self.tallies = cache(_tallies)
        self.lives = cache(_lives)

    def number(self, start_number: int) -> str:
        return self._number % {"number": start_number}


def _state(state: PublicTableState) -> SafeString:
    return escape(table_state(state))


def _reached(reached: Reached | None) -> SafeString:
    return render_to_string("scoring/_reached.html", {"reached": reached}) if reached else mark_safe("–")


def _tallies(tallies: Sequence[tuple[str, str]]) -> str:
    """Return the cells beside the points."""
    return "".join([f'<td class="num">{escape(value)}</td>' for _name, value in tallies])


def _lives(left: int | None, of: int) -> SafeString:
    """Return what is left of the lives. left: None for who is out."""
    return mark_safe(render_to_string("scoring/public/_lives.html", {"left": left, "of": of}).strip())


def leader_class(row: StandingsRow) -> str:
    return ' class="is-leader"' if row.rank == 1 else ""
