"""Public pages in a real browser: a phone and a screen follow the evening; the screen is legible from far away."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from scoring.core.plus_minus import COUNTS
from scoring.queries.screens import SentScene
from scoring.screen_cookie import COOKIE
from scoring.services import screens, sheets, standings
from scoring.services.rounds import close
from tests import labels
from tests.factories import (
    AT,
    ParticipantFactory,
    TournamentFactory,
    UserFactory,
    a_paper_sheet,
    a_played_round,
    a_round,
)
from tests.journeys.evening import NewPage, bring_session
from tests.journeys.steps import WITHOUT_BAR
from tests.scoring.core.writing import totalled
from tests.scoring.paired import pairing_cookie
from tournaments.models import Tournament
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.usefixtures("committed", "live_url")

LONG_NAMES = ("Wilhelmine-Mathilde Großmann-Wimmerstedt", "Maximilian-Alexander von Hohenstein-Übel")

LEGIBILITY = """() => {
  const luminance = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$|transparent/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const shown = (element, style) => {  // colours of a text; on a rank of the race, those of its shape
    if (!(element instanceof SVGElement)) return [style.color, ground(element)];
    const shape = element.previousElementSibling;
    return [style.fill, shape ? getComputedStyle(shape).fill : ground(element)];
  };
  const canvas = document.createElement("canvas").getContext("2d");
  const [main, foot] = [".wall-main", ".wall-foot"].map((name) => document.querySelector(name));
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !element.checkVisibility() || element.closest(".visually-hidden")) continue;
    const style = getComputedStyle(element);
    canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const [one, other] = shown(element, style).map(luminance).sort((a, b) => b - a);
    const box = element.getBoundingClientRect();
    const lowest = main.contains(element) ? foot.getBoundingClientRect().top : innerHeight;
    found.push({
      text: walker.currentNode.textContent.trim(),
      capitals: canvas.measureText("H").actualBoundingBoxAscent,
      contrast: (one + 0.05) / (other + 0.05),
      cut: element instanceof HTMLElement && !element.matches(".board__who") && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0,
      outside: box.bottom > lowest + 1 || box.right > innerWidth + 1 || box.left < -1,
    });
  }
  return found;
}"""


@pytest.fixture
def tournament(committed: None, request: pytest.FixtureRequest) -> Tournament:
    slug = "hall-" + re.sub(r"[^a-z]+", "-", request.node.name.lower())[-50:]
    owner = UserFactory.create(username=slug)
    return TournamentFactory.create(slug=slug, name="Preisschnauzen im Wirtshaus", owner=owner)


WALL: ViewportSize = {"width": 1920, "height": 1080}
SMALL_WALL: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 360, "height": 740}


@pytest.fixture(scope="session")
def kept_wall(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    context = browser.new_context(**browser_context_args, viewport=WALL)
    context.add_init_script(WITHOUT_BAR)
    yield context.new_page()
    context.close()


@pytest.fixture
def wall(kept_wall: Page) -> Iterator[Page]:
    """Provide the wall of earlier tests, for those that only load its page and look at it."""
    yield kept_wall
    kept_wall.goto("about:blank")  # no stream goes on


@pytest.fixture
def own_wall(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    """Open a wall for a test that has its own time, network or scripts there."""
    context = browser.new_context(**browser_context_args, viewport=WALL)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def kept_phone(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    context = browser.new_context(**browser_context_args, viewport=PHONE)
    yield context.new_page()
    context.close()


@pytest.fixture
def phone(kept_phone: Page) -> Iterator[Page]:
    yield kept_phone
    kept_phone.goto("about:blank")


def players(tournament: Tournament, count: int) -> None:
    ParticipantFactory.create_batch(count, tournament=tournament)


def shown(wall: Page) -> str:
    return wall.locator(".wall-page:visible").get_attribute("data-key") or ""


def check_legible(wall: Page) -> None:
    wall.evaluate("document.fonts.ready")
    found = wall.evaluate(LEGIBILITY)
    assert found
    assert [text for text in found if text["capitals"] < 39] == []
    assert [text for text in found if text["contrast"] < 7] == []
    assert [text for text in found if text["cut"] or text["outside"]] == []
    assert wall.locator(".board:visible tbody tr").count() <= 36
    rows = wall.evaluate(
        "[...document.querySelectorAll('.board')].map((board) => board.tBodies[0].rows.length)"
    )
    assert all(count <= 12 for count in rows)


def test_every_page_of_the_wall_is_legible_from_far_away(wall: Page, tournament: Tournament) -> None:
    players(tournament, 11)
    for name in LONG_NAMES:
        ParticipantFactory.create(tournament=tournament, name=name)
    address = f"/t/{tournament.slug}/screen/"
    seen = set()

    def look_at_all_pages(*kinds: str) -> None:
        wall.goto(address)
        for kind in kinds:
            expect(wall.locator(f".wall-page[data-kind={kind}]")).not_to_have_count(0)
        expect(wall.locator("[data-pause]")).to_be_visible()
        wall.keyboard.press("Space")  # only the test turns the pages
        for _ in range(wall.locator(".wall-page").count()):
            seen.add(shown(wall).split("-")[0])
            check_legible(wall)
            wall.keyboard.press("ArrowRight")

    look_at_all_pages("welcome")
    first = a_round(tournament).tables.order_by("number")[0]
    a_paper_sheet(first, strokes={1: 3})
    look_at_all_pages("seating", "play", "standings")
    close(tournament, 1, reason="früher aus", at=AT)
    a_played_round(tournament, 2)
    a_played_round(tournament, 3)
    look_at_all_pages("winner", "standings")
    assert seen == {"welcome", "seating", "play", "standings", "king", "winner"}


PHONE_CODE = """() => {
  document.body.dataset.code = "";
  document.querySelector(".pager").insertAdjacentHTML("beforebegin",
    '<p class="wall-foot__code"><span class="wall-foot__label">Aufs Handy</span> <span role="img"><svg viewBox="0 0 25 25"></svg></span></p>');
}"""
"""The code of the players' page stands in the foot where phones reach the server; tests run where none does."""


