"""The organiser's first evening in a real browser. What is looked at and pressed is so in the windows of four laptops."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.queries.standings import visible_standings
from tests import labels
from tests.factories import a_played_round
from tests.journeys.access import violations
from tests.journeys.windows import Windows, is_in_reach
from tests.scoring.pages import Staff
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("committed")

NewWindow = Callable[[Staff], "Window"]
LAID_OUT_LIKE_ANOTHER = "1280"
"""The window that has the same layouts as the widest one, as no rule of a style tells them apart."""


class Window(Windows):
    """A page of the organiser's browser, which is looked at and pressed in the windows of all laptops.

    What is seen is there at once in one of them. In the others everything on a page is looked at together, before the page
    is left.
    """

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.seen: list[Callable[[], object]] = []

    def look_around(self, *looks: Callable[[], object]) -> None:
        """Look in all windows at what was seen on this page, and at what comes with it."""
        seen, self.seen = [*self.seen, *looks], []
        if seen:
            self.look(*seen)

    def click(self, target: Locator) -> None:
        self.look_around(lambda: is_in_reach(target))
        self.page.wait_for_load_state()  # the scripts of a page that was followed to are at work
        target.click()

    def goto(self, address: str) -> None:
        self.look_around()
        self.page.goto(address)

    def reload(self) -> None:
        self.look_around()
        self.page.reload()

    def see(self, *there: Locator) -> None:
        for one in there:
            expect(one).to_be_visible()
            self.seen.append(expect(one).to_be_visible)

    def see_text(self, text: str) -> None:
        self.see(self.page.get_by_text(text))

    def press(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def follow(self, name: str) -> None:
        self.click(self.page.get_by_role("link", name=name).first)

    def fill(self, label: str, text: str) -> None:
        self.see(self.page.get_by_label(label))
        self.page.get_by_label(label).fill(text)

    def check_access(self) -> None:
        self.page.wait_for_load_state()  # a page that was followed to has its styles

        def look() -> None:
            assert self._now == LAID_OUT_LIKE_ANOTHER or violations(self.page) == []

        self.seen.append(look)


@pytest.fixture
def window(lent_page: Page, live_url: str) -> Iterator[NewWindow]:
    """Open the organiser's browser. At the end everything must have been looked at."""
    windows: list[Window] = []

    def open_window(desk: Staff) -> Window:
        session = desk.client.cookies["sessionid"].value
        lent_page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_url}])
        windows.append(Window(lent_page))
        windows[-1].goto(desk.url("overview"))
        return windows[-1]

    yield open_window
    left = [window.page.url for window in windows if window.seen]
    for window in windows:
        window.close()
    assert left == []


def test_half_past_eleven_after_two_rounds(window: NewWindow) -> None:
    """Round 3 is released, nobody sits down any more: it is taken back, the evening ends, and is resumed."""
    desk = Staff(6)
    for number in (1, 2):
        a_played_round(desk.tournament, number)
    desk.draw(3)
    office = window(desk)
    office.follow("Turnier hier beenden …")
    office.see_text("Die 3. Spielrunde wird noch gespielt")
    office.press("Freigabe zurücknehmen")
    office.fill("Begründung", "Der Wirt will heim")
    office.check_access()
    office.press("Turnier hier beenden")
    page = office.page
    office.see(
        page.get_by_text("Nach 2 Spielrunden beendet"), page.get_by_role("link", name="Endstand drucken")
    )
    office.check_access()

    hall = Window(page.context.new_page())
    hall.page.goto(page.url.replace("/o/", "/t/"))
    hall.see(hall.page.get_by_role("heading", name="Endstand, beendet nach 2 Spielrunden"))
    hall.look_around()
    expect(hall.page.get_by_text("Der Wirt will heim")).to_have_count(0)
    office.press("Doch weiterspielen")
    office.see(page.get_by_role("link", name="Auslosung ansehen und freigeben"))
    office.look_around()
    hall.see(hall.page.get_by_role("heading", name="Stand nach der 2. Spielrunde"))
    hall.look_around()
    hall.page.close()
    assert not visible_standings(desk.tournament.slug).final


def test_a_rehearsal_is_hidden_and_deleted(window: NewWindow) -> None:
    desk = Staff(6)
    office = window(desk)
    page = office.page
    office.follow("Einstellungen")
    hidden, name = (
        page.get_by_label("Nicht auf der Startseite nennen"),
        page.get_by_label("Name des Turniers"),
    )
    office.look(lambda: hidden.check(trial=True))
    hidden.check()
    office.press(labels.SAVE)
    office.see_text("Die Einstellungen sind gespeichert.")
    expect(hidden).to_be_checked()
    office.follow("Turnier löschen …")
    office.see(page.get_by_role("button", name="Endgültig löschen"))
    office.fill("Name des Turniers", "Preisschnauz")
    office.press("Endgültig löschen")
    office.see_text("So heißt das Turnier nicht.")
    expect(name).to_have_value("Preisschnauz")
    office.check_access()
    name.fill("Preisschnauzen")
    office.press("Endgültig löschen")
    office.see_text("„Preisschnauzen“ ist gelöscht.")
    office.look_around()
    assert not Tournament.objects.filter(pk=desk.tournament.pk).exists()


