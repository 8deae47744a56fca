"""Rows of the hall's pages, of which there are as many as players: put together here, since a template costs twenty
times as much for each of them. What they stand in, and every word but the shortest, is in the templates.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from scoring.templatetags.ranking import rank, tally
from scoring.text.entries import figure
from scoring.text.tables import table_state
from scoring.text.tie_breaks import tie_note

register = template.Library()


class _Words:
    """What stands in the rows again and again, rendered once; and how a number is written beside a name."""

    def __init__(self) -> None:
        self._rendered: dict[tuple[str, Any], str] = {}
        self._number = gettext("Nr. %(number)s")
        self.withdrawn = gettext("nach Hause gegangen")
        self.by_round = gettext("Punkte je Spielrunde:")
        self.shared = gettext("(geteilt)")
        self.up, self.down = gettext("vor"), gettext("zurück")
        self._writes = gettext("schreibt die Tischliste")

    def number(self, start_number: int) -> str:
        return self._number % {"number": start_number}

    def scribe(self) -> str:
        icon = self._once("_icon.html", "name", "pen")
        return f'<span class="seat__scribe">{icon}<span class="visually-hidden">{self._writes}</span></span> '

    def state(self, state: str) -> str:
        return table_state(state)

    def note(self, row: Any) -> str:
        return tie_note(row.note, row.broken_by)

    def reached(self, reached: Any) -> str:
        return self._once("scoring/_reached.html", "reached", reached) if reached else "–"

    def _once(self, name: str, variable: str, value: Any) -> str:
        if (name, value) not in self._rendered:
            self._rendered[name, value] = render_to_string(name, {variable: value})
        return self._rendered[name, value]


def _joined(row: Callable[..., str], rows: Iterable[Any]) -> SafeString:
    return mark_safe("".join(map(row, rows)))


# --- the players' page ---------------------------------------------------------------------------------------------


@register.simple_tag
def standings_rows(view: Any) -> SafeString:
    """The body of the standings (_standings.html): a row for each player."""
    return _joined(_StandingsRow(view).html, view.rows)


class _StandingsRow:
    def __init__(self, view: Any) -> None:
        self.words = _Words()
        self.is_knockout = view.leaderboard.is_knockout
        self.rounds = view.round.number if view.round else 0

    def html(self, row: Any) -> str:
        by_round = ["–" if one is None else figure(one) for one in row.by_round[: self.rounds]]
        leader = ' class="is-leader"' if row.rank == 1 else ""
        points = "".join(f'<td class="num wide-only">{one}</td>' for one in by_round)
        tallies = "".join(f'<td class="num">{value}</td>' for _name, value in row.tallies)
        return (
            f'<tr{leader}><td>{rank(row.rank, row.tied)}</td><th scope="row" class="main">{self._name(row)}'
            f"{self._notes(row, by_round)}</th>{points}{self._score(row)}{tallies}</tr>\n"
        )

    def _name(self, row: Any) -> str:
        number = f' <small class="nowrap">{self.words.number(row.start_number)}</small>'
        return escape(row.name) + ("" if row.is_number else number)

    def _notes(self, row: Any, by_round: list[str]) -> str:
        notes = [("", self.words.withdrawn)] if row.withdrawn else []
        if row.explains:
            notes.append(("", self.words.note(row)))
        if not self.is_knockout:
            label = f'<span class="visually-hidden">{self.words.by_round}</span>'
            notes.append((" narrow-only nowrap", f"{label} {' · '.join(by_round)}"))
        return "".join(f' <small class="standings__note{kind}">{note}</small>' for kind, note in notes)

    def _score(self, row: Any) -> str:
        if not self.is_knockout:
            return f'<td class="num"><strong>{figure(row.points)}</strong></td>'
        reached = self.words.reached(row.reached)
        return f"<td><strong>{reached}</strong></td>" if row.reached else f"<td>{reached}</td>"


@register.simple_tag
def table_cards(view: Any) -> SafeString:
    """The tables of the round (_seating.html), each with its players."""
    return _joined(TableCard(view).html, view.round.tables)


class TableCard:
    """A table of a hall's round; its id is the same in every version of it."""

    def __init__(self, view: Any) -> None:
        self.words = _Words()
        self.is_closed = view.round.is_closed
        self.address = partial(_sheet_address, view.tournament.slug, view.round.number)
        self.seats = _Seats(view, self.words)
        self.title = gettext("Tisch %(number)s")
        self.strokes = gettext("Striche")

    @staticmethod
    def id(table: Any) -> str:
        return f"table-{table.number}"

    def html(self, table: Any) -> str:
        return (
            f'<li class="table-card" id="{self.id(table)}"><header class="table-card__head">'
            f"<h3>{self._title(table)}</h3>{self._badge(table)}</header>"
            f'<ol class="seats">{self.seats.html(table)}</ol>{self._foot(table)}</li>\n'
        )

    def _title(self, table: Any) -> str:
        title = self.title % {"number": table.number}
        return f'<a href="{self.address(table.number)}">{title}</a>' if table.is_done else title

    def _badge(self, table: Any) -> str:
        if self.is_closed:
            return ""
        state = "open" if table.state == "playing" else table.state
        return f' <span class="badge" data-state="{state}">{self.words.state(table.state)}</span>'

    def _foot(self, table: Any) -> str:
        if not table.strokes:
            return ""
        return f'<footer class="table-card__foot"><span>{self.strokes}</span> {tally(table.strokes)}</footer>'


def _sheet_address(slug: str, round_number: int, table: int) -> str:
    return reverse("public:sheet", args=[slug, round_number, table])


