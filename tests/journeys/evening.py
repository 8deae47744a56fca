"""The state of an evening: its events so far as the test knows them, and its devices."""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from playwright.sync_api import APIRequestContext, Page

from tests.journeys import reckoning
from tests.journeys.hands import Office
from tests.journeys.tables import Phone, SurvivalPhone, Told, Wire

LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
WALL: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
PROJECTOR: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
HANDY: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2,
}  # fmt: skip
NewPage = Callable[[dict[str, Any]], Page]
NewApi = Callable[[], APIRequestContext]


def bring_session(page: Page, user: User) -> None:
    """Log in without the form, which has journeys of its own."""
    client = Client()
    client.force_login(user)
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "domain": "127.0.0.1", "path": "/"}])


@dataclass(frozen=True)
class Reckoned:
    """An evening under a rule sheet: its phones, the rows of leaderboard.json, and the figures of a row on a page."""

    phone: type[Phone]
    leaderboard: Callable[..., list[dict[str, Any]]]
    figures: Callable[[Mapping[str, Any]], list[str]]


PLACING = Reckoned(SurvivalPhone, reckoning.leaderboard, reckoning.figures)


class Evening:
    """The events so far, as the test knows them, and the devices that show them."""

    def __init__(self, new_page: NewPage, new_api: NewApi, reckoned: Reckoned) -> None:
        self.new_page, self.new_api, self.reckoned = new_page, new_api, reckoned
        self.chance = Random(1925)
        self.people: dict[int, str] = {}
        self.excluded: set[int] = set()
        self.stories: dict[tuple[int, int], Any] = {}
        self.links: dict[int, dict[int, str]] = {}
        self.rounds = 0
        self.favourite = self.leaver = 0
        self.laptop, self.anybody = new_page(LAPTOP), new_api()
        self.slug = ""

    @property
    def office(self) -> Office:
        return Office(self.laptop, self.slug)

    @property
    def expected(self) -> list[dict[str, Any]]:
        people = {number: name for number, name in self.people.items() if number not in self.excluded}
        return self.reckoned.leaderboard(people, self.stories.values(), rounds=self.rounds)

    def public(self, path: str) -> Any:
        """Return a public response. A connection that the server has closed at rest is opened again, as browsers do."""
        response = self.anybody.get(f"/t/{self.slug}/{path}", max_retries=2)
        return response.json() if response.ok else response.status

    def check_leaderboard(self) -> None:
        assert self.public("leaderboard.json")["rows"] == self.expected

    def a_phone(self, link: str, table: int, **more: Any) -> Any:
        return self.reckoned.phone(self.new_page({**HANDY, **more}), link, table)

    def link_of(self, number: int, table: int) -> str:
        """Return the link as printed on the sheet of a table in the round that is played."""
        if number not in self.links:
            self.links[number] = links_by_command(self.slug)
        return self.links[number][table]

    def phone_at(self, number: int, table: int) -> Any:
        """Return a phone that has opened the printed link, and keeps nothing for a time without a network.

        The laptop shows nothing: its page would follow every entry.
        """
        self.laptop.goto("about:blank")
        return self.a_phone(self.link_of(number, table), table, service_workers="block")

    def wires(self, stories: Mapping[int, Told], *tables: int) -> list[Iterator[None]]:
        """Return phones without pages that play at these tables."""
        played = [stories[table] for table in tables]
        return [
            Wire(self.new_api(), self.link_of(story.round, table), self.chance).play(story)
            for table, story in zip(tables, played, strict=True)
        ]

    def count(self, stories: Mapping[int, Told]) -> None:
        self.stories |= {(story.round, table): story for table, story in stories.items()}


def links_by_command(slug: str) -> dict[int, str]:
    """Return the links as printed on the sheets, by table."""
    links = [json.loads(line) for line in told("sheet_links", slug).splitlines()]
    return {link["table"]: link["url"] for link in links}


def told(command: str, *arguments: str) -> str:
    out = io.StringIO()
    call_command(command, *arguments, stdout=out)
    return out.getvalue()
