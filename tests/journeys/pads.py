"""A scribe's taps for one deal: values from the pad of rule sheet 3, the three taps of rule sheet 5."""

from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import Locator, Page

from tests.journeys.taps import Tap

GAMES = {"solo": "Solo", "wenz": "Wenz", "farbwenz": "Farbwenz"}
LEVELS = {"normal": "einfach", "schneider": "Schneider", "durch": "Durch", "tout": "Tout"}
NAMED_HANDS = {35: "Schnauz 35", 33: "Feuer 33", 31: "Halbes 31"}


def key(page: Page, value: int) -> Locator:
    return page.locator(".pad").get_by_role("button", name=name_of_key(value), exact=True)


def name_of_key(value: int) -> str:
    return NAMED_HANDS.get(value, str(value))


def taps_felt(page: Page) -> int:
    """Return the number of taps on the page since the first call, counted by browser events."""
    felt: int = page.evaluate(
        """() => {
             if (window.tapsFelt === undefined) {
               window.tapsFelt = 0;
               const count = (touch) => { window.tapsFelt += touch.isTrusted ? 1 : 0; };
               window.addEventListener("pointerdown", count, { capture: true });
             }
             return window.tapsFelt;
           }"""
    )
    return felt


def write_values(page: Page, *values: int) -> None:
    """Tap a value for each player, and once for the deal."""
    for value in values:
        key(page, value).tap()
    page.get_by_role("button", name="Spiel eintragen").tap()


def value_taps(*values: int) -> list[Tap]:
    """Return the taps of `write_values`."""
    return [
        *((".pad button", name_of_key(value)) for value in values),
        (".action-bar button", "Spiel eintragen"),
    ]


def write_game(page: Page, deal: Mapping[str, Any], name: Callable[[int], Locator]) -> int:
    """Write a game; return the number of taps. deal: the data of the entry; name: the button of a player."""
    before = taps_felt(page)
    name(deal["declarer"]).tap()
    if deal["game"] == "ruf":
        name(deal["partner"]).tap()
    else:
        page.get_by_role("button", name=GAMES[deal["game"]], exact=True).tap()
    page.get_by_role("button", name=outcome_of(deal)).tap()
    return taps_felt(page) - before


def game_taps(deal: Mapping[str, Any], name: Callable[[int], str]) -> list[Tap]:
    """Return the taps of `write_game`. name: the selector of the button of a player."""
    calls = deal["game"] == "ruf"
    whom_or_what = (name(deal["partner"]), "") if calls else (".action-bar button", GAMES[deal["game"]])
    return [(name(deal["declarer"]), ""), whom_or_what, (".action-bar button", outcome_of(deal))]


def outcome_of(deal: Mapping[str, Any]) -> str:
    return f"{'Gewonnen' if deal['won'] else 'Verloren'}, {LEVELS[deal['level']]}"
