"""Labels and help texts of the fields of a ruleset, for the organiser who changes it.

They are keyed by the field's path in the document ("tables.sizes") and stand in `ruleset_fields.toml`. There a field may have
the texts of another one (`like`), and its choices may be some (`only`) of a list that several fields have. The form in `organiser.ruleset_form` is
made from them and from the schema. `bad` says what to do about an invalid value, if the general sentence of
`text.refusals` does not fit a form.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from django.utils.functional import Promise
from django.utils.translation import get_language_info, gettext
from django.utils.translation import gettext_lazy as _

from tournaments.rulesets.languages import SOURCE, field_of
from tournaments.rulesets.reading import Between, OneOf
from tournaments.rulesets.schema import Ruleset


@dataclass(frozen=True, slots=True)
class FieldWords:
    """Texts of a field.

    choices: for each value that can be chosen, most usual first. bad: how to mend a value that the form refuses, where the
    general sentence does not fit. also: what a value must be beyond its declaration in the schema (see `expected_value`).
    """

    label: Promise | str
    help: Promise | str
    choices: Mapping[str, Promise] = field(default_factory=dict)
    bad: Promise | None = None
    also: Promise | None = None


def _read() -> Iterator[tuple[str, FieldWords]]:
    document = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for path, field_texts in document["fields"].items():
        texts = document["fields"][field_texts["like"]] if "like" in field_texts else field_texts
        named = texts.get("choices", {})
        choices = document["choices"][named] if isinstance(named, str) else named
        yield (
            path,
            FieldWords(
                _(texts["label"]),
                _(texts["help"]),
                {value: _(choices[value]) for value in texts.get("only", choices)},
                **{name: _(texts[name]) for name in ("bad", "also") if name in texts},
            ),
        )


FIELDS: Mapping[str, FieldWords] = dict(_read())
"""By the path of the field, in the order of the form."""

_TRANSLATIONS: Mapping[str, tuple[Promise, Promise]] = {
    "title": (
        _("Name auf %(language)s"),
        _("Für alle, die auf %(language)s umgestellt haben. Leer: wie auf Deutsch."),
    ),
    "manners": (_("Dasselbe auf %(language)s"), _("Eine Zeile je Regel. Leer: wie auf Deutsch.")),
}
"""Label and help text of a text by language, in another language than German."""


def words_of(path: str) -> FieldWords:
    """Return the texts of the field at a path. Raises KeyError if a ruleset has no such field."""
    name, language = field_of(path)
    if language in ("", SOURCE):
        return FIELDS[path]
    in_language = {"language": get_language_info(language)["name_translated"]}
    label, help_text = (str(words) % in_language for words in _TRANSLATIONS[name])
    return replace(FIELDS[name], label=label, help=help_text)


def expected_value(path: str) -> str:
    """Return the value that a document must hold at a path, by its declaration in the schema."""
    hints, also = _declared(path), words_of(path).also
    value = _in_words(_choices(hints))
    if any(NoneType in get_args(hint) for hint in hints):
        value = gettext("%(value)s, oder null") % {"value": value}
    return f"{value}; {also}" if also else value


def bounds_of(path: str) -> Between | None:
    """Return the bounds of the number at a path, None for any other field."""
    hint = _choices(_declared(path))[0]
    bounds = get_args(hint)[1] if get_origin(hint) is Annotated else None
    return bounds if isinstance(bounds, Between) else None


def _declared(path: str) -> list[Any]:
    """Return the declared types of a field: one for each kind of sheet that has it."""
    hints: list[Any] = [Ruleset]
    for key in field_of(path)[0].split("."):
        tables = [get_type_hints(hint, include_extras=True) for hint in _choices(hints) if is_dataclass(hint)]
        hints = [table[key] for table in tables if key in table]
    return [get_args(hint)[1] if get_origin(hint) is Mapping else hint for hint in hints]


def _choices(hints: Sequence[Any]) -> list[Any]:
    """Return the types without unions and None."""
    unions = [get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,) for hint in hints]
    return [choice for union in unions for choice in union if choice is not NoneType]


def _in_words(hints: Sequence[Any]) -> str:
    hint, origin = hints[0], get_origin(hints[0])
    if origin is tuple:
        return gettext("eine Liste, darin je %(item)s") % {
            "item": _in_words([get_args(each)[0] for each in hints])
        }
    if origin is Literal:
        values = dict.fromkeys(value for each in hints for value in get_args(each))
        return _one_of(values)
    if origin is not Annotated:
        return str(_KINDS.get(hint, _("Felder in geschweiften Klammern")))
    bounds = get_args(hint)[1]
    if isinstance(bounds, OneOf):
        return _one_of(bounds.choices)
    if isinstance(bounds, Between):
        numbers = {"least": bounds.least, "most": bounds.most}
        return gettext("eine ganze Zahl von %(least)s bis %(most)s") % numbers
    return gettext("ein Text mit höchstens %(most)s Zeichen") % {"most": bounds.most}


def _one_of(values: Iterable[str]) -> str:
    return gettext("eines davon: %(choices)s") % {"choices": ", ".join(f"„{value}“" for value in values)}


_KINDS: Mapping[type, Promise] = {bool: _("true oder false"), str: _("ein Text")}
