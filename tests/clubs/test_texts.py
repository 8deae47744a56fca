"""Texts of the operator: drafted by a command, shown with version and day, and named in the foot of every page."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from schnauz_turnier.clubs.texts import Kind, read_texts, texts_of_operator, why_incomplete
from tests.clubs.operator_texts import filled_in
from tests.clubs.test_engine import NewClub
from tournaments.current_club import in_club

HOST: Any = {"HTTP_HOST": "example.org", "secure": True}
FOOT = [f"https://example.org/{kind}" for kind in Kind]


@pytest.fixture
def texts(hosting: object, settings: Settings, tmp_path: Path) -> Path:
    settings.TEXTS_DIR = filled_in(tmp_path / "texts")
    return tmp_path / "texts"


def links_in(page: str) -> list[str]:
    return [link for link in FOOT if f'href="{link}"' in page]


def drafted(folder: Path) -> list[str]:
    out = StringIO()
    call_command("draft_texts", str(folder), stdout=out)
    return out.getvalue().splitlines()


# --- drafts --------------------------------------------------------------------------------------------------------


def test_drafts_are_written_in_both_languages_and_nothing_is_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "terms.de.txt").write_text("meine")
    lines = drafted(folder)
    assert sorted(file.name for file in folder.iterdir()) == sorted(
        f"{kind}.{language}.txt" for kind in Kind for language in ("de", "en")
    )
    assert (folder / "terms.de.txt").read_text() == "meine"
    assert [line for line in lines if line.endswith("is there already")] == [
        f"{folder / 'terms.de.txt'} is there already"
    ]


def test_drafts_say_what_the_program_does_with_its_own_numbers(tmp_path: Path) -> None:
    drafted(tmp_path)
    for language, said in (
        (
            "de",
            (
                "bis 30 Tage nach dem letzten Spiel",
                "Bis 7 Tage nach dem Turnier",
                "90 Tage lang",
                "nach 30 Tagen gelöscht",
            ),
        ),
        (
            "en",
            (
                "until 30 days after the last play",
                "Until 7 days after the tournament",
                "for 90 days",
                "deleted after 30 days",
            ),
        ),
    ):
        text = (tmp_path / f"processing.{language}.txt").read_text()
        assert [part for part in said if part not in text] == []
        assert "$" not in text


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match="cannot be written to"):
        drafted(tmp_path / "file")


# --- pages ---------------------------------------------------------------------------------------------------------


def test_each_text_has_a_page_with_version_and_day_and_a_file(texts: Path) -> None:
    for kind in Kind:
        page = Client().get(f"/{kind}", **HOST)
        assert page.status_code == 200
        assert "Fassung 1 vom 28. November 2026" in page.text
        assert "# " not in page.text
        file = Client().get(f"/{kind}.txt", **HOST)
        assert file.content.decode() == (texts / f"{kind}.de.txt").read_text()
        assert file["Content-Disposition"] == f'attachment; filename="{kind}-2026-11-28.txt"'
        assert file["Content-Type"] == "text/plain; charset=utf-8"


def test_a_text_is_in_the_language_of_the_reader_if_there_is_one(
    texts: Path, settings: Settings, tmp_path: Path
) -> None:
    english = Client(headers={"accept-language": "en"})
    assert "These terms hold between" in english.get("/terms", **HOST).text
    settings.TEXTS_DIR = tmp_path / "german"
    filled_in(settings.TEXTS_DIR)
    (settings.TEXTS_DIR / "terms.en.txt").unlink()
    page = english.get("/terms", **HOST).text
    assert "Diese Bedingungen gelten" in page
    assert '<article class="card" lang="de">' in page


def test_markup_in_a_text_is_shown_as_it_is_written(texts: Path, settings: Settings, tmp_path: Path) -> None:
    settings.TEXTS_DIR = tmp_path / "other"
    settings.TEXTS_DIR.mkdir()
    (settings.TEXTS_DIR / "terms.de.txt").write_text(
        "Fassung 2b, 2026-12-01\n\n# Kopf <b>\n\nEins\nZwei\n\n- Punkt https://example.org/x\n- Noch einer\n"
    )
    page = Client().get("/terms", **HOST).text
    assert "Fassung 2b vom 1. Dezember 2026" in page
    assert '<h2 class="card__title">Kopf &lt;b&gt;</h2>' in page
    assert "<p>Eins<br>Zwei</p>" in page
    assert page.count("<li>") == 2


def test_the_foot_of_all_pages_names_the_texts(texts: Path, new_club: NewClub) -> None:
    assert links_in(Client().get("/", **HOST).text) == FOOT
    with in_club(new_club("alpha")):
        for path in ("/", "/privacy", "/account/login/", "/s/"):
            assert links_in(Client().get(path, HTTP_HOST="alpha.example.org", secure=True).text) == FOOT, path


@pytest.fixture(params=["no folder", "an empty folder", "a laptop"])
def without_texts(
    request: pytest.FixtureRequest, hosting: object, settings: Settings, tmp_path: Path
) -> None:
    settings.TEXTS_DIR = None if request.param == "no folder" else tmp_path
    if request.param == "a laptop":
        settings.TEXTS_DIR = filled_in(tmp_path / "texts")
        settings.CLUBS = None


@pytest.mark.usefixtures("without_texts")
def test_without_texts_no_page_names_any() -> None:
    assert texts_of_operator() == []


def test_without_a_folder_there_are_no_pages(hosting: object, settings: Settings) -> None:
    settings.TEXTS_DIR = None
    assert links_in(Client().get("/", **HOST).text) == []
    for kind in Kind:
        assert Client().get(f"/{kind}", **HOST).status_code == 404
        assert Client().get(f"/{kind}.txt", **HOST).status_code == 404


# --- what is wrong with them ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"Fassung 1, 2026-11-28\n\n[[Name]]", "In terms.de.txt ist noch etwas in [[ ]] einzusetzen."),
        (b"Bedingungen", "terms.de.txt beginnt nicht mit „Fassung 1, 2026-12-01“."),
        (b"Fassung 1, 2026-13-28\n\nText", "terms.de.txt beginnt nicht mit „Fassung 1, 2026-12-01“."),
        (b"\xff\xfe", "terms.de.txt lässt sich nicht lesen, oder ist kein UTF-8."),
        (b"Fassung 1, 2026-11-28\n" + b"x" * 200_000, "terms.de.txt ist zu lang."),
    ],
)
def test_a_file_that_cannot_be_shown_says_why(
    texts: Path,
    settings: Settings,
    tmp_path: Path,
    content: bytes,
    sentence: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert why_incomplete() == []
    settings.TEXTS_DIR = filled_in(tmp_path / "other")
    (settings.TEXTS_DIR / "terms.de.txt").write_bytes(content)
    (settings.TEXTS_DIR / "terms.en.txt").unlink()
    assert why_incomplete() == [sentence]
    read_texts()
    assert len([record for record in caplog.records if "No club can register" in record.getMessage()]) == 1
