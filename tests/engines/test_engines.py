"""What is promised of old browsers, in those browsers: the players' pages, the check, the sign-up, the scribe's sheet, the wall.

Played by the program's real server, with nothing between it and the browser but a line that can be cut.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest
from django.contrib.auth.models import User
from django.test import Client

from schnauz_turnier.start.record_check import open_record_check
from scoring.services import sheets
from scoring.services.rounds import close
from scoring.services.sheets import free_pen
from tests.compared_evenings import evening as compared_evening
from tests.engines.conftest import NewOldPage
from tests.engines.driver import OldBrowser, OldPage, until
from tests.engines.line import line_to
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_round
from tests.journeys.phones import NAMES, link_to, ranks, written
from tests.tournaments.sign_up.test_sign_up_pages import opened
from tournaments.models import Membership, Participant, SignUp, Table, Tournament
from tournaments.rulesets.loader import PRESETS, preset

pytestmark = pytest.mark.usefixtures("committed", "live_url")

PICTURES = Path(__file__).parents[2] / "test-results" / "engines"
SHAPE = (Path(__file__).parent / "shape.js").read_text()
LARGEST_ICON = 96  # px, on the wall; without styles an icon fills it
OF_A_MOMENT = re.compile(
    r"Neu laden|Diese Seite hält sich selbst aktuell|Stand \d|Code zum Verbinden|\d{3} \d{3} |\d?\d:\d\d"
)
"""Texts that are there or not as the page's connection is, or that tell the time."""
AT_REST = """(() => {
  const live = document.querySelector("[data-live]");
  return document.fonts.status === "loaded" && document.body.innerText.trim().length > 20 && !(live && live.dataset.live && live.dataset.stream !== "open");
})()"""
TALL_AND_DEEP = (
    "Übü Jäger-Öplgy",
    "Ägypten-Özgür Jürgy",
    "Anna Berger",
    "Ludwig-Jürg von und zu Überjöllgrafhausen",
    "Jö",
    "Ègy Åpj",
)
TOO_OLD = "Dieses Handy ist zu alt zum Mitschreiben"
FORGE = """
  const read = window.fetch;
  window.fetch = (address, options) => /record[.]json/.test(address)
    ? read(address, options).then((answer) => answer.text()).then((text) => new Response(text.replace(/"digest": ?"[0-9a-f]{64}"/, '"digest": "%s"')))
    : read(address, options);
""" % ("0" * 64)

phones = pytest.mark.engines(80, 999)
like_today_on_phones = pytest.mark.engines(80, 998)
in_large_text = pytest.mark.engines(80, 996)  # the drivers of the other two cannot set it
walls = pytest.mark.engines(68, 999)
like_today_on_walls = pytest.mark.engines(68, 998)
laptops = pytest.mark.engines(103, 999)
too_old_for_the_sheet = pytest.mark.engines(0, 79)


def a_tournament(name: str, state: str) -> Tournament:
    tournament = TournamentFactory.create(
        slug=f"geraete-{uuid4().hex[:8]}", ruleset=preset(name).to_dict(), names="full"
    )
    compared_evening(tournament, name, state)
    return tournament


@cache
def shared_tournament(name: str, state: str) -> Tournament:
    """Return a tournament that is made once, for the tests that only look at it."""
    return a_tournament(name, state)


shapes_of_today: dict[tuple[object, ...], list[dict[str, Any]]] = {}
"""What today's browser shows of pages that several engines are compared with: nobody writes in their tournaments."""


