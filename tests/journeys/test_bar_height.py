"""The bar under the thumb: one height in every state of every kind of sheet."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.pads import key
from tests.journeys.phones import NewPhone, all_sent, knock, mark, name_of, take_back_last
from tournaments.models import Table
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.usefixtures("committed")

SIZES = {
    "320": (320, 568, ""),
    "360": (360, 740, ""),
    "390": (390, 844, ""),
    "320 at 200 %": (320, 568, "200%"),
    "390 at 200 %": (390, 844, "200%"),
}
Step = Callable[[Page], None]


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
        long_refusal,
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
    *(knocked, stroke(3, "Schnauz"), name(3), long_refusal),
]
FCE = [
    *(value(30), value(33), value(33), value(21), value(8), value(10), tap("1. Spiel eintragen"), value(20)),
    *(tap("Abbrechen"), take_back_last, long_refusal),
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
    *(refused, long_refusal),
]


@pytest.mark.parametrize(
    ("table", "steps"),
    [
        ((preset("schnauz-placing"), 6), PLACING),
        ((preset("konradsreuth"), 6), KONRADSREUTH),
        ((preset("fce"), 5), FCE),
        ((preset("schafkopf"), 4), SCHAFKOPF),
    ],
    indirect=["table"],
    ids=["sheet 1", "sheet 2", "sheet 3", "sheet 5"],
)
@pytest.mark.parametrize("size", SIZES.values(), ids=list(SIZES))
def test_the_bar_keeps_its_height(
    new_phone: NewPhone, table: Table, steps: list[Step], size: tuple[int, int, str]
) -> None:
    width, height, text = size
    page = new_phone(viewport={"width": width, "height": height})
    all_sent(page)
    expect(page.locator(".action-bar__hint")).to_be_visible()
    if text:
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", text)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        page.evaluate("() => new Promise(requestAnimationFrame)")
    heights = [bar_height(page)]
    for step in steps:
        step(page)
        heights.append(bar_height(page))
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert set(heights) == {heights[0]}


def bar_height(page: Page) -> float:
    found: float = page.locator("#actions").evaluate("bar => bar.getBoundingClientRect().height")
    return found
