"""The start page of the installation: its clubs by name, pages of them, search, and clubs that nobody finds there."""

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote

import pytest
from django.core.management import CommandError
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from schnauz_turnier.clubs import catalogue
from schnauz_turnier.clubs.catalogue import ROWS_A_PAGE, Entry, State
from schnauz_turnier.clubs.listing import LONGEST_QUERY, listed_clubs
from tests.clubs.conftest import Account
from tests.clubs.test_changes import told
from tests.clubs.test_engine import NewClub
from tests.factories import AT


@pytest.fixture(autouse=True)
def no_entries_left(hosting: Account) -> Iterator[None]:
    yield
    catalogue.write_catalogue("DELETE FROM catalogue.club WHERE seed = 'entry'")


def entry(slug: str, name: str, **more: object) -> None:
    """Add a club to the catalogue, without tables."""
    made = Entry(slug, name, State.OPEN, f"entry_{slug}", "entry", "", AT)
    catalogue.add(replace(made, **more))  # type: ignore[arg-type]


def names(query: str = "", page: str = "1") -> list[str]:
    return [club.name for club in listed_clubs(query, page=page)]


def start_page(query: str = "") -> str:
    answer = Client().get(f"/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_open_clubs_are_listed_by_name_whatever_its_marks_and_capitals() -> None:
    for slug, name in (("a", "Zum Ochsen"), ("b", "Ähre"), ("c", "adler"), ("d", "Élan"), ("e", "Bären")):
        entry(slug, name)
    entry("f", "Archiv", state=State.ARCHIVED)
    entry("g", "Neu", state=State.NEW)
    assert names() == ["adler", "Ähre", "Bären", "Élan", "Zum Ochsen"]


@pytest.mark.parametrize(
    "query",
    [
        "schützen",
        "SCHÜTZEN",
        "schutzen",
        "Schuetzen",
        "ützen",
        "verein schützen",
        "schützen strassen",
        "straßen 1925",
        "sv-stra",
        "Øst",
        "ost",
    ],
)
def test_a_club_is_found_by_the_words_of_its_name_and_by_its_slug(query: str) -> None:
    entry("sv-strassen", "Schützenverein Straßen-Øst 1925")
    entry("adler", "Adler")
    assert names(query) == ["Schützenverein Straßen-Øst 1925"]


@pytest.mark.parametrize(
    "query", ["%", "_", "\\", "adler_", "a%r", "adler sv", "x" * 500, "'", "\u0308x", "x\0"]
)
def test_what_no_club_has_is_not_found(query: str) -> None:
    entry("adler", "Adler")
    assert names(query) == []
    page = start_page(f"?q={quote(query)}")
    assert "Kein Verein gefunden." in page
    assert f'maxlength="{LONGEST_QUERY}"' in page
    assert "Hier ist noch kein Verein." not in page


def test_a_query_of_marks_alone_finds_all() -> None:
    entry("adler", "Adler")
    assert names("\u0308 ") == ["Adler"]


def test_without_a_club_there_is_nothing_to_search() -> None:
    page = start_page()
    assert "Hier ist noch kein Verein." in page
    assert 'name="q"' not in page
    entry("adler", "Adler")
    page = start_page()
    assert re.findall(r'href="(https://adler[^"]*)"', page) == ["https://adler.example.org/"]
    assert 'name="q"' not in page


def test_an_unlisted_club_is_never_found_and_answers_at_its_address(new_club: NewClub) -> None:
    told("create_club", "adler", "--name", "Adler", "--unlisted")
    told("create_club", "falke", "--name", "Falke")
    assert names() == ["Falke"]
    assert names("adler") == []
    assert "dler" not in start_page() + start_page("?q=ler")
    assert catalogue.club_of("adler").state is State.OPEN
    told("list_club", "adler")
    told("list_club", "falke", "--unlisted")
    assert names() == ["Adler"]
    told("list_club", "falke")
    assert names() == ["Adler", "Falke"]


def test_a_club_is_listed_under_another_name(new_club: NewClub) -> None:
    told("create_club", "adler")
    told("list_club", "adler", "--name", "SC Adler")
    assert names("sc") == ["SC Adler"]
    for name in ("", "A" * 121):
        with pytest.raises(CommandError, match="1 to 120"):
            told("list_club", "adler", "--name", name)
    assert names() == ["SC Adler"]


@pytest.mark.parametrize("clubs", [1, 3, ROWS_A_PAGE + 1])
def test_the_page_takes_two_queries_however_many_clubs_there_are(
    clubs: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(clubs):
        entry(f"verein-{number}", f"Verein {number}")
    with django_assert_num_queries(2):
        start_page()
    with django_assert_num_queries(2):
        start_page("?q=verein")


def test_many_clubs_have_pages_and_the_search_stays_in_their_links() -> None:
    for number in range(2 * ROWS_A_PAGE + 1):
        entry(f"verein-{number:03}", f"Verein {number:03} & Söhne")
    assert len(names()) == ROWS_A_PAGE
    assert names(page="3") == ["Verein 100 & Söhne"]
    assert names(page="nirgends") == names(page="1")
    assert names(page="9999") == names(page="3")
    page = start_page("?" + "q=%26+s%C3%B6hne&page=2")
    assert "Seite 2 von 3" in page
    assert re.findall(r'href="\?([^"]*)"', page) == [
        "q=%26+s%C3%B6hne&amp;page=1",
        "q=%26+s%C3%B6hne&amp;page=3",
    ]
    assert 'value="&amp; söhne"' in page


def test_the_start_page_is_complete_in_english() -> None:
    answer = Client().get("/?q=adler", headers={"accept-language": "en"}).content.decode()
    assert "No club found." in answer
    assert "Show all" in answer
