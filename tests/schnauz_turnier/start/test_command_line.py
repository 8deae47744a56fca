"""The command line, as `python -m schnauz_turnier` in a checkout; test_installed.py starts it from a wheel."""

import os
import re
import sys
from pathlib import Path

import pytest

from schnauz_turnier.start.own_browser import can_open
from tests import forked
from tests.schnauz_turnier.postgresql.test_database import ROOT

COMMANDS = ["run", "demo", "doctor", "verify", "backup", "restore", "export", "import", "manage"]


def say(*words: str, **environment: str) -> tuple[int, str]:
    ours = (
        "DATABASE_URL",
        "PUBLIC_URL",
        "SECRET_KEY",
        "DJANGO_SETTINGS_MODULE",
        "HOST",
        "DATA_DIR",
        "COLUMNS",
    )
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    command = [sys.executable, "-m", "schnauz_turnier", *words]
    done = forked.run(command, cwd=ROOT, env=inherited | environment)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("language", "first"),
    [("de", "Führt durch den Turnierabend."), ("en", "Runs a tournament evening.")],
)
def test_the_help_names_every_command_in_both_languages(language: str, first: str) -> None:
    status, said = say("--help", DEFAULT_LANGUAGE=language)
    assert (status, first in said) == (0, True)
    assert re.findall(r"^    (\w+) ", said, re.MULTILINE) == COMMANDS


def test_a_command_says_what_it_takes_under_the_name_that_was_given() -> None:
    for command, argument in (
        ("export", "slug"),
        ("import", "file"),
        ("restore", "file"),
        ("verify", "DATEI"),
    ):
        status, said = say(command, "--help")
        assert status == 0
        assert re.search(rf"usage: .* {command} .*{argument}", said, re.DOTALL), command


def test_what_is_no_command_or_option_is_refused() -> None:
    assert say("runn")[0] == 2
    status, said = say("run", "--browser")
    assert (status, "unrecognized arguments: --browser" in said) == (2, True)


def test_the_data_folder_can_be_named_before_and_after_the_command(tmp_path: Path) -> None:
    for folder, words in (
        (tmp_path / "before", ("--data-dir", str(tmp_path / "before"), "verify", "nowhere")),
        (tmp_path / "after", ("verify", "nowhere", "--data-dir", str(tmp_path / "after"))),
    ):
        status, said = say(*words)
        assert (status, "nowhere" in said) == (1, True)
        assert [path.name for path in folder.iterdir()] == ["secret_key"]


def test_every_other_command_is_reached_by_manage() -> None:
    status, said = say("manage", "account_link", "--help")
    assert (status, "--without-second-factor" in said) == (0, True)
    assert "draw_round" in say("manage")[1]


@pytest.mark.parametrize(
    ("environment", "platform", "opens"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": ":0", "CI": "true"}, "linux", False),
        ({"DISPLAY": ":10", "SSH_CONNECTION": "192.0.2.1 22 192.0.2.2 22"}, "linux", False),
        ({}, "win32", True),
        ({}, "darwin", True),
    ],
)
def test_a_browser_is_opened_where_there_is_a_screen(
    environment: dict[str, str], platform: str, *, opens: bool
) -> None:
    assert can_open(environment, platform) is opens
