"""Rows of the players' page, as template tags (scoring/public/row_makers.py)."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from operator import attrgetter

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from scoring.public.bars import bar, bar_scale
from scoring.public.pieces import inner_key, marked_piece
from scoring.public.row_makers import INNER, Fragments, RowMaker, leader_class, row_pieces
from scoring.queries.public_seats import PublicSeat
from scoring.queries.public_view import PublicTable, PublicView
from scoring.queries.standings import StandingsRow
from scoring.templatetags.ranking import tally
from scoring.text.entries import figure
from scoring.text.tie_breaks import tie_note

register = template.Library()


@register.simple_block_tag
def piece(content: SafeString, key: str) -> SafeString:
    """Mark an element with a fixed place as a piece."""
    return mark_safe(marked_piece(key, content.strip()))


@register.simple_tag
def standings_rows(view: PublicView, most: int | None = None) -> SafeString:
    """Return the body of the standings: a row for each player, or for the first so many."""
    is_knockout = view.leaderboard.is_knockout
    scale = 0 if is_knockout else bar_scale(row.points for row in view.rows)
    maker = _StandingsRows(is_knockout, view.round.number if view.round else 0, scale)
    return row_pieces(maker, view.rows[:most], "standings", view.tournament.slug)


_OF_THE_PLACE = ("rank", "tied", "note", "broken_by")
_own_values = attrgetter(*(field.name for field in fields(StandingsRow) if field.name not in _OF_THE_PLACE))


@dataclass(frozen=True)
class _StandingsRows(RowMaker[StandingsRow]):
    """The rank is an inner piece: one result changes the ranks of many others."""

    is_knockout: bool
    rounds: int
    scale: int

    @cached_property
    def fragments(self) -> Fragments:
        return Fragments()

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
            f'<tr id="{self.key(row)}" data-piece{leader_class(row)}>{INNER}'
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
            notes += f' <small class="standings__note narrow-only">{label} {points}</small>'
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
    return row_pieces(maker, view.round.tables, "tables", slug)


@dataclass(frozen=True)
class _TableCards(RowMaker[PublicTable]):
    slug: str
    round_number: int
    is_closed: bool
    names_scribes: bool
    lives: int | None

    @cached_property
    def fragments(self) -> Fragments:
        return Fragments()

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
    return mark_safe(_Seats(Fragments(), names_scribes=view.names_scribes, of=of).html(table, chosen))


class _Seats:
    """Players of a table; the scribe is marked where it is not always seat 1. of: the lives at the start, if players have any."""

    def __init__(self, fragments: Fragments, *, names_scribes: bool, of: int | None) -> None:
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
        missing = " data-missing" if seat.is_missing else ""
        marked, scribe = (" seat--scribe", self.scribe) if seat.is_scribe else ("", "")
        number = f'<span class="seat__start">{self.fragments.number(seat.start_number)}</span>'
        more = "" if seat.is_number else number
        if self.of:  # a line of its own, so that nothing moves when lives come and go
            more = f'<span class="seat__more">{more} {lives}</span>'
        return (
            f'<li class="seat{marked}" data-player="{seat.start_number}"{chosen}{missing}>'
            f'<span class="seat__number">{seat.seat_number}</span> '
            f'<span class="seat__name">{shown} {scribe}</span> {more}</li>'
        )


def _scribe() -> str:
    icon, writes = render_to_string("_icon.html", {"name": "pen"}), escape(gettext("schreibt die Tischliste"))
    return f'<span class="seat__scribe">{icon}<span class="visually-hidden">{writes}</span></span> '
