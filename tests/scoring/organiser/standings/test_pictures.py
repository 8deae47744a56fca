"""The organiser's pictures: length of the rounds by table, strokes by round, who has met whom."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.queries.pictures import EveningPictures, evening_pictures
from scoring.services.sheets import write
from tests.factories import AT, a_played_round
from tests.scoring.pages import Staff, text_of
from tournaments.models import Table
from tournaments.rulesets.loader import PRESETS

pytestmark = pytest.mark.django_db


def pictures(desk: Staff, minutes: int = 90) -> EveningPictures:
    return evening_pictures(desk.tournament, now=AT + timedelta(minutes=minutes))


def handed_in(table: Table, minutes: int) -> None:
    """Hand in the sheet of a table so many minutes after the release."""
    seats = table.seats.count()
    entries: list[tuple[str, dict[str, object]]] = [
        *[("stroke", {"seat_number": 1, "mark": "schnauz"})] * table.number,
        ("ranked", {"ranks": {str(seat): seat for seat in range(1, seats + 1)}}),
        ("accepted", {"reason": "vom Papier"}),
    ]
    write(table, entries, by="x", at=AT + timedelta(minutes=minutes))


def test_before_the_first_round_the_page_says_what_will_come() -> None:
    desk = Staff(10)
    assert "Noch nichts zu sehen" in text_of(desk.get("pictures"))
    desk.draw(released=False)
    assert "Noch nichts zu sehen" in text_of(desk.get("pictures"))


def test_the_slowest_table_comes_first_and_one_that_plays_counts_until_now() -> None:
    desk = Staff(15)
    desk.draw()
    handed_in(desk.table(1), 40)
    handed_in(desk.table(2), 55)
    (length,) = pictures(desk).lengths
    assert [(table.number, table.minutes, table.is_running) for table in length.tables] == [
        (3, 90, True),
        (2, 55, False),
        (1, 40, False),
    ]
    assert length.middle == 55
    assert [table.bar.length for table in length.tables if table.bar] == pytest.approx(
        [100, 55 / 0.9, 40 / 0.9]
    )


def test_the_sign_to_start_is_the_start() -> None:
    desk = Staff(5)
    round_ = desk.draw()
    round_.started_at = AT + timedelta(minutes=10)
    round_.save()
    handed_in(desk.table(), 40)
    assert [table.minutes for table in pictures(desk).lengths[0].tables] == [30]


def test_strokes_add_up_by_round_where_they_are_counted() -> None:
    desk = Staff(10)
    desk.draw()
    handed_in(desk.table(1), 1)
    handed_in(desk.table(2), 1)
    (strokes,) = pictures(desk).strokes
    assert (strokes.number, strokes.strokes, strokes.tables, strokes.a_table) == (1, 3, 2, 1.5)
    schafkopf = Staff(8, ruleset="schafkopf")
    schafkopf.draw()
    assert pictures(schafkopf).strokes == ()


def test_everybody_has_met_all_others_of_the_only_table() -> None:
    desk = Staff(6)
    for number in (1, 2):
        a_played_round(desk.tournament, number)
    shown = pictures(desk)
    assert shown.matrix is not None
    assert (shown.matrix.once, shown.matrix.twice, shown.matrix.more) == (0, 15, 0)
    assert [(person.met, len(person.again)) for person in shown.people] == [(5, 5)] * 6


@pytest.mark.parametrize("ruleset", PRESETS)
def test_the_page_is_there_under_every_rule_sheet(ruleset: str) -> None:
    desk = Staff(8, ruleset=ruleset)
    desk.draw()
    page = desk.get("pictures")
    assert page.status_code == 200
    assert "Dauer der 1. Spielrunde je Tisch" in text_of(page)
    assert "style=" not in page.content.decode()
    assert desk.url("pictures") in desk.get("standings").content.decode()


def test_the_page_takes_as_many_queries_for_many_players_as_for_few() -> None:
    counts = []
    for players, rounds in ((5, 1), (24, 2)):
        desk = Staff(players)
        for number in range(1, rounds + 1):
            a_played_round(desk.tournament, number)
        desk.get("pictures")
        with CaptureQueriesContext(connection) as queries:
            desk.get("pictures")
        counts.append(len(queries))
    assert counts[0] == counts[1]
