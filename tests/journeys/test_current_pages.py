"""Pages that are kept current are the same as pages that are loaded anew, whatever has happened."""

import random
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scoring.models import SeatResult, SheetEntry
from scoring.queries.standings import is_frozen
from scoring.services import sheets, standings
from scoring.services.rounds import close
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_round
from tests.journeys.steps import WITHOUT_BAR
from tests.scoring.paired import pairing_cookie
from tournaments.models import Round, Table, Tournament
from tournaments.services import door

pytestmark = pytest.mark.usefixtures("committed", "live_url")

PLAYERS = 28

DIFFERENCE = """async () => {
  const text = (root) =>
    ["standings", "seating", "screen"].map((id) => {
      const part = root.getElementById(id)?.cloneNode(true);
      for (const page of part?.querySelectorAll(".wall-page") ?? []) page.hidden = false;
      for (const clock of part?.querySelectorAll("[data-clock]") ?? []) clock.textContent = "";
      for (const move of part?.querySelectorAll(".move:not([data-since-round])") ?? []) {
        move.textContent = "";
        move.dataset.move = "same";
      }
      return part?.outerHTML;
    }).join();
  let was, ought;
  for (let tries = 200; ; tries -= 1) {
    const is = text(document);
    if (is !== ought && (is !== was || tries % 5 === 0)) {  // loaded anew when the page has changed, and every half second
      const response = await fetch(location.href, { cache: "no-cache" });
      ought = text(new DOMParser().parseFromString(await response.text(), "text/html"));
      was = is;
    }
    if (text(document) === ought) return "";
    if (!tries) return `${is}\n\n${ought}`;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}"""
"""What differs between the page and the page as it is loaded anew, after up to 20 seconds in which nothing happens."""


@pytest.fixture
def new_context(
    browser: Browser, browser_context_args: dict[str, Any]
) -> Iterator[Callable[[], BrowserContext]]:
    contexts = []

    def open_context() -> BrowserContext:
        contexts.append(browser.new_context(**browser_context_args, viewport={"width": 1280, "height": 720}))
        contexts[-1].add_init_script(WITHOUT_BAR)
        return contexts[-1]

    yield open_context
    for context in contexts:
        context.close()


