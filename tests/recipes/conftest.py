"""Fixtures of the recipes: templates that a test adds to the project's."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Engine
from django.test import override_settings


@pytest.fixture
def add_template(tmp_path: Path) -> Iterator[Callable[[str, str], None]]:
    """Yield a function that adds a template by its name."""

    def add(name: str, text: str) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    (engine,) = settings.TEMPLATES
    with override_settings(TEMPLATES=[engine | {"DIRS": [*Engine.get_default().dirs, tmp_path]}]):
        yield add
