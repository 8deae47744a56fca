"""Rows of the players' page, of which there are as many as players, as template tags, and filters of the wall.

Python writes them, in f-strings: templates of the same bytes take several times as long. The page around the rows is a
template, and so are the rows of the wall, of which there are few on a page.

Nothing escapes by itself here. An f-string takes numbers, constants, what another function that writes rows returned, and
texts that went through `escape`, whether they were translated or typed by a person (tests/scoring/public/test_rows.py).
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from html import escape

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from scoring.public.bars import bar, bar_scale, bar_step
from scoring.queries.public_seats import PublicSeat
from scoring.queries.public_view import PublicTable, PublicTableState, PublicView
from scoring.queries.standings import Reached, StandingsRow
from scoring.templatetags.ranking import rank, tally
from scoring.text.entries import points_under
from scoring.text.states import table_state
from scoring.text.tie_breaks import tie_note
from tournaments.rulesets.schema import Ruleset

register = template.Library()
register.filter(bar_step)
register.filter(table_state)


class Fragments:
    """HTML that the rows of one rendering share: each fragment is made once, in the language of the rendering."""

    def __init__(self) -> None:
        self._number = escape(gettext("Nr. %(number)s"))
        self.rank = cache(rank)
        self.state = cache(_state)
        self.reached = cache(_reached)
        self.tallies = cache(_tallies)
        self.lives = cache(_lives)
        self.tally = cache(tally)

    def number(self, start_number: int) -> str:
        return self._number % {"number": start_number}


def _state(state: PublicTableState) -> str:
    return escape(table_state(state))


def _reached(reached: Reached | None) -> SafeString:
    return render_to_string("scoring/_reached.html", {"reached": reached}) if reached else mark_safe("–")


def _tallies(tallies: Sequence[tuple[str, str]]) -> str:
    """Return the cells beside the points."""
    return "".join([f'<td class="num" role="cell">{escape(value)}</td>' for _name, value in tallies])


def _lives(left: int | None, of: int) -> SafeString:
    """Return what is left of the lives. left: None for who is out."""
    return mark_safe(render_to_string("scoring/public/_lives.html", {"left": left, "of": of}).strip())


@register.simple_tag
def standings_rows(view: PublicView, most: int | None = None) -> SafeString:
    """Return the body of the standings: a row for each player, or for the first so many."""
    rows = _StandingsRows(view)
    return mark_safe("".join(map(rows.html, view.rows[:most])))


class _StandingsRows:
    """Rows with roles: with large text they are boxes, which browsers no longer take for parts of a table."""

    def __init__(self, view: PublicView) -> None:
        self.is_knockout = view.leaderboard.is_knockout
        self.rules: Ruleset = view.tournament.rules
        self.rounds = view.round.number if view.round else 0
        self.scale = 0 if self.is_knockout else bar_scale(row.points for row in view.rows)
        self.names = Counter(row.name for row in view.rows)
        self.fragments = Fragments()
        self.withdrawn = escape(gettext("nach Hause gegangen"))
        self.by_round = escape(gettext("Punkte je Spielrunde:"))

    def html(self, row: StandingsRow) -> str:
        played = row.by_round[: self.rounds]
        figures = ["–" if points is None else points_under(points, self.rules) for points in played]
        by_round = "".join([f'<td class="num wide-only" role="cell">{points}</td>' for points in figures])
        leader = ' class="is-leader"' if row.rank == 1 else ""
        return (
            f'<tr id="p{row.start_number}" role="row"{leader}><td role="cell">{self.fragments.rank(row.rank, row.tied)}</td>'
            f'<th scope="row" role="rowheader" class="main">{self._name(row)}{bar(row.points, self.scale)}'
            f"{self._notes(row, figures)}</th>{by_round}{self._score(row)}{self.fragments.tallies(row.tallies)}</tr>"
        )

    def _name(self, row: StandingsRow) -> str:
        name = escape(row.name)
        if row.is_number:
            return name
        css = "nowrap" if self.names[row.name] > 1 else "nowrap standings__more"
        return f'{name} <small class="{css}">{self.fragments.number(row.start_number)}</small>'

    def _notes(self, row: StandingsRow, figures: Sequence[str]) -> str:
        """Return the lines below the name. figures: the points of each round, for pages too narrow for columns."""
        notes = ""
        if row.withdrawn:
            notes += f' <small class="standings__note">{self.withdrawn}</small>'
        if row.explains:
            note = escape(tie_note(row.note, row.broken_by))
            notes += f' <small class="standings__note standings__more">{note}</small>'
        if not self.is_knockout:
            label = f'<span class="visually-hidden">{self.by_round}</span>'
            points = " · ".join(figures)
            notes += f' <small class="standings__note standings__more narrow-only">{label} {points}</small>'
        return notes

    def _score(self, row: StandingsRow) -> str:
        if not self.is_knockout:
            return f'<td class="num" role="cell"><strong>{points_under(row.points, self.rules)}</strong></td>'
        reached = self.fragments.reached(row.reached)
        strong = f"<strong>{reached}</strong>" if row.reached else reached
        return f'<td class="reached" role="cell">{strong}</td>'


@register.simple_tag
def table_cards(view: PublicView) -> SafeString:
    """Return the tables of the released round, each with its players."""
    assert view.round is not None
    cards = _TableCards(view)
    return mark_safe("".join(map(cards.html, view.round.tables)))


class _TableCards:
    def __init__(self, view: PublicView) -> None:
        assert view.round is not None
        self.slug = view.tournament.slug
        self.round_number, self.is_closed = view.round.number, view.round.is_closed
        self.seats = _Seats(view)
        self.title = escape(gettext("Tisch %(number)s"))
        self.strokes = escape(gettext("Striche"))

    def html(self, table: PublicTable) -> str:
        return (
            f'<li class="table-card" id="table-{table.number}">'
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
        return f' <span class="badge" data-state="{state}">{self.seats.fragments.state(table.state)}</span>'

    def _foot(self, table: PublicTable) -> str:
        if table.strokes is None:
            return ""
        tallied = self.seats.fragments.tally
        strokes = tallied(table.strokes) if table.strokes else "–"  # there from the start: nothing moves
        return f'<footer class="table-card__foot"><span>{self.strokes}</span> {strokes}</footer>'


def _sheet_address(slug: str, round_number: int, table: int) -> str:
    return escape(reverse("public:sheet", args=[slug, round_number, table]))


@register.simple_tag
def seats(table: PublicTable, view: PublicView, chosen: int | None = None) -> SafeString:
    """Return the players of a table. chosen: the start number to be pointed out."""
    return mark_safe(_Seats(view).html(table, chosen))


class _Seats:
    """Players of a table; the scribe is marked where it is not always seat 1. of: the lives at the start, if players have any."""

    def __init__(self, view: PublicView) -> None:
        self.fragments = Fragments()
        self.of = view.tournament.rules.sheet.lives
        self.scribe = _scribe() if view.names_scribes else ""

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
        marked_name = f"<strong>{name}</strong>" if is_chosen else name
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
            f'<span class="seat__name">{marked_name} {scribe}</span> {more}</li>'
        )


def _scribe() -> str:
    icon, writes = render_to_string("_icon.html", {"name": "pen"}), escape(gettext("schreibt die Tischliste"))
    return f'<span class="seat__scribe">{icon}<span class="visually-hidden">{writes}</span></span> '
