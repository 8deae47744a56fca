"""Form of a ruleset: one field for each field of the schema, with the texts of `text.ruleset_fields`.

The name of a field is its path in the document with hyphens: "tables-sizes". An optional table of a ruleset
(`stakes`) is a checkbox with its fields below. They are ignored while it is not checked, but their values are
kept.
"""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from itertools import groupby
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from django import forms
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.core.refusal import Refusal
from tournaments.forms import (
    CleanField,
    EurosField,
    HalvesField,
    LinesField,
    NameField,
    NumbersField,
    OrderField,
    TextField,
    WholeNumberField,
    as_error,
)
from tournaments.rulesets.languages import IN_EVERY_RULESET, SOURCE, field_of, key_in
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.reading import RulesetError
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.tie_breaks import TIE_BREAKS, tie_breaks_of
from tournaments.text.ruleset_fields import FIELDS, bounds_of, words_of

FIXED = frozenset({"sheet.kind", "sheet.ruf.tout"})
"""Fields that no form changes: the kind follows from the preset, and a Rufspiel is never a Tout."""

_ONLY_FOR: Mapping[str, tuple[str, ...]] = {
    "points": ("survival",),
    "hands": ("survival", "hand_points"),
}
"""Kinds of sheets that have the field; a field that is not listed belongs to every kind."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A field of the schema, or one language of a text. hint: its type without None. is_table: whether it is an optional table."""

    path: str
    hint: Any
    optional: bool
    is_table: bool = False

    @property
    def name(self) -> str:
        return self.path.replace(".", "-")

    @property
    def table(self) -> str:
        """The path of the table that contains the field, "" for the ruleset itself."""
        return self.path.rpartition(".")[0]

    @property
    def first_key(self) -> str:
        """The field of the ruleset that is or contains this one."""
        return field_of(self.path.partition(".")[0])[0]

    @property
    def is_translation(self) -> bool:
        return field_of(self.path)[1] not in ("", SOURCE)


def leaves(kind: str, cls: Any = Ruleset, prefix: str = "") -> Iterator[Leaf]:
    """Yield every field of a ruleset with this kind of sheet, in the order of the schema."""
    hints = get_type_hints(cls)
    for field in fields(cls):
        path, hint = prefix + field.name, hints[field.name]
        choices = [choice for choice in get_args(hint) if choice is not NoneType]
        optional = NoneType in get_args(hint)
        tables = [choice for choice in (choices or [hint]) if is_dataclass(choice)]
        if path in FIXED or kind not in _ONLY_FOR.get(path, (kind,)):
            continue
        if get_origin(hint) is Mapping:
            yield from (
                Leaf(key_in(code, path), get_args(hint)[1], optional=False)
                for code, _name in settings.LANGUAGES
            )
            continue
        if not tables:
            yield Leaf(path, choices[0] if optional else hint, optional)
            continue
        if optional:
            yield Leaf(path, bool, optional, is_table=True)
        table = tables[0] if len(tables) == 1 else next(cls for cls in tables if _kind_of(cls) == kind)
        yield from leaves(kind, table, f"{path}.")


def _kind_of(cls: Any) -> str:
    return str(get_args(get_type_hints(cls)["kind"])[0])


@dataclass(frozen=True, slots=True)
class Group:
    """Fields of one table. words: texts for all of them, if the table is nested in another."""

    path: str
    fields: tuple[forms.BoundField, ...]

    @property
    def words(self) -> Any:
        return FIELDS[self.path] if "." in self.path else None


@dataclass(frozen=True, slots=True)
class Section:
    """Fields shown together. switch: the checkbox without which the others are ignored."""

    title: Promise | str
    switch: forms.BoundField | None
    groups: tuple[Group, ...]

    @property
    def is_open(self) -> bool:
        """Whether the section contains an error."""
        switches = [self.switch] if self.switch else []
        return any(field.errors for field in [*switches, *(f for group in self.groups for f in group.fields)])


