"""German source texts and the English catalogue, which is complete, compiled and equivalent."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import polib
import pytest
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.utils.translation.template import templatize

ROOT = Path(__file__).parents[1]
CATALOGUE = ROOT / "locale/en/LC_MESSAGES/django.po"
PACKAGES = ("schnauz_turnier", "tournaments", "scoring")
FUNCTIONS = frozenset(
    {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}
)
PLACEHOLDER = re.compile(r"%\((\w+)\)[a-z]")
STRING = r"""(u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))"""
CALL = re.compile(rf"(?<!\w)(n?p?gettext|_)\(\s*{STRING}(?:,\s*{STRING})?")


def catalogue() -> polib.POFile:
    return polib.pofile(str(CATALOGUE))


def marked() -> Iterator[tuple[str, str]]:
    """Yield every German text that is marked for translation, with its location."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            yield from ((text, path.name) for text in _texts(ast.parse(path.read_text(encoding="utf-8"))))
    for path in (ROOT / "templates").rglob("*.html"):
        for function, first, second in CALL.findall(templatize(path.read_text(encoding="utf-8"))):
            yield ast.literal_eval(second if "p" in function.removesuffix("gettext") else first), path.name


def _texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
            texts = [
                arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            ]
            yield from texts[1:2] if node.func.id.startswith("pgettext") else texts[:1]


def test_every_marked_text_is_in_the_catalogue() -> None:
    known = {entry.msgid for entry in catalogue()}
    assert sorted({f"{name}: {text}" for text, name in marked() if text not in known}) == []


def test_the_catalogue_holds_nothing_that_is_no_longer_said() -> None:
    said = {text for text, _name in marked()}
    assert [entry.msgid for entry in catalogue() if entry.msgid not in said] == []
    assert catalogue().obsolete_entries() == []


def test_everything_is_translated() -> None:
    assert [entry.msgid for entry in catalogue() if not entry.translated() or entry.fuzzy] == []


def test_translations_keep_the_placeholders() -> None:
    for entry in catalogue():
        wanted = set(PLACEHOLDER.findall(entry.msgid + entry.msgid_plural))
        for translation in [entry.msgstr, *entry.msgstr_plural.values()]:
            assert set(PLACEHOLDER.findall(translation)) <= wanted, entry.msgid
        if not entry.msgid_plural:
            assert set(PLACEHOLDER.findall(entry.msgstr)) == wanted, entry.msgid


def test_the_compiled_catalogue_is_the_written_one() -> None:
    def meaning(entries: Iterable[polib.POEntry]) -> dict[object, object]:
        return {(e.msgctxt, e.msgid): (e.msgstr, e.msgstr_plural) for e in entries}

    assert meaning(polib.mofile(str(CATALOGUE.with_suffix(".mo")))) == meaning(catalogue())


@pytest.mark.parametrize(("language", "word"), [("de", "Spielrunden"), ("en", "Rounds")])
def test_the_screen_speaks_both_languages(language: str, word: str) -> None:
    with override(language):
        assert _("Spielrunden") == word
