"""Compare every page of two checkouts of this repository, except for white space and generated names.

    .venv/bin/python tests/compare_pages.py OLD_CHECKOUT [NEW_CHECKOUT] [--keep FOLDER] [--only PATTERN]

One database is filled once: the practice tournament, and under each rule sheet four tournaments: open for registration,
drawn, in play, decided. Then each checkout, in a process of its own, answers every address of its URLs: for the
organiser, a cashier, the scribe of a table and the public, in German and English, with GET and with an empty POST
(rolled back). Exits with 1 and the differences if any page differs.
"""

import argparse
import difflib
import io
import json
import logging
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parents[1]
LANGUAGES = ("de", "en")
NOW_LATER = timedelta(hours=3)
"""The time between the last entry and the requests."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares every page of two checkouts.")
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?", default=HERE)
    parser.add_argument("--keep", type=Path, help="where the pages stay, in old/ and new/")
    parser.add_argument(
        "--only", default="", help="the tournaments whose slug matches this regular expression"
    )
    options = parser.parse_args()
    os.environ["COMPARE_PAGES_ONLY"] = options.only
    with TemporaryDirectory() as temporary:
        folder = (options.keep or Path(temporary)).absolute()
        data = Path(temporary) / "data"
        run(HERE, "build", data, folder)
        for name, checkout in (("old", options.old), ("new", options.new)):
            run(checkout.absolute(), "save", data, folder / name)
        return report(folder / "old", folder / "new")


def run(checkout: Path, step: str, data: Path, folder: Path) -> None:
    """Run a step in a process that imports the program from this checkout."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PYTHONPATH": str(checkout),
        "DATA_DIR": str(data),
        "COMPARE_PAGES_STEP": step,
    }
    environment.pop("DATABASE_URL", None)
    subprocess.run([sys.executable, __file__, str(folder)], cwd=checkout, env=environment, check=True)


# --- filling the database ------------------------------------------------------------------------------------------


