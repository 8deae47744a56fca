"""A whole evening under rule sheet 5, as written except for the fee: two rounds of 32 games.

Eight players, two tables, both rounds drawn before the start. One sheet is written on a phone's page from the first game to the last, the
others come from phones without a page. The play is random with a fixed seed. The last round is repeated until two
players share the first rank, equal in every criterion.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import labels
from tests.journeys import reckoning_schafkopf as schafkopf
from tests.journeys.evening import HANDY, Evening, Reckoned
from tests.journeys.hands import Seating, side_by_side
from tests.journeys.reckoning import short
from tests.journeys.reckoning_schafkopf import Game, SchafkopfStory
from tests.journeys.steps import (
    check_books,
    check_standings,
    check_wall,
    create_tournament,
    enter_office,
    open_paired_wall,
    people_in_the_queue,
    register,
    register_early,
    released,
)
from tests.journeys.tables import SchafkopfPhone
from tournaments.models import Tournament
from tournaments.rulesets.loader import preset

pytestmark = [
    pytest.mark.usefixtures("committed"),
    pytest.mark.parametrize(
        "evening", [Reckoned(SchafkopfPhone, schafkopf.leaderboard, schafkopf.figures)], indirect=True
    ),
]

PLAYERS, GAMES = 8, 32


def test_a_whole_evening_of_plus_and_minus(evening: Evening, tmp_path: Path) -> None:
    enter_office(evening.laptop)
    create_tournament(evening, "Preisschafkopf", rules="Preisschafkopf", own_fee="5,00")
    rules = Tournament.objects.get(slug=evening.slug).rules
    assert rules == replace(preset("schafkopf"), entry_fee_cents=500)
    *early, late, last, substitute = people_in_the_queue(PLAYERS + 1)
    register_early(evening, early)
    register(evening, [late])
    seven_are_refused(evening)
    register(evening, [last])
    both_rounds_are_drawn(evening)

    first_round_with_a_tout(evening)
    wall, hall = open_paired_wall(evening), evening.new_page(HANDY)
    check_wall(evening, wall)
    one_leaves_and_another_plays_for_him(evening, substitute)
    hall.goto(f"/t/{evening.slug}/")
    last_round(evening)
    the_third_is_excluded(evening)

    two_share_the_first_rank(evening, wall, hall)
    the_lot_decides(evening, wall)
    check_standings(evening, wall, hall)
    check_books(
        evening,
        tmp_path,
        [
            "round 1: 1 attempts, 0 changes",
            "round 2: 1 attempts, 1 changes",
            "lots: 1",
            "verified: 2 of 2 rounds",
        ],
    )


# --- before the first round ----------------------------------------------------------------------------------------


def seven_are_refused(evening: Evening) -> None:
    """Check the refusal of seven players, with the number missing and the two ways out."""
    office, page = evening.office, evening.laptop
    office.begin_draw("Beide Spielrunden auslosen")
    office.said("Mit 7 Spielern gehen Vierertische nicht auf. Ein Spieler mehr, oder drei setzen aus.")
    expect(page.get_by_role("button", name="Beide Spielrunden auslosen")).to_have_count(0)
    page.get_by_role("link", name="Wer setzt aus?").click()
    expect(page.get_by_role("heading", name="Wer fehlt?")).to_be_visible()


def both_rounds_are_drawn(evening: Evening) -> None:
    """Draw both rounds at once; the second waits until the first is closed."""
    office, page = evening.office, evening.laptop
    office.begin_draw("Beide Spielrunden auslosen")
    office.press("Beide Spielrunden auslosen")
    office.said("2 Spielrunden sind ausgelost.")
    evening.rounds = 2
    office.go("rounds/2/")
    assert sorted(number for table in office.seating().values() for number in table) == sorted(evening.people)
    expect(page.get_by_role("button", name="Freigeben")).to_be_disabled()
    office.said("Erst wenn die 1. Spielrunde abgeschlossen ist.")


def made_up(evening: Evening, number: int, seating: Seating) -> dict[int, SchafkopfStory]:
    blank = [SchafkopfStory(number, table, dict(enumerate(n, start=1))) for table, n in seating.items()]
    return {story.table: schafkopf.play(evening.chance, story, games=GAMES) for story in blank}


# --- the rounds ----------------------------------------------------------------------------------------------------


def first_round_with_a_tout(evening: Evening) -> None:
    """Play all 32 games of table 1 on a phone's page; the second, a Tout, waits for the supervisor while the table plays on."""
    office = evening.office
    office.go("rounds/1/")
    no_round_is_released_without_scribes(evening)
    the_supervisor_names_the_scribes(evening)
    stories = made_up(evening, 1, started(evening, 1))
    games = [*stories[1].games]
    games[1] = Game(declarer=3, game="solo", level="tout")
    stories[1] = replace(stories[1], games=games)
    phone = evening.a_phone(office.link_of(1, 1), 1)
    side_by_side([phone.write_all(stories[1]), *evening.wires(stories, 2)])
    phone.all_sent()
    expect(phone.page.get_by_text("Spiel 2: Der Tout zählt erst, wenn ihn die Aufsicht")).to_be_visible()
    expect(phone.button("Blatt abgeben")).to_have_count(0)
    office.mark_tout(1, 1, entry=2, initials="AB")
    everybody_has_to_confirm(phone)
    side_by_side([phone.hand_in(stories[1])])
    phone.page.close()
    office.sign(1, 1, 2, initials="AB")
    evening.count(stories)
    office.close(1)
    evening.check_leaderboard()


