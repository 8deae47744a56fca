"""Columns, services, refusals and caches: conventions that a reader should be able to rely on."""

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest
from django.apps import apps
from django.db import models
from django.db.models import DateField, DateTimeField

import scoring
import tournaments
from scoring.text import refusals as scoring_refusals
from tests.architecture.sources import ROOT, modules, plant
from tournaments.text import refusals as wording

PACKAGES = (tournaments, scoring)
OUR_MODELS = [model for app in ("tournaments", "scoring") for model in apps.get_app_config(app).get_models()]


def fields_of(kind: type[object]) -> Iterator[tuple[str, str]]:
    for model in OUR_MODELS:
        for field in model._meta.get_fields():
            if type(field) is kind:
                yield model.__name__, field.name


def test_moments_end_in_at() -> None:
    others = [
        (model, name) for model, name in fields_of(DateTimeField) if name != "at" and not name.endswith("_at")
    ]
    assert others == []


def test_days_end_in_on() -> None:
    assert [(model, name) for model, name in fields_of(DateField) if not name.endswith("_on")] == []


def test_no_money_is_kept_in_fractions() -> None:
    assert [*fields_of(models.DecimalField), *fields_of(models.FloatField)] == []


def services() -> Iterator[FunctionType]:
    for package in PACKAGES:
        folder = import_module(f"{package.__name__}.services")
        for info in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
            module = import_module(info.name)
            for name, function in inspect.getmembers(module, inspect.isfunction):
                if function.__module__ == module.__name__ and not name.startswith("_"):
                    yield function


@pytest.mark.parametrize(
    "service", list(services()), ids=lambda service: f"{service.__module__}.{service.__name__}"
)
def test_booleans_are_named_where_a_service_is_called(service: FunctionType) -> None:
    """`register(…, paid=True)` can be read, `register(…, True)` cannot."""
    by_position = [
        name
        for name, parameter in inspect.signature(service).parameters.items()
        if parameter.annotation in (bool, "bool") and parameter.kind is not inspect.Parameter.KEYWORD_ONLY
    ]
    assert by_position == []


def raised_in(package: object) -> set[str]:
    """The codes of all `Refusal("code", ...)` that stand in the sources of a package."""
    folder = Path(inspect.getfile(package)).parent  # type: ignore[arg-type]
    codes = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal" and node.args:
                (first, *_) = node.args
                if isinstance(first, ast.Constant):
                    codes.add(str(first.value))
    return codes


def worded_in(module: object) -> set[str]:
    tables = (getattr(module, name, {}) for name in ("_SENTENCES", "_MADE"))
    return {code for table in tables for code in table}


PUT_TOGETHER = {
    f"{kind}_{what}" for kind in ("name", "text") for what in ("empty", "too_long", "bad_characters")
}
"""The codes that core/names.py puts together."""


def test_every_refusal_has_its_sentence() -> None:
    assert (raised_in(tournaments) | PUT_TOGETHER) - worded_in(wording) == set()
    assert raised_in(scoring) - worded_in(wording) - worded_in(scoring_refusals) == set()


# --- memory ----------------------------------------------------------------------------------------------------------

FROM_A_CLOSED_SET = {
    "schnauz_turnier/web/metrics.py _answers",  # routes and classes of a status
    "tournaments/rulesets/loader.py preset",  # the rule sheets of the program
}


def unbounded_caches(root: Path) -> Iterator[str]:
    """Yield the functions that keep every result for ever, though they take arguments."""
    for module in modules(root):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef) and ast.unparse(node.args):
                kept = [ast.unparse(one).rpartition("functools.")[2] for one in node.decorator_list]
                if {"cache", "lru_cache(maxsize=None)", "lru_cache(None)"} & set(kept):
                    yield f"{module.path.as_posix()} {node.name}"


def test_no_input_makes_a_cache_grow_for_ever() -> None:
    assert set(unbounded_caches(ROOT)) == FROM_A_CLOSED_SET


def test_caches_that_grow_for_ever_are_found(tmp_path: Path) -> None:
    text = (
        "@cache\ndef once(): ...\n\n@lru_cache(maxsize=64)\ndef few(text): ...\n\n"
        "@cache\ndef one(text): ...\n\n@functools.lru_cache(maxsize=None)\ndef other(text): ...\n"
    )
    plant(tmp_path, "scoring/public/words.py", text)
    assert list(unbounded_caches(tmp_path)) == [
        "scoring/public/words.py one",
        "scoring/public/words.py other",
    ]
