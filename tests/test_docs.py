"""Names in the documentation exist: files, pictures, commands, options, variables, and texts of the pages."""

import contextlib
import gettext
import io
import re
import subprocess
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.core.management import CommandError, get_commands, load_command_class
from django.core.management.base import BaseCommand
from django.urls import Resolver404, resolve

from schnauz_turnier.start.command_line import MANAGEMENT, _parser
from tests.schnauz_turnier.start.test_command_line import COMMANDS
from tests.shown_commands import without_variables

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
README = (ROOT / "README.md").read_text()
OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
HANDBOOK = (ROOT / "docs" / "handbuch.md").read_text()
ENGLISH_HANDBOOK = (ROOT / "docs" / "handbook.md").read_text()
PROJECT = "schnauz-turnier"
LONGEST_HANDBOOK = 12_000
MAKEFILE = (ROOT / "Makefile").read_text()

every_page = pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)


def links(document: Path) -> list[str]:
    text = document.read_text()
    found = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)
    return [unquote(link) for link in found if not re.match(r"[a-z]+:", link)]


def anchors(document: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def code(text: str) -> list[str]:
    """Return the code in a text: in backquotes, in fences, in indented blocks."""
    return re.findall(r"`([^`\n]+)`", text) + re.findall(r"^(?: {4})?(\S.*)$", blocks(text), re.MULTILINE)


def code_lines(text: str) -> list[str]:
    """Return the lines of the code blocks that are commands: no names of folders, no settings."""
    return [line.strip() for line in blocks(text).splitlines() if re.match(r"\s*[A-Z_=.\w/-]+( |$)", line)]


def blocks(text: str) -> str:
    fenced = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return "\n".join([*fenced, *re.findall(r"^ {4}\S.*$", text, re.MULTILINE)])


@every_page
def test_every_link_leads_to_a_file(document: Path) -> None:
    missing = []
    for link in links(document):
        path, _hash, anchor = link.partition("#")
        target = document.parent / path if path else document
        if not target.exists() or (anchor and anchor not in anchors(target)):
            missing.append(link)
    assert missing == []


@every_page
def test_every_path_set_as_code_exists(document: Path) -> None:
    """A path, like `scoring/public/wall.py` or `docs/`, begins with a folder of the project or is a file at the top."""
    folders = {
        folder.name for folder in ROOT.iterdir() if folder.is_dir() and not folder.name.startswith(".")
    }
    made_later = {"data", "data-demo", "dist"}
    named = {
        path.rstrip("/")
        for path in re.findall(r"`([\w.-]+/[\w./-]*)`", document.read_text())
        if path.split("/")[0] in folders - made_later
    }
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


@every_page
def test_every_make_target_exists(document: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    named = {match for text in code(document.read_text()) for match in re.findall(r"\bmake ([a-z-]+)", text)}
    assert named - targets == set()


def test_the_makefile_explains_every_target_of_the_readme() -> None:
    explained = re.findall(r"^# make ([a-z-]+)", MAKEFILE, re.MULTILINE)
    assert {"run", "test", "demo"} <= set(explained)
    assert set(explained) <= set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def test_the_test_command_of_the_readme_is_what_is_run_before_a_change_goes_in() -> None:
    assert re.findall(r"^make test\b", blocks(README), re.MULTILINE) == ["make test"]
    run = (ROOT / ".ci" / "run").read_text()
    assert re.findall(r"^make (\w+)$", run, re.MULTILINE) == ["test"]


def commands_of_ours() -> set[str]:
    return {
        name
        for name, app in get_commands().items()
        if app in ("scoring", "tournaments", "schnauz_turnier.doctor")
    }


def test_operations_describes_every_command_with_options_that_it_takes() -> None:
    described = dict(
        re.findall(r"^\| `(\w+) ?([^`]*)` \|", OPERATIONS.partition("## Commands")[2], re.MULTILINE)
    )
    assert set(described) == commands_of_ours()
    for name, usage in described.items():
        parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
        known = {option for action in parser._actions for option in action.option_strings}
        assert set(re.findall(r"--[\w-]+", usage)) <= known, name


def test_operations_describes_every_command_of_the_installed_program() -> None:
    table = OPERATIONS.partition("### Installed")[2].partition("\n##")[0]
    described = "".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE))
    assert re.findall(r"`schnauz-turnier (\w+)", described) == COMMANDS


def test_the_readme_names_commands_that_exist() -> None:
    listed = README.partition("**Commands**")[2].partition("\n- ")[0]
    named = {name for name in re.findall(r"`(\w+)`", listed) if "_" in name}
    assert named
    assert named <= commands_of_ours()


