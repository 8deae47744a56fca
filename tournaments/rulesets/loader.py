"""Reads the presets: one commented TOML file a rule sheet, beside this module."""

import tomllib
from functools import cache
from pathlib import Path

from tournaments.rulesets.schema import Ruleset

_FOLDER = Path(__file__).parent

MAIN_PRESET = "schnauz-placing"
"""What a new tournament begins with."""

PRESETS: tuple[str, ...] = tuple(sorted(path.stem.replace("_", "-") for path in _FOLDER.glob("*.toml")))


@cache
def preset(name: str) -> Ruleset:
    """The preset of this name ("schnauz-placing"). Raises KeyError if there is none."""
    if name not in PRESETS:
        raise KeyError(name)
    path = _FOLDER / f"{name.replace('-', '_')}.toml"
    return Ruleset.from_dict(tomllib.loads(path.read_text(encoding="utf-8")))
