"""The organiser opens the sign-ups, prints the poster, and closes them; the poster on paper in both sizes."""

import io
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import count

import pdfplumber
import pytest
import segno
from pdfplumber.pdf import PDF
from playwright.sync_api import Page, expect
from pytest_django import Settings

from tests.factories import AT, TournamentFactory, UserFactory
from tests.journeys.evening import bring_session
from tests.journeys.test_paper import A4, MARGIN, MM, check_pages
from tournaments.links import sign_up_url
from tournaments.models import Tournament
from tournaments.services import sign_ups

pytestmark = pytest.mark.usefixtures("committed")
A5 = (420, 595)
SIZES = pytest.mark.parametrize(("size", "paper"), [("a4", A4), ("a5", A5)], ids=["A4", "A5"])
numbers = count(1)
Poster = Callable[[str], PDF]


@pytest.fixture
def tournament(committed: None) -> Tournament:
    owner = UserFactory.create(username=f"plakat{next(numbers)}")
    made: Tournament = TournamentFactory.create(
        slug=f"plakat-{next(numbers)}", owner=owner, starts_at=AT, admits_at=AT - timedelta(minutes=90)
    )
    return made


@pytest.fixture
def page(shared_page: Page, tournament: Tournament) -> Page:
    """Log the organiser in."""
    bring_session(shared_page, tournament.memberships.get().user)
    return shared_page


@pytest.fixture
def printed(page: Page, tournament: Tournament) -> Iterator[Poster]:
    """Provide a printer for the poster."""
    pdfs: list[PDF] = []

    def print_it(size: str) -> PDF:
        page.goto(f"/o/{tournament.slug}/sign-ups/poster/?size={size}")
        expect(page.locator(".poster")).to_be_visible()
        data = page.pdf(prefer_css_page_size=True, print_background=False)
        pdfs.append(pdfplumber.open(io.BytesIO(data)))
        return pdfs[-1]

    yield print_it
    for pdf in pdfs:
        pdf.close()


def code_width(page: Page) -> float:
    """Return the width of the code on the paper in millimetres: the picture keeps its shape in the room that it has."""
    box = page.locator(".poster__join img").bounding_box()
    assert box is not None
    return min(box["width"], box["height"]) * 25.4 / 96


def test_the_organiser_opens_prints_and_closes(page: Page, tournament: Tournament) -> None:
    page.goto(f"/o/{tournament.slug}/")
    page.get_by_role("link", name="Voranmeldung").click()
    expect(page.get_by_text("Die Voranmeldung ist geschlossen.")).to_be_visible()
    expect(page.get_by_label("Voranmelden bis")).to_have_value("19:30")
    page.get_by_label("Plätze").fill("60")
    page.get_by_role("button", name="Voranmeldung öffnen").click()
    expect(page.locator("#messages")).to_contain_text("Die Voranmeldung ist offen.")
    expect(page.get_by_label("Plätze")).to_have_value("60")
    expect(page.get_by_role("img", name="Derselbe Link als Code zum Scannen")).to_be_visible()
    page.get_by_role("button", name="Link kopieren").click()
    expect(page.locator(".toasts")).to_contain_text("Der Link ist kopiert.")
    page.get_by_role("link", name="Plakat A5").click()
    expect(page.locator(".poster")).to_contain_text("Es gibt 60 Plätze, dann eine Warteliste.")
    expect(page.locator(".poster")).to_contain_text("Anmelden bis Samstag, 21. November, 19:30 Uhr.")
    page.get_by_role("link", name="Plakat A4").click()
    expect(page.locator(".poster")).to_contain_text("Einlass 18:00 Uhr, Beginn 19:30 Uhr")
    page.get_by_role("link", name="Voranmeldung").click()
    page.get_by_role("button", name="Voranmeldung schließen").click()
    expect(page.locator("#messages")).to_contain_text("Die Voranmeldung ist geschlossen.")
    expect(page.get_by_role("button", name="Voranmeldung öffnen")).to_be_visible()


def test_the_enter_key_saves_and_opens_nothing(page: Page, tournament: Tournament) -> None:
    page.goto(f"/o/{tournament.slug}/sign-ups/")
    page.get_by_label("Plätze").fill("40")
    page.get_by_label("Plätze").press("Enter")
    expect(page.locator("#messages")).to_contain_text("Gespeichert.")
    expect(page.get_by_label("Plätze")).to_have_value("40")
    expect(page.get_by_role("button", name="Voranmeldung öffnen")).to_be_visible()


@SIZES
def test_the_poster_fills_one_page_and_its_code_is_the_link(
    page: Page,
    tournament: Tournament,
    printed: Poster,
    settings: Settings,
    live_url: str,
    size: str,
    paper: tuple[int, int],
) -> None:
    settings.PUBLIC_URL = live_url
    pdf = printed(size)
    check_pages(pdf, pages=1, size=paper)
    text = " ".join((pdf.pages[0].extract_text() or "").split())
    for said in ("Preisschnauzen", "Samstag, 21. November 2026", "Saal", "Startgebühr 3,00", "Hier anmelden"):
        assert said in text
    code = segno.make(sign_up_url(tournament.slug), micro=False, error="m")
    assert page.locator(".poster__join img").get_attribute("src") == code.svg_data_uri(scale=4, border=2)
    assert code_width(page) > (90 if size == "a4" else 60)


@SIZES
def test_with_the_longest_names_nothing_is_cut_off_and_the_code_can_be_scanned(
    page: Page, tournament: Tournament, printed: Poster, size: str, paper: tuple[int, int]
) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(
        slug=f"{'w' * 55}-{size}",
        name="M" * 120,
        place="Gasthaus am Ende der Straße " * 4 + "am Wald.",
        fees=[
            {"key": f"{n}", "name": "ermäßigt mit Ausweis und Beleg am Tisch", "cents": 350} for n in range(9)
        ],
    )
    tournament.refresh_from_db()
    sign_ups.set_terms(
        tournament, is_open=True, closes_at=AT, most=1000, only_in_hall=False, without_desk=False, at=AT
    )
    pdf = printed(size)
    check_pages(pdf, pages=1, size=paper)
    (sheet,) = pdf.pages
    inside = sheet.crop(
        (MARGIN + 2 * MM, MARGIN + 2 * MM, sheet.width - MARGIN - 2 * MM, sheet.height - MARGIN - 2 * MM)
    )
    assert len(inside.chars) == len(sheet.chars)
    text = "".join((sheet.extract_text() or "").split())
    assert text.count("M") >= 120
    assert text.count("3,50") == 9
    assert "/sign-up/" in text
    assert "OhneHandygehtesanderTürwieimmer." in text
    assert code_width(page) > (35 if size == "a4" else 24)
