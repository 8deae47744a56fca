"""The pictures of a player's own part of the players' page."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.public.pictures import MyPictures, my_pictures, race_of
from scoring.public.player import my_evening
from scoring.queries.public_view import public_view
from scoring.services import standings
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_played_round, a_round
from tournaments.models import Tournament
from tournaments.rulesets.loader import PRESETS, preset

pytestmark = pytest.mark.django_db


def with_players(count: int, **fields: Any) -> Tournament:
    tournament = TournamentFactory.create(**fields)
    ParticipantFactory.create_batch(count, tournament=tournament)
    return tournament


def pictures(tournament: Tournament, number: int) -> MyPictures:
    view = public_view(tournament.slug)
    mine = my_evening(view, number)
    assert mine is not None
    return my_pictures(view, mine)


def page(tournament: Tournament, number: int = 1) -> str:
    response = Client().get(f"/t/{tournament.slug}/me/{number}/")
    assert response.status_code == 200
    return str(response.content.decode())


def test_before_the_first_result_there_is_only_whom_i_sit_with() -> None:
    tournament = with_players(10)
    assert "pictures" not in page(tournament)
    a_round(tournament)
    shown = pictures(tournament, 1)
    assert (shown.race, shown.rounds, shown.spread, len(shown.met)) == (None, (), None, 4)
    assert [one.tables for one in shown.met] == [(shown.met[0].tables[0],)] * 4


def test_the_race_ends_with_the_ranks_that_the_standings_show() -> None:
    tournament = with_players(15)
    a_played_round(tournament)
    assert pictures(tournament, 1).race is None
    a_played_round(tournament, 2)
    view = public_view(tournament.slug)
    ranks = {row.start_number: (row.rank, row.name) for row in view.rows}
    last = view.rows[-1].start_number
    race = race_of(view.leaderboard, player=last)
    assert race is not None
    assert {runner.start_number: (runner.rank, name) for runner, name in race.runners} == {
        number: ranks[number] for number in [*(row.start_number for row in view.rows[:5]), last]
    }
    assert [runner.is_own for runner, _name in race.runners] == [False] * 5 + [True]


def test_points_a_round_stand_beside_the_average_of_all_who_played() -> None:
    tournament = with_players(5)
    a_played_round(tournament)
    late = ParticipantFactory.create(tournament=tournament)
    a_played_round(tournament, 2)
    rounds = pictures(tournament, late.start_number).rounds
    assert [(one.number, one.points is None, one.bar is None) for one in rounds] == [
        (1, True, True),
        (2, False, False),
    ]
    assert rounds[0].average == (6 + 4 + 3 + 2 + 1) / 5
    assert (rounds[0].strokes, rounds[1].strokes) == (None, 0)


def test_where_i_stand_counts_those_who_have_played() -> None:
    tournament = with_players(5)
    a_played_round(tournament)
    ParticipantFactory.create(tournament=tournament)
    first = public_view(tournament.slug).rows[0].start_number
    spread = pictures(tournament, first).spread
    assert spread is not None
    assert (spread.ahead, spread.level, spread.behind, spread.middle) == (0, 0, 4, 3)
    assert pictures(tournament, 6).spread is None


def test_those_i_met_more_than_once_come_first() -> None:
    tournament = with_players(6)
    for number in (1, 2):
        a_played_round(tournament, number)
    met = pictures(tournament, 3).met
    assert [(one.start_number, one.times) for one in met] == [(number, 2) for number in (1, 2, 4, 5, 6)]


@pytest.mark.parametrize("ruleset", PRESETS)
def test_they_are_drawn_under_every_rule_sheet_with_their_numbers(ruleset: str) -> None:
    tournament = with_players(8, ruleset=preset(ruleset).to_dict())
    a_round(tournament)
    shown = page(tournament)
    assert "my-meetings" in shown
    assert "style=" not in shown


def test_a_knockout_has_the_race_and_no_points() -> None:
    tournament = with_players(12, ruleset=preset("knockout").to_dict())
    for number in (1, 2):
        a_played_round(tournament, number)
    shown = pictures(tournament, 1)
    assert shown.race is not None
    assert (shown.rounds, shown.spread) == ((), None)


def test_lengths_are_written_with_a_point_in_german_too() -> None:
    tournament = with_players(7)
    for number in (1, 2):
        a_played_round(tournament, number)
    lengths = re.findall(r' (?:x|x1|x2|y1|y2|cx|cy|width|height)="([^"]+)"', page(tournament))
    assert len(lengths) > 50
    assert [length for length in lengths if not re.fullmatch(r"\d+(\.\d+)?(em|%)|0", length)] == []


def test_the_freeze_holds_them() -> None:
    tournament = with_players(10)
    a_played_round(tournament)
    tables = list(a_round(tournament, 2).tables.all())
    standings.freeze(tournament, by="x", at=AT)
    before = [page(tournament, number) for number in range(1, 11)]
    for table in tables:
        a_paper_sheet(table, strokes={1: 3})
    assert [page(tournament, number) for number in range(1, 11)] == before
    standings.release(tournament, by="x", at=AT)
    assert 'class="race"' in page(tournament)


def test_a_decision_on_a_tie_is_where_the_lines_end() -> None:
    tournament = with_players(10)
    for number in (1, 2):
        a_played_round(tournament, number)
    tied = next(
        rank
        for rank in range(1, 11)
        if sum(row.rank == rank for row in public_view(tournament.slug).rows) > 1
    )
    group = [row.start_number for row in public_view(tournament.slug).rows if row.rank == tied]
    standings.decide(tournament, kind="playoff", order=group[::-1], reason="x", by="x", at=AT)
    race = pictures(tournament, group[0]).race
    assert race is not None
    assert [runner.rank for runner, _name in race.runners if runner.is_own] == [tied + len(group) - 1]


def test_they_name_people_as_the_public_sees_them() -> None:
    tournament = TournamentFactory.create(names="short")
    wishes = ["", "number", *[""] * 4]
    people = [ParticipantFactory.create(tournament=tournament, names=wish) for wish in wishes]
    for number in (1, 2):
        a_played_round(tournament, number)
    shown = "".join(page(tournament, person.start_number) for person in people)
    assert [person.name for person in people if person.name in shown] == []


def test_an_excluded_player_is_in_none() -> None:
    tournament = with_players(6)
    for number in (1, 2):
        a_played_round(tournament, number)
    tournament.participants.filter(start_number=2).update(excluded_at=AT, excluded_reason="x")
    shown = pictures(tournament, 1)
    assert shown.race is not None
    assert 2 not in {runner.start_number for runner, _name in shown.race.runners}
    assert 2 not in {one.start_number for one in shown.met}


def test_they_ask_the_database_nothing_more() -> None:
    tournament = with_players(12)
    a_played_round(tournament)
    with CaptureQueriesContext(connection) as once:
        page(tournament)
    a_played_round(tournament, 2)
    a_played_round(tournament, 3)
    view = public_view(tournament.slug)
    mine = my_evening(view, 1)
    assert mine is not None
    with CaptureQueriesContext(connection) as thrice:
        page(tournament)
    assert len(thrice) == len(once)
    with CaptureQueriesContext(connection) as none:
        my_pictures(view, mine)
    assert len(none) == 0
