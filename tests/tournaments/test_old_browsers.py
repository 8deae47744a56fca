"""Styles as old browsers read them: nothing that they would drop, and nothing else in today's browsers."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT
from tournaments.old_browsers import lowered

CSS = ROOT / "static/css"
UNREADABLE = {
    "a layer": r"@layer",
    ":is()": r":is\(|:where\(",
    "a list in :not()": r":not\([^()]*,",
    "inset": r"[;{]inset:",
    "a logical property": r"[;{](?:margin|padding|border|inset|scroll-(?:margin|padding))-(?:inline|block)",
    "a logical size": r"[;{](?:(?:min|max)-)?(?:inline|block)-size:",
}
NEW = re.compile(r":has\(|:focus-visible")


def unreadable(css: str) -> Iterator[str]:
    """Yield what Chrome 68 cannot read in a minified style sheet, and has no other form there."""
    for name, pattern in UNREADABLE.items():
        if re.search(pattern, css):
            yield name
    for selectors in re.findall(r"(?<=[{}])([^{}@;]+)\{", "}" + css):
        if NEW.search(selectors) and "," in re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "", selectors):
            yield "a selector that takes others along"
    if css.count("@container") != css.count("@supports not (container-type:inline-size)"):
        yield "a container query without the window's"


def sheets() -> dict[str, str]:
    """Return the style sheets that pages link, by name, each with what it imports."""

    def whole(path: Path) -> str:
        text = path.read_text(encoding="utf-8")
        return re.sub(r'@import url\("([^"]+)"\);', lambda part: whole(path.parent / part[1]), text)

    parts = {"components", "rounds"}
    return {path.name: whole(path) for path in CSS.rglob("*.css") if path.parent.name not in parts}


@pytest.mark.parametrize("name", sorted(sheets()))
def test_every_style_sheet_is_readable(name: str) -> None:
    assert list(unreadable(lowered(sheets()[name], name))) == []


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ("@layer base{a{color:red}}", "a layer"),
        ("a:is(b,i){color:red}", ":is()"),
        ("a:not(.b,.c){color:red}", "a list in :not()"),
        ("a{inset:0}", "inset"),
        ("a{color:red;margin-inline:0}", "a logical property"),
        ("a{min-block-size:0}", "a logical size"),
        ("a,b:has(i){color:red}", "a selector that takes others along"),
        ("b:focus-visible,a{color:red}", "a selector that takes others along"),
        ("@container (width<=3rem){a{color:red}}", "a container query without the window's"),
    ],
)
def test_what_is_not_readable_is_found(planted: str, told: str) -> None:
    assert told in unreadable(planted)


@pytest.mark.parametrize(
    ("css", "made"),
    [
        # A layer outweighs those before it.
        ("@layer base, pages; @layer pages { a::before { top: 0 } }", "a:not(#_):not(#_):before{top:0}"),
        ("@layer reset { ul[class] { top: 0 } } @layer base { ul { top: 1px } }", "ul[class]{top:0}ul:not(._):not(._){top:1px}"),
        # Sides.
        ("a { margin-inline: 1px 2px; inset-block-end: 0 }", "a{margin-left:1px;margin-right:2px;bottom:0}"),
        ("a { inset: auto 0 0 }", "a{top:auto;bottom:0;left:0;right:0}"),
        ("a { inset: 0 !important }", "a{top:0!important;bottom:0!important;left:0!important;right:0!important}"),
        ("a { border-block: 1px solid red; inline-size: 3px !important }", "a{border-top:1px solid red;border-bottom:1px solid red;width:3px!important}"),
        # Lists, each as heavy as the heaviest of them.
        (".a :is(b, .c) { top: 0 }", ".a b:not(._),.a .c{top:0}"),
        ("a:not(.b, .c) { top: 0 }", "a:not(.b):not(.c){top:0}"),
        # What a browser does not know takes nothing along.
        ("a, :focus-visible { top: 0 }", "a{top:0}:focus-visible{top:0}@supports not (accent-color:auto){:focus{top:0}}"),
        ("a:empty, a:not(:has(b)) { top: 0 }", 'a:empty{top:0}a:not(:has(b)){top:0}a[data-has-71beeff9=no]{--has:"b";top:0}'),
        # Gaps.
        (".a { display: flex; gap: 1px 2px }", "@supports not ((appearance:none) or (inset:0)){.a>*+*{margin-left:2px}.a:before,.a>.icon:only-child{margin-right:2px}}.a{gap:1px 2px;display:flex}"),
        ("@media (max-height: 9rem) { @container hall (max-width: 9rem) { .a { display: flex; flex-flow: column; gap: 1px } } }", "@supports not ((appearance:none) or (inset:0)){@media (max-height:9rem){@media (max-width:11rem){.a>*+*{margin-top:1px}}}}@media (max-height:9rem){@container hall (width<=9rem){.a{flex-flow:column;gap:1px;display:flex}}@supports not (container-type:inline-size){@media (max-width:11rem){.a{flex-flow:column;gap:1px;display:flex}}}}"),
        (".a { display: grid; gap: 1px }", ".a{gap:1px;display:grid}"),
        # The window instead of a container; a page is narrower by its padding.
        ("@container hall (max-width: 37rem) { a { top: 0 } }", "@container hall (width<=37rem){a{top:0}}@supports not (container-type:inline-size){@media (max-width:39rem){a{top:0}}}"),
        ("@font-face { font-family: b; src: url(b) }", "@supports (font-optical-sizing:auto){@font-face{font-family:b;src:url(b)}}"),
        ("a { overflow: clip }", "a{overflow:clip}@supports not (overflow:clip){a{overflow:hidden}}"),
        ("a { top: clamp(1px, 2vw, 3px) }", "a{top:1px;top:max(1px,min(2vw,3px))}"),
    ],
)  # fmt: skip
def test_styles_are_made_of_plainer_means(css: str, made: str) -> None:
    assert lowered(f"@layer reset {{ {css} }}") == made


@pytest.mark.parametrize(
    "css",
    [
        "a { top: 0 }",
        "@media print { a { top: 0 } }",
        "@layer unknown { a { top: 0 } }",
        "@layer base { a:not(:is(.b, .c)) { top: 0 } }",
        "@layer base { a:not(.b:not(.c):is(.d, .e)) { top: 0 } }",
        "@layer base { a:not(:has(:is(b, i))) { top: 0 } }",
        "@layer base { :where(a) { top: 0 } }",
        "@layer base { @container not (max-width: 9rem) { a { top: 0 } } }",
        "@layer base { @container hall not (max-width: 9rem) { a { top: 0 } } }",
    ],
)
def test_what_would_be_made_wrongly_is_refused(css: str) -> None:
    with pytest.raises(ValueError, match="no "):
        lowered(css)
