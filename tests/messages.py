"""`make messages`: bring the catalogues in line with the texts in the program.

Entries that nothing says any more go, new ones come without a translation, and all stand in the order of their texts, a text on a
line. So two changes seldom touch the same lines. What is left to translate is printed; the status is 1 until nothing is.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import django
import polib
from django.utils.translation.template import templatize

from tournaments.rulesets.loader import PRESETS, preset

ROOT = Path(__file__).parents[1]
PACKAGES = ("schnauz_turnier", "tournaments", "scoring")
FUNCTIONS = frozenset(
    {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}
)
PLACEHOLDER = re.compile(r"%\((\w+)\)[a-z]")
STRING = r"""(u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))"""
CALL = re.compile(rf"(?<!\w)(n?p?gettext|_)\(\s*{STRING}(?:,\s*{STRING})?(?:,\s*{STRING})?")


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A text that is marked for translation; context and plural are empty where it has none."""

    singular: str
    plural: str = ""
    context: str = ""

    @classmethod
    def of(cls, function: str, arguments: list[str]) -> "Text":
        kind = function.removesuffix("_lazy").removesuffix("gettext")
        context = arguments.pop(0) if "p" in kind else ""
        return cls(arguments[0], arguments[1] if "n" in kind else "", context)


def marked(root: Path = ROOT) -> Iterator[tuple[Text, str]]:
    """Yield each text that is marked for translation, and the name of its file."""
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            yield from ((text, path.name) for text in _in_python(tree))
        for path in sorted((root / package).rglob("sentences.toml")):
            for sentence in chain.from_iterable(map(dict.values, _parsed(path).values())):
                yield Text(sentence) if isinstance(sentence, str) else Text(*sentence), path.name
    texts = root / "tournaments"
    yield from ((Text(text), "ruleset_fields.toml") for text in _of_fields(texts / "text"))
    yield from ((Text(text), "tie_breaks.toml") for text in _of_tie_breaks(texts / "rulesets" / "words"))
    for path in sorted((root / "templates").rglob("*.html")):
        for function, *strings in CALL.findall(templatize(path.read_text(encoding="utf-8"))):
            kind = "gettext" if function == "_" else function
            yield Text.of(kind, [ast.literal_eval(string) for string in strings if string]), path.name


def _parsed(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _of_fields(folder: Path) -> Iterator[str]:
    """Yield the texts of the fields of a ruleset and of their choices."""
    fields = _parsed(folder / "ruleset_fields.toml")
    for texts in chain(*(fields.get(part, {}).values() for part in ("fields", "choices"))):
        named = texts.get("choices")
        yield from (value for key, value in texts.items() if key not in ("like", "only", "choices"))
        yield from named.values() if isinstance(named, dict) else ()


def _of_tie_breaks(folder: Path) -> Iterator[str]:
    for texts in _parsed(folder / "tie_breaks.toml").values():
        yield from (
            value for key, value in texts.items() if key not in ("kinds", "column", "only_in_knockout")
        )


def _in_python(tree: ast.AST) -> Iterator[Text]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
            strings = [
                argument.value
                for argument in node.args
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            ]
            if strings:
                yield Text.of("gettext" if node.func.id == "_" else node.func.id, strings)


def texts_of_presets(language: str) -> Iterator[Text]:
    """Yield the German texts of the presets that say nothing in a language: its catalogue may translate them."""
    for rules in map(preset, PRESETS):
        if language not in rules.title:
            yield Text(rules.title["de"])
        if language not in rules.manners:
            yield from map(Text, rules.manners["de"])


def plural_forms(catalogue: polib.POFile) -> int:
    """Return the number of plural forms of the language, as the head of the catalogue says it."""
    said = re.search(r"nplurals=(\d+)", catalogue.metadata.get("Plural-Forms", ""))
    return int(said[1]) if said else 2


def brought_up_to_date(catalogue: polib.POFile) -> polib.POFile:
    """Return a catalogue with an entry for each marked text, in their order. Translations are those of `catalogue`."""
    translated = {(entry.msgid, entry.msgctxt or ""): entry for entry in catalogue if not entry.obsolete}
    made = polib.POFile(wrapwidth=0)
    made.header, made.metadata = catalogue.header, catalogue.metadata
    said = [
        *(text for text, _name in marked()),
        *texts_of_presets(catalogue.metadata.get("Language", "en")),
    ]
    texts = {(text.singular, text.context): text for text in sorted(said)}  # with a plural, if once
    for key, text in sorted(texts.items()):
        entry = translated.get(key) or polib.POEntry(msgid=text.singular, msgctxt=text.context or None)
        if text.plural and entry.msgid_plural != text.plural:
            entry.msgid_plural, entry.msgstr = text.plural, ""
            entry.msgstr_plural = dict.fromkeys(range(plural_forms(catalogue)), "")
        others = [flag for flag in entry.flags if flag != "python-format"]
        entry.flags = (
            ["python-format", *others] if PLACEHOLDER.search(text.singular + text.plural) else others
        )
        made.append(entry)
    return made


def main() -> int:
    django.setup()
    left = 0
    for path in sorted((ROOT / "locale").glob("*/LC_MESSAGES/django.po")):
        catalogue = brought_up_to_date(polib.pofile(str(path)))
        path.write_text(f"{catalogue}\n", encoding="utf-8")
        for entry in catalogue:
            if not entry.translated() or entry.fuzzy:
                left += 1
                print(f"{path.parts[-3]}: {entry.msgid}")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
