"""The pictures of the README, from the practice tournament: `make screenshots` writes docs/images/*.png.

Starts the program on a free port with a DATA_DIR of its own, makes the first account with the one-time link, and takes
five pictures: the organiser's round page, the scribe's phone, a player's own page, their race, the wall screen in play.
The deals are the same each time; who sits where follows from the key of the server, and times of day differ.
"""

import fcntl
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
SLUG = "uebung"  # what the practice tournament is called
LEADERS = 5  # of the race
PASSWORD = "nur-fuer-die-Bilder"
HOST = "turnier.local"  # leads to this machine in the browser; under 127.0.0.1 the pages warn that no phone gets there
OURS = (
    "DATABASE_URL",
    "SECRET_KEY",
    "HOST",
    "DEBUG",
    "TRUSTED_PROXIES",
    "DEFAULT_LANGUAGE",
    "DJANGO_SETTINGS_MODULE",
)


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with program() as setup_link, browser() as chromium:
        laptop = open_page(chromium, 1366, 768)
        make_account(laptop, setup_link)
        address = setup_link.partition("/account/")[0]
        take_round(laptop, address)
        take_phone(open_page(chromium, 360, 740, is_phone=True), table_link(laptop, address))
        take_player(open_page(chromium, 360, 740, is_phone=True), address)
        laptop.set_viewport_size({"width": 1920, "height": 1080})
        take_wall(laptop, address)


# --- the program and the browser -----------------------------------------------------------------------------------


@contextmanager
def program() -> Iterator[str]:
    """The program with a practice tournament; answers with the link that makes the first account."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="schnauz-") as folder:
        place = {
            "DATA_DIR": folder,
            "STATIC_ROOT": f"{folder}/static",
            "HOST": "127.0.0.1",
            "PORT": str(port),
            "PUBLIC_URL": f"http://{HOST}:{port}",
        }
        inherited = {name: value for name, value in os.environ.items() if name not in OURS}
        server = subprocess.Popen(
            [sys.executable, "-m", "schnauz_turnier", "--practice", "--no-browser"],
            cwd=ROOT,
            env=inherited | place,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield wait_for_setup_link(server)
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=20)
            wait_for_database_to_stop(Path(folder))


def wait_for_setup_link(server: subprocess.Popen[str]) -> str:
    """The last line is said when everything is ready but the server itself, for which the browser waits."""
    assert server.stdout is not None
    said = ""
    for line in server.stdout:
        said += line
        if "Strg+C" in line:
            break
    found = re.search(r"http://\S+/account/setup/#\S+", said)
    if found is None:
        sys.exit(f"The program did not start:\n{said}")
    return found[0]


def wait_for_database_to_stop(folder: Path) -> None:
    if (lock := folder / "supervisor.lock").exists():
        with lock.open("a") as held_while_it_runs:
            fcntl.flock(held_while_it_runs, fcntl.LOCK_EX)


@contextmanager
def browser() -> Iterator[Browser]:
    names = (
        os.environ.get("CHROMIUM"),
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
    )
    path = next((found for name in names if name and (found := shutil.which(name))), None)
    if path is None:
        sys.exit("No Chromium or Chrome found. Install one, or set CHROMIUM to its path.")
    as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        arguments = [
            "--disable-gpu",
            "--hide-scrollbars",
            f"--host-resolver-rules=MAP {HOST} 127.0.0.1",
            *as_root,
        ]
        chromium = playwright.chromium.launch(executable_path=path, args=arguments)
        yield chromium
        chromium.close()


def open_page(chromium: Browser, width: int, height: int, *, is_phone: bool = False) -> Page:
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=2 if is_phone else 1,
        is_mobile=is_phone,
        has_touch=is_phone,
        locale="de-DE",
        timezone_id="Europe/Berlin",
        color_scheme="light",
        reduced_motion="reduce",
    )
    return context.new_page()


# --- the pictures --------------------------------------------------------------------------------------------------


def make_account(page: Page, setup_link: str) -> None:
    for _ in range(50):
        try:
            page.goto(setup_link)
            break
        except Exception:  # noqa: BLE001 (the server is not listening yet)
            page.wait_for_timeout(200)
    page.get_by_label("Name des Kontos").fill("Veranstalter")
    page.get_by_label("Passwort", exact=True).fill(PASSWORD)
    page.get_by_label("Passwort noch einmal").fill(PASSWORD)
    page.get_by_role("button", name="Konto anlegen").click()
    expect(page).not_to_have_url(re.compile("/account/setup/"))


def take_round(page: Page, address: str) -> None:
    page.goto(f"{address}/o/{SLUG}/rounds/2/")
    expect(page.get_by_role("heading", name="2. Spielrunde", exact=True)).to_be_visible()
    take(page, "organiser")


def table_link(page: Page, address: str) -> str:
    """The link behind the code of the table that has played most without being done."""
    cards = page.locator(".table-card[data-state=open]")
    deals = [int((re.search(r"(\d+) Spiel", text) or ["", "0"])[1]) for text in cards.all_inner_texts()]
    cards.nth(deals.index(max(deals))).get_by_role("link", name="Tischliste").click()
    return page.locator("#link code").inner_text()


def take_phone(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="Hier weiterschreiben").tap()
    page.locator("[data-fate=swimming] button.seat-row__name").first.tap()
    expect(page.get_by_role("button", name="Geklopft – eintragen")).to_be_enabled()
    expect(page.locator(".link-state")).to_have_text("Alles übertragen")
    take(page, "scribe")


def take_player(page: Page, address: str) -> None:
    """The page of a player just behind the leaders, and the race of them all."""
    page.goto(f"{address}/t/{SLUG}/")
    rows = page.evaluate("async () => (await (await fetch('leaderboard.json')).json()).rows")
    behind = next(row for row in rows[LEADERS:] if all(points is not None for points in row["by_round"]))
    page.goto(f"{address}/t/{SLUG}/?me={behind['start_number']}")
    expect(page.locator("#me")).to_be_visible()
    take(page, "player")
    page.locator(".race").screenshot(path=IMAGES / "race.png", animations="disabled")


def take_wall(page: Page, address: str, kind: str = "play") -> None:
    """The first page of this kind; by itself it turns after seconds only. The organiser's browser pairs itself."""
    page.goto(f"{address}/t/{SLUG}/screen/")
    for _ in range(page.locator(".wall-page").count()):
        if page.locator(".wall-page:visible").get_attribute("data-kind") == kind:
            break
        page.keyboard.press("ArrowRight")
    expect(page.locator(".wall-page:visible")).to_have_attribute("data-kind", kind)
    take(page, "wall")


def take(page: Page, name: str) -> None:
    page.evaluate("document.fonts.ready")
    page.screenshot(path=IMAGES / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    main()
