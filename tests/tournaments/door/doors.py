"""Helpers of the registration tests: a tournament with a cashier's browser, and readers of its page."""

import re

from django.test import Client
from django.urls import reverse

from tests.factories import TournamentFactory, UserFactory, enter
from tournaments.models import Membership, Tournament

FRAGMENT = {"HX-Request": "true"}
OF_THE_TOURNAMENT = {
    "settings",
    "members",
    "invite",
    "withdraw_invitation",
    "remove_member",
    "closing_sheet",
    "exclude",
    "readmit",
}


class Cashier:
    """A cashier's browser on the registration page of one tournament."""

    def __init__(self, role: str = "organiser", tournament: Tournament | None = None) -> None:
        self.user = UserFactory.create()
        self.tournament = tournament or TournamentFactory.create()
        Membership.objects.create(tournament=self.tournament, user=self.user, role=role)
        self.client = Client()
        enter(self.client, self.user)

    def url(self, name: str, *arguments: object) -> str:
        namespace = "organiser" if name in OF_THE_TOURNAMENT else "door"
        return reverse(f"{namespace}:{name}", args=[self.tournament.slug, *arguments])

    def get(self, name: str, *arguments: object, query: str = "") -> str:
        response = self.client.get(self.url(name, *arguments) + query)
        assert response.status_code == 200
        return response.content.decode()

    def register(self, name: str, **more: str) -> str:
        response = self.client.post(self.url("register"), {"name": name, **more}, headers=FRAGMENT)
        return response.content.decode()

    def act(self, start_number: int, action: str) -> str:
        response = self.client.post(self.url("act", start_number, action), headers=FRAGMENT)
        assert response.status_code == 200
        return response.content.decode()

    def figures(self) -> dict[str, str]:
        return figures(self.get("desk"))


def figures(page: str) -> dict[str, str]:
    """Return the figures that are always visible: {"present": "47", "cash": "141,00 €", ...}."""
    pairs = re.findall(r'<dd data-figure="(\w+)">([^<]*)</dd>', page)
    return {name: value.replace("\u00a0", " ") for name, value in pairs}


def numbers(page: str) -> list[int]:
    """Return the start numbers of the list, from top to bottom."""
    return [int(number) for number in re.findall(r'<tr id="row-(\d+)"', page)]
