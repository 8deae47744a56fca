"""The strip of the organiser's pages: the round in play in one line."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from scoring.models import Sheet
from scoring.services.round_clock import start_clock
from scoring.services.sheets import write
from tests.factories import AT
from tests.scoring.pages import Staff, text_of

pytestmark = pytest.mark.django_db


def test_the_strip_is_asked_for_on_every_page_and_answered_once() -> None:
    desk = Staff(10)
    assert desk.get("strip").status_code == 204
    desk.draw()
    assert all(
        'id="strip"' in text_of(desk.get(name)) for name in ("overview", "settings", "standings", "print")
    )
    quiet = desk.get("strip")
    assert "0/2 fertig" in text_of(quiet)
    assert "data-calls" not in text_of(quiet)
    Sheet.objects.update_or_create(table=desk.table(2), defaults={"called_at": AT})
    answer = desk.get("strip", seen=quiet.context["strip"].version)
    assert f'href="{desk.url("round", 1)}#table-2"' in text_of(answer)
    assert desk.get("strip", seen=answer.context["strip"].version).status_code == 204
    desk.post("come", 1, 2)
    assert "table-2" not in text_of(desk.get("strip", seen=answer.context["strip"].version))


def test_the_strip_says_the_most_urgent_first_and_what_is_left_of_the_round() -> None:
    desk = Staff(15)
    desk.draw()
    start_clock(desk.tournament, 1, minutes=45, by="x", at=timezone.now() - timedelta(minutes=30))
    write(desk.table(1), [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    write(desk.table(1), [("objected", {"seat_number": 2, "note": "Das war kein Schnauz"})], by="x", at=AT)
    assert "Tisch 1: Einspruch" in text_of(desk.get("strip"))
    for number, minutes in ((2, 5), (3, 2)):
        called_at = AT + timedelta(minutes=minutes)
        Sheet.objects.update_or_create(table=desk.table(number), defaults={"called_at": called_at})
    answer = desk.get("strip")
    assert "Tisch 3 ruft" in text_of(answer)
    assert 'data-calls="3"' in text_of(answer)
    assert 14 * 60 < answer.context["left"] <= 15 * 60


@pytest.mark.parametrize("players", [10, 30])
def test_the_strip_takes_the_same_queries_for_every_number_of_tables(
    players: int, django_assert_num_queries: Any
) -> None:
    desk = Staff(players)
    desk.draw()
    with django_assert_num_queries(13):
        desk.get("strip")