def pair(wall: Page, tournament: Tournament) -> None:
    value, path = pairing_cookie(tournament), f"/t/{tournament.slug}/"
    wall.context.add_cookies([{"name": COOKIE, "value": value, "domain": "127.0.0.1", "path": path}])


TOTALS = {
    "fce": totalled(points=[520, 510, 500, 490, 480], schnauz=[0] * 5, feuer=[0] * 5),
    "schafkopf": totalled(points=[16, -16, 0, 0], **dict.fromkeys(COUNTS, [0] * 4)),
}


@pytest.mark.parametrize("sheet", TOTALS)
def test_columns_of_ties_leave_names_their_room(wall: Page, committed: None, sheet: str) -> None:
    tournament = TournamentFactory.create(slug=f"hall-columns-{sheet}", ruleset=preset(sheet).to_dict())
    for number in range(5 if sheet == "fce" else 4):
        ParticipantFactory.create(tournament=tournament, name=f"Wilhelmine Großmann {number}")
    line, table = TOTALS[sheet], a_round(tournament).tables.get()
    sheets.write(table, [(line.kind, dict(line.data)), ("accepted", {"reason": "vom Papier"})], by="x", at=AT)
    wall.goto(f"/t/{tournament.slug}/screen/")
    expect(wall.locator(".board--standings tbody tr")).not_to_have_count(0)
    wall.evaluate("document.fonts.ready")
    wall.evaluate(PHONE_CODE)
    wall.evaluate("document.querySelectorAll('.move').forEach((one) => (one.textContent = '▲8'))")
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    assert wall.locator(".board__who:visible").evaluate_all(cut) == 0
    if sheet == "schafkopf":
        assert wall.locator(".points:visible").all_inner_texts()[::3] == ["+16", "−16"]
    check_legible(wall)