def build() -> None:
    """Fill the database, with the program of this checkout."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    from tests.compared_evenings import fill

    fill()


# --- saving the pages ----------------------------------------------------------------------------------------------


def save(folder: Path) -> None:
    """Write each page into a file of its own, normalised."""
    from django.utils import timezone

    from scoring.models import SheetEntry
    from tournaments.models import Tournament

    latest = SheetEntry.objects.order_by("-recorded_at").values_list("recorded_at", flat=True)[0]
    timezone.now = lambda: latest + NOW_LATER
    logging.disable()
    written = 0
    for language, tournament in product(LANGUAGES, Tournament.objects.order_by("slug")):
        if language == "en" and tournament.slug.endswith(("-open", "-drawn")):
            continue
        if not re.search(os.environ["COMPARE_PAGES_ONLY"], tournament.slug):
            continue
        paths = sorted(set(paths_of(tournament)))
        for role, client in clients(tournament, language).items():
            for path in paths:
                if role != "organiser" and not asked_by(role, path):
                    continue
                own = f"/{tournament.slug}" if path.startswith("/s/") else ""
                written += save_page(folder, role, f"{language}/{role}{own}", client, path)
    print(f"{written} pages in {folder}")


def asked_by(role: str, path: str) -> bool:
    """Return whether the role asks for this page.

    The refusals of other pages are the same for all roles but the organiser.
    """
    return path.startswith(
        {"cashier": ("/o/",), "scribe": ("/s/",), "public": ("/t/", "/s/", "/account/")}[role]
    )


def clients(tournament: Any, language: str) -> dict[str, Any]:
    from django.contrib.auth.models import User
    from django.test import Client

    made = {
        name: Client(
            headers={"accept-language": language},
            raise_request_exception=False,
            SERVER_NAME="localhost",
            SERVER_PORT="8000",
        )
        for name in ("organiser", "cashier", "scribe", "public")
    }
    made["organiser"].force_login(User.objects.get(username="organiser"))
    made["cashier"].force_login(User.objects.get(username="cashier"))
    table = first_table(tournament)
    if table is not None:
        from tournaments import links

        secret = links.sheet_secret(table.pk, table.link_version)
        made["scribe"].post("/s/enter", json.dumps({"secret": secret}), content_type="application/json")
    return made


def first_table(tournament: Any) -> Any:
    from tournaments.models import Table

    return Table.objects.filter(round__tournament=tournament).order_by("round__number", "number").first()


FRAGMENTS = re.compile(r"/(door|board|backup|cost|list|paper|accept|check)/")
"""Addresses that answer an htmx request with a fragment."""


def save_page(folder: Path, role: str, prefix: str, client: Any, path: str) -> int:
    from django.db import transaction

    count = 0
    asked: list[tuple[str, Mapping[str, str]]] = [("GET", {}), ("POST", {})]
    if FRAGMENTS.search(path):
        asked += [("GET", {"HX-Request": "true"}), ("POST", {"HX-Request": "true"})]
    if "?" in path:
        asked = [one for one in asked if one[0] == "GET"]
    for method, headers in asked:
        if role != "organiser" and (method == "POST" or headers):
            continue
        with transaction.atomic():
            answer = (
                client.get(path, headers=headers) if method == "GET" else client.post(path, headers=headers)
            )
            transaction.set_rollback(True)
        name = re.sub(r"[^\w.=&?+-]+", "_", path.strip("/")) or "start"
        kind = "-htmx" if headers else ""
        target = folder / prefix / f"{name}.{method}{kind}.txt"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(normalised(answer))
        count += 1
    return count


def paths_of(tournament: Any) -> Iterator[str]:
    """Yield the path of every URL pattern, with values of this tournament as parameters."""
    from django.urls import URLPattern, get_resolver

    def patterns(resolver: Any, prefix: str = "") -> Iterator[str]:
        for pattern in resolver.url_patterns:
            route = prefix + str(pattern.pattern)
            if isinstance(pattern, URLPattern):
                yield route
            else:
                yield from patterns(pattern, route)

    for route in patterns(get_resolver()):
        for path in filled(route, tournament):
            yield path
            yield from (f"{path}?{query}" for query in QUERIES.get(route.rpartition("<slug:slug>/")[2], ()))
        if "<" not in route and not route.endswith("logout/"):
            yield f"/{route}"


QUERIES = {
    "": ("q=Muster", "q=3", "me=3", "me=9999", "page=2", "only=unpaid"),
    "door/": ("q=Muster", "only=announced", "only=unpaid", "every=1", "page=2"),
    "rounds/<number:number>/": ("only=mine",),
    "rounds/<number:number>/seats/": ("who=3", "who=Muster", "who=M"),
    "rounds/<number:number>/swap/cost/": ("player=1&player=2", "player=1"),
    "rounds/<number:number>/tables/<number:table>/paper/check/": (
        "line=12345+0",
        "line=123456+0",
        "line=x",
        "points_1=612",
    ),
    "print/rounds/<number:number>/sheets/": ("filled=1", "table=1"),
    "print/rounds/<number:number>/seating/": ("by=table",),
    "print/standings/": ("public=1",),
    "screen/": ("page=2", "page=3"),
    "hand/": ("a=sA&a=sK&a=s10", "a=hA&a=hK&a=h10&b=hA", "a=hA&a=bA&a=lA&b=h9&b=l9&b=b9", "a=x"),
    "screens/": ("screen=2",),
}


def filled(route: str, tournament: Any) -> Iterator[str]:
    """Yield the route with values for its parameters; an entry only with its own round and table."""
    names = re.findall(r"<(?:\w+:)?(\w+)>", route)
    if not names:
        return
    values = [values_of(name, route, tournament) for name in names]
    entries = entries_of(tournament) if "entry" in names else {}
    for chosen in product(*values):
        given = dict(zip(names, chosen, strict=True))
        if entries and entries[given["entry"]] != (given["number"], given["table"]):
            continue
        path = route
        for value in chosen:
            path = re.sub(r"<(?:\w+:)?\w+>", str(value), path, count=1)
        yield f"/{path}"


def entries_of(tournament: Any) -> dict[str, tuple[int, int]]:
    """Return the first entries of the first tables, each with round and table."""
    from scoring.models import SheetEntry

    found = SheetEntry.objects.filter(tournament=tournament, sheet__table__number__lte=2).order_by("id")[:14]
    columns = found.values_list("entry_id", "sheet__table__round__number", "sheet__table__number")
    return {str(entry): (number, table) for entry, number, table in columns}


def values_of(name: str, route: str, tournament: Any) -> list[Any]:
    from django.contrib.auth.models import User

    from scoring.models import Flag, ParkedEntry

    numbers = list(tournament.participants.order_by("start_number").values_list("start_number", flat=True))
    some = [*numbers[:1], *numbers[-3:]]
    values: dict[str, Any] = {
        "slug": [tournament.slug],
        "table": [1, 2] if "write" in route or "entries" in route else [1, 2, 99],
        "start_number": [numbers[0], 999] if "action" in route or "seats" in route else [*some, 999],
        "seats": [4, 6],
        "user_id": list(User.objects.order_by("id").values_list("pk", flat=True)),
        "entry": list(entries_of(tournament)),
        "parked": list(ParkedEntry.objects.filter(tournament=tournament).values_list("pk", flat=True)),
        "flag": list(Flag.objects.filter(tournament=tournament).values_list("pk", flat=True)),
        "decision": list(tournament.decisions.values_list("pk", flat=True)) or [1],
        "action": ["present", "pay", "withdraw", "confirm", "nothing"],
        "desk": [*tournament.desks.values_list("number", flat=True), 9],
        "sign_up": [1],
        "step": ["arrive", "nothing"],
        "invitation_id": [1],
        "pairing": [1],
        "movement": list(tournament.cash_entries.values_list("pk", flat=True)[:2]) or [1],
        "year": [tournament.played_on.year],
    }
    if name == "kind":
        return ["csv", "xlsx"] if "door" in route else ["deal", "stroke", "ranked", "totalled"]
    if name == "number":
        if "/me/" in route:
            return [*numbers[:2], 999]
        return [1, 2, 9] if "screen" in route else [1, 2]
    found: list[Any] = values[name]
    return found


# --- normalising ---------------------------------------------------------------------------------------------------


BLOCKS = (
    "html|head|body|col|colgroup|meta|link|script|title|div|p|ul|ol|li|dl|dt|dd|table|caption|thead|tbody|tfoot|tr|td|th|section|header|footer|main|"
    "nav|article|aside|h1|h2|h3|h4|h5|h6|form|fieldset|legend|option|select|optgroup|template|details|summary|svg|path|use|symbol|br|hr|noscript|figure"
)


def normalised(answer: Any) -> str:
    """Return the status, the headers that are compared, and the body with white space normalised."""
    kind = answer.get("Content-Type", "").partition(";")[0]
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if kind.endswith("spreadsheetml.sheet") and answer.status_code == 200:
        with zipfile.ZipFile(io.BytesIO(body)) as book:
            body = b"\n".join(
                book.read(name) for name in sorted(book.namelist()) if "/sheet" in name or "shared" in name
            )
    text = body.decode(errors="replace")
    if kind == "text/html":
        text = tidy(text)
    if kind == "application/json" and answer.status_code == 200:
        text = json.dumps(json.loads(text), indent=1, ensure_ascii=False)
    names = ["Location", "HX-Refresh", "HX-Redirect"]
    names += ["Cache-Control", "Vary"] if answer.status_code == 200 else []
    headers = {name: answer.get(name) for name in names}
    said = "".join(f"{name}: {value}\n" for name, value in headers.items() if value)
    return f"{answer.status_code} {kind}\n{said}\n{volatile(text)}\n"


def tidy(html: str) -> str:
    """Put each block tag on a line of its own; white space beside these tags has no meaning."""
    text = re.sub(r"\s+", " ", html)
    text = re.sub(rf"\s*(</?(?:{BLOCKS})\b[^>]*>)\s*", r"\n\1\n", text)
    text = re.sub(r"<(\w+)((?:\s+[^<>]*?)?)\s*(/?)>", attributes_in_order, text)
    text = re.sub(r"(</\w+) >", r"\1>", text)
    # Of several blanks with nothing but tags between them one is seen; none at the edge of a line or a button.
    inline = r"(?:a|b|i|s|em|span|small|strong|time|label|abbr)"
    for _ in range(4):
        text = re.sub(rf" (</{inline}>)(?=[ \n]|$|</)", r"\1", text)
        text = re.sub(rf"(^|[ \n>])(<{inline}\b[^>]*>) ", r"\1\2", text)
        text = re.sub(r"(<button\b[^>]*>) | (</button>)", r"\1\2", text)
    return re.sub(r"\n+", "\n", text)


def attributes_in_order(tag: re.Match[str]) -> str:
    attributes = re.sub(r' data-live-part(="\w*")?', "", re.sub(r"  +", " ", tag[2].rstrip()))
    return f"<{tag[1]}{attributes}{tag[3]}>"


def volatile(text: str) -> str:
    """Remove values that change with every response, and file names that may differ."""
    text = re.sub(r'(csrfmiddlewaretoken" value=")\w+', r"\1…", text)
    text = re.sub(r'(name="once" value=")[\w-]+', r"\1…", text)
    text = re.sub(r'("X-CSRFToken": ?")\w+|(X-CSRFToken&quot;: ?&quot;)\w+', "…", text)
    text = re.sub(r"\n<link [^>]*stylesheet[^>]*>|\n<link [^>]*modulepreload[^>]*>", "", text)
    text = re.sub(r'"version": ?"\w{16}"|"files": ?\[[^\]]*\]', "…", text)
    return re.sub(r"nonce-[\w+/=-]+", "nonce", text)


def is_refused_now(before: str, after: str) -> bool:
    """Return whether a read-only page now answers a POST with 405, instead of treating it as a GET or a log-in."""
    return after.startswith("405 ") and before.startswith(("200 ", "204 ", "302 ", "404 "))


def report(old: Path, new: Path) -> int:
    names = sorted({path.relative_to(folder) for folder in (old, new) for path in folder.rglob("*.txt")})
    differing = refused = 0
    for name in names:
        one, other = old / name, new / name
        if not (one.exists() and other.exists()):
            differing += 1
            print(f"only {'before' if one.exists() else 'after'}: {name}")
        elif one.read_text() != other.read_text():
            if is_refused_now(one.read_text(), other.read_text()):
                refused += 1
                continue
            differing += 1
            if differing <= 20:
                before, after = one.read_text().splitlines(), other.read_text().splitlines()
                lines = list(difflib.unified_diff(before, after, lineterm="", n=1))[2:40]
                print("\n".join([f"=== {name}", *lines]))
    print(f"{len(names)} pages, {differing} differ; {refused} that only read answer a POST with 405 now")
    return 1 if differing or not names else 0


if __name__ == "__main__":
    step = os.environ.get("COMPARE_PAGES_STEP")
    if step is None:
        sys.exit(main())
    sys.path.insert(0, os.getcwd())
    import django

    django.setup()
    build() if step == "build" else save(Path(sys.argv[1]))