def looks_like_today(
    new_page: NewOldPage,
    engine: OldBrowser,
    today: OldBrowser,
    urls: list[str],
    width: int = 360,
    height: int = 740,
    *,
    enlarged: int = 1,
    ready: str = "",
    before: Callable[[], object] = lambda: None,
) -> None:
    """Assert that pages have each text in the same colour and font as in today's browser, and that no more is covered or outside.

    enlarged: how many times as large the reader has made the text. ready: a text that a page shows once it is drawn.
    before: what is done before each visit. With ENGINES in the environment pictures stay in test-results/.
    """

    def shapes_in(browser: OldBrowser) -> list[dict[str, Any]]:
        shapes = []
        page = new_page(browser, width, height)
        if enlarged > 1:
            page.enlarge_text(enlarged)
        for url in urls:
            before()
            page.go_to(url)
            page.wait_for_text(ready)
            page.wait_for(AT_REST)
            shapes.append(page.evaluate(SHAPE))
            name = re.sub(r"\W+", "-", urlsplit(url).path).strip("-")
            picture_of(page, f"{name}-{width}-{enlarged}-{browser.version}")
            assert page.errors() == [], url
        page.close()
        return shapes

    key = (*urls, width, height, enlarged)
    if key not in shapes_of_today:
        shapes_of_today[key] = shapes_in(today)
    compared = zip(urls, shapes_in(engine), shapes_of_today[key], strict=True)
    told = {url: unlike for url, *shapes in compared if (unlike := differences(*shapes))}
    assert told == {}


def picture_of(page: OldPage, name: str) -> None:
    if "ENGINES" in os.environ:
        PICTURES.mkdir(parents=True, exist_ok=True)
        (PICTURES / f"{name}.png").write_bytes(page.picture())


