"""Rows of the pages of the wall, as template tags (scoring/public/row_makers.py)."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from scoring.public.bars import bar_scale, bar_step
from scoring.public.row_makers import Fragments, RowMaker, leader_class, row_pieces
from scoring.public.tiles import tile
from scoring.public.wall import WallPage
from scoring.queries.public_seats import PublicSeat
from scoring.queries.public_view import PublicTable, PublicView
from scoring.queries.standings import StandingsRow
from scoring.text.entries import figure
from tournaments.core.names import cut_name

register = template.Library()

_LONGEST_NAME, _LONGEST_NAME_WITH_NUMBER = 17, 10
"""Characters of a name that fit beside table and seat in half the width of the wall."""


@register.simple_tag
def wall_standings_rows(page: WallPage, view: PublicView) -> SafeString:
    """Return the rows of a page of the standings."""
    return row_pieces(_WallStanding.of(view), page.rows, page.key, view.tournament.slug)


@register.simple_tag
def wall_seating_rows(column: int, page: WallPage, view: PublicView) -> SafeString:
    """Return the rows of a column: players with their table, and with their seat unless they only go on from there.

    column: its number, from 0.
    """
    maker = _WallSeat.of(view, with_seat=page.kind != "onward")
    return row_pieces(maker, page.columns[column], f"{page.key}-{column}", view.tournament.slug)


@register.simple_tag
def wall_play_rows(page: WallPage, view: PublicView) -> SafeString:
    """Return the tiles of a page of tables in play."""
    return row_pieces(_WallTable(), page.rows, page.key, view.tournament.slug)


@dataclass(frozen=True)
class _WallRows:
    """What the rows of all kinds share."""

    namesakes: frozenset[str]

    @cached_property
    def fragments(self) -> Fragments:
        return Fragments()

    def name(self, player: StandingsRow | PublicSeat) -> str:
        return self.with_number(player, escape(player.name))

    def with_number(self, player: StandingsRow | PublicSeat, shown: SafeString) -> str:
        """Return what is shown of a name, for namesakes with the start number."""
        if player.name not in self.namesakes:
            return shown
        return f'{shown} <small class="wall-number">{self.fragments.number(player.start_number)}</small>'


@dataclass(frozen=True)
class _WallStanding(_WallRows, RowMaker[StandingsRow]):
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
            f'<tr data-piece="{self.key(row)}" data-number="{row.start_number}" data-rank="{row.rank}"{played}{self._bar(row)}{leader_class(row)}>'
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
class _WallSeat(_WallRows, RowMaker[PublicSeat]):
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
class _WallTable(RowMaker[PublicTable]):
    def key(self, table: PublicTable) -> str:
        return f"t{table.number}"

    def html(self, table: PublicTable) -> str:
        return tile(table, self.key(table))
