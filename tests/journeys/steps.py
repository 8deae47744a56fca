"""Steps that are common to all whole evenings, under any rule sheet."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.utils import timezone
from faker import Faker
from playwright.sync_api import Page, expect

from scoring.screen_cookie import COOKIE
from tests.factories import PASSWORD, UserFactory
from tests.journeys.evening import PROJECTOR, Evening, bring_session, told
from tests.journeys.hands import DoorLaptop, Seating
from tests.scoring.paired import pairing_cookie
from tournaments.models import Tournament
from tournaments.services import door

WITHOUT_BAR = """
const still = new CSSStyleSheet();
still.replaceSync(".wall-progress { display: none !important }");
document.adoptedStyleSheets = [still];
"""
"""Takes away the bar that grows until the wall is turned: it is painted anew ten times a second, all evening."""

# --- before the first round ----------------------------------------------------------------------------------------


def enter_office(page: Page) -> None:
    """Open the tournaments as the owner of the installation, without the form to log in."""
    bring_session(page, UserFactory.create(is_superuser=True))
    page.goto("/o/")
    expect(page.get_by_role("heading", name="Turniere")).to_be_visible()


def log_in(page: Page) -> None:
    """Log in as the owner of the installation."""
    page.goto("/o/")
    page.get_by_label("Name").fill(UserFactory.create(is_superuser=True).username)
    page.get_by_label("Passwort").fill(PASSWORD)
    page.get_by_role("button", name="Anmelden").click()
    expect(page.get_by_role("heading", name="Turniere")).to_be_visible()


def create_tournament(
    evening: Evening,
    name: str,
    *,
    rules: str = "",
    fee: str = "0,00",
    own_fee: str = "",
) -> None:
    """Create a tournament. rules: the title of the rule sheet, unless it is the first one offered.

    fee: the fee that the sheet suggests. own_fee: the club's fee instead.
    """
    page = evening.laptop
    page.get_by_role("link", name="Neues Turnier").first.click()
    page.locator("summary", has_text="Geld und Regeln").click()
    if rules:
        page.get_by_role("button", name=f"Nehmen ({rules})").click()
        expect(page.locator("summary", has_text=f"Geld und Regeln: {rules}")).to_be_visible()
    page.get_by_label("Name des Turniers").fill(name)
    page.get_by_label("Tag", exact=True).fill("2026-11-21")
    page.get_by_role("textbox", name="Ort (freiwillig)").fill("Saal")
    expect(page.get_by_label("Startgebühr in Euro")).to_have_value(fee)
    if own_fee:
        page.get_by_label("Startgebühr in Euro").fill(own_fee)
    page.get_by_role("button", name="Turnier anlegen").click()
    expect(page.get_by_text("Das Turnier ist angelegt. Die Anmeldung ist offen.")).to_be_visible()
    found = re.search(r"/o/([^/]+)/door/", page.url)
    assert found is not None
    evening.slug = found[1]


def open_paired_wall(evening: Evening) -> Page:
    """Open the wall, without motion, on a device of its own that is already paired."""
    wall = evening.new_page({**PROJECTOR, "reduced_motion": "reduce"})
    wall.add_init_script(WITHOUT_BAR)
    value = pairing_cookie(Tournament.objects.get(slug=evening.slug))
    path = f"/t/{evening.slug}/"
    wall.context.add_cookies([{"name": COOKIE, "value": value, "domain": "127.0.0.1", "path": path}])
    wall.goto(f"{path}screen/")
    expect(wall.locator("body")).to_have_attribute("data-audience", "wall")
    return wall


def open_wall(evening: Evening) -> Page:
    """Open the wall on a device of its own; the organiser confirms the code that it shows."""
    wall, laptop = evening.new_page(PROJECTOR), evening.laptop
    wall.add_init_script(WITHOUT_BAR)
    wall.goto(f"/t/{evening.slug}/screen/")
    here, code = laptop.url, wall.locator("#pairing b").inner_text()
    evening.office.go("screens/")
    laptop.get_by_label("Code auf dem Bildschirm").fill(code)
    evening.office.press("Verbinden")
    evening.office.said("ist verbunden.")
    expect(wall.locator("body")).to_have_attribute("data-audience", "wall")
    laptop.goto(here)
    return wall


def register(evening: Evening, names: Sequence[str]) -> None:
    """Register the players one by one, at the organiser's own laptop, keyboard only."""
    desk = DoorLaptop(evening.laptop, evening.slug)
    for name in names:
        desk.enter(name)
        evening.people[desk.number_of(name)] = name


def register_early(evening: Evening, names: Sequence[str]) -> None:
    """Register players without a page, as the desk does: they have paid."""
    tournament = Tournament.objects.get(slug=evening.slug)
    for name in names:
        made = door.register(tournament, door.Newcomer(name), paid=True, by="kasse", at=timezone.now())
        evening.people[made.start_number] = name


def people_in_the_queue(count: int) -> list[str]:
    faker = Faker("de_DE")
    faker.seed_instance(1925)
    names = dict.fromkeys(f"{faker.first_name()} {faker.last_name()}" for _ in range(3 * count))
    return list(names)[:count]


# --- the rounds ----------------------------------------------------------------------------------------------------


