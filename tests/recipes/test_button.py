"""The wording of a button: `templates/scoring/public/players.html`, `locale/en/LC_MESSAGES/django.po`, `tests/labels.py`."""

from pathlib import Path

import pytest

from tests import labels
from tests.recipes.recipe import ROOT, check_recipe

LABELS = sorted(label for name, label in vars(labels).items() if name.isupper())


def sources(folder: str, ending: str) -> list[Path]:
    return sorted((ROOT / folder).rglob(f"*{ending}"))


def test_the_wording_of_a_button_takes_at_most_three_files() -> None:
    check_recipe("The wording of a button", __doc__, 3)


@pytest.mark.parametrize("label", LABELS)
def test_a_label_stands_in_one_test_file(label: str) -> None:
    spellings = (f'"{label}"', f">{label}<")
    saying = [
        path.relative_to(ROOT)
        for path in sources("tests", ".py")
        if any(spelling in path.read_text("utf-8") for spelling in spellings)
    ]
    assert saying == [Path("tests/labels.py")]


@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_one_that_the_program_says(label: str) -> None:
    programs = [*sources("templates", ".html"), *sources("scoring", ".py"), *sources("tournaments", ".py")]
    assert any(f'"{label}"' in path.read_text("utf-8") for path in programs)
