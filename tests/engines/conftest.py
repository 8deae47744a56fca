"""Browsers of all ages for the journeys: in `make test` two old ones and today's, by ENGINES=all each that a registry holds."""

import os
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from tests.conftest import IN_CI, _find_chromium
from tests.engines.bidi import Firefox
from tests.engines.chromiums import PACKAGES, fetched
from tests.engines.devtools import Chromium
from tests.engines.driver import OldBrowser, OldPage
from tests.engines.webdriver import WebKit
from tests.journeys.conftest import table

__all__ = ["table"]

PAGE = Path(__file__).parents[2] / "docs" / "browsers.md"
TABLE = re.compile(r"(?<=<!-- make engines -->\n).*?(?=<!-- end -->)", re.DOTALL)
COLUMNS = {
    "tabs": ("the_players_pages", "the_standings"),
    "check": ("a_genuine", "the_page_that_checks", "a_browser_too_old"),
    "sign-up": ("a_sign_up",),
    "scribe": ("a_whole_round", "the_sheet", "a_phone_too_old"),
    "wall": ("the_wall",),
    "organiser": ("the_organisers",),
}
"""Columns of the table, with how the names of their tests begin."""
TODAY = 0
OF_OTHER_MAKERS: dict[int, tuple[str, Callable[[], OldBrowser]]] = {
    998: ("Firefox ESR", Firefox),
    997: ("WebKitGTK", WebKit),
}
"""By numbers that count as new: browsers that a package of the system holds."""
OF_EVERY_RUN = (68, 80)
"""The oldest of the wall and the oldest of the phones, as promised."""
NewOldPage = Callable[..., OldPage]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        everywhere = os.environ.get("ENGINES") == "all"
        bounds = metafunc.definition.get_closest_marker("engines")
        oldest, newest = bounds.args if bounds else (0, 999)
        versions = [
            version
            for version in ([*PACKAGES, *OF_OTHER_MAKERS] if everywhere else OF_EVERY_RUN)
            if oldest <= version <= newest
        ]
        asked = [*versions, *([TODAY] if newest == 999 else [])]
        metafunc.parametrize("engine", asked, ids=map(name_of, asked), indirect=True, scope="session")


def name_of(version: int) -> str:
    if version in OF_OTHER_MAKERS:
        return OF_OTHER_MAKERS[version][0]
    return f"Chromium {version}" if version else "today's Chromium"


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest) -> Iterator[OldBrowser]:
    """Start a browser of the parameter's version."""
    with started(request.param) as browser:
        yield browser


@pytest.fixture(scope="session")
def today() -> Iterator[OldBrowser]:
    """Start today's browser, which the others are compared with."""
    with started(TODAY) as browser:
        yield browser


def started(version: int) -> OldBrowser:
    """Start a browser. Where there is none and none can be had, the test says so: skipped, and in CI failed."""
    try:
        if version in OF_OTHER_MAKERS:
            return OF_OTHER_MAKERS[version][1]()
        path = fetched(version) if version else _find_chromium()
        if path is None:
            raise OSError("no browser is installed")
        return Chromium(path)
    except (OSError, CalledProcessError) as error:
        reason = f"{name_of(version)} cannot be had: {error}"
    if IN_CI:
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def new_page() -> Iterator[NewOldPage]:
    """Open a page of a browser: a phone of 360 x 740, or as large as said."""
    pages: list[OldPage] = []

    def open_page(engine: OldBrowser, width: int = 360, height: int = 740) -> OldPage:
        pages.append(engine.new_page(width, height, is_phone=width < 800))
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()


# --- the table -----------------------------------------------------------------------------------------------------

outcomes: dict[tuple[str, str], set[str]] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    found = re.search(
        r"tests/engines/.*::test_(\w+)\[(?:[^]]*-)?(Chromium \d+|today's Chromium|Firefox ESR|WebKitGTK)",
        report.nodeid,
    )
    if found and (report.when == "call" or not report.passed):
        column = next(key for key, starts in COLUMNS.items() if found[1].startswith(starts))
        too_old = "too_old" in found[1]
        outcome = (
            ("said" if too_old else "right")
            if report.passed
            else "FAILS"
            if report.failed
            else "not to be had"
        )
        outcomes.setdefault((found[2], column), set()).add(outcome)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the table of docs/browsers.md, where all engines have played."""
    is_whole = os.environ.get("ENGINES") == "all" and not session.config.option.keyword
    if not is_whole or "PYTEST_XDIST_WORKER" in os.environ or not outcomes:
        return
    names = dict.fromkeys(name for name, _ in outcomes)
    lines = [
        f"As of {datetime.now(UTC):%Y-%m-%d}:",
        "",
        f"| engine | {' | '.join(COLUMNS)} |",
        "|---" * (len(COLUMNS) + 1) + "|",
    ]
    order = [*map(name_of, PACKAGES), name_of(TODAY)]  # and then the others
    for name in sorted(names, key=lambda name: order.index(name) if name in order else len(order)):
        cells = [", ".join(sorted(outcomes.get((name, column), {"–"}))) for column in COLUMNS]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    PAGE.write_text(TABLE.sub(lambda _: "\n".join([*lines, "", ""]), PAGE.read_text()))
