"""A whole evening under rule sheet 1, through the pages; at its end every result is computed again.

32 players register, nine of them at two desks; one goes home after the first round. Three rounds have sheets that are tapped on
phones, sent by phones, and typed in from paper. The draw is the program's own, with an unpredictable seed. Everything
else is random with a fixed seed, and a favourite makes sure that there is one winner.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import labels
from tests.factories import PASSWORD
from tests.journeys import reckoning
from tests.journeys.evening import HANDY, LAPTOP, Evening
from tests.journeys.hands import DoorLaptop, Seating, side_by_side
from tests.journeys.reckoning import Deal, Story, place, play_deals
from tests.journeys.steps import (
    check_books,
    check_standings,
    check_wall,
    create_tournament,
    drawn,
    log_in,
    nobody_has_points,
    open_wall,
    people_in_the_queue,
    register_early,
)
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("committed")

PLAYERS, AT_THE_DESKS = 32, 9


def test_a_whole_evening_from_the_queue_at_the_door_to_the_winner(evening: Evening, tmp_path: Path) -> None:
    create_the_tournament(evening)
    wall, hall = open_wall(evening), evening.new_page(HANDY)
    expect(wall.get_by_text("Herzlich willkommen!")).to_be_visible()
    hall.goto(f"/t/{evening.slug}/")
    queue_at_two_desks(evening)
    expect(wall.get_by_text(f"{PLAYERS} Spieler sind angemeldet")).to_be_visible()

    first_round(evening, wall, hall)
    one_goes_home(evening)
    second_round_with_corrections_of_the_first(evening)
    last_round_with_suspense(evening, wall, hall)

    the_winner_is_announced(evening, wall, hall)
    all_standings_are_right(evening, wall, hall)
    the_books_are_right(evening, tmp_path)


# --- before the first round ----------------------------------------------------------------------------------------


def create_the_tournament(evening: Evening) -> None:
    log_in(evening.laptop)
    create_tournament(evening, "Kirchweih-Schnauzen", fee="3,00")
    assert Tournament.objects.get(slug=evening.slug).ruleset["name"] == "schnauz-placing"


def a_cashier(evening: Evening) -> Page:
    """Invite a cashier by link, with an account of their own; return the page."""
    evening.office.go("settings/people/")
    evening.laptop.get_by_label("Kasse").check()
    evening.office.press("Link machen")
    link = evening.laptop.locator("code.code").inner_text().strip()
    page = evening.new_page(LAPTOP)
    page.goto(link)
    page.get_by_label("Name").fill(f"kasse-{evening.slug}")
    page.get_by_label("Passwort", exact=True).fill(PASSWORD)
    page.get_by_label("Passwort noch einmal").fill(PASSWORD)
    page.get_by_role("button", name="Mitarbeiten").click()
    expect(page.get_by_role("heading", name="Turniere")).to_be_visible()
    return page


def queue_at_two_desks(evening: Evening) -> None:
    """Register players at two desks at a time, after those who came early; two have the same name, and one has not paid."""
    names, early = people_in_the_queue(AT_THE_DESKS - 1), people_in_the_queue(PLAYERS - 1)[AT_THE_DESKS - 1 :]
    register_early(evening, early)
    second = a_cashier(evening)
    desks = [DoorLaptop(evening.laptop, evening.slug), DoorLaptop(second, evening.slug)]
    for start in range(0, len(names), 2):
        pair = list(zip(desks, names[start : start + 2], strict=True))
        for desk, name in pair:
            desk.enter(name, *(["F2"] if name == names[5] else []))
        for desk, name in pair:
            evening.people[desk.number_of(name)] = name
    desks[0].enter(names[4])
    expect(evening.laptop.get_by_role("alert")).to_contain_text("Diesen Namen gibt es schon:")
    evening.laptop.keyboard.press("Enter")
    evening.people[desks[0].number_of(names[4])] = names[4]
    assert sorted(evening.people) == list(range(1, PLAYERS + 1))
    numbers = {name: number for number, name in evening.people.items()}
    evening.favourite, evening.leaver = numbers[names[6]], numbers[names[1]]
    both_desks_show_everybody(evening, desks)
    second.close()


def both_desks_show_everybody(evening: Evening, desks: list[DoorLaptop]) -> None:
    listed = sorted((str(number), name) for number, name in evening.people.items())
    for desk in desks:
        expect(desk.figure("present")).to_have_text(str(PLAYERS))  # by itself
        expect(desk.figure("unpaid")).to_have_text("1")
        expect(desk.figure("cash")).to_have_text(re.compile(r"^93,00\s€$"))
        rows = desk.page.locator("tr[id^=row-]")
        expect(rows).to_have_count(PLAYERS)
        seen = rows.evaluate_all(
            "rows => rows.map(row => ['td.num', '.door-table__name'].map(of => row.querySelector(of).innerText))"
        )
        assert sorted((number, name) for number, name in seen) == listed


# --- the rounds ----------------------------------------------------------------------------------------------------


def first_round(evening: Evening, wall: Page, hall: Page) -> None:
    """Play two tables by tapping, two by phones without a page, two on paper."""
    seating = drawn(evening, [5] * 4 + [6] * 2, swap="wollen nicht nebeneinander sitzen")
    a_player_looks_for_his_seat(evening, hall, seating)
    expect(wall.locator(".wall-page[data-kind=seating]").first).to_be_visible()
    stories, office = made_up(evening, seating, deals=(1, 2, 3)), evening.office
    phones = [evening.a_phone(office.link_of(1, 1), 1), evening.phone_at(1, 2)]
    tapped = [phones[0].play(stories[1]), phones[1].play(stories[2], slips=True)]
    side_by_side([*tapped, *evening.wires(stories, 3, 4)])
    assert nobody_has_points(evening)
    office.type_in(1, [stories[table] for table in (5, 6)])
    office.accept_one_and_the_others(1, first=2)
    evening.count(stories)
    expect(phones[0].page.get_by_text("Angenommen: Das Ergebnis zählt.")).to_be_visible()
    for phone in phones:
        phone.page.close()
    office.close(1)
    evening.check_leaderboard()
    check_wall(evening, wall)


def made_up(evening: Evening, seating: Seating, *, deals: Collection[int]) -> dict[int, Story]:
    """Make up the stories of a round: deals at some tables, only ranks and strokes at the others."""
    blank = [Story(evening.rounds, table, dict(enumerate(n, start=1))) for table, n in seating.items()]
    return {
        story.table: (play_deals if story.table in deals else place)(evening.chance, story, evening.favourite)
        for story in blank
    }


def a_player_looks_for_his_seat(evening: Evening, hall: Page, seating: Seating) -> None:
    """Search by the full name given at registration, while public pages show only its beginning."""
    table, seat = next(
        (t, n.index(evening.favourite) + 1) for t, n in seating.items() if evening.favourite in n
    )
    hall.get_by_role("searchbox", name="Wo sitze ich?").fill(evening.people[evening.favourite])
    hall.get_by_role("button", name=labels.SEARCH).click()
    expect(hall.locator("#answer")).to_contain_text(f"Tisch {table} · Platz {seat}")
    hall.goto("about:blank")  # until it is looked at again, after the last round


def one_goes_home(evening: Evening) -> None:
    evening.office.send_home(evening.leaver, evening.people[evening.leaver])


def second_round_with_corrections_of_the_first(evening: Evening) -> None:
    seating = drawn(evening, [5] * 5 + [6])
    stories, office = made_up(evening, seating, deals=(1, 2)), evening.office
    plays = evening.wires(stories, 1, 2, 3)
    for play in plays:
        next(play)
    correct_a_deal(evening, table=1)
    correct_a_ranking(evening, table=6)
    side_by_side(plays)
    office.type_in(2, [stories[table] for table in (4, 5, 6)])
    office.accept_one_and_the_others(2, first=1)
    evening.count(stories)
    office.close(2)
    evening.check_leaderboard()


def correct_a_deal(evening: Evening, *, table: int) -> None:
    """Correct a knock to a Schnauz. As long as the sheet is open it does not count."""
    office, page, key = evening.office, evening.laptop, (1, table)
    story = evening.stories.pop(key)
    index, finisher = a_knock_that_was_a_schnauz(story, evening.favourite)
    office.reopen(1, table, "Strich vergessen")
    evening.check_leaderboard()
    office.correct(index + 1)
    page.get_by_role("group", name="Das Spiel endete durch").get_by_label("Schnauz", exact=True).check()
    page.get_by_label("Den Strich bekommt").select_option(str(finisher))
    office.confirm_correction("Der ganze Tisch hat es gesehen")
    office.accept_unsubmitted("Mit dem Tisch geklärt")
    deals = [*story.deals]
    deals[index] = Deal(deals[index].losers, "schnauz", finisher)
    evening.stories[key] = replace(story, deals=deals)
    assert evening.stories[key].strokes[finisher] == story.strokes[finisher] + 1
    evening.check_leaderboard()


def a_knock_that_was_a_schnauz(story: Story, favourite: int) -> tuple[int, int]:
    """Return the deal, and the seat of a player who did not lose it."""
    return next(
        (index, seat)
        for index, deal in enumerate(story.deals)
        if deal.ended_by == "knock"
        for seat in story.still_in(index)
        if seat not in deal.losers and story.players[seat] != favourite
    )


def correct_a_ranking(evening: Evening, *, table: int) -> None:
    """Type in a paper sheet with all ranks but the winner's reversed; correct and accept it in one step."""
    office, page, story = evening.office, evening.laptop, evening.stories[1, table]
    others = sorted(
        (seat for seat in story.seats if story.ranks[seat] > 1), key=lambda seat: -story.ranks[seat]
    )
    winner = next(seat for seat in story.seats if story.ranks[seat] == 1)
    placed = {winner: 1} | {seat: rank for rank, seat in enumerate(others, start=2)}
    assert placed != story.ranks
    office.go(f"rounds/1/tables/{table}/")
    office.correct(1)
    for seat, rank in placed.items():
        page.get_by_label(f"Rang von {evening.people[story.players[seat]]} (Platz-Nr. {seat})").fill(
            str(rank)
        )
    office.confirm_correction("Zettel verkehrt herum gelesen")
    evening.stories[1, table] = replace(story, placed=placed)
    evening.check_leaderboard()


