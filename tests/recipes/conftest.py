"""Fixtures of the recipes: templates that a test adds to the project's."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from schnauz_turnier.web import template_sources


@pytest.fixture
def add_template(tmp_path: Path) -> Iterator[Callable[[str, str], None]]:
    """Yield a function that adds a template by its name."""

    def add(name: str, text: str) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if template_sources._sources:  # the server was imported here, and reads no files any more
            template_sources.read_ahead([tmp_path])

    (engine,) = settings.TEMPLATES
    with override_settings(TEMPLATES=[engine | {"DIRS": [*engine["DIRS"], tmp_path]}]):
        yield add
