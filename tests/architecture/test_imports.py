"""Imports: layers, pure rules, reads without words, views by themselves."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGES, ROOT, is_below, modules, plant

PURE = ("scoring/core", "tournaments/core", "tournaments/rulesets")
READS = ("scoring/queries", "tournaments/queries")
IMPURE_MODULES = ("django", "random", "secrets", "time")
CLOCKS = {"now", "today", "utcnow"}
WORDING = ("scoring.text", "tournaments.text", "django.utils.translation")
FORMS = ("scoring.forms", "tournaments.forms", "django.forms")
WITHOUT_LAYER = {"__init__", "apps", "migrations"}


@pytest.mark.parametrize("folder", [*PURE, *READS])
def test_the_folders_hold_modules(folder: str) -> None:
    assert list(modules(ROOT, folder))


# --- rules of the game ----------------------------------------------------------------------------------------------


def impurities(root: Path) -> Iterator[str]:
    for module in modules(root, *PURE):
        for line, name in module.imports():
            if is_below(name, *IMPURE_MODULES):
                yield f"{module.at(line)} imports {name}"
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and node.attr in CLOCKS:
                yield f"{module.at(node.lineno)} reads a clock: {ast.unparse(node)}"


def test_rules_know_no_django_no_chance_and_no_clock() -> None:
    assert list(impurities(ROOT)) == []


@pytest.mark.parametrize("folder", PURE)
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("from django.db import models", "imports django.db.models"),
        ("import random", "imports random"),
        ("from time import monotonic", "imports time.monotonic"),
        ("moment = datetime.now(UTC)", "reads a clock: datetime.now"),
        ("day = date.today()", "reads a clock: date.today"),
    ],
)
def test_impure_rules_are_found(tmp_path: Path, folder: str, line: str, found: str) -> None:
    plant(tmp_path, f"{folder}/rule.py", f"from tournaments.core.random_stream import stream\n{line}\n")
    assert list(impurities(tmp_path)) == [f"{folder}/rule.py:2 {found}"]


# --- layers ---------------------------------------------------------------------------------------------------------


def forbidden_imports(root: Path) -> list[str]:
    """Run import-linter over the contracts of pyproject.toml and return the imports that break one."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--no-logo"]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    found = re.findall(r"^\s*-?\s+(\S+ -> \S+) \(l\.\d+\)$", run.stdout, re.MULTILINE)
    assert (run.returncode == 0) == ("0 broken" in run.stdout) == (not found), run.stdout + run.stderr
    return found


def without_layer(root: Path) -> list[str]:
    """Return the modules directly in scoring and tournaments that no layer names."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    (layers, *_) = project["tool"]["importlinter"]["contracts"]
    named = set(re.findall(r"[\w.]+", " ".join(layers["layers"])))
    there = {
        f"{package}.{path.stem}"
        for package in ("scoring", "tournaments")
        for path in (root / package).iterdir()
        if path.stem not in WITHOUT_LAYER and (path.suffix == ".py" or (path / "__init__.py").exists())
    }
    return sorted(there - named)


def test_modules_read_their_own_layer_and_those_below() -> None:
    assert forbidden_imports(ROOT) == []


def test_every_module_has_a_layer() -> None:
    assert without_layer(ROOT) == []


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("tournaments.models", "scoring.models"),
        ("tournaments.queries.door", "tournaments.services.door"),
        ("scoring.queries.flags", "tournaments.services.door"),
        ("scoring.core.paper", "scoring.models"),
        ("tournaments.rulesets.schema", "tournaments.core.names"),
        ("scoring.services.paper", "scoring.backups"),
        ("scoring.phone.views", "scoring.public.views"),
        ("scoring.organiser.tables", "tournaments.organiser.views"),
        ("scoring.organiser.flags.views", "scoring.organiser.prints.views"),
        ("scoring.organiser.kinds.registry", "scoring.organiser.sheets.views"),
        ("scoring.organiser.dashboard.views", "scoring.organiser.urls"),
        ("tournaments.door.actions", "tournaments.door.urls"),
        ("scoring.phone.views", "schnauz_turnier.settings"),
    ],
)
def test_imports_across_the_layers_are_found(copied: Path, module: str, imported: str) -> None:
    plant(copied, f"{module.replace('.', '/')}.py", f"\nimport {imported}\n")
    assert f"{module} -> {imported}" in forbidden_imports(copied)


def test_modules_without_a_layer_are_found(copied: Path) -> None:
    plant(copied, "scoring/helpers.py", "")
    plant(copied, "tournaments/hall/__init__.py", "")
    assert {"scoring.helpers", "tournaments.hall"} <= set(without_layer(copied))


# --- reads ----------------------------------------------------------------------------------------------------------


def wording_in_reads(root: Path) -> Iterator[str]:
    for module in modules(root, *READS):
        for line, name in module.imports():
            if is_below(name, *WORDING, *FORMS) or "forms" in name.split("."):
                yield f"{module.at(line)} imports {name}"


def test_reads_know_no_words_and_no_forms() -> None:
    assert list(wording_in_reads(ROOT)) == []


@pytest.mark.parametrize("folder", READS)
@pytest.mark.parametrize(
    "name",
    [
        "scoring.text.entries.worded",
        "tournaments.text.refusals",
        "django.utils.translation.gettext",
        "django.forms",
        "scoring.forms.RefusableForm",
        "tournaments.door.forms.RegistrationForm",
    ],
)
def test_words_and_forms_in_reads_are_found(tmp_path: Path, folder: str, name: str) -> None:
    source, _, last = name.rpartition(".")
    plant(tmp_path, f"{folder}/rows.py", f"from {source} import {last} as other\n")
    assert list(wording_in_reads(tmp_path)) == [f"{folder}/rows.py:1 imports {name}"]


# --- views ----------------------------------------------------------------------------------------------------------


def views_that_read_views(root: Path) -> Iterator[str]:
    for module in modules(root):
        if "views" in module.path.with_suffix("").parts:
            for line, name in module.imports():
                if is_below(name, *PACKAGES) and "views" in name.split("."):
                    yield f"{module.at(line)} imports {name}"


def test_views_read_no_other_views() -> None:
    assert list(views_that_read_views(ROOT)) == []


def test_views_that_read_views_are_found(tmp_path: Path) -> None:
    plant(tmp_path, "scoring/phone/views.py", "from scoring.public.views import hand\n")
    plant(tmp_path, "scoring/phone/urls.py", "from scoring.phone import views\n")
    plant(
        tmp_path, "tournaments/accounts/views.py", "from django.contrib.auth.views import logout_then_login\n"
    )
    assert list(views_that_read_views(tmp_path)) == [
        "scoring/phone/views.py:1 imports scoring.public.views.hand"
    ]