def differences(found: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """Return what is otherwise on a page than on today's, in words."""
    told = [f"looks: {one}" for one in _only_in(found["looks"], expected["looks"])]
    told += [f"today looks: {one}" for one in _only_in(expected["looks"], found["looks"])]
    for kind in ("overlaps", "outside"):
        told += [f"{kind}: {one}" for one in _only_in(found[kind], expected[kind])]
    told += [f"{kind}: {one}" for kind in ("cut", "sticksOut") for one in found[kind]]
    if found["widestIcon"] > max(expected["widestIcon"] + 2, LARGEST_ICON):
        told.append(f"an icon of {found['widestIcon']} px, today {expected['widestIcon']}")
    if found["isWide"] > expected["isWide"]:
        told.append("wider than the window")
    if abs(found["height"] - expected["height"]) > 0.15 * expected["height"]:
        told.append(f"height {found['height']}, today {expected['height']}")
    return told


def _only_in(these: list[str], others: list[str]) -> list[str]:
    return [one for one in (Counter(these) - Counter(others)).elements() if not OF_A_MOMENT.match(one)]


# --- players -------------------------------------------------------------------------------------------------------

TABS = ("", "standings/", "tables/", "rules/", "rounds/1/", "rounds/1/tables/1/", "hand/", "check/", "?me=1")
"""In this order: after the last one the phone knows who reads."""


@like_today_on_phones
@pytest.mark.parametrize("state", ["open", "playing", "decided"])
@pytest.mark.parametrize("name", PRESETS)
def test_the_players_pages_look_as_today(
    new_page: NewOldPage, engine: OldBrowser, today: OldBrowser, live_url: str, name: str, state: str
) -> None:
    urls = [f"{live_url}/t/{shared_tournament(name, state).slug}/{path}" for path in TABS]
    with httpx.Client(verify=False, trust_env=False) as client:  # the server's cache has the pages then
        there = [url for url in urls if client.get(url).status_code == 200]
    looks_like_today(new_page, engine, today, there)


@like_today_on_phones
@pytest.mark.parametrize(("width", "height"), [(320, 568), (568, 320)])
def test_the_players_pages_on_small_phones(
    new_page: NewOldPage, engine: OldBrowser, today: OldBrowser, live_url: str, width: int, height: int
) -> None:
    tournament = shared_tournament("schnauz-placing", "playing")
    urls = [f"{live_url}/t/{tournament.slug}/{path}" for path in TABS]
    looks_like_today(new_page, engine, today, urls, width, height)


@in_large_text
@pytest.mark.parametrize(("width", "height"), [(320, 568), (568, 320)])
def test_the_players_pages_in_large_text(
    new_page: NewOldPage, engine: OldBrowser, today: OldBrowser, live_url: str, width: int, height: int
) -> None:
    tournament = shared_tournament("schnauz-placing", "playing")
    urls = [f"{live_url}/t/{tournament.slug}/{path}" for path in TABS]
    looks_like_today(new_page, engine, today, urls, width, height, enlarged=2)


@phones
def test_the_standings_follow_by_themselves(new_page: NewOldPage, engine: OldBrowser, live_url: str) -> None:
    tournament = TournamentFactory.create(slug=f"geraete-{uuid4().hex[:8]}", names="full")
    ParticipantFactory.create_batch(10, tournament=tournament)
    played = a_round(tournament)
    page = new_page(engine)
    page.go_to(f"{live_url}/t/{tournament.slug}/standings/")
    page.evaluate("window.isTheSamePage = true")
    for table in played.tables.all():
        a_paper_sheet(table)
    close(tournament, 1, reason="", at=AT)
    page.wait_for("document.querySelectorAll('.standings tbody tr').length === 10")
    assert page.evaluate("window.isTheSamePage")
    assert "keine Verbindung" not in page.text()
    assert page.errors() == []


@pytest.mark.engines(68, 999)
def test_a_sign_up(new_page: NewOldPage, engine: OldBrowser, live_url: str) -> None:
    tournament = opened(TournamentFactory.create(slug=f"geraete-{uuid4().hex[:8]}", names="short"))
    page = new_page(engine)
    page.go_to(f"{live_url}/t/{tournament.slug}/sign-up/")
    page.evaluate("document.querySelector('[name=name]').value = 'Huber Sepp'")
    page.press_found(
        "document.querySelector('main form[method=post] button[type=submit], main form[method=post] button:not([type])')"
    )
    page.wait_for("/mine/.test(location.pathname)")
    assert [sign_up.name for sign_up in SignUp.objects.filter(tournament=tournament)] == ["Huber Sepp"]
    page.wait_for_text("Huber Sepp")


@phones
@pytest.mark.parametrize("name", ["schnauz-placing", "fce", "schafkopf"])
def test_a_genuine_and_a_forged_record(
    new_page: NewOldPage, engine: OldBrowser, live_url: str, name: str
) -> None:
    tournament = shared_tournament(name, "decided")
    for before, told in (("", "Alles stimmt"), (FORGE, "Das stimmt nicht")):
        page = new_page(engine)
        if before:
            page.before_every_page(before)
        page.go_to(f"{live_url}/t/{tournament.slug}/check/")
        page.press("Jetzt nachrechnen")
        page.wait_for("!!document.querySelector('#check-result .notice')")
        page.wait_for_text(told)


@like_today_on_phones
def test_the_page_that_checks_a_saved_record_looks_as_today(
    new_page: NewOldPage,
    engine: OldBrowser,
    today: OldBrowser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", "true")  # opens no browser
    record = tmp_path / "record.json"
    answer = Client().get(f"/t/{shared_tournament('schnauz-placing', 'decided').slug}/record.json")
    record.write_bytes(b"".join(answer))
    open_record_check(str(record))
    address = (tmp_path / "record-check.html").as_uri()
    looks_like_today(new_page, engine, today, [address], 320, 568, ready="Alles stimmt")
    page = new_page(engine, 320, 568)
    page.go_to(address)
    page.wait_for(
        "CSS.supports('selector(:has(a))') || /data-has-/.test(document.getElementById('main').cloneNode().outerHTML)"
    )


@pytest.mark.engines(0, 79)
def test_a_browser_too_old_for_the_check_accuses_nobody(
    new_page: NewOldPage, engine: OldBrowser, live_url: str
) -> None:
    page = new_page(engine)
    page.go_to(f"{live_url}/t/{shared_tournament('schnauz-placing', 'decided').slug}/check/")
    page.wait_for("document.body.innerText.length > 100")
    assert "Das stimmt nicht" not in page.text()


# --- the scribe ----------------------------------------------------------------------------------------------------


def knock(page: OldPage, seat: int) -> None:
    page.press_found(
        f"Array.from(document.querySelectorAll('button.seat-row__name')).find((one) => one.innerText.indexOf({json.dumps(NAMES[seat - 1])}) >= 0)"
    )
    page.press("Geklopft – eintragen")
    page.wait_for("!document.querySelector('button.seat-row__name[aria-pressed=true]')")


@phones
def test_a_whole_round_with_the_network_lost_in_the_middle(
    new_page: NewOldPage, engine: OldBrowser, live_url: str, table: Table
) -> None:
    with line_to(live_url) as line:
        page = new_page(engine)
        page.go_to(line.url + link_to(table))
        page.wait_for_text("Alles übertragen")
        losers = [seat for seat in (6, 5, 4, 3, 2) for _ in range(4)]
        for number, seat in enumerate(losers):
            if number == 6:
                until(lambda: len(written(table)) == 6, page.text)
                page.wait_for("!!navigator.serviceWorker.controller")
                line.cut()
            if number == 10:
                page.go_to(f"{line.url}/s/")  # opened anew, out of what the phone keeps
                page.wait_for("!!document.querySelector('button.seat-row__name')")
            if number == 13:
                assert len(written(table)) == 6
                line.mend()
            knock(page, seat)
        page.wait_for_text("Alles übertragen")
        until(lambda: len(written(table)) == len(losers), page.text)
        assert [entry["losers"] for entry in written(table)] == [[seat] for seat in losers]
        assert ranks(table) == {seat: seat for seat in range(1, 7)}
        assert page.errors() == []


of_each_kind = pytest.mark.parametrize(
    "table",
    [(preset(name), 4 if name == "schafkopf" else 5) for name in PRESETS],
    ids=PRESETS,
    indirect=True,
)


@like_today_on_phones
@of_each_kind
def test_the_sheet_looks_as_today(
    new_page: NewOldPage, engine: OldBrowser, today: OldBrowser, live_url: str, table: Table
) -> None:
    for width, height in ((360, 740), (320, 568), (740, 360)):
        the_sheet_looks_like_today(new_page, engine, today, live_url, table, width, height)


@in_large_text
@of_each_kind
def test_the_sheet_in_large_text(
    new_page: NewOldPage, engine: OldBrowser, today: OldBrowser, live_url: str, table: Table
) -> None:
    for width, height in ((320, 568), (740, 360)):
        the_sheet_looks_like_today(new_page, engine, today, live_url, table, width, height, enlarged=2)


def the_sheet_looks_like_today(
    new_page: NewOldPage,
    engine: OldBrowser,
    today: OldBrowser,
    live_url: str,
    table: Table,
    width: int,
    height: int,
    *,
    enlarged: int = 1,
) -> None:
    looks_like_today(
        new_page,
        engine,
        today,
        [live_url + link_to(table)],
        width,
        height,
        enlarged=enlarged,
        ready=NAMES[0],
        before=lambda: free_pen(table, at=AT),
    )


@phones
def test_the_sheet_shows_names_whole_and_words_in_their_buttons(
    new_page: NewOldPage, engine: OldBrowser, live_url: str, table: Table
) -> None:
    people = list(Participant.objects.filter(tournament=table.round.tournament))
    for person, name in zip(people, TALL_AND_DEEP, strict=True):
        person.name = name
    Participant.objects.bulk_update(people, ["name"])
    page = new_page(engine)
    page.go_to(live_url + link_to(table))
    for width, height in ((360, 740), (320, 568), (740, 360), (1024, 768)):
        page.resize(width, height, is_phone=width < 800)
        page.wait_for_text(TALL_AND_DEEP[0])
        shape = page.evaluate(SHAPE)
        picture_of(page, f"names-{width}-{engine.version}")
        assert [shape["cut"], shape["sticksOut"]] == [[], []], width


@too_old_for_the_sheet
def test_a_phone_too_old_is_told_before_the_first_tap(
    new_page: NewOldPage, engine: OldBrowser, live_url: str, table: Table
) -> None:
    page = new_page(engine)
    page.go_to(live_url + link_to(table))
    page.wait_for_text(TOO_OLD)
    assert written(table) == []


# --- the wall ------------------------------------------------------------------------------------------------------


@like_today_on_walls
@pytest.mark.parametrize("state", ["open", "playing", "decided"])
@pytest.mark.parametrize("name", PRESETS)
def test_the_wall_looks_as_today(
    new_page: NewOldPage, engine: OldBrowser, today: OldBrowser, live_url: str, name: str, state: str
) -> None:
    tournament = shared_tournament(name, state)
    slug = tournament.slug
    for path in ("screen/", *(f"screen/{number}/" for number in (2, 3, 4) if state != "open")):
        looks_like_today(
            new_page,
            engine,
            today,
            [f"{live_url}/t/{slug}/{path}"],
            1920,
            1080,
            before=tournament.screen_pairings.all().delete,
        )


@cache
def tournament_of_tall_and_deep_names() -> Tournament:
    tournament = a_tournament("schnauz-placing", "decided")
    Tournament.objects.filter(pk=tournament.pk).update(name=TALL_AND_DEEP[0])
    people = list(Participant.objects.filter(tournament=tournament))
    for number, person in enumerate(people):
        person.name = f"{TALL_AND_DEEP[number % 3]} {number}"
    Participant.objects.bulk_update(people, ["name"])
    return tournament


@walls
def test_the_wall_shows_names_whole(new_page: NewOldPage, engine: OldBrowser, live_url: str) -> None:
    tournament = tournament_of_tall_and_deep_names()
    for path in ("screen/", "screen/2/", "screen/3/", "screen/4/"):
        page = new_page(engine, 1920, 1080)
        page.go_to(f"{live_url}/t/{tournament.slug}/{path}")
        page.wait_for(AT_REST)
        picture_of(page, f"names-wall-{path[-2]}-{engine.version}")
        assert page.evaluate(SHAPE)["cut"] == [], path
        page.close()


@walls
def test_the_wall_follows_by_itself(
    new_page: NewOldPage, engine: OldBrowser, live_url: str, table: Table
) -> None:
    tournament = table.round.tournament
    page = new_page(engine, 1920, 1080)
    page.go_to(f"{live_url}/t/{tournament.slug}/screen/")
    page.evaluate("window.isTheSamePage = true")
    clock = page.wait_for("(document.body.innerText.match(/\\d?\\d:\\d\\d/) || [])[0]")
    assert clock
    before = page.text()
    sheets.write(
        table,
        [("deal", {"losers": [6], "ended_by": "knock", "finisher": None})] * 4,
        by="x",
        at=AT,
    )
    until(lambda: page.text() != before, page.text)
    assert page.evaluate("window.isTheSamePage")
    assert "Keine Verbindung" not in page.text()
    assert page.errors() == []


# --- the organiser -------------------------------------------------------------------------------------------------


@laptops
def test_the_organisers_pages_look_as_today(
    new_page: NewOldPage, engine: OldBrowser, today: OldBrowser, live_url: str
) -> None:
    tournament = a_tournament("schnauz-placing", "playing")
    organiser = User.objects.create_user(f"leitung-{tournament.pk}-{User.objects.count()}")
    Membership.objects.create(tournament=tournament, user=organiser, role=Membership.Role.ORGANISER)
    client = Client()
    client.force_login(organiser)
    session = client.cookies["sessionid"].value
    pages = [new_page(browser, 1366, 768) for browser in (engine, today)]
    for page in pages:
        page.bring_cookie("sessionid", session, live_url)
    for path in ("", "door/", "rounds/1/", "prizes/"):
        shapes: list[dict[str, Any]] = []
        for page in pages:
            page.go_to(f"{live_url}/o/{tournament.slug}/{path}")
            page.wait_for("!!document.querySelector('.strip__line')")
            shapes.append(page.evaluate(SHAPE))
            assert page.errors() == []
        assert differences(*shapes) == []
    name = f"Angekündigt {organiser.pk}"
    ParticipantFactory.create(tournament=tournament, name=name, presence="announced")
    page = pages[0]
    page.go_to(f"{live_url}/o/{tournament.slug}/door/")
    page.press_found(
        "Array.from(document.querySelectorAll('button')).find((one) => /^Ist da/.test(one.innerText))"
    )
    until(
        lambda: Participant.objects.filter(
            tournament=tournament, name=name, presence=Participant.Presence.PRESENT
        ),
        page.text,
    )