def last_round_with_suspense(evening: Evening, wall: Page, hall: Page) -> None:
    """Freeze before the first sheet comes in: everything public is unchanged until the organiser releases it."""
    seating = drawn(evening, [5] * 5 + [6])
    stories, office = made_up(evening, seating, deals=(2,)), evening.office
    office.go("standings/")
    office.press("Stand anhalten")
    office.said("Angehalten.")
    frozen = evening.public("leaderboard.json")
    assert (frozen["rows"], frozen["final"]) == (evening.expected, False)
    phone = evening.phone_at(3, 1)
    side_by_side([phone.play_without_lives(stories[1]), *evening.wires(stories, 2, 3)])
    phone.page.close()
    office.type_in(3, [stories[table] for table in (4, 5, 6)])
    office.accept_one_and_the_others(3, first=1)
    office.close(3)
    assert evening.public("leaderboard.json") == frozen
    check_wall(evening, wall, frozen["rows"])
    hall.goto(f"/t/{evening.slug}/standings/")
    expect(hall.get_by_text("Der Veranstalter macht es spannend")).to_be_visible()
    expect(hall.locator(".standings tbody tr")).to_have_count(PLAYERS)
    assert hall.locator(".winner").count() == 0
    evening.count(stories)


# --- the end -------------------------------------------------------------------------------------------------------


