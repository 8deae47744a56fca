"""Sizes on the scribe's phone: text, the bar under the thumb, the rows that stay visible, and text at twice the size."""

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.pads import key, write_game, write_values
from tests.journeys.phones import NewPhone, all_sent, decided_by_the_supervisor, knock, mark, name_of, try_now
from tests.scoring.core.writing import ruf, solo
from tournaments.models import Table
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.usefixtures("committed", "without_worker")

SMALL = {"width": 320, "height": 568}
PLACING, FCE, SCHAFKOPF = (preset("schnauz-placing"), 6), (preset("fce"), 5), (preset("schafkopf"), 4)
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
KONRADSREUTH, KNOCKOUT = (preset("konradsreuth"), 6), (preset("knockout"), 6)


def bar_height(page: Page) -> int:
    height: int = page.locator(".action-bar").evaluate("bar => bar.offsetHeight")
    return height


def smallest_text(page: Page) -> float:
    """Return the font size of the smallest text that is shown."""
    size: float = page.evaluate(
        """() => {
             const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
             const sizes = [];
             while (texts.nextNode()) {
               const one = texts.currentNode.parentElement;
               const isShown = texts.currentNode.data.trim() && one.checkVisibility() && !one.closest("template, script");
               const size = parseFloat(getComputedStyle(one).fontSize);
               if (isShown && size) sizes.push(size);
             }
             return Math.min(...sizes);
           }"""
    )
    return size


def rows_in_sight(page: Page) -> int:
    """Return the number of rows between header and bar."""
    rows: int = page.evaluate(
        """() => {
             const top = document.querySelector(".phone-head").getBoundingClientRect().bottom;
             const bottom = document.querySelector(".action-bar").getBoundingClientRect().top;
             const boxes = [...document.querySelectorAll(".seat-row")].map((row) => row.getBoundingClientRect());
             return boxes.filter((box) => box.top >= top && box.bottom <= bottom).length;
           }"""
    )
    return rows


def test_five_of_six_rows_stay_visible_and_the_bar_keeps_its_height(
    new_phone: NewPhone, table: Table
) -> None:
    page = new_phone(viewport=SMALL)
    all_sent(page)
    expect(page.locator(".seat-row")).to_have_count(6)  # once this phone holds the pen
    height = bar_height(page)

    def holds() -> None:
        page.evaluate("scrollTo(0, 0)")
        assert bar_height(page) == height
        assert rows_in_sight(page) == 5

    holds()
    knock(page, 4)
    expect(page.get_by_text("2. Spiel: Wer hat verloren?")).to_be_visible()
    holds()
    name_of(page, 2).tap()
    name_of(page, 4).tap()
    expect(page.get_by_text("Bernd und Dieter geben je ein Leben.")).to_be_visible()
    holds()
    page.get_by_role("button", name="Abbrechen").tap()
    mark(page, 1, "Schnauz").tap()
    expect(page.get_by_text("Schnauz: Anna. Wer hat verloren?")).to_be_visible()
    holds()
    name_of(page, 3).tap()
    expect(page.get_by_role("button", name="Schnauz – eintragen", exact=True)).to_be_enabled()
    holds()
    page.get_by_role("button", name="Abbrechen").tap()
    mark(page, 1, "Feuer").tap()
    expect(page.get_by_role("button", name="Feuer – eintragen")).to_be_enabled()
    holds()


