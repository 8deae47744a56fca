"""A forgotten password: the owner makes a link, the organiser sets a new password with it."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.factories import PASSWORD, TournamentFactory, UserFactory
from tests.journeys.evening import NewPage

pytestmark = pytest.mark.usefixtures("committed")

NEW_PASSWORD = "Eichel-Ober-7"


def log_in(page: Page, user: User, password: str) -> None:
    page.goto("/o/")
    page.get_by_label("Name des Kontos").fill(user.username)
    page.get_by_label("Passwort").fill(password)
    page.get_by_role("button", name="Anmelden").click()
    expect(page.get_by_role("heading", name="Turniere")).to_be_visible()


def test_the_owner_makes_a_link_and_the_organiser_sets_a_new_password(new_page: NewPage) -> None:
    owner = UserFactory.create(username=f"wirt-{uuid4()}", is_superuser=True)
    organiser = UserFactory.create(username=f"leitung-{uuid4()}")
    TournamentFactory.create(slug=f"link-{uuid4()}", owner=organiser)
    old_laptop, laptop, at_the_door = (new_page({}) for _ in range(3))
    log_in(old_laptop, organiser, PASSWORD)
    log_in(laptop, owner, PASSWORD)
    laptop.locator(".topbar__account summary").click()
    laptop.get_by_role("link", name="Konten").click()
    row = laptop.get_by_role("row").filter(has_text=organiser.username)
    row.get_by_text("Mehr zu").click()
    row.get_by_role("button", name="Link für ein neues Passwort").click()
    link = laptop.locator("code.code").inner_text()

    at_the_door.goto(link)
    expect(at_the_door).to_have_url(link.split("#")[0])  # the code is out of the address bar
    at_the_door.get_by_label("Neues Passwort", exact=True).fill(NEW_PASSWORD)
    at_the_door.get_by_label("Neues Passwort noch einmal").fill(NEW_PASSWORD)
    at_the_door.get_by_role("button", name="Passwort setzen").click()
    expect(at_the_door.get_by_text("Das neue Passwort gilt ab jetzt.")).to_be_visible()
    log_in(at_the_door, organiser, NEW_PASSWORD)

    old_laptop.reload()
    expect(old_laptop.get_by_role("heading", name="Anmelden")).to_be_visible()

    laptop.get_by_role("link", name="Sicherheitsprotokoll").click()
    made = laptop.get_by_role("row").filter(has_text="Link für ein neues Passwort gemacht")
    expect(made.filter(has_text=organiser.username)).to_be_visible()
