"""Rows of the public pages: Jinja2 templates and `format_html`, against the f-strings of scoring/public/rows.py.

    .venv/bin/python bench/rows.py [--players 60 300 3000] [--runs 25]

*standings*  the rows of the players' page; *cards* its tables, five players each; *wall* the standings on the wall, page by page

No row is kept here: each is written in every run. All three write the same bytes, which is checked before, in German and
in English. They run in turn in one process; times are of the processor, x is the median of the ratios of neighbouring
runs. No database takes part.

The Jinja2 templates are compiled, escape by themselves and translate with newstyle gettext by Django's catalogues. They
are written for speed: a word that is the same in all rows is translated once. Jinja2 would be the engine of these rows
if it took no more than 1.5 times as long at every size, `format_html` would escape in them at no more than 1.3 times.
On two cores Jinja2 took 1.3 to 1.7 times as long, `format_html` 2.4 to 3.3 times. Ours divide the rows into pieces as well,
which the others do not; the writing alone was 1.9 to 2.8 and 2.9 to 5.0 times as fast.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext, override
from jinja2 import DictLoader, Environment
from markupsafe import Markup

from scoring.public import row_makers, rows, wall_rows
from scoring.public.kept_rows import KeptRows
from scoring.public.pieces import Fragment
from scoring.public.wall import WallPage, wall_pages
from scoring.queries.public_seats import PublicSeat
from scoring.queries.public_view import PublicRound, PublicTable, PublicTableState, PublicView
from scoring.queries.screens import SentScene
from scoring.queries.standings import Leaderboard, StandingsRow
from scoring.templatetags.ranking import rank, tally
from scoring.text.entries import figure
from scoring.text.tables import table_state
from scoring.text.tie_breaks import tie_note
from tournaments.models import Tournament
from tournaments.rulesets.loader import MAIN_PRESET, preset

TABLE = 5
STATES: tuple[PublicTableState, ...] = ("accepted", "playing", "submitted", "untouched")


# --- what is shown -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shown:
    view: PublicView
    pages: list[WallPage]


def shown(players: int) -> Shown:
    """Two rounds played and a third in play: ties, namesakes, players who left, names with signs to be escaped."""
    tournament = Tournament(slug="abend", ruleset=preset(MAIN_PRESET).to_dict())
    standings = tuple(_row(place) for place in range(1, players + 1))
    leaderboard = Leaderboard(
        tournament, rounds=3, final=False, is_frozen=False, rows=standings, tally_names=("strokes",)
    )
    numbers = range(0, players, TABLE)
    tables = tuple(_table(number, standings[start : start + TABLE]) for number, start in enumerate(numbers))
    view = PublicView(leaderboard, PublicRound(3, is_closed=False, tables=tables))
    return Shown(view, wall_pages(view, SentScene(kind="standings")))


def _row(place: int) -> StandingsRow:
    name = f'Xaver "Xari" O\'Hara & Sohn {place}' if place % 10 == 0 else f"Vorname Nachname {place}"
    is_tied = place % 7 in (0, 6)
    return StandingsRow(
        start_number=place,
        rank=place - (place % 7 == 0),
        tied=is_tied,
        points=20 - place,
        strokes=place % 4,
        tie_break=(place % 4,),
        by_round=(place % 5, -(place % 9) if place % 11 else None, None),
        name="Sepp Huber" if place % 50 < 2 else name,
        club="",
        withdrawn=place % 40 == 0,
        tallies=(("strokes", str(place % 4)),),
        moved=place % 5 - 2,
        note="shared" if is_tied else "",
    )


def _table(index: int, players: Iterable[StandingsRow]) -> PublicTable:
    seated = tuple(
        PublicSeat(index + 1, seat, player.start_number, player.name, is_scribe=seat == 1)
        for seat, player in enumerate(players, start=1)
    )
    return PublicTable(index + 1, STATES[index % len(STATES)], index % 6, seated)


# --- Jinja2 --------------------------------------------------------------------------------------------------------

STANDINGS = """
{%- set before, after = gettext("Nr. %(number)s", number="|").split("|") -%}
{%- set shared = gettext("(geteilt)") -%}
{%- set withdrawn = gettext("nach Hause gegangen") -%}
{%- set by_round = gettext("Punkte je Spielrunde:") -%}
{%- set rounds = view.round.number if view.round else 0 -%}
{%- for row in view.rows -%}
  {%- set figures = row.by_round[:rounds]|map("figure")|list -%}
  <tr data-piece="p{{ row.start_number }}"{% if row.rank == 1 %} class="is-leader"{% endif %}><td data-piece="r{{ row.start_number }}">
  {#- -#} <span class="rank" data-rank="{{ row.rank }}">{{ row.rank }}
  {%- if row.tied -%}
    <span class="rank__tie" aria-hidden="true">=</span><span class="visually-hidden"> {{ shared }}</span>
  {%- endif -%}
  </span></td><th scope="row" class="main">{{ row.name|escape }}
  {%- if not row.is_number %} <small class="nowrap">{{ before }}{{ row.start_number }}{{ after }}</small>{% endif %}
  {%- if row.withdrawn %} <small class="standings__note">{{ withdrawn }}</small>{% endif %}
  {%- if row.explains %} <small class="standings__note">{{ row|note }}</small>{% endif %}
  {#- #} <small class="standings__note narrow-only nowrap"><span class="visually-hidden">{{ by_round }}</span>
  {#- #} {{ figures|join(" · ") }}</small></th>
  {%- for one in figures %}<td class="num wide-only">{{ one }}</td>{% endfor -%}
  <td class="num"><strong>{{ row.points|figure }}</strong></td>
  {%- for name, value in row.tallies %}<td class="num">{{ value }}</td>{% endfor -%}
  </tr>
{%- endfor -%}
"""
CARDS = """
{%- set before, after = gettext("Nr. %(number)s", number="|").split("|") -%}
{%- set before_table, after_table = gettext("Tisch %(number)s", number="|").split("|") -%}
{%- set strokes = gettext("Striche") -%}
{%- set slug, number, is_closed = view.tournament.slug, view.round.number, view.round.is_closed -%}
{%- for table in view.round.tables -%}
  <li class="table-card" id="table-{{ table.number }}" data-piece="t{{ table.number }}"><header class="table-card__head"><h3>
  {%- if table.is_done %}<a href="{{ address(slug, number, table.number) }}">{% endif -%}
  {{ before_table }}{{ table.number }}{{ after_table }}
  {%- if table.is_done %}</a>{% endif -%}
  </h3>
  {%- if not is_closed %} <span class="badge" data-state="{{ 'open' if table.state == 'playing' else table.state }}">
    {{- table.state|state }}</span>
  {%- endif -%}
  </header><ol class="seats">
  {%- for seat in table.seats -%}
    <li class="seat{% if seat.is_scribe %} seat--scribe{% endif %}"><span class="seat__number">{{ seat.seat_number }}</span>
    {#- #} <span class="seat__name">{{ seat.name|escape }} </span>
    {#- #} {% if not seat.is_number %}<span class="seat__start">{{ before }}{{ seat.start_number }}{{ after }}</span>{% endif %}</li>
  {%- endfor -%}
  </ol>
  {%- if table.strokes -%}
    <footer class="table-card__foot"><span>{{ strokes }}</span> <span class="tally" role="img" aria-label="
    {{- ngettext("%(strokes)s Strich", "%(strokes)s Striche", table.strokes, strokes=table.strokes) -}}
    ">{{ mark * table.strokes }}</span></footer>
  {%- endif -%}
  </li>
{%- endfor -%}
"""
WALL = """
{%- set before, after = gettext("Nr. %(number)s", number="|").split("|") -%}
{%- set shared, up, down = gettext("(geteilt)"), gettext("vor"), gettext("zurück") -%}
{%- set namesakes = view.namesakes -%}
{%- for row in page.rows -%}
  <tr data-piece="p{{ row.start_number }}" data-number="{{ row.start_number }}" data-rank="{{ row.rank }}"
  {%- if row.has_played %} data-played{% endif %}{% if row.rank == 1 %} class="is-leader"{% endif %}>
  {#- -#} <td class="board__rank">{{ row.rank }}
  {%- if row.tied -%}
    <span class="board__tie" aria-hidden="true">=</span><span class="visually-hidden"> {{ shared }}</span>
  {%- else %}.{% endif -%}
  </td><th scope="row" class="board__name{% if row.is_long %} board__name--long{% endif %}"><span class="board__line">
  {#- -#} <span class="board__who">{{ row.name|escape }}
  {%- if row.name in namesakes %} <small class="wall-number">{{ before }}{{ row.start_number }}{{ after }}</small>{% endif -%}
  </span>
  {%- if not row.moved %}<span class="move" data-move="same"></span>
  {%- elif row.moved > 0 %}<span class="move" data-move="up" data-since-round>▲ {{ row.moved }} {{ up }}</span>
  {%- else %}<span class="move" data-move="down" data-since-round>▼ {{ -row.moved }} {{ down }}</span>
  {%- endif -%}
  </span></th><td class="num points">{{ row.points|figure }}</td>
  {%- for name, value in row.tallies %}<td class="num">{{ value }}</td>{% endfor -%}
  </tr>
{%- endfor -%}
"""


def environment() -> Environment:
    loader = DictLoader({"standings": STANDINGS, "cards": CARDS, "wall": WALL})
    made = Environment(loader=loader, autoescape=True, auto_reload=False, extensions=["jinja2.ext.i18n"])
    made.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    # Jinja2 writes &#39; where Django writes &#x27;; what Django has escaped it leaves alone.
    made.filters |= {"escape": escape, "figure": _figure, "state": table_state, "note": _note}
    made.globals |= {"address": _address, "mark": Markup('<i class="mark"></i>')}
    return made


def _figure(points: int | None) -> str:
    return "–" if points is None else figure(points)


def _note(row: StandingsRow) -> str:
    return tie_note(row.note, row.broken_by)


def _address(slug: str, round_number: int, table: int) -> str:
    return reverse("public:sheet", args=[slug, round_number, table])


# --- format_html ---------------------------------------------------------------------------------------------------

NOTE = ' <small class="standings__note{}">{}</small>'
TALLY = '<td class="num">{}</td>'


def formatted_standings(view: PublicView) -> SafeString:
    number, withdrawn = gettext("Nr. %(number)s"), gettext("nach Hause gegangen")
    by_round = format_html('<span class="visually-hidden">{}</span>', gettext("Punkte je Spielrunde:"))
    leader, rounds = mark_safe(' class="is-leader"'), view.round.number if view.round else 0

    def notes(row: StandingsRow, figures: list[str]) -> Iterable[tuple[str, str]]:
        if row.withdrawn:
            yield "", withdrawn
        if row.explains:
            yield "", _note(row)
        yield " narrow-only nowrap", format_html("{} {}", by_round, " · ".join(figures))

    def html(row: StandingsRow) -> SafeString:
        figures = [_figure(points) for points in row.by_round[:rounds]]
        start_number = number % {"number": row.start_number}
        return format_html(
            '<tr data-piece="p{}"{}><td data-piece="r{}">{}</td><th scope="row" class="main">{}{}{}</th>{}'
            '<td class="num"><strong>{}</strong></td>{}</tr>',
            row.start_number,
            leader if row.rank == 1 else "",
            row.start_number,
            rank(row.rank, row.tied),
            row.name,
            "" if row.is_number else format_html(' <small class="nowrap">{}</small>', start_number),
            format_html_join("", NOTE, notes(row, figures)),
            format_html_join("", '<td class="num wide-only">{}</td>', ((one,) for one in figures)),
            figure(row.points),
            format_html_join("", TALLY, ((value,) for _name, value in row.tallies)),
        )

    return mark_safe("".join(map(html, view.rows)))


def formatted_cards(view: PublicView) -> SafeString:
    assert view.round is not None
    number, title, strokes = gettext("Nr. %(number)s"), gettext("Tisch %(number)s"), gettext("Striche")
    address = partial(_address, view.tournament.slug, view.round.number)
    is_closed = view.round.is_closed

    def seat_html(seat: PublicSeat) -> SafeString:
        start_number = number % {"number": seat.start_number}
        return format_html(
            '<li class="seat{}"><span class="seat__number">{}</span> <span class="seat__name">{} </span> {}</li>',
            " seat--scribe" if seat.is_scribe else "",
            seat.seat_number,
            seat.name,
            "" if seat.is_number else format_html('<span class="seat__start">{}</span>', start_number),
        )

    def badge(table: PublicTable) -> SafeString:
        state = "open" if table.state == "playing" else table.state
        return format_html(' <span class="badge" data-state="{}">{}</span>', state, table_state(table.state))

    def foot(table: PublicTable) -> SafeString:
        form = '<footer class="table-card__foot"><span>{}</span> {}</footer>'
        return format_html(form, strokes, tally(table.strokes))

    def html(table: PublicTable) -> SafeString:
        name = title % {"number": table.number}
        return format_html(
            '<li class="table-card" id="table-{}" data-piece="t{}"><header class="table-card__head"><h3>{}</h3>{}</header>'
            '<ol class="seats">{}</ol>{}</li>',
            table.number,
            table.number,
            format_html('<a href="{}">{}</a>', address(table.number), name) if table.is_done else name,
            "" if is_closed else badge(table),
            mark_safe("".join(map(seat_html, table.seats))),
            foot(table) if table.strokes else "",
        )

    return mark_safe("".join(map(html, view.round.tables)))


def formatted_wall(page: WallPage, view: PublicView) -> SafeString:
    number, up, down = gettext("Nr. %(number)s"), gettext("vor"), gettext("zurück")
    tie = '<span class="board__tie" aria-hidden="true">=</span><span class="visually-hidden"> {}</span>'
    shared, leader = format_html(tie, gettext("(geteilt)")), mark_safe(' class="is-leader"')
    played = mark_safe(" data-played")
    same, namesakes = mark_safe('<span class="move" data-move="same"></span>'), view.namesakes

    def move(row: StandingsRow) -> SafeString:
        if not row.moved:
            return same
        way, sign, word = ("up", "▲", up) if row.moved > 0 else ("down", "▼", down)
        form = '<span class="move" data-move="{}" data-since-round>{} {} {}</span>'
        return format_html(form, way, sign, abs(row.moved), word)

    def name(row: StandingsRow) -> SafeString:
        if row.name not in namesakes:
            return escape(row.name)
        start_number = number % {"number": row.start_number}
        return format_html('{} <small class="wall-number">{}</small>', row.name, start_number)

    def html(row: StandingsRow) -> SafeString:
        return format_html(
            '<tr data-piece="p{}" data-number="{}" data-rank="{}"{}{}><td class="board__rank">{}{}</td>'
            '<th scope="row" class="board__name{}"><span class="board__line"><span class="board__who">{}</span>{}</span></th>'
            '<td class="num points">{}</td>{}</tr>',
            row.start_number,
            row.start_number,
            row.rank,
            played if row.has_played else "",
            leader if row.rank == 1 else "",
            row.rank,
            shared if row.tied else ".",
            " board__name--long" if row.is_long else "",
            name(row),
            move(row),
            figure(row.points),
            format_html_join("", TALLY, ((value,) for _name, value in row.tallies)),
        )

    return mark_safe("".join(map(html, page.rows)))


# --- what is measured ----------------------------------------------------------------------------------------------

Writer = Callable[[Shown], str]


def ours() -> Mapping[str, Writer]:
    def anew(write: Writer) -> Writer:
        def html(it: Shown) -> str:
            row_makers.kept_rows = KeptRows(0)  # type: ignore[attr-defined]
            return Fragment.of(write(it))

        return html

    return {
        "standings": anew(lambda it: rows.standings_rows(it.view)),
        "cards": anew(lambda it: rows.table_cards(it.view)),
        "wall": anew(lambda it: "".join(wall_rows.wall_standings_rows(page, it.view) for page in it.pages)),
    }


def jinja() -> Mapping[str, Writer]:
    standings, cards, wall = map(environment().get_template, ("standings", "cards", "wall"))
    return {
        "standings": lambda it: standings.render(view=it.view),
        "cards": lambda it: cards.render(view=it.view),
        "wall": lambda it: "".join(wall.render(view=it.view, page=page) for page in it.pages),
    }


def formatted() -> Mapping[str, Writer]:
    return {
        "standings": lambda it: formatted_standings(it.view),
        "cards": lambda it: formatted_cards(it.view),
        "wall": lambda it: "".join(formatted_wall(page, it.view) for page in it.pages),
    }


def check_same(writers: Iterable[Writer], it: Shown) -> None:
    for language in ("de", "en"):
        with override(language):
            if len({writer(it) for writer in writers}) > 1:
                raise AssertionError("they do not write the same bytes")


def milliseconds(writer: Writer, it: Shown, times: int) -> float:
    started = time.process_time()
    for _ in range(times):
        writer(it)
    return (time.process_time() - started) * 1000 / times


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, nargs="+", default=[60, 300, 3000])
    parser.add_argument("--runs", type=int, default=25)
    options = parser.parse_args()
    print(
        f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; x: against scoring/public/rows.py in the same run"
    )
    sides = (ours(), jinja(), formatted())
    for players in options.players:
        it = shown(players)
        for part in sides[0]:
            writers = [side[part] for side in sides]
            check_same(writers, it)
            times = max(1, 1000 // players)
            with override("de"):
                runs = [[milliseconds(writer, it, times) for writer in writers] for _ in range(options.runs)]
            took, _jinja, _formatted = map(statistics.median, zip(*runs, strict=True))
            by_jinja, by_format = (statistics.median(run[side] / run[0] for run in runs) for side in (1, 2))
            print(
                f"{players:5} {part:10} {took:7.2f} ms   Jinja2 x{by_jinja:.2f}   format_html x{by_format:.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
