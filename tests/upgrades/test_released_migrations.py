"""Tests of the rule that a released migration is never changed, with changes that break it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.upgrades.released_migrations import (
    APPS,
    ROOT,
    VERSION,
    contradictions,
    migrations_in,
    release,
    released,
)

GUARDS = "tournaments/migrations/0003_append_only.py"


def test_released_migrations_are_as_they_were() -> None:
    assert list(contradictions(ROOT, released())) == []


def test_all_of_the_first_version_are_listed() -> None:
    listed = {(line["app"], line["name"]) for line in released() if line["version"] == "1.0.0"}
    assert listed >= {("scoring", "0001_tables"), ("tournaments", "0001_tables")}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for app in APPS:
        shutil.copytree(ROOT / app / "migrations", tmp_path / app / "migrations")
    (tmp_path / VERSION).parent.mkdir()
    set_version(tmp_path, "1.0.0")
    return tmp_path


def set_version(root: Path, version: str) -> None:
    (root / VERSION).write_text(f'__version__ = "{version}"\n')


def edit(root: Path) -> None:
    file = root / GUARDS
    file.write_text(file.read_text(encoding="utf-8").replace("'DELETE'", "'UPDATE'", 1), encoding="utf-8")


def comment(root: Path) -> None:
    file = root / GUARDS
    file.write_text(file.read_text(encoding="utf-8") + "# harmless\n", encoding="utf-8")


def delete(root: Path) -> None:
    (root / GUARDS).unlink()


def rename(root: Path) -> None:
    (root / GUARDS).rename(root / "tournaments/migrations/0003_append_only_rows.py")


def slip_in(root: Path) -> None:
    (root / "scoring/migrations/0099_later.py").write_text("")


CHANGED = "tournaments.0003_append_only of 1.0.0 was changed: write a new migration instead"
MISSING = "tournaments.0003_append_only of 1.0.0 is missing"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (edit, [CHANGED]),
        (comment, [CHANGED]),
        (delete, [MISSING]),
        (
            rename,
            [MISSING, "tournaments.0003_append_only_rows is not among those of 1.0.0, which is released"],
        ),
        (slip_in, ["scoring.0099_later is not among those of 1.0.0, which is released"]),
    ],
)
def test_a_change_of_a_released_migration_is_found(
    copy: Path, change: Callable[[Path], None], found: list[str]
) -> None:
    listed = release(copy, [])
    assert list(contradictions(copy, listed)) == []
    change(copy)
    assert list(contradictions(copy, listed)) == found


def test_a_new_migration_is_allowed_until_its_version_is_released(copy: Path) -> None:
    listed = release(copy, [])
    slip_in(copy)
    set_version(copy, "1.1.0")
    assert list(contradictions(copy, listed)) == []
    both = release(copy, listed)
    assert both[:-1] == listed
    assert both[-1]["version"] == "1.1.0"
    delete(copy)
    assert list(contradictions(copy, both)) == [MISSING]


def test_line_endings_of_a_checkout_do_not_count(copy: Path) -> None:
    before = migrations_in(copy)
    for file in copy.rglob("*.py"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert migrations_in(copy) == before
