"""The people at the registration desk and at the organiser's laptop; for those at the tables see tables.py."""

import re
from collections.abc import Iterator

from playwright.sync_api import Locator, Page, expect

from tests.journeys.reckoning import Story

Seating = dict[int, list[int]]
"""Start numbers in the order of the seats, by table."""


TYPED = 2
SEND_LINES = """async (lines) => {
  for (const [table, text] of lines) {
    const field = document.querySelector(`#paper-${table} [data-paper-start]`);
    field.value = text;
    field.form.requestSubmit();
    const end = performance.now() + 20_000;
    while (!document.querySelector(`#paper-${table}[data-saved]`)) {
      if (performance.now() > end) throw new Error(`The line of table ${table} was not saved`);
      await new Promise((look) => setTimeout(look, 10));
    }
  }
}"""


def paper_line(story: Story) -> str:
    """Return what is typed for a table: its ranks and strokes, by seat."""
    ranks = "".join(str(story.ranks[seat]) for seat in story.seats)
    strokes = "".join(str(story.strokes[seat]) for seat in story.seats)
    return f"{ranks} {strokes if int(strokes) else '0'}"


def side_by_side(plays: list[Iterator[None]]) -> None:
    """Advance all tables in turn, one step each, until all have played."""
    done = object()
    while plays:
        plays = [play for play in plays if next(play, done) is not done]


# --- at the registration desk --------------------------------------------------------------------------------------


class DoorLaptop:
    """One of the laptops at the registration desk, keyboard only."""

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
        """Return the number that the desk shows for the player just registered."""
        said = self.page.locator("#door-note")
        expect(said).to_contain_text(f"· {name}")
        expect(self.line).to_have_value("")
        found = re.search(r"Nr\. (\d+)", said.inner_text())
        assert found is not None
        return int(found[1])

    def figure(self, name: str) -> Locator:
        return self.page.locator(f"[data-figure={name}]")


# --- at the organiser's laptop -------------------------------------------------------------------------------------