@every_page
def test_every_command_that_is_shown_exists(document: Path) -> None:
    named = {name for text in code(document.read_text()) for name in re.findall(r"manage\.py (\w+)", text)}
    assert named - set(get_commands()) == set()


def test_operations_names_every_variable_that_the_settings_read() -> None:
    modules = (
        ROOT / "schnauz_turnier" / name for name in ("settings.py", "mail.py", "postgresql/databases.py")
    )
    settings = "".join(module.read_text() for module in modules)
    read = set(re.findall(r'\benv(?:_\w+)?\("([A-Z_]+)"', settings)) | {"HOST", "PORT", "PG_BIN"}
    listed = re.findall(r"^\| (`[A-Z].*?`) \|", OPERATIONS, re.MULTILINE)
    assert {name for line in listed for name in re.findall(r"`([A-Z_]+)`", line)} == read


def test_operations_names_every_limit_with_its_number() -> None:
    settings = (ROOT / "schnauz_turnier" / "settings.py").read_text()
    block = settings.partition("# --- limits")[2].partition("# ---")[0]
    line = r"^([A-Z_]+) = (of_each_process\()?([\d_.]+)(?:\)|, least=\d\))?(?:  #.*)?$"
    numbers = re.findall(line, block, re.MULTILINE)
    limits = {name: (float(number), bool(shared)) for name, shared, number in numbers}
    assert any(is_shared for _number, is_shared in limits.values())
    table = re.findall(
        r"^\| .*? \| ([\d,.]+?)(, shared)?(?:;.*?)? \| `([A-Z_]+)` \|", OPERATIONS, re.MULTILINE
    )
    assert {name: (float(number.replace(",", "")), bool(shared)) for number, shared, name in table} == limits


def is_served(address: str, urls: str | None) -> bool:
    try:
        return bool(resolve(address, urls))
    except Resolver404:
        return False


@every_page
def test_every_address_of_the_program_is_served(document: Path) -> None:
    """For example `/healthz` and `/t/<slug>/screen/`. The event stream is served outside Django's URLs, but has one."""
    lost = []
    for path in re.findall(r"`(?:GET |POST )?(/[^`#\s]*)`", document.read_text()):
        address = path.replace("<slug>", "abend").replace("<n>", "1")
        if not any(is_served(address, urls) for urls in (None, "schnauz_turnier.clubs.urls")):
            lost.append(path)
    assert lost == []


def test_the_pictures_of_the_readme_are_there_and_small() -> None:
    pictures = re.findall(r"docs/images/[\w-]+\.png", README)
    names = ("organiser", "player", "race", "scribe", "wall")
    assert sorted(pictures) == [f"docs/images/{name}.png" for name in names]
    assert [picture for picture in pictures if (ROOT / picture).stat().st_size > 300_000] == []


def test_the_handbook_uses_the_words_on_the_screen() -> None:
    """Every text in „…“ occurs in a template or a module; a number matches any number."""
    sources = [
        path
        for folder in ("templates", "tournaments", "scoring")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".html", ".py", ".toml")
    ]
    screen = unescape(" ".join(" ".join(path.read_text().split()) for path in sources))
    screen = re.sub(r"%\(\w+\)s|\{\{ ?\w+ ?\}\}|\{\w+\}", "#", screen)
    screen = screen.replace("mehr #", "mehr Fünfertische mehr Sechsertische")  # composed of two texts
    quoted = [" ".join(words.split()) for words in re.findall("„([^“]+)“", HANDBOOK)]
    assert len(quoted) > 50
    known = [words for words in quoted if words != "Anführungszeichen"]
    assert [words for words in known if re.sub(r"\d+", "#", words) not in screen] == []


def test_the_handbooks_fit_on_three_pages() -> None:
    """The limit was measured in print: on A4 at 10 points of a wide typeface, that many characters fill three pages."""
    assert len(HANDBOOK) <= LONGEST_HANDBOOK
    assert len(ENGLISH_HANDBOOK) <= LONGEST_HANDBOOK


def test_both_handbooks_have_the_same_structure() -> None:
    assert structure(ENGLISH_HANDBOOK) == structure(HANDBOOK)


def structure(text: str) -> list[str]:
    """Return how each line begins that begins a heading, an entry of a list or a row; and the keys and figures set as code."""
    lines = re.findall(r"^(#+ |- |\d+\. |\| |\*\*)", text, re.MULTILINE)
    codes = [words.replace(".00", ",00") for words in re.findall("`([^`]+)`", text)]
    return [*lines, *(words.replace("1.50", "1,50") for words in codes)]


