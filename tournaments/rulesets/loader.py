"""Loader of the presets: one commented TOML file per rule sheet, next to this module."""

import tomllib
from functools import cache
from pathlib import Path

from tournaments.rulesets.schema import Ruleset

_FOLDER = Path(__file__).parent

MAIN_PRESET = "schnauz-placing"
"""The initial preset of a new tournament."""

PRESETS: tuple[str, ...] = tuple(sorted(path.stem.replace("_", "-") for path in _FOLDER.glob("*.toml")))


@cache
def preset(name: str) -> Ruleset:
    """Return the preset of this name ("schnauz-placing"). Raises KeyError if there is none."""
    if name not in PRESETS:
        raise KeyError(name)
    path = _FOLDER / f"{name.replace('-', '_')}.toml"
    return Ruleset.from_dict(tomllib.loads(path.read_text(encoding="utf-8")))