_CHOOSE = _("Bitte eine der Möglichkeiten wählen.")

_SECTIONS: tuple[tuple[Promise | None, tuple[str, ...]], ...] = (
    (_("Tische und Auslosung"), ("tables", "drawn_ahead", "starts_at_sign")),
    (_("Weiterkommen und Finale"), ("qualifying",)),
    (_("Punkte und Gleichstand"), ("points", "tie_break", "lot_by_program")),
    (_("Einsatz und Pott"), ("stakes",)),
    (None, ("sheet",)),
    (_("Karten und was sie zählen"), ("hands",)),
    (
        _("Schreiben, bestätigen, zurücknehmen"),
        ("scribe", "volunteer_scribe", "towns_on_sheet", "pen_needs_supervisor", "scribe_takes_back", "objections_end", "last_instance", "confirmation"),
    ),
    (_("Was sonst noch gilt"), ("manners",)),
    (_("Name der Regeln"), ("title", "name")),
)  # fmt: skip
"""Paths of fields or tables, shown on request. Fields that no section names are shown above them."""


class RulesForm(forms.Form):
    """Form for a copy of `base`, field by field. With stand=True it is read-only.

    has_fees: the tournament has fees of its own, so the ruleset's fee is not asked for.
    """

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        base: Ruleset,
        stand: bool = False,
        has_fees: bool = False,
    ) -> None:
        super().__init__(data, prefix="rules")
        self.base, self.has_fees = base, has_fees
        document = base.to_dict()
        for leaf in self.leaves:
            field = _field(leaf, base.sheet.kind)
            field.initial = _initial(leaf, document)
            field.disabled = stand
            self.fields[leaf.name] = field

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        asked = leaves(self.base.sheet.kind)
        return tuple(leaf for leaf in asked if not (self.has_fees and leaf.path == "entry_fee_cents"))

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that was typed, once the form is valid."""
        ruleset: Ruleset = self.cleaned_data["ruleset"]
        return ruleset

    @property
    def first_fields(self) -> list[forms.BoundField]:
        """The fields outside the sections, which are always shown."""
        hidden = {path for _title, paths in _SECTIONS for path in paths}
        return [self[leaf.name] for leaf in self.leaves if leaf.first_key not in hidden]

    @property
    def sections(self) -> list[Section]:
        made = [self._section(title, paths) for title, paths in _SECTIONS]
        return [section for section in made if section.groups]

    def _section(self, title: Promise | None, paths: tuple[str, ...]) -> Section:
        in_section = [leaf for path in paths for leaf in self.leaves if leaf.first_key == path]
        switch = next((self[leaf.name] for leaf in in_section if leaf.is_table), None)
        groups = groupby((leaf for leaf in in_section if not leaf.is_table), key=lambda leaf: leaf.table)
        return Section(
            title or FIELDS[paths[0]].label,
            switch,
            tuple(Group(path, tuple(self[leaf.name] for leaf in group)) for path, group in groups),
        )

    def clean(self) -> dict[str, Any]:
        for leaf in self.leaves:
            if self._is_switched_off(leaf):
                self.errors.pop(leaf.name, None)
        if not self.errors:
            try:
                self.cleaned_data["ruleset"] = Ruleset.from_dict(self._document())
            except RulesetError as error:
                self._say(error)
        return self.cleaned_data

    def _is_switched_off(self, leaf: Leaf) -> bool:
        return bool(leaf.table) and self.cleaned_data.get(leaf.table) is False

    def _document(self) -> dict[str, Any]:
        """Return the document of `base` with the typed values."""
        document = copy.deepcopy(self.base.to_dict())
        for leaf in self.leaves:
            if self._is_switched_off(leaf):
                continue
            typed = self.cleaned_data[leaf.name]
            if leaf.is_translation and not typed:
                document.pop(leaf.path, None)
                continue
            if leaf.is_table:
                typed = (_at(document, leaf.path) or {}) if typed else None
            _at(document, leaf.table)[leaf.path.rpartition(".")[2]] = (
                typed if typed != "" or not leaf.optional else None
            )
        for language in IN_EVERY_RULESET:
            document.setdefault(key_in(language, "title"), document["title"])
        return document

    def _say(self, error: RulesetError) -> None:
        path = error.path.partition("[")[0]
        name = path.replace(".", "-")
        if name in self.fields:
            self.add_error(name, forms.ValidationError(_bad(path), code="ruleset_bad"))
        else:
            self.add_error(None, as_error(Refusal("ruleset_bad", path=error.path)))


def _at(document: Mapping[str, Any] | None, path: str) -> Any:
    """Return the value at this path; None if a table of the path is missing."""
    value: Any = document
    for key in filter(None, path.split(".")):
        value = None if value is None else value.get(key)
    return value


def _initial(leaf: Leaf, document: Mapping[str, Any]) -> Any:
    """Return the initial value of the field; if its table is missing, the value of a preset that has it."""
    if leaf.is_table:
        return _at(document, leaf.path) is not None
    if _at(document, leaf.table) is None:
        others = (preset(name).to_dict() for name in PRESETS)
        document = next((other for other in others if _at(other, leaf.table) is not None), document)
    return _at(document, leaf.path)


def _bad(path: str) -> Any:
    if (bad := words_of(path).bad) is None and (bounds := bounds_of(path)) is not None:
        numbers = {"least": bounds.least, "most": bounds.most}
        return gettext("Bitte eine Zahl von %(least)s bis %(most)s.") % numbers
    return bad or _("Das geht hier nicht. Bitte prüfen und noch einmal eingeben.")


def _field(leaf: Leaf, kind: str) -> forms.Field:
    words, bad = words_of(leaf.path), _bad(leaf.path)
    texts: dict[str, Any] = {"label": words.label, "help_text": words.help}
    if leaf.path.endswith("_half_points"):
        return HalvesField(bad=bad, **texts)
    if leaf.path.endswith("_cents"):
        return EurosField(**texts)
    if leaf.hint is bool:
        return forms.BooleanField(required=False, **texts)
    if leaf.hint is int:
        return WholeNumberField(bad=bad, empty=leaf.optional, **texts)
    if leaf.hint is str:
        return _text_field(leaf, texts)
    if get_args(leaf.hint)[0] is int:
        return NumbersField(**texts)
    if get_args(leaf.hint)[0] is str and leaf.path != "tie_break":
        return LinesField(**texts)
    return _choice_field(leaf, kind, texts)


def _text_field(leaf: Leaf, texts: dict[str, Any]) -> forms.Field:
    if leaf.path == "name":
        return CleanField(str.strip, **texts)
    if leaf.path == "title":
        return NameField(most=120, **texts)
    return TextField(most=120, **texts)


def _choice_field(leaf: Leaf, kind: str, texts: dict[str, Any]) -> forms.Field:
    words = FIELDS[leaf.path]
    bad: Any = words.bad or _CHOOSE
    texts |= {"error_messages": {"required": bad, "invalid_choice": bad}}
    if get_origin(leaf.hint) is Literal:
        return forms.ChoiceField(
            choices=_choices(leaf.hint, words.choices), widget=forms.RadioSelect, **texts
        )
    if leaf.path == "tie_break":
        keys = tie_breaks_of(kind, in_knockout=True)
        return OrderField(choices=[(key, gettext(TIE_BREAKS[key].choice)) for key in keys], bad=bad, **texts)
    options = _choices(get_args(leaf.hint)[0], words.choices)
    return forms.MultipleChoiceField(
        choices=options, required=False, widget=forms.CheckboxSelectMultiple, **texts
    )


def _choices(literal: Any, words: Mapping[str, Promise]) -> list[tuple[str, Promise]]:
    return [(value, words[value]) for value in get_args(literal) if value in words]
