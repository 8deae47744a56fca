"""The club between its evenings, in the browser: two next evenings in six clicks, and the club's own pages."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_played_round
from tests.journeys.access import violations_in_all_colours
from tests.journeys.evening import LAPTOP, bring_session
from tests.labels import SAVE
from tests.scoring.a_club import forget_club
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")


@pytest.fixture
def owner(committed: None) -> Iterator[User]:
    owner: User = UserFactory.create(is_superuser=True)
    yield owner
    with transaction.atomic():  # the server of other journeys would go on to name the club
        forget_club()


@pytest.fixture
def tournament(owner: User) -> Tournament:
    mark = uuid4().hex[:8]
    tournament: Tournament = TournamentFactory.create(
        slug=f"herbst-{mark}",
        name=f"Herbstturnier {mark}",
        played_on=timezone.localdate(),
        place="Krone",
        owner=owner,
    )
    ParticipantFactory.create_batch(5, tournament=tournament)
    tournament.desks.create(number=1, name="Theke")
    a_played_round(tournament)
    return tournament


def test_two_evenings_in_a_row_are_set_up_in_six_clicks(
    page: Page, owner: User, tournament: Tournament
) -> None:
    page.set_viewport_size(LAPTOP["viewport"])
    page.add_init_script(
        "addEventListener('click', () => sessionStorage.clicks = +(sessionStorage.clicks || 0) + 1, true)"
    )
    bring_session(page, owner)
    page.goto(reverse("organiser:overview", args=[tournament.slug]))
    for number in (2, 3):
        page.get_by_role("navigation", name="Turnier").get_by_role("link", name="Einstellungen").click()
        page.get_by_role("link", name="Nächster Abend wie dieser").click()
        expect(page.get_by_role("checkbox", checked=True)).to_have_count(5)
        assert violations_in_all_colours(page) == {}
        page.get_by_role("button", name="Turnier anlegen").click()
        expect(page.get_by_text(f"„{tournament.name}“ am")).to_be_visible()
        assert Tournament.objects.filter(name=tournament.name).count() == number
    assert page.evaluate("+sessionStorage.clicks") == 6
    days = (
        Tournament.objects.filter(name=tournament.name)
        .order_by("played_on")
        .values_list("played_on", flat=True)
    )
    assert {day.weekday() for day in days} == {tournament.played_on.weekday()}
    assert len(set(days)) == 3


def test_the_owner_names_the_club_and_guests_find_imprint_and_privacy(
    page: Page, owner: User, tournament: Tournament
) -> None:
    bring_session(page, owner)
    page.goto(reverse("organiser:home"))
    page.locator(".topbar__account summary").click()
    page.get_by_role("link", name="Verein", exact=True).click()
    page.get_by_label("Name des Vereins").fill("Kartenclub Karo")
    page.get_by_label("Kontakt").fill("post@karo.example")
    assert violations_in_all_colours(page) == {}
    page.get_by_role("button", name=SAVE).click()
    expect(page.get_by_text("Gespeichert.")).to_be_visible()
    page.context.clear_cookies()
    page.goto(f"/t/{tournament.slug}/")
    page.get_by_role("link", name="Impressum").click()
    expect(page.get_by_text("post@karo.example")).to_be_visible()
    assert violations_in_all_colours(page) == {}
    page.get_by_role("link", name="Datenschutz").click()
    expect(page.get_by_role("heading", name="Datenschutz")).to_be_visible()
    assert violations_in_all_colours(page) == {}
