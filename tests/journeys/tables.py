"""The phones at the tables of an evening: pages that are tapped, and devices that only call the server."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from random import Random
from typing import Any, Protocol

from playwright.sync_api import APIRequestContext, Locator, Page, expect

from tests.journeys.pads import game_taps, value_taps, write_game, write_values
from tests.journeys.reckoning import Deal, Fact, Story
from tests.journeys.reckoning_points import PointsStory
from tests.journeys.reckoning_schafkopf import SchafkopfStory
from tests.journeys.taps import Tap, tap_all

BY_HAND = 3
"""The deals that are tapped with a finger; the page itself taps what follows, some deals at a time."""
AT_A_TIME = 8
HANDSCHNAUZ = "Handschnauz: alle anderen verlieren"
ENDED = {
    "knock": "Geklopft – eintragen",
    "schnauz": "Schnauz – eintragen",
    "feuer": "Feuer – eintragen",
}


def name_button(seat: int) -> str:
    """Return the selector of the button with a player's name."""
    return f".seat-row:nth-child({seat}) button.seat-row__name"


class Told(Protocol):
    """The events at a table, under any rule sheet."""

    @property
    def round(self) -> int: ...

    @property
    def seats(self) -> list[int]: ...

    def facts(self, chance: Random) -> list[Fact]: ...


class Phone:
    """A scribe's phone with the page of a table. Subclasses define a deal for their rule sheet.

    opening: the page's prompt for the first deal.
    """

    opening = ""

    def __init__(self, page: Page, link: str, table: int) -> None:
        self.page = page
        page.goto(link)
        expect(page.get_by_role("heading", name=f"Tisch {table}", exact=True)).to_be_visible()
        expect(page.get_by_text(self.opening)).to_be_visible()

    def hand_in(self, story: Told) -> Iterator[None]:
        """Let every player at the table confirm the sheet, then submit it. Only the first and the last touch is a finger's."""
        words = self.page.get_by_role("button", name="– stimmt")
        expect(words).to_have_count(len(story.seats))
        self.all_sent()  # the layout is stable from here on
        words.first.tap()
        expect(words).to_have_count(len(story.seats) - 1)
        names = words.locator(".result__name").all_inner_texts()
        tap_all(self.page, [("button.result__row", " ".join(name.split())) for name in names])
        expect(words).to_have_count(0)
        self.all_sent()
        yield
        self.button("Blatt abgeben").tap()
        expect(self.page.get_by_text("Abgegeben. Danke!")).to_be_visible()
        self.all_sent()

    def tap_on(self, deals: Sequence[Sequence[Tap]]) -> Iterator[None]:
        """Let the page tap the deals, some at a time."""
        for start in range(0, len(deals), AT_A_TIME):
            tap_all(self.page, chain.from_iterable(deals[start : start + AT_A_TIME]))
            yield

    def all_sent(self) -> None:
        expect(self.page.get_by_text("Alles übertragen", exact=True)).to_be_visible()

    def button(self, name: str, within: str = "body") -> Locator:
        return self.page.locator(within).get_by_role("button", name=name)

    def row(self, seat: int) -> Locator:
        return self.page.locator(".seat-row").nth(seat - 1)

    def name(self, seat: int) -> Locator:
        return self.row(seat).locator("button.seat-row__name")


class SurvivalPhone(Phone):
    """A phone under rule sheets 1 and 4."""

    opening = "1. Spiel: Wer hat verloren?"

    def play(self, story: Story, *, slips: bool = False) -> Iterator[None]:
        """Play deal by deal. slips: whether the scribe taps a wrong name first, and takes it back."""
        if slips:
            self.write(Deal(losers=(1,)), story, 0)
            self.button("Spiel 1 zurücknehmen", within=".action-bar").tap()
            yield
        for number, deal in enumerate(story.deals[:BY_HAND]):
            self.write(deal, story, number)
            yield
        rest = range(BY_HAND, len(story.deals))
        yield from self.tap_on([self.taps(story.deals[number], story, number) for number in rest])
        yield from self.hand_in(story)

    def play_without_lives(self, story: Story) -> Iterator[None]:
        """Write strokes one by one, and the ranks at the end, the winner first."""
        self.button("Nur Striche und Ränge").tap()
        finished = [seat for seat, strokes in story.strokes.items() for _ in range(strokes)]
        for seat in finished[:1]:
            self.mark(seat, "Schnauz").tap()
            yield
        others = [[(f".seat-row:nth-child({seat}) button", "Schnauz: ")] for seat in finished[1:]]
        yield from self.tap_on(others)
        self.button("Ränge eintragen").tap()
        order = sorted(story.seats, key=lambda seat: (story.ranks[seat], seat))
        for rank, seat in enumerate(order, start=1):
            if rank < len(order):  # the last rank follows by itself
                self.name_on_list(seat, order[: rank - 1], story).tap()
        for index, seat in enumerate(order):
            if index and story.ranks[seat] == story.ranks[order[index - 1]]:
                self.page.locator(".seat-row").nth(index).get_by_role(
                    "button", name="gleich: zusammen mit"
                ).tap()
        self.button("Ränge eintragen").tap()
        yield
        yield from self.hand_in(story)

    def write(self, deal: Deal, story: Story, number: int) -> None:
        expect(self.page.get_by_text(f"{number + 1}. Spiel: Wer hat verloren?")).to_be_visible()
        if deal.finisher is not None:
            self.mark(deal.finisher, "Feuer" if deal.ended_by == "feuer" else "Schnauz").tap()
        if deal.ended_by == "handschnauz":
            self.button(HANDSCHNAUZ).tap()
        if self.is_written(deal, story, number):
            return
        for seat in self.named(deal, story, number):
            self.name(seat).tap()
        self.button(ENDED[deal.ended_by]).tap()

    def taps(self, deal: Deal, story: Story, number: int) -> list[Tap]:
        """Return the taps of `write`."""
        found: list[Tap] = [(".action-bar strong", f"{number + 1}. Spiel: Wer hat verloren?")]
        if deal.finisher is not None:
            mark = "Feuer: " if deal.ended_by == "feuer" else "Schnauz: "
            found.append((f".seat-row:nth-child({deal.finisher}) button", mark))
        if deal.ended_by == "handschnauz":
            found.append(("button", HANDSCHNAUZ))
        if self.is_written(deal, story, number):
            return found
        found += [(name_button(seat), "") for seat in self.named(deal, story, number)]
        return [*found, (".action-bar button", ENDED[deal.ended_by])]

    @staticmethod
    def are_marked(deal: Deal, story: Story, number: int) -> bool:
        """Return whether the page itself marks all who lose."""
        return deal.ended_by in story.all_others_lose or bool(
            deal.finisher and len(story.still_in(number)) == 2
        )

    def is_written(self, deal: Deal, story: Story, number: int) -> bool:
        """Return whether the tap on the ending has written the deal."""
        return self.are_marked(deal, story, number) and deal.ended_by != "feuer"

    def named(self, deal: Deal, story: Story, number: int) -> tuple[int, ...]:
        return () if self.are_marked(deal, story, number) else deal.losers

    def mark(self, seat: int, kind: str) -> Locator:
        return self.row(seat).get_by_role("button", name=f"{kind}: ")

    def name_on_list(self, seat: int, above: list[int], story: Story) -> Locator:
        """Return the name on the list; ranked players are shown above the others."""
        rows = [*above, *(other for other in story.seats if other not in above)]
        return self.page.locator(".seat-row").nth(rows.index(seat)).locator("button.seat-row__name")