@register.simple_tag
def seats(table: Any, view: Any, chosen: int | None = None) -> SafeString:
    """Who sits at a table. chosen: the start number to be pointed out."""
    return mark_safe(_Seats(view, _Words()).html(table, chosen))


class _Seats:
    """The players of a table, and who of them writes, where it is not always the first."""

    def __init__(self, view: Any, words: _Words) -> None:
        self.words = words
        self.names_scribes = view.names_scribes

    def html(self, table: Any, chosen: int | None = None) -> str:
        return "".join(self._seat(seat, is_chosen=seat.start_number == chosen) for seat in table.seats)

    def _seat(self, seat: Any, *, is_chosen: bool) -> str:
        scribe = " seat--scribe" if seat.is_scribe else ""
        data = ' data-chosen="true"' if is_chosen else ""
        name = f"<strong>{escape(seat.name)}</strong>" if is_chosen else escape(seat.name)
        writes = self.words.scribe() if seat.is_scribe and self.names_scribes else ""
        number = f'<span class="seat__start">{self.words.number(seat.start_number)}</span>'
        return (
            f'<li class="seat{scribe}"{data}><span class="seat__number">{seat.seat_number}</span> '
            f'<span class="seat__name">{name} {writes}</span> {"" if seat.is_number else number}</li>'
        )


# --- the wall ------------------------------------------------------------------------------------------------------


@register.simple_tag
def wall_standings_rows(page: Any, view: Any) -> SafeString:
    """The rows of one picture of the wall (_screen.html)."""
    return _joined(_WallRow(view).standing, page.rows)


@register.simple_tag
def wall_seating_rows(column: Any, page: Any, view: Any) -> SafeString:
    row = _WallRow(view)
    return _joined(row.goes_on if page.kind == "onward" else row.seat, column)


@register.simple_tag
def wall_play_rows(page: Any, view: Any) -> SafeString:
    return _joined(_WallRow(view).table, page.rows)


FEW_PRIZES = 6  # in large letters: board--large in _screen.html
LONG_IN_LARGE_LETTERS = 26


@register.simple_tag
def wall_prize_rows(page: Any, prizes: Any, view: Any) -> SafeString:
    """A row for everybody who gets a prize; who has not been revealed yet is an empty one."""
    is_large = len(prizes.rows) <= FEW_PRIZES
    return _joined(partial(_WallRow(view).prize, newest=prizes.newest, is_large=is_large), page.rows)


class _WallRow:
    def __init__(self, view: Any) -> None:
        self.words = _Words()
        self.is_knockout = view.leaderboard.is_knockout
        self.namesakes = view.namesakes

    def standing(self, row: Any) -> str:
        leader = ' class="is-leader"' if row.rank == 1 else ""
        place, score = self._place(row), self._score(row)
        size = " board__name--long" if row.is_long else ""
        tallies = "".join(f'<td class="num">{value}</td>' for _name, value in row.tallies)
        return (
            f'<tr data-number="{row.start_number}" data-rank="{row.rank}"{leader}>'
            f'<td class="board__rank">{place}</td><th scope="row" class="board__name{size}"><span class="board__line">'
            f'<span class="board__who">{self._name(row)}</span>{self._move(row)}</span></th>{score}{tallies}</tr>\n'
        )

    def prize(self, row: Any, newest: int | None, *, is_large: bool) -> str:
        if row is None:
            return '<tr class="is-hidden"><td></td><td>…</td><td></td></tr>\n'
        shown = "is-newest" if row.rank == newest else "is-known"
        is_long = row.is_long or (is_large and len(row.name) > LONG_IN_LARGE_LETTERS)
        size = " board__name--long" if is_long else ""
        return (
            f'<tr class="{shown}"><td class="board__rank">{self._place(row)}</td>'
            f'<th scope="row" class="board__name{size}">{self._name(row)}</th>{self._score(row)}</tr>\n'
        )

    def seat(self, seat: Any) -> str:
        return self._at(seat, f'<td class="num">{seat.seat_number}</td>')

    def goes_on(self, seat: Any) -> str:
        return self._at(seat, "")

    def table(self, table: Any) -> str:
        done = '<span aria-hidden="true">✓ </span>' if table.is_done else ""
        strokes = "" if table.strokes is None else table.strokes
        return (
            f'<tr data-state="{table.state}"><th scope="row" class="points">{table.number}</th>'
            f'<td>{done}{self.words.state(table.state)}</td><td class="num">{strokes}</td></tr>\n'
        )

    def _move(self, row: Any) -> str:
        """Since the round before; empty, the page itself says what has just changed."""
        if not row.moved:
            return '<span class="move" data-move="same"></span>'
        way, sign, word = ("up", "▲", self.words.up) if row.moved > 0 else ("down", "▼", self.words.down)
        return f'<span class="move" data-move="{way}" data-since-round>{sign} {abs(row.moved)} {word}</span>'

    def _place(self, row: Any) -> str:
        tie = '<span class="board__tie" aria-hidden="true">=</span><span class="visually-hidden"> {}</span>'
        return f"{row.rank}{tie.format(self.words.shared) if row.tied else '.'}"

    def _score(self, row: Any) -> str:
        if self.is_knockout:
            return f'<td class="points">{self.words.reached(row.reached)}</td>'
        return f'<td class="num points">{figure(row.points)}</td>'

    def _at(self, seat: Any, place: str) -> str:
        return (
            f'<tr><th scope="row" class="board__name">{self._name(seat)}</th>'
            f'<td class="num points">{seat.table_number}</td>{place}</tr>\n'
        )

    def _name(self, row: Any) -> str:
        if row.name not in self.namesakes:
            return escape(row.name)
        number = self.words.number(row.start_number)
        return f'{escape(row.name)} <small class="wall-number">{number}</small>'
