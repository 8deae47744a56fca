"""Tests of project conventions: every module has a layer, lock files have hashes and no local paths."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
WITHOUT_A_LAYER = {"__init__", "apps", "migrations"}


@pytest.mark.parametrize("app", ["tournaments", "scoring"])
def test_every_module_has_a_layer(app: str) -> None:
    layers = PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]
    named = set(re.findall(rf"{app}\.(\w+)", "\n".join(layers)))
    modules = {
        path.stem
        for path in (ROOT / app).iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert modules - WITHOUT_A_LAYER <= named


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_names_versions_and_hashes_and_no_place(name: str) -> None:
    lock = (ROOT / name).read_text()
    assert re.findall(r"://|file:|--index|--find-links|--extra|(?m:^/)", lock) == []
    pins = re.findall(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==\S+", lock, re.MULTILINE)
    entries = re.split(r"\n(?=\S)", lock.split("make lock\n", 1)[1].strip())
    assert len(pins) == len(entries)
    assert all("--hash=sha256:" in entry for entry in entries)


def test_the_running_program_and_its_tests_have_the_same_versions() -> None:
    runtime, development = (
        set(re.findall(r"^\S+==\S+", (ROOT / name).read_text(), re.MULTILINE))
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert runtime <= development