@pytest.mark.parametrize("table", [FCE, (preset("fce"), 6)], indirect=True, ids=["five", "six"])
def test_the_pad_of_values_leaves_room_for_players(new_phone: NewPhone, table: Table) -> None:
    page = new_phone(viewport=SMALL)
    all_sent(page)
    write_values(page, *range(15, 15 + table.seats.count()))
    expect(page.get_by_text("2. von 24 Spielen, Bernd gibt")).to_be_visible()
    for width, height, least in ((320, 568, 110), (568, 320, 80)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        free = height - bar_height(page) - page.locator(".phone-head").evaluate("head => head.offsetHeight")
        assert free >= least, width
        assert (
            page.locator(".action-bar__hint").evaluate("hint => hint.scrollHeight - hint.clientHeight") == 0
        )


@pytest.mark.parametrize("table", [SCHAFKOPF], indirect=True)
def test_three_of_four_rows_stay_visible_above_the_outcomes_of_a_game(
    new_phone: NewPhone, table: Table
) -> None:
    page = new_phone(viewport=SMALL)
    write_game(
        page, ruf(1, 2).data, lambda seat: name_of(page, seat)
    )  # before the start a notice stands above
    expect(page.get_by_text("2. Spiel: Wer spielt?")).to_be_visible()
    all_sent(page)
    height = bar_height(page)

    def holds() -> None:
        page.evaluate("scrollTo(0, 0)")
        assert bar_height(page) == height
        assert rows_in_sight(page) == 3

    holds()
    name_of(page, 1).tap()
    expect(page.get_by_text("Anna ruft wen?")).to_be_visible()
    holds()
    page.get_by_role("button", name="Solo", exact=True).tap()
    expect(page.get_by_role("button", name="Verloren, Tout")).to_be_visible()
    holds()


def test_the_longest_name_hides_no_other_row_and_leaves_no_sideways_scrolling(
    new_phone: NewPhone, table: Table
) -> None:
    longest = table.seats.get(seat_number=2).participant
    longest.name = "Donaudampfschifffahrtsgesellschaftskapitän-Hinterhuberbauer Maximiliane-Josefine"
    longest.save()
    page = new_phone(viewport=SMALL)
    all_sent(page)
    expect(page.locator(".seat-row")).to_have_count(6)  # once this phone holds the pen
    assert rows_in_sight(page) == 5
    page.locator("button.seat-row__name").nth(1).tap()
    page.get_by_role("button", name="Geklopft – eintragen").tap()
    expect(page.locator(".entry").first).to_contain_text(longest.name)
    assert page.evaluate("document.documentElement.scrollWidth") == SMALL["width"]


@pytest.mark.parametrize(
    "table", [PLACING, KONRADSREUTH, KNOCKOUT, SCHAFKOPF], indirect=True, ids=["1", "2", "4", "5"]
)
@pytest.mark.parametrize("size", [(568, 320), (740, 360)], ids=["568", "740"])
def test_a_phone_on_its_side_shows_four_players(
    new_phone: NewPhone, table: Table, size: tuple[int, int]
) -> None:
    page = new_phone(viewport={"width": size[0], "height": size[1]})
    all_sent(page)
    if table.round.tournament.rules.sheet.kind == "plus_minus":
        write_game(page, ruf(1, 2).data, lambda seat: name_of(page, seat))
        expect(page.get_by_text("2. Spiel: Wer spielt?")).to_be_visible()  # no notice stands above any more
        all_sent(page)
    else:
        mark(page, 1, "Schnauz").tap()
        expect(page.get_by_text("Schnauz: Anna. Wer hat verloren?")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    assert rows_in_sight(page) >= 4
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize("table", [PLACING, FCE], indirect=True, ids=["1", "3"])
def test_dots_and_descenders_of_names_are_seen_whole(new_phone: NewPhone, table: Table) -> None:
    """A name looks the same where nothing is cut above and below, in every font and width."""
    tall = table.seats.get(seat_number=1).participant
    tall.name = "Ägyp Öhlgä"
    tall.save()
    page = new_phone(viewport=SMALL)
    all_sent(page)
    name = page.locator(".seat-row").first
    expect(name).to_contain_text(tall.name)
    for font in ("DejaVu Sans", "Liberation Sans", "serif", "monospace"):
        for width in (320, 360, 568):
            page.set_viewport_size({"width": width, "height": 740})
            page.evaluate("font => { document.body.style.fontFamily = font; }", font)
            texts = page.locator(".seat-row__who")
            shown = name.screenshot()
            texts.evaluate_all("all => all.forEach((one) => { one.style.overflow = 'clip visible'; })")
            assert name.screenshot() == shown, (font, width)
            texts.evaluate_all("all => all.forEach((one) => { one.style.overflow = ''; })")


@pytest.mark.parametrize("table", [(preset("fce"), 6)], indirect=True)
def test_two_of_one_first_name_are_told_apart_in_the_strip(new_phone: NewPhone, table: Table) -> None:
    """By their last names; two of one name altogether by their numbers."""
    numbers = []
    for seat, name in ((2, "Anna Übelhör"), (3, "Anna Übelhör"), (4, "Anna-Lena Kraus")):
        person = table.seats.get(seat_number=seat).participant
        person.name = name
        person.save()
        numbers.append(person.start_number)
    chips = new_phone(viewport=SMALL).locator(".chip")
    expect(chips).to_have_text(
        [
            "Anna Berger –",
            f"Anna (Nr. {numbers[0]}) –",
            f"Anna (Nr. {numbers[1]}) –",
            "Anna-Lena –",
            "Eva –",
            "Franz –",
        ]
    )


CHIPS = """() => {
  const around = document.createRange();
  return [...document.querySelectorAll(".chip")].map((chip) => {
    const { left, right, top, bottom } = chip.getBoundingClientRect();
    const text = chip.firstChild;
    const isCut = ({ 0: word, index }) => {
      around.setStart(text, index);
      around.setEnd(text, index + word.length);
      const [box, ...more] = around.getClientRects();
      return more.length > 0 || box.left < left + 2 || box.right > right - 2 || box.top < top || box.bottom > bottom;
    };
    const cut = [...text.data.matchAll(/[^ -]+-?/g)].filter(isCut).map(([word]) => word);
    return { top, cut };
  });
}"""


@pytest.mark.parametrize(
    ("table", "rows"),
    [((preset("fce"), 4), [2, 2]), (FCE, [3, 2]), ((preset("fce"), 6), [3, 3])],
    indirect=["table"],
    ids=["four", "five", "six"],
)
def test_no_name_in_the_strip_is_cut_inside_a_word(
    new_phone: NewPhone, table: Table, rows: list[int]
) -> None:
    long = ["Christina", "Maximilian", "Ägidius", "Hans-Jürgen", "Alexandra", "Maria-Magdalena"]
    for seat, name in zip(table.seats.select_related("participant"), long, strict=False):
        seat.participant.name = f"{name} Öhlgä"
        seat.participant.save()
    page = new_phone(viewport=SMALL)
    expect(page.locator(".chip")).to_have_count(sum(rows))
    for width, height in ((320, 568), (360, 740), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        chips = page.evaluate(CHIPS)
        assert [chip["cut"] for chip in chips] == [[]] * len(chips), width
        tops = [chip["top"] for chip in chips]
        assert [tops.count(top) for top in sorted(set(tops))] == rows, width
        assert tops[0] >= page.locator(".phone-head").evaluate("head => head.getBoundingClientRect().bottom")


@pytest.mark.parametrize("table", [FCE, (preset("fce"), 6)], indirect=True, ids=["five", "six"])
def test_the_strip_shows_the_value_that_the_pad_writes(new_phone: NewPhone, table: Table) -> None:
    page = new_phone(viewport=SMALL)
    expect(key(page, 30)).to_be_visible()
    players = table.seats.count()
    chips = page.locator(".chip")
    expect(chips).to_have_count(players)
    height = bar_height(page)
    corners = "all => all.map((one) => one.getBoundingClientRect()).map((box) => [box.left, box.top].map(Math.round))"
    places = chips.evaluate_all(corners)
    for place in range(players):
        assert chips.evaluate_all(corners) == places  # no value moves a name
        expect(chips.nth(place)).to_have_attribute("aria-pressed", "true")
        assert bar_height(page) == height
        chip, header = chips.nth(place).bounding_box(), page.locator(".phone-head").bounding_box()
        assert chip
        assert header
        assert chip["y"] >= header["y"] + header["height"]
        assert chip["width"] >= 44
        key(page, 30).tap()
        expect(chips.nth(place)).to_contain_text("30")
    chips.nth(1).tap()
    key(page, 31).tap()
    page.get_by_role("button", name="1. Spiel eintragen").tap()
    expect(page.get_by_text("Bernd Dorn 31").first).to_be_visible()


@pytest.mark.parametrize("table", [PLACING, FCE, SCHAFKOPF], indirect=True, ids=["1", "3", "5"])
def test_no_text_is_small_and_large_text_needs_no_sideways_scrolling(
    new_phone: NewPhone, table: Table
) -> None:
    page = new_phone(viewport=SMALL)
    all_sent(page)

    def fits() -> None:
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 568})
            page.evaluate(TWO_FRAMES)
            assert smallest_text(page) >= 16, width
            assert page.evaluate("document.documentElement.scrollWidth") == width
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            assert page.evaluate("document.documentElement.scrollWidth") == width, "at 200 %"
            page.evaluate("document.documentElement.style.fontSize = ''")

    fits()
    kind = table.round.tournament.rules.sheet.kind
    if kind == "hand_points":
        write_values(page, 35, 30, 21, 8, 33)
        expect(page.get_by_text("2. von 24 Spielen")).to_be_visible()
        fits()
        key(page, 20).tap()
        fits()
    elif kind == "plus_minus":
        write_game(page, ruf(1, 2).data, lambda seat: name_of(page, seat))
        write_game(page, solo(3).data, lambda seat: name_of(page, seat))
        name_of(page, 1).tap()
        fits()
        page.get_by_role("button", name="Solo", exact=True).tap()
        fits()
    else:
        mark(page, 3, "Schnauz").tap()
        fits()
        page.get_by_role("button", name="Abbrechen").tap()
        decided_by_the_supervisor(table)
        try_now(page)
        page.get_by_role("button", name="Einspruch erheben").tap()
        fits()