BESIDE_THE_CODE = """() => {
  const code = document.querySelector(".wall-foot__code svg").getBoundingClientRect();
  return [...document.querySelectorAll(".wall-page:not([hidden]) .wall-body :is(tr, .tiles, .wall-play__side)")].every((one) => {
    const box = one.getBoundingClientRect();
    return box.right < code.left || box.bottom < code.top;
  });
}"""

FIRST_NAMES = ("Anna", "Sepp", "Karl-Heinz", "Rosemarie", "Wilhelmine-Mathilde", "Maximilian-Alexander")
PLAIN_FIRST_NAMES = ("Anna", "Sepp", "Rosemarie", "Karl-Heinz", "Franziska", "Maximilian")
PLAIN_SURNAMES = ("Huber", "Obermaier", "Schwarz", "Lindner", "Wimmer")
SURNAMES = ("Huber", "Obermaier", "Schwarzenböck", "Großmann-Wimmerstedt", "von Hohenstein-Übel")
NAMES_OF_SEATS = """() => [...document.querySelectorAll(".wall-page:not([hidden]) tbody .board__name")].map((one) => {
  const first = one.querySelector(".board__first");
  return {
    text: one.textContent.replace(/\\s+/g, " ").trim(),
    cut: one.scrollWidth > one.clientWidth,
    broken: first.textContent.length < 11 && first.offsetHeight > 1.5 * parseFloat(getComputedStyle(first).fontSize),
  };
})"""
ORDINARY, LONG = (PLAIN_FIRST_NAMES, PLAIN_SURNAMES), (FIRST_NAMES, SURNAMES)


