"""A club's season in the browser: three evenings, a standing with struck results and a lot, a final, honours, the next year."""

import re
from collections.abc import Iterator
from datetime import date
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from scoring.services.rounds import close
from scoring.services.sheets import write
from tests.factories import AT, TournamentFactory, UserFactory, a_round
from tests.journeys.evening import LAPTOP
from tests.journeys.test_door import open_door, type_line
from tests.scoring.a_club import forget_club
from tournaments.core.fees import FeeKind
from tournaments.models import Appearance, Tournament
from tournaments.services.tournaments import edit_fees

pytestmark = pytest.mark.usefixtures("committed")

SLUG = "vereinsmeister-2026"
RULE = """
title = "Die besten zwei Abende"
value = "place_points"
place_points = [6, 5, 4, 3, 2, 1]
count_best = 2
guests = "skip"
guest_fees = ["fee-2"]
ties = ["lot"]
final = "first"
final_places = 5
"""


@pytest.fixture
def owner(committed: None) -> User:
    owner: User = UserFactory.create(username=f"verein-{uuid4()}", is_superuser=True)
    return owner


@pytest.fixture
def first_evening(owner: User) -> Iterator[Tournament]:
    tournament = TournamentFactory.create(
        slug=f"saison-{uuid4()}", name="Vereinsabend", played_on=date(2026, 9, 4), owner=owner
    )
    tournament.ruleset |= {"rounds": 1}
    tournament.save()
    edit_fees(tournament, [FeeKind("", "Mitglied", 300), FeeKind("", "Gast", 500)])
    yield tournament
    with transaction.atomic():  # other journeys type the same names
        forget_club()


def type_and_remember(door: Page, *people: str) -> None:
    for name in people:
        type_line(door, name)
        expect(door.locator("#door-remember")).to_be_visible()
        door.keyboard.press("F8")
        expect(door.locator("#door-note")).to_contain_text("für die nächsten Abende gemerkt")


def take_known(door: Page, *people: str) -> None:
    for name in people:
        expect(door.locator("#id_name")).to_be_focused()
        door.keyboard.type(name[:4])
        expect(door.get_by_role("option")).to_have_count(1)
        door.keyboard.press("ArrowDown")
        door.keyboard.press("Enter")
        expect(door.locator("#door-note")).to_contain_text(name)


def play(tournament: Tournament, *order: str) -> None:
    """Play the evening's round at its table; the first of `order` wins."""
    played = a_round(tournament)
    table = played.tables.get()
    seats = dict(table.seats.values_list("participant__name", "seat_number"))
    ranks = {str(seats[name]): rank for rank, name in enumerate(order, start=1)}
    write(
        table,
        [("ranked", {"ranks": ranks}), ("accepted", {"reason": "vom Papier"})],
        by="spielleitung",
        at=AT,
    )
    close(tournament, 1, at=AT)


def next_evening(page: Page, tournament: Tournament, day: str) -> Tournament:
    page.goto(reverse("organiser:overview", args=[tournament.slug]))
    page.get_by_role("navigation", name="Turnier").get_by_role("link", name="Einstellungen").click()
    page.get_by_role("link", name="Nächster Abend wie dieser").click()
    page.get_by_label("Tag").fill(day)
    page.get_by_role("button", name="Turnier anlegen").click()
    expect(page.get_by_text(f"„{tournament.name}“ am")).to_be_visible()
    return Tournament.objects.latest("pk")


def open_person(page: Page, name: str) -> None:
    page.goto(reverse("organiser:club_people"))
    page.get_by_role("link", name=name).click()


def standing(page: Page) -> list[str]:
    """Return the rows of the standing as a guest reads them: rank, name and value."""
    page.goto(reverse("series", args=[SLUG]))
    return list(
        page.locator(".series tbody tr").evaluate_all(
            """(rows) => rows.map((row) => {
            const [rank, name] = [row.cells[0].textContent.trim()[0], row.cells[1].firstChild.textContent.trim()];
            return `${rank} ${name} ${row.cells[3].textContent.trim()}`;
        })"""
        )
    )


def on_the_roll(page: Page, name: str) -> Locator:
    """Return the lines of this person on the roll of honour, not those of others whose names begin alike."""
    return page.get_by_role("listitem").filter(has_text=re.compile(rf"\b{name}\b"))


def count_evening(page: Page, tournament: Tournament) -> None:
    page.goto(reverse("organiser:series", args=[SLUG]))
    page.locator(f"#evening-{tournament.pk}").check()
    page.get_by_role("button", name="Abende speichern").click()
    expect(page.locator("#messages")).to_contain_text("Die Abende sind gespeichert.")


