"""Links that somebody else places in the backup folder."""

import os
from pathlib import Path

import pytest

from scoring.backups import back_up_with_documents
from scoring.services.backup import latest
from tests.factories import AT, TournamentFactory

PRECIOUS = "not to be overwritten"


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    file = tmp_path / "precious"
    file.write_text(PRECIOUS)
    return file


@pytest.mark.parametrize("kind", ["zip", "json"])
def test_a_planted_link_is_not_followed(committed: None, stick: Path, victim: Path, kind: str) -> None:
    tournament = TournamentFactory.create(slug=f"planted-link-{kind}")
    planted = {
        "zip": stick / ".schnauz-turnier.zip.new",
        "json": stick / f".{tournament.slug}.json.new",
    }[kind]
    planted.symlink_to(victim)

    made = back_up_with_documents(stick, [tournament.slug], at=AT)

    assert victim.read_text() == PRECIOUS
    assert made == latest(stick)
    assert not [file for file in stick.iterdir() if file.is_symlink()]


def test_opened_as_usual_the_link_would_have_destroyed_the_file(stick: Path, victim: Path) -> None:
    """The control of the test above."""
    planted = stick / ".schnauz-turnier.zip.new"
    planted.symlink_to(victim)
    with os.fdopen(os.open(planted, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as out:
        out.write(b"a backup")
    assert victim.read_text() == "a backup"


def test_a_draft_that_a_power_cut_left_is_replaced(committed: None, stick: Path) -> None:
    (stick / ".schnauz-turnier.zip.new").write_bytes(b"half a backup")
    tournament = TournamentFactory.create(slug="planted-half")
    assert back_up_with_documents(stick, [tournament.slug], at=AT)
    assert [file.name for file in stick.iterdir() if file.name.startswith(".")] == []
