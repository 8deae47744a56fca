"""The bar under the thumb: one height in every state of every kind of sheet."""

from collections import deque
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.pads import key
from tests.journeys.phones import NewPhone, all_sent, have_decided, knock, mark, name_of, take_back_last
from tournaments.models import Table
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.usefixtures("committed", "without_worker")

SIZES = {
    "320": (320, 568, ""),
    "320 at 200 %": (320, 568, "200%"),
    "360": (360, 740, ""),
    "390": (390, 844, ""),
    "568": (568, 320, ""),
    "390 at 200 %": (390, 844, "200%"),
}
Step = Callable[[Page], None]

# A button is covered if a tap on its middle would hit something else, even between header and bar.
LOOK = """async (text) => {
  if (text !== null) {
    document.documentElement.style.fontSize = text;
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
  }
  const bar = document.getElementById("actions");
  const head = document.querySelector(".phone-head");
  const isHit = (button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };
  const isCovered = (button) => {
    button.scrollIntoView({ block: "center", behavior: "instant" });
    if (isHit(button)) return false;
    const { top, height } = button.getBoundingClientRect();
    const middle = (head.getBoundingClientRect().bottom + bar.getBoundingClientRect().top) / 2;
    scrollBy({ top: top + height / 2 - middle, behavior: "instant" });
    return !isHit(button);
  };
  const buttons = [...document.querySelectorAll("#main button, #actions button")].filter((one) => one.checkVisibility());
  return {
    height: bar.getBoundingClientRect().height,
    width: document.documentElement.scrollWidth,
    buttons: buttons.length,
    covered: buttons.filter(isCovered).map((one) => one.textContent),
    below: bar.getBoundingClientRect().bottom - innerHeight,
  };
}"""


def tap(label: str) -> Step:
    return lambda page: page.locator("#actions").get_by_role("button", name=label, exact=True).tap()


def name(seat: int) -> Step:
    return lambda page: name_of(page, seat).tap()


def stroke(seat: int, kind: str) -> Step:
    return lambda page: mark(page, seat, kind).tap()


def value(points: int) -> Step:
    return lambda page: key(page, points).tap()


def long_refusal(page: Page) -> None:
    """Show a sentence that is longer than every room for it."""
    page.locator(".action-bar__hint").evaluate(
        "hint => { hint.textContent = 'Das geht jetzt nicht. '.repeat(30); }"
    )


def refused(page: Page) -> None:
    """Tap what the rules forbid in the first deal."""
    page.locator(".pad__key[aria-disabled=true]").first.tap(force=True)
    expect(page.locator(".action-bar__hint--refused")).to_be_visible()


def knocked(page: Page) -> None:
    knock(page, 4)
    expect(page.get_by_text("2. Spiel: Wer hat verloren?")).to_be_visible()


PLACING = [
    *(
        name(2),
        name(4),
        tap("Abbrechen"),
        stroke(1, "Schnauz"),
        name(3),
        tap("Abbrechen"),
        stroke(1, "Feuer"),
    ),
    *(
        tap("Abbrechen"),
        knocked,
        stroke(1, "Schnauz"),
        stroke(1, "Schnauz"),
        name(1),
        stroke(1, "Schnauz"),
        name(1),
    ),
]
KONRADSREUTH = [
    *(tap("Niemand verliert"), tap("Abbrechen"), stroke(1, "Schnauz"), tap("Niemand verliert"), name(3)),
    *(
        tap("Abbrechen"),
        stroke(2, "Schnauz"),
        tap("Handschnauz: ohne die mit drei Gleichen"),
        tap("Abbrechen"),
    ),
    *(knocked, stroke(3, "Schnauz"), name(3)),
]
FCE = [
    *(value(30), value(33), value(33), value(21), value(8), value(10), tap("1. Spiel eintragen"), value(20)),
    *(tap("Abbrechen"), take_back_last),
]
SCHAFKOPF = [
    *(
        name(1),
        name(2),
        tap("Gewonnen, einfach: +1"),
        name(1),
        tap("Solo"),
        tap("Abbrechen"),
        name(3),
        tap("Wenz"),
    ),
    *(
        tap("Verloren, Schneider: −9"),
        name(1),
        tap("Abbrechen"),
        take_back_last,
        take_back_last,
        name(2),
        tap("Solo"),
    ),
    refused,
]


@pytest.mark.parametrize(
    ("table", "steps"),
    [
        ((preset("schnauz-placing"), 6), PLACING),
        ((preset("konradsreuth"), 6), KONRADSREUTH),
        ((preset("fce"), 5), FCE),
        ((replace(preset("schafkopf"), scribe_takes_back="latest_deal"), 4), SCHAFKOPF),
    ],
    indirect=["table"],
    ids=["sheet 1", "sheet 2", "sheet 3", "sheet 5"],
)
def test_the_bar_keeps_its_height(new_phone: NewPhone, table: Table, steps: list[Step]) -> None:
    """One phone in all sizes: after every step, each of which is played in another size."""
    page = new_phone()
    all_sent(page)
    expect(page.locator(".action-bar__hint")).to_be_visible()
    sizes = deque(SIZES)
    heights: dict[str, list[float]] = {size: [] for size in SIZES}
    for step in (None, *steps):
        if step:
            step(page)
            heights[sizes[0]].append(look(page, sizes[0]))  # before another size has the bar measured again
        for size in sizes:
            heights[size].append(look_resized(page, size))
        sizes.rotate()  # the next step in the size that is shown
    for size in SIZES:
        look_resized(page, size)
        long_refusal(page)
        heights[size].append(look(page, size))
    assert {size: found for size, found in heights.items() if len(set(found)) > 1} == {}


def test_after_the_hand_in_the_whole_hint_is_in_sight(new_phone: NewPhone) -> None:
    page = new_phone(viewport={"width": 360, "height": 740})
    have_decided(page)
    page.get_by_role("button", name="– stimmt").first.tap()
    page.get_by_role("button", name="Blatt abgeben").tap()
    hint = page.locator(".action-bar__hint")
    expect(hint).to_contain_text("Abgegeben. Danke!")
    assert hint.evaluate("hint => hint.scrollHeight - hint.clientHeight") <= 1


def look_resized(page: Page, size: str) -> float:
    """Return what `look` does, in a window of this size."""
    width, height, text = SIZES[size]
    if page.viewport_size != {"width": width, "height": height}:
        page.set_viewport_size({"width": width, "height": height})
    return look(page, size, text=text)


def look(page: Page, size: str, *, text: str | None = None) -> float:
    """Return the height of the bar; nothing is wider than the phone, and nothing covers a button. text: its new size."""
    found = page.evaluate(LOOK, text)
    assert found["width"] == SIZES[size][0], size
    assert found["buttons"], size
    assert found["covered"] == [], size
    assert found["below"] <= 1, size
    return float(found["height"])
