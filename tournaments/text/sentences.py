"""Sentences as data: `sentences.toml` beside the modules that use them, German, a line for each.

A file has sections of key -> sentence, or [singular, plural]. `make messages` reads them as it reads the texts in the code.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

Sentence = str | list[str]
Sentences = Mapping[str, Mapping[str, Sentence]]


def sentences_beside(module_file: str) -> Sentences:
    """Return the sections of the file beside a module, in German. module_file: its `__file__`."""
    file = Path(module_file).with_name("sentences.toml")
    sections: Sentences = tomllib.loads(file.read_text(encoding="utf-8"))
    return sections


def translated(sentence: Sentence) -> Sentence:
    """Return a sentence in the reader's language."""
    return gettext(sentence) if isinstance(sentence, str) else [counted(sentence, count) for count in (1, 2)]


def counted(sentence: Sentence, count: int) -> str:
    """Return the form of a sentence for this count, in the reader's language."""
    return ngettext(sentence[0], sentence[1], count)


def translated_section(section: Mapping[str, Sentence]) -> dict[str, Sentence]:
    """Return all sentences of a section in the reader's language."""
    return {key: translated(sentence) for key, sentence in section.items()}


def lazy_section(section: Mapping[str, Sentence]) -> Mapping[str, Promise]:
    """Return the sentences of a section without plurals, translated lazily."""
    return {key: gettext_lazy(str(sentence)) for key, sentence in section.items()}
