"""Accessibility checks of a page: axe violations and target sizes."""

from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import FloatRect, Page

AXE = Path(__file__).parents[1] / "vendor/axe-core-4.14.1/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AT_REST = """() => document.getAnimations()
    .filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime)).forEach((one) => one.finish())"""
"""Brings to its end what moves or fades, except what moves for ever."""
COLOURS: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def violations(page: Page, *more_tags: str) -> list[dict[str, Any]]:
    """Return the violations that axe finds, each with its elements. more_tags: of rules beside the usual ones."""
    found = [
        {
            "rule": rule["id"],
            "at": [node["html"] for node in rule["nodes"] if not _lies_under_a_bar(page, rule["id"], node)],
        }
        for rule in all_violations(page, *more_tags)
    ]
    return [one for one in found if one["at"]]


def all_violations(page: Page, *more_tags: str) -> list[dict[str, Any]]:
    """Return what axe finds, as it says it: also targets that a bar covers in part. What fades has faded before."""
    _wait_for_all_of(page)
    page.evaluate(AT_REST)
    if not page.evaluate("'axe' in self"):
        page.evaluate(AXE.read_text())
    # Of the rules that found nothing only the names come back: with all that they have passed, a check takes twice as long.
    found: dict[str, Any] = page.evaluate(
        """async (tags) => {
            const { violations, passes, inapplicable } = await axe.run({
                runOnly: { type: "tag", values: tags }, rules: { "target-size": { enabled: true } }, resultTypes: ["violations"],
            });
            return { violations, kept: [...passes, ...inapplicable].map((rule) => rule.id) };
        }""",
        [*TAGS, *more_tags],
    )
    violated: list[dict[str, Any]] = found["violations"]
    assert "target-size" in [*found["kept"], *(rule["id"] for rule in violated)]
    return violated


def violations_in_all_colours(page: Page) -> dict[str, list[dict[str, Any]]]:
    """Return the violations that axe finds in light and in dark colours, by the colours."""
    found = {}
    for colours in COLOURS:
        page.emulate_media(color_scheme=colours)
        found[colours] = violations(page)
    return {colours: rules for colours, rules in found.items() if rules}


def _lies_under_a_bar(page: Page, rule: str, node: dict[str, Any]) -> bool:
    """Whether a target is small only because it has been scrolled half under a bar that keeps its place."""
    if rule != "target-size":
        return False
    under: bool = page.evaluate(
        """(selector) => {
            const one = document.querySelector(selector), box = one.getBoundingClientRect();
            return box.height >= 44 && [...document.querySelectorAll("body *")].some((bar) => {
                if (bar.contains(one) || !["fixed", "sticky"].includes(getComputedStyle(bar).position)) return false;
                const its = bar.getBoundingClientRect();
                return its.height > 0 && its.top < box.bottom && box.top < its.bottom;
            });
        }""",
        node["target"][0],
    )
    return under


def small_targets(page: Page, selector: str, least: int) -> list[FloatRect]:
    """Return the visible targets that are lower or narrower than `least` pixels."""
    boxes = _boxes(page, selector)
    assert boxes
    return [box for box in boxes if min(box["width"], box["height"]) < least]


def close_targets(page: Page, selector: str, least: int = 8) -> list[tuple[FloatRect, FloatRect]]:
    """Return neighbours in a row or column that are less than `least` pixels apart."""
    boxes = _boxes(page, selector)
    return [
        (a, b)
        for a, b in pairwise(boxes)
        if b["x"] < a["x"] + a["width"] + least and b["y"] < a["y"] + a["height"] + least
    ]


def _wait_for_all_of(page: Page) -> None:
    """Wait for the rest of the page and its styles: behind a click what is seen may be there before them."""
    page.wait_for_load_state("domcontentloaded")


def _boxes(page: Page, selector: str) -> list[FloatRect]:
    """Return where the visible elements are, all of them in one answer of the browser."""
    _wait_for_all_of(page)
    found: list[FloatRect] = page.locator(f"{selector}:visible").evaluate_all(
        """(all) => all.filter((one) => one.getClientRects().length).map((one) => {
            const { x, y, width, height } = one.getBoundingClientRect();
            return { x, y, width, height };
        })"""
    )
    return found
