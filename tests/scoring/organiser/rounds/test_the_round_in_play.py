"""The round in play: its page at once, its closing while sheets are missing, and the step after the last paper sheet."""

import re

import pytest

from scoring.text.refusals import message
from tests.factories import a_played_round
from tests.scoring.pages import Staff, text_of
from tournaments.core.refusal import Refusal

pytestmark = pytest.mark.django_db


def test_the_round_in_play_is_shown_at_once_and_all_of_them_on_request() -> None:
    desk = Staff(5)
    assert desk.get("rounds")["Location"] == desk.url("round", 1)
    a_played_round(desk.tournament)
    assert desk.get("rounds")["Location"] == desk.url("round", 2)
    desk.draw(2)
    assert desk.get("rounds")["Location"] == desk.url("round", 2)
    every = f'href="{desk.url("rounds")}?all=1"'
    assert all(every in text_of(desk.get("round", number)) for number in (1, 2, 3))
    assert text_of(desk.get("rounds", all="1")).count("card--link") == 3


def test_after_the_last_round_all_of_them_are_listed() -> None:
    desk = Staff(5)
    for number in (1, 2, 3):
        a_played_round(desk.tournament, number)
    assert text_of(desk.get("rounds")).count("card--link") == 3


def test_while_sheets_are_missing_closing_stands_behind_more() -> None:
    desk = Staff(5)
    desk.draw()
    page = text_of(desk.get("round", 1))
    (inside,) = re.findall(r"<summary>Mehr</summary>(.*?)</details>", page)
    assert "Trotzdem abschließen" in inside
    assert page.count("Trotzdem abschließen") == inside.count("Trotzdem abschließen") == 1
    refused = text_of(desk.post("close", 1))
    assert re.search(r'<details class="disclosure" id="close" open>\s*<summary>Mehr</summary>', refused)
    desk.type_in_everything()
    assert "<summary>Mehr</summary>" not in text_of(desk.get("round", 1))
    assert desk.post("close", 1).status_code == 302


def test_the_draw_says_of_each_head_count_what_the_door_says_and_nothing_of_points() -> None:
    desk = Staff(8, ruleset="schafkopf")
    page = text_of(desk.get("round", 1))
    assert "Mit 7 Spielern gehen Vierertische nicht auf. Ein Spieler mehr, oder drei setzen aus." in page
    assert "Punkte je Spieler" not in page
    five = Refusal("head_count_does_not_fit", players=5, sizes=(4,), missing=3, surplus=1)
    assert message(five) in page


def test_the_draw_of_a_knockout_says_how_many_go_on() -> None:
    desk = Staff(10, ruleset="knockout")
    desk.draw(released=False)
    assert "2 Tische · Los · 4 kommen weiter" in text_of(desk.get("round", 1))
    plain = Staff(10)
    plain.draw(released=False)
    assert "kommen weiter" not in text_of(plain.get("round", 1))


def test_after_the_last_paper_sheet_the_next_step_is_offered() -> None:
    desk = Staff(10)
    desk.draw()
    step = "Weiter: 1. Spielrunde abschließen"
    first = text_of(desk.post("paper_line", 1, 1, line="12345 0", htmx=True))
    assert (step in first, step in text_of(desk.get("paper", 1))) == (False, False)
    last = text_of(desk.post("paper_line", 1, 2, line="12345 0", htmx=True))
    assert re.search(rf'hx-swap-oob="true".*href="{desk.url("overview")}" autofocus>\s*{step}', last)
    assert step in text_of(desk.get("paper", 1))