def test_a_season_of_three_evenings(lent_page: Page, owner: User, first_evening: Tournament) -> None:
    page = lent_page
    page.set_viewport_size(LAPTOP["viewport"])
    door = open_door(page, owner, first_evening)
    type_and_remember(door, "Anna Berg", "Bert Maier", "Carl Huber", "Dora Kern", "Emil Lang")
    play(first_evening, "Anna Berg", "Bert Maier", "Carl Huber", "Dora Kern", "Emil Lang")

    page.goto(reverse("organiser:all_series"))
    page.get_by_label("Name").fill("Vereinsmeister 2026")
    page.get_by_label("Wie viele Abende").fill("3")
    page.get_by_text("Eigene Regel schreiben").click()
    page.get_by_label("Eigene Regel").fill(RULE)
    page.get_by_role("button", name="Anlegen").click()
    expect(page.locator("#messages")).to_be_visible()
    count_evening(page, first_evening)
    assert standing(page)[0].startswith("1 Anna Berg")

    second = next_evening(page, first_evening, "2026-10-02")
    door = open_door(page, owner, second)
    take_known(door, "Anna Berg", "Carl Huber", "Dora Kern", "Emil Lang")
    type_and_remember(door, "Bert Mayer")
    door.keyboard.press("F4")
    type_line(door, "Gustav Wolf")
    expect(door.locator("#door-note")).to_contain_text("Gast")
    play(second, "Bert Mayer", "Anna Berg", "Gustav Wolf", "Carl Huber", "Dora Kern", "Emil Lang")
    count_evening(page, second)
    assert standing(page) == [
        "1 Anna Berg 11",
        "2 Carl Huber 8",
        "3 Bert Mayer 6",
        "3 Dora Kern 6",
        "5 Bert Maier 5",
        "5 Emil Lang 5",
        "– Gustav Wolf –",
    ]

    page.goto(reverse("organiser:club_doubles"))
    page.get_by_role("link", name="Bert Maier").click()
    page.get_by_role("button", name="Zusammenlegen").click()
    expect(page.get_by_role("heading", name="Zusammengelegt mit")).to_be_visible()
    assert "1 Bert Mayer 11" in standing(page)

    third = next_evening(page, second, "2026-11-06")
    door = open_door(page, owner, third)
    take_known(door, "Anna Berg", "Bert Mayer", "Carl Huber", "Dora Kern")
    type_and_remember(door, "Hanna Roth")
    play(third, "Carl Huber", "Hanna Roth", "Anna Berg", "Bert Mayer", "Dora Kern")
    count_evening(page, third)
    assert standing(page)[:2] == ["1 Anna Berg 11", "1 Bert Mayer 11"]
    expect(page.locator(".series s")).to_have_text(["4", "3", "4", "2"])
    page.goto(reverse("organiser:series", args=[SLUG]))
    page.get_by_role("button", name="Los ziehen").click()
    expect(page.get_by_role("button", name="Los ziehen")).to_have_count(0)
    rows = standing(page)
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5", "6", "–"]
    winner = "Anna Berg" if "Anna" in rows[0] else "Bert Mayer"

    page.goto(reverse("organiser:series", args=[SLUG]))
    page.get_by_role("link", name="Finale anlegen").click()
    expect(page.get_by_role("heading", name="5 Spieler werden vorgemerkt")).to_be_visible()
    page.get_by_label("Tag").fill("2026-12-04")
    page.get_by_role("button", name="Finale anlegen").click()
    qualified = {row[2:].rsplit(" ", 1)[0] for row in rows[:5]}
    expect(page.locator("#door-list .door-table__name")).to_have_count(5)
    assert set(page.locator("#door-list .door-table__name").all_inner_texts()) == qualified
    final = Tournament.objects.latest("pk")
    assert Appearance.objects.filter(participant__tournament=final).count() == 5

    page.goto(reverse("roll_of_honour"))
    expect(page.get_by_role("heading", name="Ehrentafel")).to_be_visible()
    expect(on_the_roll(page, winner)).to_have_count(0)
    open_person(page, winner)
    page.get_by_label("Der Name darf").select_option("in Ehrentafel und Jahreswertung stehen bleiben")
    page.get_by_role("button", name="Eintragen").click()
    expect(page.locator("#messages")).to_be_visible()
    page.goto(reverse("roll_of_honour"))
    of_the_series = on_the_roll(page, winner).filter(has_text="Jahreswertung: Vereinsmeister 2026")
    expect(of_the_series).to_have_count(1)

    open_person(page, winner)
    page.get_by_text("Person löschen (Datenschutz)").click()
    page.get_by_role("button", name="Überall löschen").click()
    expect(page.locator("#messages")).to_be_visible()
    nameless = [row.replace(winner, "ohne Namen") for row in rows]
    assert standing(page) == nameless
    page.goto(reverse("roll_of_honour"))
    expect(page.get_by_role("heading", name="Ehrentafel")).to_be_visible()
    expect(on_the_roll(page, winner)).to_have_count(0)

    next_year = next_evening(page, third, "2027-09-03")
    assert (next_year.participants.count(), next_year.fee_kinds) == (0, third.fee_kinds)
