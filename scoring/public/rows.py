"""Rows of the public pages, of which there are as many as players.

Python writes them, in f-strings: Jinja2 templates of the same bytes take about twice as long, `format_html` three to
five times (bench/rows.py). The page around the rows is a template.

Nothing escapes by itself here. An f-string takes numbers, constants, what another function of this module returned, and
texts that went through `escape`, whether they were translated or typed by a person (tests/scoring/public/test_rows.py).

A row is a function of its own values and of the fields of its maker, so an unchanged row is not written again
(scoring/public/kept_rows.py).
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from operator import attrgetter
from typing import Generic, TypeVar

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from scoring.public.bars import bar, bar_scale, bar_step
from scoring.public.kept_rows import kept_rows
from scoring.public.pieces import inner_key, marked_piece
from scoring.public.tiles import tile
from scoring.public.wall import WallPage
from scoring.queries.public_view import PublicSeat, PublicTable, PublicTableState, PublicView
from scoring.queries.standings import Reached, StandingsRow
from scoring.templatetags.ranking import rank, tally
from scoring.text.entries import figure
from scoring.text.tables import table_state
from scoring.text.tie_breaks import tie_note
from tournaments.core.names import cut_name

register = template.Library()

Row = TypeVar("Row")

INNER = "\0"

_LONGEST_NAME, _LONGEST_NAME_WITH_NUMBER = 17, 10
"""Characters of a name that fit beside table and seat in half the width of the wall."""


class _Maker(ABC, Generic[Row]):
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


def _pieces(maker: _Maker[Row], rows: Iterable[Row], in_list: str, slug: str) -> SafeString:
    """Return the rows as the pieces of a list."""
    name = (slug, get_language(), maker)
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


@register.simple_block_tag
def piece(content: SafeString, key: str) -> SafeString:
    """Mark an element with a fixed place as a piece."""
    return mark_safe(marked_piece(key, content.strip()))


# --- fragments -----------------------------------------------------------------------------------------------------


class _Fragments:
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


def _leader(row: StandingsRow) -> str:
    return ' class="is-leader"' if row.rank == 1 else ""


# --- the players' page ---------------------------------------------------------------------------------------------


@register.simple_tag
def standings_rows(view: PublicView, most: int | None = None) -> SafeString:
    """Return the body of the standings: a row for each player, or for the first so many."""
    is_knockout = view.leaderboard.is_knockout
    scale = 0 if is_knockout else bar_scale(row.points for row in view.rows)
    maker = _StandingsRows(is_knockout, view.round.number if view.round else 0, scale)
    return _pieces(maker, view.rows[:most], "standings", view.tournament.slug)


_OF_THE_PLACE = ("rank", "tied", "note", "broken_by")
_own_values = attrgetter(*(field.name for field in fields(StandingsRow) if field.name not in _OF_THE_PLACE))


@dataclass(frozen=True)
class _StandingsRows(_Maker[StandingsRow]):
    """The rank is an inner piece: one result changes the ranks of many others."""

    is_knockout: bool
    rounds: int
    scale: int

    @cached_property
    def fragments(self) -> _Fragments:
        return _Fragments()

    @cached_property
    def withdrawn(self) -> str:
        return escape(gettext("nach Hause gegangen"))

    @cached_property
    def by_round(self) -> str:
        return escape(gettext("Punkte je Spielrunde:"))

    def key(self, row: StandingsRow) -> str:
        return f"p{row.start_number}"

    def values(self, row: StandingsRow) -> object:
        place = (row.rank, row.note, row.broken_by) if row.rank == 1 or row.explains else ()
        return (*_own_values(row), place)

    def inner(self, row: StandingsRow) -> tuple[str, str]:
        return inner_key(self.key(row)), f"<td data-piece>{self.fragments.rank(row.rank, row.tied)}</td>"

    def html(self, row: StandingsRow) -> str:
        figures = ["–" if points is None else figure(points) for points in row.by_round[: self.rounds]]
        by_round = "".join([f'<td class="num wide-only">{points}</td>' for points in figures])
        return (
            f'<tr id="{self.key(row)}" data-piece{_leader(row)}>{INNER}'
            f'<th scope="row" class="main">{self._name(row)}{bar(row.points, self.scale)}'
            f"{self._notes(row, figures)}</th>{by_round}{self._score(row)}{self.fragments.tallies(row.tallies)}</tr>"
        )

    def _name(self, row: StandingsRow) -> str:
        name = escape(row.name)
        if row.is_number:
            return name
        return f'{name} <small class="nowrap">{self.fragments.number(row.start_number)}</small>'

    def _notes(self, row: StandingsRow, figures: Sequence[str]) -> str:
        """Return the lines below the name. figures: the points of each round, for pages too narrow for columns."""
        notes = ""
        if row.withdrawn:
            notes += f' <small class="standings__note">{self.withdrawn}</small>'
        if row.explains:
            note = escape(tie_note(row.note, row.broken_by))
            notes += f' <small class="standings__note">{note}</small>'
        if not self.is_knockout:
            label = f'<span class="visually-hidden">{self.by_round}</span>'
            points = " · ".join(figures)
            notes += f' <small class="standings__note narrow-only nowrap">{label} {points}</small>'
        return notes

    def _score(self, row: StandingsRow) -> str:
        if not self.is_knockout:
            return f'<td class="num"><strong>{figure(row.points)}</strong></td>'
        reached = self.fragments.reached(row.reached)
        return f"<td><strong>{reached}</strong></td>" if row.reached else f"<td>{reached}</td>"


@register.simple_tag
def table_cards(view: PublicView) -> SafeString:
    """Return the tables of the released round, each with its players."""
    assert view.round is not None
    slug = view.tournament.slug
    lives = view.tournament.rules.sheet.lives
    maker = _TableCards(slug, view.round.number, view.round.is_closed, view.names_scribes, lives)
    return _pieces(maker, view.round.tables, "tables", slug)


@dataclass(frozen=True)
class _TableCards(_Maker[PublicTable]):
    slug: str
    round_number: int
    is_closed: bool
    names_scribes: bool
    lives: int | None

    @cached_property
    def fragments(self) -> _Fragments:
        return _Fragments()

    @cached_property
    def seats(self) -> "_Seats":
        return _Seats(self.fragments, names_scribes=self.names_scribes, of=self.lives)

    @cached_property
    def title(self) -> str:
        return escape(gettext("Tisch %(number)s"))

    @cached_property
    def strokes(self) -> str:
        return escape(gettext("Striche"))

    def key(self, table: PublicTable) -> str:
        return f"table-{table.number}"

    def html(self, table: PublicTable) -> str:
        return (
            f'<li class="table-card" id="{self.key(table)}" data-piece>'
            f'<header class="table-card__head"><h3>{self._title(table)}</h3>{self._badge(table)}</header>'
            f'<ol class="seats">{self.seats.html(table)}</ol>{self._foot(table)}</li>'
        )

    def _title(self, table: PublicTable) -> str:
        title = self.title % {"number": table.number}
        if not table.is_done:
            return title
        return f'<a href="{_sheet_address(self.slug, self.round_number, table.number)}">{title}</a>'

    def _badge(self, table: PublicTable) -> str:
        if self.is_closed:
            return ""
        state = escape("open" if table.state == "playing" else table.state)
        return f' <span class="badge" data-state="{state}">{self.fragments.state(table.state)}</span>'

    def _foot(self, table: PublicTable) -> str:
        if table.strokes is None:
            return ""
        strokes = (
            tally(table.strokes) if table.strokes else "–"
        )  # there from the start, so that nothing moves
        return f'<footer class="table-card__foot"><span>{self.strokes}</span> {strokes}</footer>'


def _sheet_address(slug: str, round_number: int, table: int) -> SafeString:
    return escape(reverse("public:sheet", args=[slug, round_number, table]))


@register.simple_tag
def seats(table: PublicTable, view: PublicView, chosen: int | None = None) -> SafeString:
    """Return the players of a table. chosen: the start number to be pointed out."""
    of = view.tournament.rules.sheet.lives
    return mark_safe(_Seats(_Fragments(), names_scribes=view.names_scribes, of=of).html(table, chosen))


class _Seats:
    """Players of a table; the scribe is marked where it is not always seat 1. of: the lives at the start, if players have any."""

    def __init__(self, fragments: _Fragments, *, names_scribes: bool, of: int | None) -> None:
        self.fragments = fragments
        self.of = of
        self.scribe = _scribe() if names_scribes else ""

    def html(self, table: PublicTable, chosen: int | None = None) -> str:
        lives = {seat: self.fragments.lives(left, self.of) for seat, left in table.lives} if self.of else {}
        return "".join(
            [
                self._seat(seat, lives.get(seat.seat_number, ""), is_chosen=seat.start_number == chosen)
                for seat in table.seats
            ]
        )

    def _seat(self, seat: PublicSeat, lives: str, *, is_chosen: bool) -> str:
        name = escape(seat.name)
        shown = f"<strong>{name}</strong>" if is_chosen else name
        chosen = ' data-chosen="true"' if is_chosen else ""
        marked, scribe = (" seat--scribe", self.scribe) if seat.is_scribe else ("", "")
        number = f'<span class="seat__start">{self.fragments.number(seat.start_number)}</span>'
        more = "" if seat.is_number else number
        if self.of:  # a line of its own, so that nothing moves when lives come and go
            more = f'<span class="seat__more">{more} {lives}</span>'
        return (
            f'<li class="seat{marked}" data-player="{seat.start_number}"{chosen}>'
            f'<span class="seat__number">{seat.seat_number}</span> '
            f'<span class="seat__name">{shown} {scribe}</span> {more}</li>'
        )


def _scribe() -> str:
    icon, writes = render_to_string("_icon.html", {"name": "pen"}), escape(gettext("schreibt die Tischliste"))
    return f'<span class="seat__scribe">{icon}<span class="visually-hidden">{writes}</span></span> '


# --- the wall ------------------------------------------------------------------------------------------------------


@register.simple_tag
def wall_standings_rows(page: WallPage, view: PublicView) -> SafeString:
    """Return the rows of a page of the standings."""
    return _pieces(_WallStanding.of(view), page.rows, page.key, view.tournament.slug)


@register.simple_tag
def wall_seating_rows(column: int, page: WallPage, view: PublicView) -> SafeString:
    """Return the rows of a column: players with their table, and with their seat unless they only go on from there.

    column: its number, from 0.
    """
    maker = _WallSeat.of(view, with_seat=page.kind != "onward")
    return _pieces(maker, page.columns[column], f"{page.key}-{column}", view.tournament.slug)


@register.simple_tag
def wall_play_rows(page: WallPage, view: PublicView) -> SafeString:
    """Return the tiles of a page of tables in play."""
    return _pieces(_WallTable(), page.rows, page.key, view.tournament.slug)


@dataclass(frozen=True)
class _WallRows:
    """What the rows of all kinds share."""

    namesakes: frozenset[str]

    @cached_property
    def fragments(self) -> _Fragments:
        return _Fragments()

    def name(self, player: StandingsRow | PublicSeat) -> str:
        return self.with_number(player, escape(player.name))

    def with_number(self, player: StandingsRow | PublicSeat, shown: SafeString) -> str:
        """Return what is shown of a name, for namesakes with the start number."""
        if player.name not in self.namesakes:
            return shown
        return f'{shown} <small class="wall-number">{self.fragments.number(player.start_number)}</small>'


@dataclass(frozen=True)
class _WallStanding(_WallRows, _Maker[StandingsRow]):
    """scale: the points of a bar as long as the row; 0 without bars."""

    is_knockout: bool
    scale: int

    @classmethod
    def of(cls, view: PublicView) -> "_WallStanding":
        is_knockout = view.leaderboard.is_knockout
        scale = 0 if is_knockout else bar_scale(row.points for row in view.rows)
        return cls(view.namesakes, is_knockout, scale)

    @cached_property
    def shared(self) -> str:
        return escape(gettext("(geteilt)"))

    @cached_property
    def moves(self) -> tuple[str, str]:
        return escape(gettext("vor")), escape(gettext("zurück"))

    def key(self, row: StandingsRow) -> str:
        return f"p{row.start_number}"

    def html(self, row: StandingsRow) -> str:
        size = " board__name--long" if row.is_long else ""
        played = " data-played" if row.has_played else ""
        return (
            f'<tr data-piece="{self.key(row)}" data-number="{row.start_number}" data-rank="{row.rank}"{played}{self._bar(row)}{_leader(row)}>'
            f'<td class="board__rank">{self._place(row)}</td>'
            f'<th scope="row" class="board__name{size}"><span class="board__line">'
            f'<span class="board__who">{self.name(row)}</span>{self._move(row)}</span></th>'
            f"{self._score(row)}{self.fragments.tallies(row.tallies)}</tr>"
        )

    def _bar(self, row: StandingsRow) -> str:
        return f' data-bar="{bar_step(row.points, self.scale)}"' if self.scale else ""

    def _move(self, row: StandingsRow) -> str:
        """Return the ranks gained or lost since the round before. If none, the script fills in the latest change."""
        if not row.moved:
            return '<span class="move" data-move="same"></span>'
        way, sign, word = ("up", "▲", self.moves[0]) if row.moved > 0 else ("down", "▼", self.moves[1])
        return f'<span class="move" data-move="{way}" data-since-round>{sign} {abs(row.moved)} {word}</span>'

    def _place(self, row: StandingsRow) -> str:
        if not row.tied:
            return f"{row.rank}."
        shared = f'<span class="visually-hidden"> {self.shared}</span>'
        return f'{row.rank}<span class="board__tie" aria-hidden="true">=</span>{shared}'

    def _score(self, row: StandingsRow) -> str:
        if self.is_knockout:
            return f'<td class="points">{self.fragments.reached(row.reached)}</td>'
        return f'<td class="num points">{figure(row.points)}</td>'


@dataclass(frozen=True)
class _WallSeat(_WallRows, _Maker[PublicSeat]):
    with_seat: bool

    @classmethod
    def of(cls, view: PublicView, *, with_seat: bool) -> "_WallSeat":
        """Return the maker. Names that are alike once they are cut count as namesakes."""
        assert view.round is not None
        cut = Counter(cut_name(seat.name, _LONGEST_NAME) for seat in view.round.seats)
        alike = {seat.name for seat in view.round.seats if cut[cut_name(seat.name, _LONGEST_NAME)] > 1}
        return cls(view.namesakes | alike, with_seat)

    def key(self, seat: PublicSeat) -> str:
        return f"s{seat.start_number}"

    def html(self, seat: PublicSeat) -> str:
        place = f'<td class="num">{seat.seat_number}</td>' if self.with_seat else ""
        most = _LONGEST_NAME_WITH_NUMBER if seat.name in self.namesakes else _LONGEST_NAME
        name = self.with_number(seat, escape(cut_name(seat.name, most)))
        return (
            f'<tr data-piece="{self.key(seat)}"><td class="board__table">{seat.table_number}</td>'
            f'<th scope="row" class="board__name board__name--long">{name}</th>{place}</tr>'
        )


@dataclass(frozen=True)
class _WallTable(_Maker[PublicTable]):
    def key(self, table: PublicTable) -> str:
        return f"t{table.number}"

    def html(self, table: PublicTable) -> str:
        return tile(table, self.key(table))
