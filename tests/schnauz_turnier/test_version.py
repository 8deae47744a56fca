"""The version: in one place, and named by every page and by the command."""

import subprocess
import sys

import pytest
from django.template.loader import render_to_string
from django.test import Client

from schnauz_turnier import __version__
from tests.schnauz_turnier.postgresql.test_database import ROOT

NAMED = "Schnauz-Turnier {% version %}"
WITHOUT = {"scoring/public/check_file.html"}
"""The file that a visitor keeps and opens without the program."""


def roots() -> list[str]:
    """Return the templates that begin a page."""
    templates = ROOT / "templates"
    found = (path for path in templates.rglob("*.html") if "<html" in path.read_text(encoding="utf-8"))
    return sorted(path.relative_to(templates).as_posix() for path in found)


@pytest.mark.parametrize("name", [name for name in roots() if name not in WITHOUT])
def test_every_page_names_it(name: str) -> None:
    assert NAMED in (ROOT / "templates" / name).read_text(encoding="utf-8")


def test_no_page_hides_the_foot_but_the_wall_and_what_a_phone_shows_without_a_connection() -> None:
    templates = ROOT / "templates"
    hiding = [
        path for path in templates.rglob("*.html") if "block footer" in path.read_text(encoding="utf-8")
    ]
    assert {path.name for path in hiding} == {"base.html", "base_wall.html", "offline.html", "wall.html"}


def test_the_page_for_a_failure_names_it() -> None:
    assert f"<small>Schnauz-Turnier {__version__}</small>" in render_to_string("500.html")


@pytest.mark.django_db
def test_the_pages_for_what_is_not_there_and_for_a_phone_without_a_table_name_it(client: Client) -> None:
    for address in ("/nowhere/", "/s/history"):
        page = client.get(address)
        assert f"<small>Schnauz-Turnier {__version__}</small>" in page.content.decode(), address


def test_the_command_says_it() -> None:
    command = [sys.executable, "-m", "schnauz_turnier", "--version"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said == f"Schnauz-Turnier {__version__}\n"
