"""The hands of an evening: at the desk, on phones at the tables, at the organiser's laptop."""

import re
import uuid
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

from playwright.sync_api import APIRequestContext, Locator, Page, expect

from tests.journeys.reckoning import Deal, Story

Seating = dict[int, list[int]]
"""Start numbers in the order of the seats, by table."""


def side_by_side(plays: list[Iterator[None]]) -> None:
    """Every table takes a step, then every table the next one, until all have played."""
    done = object()
    while plays:
        plays = [play for play in plays if next(play, done) is not done]


# --- at the door ---------------------------------------------------------------------------------------------------


class Desk:
    """One of the laptops at the door, keyboard only."""

    def __init__(self, page: Page, slug: str) -> None:
        self.page, self.slug = page, slug
        page.goto(f"/o/{slug}/door/")
        expect(self.line).to_be_focused()

    @property
    def line(self) -> Locator:
        return self.page.get_by_label("Name", exact=True)

    def enter(self, name: str, *keys: str) -> None:
        expect(self.line).to_be_focused()
        self.page.keyboard.type(name)
        for key in (*keys, "Enter"):
            self.page.keyboard.press(key)

    def number_of(self, name: str) -> int:
        """What the desk says about who was entered just now."""
        said = self.page.locator("#door-note")
        expect(said).to_contain_text(f"· {name}")
        expect(self.line).to_have_value("")
        found = re.search(r"Nr\. (\d+)", said.inner_text())
        assert found is not None
        return int(found[1])

    def figure(self, name: str) -> Locator:
        return self.page.locator(f"[data-figure={name}]")


# --- at the tables -------------------------------------------------------------------------------------------------


class Phone:
    """A scribe's phone with the page of his table."""

    def __init__(self, page: Page, link: str, table: int) -> None:
        self.page = page
        page.goto(link)
        expect(page.get_by_role("heading", name=f"Tisch {table}", exact=True)).to_be_visible()
        expect(page.get_by_text("1. Spiel: Wer hat verloren?")).to_be_visible()

    def play(self, story: Story, *, slips: bool = False) -> Iterator[None]:
        """Deal by deal; who slips taps the wrong name first, and takes it back."""
        if slips:
            self.write(Deal(losers=(1,)), story, 0)
            self.button("Zurücknehmen: ", within=".action-bar").tap()
            yield
        for number, deal in enumerate(story.deals):
            self.write(deal, story, number)
            yield
        yield from self.hand_in(story)

    def play_without_lives(self, story: Story) -> Iterator[None]:
        """Strokes as they fall, and the ranks at the end, the winner first."""
        self.button("Nur Striche und Ränge").tap()
        for seat, strokes in story.strokes.items():
            for _ in range(strokes):
                self.mark(seat, "Schnauz").tap()
                yield
        self.button("Ränge eintragen").tap()
        order = sorted(story.seats, key=lambda seat: (story.ranks[seat], seat))
        for rank, seat in enumerate(order, start=1):
            if rank < len(order):  # the last name follows
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
            self.button("Handschnauz: alle anderen verlieren").tap()
        if deal.ended_by in ("feuer", "handschnauz") or (deal.finisher and len(story.still_in(number)) == 2):
            return
        for seat in deal.losers:
            self.name(seat).tap()
        self.button("Geklopft – eintragen" if deal.ended_by == "knock" else "Schnauz – eintragen").tap()

    def hand_in(self, story: Story) -> Iterator[None]:
        """Everybody at the table says that it is right; then it is sent."""
        words = self.page.get_by_role("button", name="– stimmt")
        for left in range(len(story.seats), 0, -1):
            expect(words).to_have_count(left)
            words.first.tap()
        expect(words).to_have_count(0)
        yield
        self.button("Blatt abgeben").tap()
        expect(self.page.get_by_text("Abgegeben. Danke!")).to_be_visible()
        expect(self.page.get_by_text("Alles übertragen", exact=True)).to_be_visible()

    def button(self, name: str, within: str = "body") -> Locator:
        return self.page.locator(within).get_by_role("button", name=name)

    def row(self, seat: int) -> Locator:
        return self.page.locator(".seat-row").nth(seat - 1)

    def name(self, seat: int) -> Locator:
        return self.row(seat).locator("button.seat-row__name")

    def mark(self, seat: int, kind: str) -> Locator:
        return self.row(seat).get_by_role("button", name=f"{kind}: ")

    def name_on_list(self, seat: int, above: list[int], story: Story) -> Locator:
        """Who has a rank already stands above the others."""
        rows = [*above, *(other for other in story.seats if other not in above)]
        return self.page.locator(".seat-row").nth(rows.index(seat)).locator("button.seat-row__name")


