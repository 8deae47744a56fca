"""Strict reader of frozen dataclasses from parsed TOML or JSON, directed by their annotations.

Annotations are int, str, bool, Literal, tuple[X, ...], Mapping[str, X], a dataclass, `X | None` (may be missing), a union of
dataclasses that differ in their field `kind`, and Annotated[int, Between(...)], Annotated[str, Visible(...)] and
Annotated[str, OneOf(...)], whose bounds are checked here. A field with a default may be missing as well.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

MOST_IN_A_LIST = 60
"""More than any list of a ruleset has: its pages name every item."""

_T = TypeVar("_T")
_EXPECTED = {int: "a whole number is expected", str: "a text is expected", bool: "yes or no"}


class RulesetError(ValueError):
    """An invalid ruleset: `path` names the field ("tables.sizes"), `message` describes the error."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path
        self.message = message


@dataclass(frozen=True, slots=True)
class Between:
    """The whole numbers that a field may hold."""

    least: int
    most: int

    def check(self, number: int, path: str) -> None:
        if not self.least <= number <= self.most:
            raise RulesetError(path, f"a number from {self.least} to {self.most} is expected")


@dataclass(frozen=True, slots=True)
class Visible:
    """The texts that a field may hold: one line of so many characters at most, and not only spaces."""

    most: int

    def check(self, text: str, path: str) -> None:
        if not 0 < len(text.strip()) <= self.most or not text.isprintable():
            raise RulesetError(path, f"1 to {self.most} characters, all of them visible")


@dataclass(frozen=True, slots=True)
class OneOf:
    """The keys that a field may hold."""

    choices: Collection[str]

    def check(self, key: str, path: str) -> None:
        if key not in self.choices:
            raise RulesetError(path, "one of " + ", ".join(self.choices))


def read(cls: type[_T], source: object, path: str = "") -> _T:
    """Return `source` as an object of the dataclass `cls`. Raises RulesetError on the first bad field."""
    table = _mapping(source, path)
    hints = get_type_hints(cls, include_extras=True)
    _check_known(table, hints, path)
    defaults = {field.name for field in fields(cls) if field.default is not MISSING}  # type: ignore[arg-type]
    for name, hint in hints.items():
        if name not in table and name not in defaults and NoneType not in get_args(hint):
            raise RulesetError(_join(path, name), "this field is missing")
    values = {
        name: _value(hint, table.get(name), _join(path, name))
        for name, hint in hints.items()
        if name in table or name not in defaults
    }
    try:
        return cls(**values)
    except RulesetError as error:
        raise error if not path else RulesetError(_join(path, error.path), error.message) from None


def _value(hint: Any, value: object, path: str) -> Any:
    """Return `value` as the annotation `hint` requires; bool is not int, and nothing is converted silently."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return _one_of(arguments, value, path)
    if origin is Annotated:
        kind, bounds = arguments
        bounds.check(_value(kind, value, path), path)
        return value
    if origin is Literal:
        if value not in arguments:
            raise RulesetError(path, "one of " + ", ".join(map(str, arguments)))
        return value
    if origin is tuple:
        return tuple(
            _value(arguments[0], item, f"{path}[{index}]") for index, item in enumerate(_list(value, path))
        )
    if origin is Mapping:
        return {
            key: _value(arguments[1], item, _join(path, key)) for key, item in _mapping(value, path).items()
        }
    if is_dataclass(hint):
        return read(hint, value, path)  # type: ignore[arg-type]
    if type(value) is not hint:
        raise RulesetError(path, _EXPECTED[hint])
    return value


def _list(value: object, path: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise RulesetError(path, "a list is expected")
    if len(value) > MOST_IN_A_LIST:
        raise RulesetError(path, f"a list has {MOST_IN_A_LIST} items at most")
    return value


def _one_of(hints: Iterable[Any], value: object, path: str) -> Any:
    choices = [hint for hint in hints if hint is not NoneType]
    if value is None and NoneType in hints:
        return None
    return _value(choices[0] if len(choices) == 1 else _of_its_kind(choices, value, path), value, path)


def _of_its_kind(choices: Iterable[type], value: object, path: str) -> type:
    """Return the dataclass whose `kind` the value has."""
    table = _mapping(value, path)
    by_kind = {get_args(get_type_hints(choice)["kind"])[0]: choice for choice in choices}
    if "kind" not in table:
        raise RulesetError(_join(path, "kind"), "this field is missing")
    kind = table["kind"]
    if not isinstance(kind, str) or kind not in by_kind:
        raise RulesetError(_join(path, "kind"), "one of " + ", ".join(by_kind))
    return by_kind[kind]


def _mapping(source: object, path: str) -> Mapping[str, Any]:
    if not isinstance(source, Mapping):
        raise RulesetError(path, "a table of fields is expected")
    return source


def _check_known(source: Mapping[str, Any], hints: Mapping[str, Any], path: str) -> None:
    unknown = sorted(str(key) for key in source.keys() - hints.keys())
    if unknown:
        raise RulesetError(_join(path, unknown[0]), "this field is not known")


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