def the_winner_is_announced(evening: Evening, wall: Page, hall: Page) -> None:
    name = evening.people[evening.favourite]
    office = evening.office
    office.go()
    expect(evening.laptop.get_by_role("button", name=labels.BEGIN_PRIZE_GIVING)).to_be_visible()
    office.go("standings/")  # without a prize-giving, which the wall is ready for
    office.press(labels.SHOW_FINAL_STANDINGS)
    expect(evening.laptop.locator(".podium")).to_contain_text(name)
    expect(wall.locator(".wall-winner__name")).to_have_text(name)
    expect(hall.locator(".winner__name")).to_have_text(reckoning.short(name))
    expect(hall.get_by_text("Gewonnen hat", exact=True)).to_be_visible()


def all_standings_are_right(evening: Evening, wall: Page, hall: Page) -> None:
    assert evening.expected[0]["start_number"] == evening.favourite
    assert evening.expected[0]["points"] == 18
    check_standings(evening, wall, hall)


def the_books_are_right(evening: Evening, tmp_path: Path) -> None:
    """Check the records: 31 of 32 have paid, every draw replays from its seed, the log equals the results."""
    evening.office.go("door/cash/")
    expect(evening.laptop.locator("[data-figure=cash]")).to_have_text(re.compile(r"^93,00\s€$"))
    check_books(
        evening,
        tmp_path,
        [
            "round 1: 1 attempts, 1 changes",
            "round 2: 1 attempts, 0 changes",
            "round 3: 1 attempts, 0 changes",
            "verified: 3 of 3 rounds",
        ],
    )