def test_the_english_handbook_uses_the_words_on_the_english_screen() -> None:
    """Every text in “…” is one of the catalogue; a number matches any number."""
    catalogue = gettext.translation("django", ROOT / "locale", ["en"])._catalog  # type: ignore[attr-defined]
    screen = re.sub(r"%\(\w+\)[sd]|\{\w+\}", "#", " ".join(catalogue.values()))
    screen = screen.replace("more #", "more tables of five more tables of six")  # composed of two texts
    quoted = {" ".join(words.split()) for words in re.findall("“([^”]+)”", ENGLISH_HANDBOOK)}
    assert len(quoted) > 50
    known = quoted - {"quotation marks"}
    assert [words for words in sorted(known) if re.sub(r"\d+", "#", words) not in screen] == []


# --- commands in the operations page; tests/schnauz_turnier/test_newcomer.py runs those of the README and the handbooks ---


SHOWN = [
    *(words for words in re.findall("`([^`\n]+)`", OPERATIONS)),
    *code_lines(OPERATIONS),
]


def test_every_command_that_is_shown_works_as_it_stands_there() -> None:
    refused = {line: why for line in SHOWN if (why := refusal(line))}
    assert refused == {}


def test_nothing_says_that_a_package_index_has_the_program() -> None:
    """Neither a page of the documentation, nor a file of the kit or of a service, nor a message of the program."""
    folders = (ROOT / "schnauz_turnier" / "packaging" / "kit_files", ROOT / "docs" / "service")
    files = [file for folder in folders for file in folder.iterdir() if file.is_file()]
    files += [*PAGES, ROOT / "locale" / "en" / "LC_MESSAGES" / "django.po"]
    fetched = r"(?:uvx|(?:uv tool|uv pip|pipx?) (?:install|run|download)) +schnauz[-_.]turnier\b.*"
    assert [found for file in files for found in re.findall(fetched, file.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    "made_up",
    [
        "make tea",
        "make restore",
        "schnauz-turnier brew",
        "schnauz-turnier run --sugar",
        "schnauz-turnier export",
        "schnauz-turnier manage brew",
        "schnauz-turnier import evening.json --sugar",
        "HOST=0.0.0.0 schnauz-turnier demo --milk 2",
        "manage.py brew",
        ".venv/bin/python manage.py draw_round SLUG --sugar",
        "python -m schnauz_turnier.kettle",
        "uvx schnauz-turnier",
        "pipx install schnauz-turnier",
        "pip install schnauz_turnier==1.0.0",
        "uv tool install Schnauz-Turnier[all]",
    ],
)
def test_a_made_up_command_is_found(made_up: str) -> None:
    assert refusal(made_up)


def refusal(line: str) -> str:
    """Return why a command cannot be given as it stands there; "" if it can, or if it is none of ours.

    Words in capitals stand for what a user puts there. Nothing is run but `make -n`, which only says what it would do.
    """
    match without_variables(line):
        case ["make", *rest]:
            return refusal_of_make(rest)
        case ["schnauz-turnier", *rest]:
            return refusal_of_ours(rest)
        case ["uv" | "uvx" | "pip" | "pipx", *rest] if (
            "upgrade" not in rest
        ):  # which looks where it was installed from
            return "published nowhere" if any(map(is_our_package, rest)) else ""
        case [".venv/bin/python" | "python", "manage.py", name, *rest] | ["manage.py", name, *rest] if (
            name != "..."
        ):
            return refusal_of_management(name, rest)
        case [".venv/bin/python" | "python", "-m", module, *_rest]:
            return "" if find_spec(module) else "no such module"
    return ""  # a setting, a path, an address, or "manage.py ..."


def is_our_package(word: str) -> bool:
    """Whether a word names the package of the project, which no index has: in any spelling, with a version or without."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", word.lower())[0]) == PROJECT


def refusal_of_make(words: list[str]) -> str:
    said = subprocess.run(["make", "-n", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return said.stderr if said.returncode else ""


def refusal_of_ours(words: list[str]) -> str:
    try:
        with contextlib.redirect_stderr(io.StringIO()) as said:
            given, rest = _parser(PROJECT).parse_known_args(words)
    except SystemExit as end:
        return said.getvalue() if end.code else ""
    if given.command in MANAGEMENT:
        return refusal_of_management(MANAGEMENT[given.command], rest)
    if given.command == "manage":
        return "" if not rest or rest in (["..."], ["COMMAND"]) else refusal_of_management(rest[0], rest[1:])
    return " ".join(rest)


def refusal_of_management(name: str, words: list[str]) -> str:
    if name not in get_commands():
        return "no such command"
    app = get_commands()[name]
    command = app if isinstance(app, BaseCommand) else load_command_class(app, name)
    try:
        command.create_parser("manage.py", name).parse_args(words)
    except CommandError as error:
        return str(error)
    return ""
