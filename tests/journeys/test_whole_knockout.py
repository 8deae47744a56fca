"""A whole evening under rule sheet 4, through the pages: 23 players, until one is left.

Players who share the rank at the cut go on, so eleven qualify instead of eight; one of them goes home. The play is
random with a fixed seed, repeated until as many players go on as the evening needs.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys import reckoning_knockout as knockout
from tests.journeys.evening import HANDY, Evening, Reckoned
from tests.journeys.hands import Seating, side_by_side
from tests.journeys.reckoning import place, play_deals, short
from tests.journeys.reckoning_knockout import KnockoutStory
from tests.journeys.steps import (
    cells_of,
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
from tests.journeys.tables import SurvivalPhone
from tournaments.core.name_order import surname_first

FINAL = 3
pytestmark = [
    pytest.mark.usefixtures("committed"),
    pytest.mark.parametrize(
        "evening",
        [Reckoned(SurvivalPhone, knockout.leaderboard, knockout.figures(final=FINAL))],
        indirect=True,
    ),
]


def test_a_whole_evening_until_one_is_left(evening: Evening, tmp_path: Path) -> None:
    enter_office(evening.laptop)
    create_tournament(evening, "Pokal-Schnauzen", rules="Schnauz im K.-o.-System")
    wall, hall = open_paired_wall(evening), evening.new_page(HANDY)
    hall.goto(f"/t/{evening.slug}/tree/")
    register_early(evening, people_in_the_queue(23))
    everybody_knows_how_many_rounds_it_takes(evening)

    first_round(evening, wall, hall)
    one_who_has_made_it_goes_home(evening, hall)
    second_round(evening, wall, hall)
    the_final(evening, hall)

    the_winner_is_announced(evening, wall, hall)
    check_standings(evening, wall, hall)
    check_books(
        evening,
        tmp_path,
        [*(f"round {number}: 1 attempts, 0 changes" for number in (1, 2, 3)), "verified: 3 of 3 rounds"],
    )


def everybody_knows_how_many_rounds_it_takes(evening: Evening) -> None:
    evening.office.go()
    evening.office.said(
        "23 Spieler, 3 Spielrunden: 4 Tische, dann 8 Spieler an 2 Tischen, dann das Finale mit 4."
    )


def made_up(
    evening: Evening, seating: Seating, going_on: Mapping[int, int], *, placed: int = 0
) -> dict[int, KnockoutStory]:
    """Make up the stories of a round. going_on: number of qualified players by table.

    placed: the table of which only ranks and strokes are known.
    """
    blank = [
        KnockoutStory(evening.rounds, table, dict(enumerate(n, start=1))) for table, n in seating.items()
    ]
    return {
        story.table: knockout.play(
            evening.chance,
            story,
            going_on=going_on[story.table],
            by=place if story.table == placed else play_deals,
        )
        for story in blank
    }


# --- the rounds ----------------------------------------------------------------------------------------------------


def first_round(evening: Evening, wall: Page, hall: Page) -> None:
    """Play a round in which two players share the rank at the cut at one table, three at another."""
    seating, office = drawn(evening, [5, 6, 6, 6]), evening.office
    stories = made_up(evening, seating, {1: 2, 2: 3, 3: 2, 4: 4}, placed=4)
    phone = evening.a_phone(office.link_of(1, 1), 1)
    side_by_side([phone.play(stories[1]), *evening.wires(stories, 2, 3)])
    office.type_in(1, [stories[4]])
    office.accept_one_and_the_others(1, first=1)
    evening.count(stories)
    expect(phone.page.get_by_text("Im Pott liegen")).to_have_count(0)
    phone.page.close()
    office.close(1)
    evening.check_leaderboard()
    check_wall(evening, wall)
    the_tree_shows_who_goes_on(evening, hall)
    the_wall_names_them(evening, wall)


def going_on(evening: Evening) -> set[int]:
    """Return the players who qualified in the latest round."""
    last = [story for story in evening.stories.values() if story.round == evening.rounds]
    return set().union(*(story.going_on for story in last))


def the_tree_shows_who_goes_on(evening: Evening, hall: Page) -> None:
    """Check the bracket by live updates: the page has been open since before the round."""
    number = evening.rounds
    expect(hall.locator(f"#tree-{number} [data-fate=on]")).to_have_count(len(going_on(evening)))
    for story in (story for story in evening.stories.values() if story.round == number):
        table = f"#tree-{number} .table-card:nth-child({story.table})"
        seats = sorted(story.seats, key=lambda seat: (story.ranks[seat], seat))
        names = [short(evening.people[story.players[seat]]) for seat in seats]
        assert cells_of(hall, f"{table} li", ".tree__name") == [[name] for name in names]
        on = [short(evening.people[story.players[s]]) for s in seats if story.players[s] in story.going_on]
        assert cells_of(hall, f"{table} [data-fate=on]", ".tree__name") == [[name] for name in on]


def the_wall_names_them(evening: Evening, wall: Page) -> None:
    names = {evening.people[number] for number in going_on(evening)}
    rows = "[data-kind=onward] tbody tr"
    expect(wall.locator(rows)).to_have_count(len(names))  # the hall may hear of it first
    shown = cells_of(wall, rows, ".board__name")
    assert {name for (name,) in shown} == {surname_first(name) for name in names}


def one_who_has_made_it_goes_home(evening: Evening, hall: Page) -> None:
    """Withdraw a qualified player; no other player takes the place."""
    evening.leaver = min(evening.stories[1, 4].going_on)
    name = evening.people[evening.leaver]
    evening.office.send_home(evening.leaver, name)
    evening.office.go("rounds/2/")
    qualified = evening.laptop.locator(".qualified li")
    expect(qualified).to_have_count(11)
    expect(qualified.filter(has_text=name)).to_contain_text("abgemeldet")
    expect(hall.locator("#tree-1 [data-fate=left]")).to_contain_text(short(name))


def second_round(evening: Evening, wall: Page, hall: Page) -> None:
    made_it = going_on(evening) - {evening.leaver}
    seating, office = drawn(evening, [5, 5]), evening.office
    assert {number for numbers in seating.values() for number in numbers} == made_it
    stories = made_up(evening, seating, {1: 3, 2: 2}, placed=1)
    side_by_side(evening.wires(stories, 1, 2))
    office.accept(2, 1, 2)
    evening.count(stories)
    office.close(2)
    evening.check_leaderboard()
    check_wall(evening, wall)
    the_tree_shows_who_goes_on(evening, hall)


def the_final(evening: Evening, hall: Page) -> None:
    """Play the final with all remaining players at one table; there is no pot, as the sheet asks for no stakes."""
    office, finalists = evening.office, going_on(evening)
    office.go()
    expect(evening.laptop.get_by_role("link", name="Finale")).to_be_visible()
    seating = drawn(evening, [5])
    assert set(seating[1]) == finalists
    stories = made_up(evening, seating, {1: 2})
    phone = evening.phone_at(3, 1)
    side_by_side([phone.play(stories[1])])
    won = phone.page.locator(".result__row").first
    expect(won).to_contain_text("Rang 1")
    expect(won).not_to_contain_text("bekommt")
    phone.page.close()
    office.accept(3, 1)
    evening.count(stories)
    office.close(3)
    expect(hall.locator("#tree-3 [data-fate=won]")).to_contain_text(short(winner(evening)))


# --- the end -------------------------------------------------------------------------------------------------------


def winner(evening: Evening) -> str:
    return evening.people[evening.expected[0]["start_number"]]


def the_winner_is_announced(evening: Evening, wall: Page, hall: Page) -> None:
    evening.office.go()
    expect(evening.laptop.locator(".podium")).to_contain_text(winner(evening))
    expect(wall.locator(".wall-winner__name")).to_have_text(winner(evening))
    hall.get_by_role("link", name="Pokal-Schnauzen").click()
    expect(hall.locator(".winner__name")).to_have_text(short(winner(evening)))
    expect(hall.locator(".winner")).to_contain_text("Finale, Rang 1")
