"""The page on which the visitor's browser checks the record: in words, with the own way, as one file, compared with older ones."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from schnauz_turnier.start.record_check import open_record_check
from scoring.services import sheets
from scoring.services.ceremonies import draw_sealed, seal_draw
from scoring.services.rounds import DrawOptions
from tests.check.checking import checked as checked_by_node
from tests.compared_evenings import evening as compared_evening
from tests.factories import AT, ParticipantFactory, TournamentFactory
from tests.journeys.access import violations
from tests.scoring.forgeries import chained_anew
from tests.scoring.forgeries_of_the_ceremony import marked_anew
from tests.scoring.records import record_text
from tournaments.core.ceremony import spoken
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services import rounds

pytestmark = pytest.mark.usefixtures("live_url", "committed")

START = "Jetzt nachrechnen"


def a_tournament(name: str = "schnauz-placing", state: str = "decided") -> Tournament:
    tournament = TournamentFactory.create(
        slug=f"nachrechnen-{uuid4().hex[:8]}", ruleset=preset(name).to_dict()
    )
    compared_evening(tournament, name, state)
    return tournament


@cache
def shared_tournament(name: str = "schnauz-placing", state: str = "decided") -> Tournament:
    """Return a tournament that is made once, for the tests that only look at it."""
    return a_tournament(name, state)


@pytest.fixture(scope="module")
def visited(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    context = browser.new_context(**browser_context_args)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(visited: Page) -> Iterator[Page]:
    """Provide the page that all tests load anew, in a window as large as at first, without what a test has stored."""
    visited.set_viewport_size({"width": 1280, "height": 720})
    yield visited
    visited.evaluate("localStorage.clear()")


def open_page(page: Page, tournament: Tournament) -> None:
    page.goto(f"/t/{tournament.slug}/check/")


def checked(page: Page, tournament: Tournament) -> None:
    open_page(page, tournament)
    page.get_by_role("button", name=START).click()
    expect(page.locator("#check-result .notice")).to_be_visible()


def counts(text: str) -> str:
    """Return the sentence that a right record gets, in German."""
    [found] = checked_by_node(text)

    def of(key: str, one: str, more: str) -> str:
        return f"1 {one}" if found[key] == 1 else f"{found[key]} {more}"

    parts = [
        of("draws", "Auslosung", "Auslosungen"),
        *([of("lots", "Los", "Lose")] if found["lots"] else []),
        of("sheets", "Tischliste", "Tischlisten"),
        of("entries", "Eintrag", "Einträge"),
        *([of("commitments", "Siegel", "Siegel")] if found["commitments"] else []),
        of("marks", "Prüfzeichen", "Prüfzeichen"),
    ]
    return f"Alles stimmt: {', '.join(parts)}"


@pytest.mark.parametrize("name", ["schnauz-placing", "schafkopf"])
def test_a_finished_tournament_is_right(page: Page, name: str) -> None:
    tournament = shared_tournament(name)
    checked(page, tournament)
    notice = page.locator("#check-result .notice")
    expect(notice).to_have_attribute("data-kind", "success")
    expect(notice).to_contain_text(counts(record_text(tournament)))
    expect(page.locator("#check-list li").first).to_contain_text("1. Spielrunde, Auslosung 1")
    expect(page.locator("#check-unchecked")).to_be_hidden()
    expect(page.locator("#check-progress")).to_be_hidden()


def test_seal_and_what_was_called_out_stand_beside_the_draw(page: Page) -> None:
    tournament = TournamentFactory.create(slug=f"nachrechnen-{uuid4().hex[:8]}")
    ParticipantFactory.create_batch(10, tournament=tournament)
    seal_draw(tournament, 1, options=DrawOptions(), by="x", at=AT)
    draw_sealed(tournament, 1, words="Eichel <b>sieben", by="x", at=AT)
    rounds.release(tournament, 1, at=AT)
    checked(page, tournament)
    expect(page.locator("#check-result .notice")).to_contain_text(
        "1 Auslosung, 0 Tischlisten, 0 Einträge, 1 Siegel"
    )
    digest = json.loads(record_text(tournament))["commitments"][0]["digest"]
    line = page.locator("#check-list li").first
    expect(line).to_contain_text(
        f"Siegel {' '.join(spoken(digest))}, Zuruf aus dem Saal: „Eichel <b>sieben“, Startwert "
    )


def test_frozen_standings_are_said_to_be_frozen(page: Page) -> None:
    checked(page, a_tournament("konradsreuth", state="playing"))
    expect(page.locator("#check-result .notice")).to_contain_text("Der Stand ist angehalten")


def test_one_sees_the_own_way(page: Page) -> None:
    tournament = shared_tournament()
    record = json.loads(record_text(tournament))
    seats = record["rounds"][0]["tables"][0]["seats"]
    player = seats[2]["start_number"]
    row = next(row for row in record["standings"]["rows"] if row["start_number"] == player)
    open_page(page, tournament)
    page.evaluate(
        "([slug, number]) => localStorage.setItem(`me:${slug}`, number)", [tournament.slug, str(player)]
    )
    page.get_by_role("button", name=START).click()
    own = page.get_by_role("region", name="Ich")
    expect(own.get_by_label("Mein Name")).to_have_value(str(player))
    expect(own.get_by_role("heading", name="1. Spielrunde: Tisch 1, Platz 3")).to_be_visible()
    expect(own.locator(".check-rank")).to_have_text(f"Rang {row['rank']}, {row['points']} Punkte")
    own.get_by_text("Eintrag für Eintrag").first.click()
    lines = own.get_by_role("table").first.locator("tbody tr")
    expect(lines).to_have_count(len(record["rounds"][0]["tables"][0]["entries"]))
    expect(lines.last).to_contain_text("Angenommen")
    expect(lines.last.locator("td").nth(1)).to_have_text(str(row["by_round"][0]))
    own.get_by_label("Mein Name").select_option("")
    expect(own.get_by_role("heading", level=3)).to_have_count(0)


def test_progress_is_shown_and_the_page_stays_usable(page: Page) -> None:
    """The steps pass through the page while it is checked."""
    tournament = shared_tournament()
    open_page(page, tournament)
    page.evaluate(
        """() => {
          self.seen = [];
          const step = document.getElementById("check-step");
          new MutationObserver(() => self.seen.push(step.textContent)).observe(step, { childList: true, characterData: true });
        }"""
    )
    page.get_by_role("button", name=START).click()
    expect(page.locator("#check-result .notice")).to_be_visible()
    seen = page.evaluate("self.seen")
    assert "2. Spielrunde, Auslosung 1 …" in seen
    assert "2. Spielrunde, Tisch 1 …" in seen
    assert seen[-1] == "Rangliste …"


# --- what is wrong -------------------------------------------------------------------------------------------------


def save(record: Any, folder: Path, name: str = "record.json") -> Path:
    file = folder / name
    file.write_text(record if isinstance(record, str) else json.dumps(record), encoding="utf-8")
    return file


def test_a_forged_file_is_told_where_and_what_it_should_be(page: Page, tmp_path: Path) -> None:
    tournament = shared_tournament()
    record = json.loads(record_text(tournament))
    entry = record["rounds"][0]["tables"][1]["entries"][0]
    digest, entry["digest"] = entry["digest"], "0" * 64
    open_page(page, tournament)
    page.get_by_label("Gespeicherte Akte prüfen").set_input_files(save(record, tmp_path, "alt.json"))
    notice = page.locator("#check-result .notice")
    expect(notice).to_have_attribute("data-kind", "error")
    expect(notice).to_contain_text("Das stimmt nicht")
    place = "1. Spielrunde, Tisch 2, 1. Eintrag: "
    expect(notice).to_contain_text(f'{place}Es steht da: "{"0" * 64}". Es müsste sein: "{digest}".')
    expect(notice).to_contain_text("Geprüft wurde die Datei alt.json.")
    expect(page.locator("#check-done")).to_be_hidden()
    expect(page.locator("#check-own")).to_be_hidden()


def test_another_file_is_told_to_be_no_record(page: Page, tmp_path: Path) -> None:
    open_page(page, shared_tournament(state="drawn"))
    for text, told in (("", "keine vollständige JSON-Datei"), ("{}", "Hier fehlt das Feld „schema“.")):
        page.get_by_label("Gespeicherte Akte prüfen").set_input_files(save(text, tmp_path))
        expect(page.locator("#check-result .notice")).to_contain_text(told)


def test_names_are_texts(page: Page, tmp_path: Path) -> None:
    tournament = shared_tournament()
    markup = "<img src=x onerror=alert(1)>"
    record = record_text(tournament).replace(
        json.dumps(tournament.participants.get(start_number=1).name, ensure_ascii=False), json.dumps(markup)
    )
    open_page(page, tournament)
    page.get_by_label("Gespeicherte Akte prüfen").set_input_files(save(record, tmp_path))
    expect(page.get_by_label("Mein Name").locator("option", has_text=markup)).to_have_count(1)
    expect(page.locator("img[src=x]")).to_have_count(0)


def test_a_record_that_does_not_come_is_said(context: BrowserContext) -> None:
    page, tournament = context.new_page(), shared_tournament(state="drawn")
    open_page(page, tournament)
    page.route("**/record.json", lambda route: route.abort())
    page.get_by_role("button", name=START).click()
    expect(page.locator("#check-result .notice")).to_contain_text("Die Akte ließ sich nicht laden.")


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("delete window.AbortController", "AbortController"),  # missed at once
        ("delete window.Worker; delete DataView.prototype.setUint32", "setUint32"),  # in the middle
    ],
)
def test_an_old_browser_is_no_wrong_record(context: BrowserContext, before: str, said: str) -> None:
    page = context.new_page()
    page.add_init_script(before)
    open_page(page, shared_tournament())
    if "Worker" in before:
        page.get_by_role("button", name=START).click()
    expect(page.locator("#check-result")).to_contain_text("Dieser Browser ist zu alt zum Nachprüfen")
    expect(page.locator("#check-result")).to_contain_text(said)
    expect(page.locator("#check-result")).not_to_contain_text("Das stimmt nicht")


def test_a_browser_that_cannot_read_the_script_has_a_sentence(context: BrowserContext) -> None:
    page = context.new_page()
    page.route(
        "**/js/check/page*.js",
        lambda route: route.fulfill(body="this is none", content_type="text/javascript"),
    )
    open_page(page, shared_tournament())
    expect(page.locator("#check-too-old")).to_contain_text("zu alt zum Nachprüfen")
    expect(page.get_by_role("button", name=START)).to_be_hidden()


# --- compared with an older record ---------------------------------------------------------------------------------


def compare(page: Page, file: Path) -> None:
    page.get_by_label("Mit einer früheren Akte vergleichen").set_input_files(file)
    expect(page.locator("#check-differences .notice")).to_be_visible()


def test_an_older_record_of_the_same_evening_is_contained(page: Page, tmp_path: Path) -> None:
    tournament = a_tournament(state="playing")
    older = save(record_text(tournament), tmp_path)
    table = Table.objects.get(round__tournament=tournament, number=1)
    sheets.write(table, [("accepted", {"reason": "Zeit"})], by="x", at=AT)
    open_page(page, tournament)
    compare(page, older)
    expect(page.locator("#check-differences .notice")).to_have_attribute("data-kind", "success")
    expect(page.locator("#check-result .notice")).to_contain_text("Alles stimmt")


def test_what_was_changed_since_an_older_record_is_named(page: Page, tmp_path: Path) -> None:
    """The sheet was written anew, with digests that fit: only the older record tells."""
    tournament = shared_tournament()
    older = json.loads(record_text(tournament))
    table = older["rounds"][0]["tables"][1]
    table["entries"][0]["made_at"] = "2026-11-21T18:00:00Z"
    chained_anew(older, 1, 2)
    older["marks"][0]["sheets"][1]["digest"] = table["entries"][-1]["digest"]
    marked_anew(older)
    open_page(page, tournament)
    compare(page, save(older, tmp_path))
    notice = page.locator("#check-differences .notice")
    expect(notice).to_have_attribute("data-kind", "error")
    count = len(older["marks"]) + len(table["entries"])
    expect(notice).to_contain_text(f"{count} Abweichungen von der früheren Akte")
    lines = notice.get_by_role("listitem")
    expect(lines.first).to_contain_text("1. Prüfzeichen einer Spielrunde: In der früheren Akte: ")
    first = "1. Spielrunde, Tisch 2, 1. Eintrag: In der früheren Akte: "
    expect(lines.filter(has_text=first)).to_have_count(1)


def test_records_of_two_tournaments_are_not_compared(page: Page, tmp_path: Path) -> None:
    other = save(record_text(shared_tournament(state="drawn")), tmp_path)
    open_page(page, shared_tournament())
    compare(page, other)
    expect(page.locator("#check-differences")).to_contain_text("Das ist die Akte eines anderen Turniers")


# --- one file, without a network -----------------------------------------------------------------------------------


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    """Open a page that reaches no network, in a browser that knows nothing of the program."""
    context = browser.new_context(locale="de-DE", offline=True)
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    yield page
    context.close()


def test_the_page_is_saved_as_one_file_and_checks_a_saved_record(
    page: Page, offline: Page, tmp_path: Path
) -> None:
    tournament = shared_tournament()
    open_page(page, tournament)
    with page.expect_download() as saving:
        page.get_by_role("link", name="Prüfseite als eine Datei speichern").click()
    assert saving.value.suggested_filename == f"{tournament.slug}-check.html"
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    with page.expect_download() as saving:
        page.get_by_role("link", name="Akte speichern").click()
    record = tmp_path / saving.value.suggested_filename
    saving.value.save_as(record)

    said: list[str] = []
    offline.on("console", lambda message: said.append(message.text))
    offline.goto(file.as_uri())
    offline.get_by_label("Gespeicherte Akte prüfen").set_input_files(record)
    notice = offline.locator("#check-result .notice")
    expect(notice).to_contain_text(counts(record.read_text()))
    expect(offline.get_by_role("heading", name="Ich", exact=True)).to_be_visible()
    assert offline.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(246, 239, 223)"
    compare(offline, record)
    expect(offline.locator("#check-differences .notice")).to_have_attribute("data-kind", "success")
    assert said == []
    assert violations(offline) == []


def test_verify_writes_a_page_that_checks_its_record_at_once(
    offline: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", "true")  # opens no browser
    record = save(record_text(shared_tournament()), tmp_path)
    open_record_check(str(record))
    file = tmp_path / "record-check.html"
    assert capsys.readouterr().out == f"Die Prüfseite mit dieser Akte: {file}\n"
    offline.goto(file.as_uri())
    notice = offline.locator("#check-result .notice")
    expect(notice).to_contain_text(counts(record.read_text()))
    expect(notice).to_contain_text("Geprüft wurde die Datei record.json.")


# --- for everybody -------------------------------------------------------------------------------------------------


def test_axe_finds_nothing_before_and_after(page: Page) -> None:
    open_page(page, shared_tournament())
    expect(page.get_by_role("button", name=START)).to_be_visible()
    assert violations_by_width(page) == {320: [], 1366: []}
    page.get_by_role("button", name=START).click()
    page.get_by_label("Mein Name").select_option("3")
    page.get_by_text("Eintrag für Eintrag").first.click()
    assert violations_by_width(page) == {320: [], 1366: []}


def violations_by_width(page: Page) -> dict[int, list[Any]]:
    """Return what axe finds in a narrow and in a wide window, into which the page has to fit."""
    found: dict[int, list[Any]] = {}
    for width in (320, 1366):
        page.set_viewport_size({"width": width, "height": 740})
        found[width] = violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    return found


def test_without_scripts_it_is_said_what_to_do(
    browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    context = browser.new_context(**{**browser_context_args, "java_script_enabled": False})
    page = context.new_page()
    open_page(page, shared_tournament(state="drawn"))
    expect(page.locator("noscript p")).to_contain_text("schnauz-turnier verify record.json")
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.get_by_role("button", name=START)).to_be_hidden()
    expect(page.get_by_role("link", name="Akte speichern")).to_be_visible()
    context.close()
