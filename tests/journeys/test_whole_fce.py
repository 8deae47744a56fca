"""A whole evening under rule sheet 3, as written: three rounds of 24 deals.

Eleven players, two tables. One sheet is written on a phone's page from the first deal to the last, the others come from phones without a
page. The hands are random with a fixed seed. The last round is repeated until Schnauz decides between two players who
are equal on points, and Feuer between two others.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys import reckoning_points as points
from tests.journeys.evening import HANDY, Evening, Reckoned
from tests.journeys.hands import Seating, side_by_side
from tests.journeys.reckoning import short
from tests.journeys.reckoning_points import PointsStory
from tests.journeys.steps import (
    check_books,
    check_standings,
    check_wall,
    create_tournament,
    drawn,
    enter_office,
    open_paired_wall,
    people_in_the_queue,
    register_early,
)
from tests.journeys.tables import PointsPhone
from tournaments.models import Tournament
from tournaments.rulesets.loader import preset

pytestmark = [
    pytest.mark.usefixtures("committed"),
    pytest.mark.parametrize(
        "evening", [Reckoned(PointsPhone, points.leaderboard, points.figures)], indirect=True
    ),
]

PLAYERS, DEALS = 11, 24


def test_a_whole_evening_by_the_points_of_hands(evening: Evening, tmp_path: Path) -> None:
    enter_office(evening.laptop)
    create_tournament(evening, "Vereinsabend", rules="Schnauz nach Punkten (FCE)")
    assert Tournament.objects.get(slug=evening.slug).rules == preset("fce")
    register_early(evening, people_in_the_queue(PLAYERS))

    first_round_with_a_feuer_on_the_table(evening)
    wall, hall = open_paired_wall(evening), evening.new_page(HANDY)
    check_wall(evening, wall)
    second_round_with_an_early_end(evening, wall)
    hall.goto(f"/t/{evening.slug}/")
    last_round(evening)

    the_winner_is_announced(evening, wall, hall)
    check_standings(evening, wall, hall)
    check_books(
        evening,
        tmp_path,
        [*(f"round {number}: 1 attempts, 0 changes" for number in (1, 2, 3)), "verified: 3 of 3 rounds"],
    )


def made_up(evening: Evening, seating: Seating) -> dict[int, PointsStory]:
    blank = [PointsStory(evening.rounds, table, dict(enumerate(n, start=1))) for table, n in seating.items()]
    return {story.table: points.play(evening.chance, story, deals=DEALS) for story in blank}


def first_round_with_a_feuer_on_the_table(evening: Evening) -> None:
    """Play all 24 deals of table 1 on a phone's page, one of which ends with a hand on the table."""
    stories, office = made_up(evening, drawn(evening, [5, 6])), evening.office
    deals = [replace(stories[1].deals[0], ended_by="table_feuer"), *stories[1].deals[1:]]
    stories[1] = replace(stories[1], deals=deals)
    phone = evening.a_phone(office.link_of(1, 1), 1)
    side_by_side([phone.play(stories[1]), *evening.wires(stories, 2)])
    office.accept(1, 1, 2)
    evening.count(stories)
    expect(phone.page.get_by_text("Angenommen: Das Ergebnis zählt.")).to_be_visible()
    phone.page.close()
    office.close(1)
    evening.check_leaderboard()


def second_round_with_an_early_end(evening: Evening, wall: Page) -> None:
    """Play only two deals at table 2; the organiser accepts the sheet early, with a reason."""
    stories, office = made_up(evening, drawn(evening, [5, 6])), evening.office
    stories[2] = replace(stories[2], deals=stories[2].deals[:2])
    phone = evening.phone_at(2, 2)
    side_by_side([*evening.wires(stories, 1), phone.write_all(stories[2])])
    expect(phone.page.get_by_text("3. von")).to_be_visible()
    phone.all_sent()
    expect(phone.button("Blatt abgeben")).to_have_count(0)
    accept_early(evening)
    office.accept(2, 1)
    evening.count(stories)
    expect(phone.page.get_by_text("Angenommen: Das Ergebnis zählt.")).to_be_visible()
    phone.page.close()
    office.close(2)
    evening.check_leaderboard()
    check_wall(evening, wall)


def accept_early(evening: Evening) -> None:
    office = evening.office
    office.go("rounds/2/tables/2/")
    office.press("Ohne Abgabe annehmen")
    office.said("Das geht nur mit einer Begründung.")
    office.accept_unsubmitted("Zwei müssen zum Zug")


def last_round(evening: Evening) -> None:
    seating, office = drawn(evening, [5, 6]), evening.office
    stories = in_the_end_schnauz_and_feuer_decide(evening, seating)
    side_by_side(evening.wires(stories, 1, 2))
    office.accept(3, 1, 2)
    evening.count(stories)
    office.close(3)


def in_the_end_schnauz_and_feuer_decide(evening: Evening, seating: Seating) -> dict[int, PointsStory]:
    while True:
        stories = made_up(evening, seating)
        rows = points.leaderboard(evening.people, [*evening.stories.values(), *stories.values()], rounds=3)
        if not rows[0]["tied"] and {"schnauz", "feuer"} <= set(points.deciding(rows)):
            return stories


def the_winner_is_announced(evening: Evening, wall: Page, hall: Page) -> None:
    name = evening.people[evening.expected[0]["start_number"]]
    evening.office.go()
    expect(evening.laptop.locator(".podium")).to_contain_text(name)
    expect(wall.locator(".wall-winner__name")).to_have_text(name)
    expect(hall.locator(".winner__name")).to_have_text(short(name))
