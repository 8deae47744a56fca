"""Texts of a ruleset by language. TOML and JSON have a key for each: `title` is the German one, `title_en` the English one."""

import re
from collections.abc import Mapping
from typing import Any

from tournaments.rulesets.reading import RulesetError

SOURCE = "de"
IN_EVERY_RULESET = (SOURCE, "en")
"""The languages that no ruleset lacks; any other may be missing."""

TEXTS = ("title", "manners")
"""The fields that hold a text by language."""

_KEY = re.compile(rf"({'|'.join(TEXTS)})(?:_([a-z]{{2,3}}(?:-[a-z0-9]{{2,8}})*))?")
_PATH = re.compile(rf"({'|'.join(TEXTS)})\.([^.\[]+)")


def key_in(language: str, field: str) -> str:
    """Return the key of a text: "title", "title_en"."""
    return field if language == SOURCE else f"{field}_{language}"


def field_of(key: str) -> tuple[str, str]:
    """Return the field and the language of a key, ("title", "en"); the language is "" if the key is of no such text."""
    named = _KEY.fullmatch(key)
    return (named[1], named[2] or SOURCE) if named else (key, "")


def gathered(source: Mapping[str, Any]) -> dict[str, Any]:
    """Return a ruleset from TOML or JSON with the texts of all languages in one mapping. Manners may be missing."""
    made: dict[str, Any] = {"title": {}, "manners": dict.fromkeys(IN_EVERY_RULESET, ())}
    for key, value in source.items():
        field, language = field_of(key)
        if language:
            made[field][language] = value
        else:
            made[key] = value
    for language in IN_EVERY_RULESET:
        if language not in made["title"]:
            raise RulesetError(key_in(language, "title"), "this field is missing")
    return made


def spread(made: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inverse of `gathered`."""
    source: dict[str, Any] = {}
    for field, value in made.items():
        texts = {key_in(language, field): text for language, text in value.items()} if field in TEXTS else {}
        source |= texts or {field: value}
    return source


def path_in_source(path: str) -> str:
    """Return the path of an error in TOML or JSON: "manners_en[0]" for "manners.en[0]"."""
    return _PATH.sub(lambda named: key_in(named[2], named[1]), path, count=1)
