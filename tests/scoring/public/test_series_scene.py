"""The year's standing on the wall and at the microphone, with the evening as the hall may see it."""

import re

import pytest
from django.utils import timezone

from scoring.queries.screens import SentScene
from scoring.services import screens, standings
from scoring.services.rounds import close
from tests.factories import AT, a_paper_sheet, a_round
from tests.scoring.organiser.test_series import evening, series_of
from tests.scoring.pages import Staff, text_of
from tests.scoring.paired import paired_client
from tests.scoring.prize_giving import prize_evening
from tournaments.models import Participant, Table, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Staff:
    """An evening of one round, the second of a series in which one was played."""
    desk = Staff(12)
    desk.tournament.ruleset |= {"rounds": 1}
    desk.tournament.save()
    Tournament.objects.update(names="full", played_on=timezone.localdate())
    before = evening("Früher", "Anna Berg", "Bert Maier", "Carl Huber", "Dora Kern", "Emil Lang")
    series_of(before, desk.tournament, planned=9)
    return desk


def wall(desk: Staff) -> str:
    screens.set_scene(desk.tournament, (1,), SentScene("series"), by="x", at=AT)
    return text_of(paired_client(desk.tournament).get(f"/t/{desk.tournament.slug}/screen/"))


def titles(page: str) -> list[str]:
    return [title.strip() for title in re.findall(r"<h1>(.*?)</h1>", page)]


def test_the_wall_shows_the_year_as_it_stands(desk: Staff) -> None:
    assert titles(wall(desk)) == ["Jahr 2026"]
    first, second = a_round(desk.tournament).tables.order_by("number")
    a_paper_sheet(first)
    page = wall(desk)
    assert titles(page) == ["Jahr 2026, wenn es jetzt aus wäre"]
    assert page.count('class="board__name"') == 11
    assert "▼" in page
    a_paper_sheet(second)
    close(desk.tournament, 1, at=AT)
    page = wall(desk)
    assert titles(page) == ["Jahr 2026"] * 2
    assert page.count('class="board__name"') == 17


def test_a_long_name_stands_closer_to_be_whole(desk: Staff) -> None:
    Participant.objects.filter(name="Anna Berg").update(name="Maximilian-Alexander von Hohenstein-Übel")
    assert wall(desk).count('class="board__name board__name--long"') == 1


def test_a_freeze_holds_there_as_well(desk: Staff) -> None:
    first, second = a_round(desk.tournament).tables.order_by("number")
    a_paper_sheet(first)
    standings.freeze(desk.tournament, by="x", at=AT)
    before = wall(desk)
    assert titles(before) == ["Jahr 2026, Zwischenstand"]
    a_paper_sheet(second)
    assert before.count('class="board__name"') == wall(desk).count('class="board__name"') == 11


def test_an_end_that_is_kept_is_not_told() -> None:
    desk = prize_evening(10)
    series_of(desk.tournament)
    for table in Table.objects.all():
        a_paper_sheet(table)
    assert 'data-kind="series"' not in wall(desk)


def test_the_scene_is_offered_to_evenings_of_a_series(desk: Staff) -> None:
    assert 'value="series"' in text_of(desk.get("screens"))
    assert 'value="series"' not in text_of(Staff(8).get("screens"))


def test_the_microphone_says_who_leads_over_the_year(desk: Staff) -> None:
    assert "In der Wertung" not in text_of(desk.get("announce"))
    for table in a_round(desk.tournament).tables.all():
        a_paper_sheet(table)
    close(desk.tournament, 1, at=AT)
    said = text_of(desk.get("announce"))
    assert "In der Wertung „Jahr 2026“ liegt jetzt vorn: " in said
    standings.freeze(desk.tournament, by="x", at=AT)
    assert "In der Wertung" not in text_of(desk.get("announce"))