class Office:
    """The organiser's pages."""

    def __init__(self, page: Page, slug: str) -> None:
        self.page, self.slug = page, slug

    def go(self, path: str = "") -> None:
        self.page.goto(f"/o/{self.slug}/{path}")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def said(self, text: str) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible()

    def draw(self, number: int, *, agree: str = "") -> Seating:
        """Draw a round. agree: the exceptional table sizes to which the organiser consents."""
        if number == 1:
            self.begin_draw(f"{number}. Spielrunde auslosen")
        else:
            self.go(f"rounds/{number}/")
        if agree:
            self.page.get_by_label(agree).check()
        self.press(f"{number}. Spielrunde auslosen")
        self.said("Ausgelost. Bitte ansehen und dann freigeben.")
        return self.seating()

    def begin_draw(self, name: str) -> None:
        self.go()
        self.page.get_by_role("link", name=f"{name} …").click()

    def seating(self) -> Seating:
        """Return the seating, as shown before the release."""
        self.page.wait_for_load_state()  # the words on top are there before the tables are
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
        """Return the link in the table's code. Then the laptop shows nothing: the table's page would follow every entry."""
        self.go(f"rounds/{number}/tables/{table}/")
        expect(self.page.get_by_role("img", name=f"QR-Code für Tisch {table}")).to_be_visible()
        link = self.page.locator("#link code").inner_text().strip()
        self.page.goto("about:blank")
        return link

    def type_in(self, number: int, stories: list[Story]) -> None:
        """Type in paper sheets without the mouse: a line, Enter, and the focus moves to the next table.

        The lines after the second are filled in and sent by the page itself.
        """
        self.go(f"rounds/{number}/paper/")
        for story in stories[:TYPED]:
            line = self.page.get_by_label(f"Tisch {story.table}: Ränge und Striche")
            expect(line).to_be_focused()
            self.page.keyboard.type(paper_line(story))
            self.page.keyboard.press("Enter")
            expect(self.page.locator(f"#paper-{story.table}[data-saved]")).to_be_visible()
        self.page.evaluate(SEND_LINES, [[story.table, paper_line(story)] for story in stories[TYPED:]])

    def accept_one_and_the_others(self, number: int, *, first: int) -> None:
        """Accept one sheet from its page, then the others with one tap."""
        self.accept(number, first)
        board = self.page.locator("#board")
        board.get_by_role("button", name=re.compile(r"Alle \d+ abgegebenen annehmen")).click()
        expect(board.locator("[data-state=submitted]")).to_have_count(0)

    def accept(self, number: int, *tables: int) -> None:
        """Accept submitted sheets one by one from the table monitor."""
        self.go(f"rounds/{number}/")
        for table in tables:
            card = self.page.locator(f"#board #table-{table}")
            card.get_by_role("button", name="Annehmen").click()
            expect(card).to_have_attribute("data-state", "accepted")

    def sign(self, number: int, *tables: int, initials: str) -> None:
        """Accept submitted sheets from their pages, with the supervisor's initials."""
        for table in tables:
            self.go(f"rounds/{number}/")
            self.page.locator(f"#table-{table}").get_by_role("link", name="Annehmen …").click()
            self.page.locator("#accept").get_by_label("Kürzel").fill(initials)
            self.press("Annehmen")
            self.said("Angenommen. Die Tischliste zählt jetzt für den Stand.")

    def sign_all(self, number: int, *, initials: str) -> None:
        """Accept all submitted sheets with one tap. What is typed outlives the news that the table monitor shows."""
        self.go(f"rounds/{number}/")
        board = self.page.locator("#board")
        board.get_by_label("Kürzel").fill(initials)
        self.page.evaluate(
            "htmx.ajax('GET', document.querySelector('#board').getAttribute('hx-get').split('?')[0], '#board')"
        )
        expect(board.get_by_label("Kürzel")).to_have_value(initials)
        board.get_by_role("button", name=re.compile(r"Alle \d+ abgegebenen annehmen")).click()
        expect(board.locator("[data-state=submitted]")).to_have_count(0)

    def close(self, number: int) -> None:
        self.go(f"rounds/{number}/")
        self.press(f"{number}. Spielrunde abschließen")
        self.said(f"Die {number}. Spielrunde ist abgeschlossen.")

    def send_home(self, number: int, name: str) -> None:
        self.go("door/")
        self.page.locator("#id_name").fill(name)
        rows = self.page.locator("tr[id^=row-]")
        expect(rows).to_have_count(1)
        rows.get_by_text(f"Mehr zu {name}").click()
        rows.get_by_role("button", name="Geht heim: abmelden").click()
        expect(self.page.locator(f"#row-{number}")).to_contain_text("abgemeldet")

    def mark_tout(self, number: int, table: int, *, entry: int, initials: str) -> None:
        """Open the sheet from the table monitor and put the supervisor's initials on the Tout."""
        self.go(f"rounds/{number}/")
        self.page.locator(f"#table-{table}").get_by_role(
            "link", name="Ein Tout wartet auf Ihr Kürzel"
        ).click()
        waiting = self.page.locator(f"#entry-{entry}")
        waiting.get_by_label("Kürzel").fill(initials)
        waiting.get_by_role("button", name=f"Abzeichnen (Eintrag {entry})").click()
        self.said("Abgezeichnet. Das Spiel zählt jetzt.")
        expect(waiting.get_by_text("wartet auf die Aufsicht")).to_have_count(0)

    # Corrections

    def reopen(self, number: int, table: int, reason: str) -> None:
        self.go(f"rounds/{number}/tables/{table}/")
        self.page.locator("form[action$='/reopen/']").get_by_label("Begründung").fill(reason)
        self.press("Wieder öffnen")
        self.said("Wieder offen.")

    def correct(self, entry: int) -> None:
        """Open the form for one entry of the sheet that is shown."""
        self.page.get_by_role("link", name=f"Berichtigen (Eintrag {entry})").click()
        expect(self.page.get_by_role("heading", name=f"Eintrag {entry} berichtigen")).to_be_visible()

    def confirm_correction(self, reason: str) -> None:
        self.page.get_by_label("Begründung").fill(reason)
        self.press("Berichtigen")
        self.said("Berichtigt. Der alte Eintrag bleibt auf der Tischliste lesbar.")

    def accept_unsubmitted(self, reason: str) -> None:
        """Accept the sheet that is shown, though the table has not submitted it."""
        self.page.locator("form[action$='/accept/']").get_by_label("Begründung").fill(reason)
        self.press("Ohne Abgabe annehmen")
        self.said("Angenommen.")