def drawn(evening: Evening, sizes: Sequence[int], *, swap: str = "", agree: str = "") -> Seating:
    """Draw a round with one click, check it and release it; the public seating equals the organiser's."""
    evening.rounds += 1
    number, office = evening.rounds, evening.office
    seating = office.draw(number, agree=agree)
    assert sorted(map(len, seating.values())) == sorted(sizes)
    if swap:
        a, b = seating[1][0], seating[len(seating)][2]
        office.swap(a, b, swap)
        seating = {t: [{a: b, b: a}.get(one, one) for one in numbers] for t, numbers in seating.items()}
        assert office.seating() == seating
    return released(evening, number)


def released(evening: Evening, number: int) -> Seating:
    """Release the drawn round that is shown; return its seating."""
    seating = evening.office.seating()
    before = evening.public(f"rounds/{number}.json")
    assert (before["state"], before["draw"], before["tables"]) == ("drawn", None, [])
    evening.office.release()
    shown = evening.public(f"rounds/{number}.json")["tables"]
    assert {t["number"]: [seat["start_number"] for seat in t["seats"]] for t in shown} == seating
    return seating


def nobody_has_points(evening: Evening) -> bool:
    return {row["points"] for row in evening.public("leaderboard.json")["rows"]} == {0}


# --- the standings -------------------------------------------------------------------------------------------------


def check_wall(evening: Evening, wall: Page, rows: Sequence[Mapping[str, Any]] | None = None) -> None:
    """Check all pages of the screen, whichever is shown; without `rows` against the current standings."""
    expected = evening.expected if rows is None else rows
    points = [re.compile(rf"^\s*\+?{re.escape(evening.reckoned.figures(row)[0])}\s*$") for row in expected]
    expect(wall.locator("tr[data-number] .points")).to_have_text(points)
    heads = wall.locator("tr[data-number]").evaluate_all(
        "rows => rows.map(row => [Number(row.dataset.number), Number(row.dataset.rank)])"
    )
    assert heads == [[row["start_number"], row["rank"]] for row in expected]
    unsigned = [
        [cell.lstrip("+") for cell in cells] for cells in cells_of(wall, "tr[data-number]", "th ~ td")
    ]
    assert unsigned == [evening.reckoned.figures(row) for row in expected]


def check_standings(evening: Evening, wall: Page, hall: Page) -> None:
    """Check that the final standings are the same in JSON, on screen, phone, the organiser's page and paper."""
    expected, figures = evening.expected, evening.reckoned.figures
    assert evening.public("leaderboard.json") == {"tournament": evening.slug, "final": True, "rows": expected}
    check_wall(evening, wall)
    whole = [[*map(by_round, row["by_round"]), *figures(row)] for row in expected]
    ranks = [f"{row['rank']}{'= (geteilt)' if row['tied'] else ''}" for row in expected]
    numbers = [str(row["start_number"]) for row in expected]
    hall.goto(f"/t/{evening.slug}/standings/")
    expect(hall.locator(".standings tbody tr .rank")).to_have_text(ranks)
    assert without_plus(cells_of(hall, ".standings tbody tr", "th ~ td")) == whole
    evening.office.go("standings/")
    assert without_plus(cells_of(evening.laptop, ".table-wrap--wide tbody tr", "th ~ td")) == whole
    assert cells_of(evening.laptop, ".table-wrap--wide tbody tr", "td:has(~ th)") == [
        list(pair) for pair in zip(ranks, numbers, strict=True)
    ]
    evening.office.go("print/standings/")
    expect(evening.laptop.get_by_role("heading", name="Endstand").first).to_be_visible()
    assert without_plus(cells_of(evening.laptop, ".standings-table tbody tr", "td, th")) == [
        [rank.removesuffix(" (geteilt)"), number, evening.people[int(number)], *cells]
        for rank, number, cells in zip(ranks, numbers, whole, strict=True)
    ]


def by_round(points: int | None) -> str:
    return "–" if points is None else str(points).replace("-", "−")


def without_plus(rows: list[list[str]]) -> list[list[str]]:
    """Return the cells without the plus that points have on sheets of plus and minus."""
    return [[cell.removeprefix("+") for cell in row] for row in rows]


def cells_of(page: Page, rows: str, cells: str) -> list[list[str]]:
    script = """(rows, cells) => rows.map(row =>
      [...row.querySelectorAll(cells)].map(cell => cell.textContent.replace(/\\s+/g, " ").trim()))"""
    found: list[list[str]] = page.locator(rows).evaluate_all(script, cells)
    return found


# --- records and documents -----------------------------------------------------------------------------------------


def check_books(evening: Evening, folder: Path, verified: Sequence[str]) -> None:
    """Check that draws replay from their seeds, the log equals the results, and another machine can import it all.

    verified: the expected statements on the draws.
    """
    document = folder / "abend.json"
    document.write_text(told("export_tournament", evening.slug), encoding="utf-8")
    assert told("verify_draw", str(document)).splitlines() == verified
    assert told("rebuild_results", evening.slug) == "no differences\n"
    there_and_back(evening.slug, document)


def there_and_back(slug: str, document: Path) -> None:
    """Check that a document imported under another slug and exported again differs only in the slug."""
    text = document.read_text(encoding="utf-8")
    copied = json.loads(text)
    assert copied["tournament"]["slug"] == slug
    copied["tournament"]["slug"] = f"{slug}-kopie"
    document.write_text(json.dumps(copied), encoding="utf-8")
    told("import_tournament", str(document))
    again = told("export_tournament", f"{slug}-kopie")
    assert again == text.replace(f'"slug": "{slug}"', f'"slug": "{slug}-kopie"', 1)
    assert told("rebuild_results", f"{slug}-kopie") == "no differences\n"