@pytest.mark.parametrize(
    ("count", "names", "least", "within"),
    [
        (12, LONG, 12_000, 40_000),
        (60, LONG, 6_000, 40_000),
        (300, ORDINARY, 4_000, 40_000),
        (300, LONG, 3_600, 58_000),
    ],
    ids=["12", "60", "300-ordinary", "300-long"],
)
def test_names_come_by_within_forty_seconds(
    wall: Page,
    committed: None,
    count: int,
    names: tuple[tuple[str, ...], ...],
    least: int,
    within: int,
) -> None:
    """Beside or above the code, long ones on several lines, in a small hall and in a very large one, whose first names are initials.

    A page stays as long as it takes to find a name: 300 long names, most of which take two lines, take up to 58 seconds.
    """
    tournament = TournamentFactory.create(slug=f"hall-names-{count}-{within}")
    firsts, surnames = names
    for number in range(count):
        first = firsts[number % len(firsts)]
        surname = surnames[number // len(firsts) % len(surnames)]
        ParticipantFactory.create(tournament=tournament, name=f"{first} {chr(65 + number % 26)}{surname}")
    a_round(tournament)
    pair(wall, tournament)
    for size in (SMALL_WALL, WALL):
        wall.set_viewport_size(size)
        wall.goto(f"/t/{tournament.slug}/screen/")
        expect(wall.locator("[data-pause]")).to_be_visible()
        wall.keyboard.press("Space")
        wall.evaluate(PHONE_CODE)
        found: list[str] = []
        stays = 0
        for _ in range(wall.locator(".wall-page").count()):
            rows = wall.evaluate(NAMES_OF_SEATS)
            assert [row for row in rows if row["cut"] or row["broken"]] == []
            assert wall.evaluate(BESIDE_THE_CODE)
            found += [row["text"] for row in rows]
            stay = int(wall.locator(".wall-page:visible").get_attribute("data-stays") or 0)
            assert stay >= least
            stays += stay
            if size == WALL:
                check_legible(wall)
            wall.keyboard.press("ArrowRight")
        assert len(found) == count
        assert all(name.endswith(".") for name in found) == (names is ORDINARY)
        assert stays <= within


@pytest.mark.parametrize(("scene", "least"), [("seating", 300), ("standings", 180), ("play", 180)])
def test_the_code_stands_beside_the_rows(wall: Page, tournament: Tournament, scene: str, least: int) -> None:
    """It is larger where people look for their seats. The points are lines below the rows, as thin as they are on any screen."""
    players(tournament, 47)
    for table in a_round(tournament).tables.all()[:2]:
        a_paper_sheet(table)
    pair(wall, tournament)
    screens.set_scene(tournament, (1,), SentScene(scene), by="x", at=AT)
    wall.goto(f"/t/{tournament.slug}/screen/")
    expect(wall.locator("[data-pause]")).to_be_visible()
    wall.evaluate(PHONE_CODE)
    code = wall.locator(".wall-foot__code svg").bounding_box()
    assert code is not None
    assert min(code["width"], code["height"]) >= least
    assert wall.evaluate(BESIDE_THE_CODE)
    if scene == "standings":
        line = "getComputedStyle(document.querySelector('[data-bar=\"40\"]')).backgroundSize.split(' ')"
        width, height = wall.evaluate(line)
        assert (width, round(float(height[:-2]))) == ("100%", 6)
    check_legible(wall)


def test_the_code_of_a_knockout_has_its_room_beside_the_bracket(wall: Page, committed: None) -> None:
    tournament = TournamentFactory.create(slug="hall-code-knockout", ruleset=preset("knockout").to_dict())
    players(tournament, 12)
    for table in a_round(tournament).tables.all():
        a_paper_sheet(table)
    close(tournament, 1, at=AT)
    pair(wall, tournament)
    wall.goto(f"/t/{tournament.slug}/screen/")
    expect(wall.locator(".wall-foot__link")).to_be_visible()
    expect(wall.locator("[data-gong]")).to_be_visible()
    wall.evaluate(PHONE_CODE)
    box = wall.locator(".wall-foot__code svg").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 180
    check_legible(wall)


def test_wall_and_phone_follow_a_result_without_being_touched(
    wall: Page, phone: Page, tournament: Tournament
) -> None:
    players(tournament, 5)
    phone.goto(f"/t/{tournament.slug}/?q=1")
    wall.goto(f"/t/{tournament.slug}/screen/")
    expect(wall.locator(".wall-page:visible")).to_contain_text("5 Spieler sind angemeldet")
    expect(phone.locator("#answer")).to_contain_text("Die Tische der 1. Spielrunde stehen noch nicht fest.")
    table = a_round(tournament).tables.get()
    seat = table.seats.get(participant__start_number=1).seat_number
    expect(wall.locator(".wall-page:visible")).to_contain_text("1. Spielrunde: Wo sitze ich?")
    expect(phone.locator("#answer")).to_contain_text(f"Platz {seat}")
    a_paper_sheet(table)
    winner = table.seats.get(seat_number=1).participant.name
    expect(wall.locator(".wall-page:visible tr.is-leader")).to_contain_text(winner)
    expect(phone.locator("#standings tr.is-leader")).to_contain_text(winner)


def test_who_moves_is_marked_by_sign_and_figure_and_nothing_shifts(
    wall: Page, tournament: Tournament
) -> None:
    players(tournament, 6)
    table = a_round(tournament).tables.get()
    a_paper_sheet(table)
    wall.goto(f"/t/{tournament.slug}/screen/")
    boxes = "[...document.querySelectorAll('.board th, .board td')].map((cell) => JSON.stringify(cell.getBoundingClientRect()))"
    expect(wall.locator(".board--standings tbody tr")).to_have_count(6)
    wall.evaluate("document.fonts.ready")
    before = wall.evaluate(boxes)
    ranks = {str(seat): rank for seat, rank in zip((1, 2, 3, 4, 5, 6), (2, 1, 3, 4, 5, 6), strict=True)}
    ranked = str(table.sheet.entries.get(kind="ranked").entry_id)
    correction = {"entry": ranked, "data": {"ranks": ranks}, "reason": "vertauscht"}
    steps: list[tuple[str, dict[str, Any]]] = [
        ("reopened", {"reason": "vertauscht"}),
        ("corrected", correction),
        ("accepted", {"reason": "so"}),
    ]
    sheets.write(table, steps, by="x", at=AT)
    up = wall.locator(".move[data-move=up]")
    expect(up).to_have_text("▲1")
    expect(wall.locator(".move[data-move=down]")).to_have_text("▼1")
    assert wall.evaluate(boxes) == before


def test_the_first_results_of_players_mark_nobody_as_moved(wall: Page, tournament: Tournament) -> None:
    players(tournament, 12)
    first, second = a_round(tournament).tables.order_by("number")
    a_paper_sheet(first)
    wall.goto(f"/t/{tournament.slug}/screen/")
    expect(wall.locator("[data-played]")).to_have_count(first.seats.count())
    a_paper_sheet(second)
    expect(wall.locator("[data-played]")).to_have_count(12)
    expect(wall.locator(".move:not(:empty)")).to_have_count(0)


def test_keys_turn_and_hold_the_pages(own_wall: Page, tournament: Tournament) -> None:
    players(tournament, 13)
    a_played_round(tournament)
    own_wall.clock.install()
    own_wall.goto(f"/t/{tournament.slug}/screen/")
    expect(own_wall.locator(".wall-page:visible")).to_contain_text("Seite 1 von 2")
    own_wall.keyboard.press("ArrowRight")
    assert shown(own_wall) == "standings-2"
    own_wall.keyboard.press("ArrowLeft")
    assert shown(own_wall) == "standings-1"
    own_wall.clock.run_for(12_600)
    assert shown(own_wall) == "standings-2"
    own_wall.keyboard.press("Space")
    expect(own_wall.locator("[data-pause]")).to_have_attribute("aria-pressed", "true")
    own_wall.clock.run_for(30_000)
    assert shown(own_wall) == "standings-2"
    own_wall.keyboard.press("Space")
    own_wall.clock.run_for(12_600)
    assert shown(own_wall) == "standings-1"


def test_buttons_and_pointer_leave_after_three_seconds_and_come_back(
    own_wall: Page, tournament: Tournament
) -> None:
    players(tournament, 13)
    a_played_round(tournament)
    own_wall.clock.install(time=AT)
    own_wall.clock.pause_at(AT + timedelta(minutes=1))  # however long it takes until the page is looked at
    own_wall.goto(f"/t/{tournament.slug}/screen/")
    expect(own_wall.locator("[data-pause]")).to_be_visible()
    pager = own_wall.locator(".pager")
    own_wall.clock.run_for(2_000)
    expect(pager).to_have_css("opacity", "1")
    own_wall.clock.run_for(1_600)
    expect(pager).to_have_css("opacity", "0")
    expect(own_wall.locator("body")).to_have_css("cursor", "none")
    own_wall.mouse.move(300, 300)
    expect(pager).to_have_css("opacity", "1")
    own_wall.clock.run_for(3_600)
    expect(pager).to_have_css("opacity", "0")
    own_wall.locator("[data-pause]").focus()
    expect(pager).to_have_css("opacity", "1")
    own_wall.clock.run_for(10_000)
    expect(pager).to_have_css("opacity", "1")  # as long as the keyboard is there


def test_pages_fade_in_unless_motion_is_not_wanted(own_wall: Page, tournament: Tournament) -> None:
    players(tournament, 13)
    a_played_round(tournament)
    own_wall.add_init_script(
        "let fades = 0; const own = Element.prototype.animate;"
        "Element.prototype.animate = function (...all) { fades += 'opacity' in all[0][0]; return own.apply(this, all); };"
        "Object.defineProperty(window, 'fades', { get: () => fades });"
    )
    own_wall.goto(f"/t/{tournament.slug}/screen/")
    expect(own_wall.locator("[data-pause]")).to_be_visible()
    own_wall.keyboard.press("Space")  # only the test turns the pages
    own_wall.keyboard.press("ArrowRight")
    assert own_wall.evaluate("fades") == 1
    own_wall.emulate_media(reduced_motion="reduce")
    own_wall.keyboard.press("ArrowRight")
    assert own_wall.evaluate("fades") == 1


def test_a_line_says_how_long_a_page_stays(own_wall: Page, tournament: Tournament) -> None:
    players(tournament, 13)
    a_played_round(tournament)
    own_wall.goto(f"/t/{tournament.slug}/screen/")
    expect(own_wall.locator("[data-pause]")).to_be_visible()
    lines = """() => document.querySelector(".wall-progress").getAnimations().map((line) =>
      [line.playState, line.effect.getTiming().duration, line.effect.getKeyframes().map((one) => one.transform)])"""
    own_wall.keyboard.press("ArrowRight")
    assert own_wall.evaluate(lines) == [["running", 12_000, ["scaleX(0)", "scaleX(1)"]]]
    own_wall.keyboard.press("Space")
    assert own_wall.evaluate(lines) == []  # it stays for as long as it is held


SPIN = """() => requestAnimationFrame(function spin(at) {
  document.querySelector(".wall-progress").style.transform = `scaleX(${at / 5000 % 1})`;
  requestAnimationFrame(spin);
})"""
"""What a wall must not do: move its line by the script."""


def work_of(*pages: Page, seconds: int) -> list[dict[str, float]]:
    """Return what the main thread of each does in this time: how often it lays out and styles, and for how many seconds it is busy."""
    tools = [page.context.new_cdp_session(page) for page in pages]
    for one in tools:
        one.send("Performance.enable")

    def read() -> list[dict[str, float]]:
        return [
            {metric["name"]: metric["value"] for metric in one.send("Performance.getMetrics")["metrics"]}
            for one in tools
        ]

    before = read()
    pages[0].wait_for_timeout(1000 * seconds)
    names = ("LayoutCount", "RecalcStyleCount", "TaskDuration")
    return [
        {name: late[name] - early[name] for name in names} for early, late in zip(before, read(), strict=True)
    ]


def test_walls_rest_while_nothing_changes(new_page: NewPage, tournament: Tournament) -> None:
    """They ask nothing, as long as the stream is there; a preview, which has none, asks every five seconds."""
    players(tournament, 13)
    a_played_round(tournament)
    screens.set_scene(tournament, (2,), SentScene("black"), by="x", at=AT)
    automatic, black, preview = walls = [new_page({"viewport": WALL}) for _ in range(3)]
    bring_session(preview, tournament.memberships.get().user)
    for wall, address in ((black, "2/"), (automatic, ""), (preview, "1/preview/")):  # all at once
        wall.goto(f"/t/{tournament.slug}/screen/{address}", wait_until="commit")
    for wall in walls:
        expect(wall.locator("body")).to_have_attribute("data-at-rest", "")
    expect(automatic.locator(".wall-page:visible")).to_have_attribute("data-kind", "standings")
    expect(black.locator(".wall-page:visible")).to_have_attribute("data-kind", "black")
    for wall in (automatic, preview):  # a page that has just turned stays for twelve seconds
        expect(wall.locator(".wall-page:visible")).to_have_attribute("data-key", "standings-2")
    preview.wait_for_event("response")  # the next question comes when all is measured
    preview.wait_for_timeout(500)
    asked: list[str] = []
    for wall in walls:
        wall.on("request", lambda request: asked.append(request.url))
    rests = work_of(*walls, seconds=4)
    assert [address for address in asked if "/preview/" not in address] == []
    assert len(asked) <= 1
    for wall, rest in zip(walls, rests, strict=True):
        assert rest["LayoutCount"] + rest["RecalcStyleCount"] <= 8
        wall.evaluate(SPIN)
        [spun] = work_of(wall, seconds=4)
        assert 5 * rest["TaskDuration"] < spun["TaskDuration"]
        wall.close()


def test_the_page_being_read_stays_when_news_come_in(wall: Page, tournament: Tournament) -> None:
    players(tournament, 13)
    first = a_round(tournament).tables.order_by("number")[0]
    a_paper_sheet(first)
    wall.goto(f"/t/{tournament.slug}/screen/")
    wall.keyboard.press("Space")
    while shown(wall) != "standings-2":
        wall.keyboard.press("ArrowRight")
    for table in first.round.tables.order_by("number")[1:]:
        a_paper_sheet(table)
    expect(wall.locator(".wall-page")).to_have_count(2)
    assert shown(wall) == "standings-1"  # a new phase of the round starts with the first page
    wall.keyboard.press("ArrowRight")
    close(tournament, 1, at=AT)
    expect(wall.locator(".wall-page:visible")).to_contain_text("Stand nach der 1. Spielrunde")
    assert shown(wall) == "standings-2"


def test_a_lost_server_is_said_loudly_and_so_is_its_return(own_wall: Page, tournament: Tournament) -> None:
    own_wall.clock.install()
    own_wall.goto(f"/t/{tournament.slug}/screen/")
    expect(own_wall.locator("body")).to_have_attribute("data-stream", "open")
    age = own_wall.locator(".age")
    expect(age).to_have_text(re.compile(r"^Stand \d\d:\d\d:\d\d$"))
    own_wall.route("**/*", lambda route: route.abort())
    own_wall.clock.run_for(36_000)  # it has asked, since the stream says nothing
    expect(age).to_have_attribute("data-state", "stale")
    expect(age).to_have_text(re.compile(r"^Keine Verbindung seit \d+ s – Stand \d\d:\d\d:\d\d$"))
    expect(own_wall.locator(".wall-foot")).to_have_css("background-color", "rgb(255, 220, 115)")
    own_wall.evaluate("document.querySelector('form[data-pairing]').hidden = false")  # no code came either
    check_legible(own_wall)
    own_wall.unroute("**/*")
    own_wall.clock.run_for(5_500)
    expect(age).to_have_attribute("data-state", "fresh")


def test_the_freeze_holds_on_wall_and_phone_until_the_release(
    wall: Page, phone: Page, tournament: Tournament
) -> None:
    players(tournament, 5)
    a_played_round(tournament)
    table = a_round(tournament, 2).tables.get()
    standings.freeze(tournament, by="x", at=AT)
    phone.goto(f"/t/{tournament.slug}/")
    wall.goto(f"/t/{tournament.slug}/screen/")
    before = phone.locator("#standings").inner_html()
    a_paper_sheet(table, strokes={1: 3})
    expect(phone.locator("#seating")).to_contain_text("1 von 1 Tisch ist fertig")
    expect(wall.locator(".wall-page:visible")).to_contain_text("Zwischenstand – Neues folgt später")
    assert phone.locator("#standings").inner_html() == before
    assert wall.locator(".board--standings .points").all_inner_texts() == ["6", "4", "3", "2", "1"]
    standings.release(tournament, by="x", at=AT)
    expect(phone.locator("#standings .notice")).to_have_count(0)
    assert phone.locator("#standings").inner_html() != before


def test_the_players_page_works_without_script(
    browser: Browser, browser_context_args: dict[str, Any], tournament: Tournament
) -> None:
    players(tournament, 6)
    a_round(tournament)
    context = browser.new_context(**browser_context_args, viewport=PHONE, java_script_enabled=False)
    phone = context.new_page()
    phone.goto(f"/t/{tournament.slug}/")
    phone.get_by_role("searchbox", name="Wo sitze ich?").fill("3")
    phone.get_by_role("button", name=labels.SEARCH).click()
    expect(phone.locator(".answer__where")).to_have_text(re.compile(r"Tisch 1\s*·\s*Platz \d"))
    context.close()


def test_nothing_on_the_phone_is_wider_than_the_phone(phone: Page, tournament: Tournament) -> None:
    for name in LONG_NAMES * 3:
        ParticipantFactory.create(tournament=tournament, name=name)
    a_played_round(tournament)
    a_round(tournament, 2)
    problems: list[str] = []
    phone.on("console", lambda message: problems.append(message.text))
    for query in ("", "?q=1", "?q=max"):
        phone.goto(f"/t/{tournament.slug}/{query}")
        assert phone.evaluate("document.documentElement.scrollWidth") == 360
    assert problems == []
