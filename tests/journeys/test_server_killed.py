"""A server crash during a scribe's tap: the phone shows an unsent entry and tries again; the stroke is written once.

The program runs in processes of its own here, with its own PostgreSQL; see tests/faults/.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import LiteralString

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.faults.evening import SLUG, Store, the_program
from tests.faults.house import wait_until
from tests.faults.moments import (
    Moment,
    Scene,
    database_between_commit_and_answer,
    web_before_commit,
    web_between_commit_and_answer,
)
from tests.faults.network import Network
from tests.journeys.phones import PHONE, all_sent, link_state

# The database of the other journeys is made before Playwright's event loop starts, whichever test runs first.
pytestmark = pytest.mark.usefixtures("django_db_setup")

TABLE_OF: dict[Moment, int] = {
    web_before_commit: 1,
    web_between_commit_and_answer: 2,
    database_between_commit_and_answer: 3,
}
TABLE_WITH_LOSS = 4
TABLE_WITH_LOST_PEN = 5
TABLES = 5


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with the_program(tmp_path_factory.mktemp("killed"), TABLES) as store:
        yield store


@pytest.mark.parametrize("moment", TABLE_OF, ids=lambda moment: moment.__name__)
def test_a_tap_under_which_something_dies_stands_once(store: Store, browser: Browser, moment: Moment) -> None:
    table = TABLE_OF[moment]
    context = browser.new_context(**PHONE, locale="de-DE")
    page = context.new_page()
    page.goto(f"{store.web.url}/s/#{store.secrets[table]}")
    all_sent(page)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer) if "/s/entries" in answer.url else None)
    scene = Scene(
        store.web,
        store.database,
        Network(store.web.port, mischief=0, chance=Random(0)),
        store.last_table,
        Random(0),
    )

    with ThreadPoolExecutor(1) as killer:
        coming = killer.submit(moment, scene)
        scene.armed.wait()
        page.get_by_role("button", name=f"Schnauz: Spieler {5 * table - 4}", exact=True).tap()
        page.get_by_role("button", name=f"Spieler {5 * table - 3}", exact=False).first.tap()
        page.get_by_role("button", name="Schnauz – eintragen").tap()
        expect(link_state(page)).to_have_text("1 Eintrag wartet")
        assert coming.result(60)

    all_sent(page)
    expect(page.get_by_text("Zuletzt: 1. Spiel")).to_be_visible()
    outcome = "recorded" if moment is web_before_commit else "duplicate"
    assert [result["outcome"] for result in answers[-1].json()["results"]] == [outcome]
    assert [entry for _, entry, _ in store.stored()[table]] == ["deal"]
    context.close()


def knock(page: Page, table: int) -> None:
    page.locator("button.seat-row__name").filter(has_text=f"Spieler {5 * table - 4}").tap()
    page.get_by_role("button", name="Geklopft – eintragen").tap()


def lose(store: Store, table: int, last: LiteralString) -> None:
    """Take the last entries of a sheet from the database, as if they had not reached the standby that is promoted."""
    with store.database.connect() as connection:
        connection.execute("SET session_replication_role = replica")  # without the triggers that forbid it
        sheet = "(SELECT sheet.id FROM scoring_sheet sheet JOIN tournaments_table t ON t.id = table_id WHERE number = %s)"
        connection.execute(
            f"DELETE FROM scoring_sheetentry WHERE sheet_id = {sheet} AND sequence > {last}", [table]
        )
        if last == "0":
            connection.execute(f"DELETE FROM scoring_pengrant WHERE sheet_id = {sheet}", [table])
            connection.execute(
                f"UPDATE scoring_sheet SET pen_epoch = 0, pen_device = '' WHERE id = {sheet}", [table]
            )


@pytest.mark.parametrize(("table", "last"), [(TABLE_WITH_LOSS, "1"), (TABLE_WITH_LOST_PEN, "0")])
def test_what_is_lost_after_its_answer_is_sent_again(
    store: Store, browser: Browser, table: int, last: LiteralString
) -> None:
    """The last two of three entries, or all of them and the pen."""
    context = browser.new_context(**PHONE, locale="de-DE")
    page = context.new_page()
    page.goto(f"{store.web.url}/s/#{store.secrets[table]}")
    all_sent(page)
    for number in (1, 2, 3):
        knock(page, table)
        expect(page.get_by_text(f"Zuletzt: {number}. Spiel")).to_be_visible()
        all_sent(page)
    before = store.stored()[table]
    assert len(before) == 3
    lose(store, table, last)
    assert len(store.stored().get(table, ())) == int(last)
    page.reload()
    assert wait_until(lambda: store.stored().get(table) == before)
    all_sent(page)
    expect(page.get_by_text("Zuletzt: 3. Spiel")).to_be_visible()
    context.close()


def test_a_screen_stays_paired_when_the_server_restarts(store: Store, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, locale="de-DE")
    tv = context.new_page()
    screen = f"{store.web.url}/t/{SLUG}/screen/"
    tv.goto(screen)
    expect(tv.locator("#pairing b")).to_be_visible()
    expect(tv.locator("body")).to_have_attribute("data-audience", "screen")
    store.database.tell(
        "UPDATE scoring_screenpairing SET code = '', origin = '', paired_at = now(), seen_at = now(), paired_by = 'x'"
    )
    for _ in range(2):
        tv.goto("about:blank")  # else it may load itself anew at the same moment
        store.web.kill()
        store.web.start()
        tv.goto(screen)
        expect(tv.locator("body")).to_have_attribute("data-audience", "wall")
        expect(tv.locator("body")).to_have_attribute("data-stream", "open")
    context.close()