class PointsPhone(Phone):
    """A phone under rule sheet 3."""

    opening = "1. von"

    def play(self, story: PointsStory) -> Iterator[None]:
        yield from self.write_all(story)
        yield from self.hand_in(story)

    def write_all(self, story: PointsStory) -> Iterator[None]:
        for number, deal in enumerate(story.deals[:BY_HAND], start=1):
            expect(self.page.get_by_text(f"{number}. von")).to_be_visible()
            if deal.ended_by:
                self.button(
                    {"table_feuer": "Tischfeuer", "table_schnauz": "Tischschnauz"}[deal.ended_by]
                ).tap()
            write_values(self.page, *(deal.values[seat] for seat in story.seats))
            yield
        yield from self.tap_on(
            [
                [(".deal-of", f"{number}. von"), *value_taps(*(deal.values[seat] for seat in story.seats))]
                for number, deal in enumerate(story.deals[BY_HAND:], start=BY_HAND + 1)
            ]
        )


class SchafkopfPhone(Phone):
    """A phone under rule sheet 5."""

    opening = "1. Spiel: Wer spielt?"

    def play(self, story: SchafkopfStory) -> Iterator[None]:
        yield from self.write_all(story)
        yield from self.hand_in(story)

    def write_all(self, story: SchafkopfStory) -> Iterator[None]:
        for number in range(1, BY_HAND + 1):
            self.write(story, number)
            yield
        yield from self.tap_on(
            [
                [(".action-bar strong", f"{number}. Spiel: Wer spielt?"), *game_taps(game.data, name_button)]
                for number, game in enumerate(story.games[BY_HAND:], start=BY_HAND + 1)
            ]
        )

    def write(self, story: SchafkopfStory, number: int) -> None:
        expect(self.page.get_by_text(f"{number}. Spiel: Wer spielt?")).to_be_visible()
        assert write_game(self.page, story.games[number - 1].data, self.name) <= 4


class Wire:
    """A phone without a page, which calls the server."""

    def __init__(self, api: APIRequestContext, link: str, chance: Random) -> None:
        self.api, self.chance = api, chance
        self.sheet: dict[str, Any] = self.post("enter", {"secret": link.partition("#")[2]})
        self.sheet = self.post("pen", {})
        assert self.sheet["pen"]["mine"] is True

    def post(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        response = self.api.post(f"/s/{name}", data=body)
        assert response.status == 200, response.text()
        answer: dict[str, Any] = response.json()
        return answer

    def play(self, story: Told) -> Iterator[None]:
        """Send a few entries at a time; every second response is lost, and its entries are sent again."""
        facts = story.facts(self.chance)
        facts += [("confirmed", {"seat_number": seat}) for seat in story.seats]
        facts.append(("submitted", {}))
        for number, start in zip(count(), range(0, len(facts), AT_A_TIME), strict=False):
            batch = [self.entry(kind, data) for kind, data in facts[start : start + AT_A_TIME]]
            assert self.send(batch) == ["recorded"] * len(batch)
            if number % 2:
                assert self.send(batch) == ["duplicate"] * len(batch)
            yield
        assert self.sheet["state"] == "submitted"

    def entry(self, kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
        made = uuid.UUID(int=self.chance.getrandbits(128), version=4)
        return {"id": str(made), "kind": kind, "data": data, "made_at": "2026-11-21T18:30:00Z"}

    def send(self, batch: list[dict[str, Any]]) -> list[str]:
        answer = self.post("entries", {"pen_epoch": self.sheet["pen"]["epoch"], "entries": batch})
        self.sheet = answer["sheet"]
        return [result["outcome"] for result in answer["results"]]
