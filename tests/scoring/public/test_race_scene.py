"""The ranks over the rounds on the wall: the race of the leaders, and the line of who is revealed at the prize-giving."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.pictures.rank_line import RankLine
from scoring.public.pictures import rank_line_of, wall_race
from scoring.queries.public_view import public_view
from scoring.queries.screens import SentScene, wall_prizes
from scoring.queries.standings import current_standings
from scoring.services import screens, standings
from tests.factories import AT, a_paper_sheet, a_played_round, a_round
from tests.scoring.pages import Staff, text_of
from tests.scoring.paired import paired_client
from tests.scoring.prize_giving import play, prize_evening
from tournaments.core.names import cut_name

pytestmark = pytest.mark.django_db

SENTENCE = "Den Verlauf gibt es, sobald zwei Spielrunden gezählt sind."


def wall(desk: Staff, scene: str = "race") -> str:
    screens.set_scene(desk.tournament, (1,), SentScene(scene), by="x", at=AT)
    return text_of(paired_client(desk.tournament).get(f"/t/{desk.tournament.slug}/screen/"))


def numbers(page: str) -> list[tuple[str, list[str]]]:
    """Return the table for readers who do not see the picture: names with their ranks."""
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', page)
    return [(name, re.findall(r"<td>(\d+)\.</td>", cells)) for name, cells in rows]


def line_of(desk: Staff, place: int = 0) -> list[tuple[int, int]] | None:
    """Return rounds and ranks in the line of a player of the current standings."""
    view = public_view(desk.tournament.slug, full_names=True)
    prizes = wall_prizes(desk.tournament, SentScene("prizes", lowest_rank=60, revealed="1"))
    assert prizes is not None
    player = current_standings(desk.tournament).rows[place]
    line: RankLine | None = rank_line_of(view, prizes, player)
    return [(stop.number, stop.rank) for stop in line.stops] if line else None


def test_without_two_rounds_a_sentence_says_when_there_will_be_a_race() -> None:
    desk = Staff(12)
    assert SENTENCE in wall(desk)
    a_played_round(desk.tournament)
    page = wall(desk)
    assert (SENTENCE in page, "wall-race" in page) == (True, False)
    a_played_round(desk.tournament, 2)
    page = wall(desk)
    assert (SENTENCE in page, "wall-race" in page) == (False, True)


def test_the_race_ends_with_the_ranks_of_the_standings_and_has_eight_players_at_most() -> None:
    desk = Staff(18)
    a_played_round(desk.tournament)
    a_played_round(desk.tournament, 2)
    found = numbers(wall(desk))
    shown = [
        (cut_name(row.name, 26), str(row.rank))
        for row in public_view(desk.tournament.slug, full_names=True).rows[:8]
    ]
    assert [(name, ranks[-1]) for name, ranks in found] == shown
    assert [len(ranks) for _name, ranks in found] == [2] * 8
    race = wall_race(public_view(desk.tournament.slug, full_names=True))
    assert race is not None
    rows = public_view(desk.tournament.slug).rows
    assert [points for _runner, _name, points in race.runners] == [str(row.points) for row in rows[:8]]


def test_while_frozen_the_race_stays_as_it_was() -> None:
    desk = Staff(12)
    a_played_round(desk.tournament)
    a_played_round(desk.tournament, 2)
    before = numbers(wall(desk))
    standings.freeze(desk.tournament, by="x", at=AT)
    a_played_round(desk.tournament, 3)
    page = wall(desk)
    assert numbers(page) == before
    assert "Rang für Rang – Neues folgt später" in page


def test_names_are_cut_and_those_that_are_alike_then_get_their_number() -> None:
    desk = Staff(10)
    long = "Wilhelmine-Mathilde Großmann-"
    people = list(desk.tournament.participants.order_by("start_number"))
    for person, end in zip(people, ("Wimmerstedt", "Übel", "Wimmerstedt"), strict=False):
        desk.tournament.participants.filter(pk=person.pk).update(name=f"{long}{end}")
    a_played_round(desk.tournament)
    a_played_round(desk.tournament, 2)
    race = wall_race(public_view(desk.tournament.slug, full_names=True))
    assert race is not None
    names = {runner.start_number: name for runner, name, _points in race.runners}
    assert all(len(name) <= 26 for name in names.values())
    alike = [name for number, name in names.items() if number in (1, 2, 3)]
    assert alike
    assert all(re.fullmatch(r"Wilhelmine-Mathild… Nr\. [123]", name) for name in alike)


def test_the_race_asks_the_database_nothing_more() -> None:
    desk = Staff(12)
    a_played_round(desk.tournament)
    a_played_round(desk.tournament, 2)
    counts = []
    for scene in ("standings", "race"):
        screens.set_scene(desk.tournament, (1,), SentScene(scene), by="x", at=AT)
        client = paired_client(desk.tournament)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            client.get(f"/t/{desk.tournament.slug}/screen/")
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_the_line_of_a_player_ends_with_the_rank_that_is_revealed() -> None:
    desk = Staff(10)
    a_played_round(desk.tournament)
    first = {row.start_number: row.rank for row in current_standings(desk.tournament).rows}
    a_played_round(desk.tournament, 2)
    second = {row.start_number: row.rank for row in current_standings(desk.tournament).rows}
    a_played_round(desk.tournament, 3)
    for place, row in enumerate(current_standings(desk.tournament).rows):
        number = row.start_number
        assert line_of(desk, place) == [(1, first[number]), (2, second[number]), (3, row.rank)]


def test_while_frozen_the_line_has_only_rounds_that_are_public_in_full() -> None:
    desk = Staff(10)
    a_played_round(desk.tournament)
    second = a_round(desk.tournament, 2)
    first_table, second_table = second.tables.order_by("number")
    a_paper_sheet(first_table)
    standings.freeze(desk.tournament, by="x", at=AT)
    a_paper_sheet(second_table)
    desk.tournament.rounds.filter(number=2).update(state="closed", closed_at=AT)
    a_played_round(desk.tournament, 3)
    found = line_of(desk)
    assert found is not None
    assert [number for number, _rank in found] == [1, 3]
    assert found[-1] == (3, 1)


def test_the_wall_says_the_line_in_words_and_names_nobody_else() -> None:
    desk = Staff(10)
    for number in (1, 2, 3):
        a_played_round(desk.tournament, number)
    screens.set_scene(desk.tournament, (1,), SentScene("prizes", lowest_rank=3), by="x", at=AT)
    lowest = current_standings(desk.tournament).rows
    step = str(max(row.rank for row in lowest if row.rank <= 3))
    screens.reveal(desk.tournament, (1,), step, seen="", by="x", at=AT)
    page = text_of(paired_client(desk.tournament).get(f"/t/{desk.tournament.slug}/screen/"))
    revealed = [row for row in lowest if str(row.rank) == step]
    words = re.findall(r'aria-label="Rang nach jeder Spielrunde: (.*?)"', page)
    assert len(words) == (1 if len(revealed) == 1 else 0)
    assert all(text.endswith(f"3. Runde, Rang {step}") for text in words)
    assert [row.name for row in lowest if row.name in page] == [row.name for row in revealed]


def test_a_knockout_has_no_line() -> None:
    desk = Staff(10, ruleset="knockout")
    a_played_round(desk.tournament)
    a_played_round(desk.tournament, 2)
    assert current_standings(desk.tournament).final
    assert line_of(desk) is None


def test_a_special_prize_comes_first_and_tells_nobodys_rank() -> None:
    desk = prize_evening(
        10, prizes=[{"for": "last", "thing": "Trostpreis"}, {"for": "rank", "from": 1, "to": 1, "cents": 500}]
    )
    play(desk.tournament)
    screens.set_scene(desk.tournament, (1,), SentScene("prizes", lowest_rank=1), by="x", at=AT)
    screens.reveal(desk.tournament, (1,), "last", seen="", by="x", at=AT)
    page = text_of(paired_client(desk.tournament).get(f"/t/{desk.tournament.slug}/screen/"))
    assert ("Trostpreis" in page, "wall-rank" in page) == (True, False)
