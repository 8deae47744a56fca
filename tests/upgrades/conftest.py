"""Databases of their own for the tests of upgrades: one is migrated and filled once, the others are copies of it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests import databases
from tests.conftest import url_of_test_database
from tests.databases import another_database, create_database
from tests.upgrades.databases import Installation
from tests.upgrades.dumps import load
from tests.upgrades.releases import DATABASE, HERE

MakeInstallation = Callable[..., Installation]


@pytest.fixture
def database_of_1_0(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Let this process use a database of release 1.0.0, which a test migrates."""
    with django_db_blocker.unblock(), another_database():
        load(HERE / "1.0.0" / DATABASE)
        yield


@pytest.fixture(scope="session")
def just_made(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Installation, str]]:
    """Yield an installation that was migrated once, and what the program said of it."""
    made = Installation(_create_database(), tmp_path_factory.mktemp("filled"))
    status, said = made.manage("migrate", "--verbosity=0")
    assert status == 0, said
    yield made, said
    drop_database(made.url)


@pytest.fixture(scope="session")
def filled(just_made: tuple[Installation, str]) -> Installation:
    """Return an installation with a practice tournament, of which copies are made."""
    made, _said = just_made
    status, said = made.manage("practice_tournament")
    assert status == 0, said
    return made


@pytest.fixture
def installation(filled: Installation, tmp_path: Path) -> Iterator[Installation]:
    """Yield an installation with a practice tournament in play."""
    made = copy_of(filled, tmp_path / "data")
    yield made
    drop_database(made.url)


@pytest.fixture(scope="module")
def refusing(
    filled: Installation, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Installation, dict[str, str]]]:
    """Yield an installation with a practice tournament in play, and its content, for tests in which nothing is changed."""
    made = copy_of(filled, tmp_path_factory.mktemp("refusing") / "data")
    yield made, made.content()
    drop_database(made.url)


def copy_of(filled: Installation, data_dir: Path) -> Installation:
    made = Installation(_create_database(filled.url.rpartition("/")[2]), data_dir)
    made.data_dir.mkdir()
    (made.data_dir / "secret_key").write_text((filled.data_dir / "secret_key").read_text())
    return made


@pytest.fixture
def new_installation(django_db_setup: None, tmp_path: Path) -> Iterator[Installation]:
    """Yield an installation without tables."""
    made = Installation(_create_database(), tmp_path / "new data")
    yield made
    drop_database(made.url)


def _create_database(template: str = "template0") -> str:
    return url_of_test_database().rpartition("/")[0] + f"/{create_database(template)}"


def drop_database(url: str) -> None:
    databases.drop_database(url.rpartition("/")[2])