def view(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    expect(page.locator("[data-live]")).to_have_attribute("data-stream", "open")
    return page


@pytest.fixture
def tournament(committed: None) -> Tournament:
    """Create a tournament with namesakes in its first round."""
    made = TournamentFactory.create(slug=f"stueck-{uuid4().hex[:8]}", names="full")
    ParticipantFactory.create_batch(PLAYERS - 2, tournament=made)
    ParticipantFactory.create_batch(2, tournament=made, name="Anna Berger")
    a_round(made)
    return made


def difference(page: Page) -> str:
    return str(page.evaluate(DIFFERENCE))


def differences(pages: dict[str, Page]) -> dict[str, str]:
    for page in pages.values():  # they look all at once
        page.evaluate(f"() => {{ window.found = ({DIFFERENCE})(); }}")
    return {name: found for name, page in pages.items() if (found := page.evaluate("window.found"))}


def a_stroke(table: Table) -> None:
    seat = random.choice(list(table.seats.all())).seat_number
    sheets.write(table, [("stroke", {"seat_number": seat, "mark": "schnauz"})], by="x", at=AT)


# --- what happens on an evening, by chance -------------------------------------------------------------------------


class RandomEvening:
    """Changes of a tournament in random order, as far as its state allows them."""

    def __init__(self, tournament: Tournament, seed: int) -> None:
        self.tournament, self.chance = tournament, random.Random(seed)
        self.steps = [self.strokes, self.strokes, self.accept, self.accept, self.accept]
        self.steps += [self.reopen, self.register, self.freeze_or_release, self.go_on]

    @property
    def round(self) -> Round:
        return self.tournament.rounds.order_by("number").last()  # type: ignore[return-value]

    def tables(self, *, accepted: bool) -> list[Table]:
        results = SeatResult.objects.filter(accepted=True, seat__round=self.round)
        done = set(results.values_list("seat__table", flat=True))
        return [table for table in self.round.tables.all() if (table.pk in done) is accepted]

    def step(self) -> None:
        self.chance.choice(self.steps)()

    def strokes(self) -> None:
        for table in self.tables(accepted=False)[: self.chance.randint(1, 3)]:
            a_stroke(table)

    def accept(self) -> None:
        tables = self.tables(accepted=False)
        if not tables:
            return
        table = self.chance.choice(tables)
        seats = [seat.seat_number for seat in table.seats.all()]
        self.chance.shuffle(seats)
        ranks = {str(seat): rank for rank, seat in enumerate(seats, start=1)}
        ranked = self.ranked(table)
        fact: tuple[str, dict[str, Any]] = ("ranked", {"ranks": ranks})
        if ranked:
            data = {"ranks": ranks}
            fact = ("corrected", {"entry": str(ranked.entry_id), "data": data, "reason": "falsch"})
        sheets.write(table, [fact, ("accepted", {"reason": "Papier"})], by="x", at=AT)

    def ranked(self, table: Table) -> SheetEntry | None:
        return SheetEntry.objects.filter(sheet__table=table, kind="ranked").first()

    def reopen(self) -> None:
        for table in self.tables(accepted=True)[:1]:
            sheets.write(table, [("reopened", {"reason": "falsch"})], by="x", at=AT)

    def register(self) -> None:
        others = set(self.tournament.participants.values_list("start_number", flat=True))
        door.register(self.tournament, door.Newcomer("Anna Berger"), paid=False, others=others, by="x", at=AT)

    def freeze_or_release(self) -> None:
        change = standings.release if is_frozen(self.tournament) else standings.freeze
        change(self.tournament, by="x", at=AT)

    def go_on(self) -> None:
        """Close the round, and draw another."""
        for table in self.tables(accepted=False):
            if self.ranked(table):
                sheets.write(table, [("accepted", {"reason": "Papier"})], by="x", at=AT)
            else:
                a_paper_sheet(table)
        if self.round.number < 3:
            close(self.tournament, self.round.number, at=AT)
            a_round(self.tournament, self.round.number + 1)


def test_all_pages_that_are_kept_current_are_the_pages(
    new_context: Callable[[], BrowserContext], tournament: Tournament
) -> None:
    """One evening, seen on all pages at once, and on a screen that is paired."""
    anybody, paired = new_context(), new_context()
    cookie = pairing_cookie(tournament)
    paired.add_cookies([{"name": "screen", "value": cookie, "domain": "127.0.0.1", "path": "/"}])
    public = f"/t/{tournament.slug}/"
    viewers = {page: view(anybody, public + page) for page in ("", "standings/", "tables/", "screen/")}
    viewers["paired"] = view(paired, f"{public}screen/")
    evening = RandomEvening(tournament, seed=0)
    for _ in range(12):
        evening.step()
        assert differences(viewers) == {}


def test_a_reader_with_the_keyboard_stays_where_they_are(
    new_context: Callable[[], BrowserContext], tournament: Tournament
) -> None:
    first, second = tournament.rounds.get().tables.order_by("number")[:2]
    a_paper_sheet(first)
    viewer = view(new_context(), f"/t/{tournament.slug}/tables/")
    assert difference(viewer) == ""
    link = viewer.locator("#table-1 a")
    link.focus()
    viewer.evaluate("scrollTo(0, 200)")
    a_stroke(second)
    expect(viewer.locator("#table-2 .mark")).to_have_count(1)
    expect(link).to_be_focused()
    assert viewer.evaluate("scrollY") == 200
    a_paper_sheet(second)
    expect(viewer.locator("#table-2 a")).to_have_count(1)
    expect(link).to_be_focused()


def test_a_page_stays_current_when_what_had_the_focus_is_gone(
    new_context: Callable[[], BrowserContext], tournament: Tournament
) -> None:
    last = tournament.rounds.get().tables.order_by("number").reverse()[0]
    for table in tournament.rounds.get().tables.all():
        a_paper_sheet(table)
    viewer = view(new_context(), f"/t/{tournament.slug}/tables/")
    errors: list[str] = []
    viewer.on("pageerror", lambda error: errors.append(str(error)))
    gone = viewer.locator(f"#table-{last.number}")
    gone.locator("a").focus()
    close(tournament, 1, at=AT)
    for seat in last.seats.select_related("participant"):
        door.withdraw(tournament, seat.participant.start_number, by="x", at=AT)
    a_round(tournament, 2)
    expect(gone).to_have_count(0)
    assert difference(viewer) == ""
    assert errors == []
    expect(viewer.locator("[data-live-state]")).to_have_attribute("data-state", "fresh")