class Wire:
    """A phone without a page: what it says to the server."""

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

    def play(self, story: Story) -> Iterator[None]:
        """A few entries at a time; the network swallows every second answer, and they are sent again."""
        facts: list[tuple[str, dict[str, Any]]] = [("deal", deal.data) for deal in story.deals]
        for seat, strokes in story.strokes_only.items():
            mark = self.chance.choice(("schnauz", "feuer"))
            facts += [("stroke", {"seat_number": seat, "mark": mark})] * strokes
        if story.placed:
            facts.append(("ranked", {"ranks": {str(seat): rank for seat, rank in story.placed.items()}}))
        facts += [("confirmed", {"seat_number": seat}) for seat in story.seats]
        facts.append(("submitted", {}))
        for number, start in zip(count(), range(0, len(facts), 4), strict=False):
            batch = [self.entry(kind, data) for kind, data in facts[start : start + 4]]
            assert self.send(batch) == ["recorded"] * len(batch)
            if number % 2:
                assert self.send(batch) == ["duplicate"] * len(batch)
            yield
        assert self.sheet["state"] == "submitted"

    def entry(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        made = uuid.UUID(int=self.chance.getrandbits(128), version=4)
        return {"id": str(made), "kind": kind, "data": data, "made_at": "2026-11-21T18:30:00Z"}

    def send(self, batch: list[dict[str, Any]]) -> list[str]:
        answer = self.post("entries", {"pen_epoch": self.sheet["pen"]["epoch"], "entries": batch})
        self.sheet = answer["sheet"]
        return [result["outcome"] for result in answer["results"]]


# --- at the organiser's laptop -------------------------------------------------------------------------------------


class Office:
    """The organiser's own page."""

    def __init__(self, page: Page, slug: str) -> None:
        self.page, self.slug = page, slug

    def go(self, path: str = "") -> None:
        self.page.goto(f"/o/{self.slug}/{path}")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def said(self, text: str) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible()

    def draw(self, number: int) -> Seating:
        self.go()
        self.page.get_by_role("link", name=f"Spielrunde {number} auslosen …").click()
        self.press(f"Spielrunde {number} auslosen")
        self.said("Ausgelost. Bitte ansehen und dann freigeben.")
        return self.seating()

    def seating(self) -> Seating:
        """As it is to be looked at before it is released."""
        cards = self.page.locator(".table-card").evaluate_all(
            """cards => cards.map(card => [
                 card.querySelector("h2").textContent.match(/\\d+/)[0],
                 [...card.querySelectorAll("input[name=player]")].map(input => input.value)])"""
        )
        return {int(table): [int(number) for number in numbers] for table, numbers in cards}

    def swap(self, a: int, b: int, reason: str) -> None:
        for number in (a, b):
            self.page.locator(f"label[for=swap-{number}]").click()
        self.page.locator("#swap").get_by_label("Begründung").fill(reason)
        self.press("Plätze tauschen")
        self.said("Getauscht:")

    def release(self) -> None:
        self.press("Freigeben")
        self.said("Freigegeben.")

    def link_of(self, number: int, table: int) -> str:
        """What the code on the table says."""
        self.go(f"rounds/{number}/tables/{table}/")
        expect(self.page.get_by_role("img", name=f"QR-Code für Tisch {table}")).to_be_visible()
        return self.page.locator("#link code").inner_text().strip()

    def type_in(self, number: int, stories: list[Story]) -> None:
        """All paper sheets, without the mouse: a line, Enter, and the next table waits."""
        self.go(f"rounds/{number}/paper/")
        for story in stories:
            line = self.page.get_by_label(f"Tisch {story.table}: Ränge und Striche")
            expect(line).to_be_focused()
            ranks = "".join(str(story.ranks[seat]) for seat in story.seats)
            strokes = "".join(str(story.strokes[seat]) for seat in story.seats)
            self.page.keyboard.type(f"{ranks} {'0' if not int(strokes) else strokes}")
            self.page.keyboard.press("Enter")
            expect(self.page.locator(f"#paper-{story.table}[data-saved]")).to_be_visible()

    def accept_one_and_the_others(self, number: int, *, first: int) -> None:
        """One with a look at it, the others with one tap."""
        self.go(f"rounds/{number}/")
        board = self.page.locator("#board")
        board.locator(f"#table-{first}").get_by_role("button", name="Annehmen").click()
        expect(board.locator(f"#table-{first}")).to_have_attribute("data-state", "accepted")
        board.get_by_role("button", name=re.compile(r"Alle \d+ abgegebenen annehmen")).click()
        expect(board.locator("[data-state=submitted]")).to_have_count(0)

    def close(self, number: int) -> None:
        self.go(f"rounds/{number}/")
        self.press(f"Spielrunde {number} abschließen")
        self.said(f"Die Spielrunde {number} ist abgeschlossen.")

    def send_home(self, number: int, name: str) -> None:
        self.go("door/")
        self.page.get_by_label("Suchen nach Name, Nummer oder Verein").fill(name)
        rows = self.page.locator("tr[id^=row-]")
        expect(rows).to_have_count(1)
        rows.get_by_text(f"Mehr zu {name}").click()
        rows.get_by_role("button", name="Geht heim: abmelden").click()
        expect(self.page.locator(f"#row-{number}")).to_contain_text("abgemeldet")

    # Corrections

    def reopen(self, number: int, table: int, reason: str) -> None:
        self.go(f"rounds/{number}/tables/{table}/")
        self.page.locator("form[action$='/reopen/']").get_by_label("Begründung").fill(reason)
        self.press("Wieder öffnen")
        self.said("Wieder offen.")

    def correct(self, entry: int) -> None:
        """Opens the form for one entry of the sheet that is shown."""
        self.page.get_by_role("link", name=f"Berichtigen (Eintrag {entry})").click()
        expect(self.page.get_by_role("heading", name=f"Eintrag {entry} berichtigen")).to_be_visible()

    def confirm_correction(self, reason: str) -> None:
        self.page.get_by_label("Begründung").fill(reason)
        self.press("Berichtigen")
        self.said("Berichtigt. Der alte Eintrag bleibt auf der Tischliste lesbar.")

    def accept_again(self, reason: str) -> None:
        self.page.locator("form[action$='/accept/']").get_by_label("Begründung").fill(reason)
        self.press("Ohne Abgabe annehmen")
        self.said("Angenommen.")
