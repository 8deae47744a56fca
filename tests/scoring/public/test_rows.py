"""Rows of the public pages: no text gets into those that Python writes without being escaped."""

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from html import escape
from typing import Any, TypeVar

import pytest

from scoring.public import rows
from scoring.queries.public_seats import PublicSeat
from scoring.queries.public_view import PublicRound, PublicTable, PublicView
from scoring.queries.standings import Leaderboard, StandingsRow
from tournaments.models import Tournament
from tournaments.rulesets.loader import preset

SIGNS = "<&\"'>"
Shown = TypeVar("Shown", StandingsRow, PublicSeat)

ROW = StandingsRow(1, 1, True, 7, 2, (2,), (4, 3), "Sepp", "", withdrawn=True, moved=1, note="shared")
SEAT = PublicSeat(1, 1, 1, "Sepp", is_scribe=True)


def with_signs(shown: Shown) -> Shown:
    """Return the row with signs of HTML in each of its texts."""
    texts: dict[str, Any] = {field.name: SIGNS for field in fields(shown) if field.type is str}
    return replace(shown, **texts)


def a_view(rules: str) -> PublicView:
    """Return a view of two namesakes at a table: one stays, one has left."""
    tournament = Tournament(slug="abend", ruleset=preset(rules).to_dict())
    first = replace(with_signs(ROW), tallies=(("strokes", SIGNS),))
    second = replace(first, start_number=2, rank=2, withdrawn=False, moved=-1)
    seats = (with_signs(SEAT), replace(with_signs(SEAT), start_number=2, seat_number=2))
    return PublicView(
        Leaderboard(
            tournament,
            rounds=2,
            final=False,
            is_frozen=False,
            rows=(first, second),
            is_knockout=rules == "knockout",
        ),
        PublicRound(2, is_closed=False, tables=(PublicTable(1, "accepted", 3, seats),)),
    )


def every_row(view: PublicView) -> Iterator[str]:
    assert view.round is not None
    tables = view.round.tables
    yield rows.standings_rows(view)
    yield rows.table_cards(view)
    yield rows.seats(tables[0], view, chosen=1)


@pytest.mark.parametrize("rules", ["schnauz-placing", "schafkopf", "knockout"])
def test_names_and_figures_are_escaped(rules: str) -> None:
    for html in every_row(a_view(rules)):
        assert SIGNS not in html
        assert html.count(escape(SIGNS)) >= 2


@pytest.mark.parametrize("rules", ["schnauz-placing", "schafkopf", "knockout"])
def test_the_standings_stay_a_table_where_its_rows_are_boxes(rules: str) -> None:
    tags = re.findall(r"<(?:tr|th|td)\b[^>]*>", rows.standings_rows(a_view(rules)))
    assert tags
    assert [tag for tag in tags if "role=" not in tag] == []


@pytest.mark.parametrize("rules", ["schnauz-placing", "schafkopf", "knockout"])
def test_translations_are_escaped(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    translated: list[str] = []

    def gettext(text: str) -> str:
        translated.append(text)
        return f"{text}{SIGNS}"

    monkeypatch.setattr(rows, "gettext", gettext)
    monkeypatch.setattr(rows, "tie_note", lambda note, broken_by: SIGNS)
    monkeypatch.setattr(rows, "table_state", lambda state: SIGNS)
    htmls = list(every_row(a_view(rules)))
    assert translated
    assert [html for html in htmls if SIGNS in html] == []