def started(evening: Evening, number: int) -> Seating:
    """Release the round that is shown, and give the sign, before which no phone may write."""
    seating = released(evening, number)
    evening.office.press("Zeichen geben: Alle fangen an")
    evening.office.said("Das Zeichen ist gegeben: Leinwand und Handys zeigen es.")
    return seating


def no_round_is_released_without_scribes(evening: Evening) -> None:
    """Try to release the round that is shown; the page asks for the scribes."""
    evening.office.press("Freigeben")
    evening.office.said("An den Tischen 1 und 2 steht noch nicht fest, wer schreibt.")


def the_supervisor_names_the_scribes(evening: Evening) -> None:
    office, page = evening.office, evening.laptop
    page.get_by_role("link", name="Schreiber bestimmen").click()
    choices = page.locator("main select")
    expect(choices).to_have_count(2)
    for choice in choices.all():
        choice.select_option("2")
    office.press(labels.SAVE)
    office.said("Gespeichert, wer an welchem Tisch schreibt.")


def everybody_has_to_confirm(phone: SchafkopfPhone) -> None:
    expect(phone.page.get_by_role("heading", name="Ergebnis")).to_be_visible()
    expect(phone.button("Blatt abgeben")).to_be_disabled()


def one_leaves_and_another_plays_for_him(evening: Evening, name: str) -> None:
    """Replace a player, who keeps the points won so far; both pay the fee."""
    office, page = evening.office, evening.laptop
    evening.leaver = evening.stories[1, 2].players[1]
    office.go(f"door/people/{evening.leaver}/")
    page.get_by_role("link", name="Ersatz einsetzen").click()
    page.get_by_label("Name, wenn er neu ist").fill(name)
    page.get_by_label("Startgebühr ist bezahlt").check()
    page.get_by_label("Begründung").fill("Der letzte Zug geht")
    office.press("Ersatz einsetzen")
    office.said(f"{name} (Nr. {PLAYERS + 1}) spielt für {evening.people[evening.leaver]} weiter.")
    evening.people[PLAYERS + 1] = name
    evening.check_leaderboard()
    office.go("door/cash/")
    expect(page.locator("[data-figure=cash]")).to_have_text(re.compile(r"^45,00\s€$"))


def last_round(evening: Evening) -> None:
    office = evening.office
    office.go("rounds/2/")
    the_supervisor_names_the_scribes(evening)
    seating = started(evening, 2)
    seated = {number for table in seating.values() for number in table}
    assert seated == set(evening.people) - {evening.leaver}
    stories = in_the_end_two_are_equal(evening, seating)
    side_by_side(evening.wires(stories, 1, 2))
    office.sign_all(2, initials="AB")
    evening.count(stories)
    office.close(2)


def in_the_end_two_are_equal(evening: Evening, seating: Seating) -> dict[int, SchafkopfStory]:
    """Make up a round after which exactly two players share the first rank."""
    while True:
        stories = made_up(evening, 2, seating)
        if not two_lead(evening, stories):
            continue  # the rows of the whole evening take longer to compute
        rows = schafkopf.leaderboard(evening.people, [*evening.stories.values(), *stories.values()], rounds=2)
        if [row["rank"] for row in rows[:3]] == [1, 1, 3]:
            return stories


def two_lead(evening: Evening, stories: Mapping[int, SchafkopfStory]) -> bool:
    """Return whether two players have the same points, and all others fewer."""
    points: Counter[int] = Counter()
    for story in (*evening.stories.values(), *stories.values()):
        points_there = story.points
        for seat, number in story.players.items():
            points[number] += points_there[seat]
    first, second, third, *_ = sorted((points[number] for number in evening.people), reverse=True)
    return first == second > third


# --- the end -------------------------------------------------------------------------------------------------------


def the_third_is_excluded(evening: Evening) -> None:
    """Exclude a player; players behind move up, and the fee is not paid back."""
    office, page, third = evening.office, evening.laptop, evening.expected[2]["start_number"]
    office.go(f"door/people/{third}/")
    page.get_by_text("Ausschließen …").click()
    page.get_by_label("Begründung").fill("Wissentlich falsch eingetragen")
    office.press("Ausschließen")
    office.said(f"{evening.people[third]} ist ausgeschlossen und steht nicht mehr in der Rangliste.")
    evening.excluded.add(third)
    evening.check_leaderboard()
    office.go("door/cash/")
    expect(page.locator("[data-figure=cash]")).to_have_text(re.compile(r"^45,00\s€$"))


def two_share_the_first_rank(evening: Evening, wall: Page, hall: Page) -> None:
    names = [evening.people[row["start_number"]] for row in evening.expected[:2]]
    evening.office.go()
    expect(evening.laptop.get_by_role("heading", name="Gleichstand auf Rang 1")).to_be_visible()
    expect(wall.locator(".wall-winner__name")).to_have_text(names)
    expect(hall.locator(".winner__name")).to_have_text([short(name) for name in names])


def the_lot_decides(evening: Evening, wall: Page) -> None:
    """Let the program draw a lot, and compute it again from the seed that is shown."""
    office, page = evening.office, evening.laptop
    tied = [row["start_number"] for row in evening.expected[:2]]
    office.go("standings/")
    office.press("Los ziehen")
    office.said("Das Los ist gezogen und mit seinem Startwert festgehalten.")
    order = schafkopf.lot_of_two(page.locator("#decisions ~ ol code").inner_text(), tied)
    leaderboard = partial(schafkopf.leaderboard, lots=[order])
    evening.reckoned = replace(evening.reckoned, leaderboard=leaderboard)
    first, second = (evening.people[number] for number in order)
    office.said(f"Los: {first} vor {second}")
    expect(wall.locator(".wall-winner__name")).to_have_text([first])
    evening.check_leaderboard()
