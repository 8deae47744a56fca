"""Stylesheets: every class is used in some source, and every file is loaded by some page."""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
STYLES = ROOT / "static" / "css"
SOURCES = [ROOT / name for name in ("templates", "static/js", "scoring", "tournaments")]

COMPOSED = ("board--",)
"""Prefixes of classes that a page completes: `board--{{ page.kind }}`. Each prefix has to occur in the sources."""

SET_BY_LIBRARIES = {"htmx-request"}

RULE = re.compile(r"([^{};]+)\{")
CLASS_SELECTOR = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
CLASS_ATTRIBUTE = re.compile(r'\bclass="((?:\{%.*?%\}|\{\{.*?\}\}|[^"])*)"')
CLASS_BLOCK = re.compile(r"\{% block \w*class %\}(.*?)\{% endblock")
ICON = re.compile(r'icon\("(\w+)"\)')
SCRIPT_STRING = re.compile(r'"([^"\n]*)"|`([^`]*)`')


def selected(styles: Path) -> dict[str, str]:
    """Return every class in a selector, with its stylesheet."""
    found: dict[str, str] = {}
    for path in sorted(styles.rglob("*.css")):
        plain = re.sub(r'/\*.*?\*/|"[^"\n]*"', "", path.read_text(), flags=re.DOTALL)
        selectors = [rule for rule in RULE.findall(plain) if not rule.lstrip().startswith("@")]
        found |= {name: path.name for rule in selectors for name in CLASS_SELECTOR.findall(rule)}
    return found


def named(sources: Sequence[Path]) -> set[str]:
    """Return every word that may be a class: from class attributes in templates, and strings in scripts and modules."""
    paths = [path for folder in sources for path in folder.rglob("*") if path.suffix in READERS]
    return {
        word
        for path in paths
        for text in READERS[path.suffix](path.read_text())
        for word in re.findall(r"[\w-]+", text)
    }


def in_template(text: str) -> Iterator[str]:
    yield from CLASS_ATTRIBUTE.findall(text)
    yield from CLASS_BLOCK.findall(text)


def in_script(text: str) -> Iterator[str]:
    for quoted, composed in SCRIPT_STRING.findall(text):
        yield quoted or composed


def in_module(text: str) -> Iterator[str]:
    tree = ast.parse(text)
    comments = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in comments:
            yield node.value


READERS = {".html": in_template, ".js": in_script, ".py": in_module}


def dead_classes(styles: Path, sources: Sequence[Path]) -> dict[str, str]:
    words = named(sources) | SET_BY_LIBRARIES
    beginnings = tuple(beginning for beginning in COMPOSED if beginning in words)
    classes = selected(styles).items()
    return {name: path for name, path in classes if name not in words and not name.startswith(beginnings)}


def test_every_class_of_a_stylesheet_is_named_somewhere() -> None:
    assert dead_classes(STYLES, SOURCES) == {}


def test_there_are_classes_to_look_at() -> None:
    assert len(selected(STYLES)) > 300


def test_a_class_that_nothing_names_is_found(tmp_path: Path) -> None:
    styles, templates = tmp_path / "css", tmp_path / "templates"
    (styles / "components").mkdir(parents=True)
    templates.mkdir()
    (styles / "components" / "card.css").write_text(
        '/* .told */ @media (min-width: 1.5rem) { .card > .card__dead, .mute::before { content: ".quoted" } }'
    )
    (styles / "screen.css").write_text(".board--play { color: red; } .is-off { color: blue; }")
    (templates / "page.html").write_text(
        '<p class="card{% if x == "y" %} mute{% endif %}">card__dead</p><p class="board--{{ kind }}"></p>'
    )
    (tmp_path / "rows.py").write_text('"""A row that is-off."""\n')
    assert dead_classes(styles, [templates, tmp_path]) == {"card__dead": "card.css", "is-off": "screen.css"}
    (tmp_path / "rows.py").write_text("ROW = '<tr class=\"is-off\">'\n")
    (templates / "view.js").write_text('h("p", { class: on ? "card__dead" : "" });\n')
    assert dead_classes(styles, [templates, tmp_path]) == {}


def test_every_stylesheet_is_linked_or_imported() -> None:
    pages = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    linked = {STYLES.parent / name for name in re.findall(r"static '(css/[^']+)'", pages)}
    imported = {
        path.parent / name
        for path in linked
        for name in re.findall(r'@import url\("([^"]+)"\)', path.read_text())
    }
    assert set(STYLES.rglob("*.css")) - linked - imported == set()


def test_the_signs_of_the_phone_are_those_of_the_other_pages() -> None:
    icons = ROOT / "static" / "icons"
    signs, every = ((icons / f"{name}.svg").read_text().splitlines() for name in ("phone", "sprite"))
    assert [line for line in signs if line not in every] == []
    drawn = {
        name for path in (ROOT / "static/js/sheet").rglob("*.js") for name in ICON.findall(path.read_text())
    }
    assert drawn - {re.findall(r'id="(\w+)"', line)[0] for line in signs if "id=" in line} == set()


def repeated_colours(css: str) -> set[str]:
    colours = re.findall(r"#[0-9a-f]{3,8}\b", css)
    return {colour for colour in colours if colours.count(colour) > 1}


def test_a_colour_of_the_wall_stands_in_one_place() -> None:
    [wall] = STYLES.rglob("wall.css")
    assert repeated_colours(wall.read_text()) == set()
    assert repeated_colours(":root { --lead: #ffdc73; } .a { color: #fff; } .b { color: #ffdc73; }") == {
        "#ffdc73"
    }


WIDTHS = {
    "phone": "max-width: 40rem",
    "tablet": "min-width: 48rem",
    "laptop": "min-width: 64rem",
    "wide": "min-width: 75rem",
}
"""The widths at which pages change, by the names that tokens.css gives them."""

OTHERS = {
    "22.5rem": "at text of 200 % on a phone the bar of a long form does not stay in sight",
    "40rem": "beyond a phone",
}
"""And why."""


def widths(styles: Path) -> dict[str, str]:
    """Return the widths of all windows that are asked about, with a stylesheet; those of the wall and of paper aside."""
    found: dict[str, str] = {}
    for path in sorted(styles.rglob("*.css")):
        queries = (
            re.findall(r"@media ([^{]*)", path.read_text())
            if path.name not in {"wall.css", "print.css"}
            else []
        )
        found |= {
            width: path.name
            for query in queries
            for width in re.findall(r"(?:min|max)-width: [\d.]+\w+", query)
        }
    return found


def allowed() -> set[str]:
    below = {
        f"max-width: {float(width.split()[1][:-3]) - 0.01:.2f}rem"
        for width in WIDTHS.values()
        if width.startswith("min")
    }
    return {*WIDTHS.values(), *below, *(f"min-width: {width}" for width in OTHERS)}


def test_pages_change_at_four_widths_that_have_names() -> None:
    assert {width: path for width, path in widths(STYLES).items() if width not in allowed()} == {}
    tokens = (STYLES / "tokens.css").read_text()
    assert all(f"{name} ({width})" in tokens for name, width in WIDTHS.items())


def test_another_width_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("@media screen and (max-width: 47.99rem) {} @media (min-width: 60rem) {}")
    assert set(widths(tmp_path)) - allowed() == {"min-width: 60rem"}
