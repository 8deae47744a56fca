"""Sentences as data: `sentences.toml` beside the modules that use them, German, a line for each.

A file has sections of key -> sentence, or [singular, plural]. `make messages` reads them as it reads the texts in the code.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

Sentence = str | list[str]
Sentences = Mapping[str, Mapping[str, Sentence]]
Labels = Mapping[str, Promise]


@lru_cache(maxsize=16)
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


def labels_beside(module_file: str, section: str) -> Labels:
    """Return a section of labels, each translated when it is shown."""
    return lazy_section(sentences_beside(module_file)[section])


def sentence_maker(module_file: str, section: str) -> Callable[..., str]:
    """Return a function that says a sentence of the section: its key and the values of its placeholders as arguments.

    The function answers in the reader's language, and raises KeyError for an unknown key.
    """
    sentences = sentences_beside(module_file)[section]

    def say(key: str, **values: object) -> str:
        sentence = gettext(str(sentences[key]))
        return sentence % values if values else sentence

    return say
