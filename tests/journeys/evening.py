"""The state of an evening: what has happened so far as the test knows it, and the devices that it happens on."""

import io
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from random import Random
from typing import Any

from django.core.management import call_command
from playwright.sync_api import APIRequestContext, Page

from tests.journeys import reckoning
from tests.journeys.hands import Office, Phone, Seating, Wire
from tests.journeys.reckoning import Story, place, play_deals

LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
WALL: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
HANDY: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2,
}  # fmt: skip
NewPage = Callable[[dict[str, Any]], Page]
NewApi = Callable[[], APIRequestContext]


class Evening:
    """What has happened so far, as the test knows it, and everybody who looks on."""

    def __init__(self, new_page: NewPage, new_api: NewApi) -> None:
        self.new_page, self.new_api = new_page, new_api
        self.chance = Random(1925)
        self.people: dict[int, str] = {}
        self.stories: dict[tuple[int, int], Story] = {}
        self.rounds = 0
        self.favourite = self.leaver = 0
        self.laptop, self.anybody = new_page(LAPTOP), new_api()
        self.slug = ""

    @property
    def office(self) -> Office:
        return Office(self.laptop, self.slug)

    @property
    def expected(self) -> list[dict[str, Any]]:
        return reckoning.leaderboard(self.people, self.stories.values(), rounds=self.rounds)

    def public(self, path: str) -> Any:
        """What anybody gets."""
        response = self.anybody.get(f"/t/{self.slug}/{path}")
        return response.json() if response.ok else response.status

    def check_leaderboard(self) -> None:
        assert self.public("leaderboard.json")["rows"] == self.expected

    def a_phone(self, link: str, table: int) -> Phone:
        return Phone(self.new_page(HANDY), link, table)

    def wires(self, stories: Mapping[int, Story], *tables: int) -> list[Iterator[None]]:
        """Phones at these tables, playing."""
        links = links_by_command(self.slug)
        return [Wire(self.new_api(), links[table], self.chance).play(stories[table]) for table in tables]

    def made_up(self, seating: Seating, *, deals: Collection[int]) -> dict[int, Story]:
        """What the tables of the round are going to play: deals at some, only ranks and strokes at the others."""
        blank = [Story(self.rounds, table, dict(enumerate(n, start=1))) for table, n in seating.items()]
        return {
            story.table: (play_deals if story.table in deals else place)(self.chance, story, self.favourite)
            for story in blank
        }

    def count(self, stories: Mapping[int, Story]) -> None:
        self.stories |= {(self.rounds, table): story for table, story in stories.items()}


def links_by_command(slug: str) -> dict[int, str]:
    """As they would be printed on the sheets."""
    links = [json.loads(line) for line in told("sheet_links", slug).splitlines()]
    return {link["table"]: link["url"] for link in links}


def told(command: str, *arguments: str) -> str:
    out = io.StringIO()
    call_command(command, *arguments, stdout=out)
    return out.getvalue()