def test_the_prize_giving_comes_before_the_final_standings(window: NewWindow) -> None:
    desk = Staff(6)
    for number in (1, 2):
        a_played_round(desk.tournament, number)
    desk.post("freeze")
    a_played_round(desk.tournament, 3)
    office = window(desk)
    page = office.page
    wall = Window(page.context.new_page())
    wall.page.goto(f"/t/{desk.tournament.slug}/screen/")
    wall.see(wall.page.locator("#screen"))
    wall.look_around()
    office.reload()
    office.press(labels.BEGIN_PRIZE_GIVING)
    wall.see(wall.page.get_by_role("heading", name="Siegerehrung"))
    wall.look_around()
    for rank in (3, 2, 1):
        office.see_text(f"Als Nächstes Rang {rank}:")
        office.press("Auf der Leinwand zeigen")
    office.see_text("Alle Preise sind gezeigt.")
    assert not visible_standings(desk.tournament.slug).final
    office.goto(desk.url("overview"))
    office.press(labels.SHOW_FINAL_STANDINGS)
    office.see_text("Alle sehen jetzt den Endstand.")
    office.goto(desk.url("overview"))
    names = ("Endstand drucken", "Kasse abrechnen", "Sicherungskopie speichern")
    office.see(*(page.get_by_role("link", name=name) for name in names))
    office.check_access()
    office.follow("Endstand drucken")
    office.see(page.get_by_role("heading", name="Endstand"))
    office.look_around()


def test_a_player_goes_home_in_mid_play(window: NewWindow) -> None:
    desk = Staff(6)
    desk.draw()
    office = window(desk)
    page = office.page
    office.follow("Anmeldung")
    row = page.locator("#row-4")
    office.click(row.get_by_text("Mehr"))
    office.click(row.get_by_role("button", name="Geht heim: abmelden"))
    office.see(page.locator("#door-note").get_by_text("sitzt aber noch an Tisch 1"))
    office.follow("Rang eintragen")
    office.see(page.get_by_role("button", name="Vom Tisch nehmen"))
    desk.post("write", 1, 1, "stroke", seat_number="1", mark="schnauz")
    office.reload()
    office.check_access()
    office.follow("Zur Tischliste von Tisch 1")
    office.see(page.get_by_role("heading", name="Tischliste Tisch 1"))
    office.look_around()


def test_the_codes_lead_to_this_machine_only_and_the_pages_say_so(window: NewWindow) -> None:
    """The server of these journeys is such a one."""
    desk = Staff(6)
    office = window(desk)
    page = office.page
    warning = page.get_by_text("Noch erreicht kein Handy dieses Programm")
    office.see(warning, page.get_by_text("HOST=0.0.0.0 make run"))
    office.check_access()
    for name in ("Drucken", "Leinwand"):
        office.follow(name)
        office.see(page.get_by_role("heading", name=name).first, warning)
    office.look_around()
    wall = page.context.new_page()
    wall.set_viewport_size({"width": 1920, "height": 1080})
    wall.goto(f"/t/{desk.tournament.slug}/screen/")
    expect(wall.get_by_text("Dieser Code erreicht noch kein Handy")).to_be_visible()


def test_a_new_tournament_begins_with_its_name(window: NewWindow) -> None:
    office = window(Staff())
    page, title = office.page, f"Preisschnauz der Feuerwehr {uuid4().hex[:6]}"
    name, fee = page.get_by_label("Name des Turniers"), page.get_by_label("Startgebühr in Euro")

    def the_name_is_in_view_and_the_fee_folded() -> None:
        page.goto("/o/+/")
        expect(name).to_be_in_viewport()
        expect(fee).to_be_hidden()

    office.look(the_name_is_in_view_and_the_fee_folded)
    name.fill(title)
    office.click(page.locator("summary", has_text="Geld und Regeln: Schnauz nach Plätzen"))
    office.see(fee)
    fee.fill("viel")
    office.look_around()
    name.press("Enter")
    expect(fee).to_have_attribute("aria-invalid", "true")
    expect(fee).to_have_value("viel")
    office.see(fee)
    office.press("Nehmen (Preisschafkopf)")
    office.see(page.locator("summary", has_text="Geld und Regeln: Preisschafkopf"))
    expect(name).to_have_value(title)
    office.check_access()
    office.press("Turnier anlegen")
    office.see_text("Das Turnier ist angelegt. Die Anmeldung ist offen.")
    office.look_around()


def test_no_player_gets_a_stroke_by_an_oversight(window: NewWindow) -> None:
    desk = Staff(6)
    desk.draw()
    office = window(desk)
    page = office.page
    office.goto(desk.url("write", 1, 1, "stroke"))
    office.press("Eintragen")
    office.see(
        page.get_by_text("Bitte den Spieler auswählen."),
        page.get_by_text("Bitte auswählen, wofür der Strich ist."),
    )
    office.check_access()
    office.goto(desk.url("screens"))
    with page.expect_popup() as opened:
        office.follow("Leinwand öffnen")
    expect(opened.value.locator("#screen")).to_be_visible()
    office.see(page.get_by_role("heading", name="Leinwand").first)
    office.look_around()
