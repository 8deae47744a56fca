"""Errors of scripts reach the server, without what the page shows; and what a browser cannot do is said."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Response, Route, expect

from tests.journeys.evening import NewPage
from tests.journeys.phones import NAMES, PHONE, NewPhone, all_sent, drown, link_to
from tournaments.models import Table

pytestmark = pytest.mark.usefixtures("committed")

Change = Callable[[str], str]


def reports(page: Page) -> list[Response]:
    """Return a list that every answer to a report is added to."""
    found: list[Response] = []
    page.on("response", lambda answer: found.append(answer) if answer.url.endswith("/s/error") else None)
    return found


def changed(page: Page, address: str, change: Change) -> None:
    """Change a text on its way from the server."""

    def fulfil(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=change(answer.text()))

    page.route(address, fulfil)


def without_config(html: str) -> str:
    return html.replace('<template id="config">', '<template id="nothing">')


TOO_OLD = "Dieses Handy ist zu alt zum Mitschreiben: ein anderes nehmen, oder auf Papier."
NEEDED = (
    "AbortController",
    "EventSource",
    "FormData",
    "Intl",
    "Promise",
    "ResizeObserver",
    "URLSearchParams",
    "crypto",
    "fetch",
)
TAKEN_AWAY = [*(f"window.{name}" for name in NEEDED), "HTMLScriptElement.prototype.noModule"]


def report_of(answer: Response) -> dict[str, Any]:
    told: dict[str, Any] = answer.request.post_data_json or {}
    assert told.keys() == {"file", "line", "column", "kind", "version"}
    return told


def places(found: list[Response]) -> list[tuple[int, Any, Any]]:
    return [(answer.status, report_of(answer)["kind"], report_of(answer)["file"]) for answer in found]


@pytest.mark.parametrize(
    ("address", "change", "told"),
    [
        ("**/s/", without_config, ("TypeError", "js/sheet/main.js")),
        ("**/js/sheet/view*.js", lambda _script: "this is none", ("SyntaxError", "js/sheet/view.js")),
    ],
    ids=["fails", "is unreadable"],
)
def test_a_page_that_never_comes_alive_says_where(
    new_page: NewPage, table: Table, address: str, change: Change, told: tuple[str, str]
) -> None:
    page = new_page({**PHONE, "service_workers": "block"})
    changed(page, address, change)
    found = reports(page)
    with page.expect_response("**/s/error"):
        page.goto(link_to(table))
    assert places(found) == [(200, *told)]
    expect(page.get_by_role("alert")).to_have_text(TOO_OLD)


@pytest.mark.parametrize("missing", TAKEN_AWAY)
def test_a_browser_that_is_too_old_says_so_before_the_first_tap(
    new_page: NewPage, table: Table, missing: str
) -> None:
    page = new_page({**PHONE, "service_workers": "block"})
    page.add_init_script(f"delete {missing}")
    found = reports(page)
    with page.expect_response("**/s/error"):
        page.goto(link_to(table))
    expect(page.get_by_role("alert")).to_have_text(TOO_OLD)
    assert places(found) == [(200, "NotSupportedError", "js/errors.js")]
    expect(page.locator("#actions")).to_be_hidden()


def test_a_browser_that_never_begins_says_so_as_well(new_page: NewPage, table: Table) -> None:
    """One that tells of no error, as those do that know no modules at all."""
    page = new_page({**PHONE, "service_workers": "block"})
    changed(page, "**/s/", lambda html: html.replace('<script type="module"', '<script type="text/unknown"'))
    page.goto(link_to(table))
    expect(page.get_by_role("alert")).to_have_text(TOO_OLD)


def test_a_script_that_does_not_arrive_is_no_old_browser(new_page: NewPage, table: Table) -> None:
    """Control."""
    page = new_page({**PHONE, "service_workers": "block"})
    page.route("**/js/sheet/view*.js", lambda route: route.abort())
    page.goto(link_to(table))
    page.wait_for_timeout(3_000)  # longer than the page waits after its last module
    expect(page.get_by_text(TOO_OLD)).to_have_count(0)


def test_what_fails_for_another_reason_is_told_and_is_no_old_browser(new_page: NewPage, table: Table) -> None:
    page = new_page({**PHONE, "service_workers": "block"})
    changed(page, "**/js/sheet/view*.js", lambda script: script + 'throw new RangeError("");')
    found = reports(page)
    with page.expect_response("**/s/error"):
        page.goto(link_to(table))
    assert [kind for _status, kind, _file in places(found)] == ["RangeError"]
    page.wait_for_timeout(3_000)  # longer than the page waits after its last module
    expect(page.get_by_text(TOO_OLD)).to_have_count(0)


def test_what_goes_wrong_later_is_told_without_its_words(new_phone: NewPhone) -> None:
    """The form of the language fails with a name in the message."""
    page = new_phone()
    all_sent(page)  # the page is drawn to its end, so that nothing moves under the finger
    found = reports(page)
    page.evaluate(
        "name => { FormData = class { constructor() { throw new RangeError(`${name} fehlt`); } }; }", NAMES[0]
    )
    with page.expect_response("**/s/error"):
        page.get_by_role("button", name="English").tap()
    assert places(found) == [(200, "RangeError", "js/sheet/main.js")]
    told = found[0].request
    secret = page.url.partition("#")[2]
    text = f"{told.post_data} {told.all_headers().get('referer', '')}"
    assert not [word for word in (NAMES[0], "fehlt", secret or "#", "#") if word in text]


def test_a_page_tells_three_errors_at_most_and_each_once(new_phone: NewPhone) -> None:
    page = new_phone()
    found = reports(page)
    with page.expect_response(lambda _answer: len(found) == 3):
        page.evaluate(
            """() => {
                const filename = document.querySelector("script[type=module]").src;
                const fail = (lineno) => dispatchEvent(new ErrorEvent("error", { filename, lineno, error: new Error("x") }));
                for (const line of [1, 1, 2, 3, 4, 5]) fail(line);
            }"""
        )
    page.reload()
    all_sent(page)
    assert sorted(report_of(answer)["line"] for answer in found) == [1, 2, 3]


def test_a_sheet_that_works_and_scripts_of_others_tell_nothing(new_phone: NewPhone) -> None:
    """The control."""
    page = new_phone()
    found = reports(page)
    drown(page, 6)
    all_sent(page)
    page.evaluate(
        """() => {
            setTimeout(() => { throw new TypeError("of an extension"); });
            Promise.reject(new TypeError("of an extension"));
            Promise.reject("js/sheet/main.js:1:1");
        }"""
    )
    page.context.set_offline(True)
    expect(page.locator(".link-state")).to_contain_text("Keine Verbindung")
    page.context.set_offline(False)
    all_sent(page)
    assert found == []


# --- pages that keep themselves current -----------------------------------------------------------------------------

ANEW = {"standings/": 30, "tables/": 30, "": 30, "rounds/1/tables/1/": 30, "screen/": 12}


def opened(new_page: NewPage, table: Table, path: str, *, missing: str = "") -> tuple[Page, list[Response]]:
    """Open a public page with a clock of its own, in a browser that lacks something."""
    page = new_page({**PHONE, "service_workers": "block"})
    found = reports(page)
    if missing:
        # Playwright needs promises itself, later.
        page.add_init_script(
            f"{{ const kept = Promise; delete {missing}; addEventListener('load', () => {{ window.Promise = kept; }}); }}"
        )
    page.clock.install()
    address = f"/t/{table.round.tournament.slug}/{path}"
    if not missing:
        page.goto(address)
        return page, found
    with page.expect_response("**/s/error") as told:
        page.goto(address)
    told.value.finished()  # the page remembers what it has told
    return page, found


@pytest.mark.parametrize("missing", TAKEN_AWAY)
@pytest.mark.parametrize("path", ["standings/", "screen/"])
def test_a_page_that_cannot_follow_says_so_and_loads_itself_anew(
    new_page: NewPage, table: Table, path: str, missing: str
) -> None:
    page, found = opened(new_page, table, path, missing=missing)
    told = page.locator("[data-live-state], .age")
    expect(told).to_contain_text(f"Dieser Browser ist zu alt: Die Seite lädt sich alle {ANEW[path]} s neu.")
    expect(page.get_by_text("Keine Verbindung")).to_have_count(0)
    assert places(found) == [(200, "NotSupportedError", "js/errors.js")]
    page.evaluate("window.isTheSamePage = true")
    with page.expect_navigation():
        page.clock.fast_forward(ANEW[path] * 1000)
    assert page.evaluate("window.isTheSamePage") is None
    expect(told).to_contain_text("zu alt")
    assert len(found) == 1, "the same is not told again"


@pytest.mark.parametrize("path", ANEW)
def test_a_page_that_follows_tells_nothing(new_page: NewPage, table: Table, path: str) -> None:
    """The control."""
    page, found = opened(new_page, table, path)
    page.clock.run_for(60_000)
    expect(page.get_by_text("Dieser Browser ist zu alt")).to_have_count(0)
    assert page.locator("html").get_attribute("data-alive") == ("wall" if path == "screen/" else "live")
    assert found == []


@pytest.mark.parametrize(("path", "script"), [("tables/", "live"), ("screen/", "wall/main")])
def test_a_script_that_cannot_be_read_is_told_as_well(
    new_page: NewPage, table: Table, path: str, script: str
) -> None:
    page = new_page({**PHONE, "service_workers": "block"})
    changed(page, f"**/js/{script}*.js", lambda _script: "this is none")
    found = reports(page)
    with page.expect_response("**/s/error"):
        page.goto(f"/t/{table.round.tournament.slug}/{path}")
    assert places(found) == [(200, "SyntaxError", f"js/{script}.js")]
    expect(page.locator("[data-live-state], .age")).to_contain_text("Dieser Browser ist zu alt")


def test_nobody_who_writes_loses_it_to_a_page_that_loads_itself_anew(new_page: NewPage, table: Table) -> None:
    page, _found = opened(new_page, table, "", missing="window.EventSource")
    page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    page.locator("main > input").fill("Hu")
    page.clock.fast_forward(31_000)
    expect(page.locator("main > input")).to_have_value("Hu")
    page.locator("main > input").blur()
    with page.expect_navigation():
        page.clock.fast_forward(30_000)


def test_a_check_that_fails_is_told(new_page: NewPage, table: Table) -> None:
    """What fails is in the worker."""
    page = new_page({**PHONE, "service_workers": "block"})
    changed(
        page,
        "**/js/check/record*.js",
        lambda script: script.replace("value=parse(text)", "value=nowhere(text)"),
    )
    found = reports(page)
    page.goto(f"/t/{table.round.tournament.slug}/check/")
    page.wait_for_timeout(600)  # longer than the page guards what has just appeared
    with page.expect_response("**/s/error"):
        page.get_by_role("button", name="Jetzt nachrechnen").click()
    assert places(found) == [(200, "ReferenceError", "js/check/record.js")]
    expect(page.get_by_text("Das stimmt nicht")).to_have_count(0)
