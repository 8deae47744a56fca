"""Who has played before is taken at the door with an arrow and Enter; who is typed is new, at once."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from playwright.sync_api import Page, Route, expect

from tests.factories import UserFactory
from tests.journeys.test_door import a_tournament_of, names, open_door, slow_network, type_line
from tests.tournaments.services.test_people import a_person
from tournaments.models import Appearance, Consent, Person, Tournament
from tournaments.services.tournaments import allow_purge

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def organiser(committed: None) -> User:
    return UserFactory.create()


@pytest.fixture
def tournament(organiser: User) -> Iterator[Tournament]:
    a_person("Huber Sepp", town="Hof", names="short")
    a_person("Huber Sepp", town="Selb")
    yield a_tournament_of(organiser)
    with transaction.atomic():  # other journeys type the same names
        allow_purge()
        for model in (Appearance, Consent, Person):
            model.objects.all().delete()


@pytest.fixture
def door(lent_page: Page, organiser: User, tournament: Tournament) -> Page:
    return open_door(lent_page, organiser, tournament)


def taken(tournament: Tournament) -> list[tuple[str, str, str]]:
    rows = Appearance.objects.filter(participant__tournament=tournament).order_by("participant__start_number")
    return list(rows.values_list("participant__name", "participant__town", "how"))


def test_an_arrow_and_enter_take_the_person_and_the_arrow_up_the_typed_text(
    door: Page, tournament: Tournament
) -> None:
    field, options = door.locator("#id_name"), door.get_by_role("option")
    door.keyboard.type("hub")
    expect(options).to_have_count(2)
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(field).to_have_attribute("role", "combobox")
    door.keyboard.press("ArrowDown")
    door.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", "known-2")
    expect(field).to_be_focused()
    door.keyboard.press("Escape")
    expect(field).to_have_value("hub")
    door.keyboard.press("ArrowDown")
    door.keyboard.press("Enter")
    expect(door.locator("#door-note")).to_contain_text("Nr. 1 · Huber Sepp")
    expect(field).to_have_value("")
    expect(options).to_have_count(0)
    assert taken(tournament) == [("Huber Sepp", "Hof", "suggested")]
    expect(field).to_be_focused()
    door.keyboard.type("hub")
    expect(options).to_have_count(1)
    door.keyboard.press("ArrowDown")
    door.keyboard.press("ArrowUp")
    door.keyboard.type("er Toni")
    door.keyboard.press("Enter")
    expect(door.locator("#door-note")).to_contain_text("Nr. 2 · huber Toni")
    assert len(taken(tournament)) == 1


def test_keys_that_are_faster_than_the_network_take_the_person_too(
    door: Page, tournament: Tournament
) -> None:
    with slow_network(door):
        type_line(door, "Kern Lena")  # new: nothing is waited for
        door.keyboard.type("huber")
        door.keyboard.press("ArrowDown")
        door.keyboard.press("Enter")
        expect(door.locator("#door-list")).to_contain_text("Huber Sepp")
    assert sorted(names(door)) == ["Huber Sepp", "Kern Lena"]
    assert taken(tournament) == [("Huber Sepp", "Hof", "suggested")]


def test_who_is_chosen_stays_chosen_when_the_answer_to_the_line_before_arrives(
    door: Page, tournament: Tournament
) -> None:
    held: list[Route] = []

    def hold_the_first_line(route: Route) -> None:
        if route.request.method == "POST" and not held:
            held.append(route)
        else:
            route.continue_()

    options = door.locator("#door-known > li")
    door.route("**/door/**", hold_the_first_line)
    type_line(door, "Kern Lena")
    door.keyboard.type("hub")
    expect(options).to_have_count(2)
    door.keyboard.press("ArrowDown")
    door.keyboard.press("ArrowDown")
    held[0].continue_()
    expect(door.locator("#door-list")).to_contain_text("Kern Lena")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    door.keyboard.press("Enter")
    expect(door.locator("#door-note")).to_contain_text("Nr. 2 · Huber Sepp")
    assert taken(tournament) == [("Huber Sepp", "Selb", "suggested")]


def test_one_key_remembers_who_was_just_registered(door: Page, tournament: Tournament) -> None:
    type_line(door, "Kern Lena")
    expect(door.locator("#door-remember")).to_be_visible()
    door.keyboard.press("F8")
    expect(door.locator("#door-note")).to_contain_text("für die nächsten Abende gemerkt")
    expect(door.locator("#id_name")).to_be_focused()
    assert Consent.objects.get().person.name == "Kern Lena"
    assert Person.objects.count() == 3
