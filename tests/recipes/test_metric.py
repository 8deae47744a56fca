"""Another metric: `scoring/metrics.py`, `scoring/services/sheets.py`."""

from prometheus_client import Counter, generate_latest

from scoring.metrics import METRICS
from tests.recipes.recipe import ROOT, check_recipe


def test_the_recipe_names_its_files() -> None:
    check_recipe("Another metric", __doc__, at_most=2)


def test_it_is_shown_to_the_monitoring_as_soon_as_it_counts() -> None:
    made = Counter("schnauz_planted", "Planted", registry=METRICS)
    try:
        made.inc(3)
        assert b"schnauz_planted_total 3.0" in generate_latest(METRICS)
    finally:
        METRICS.unregister(made)


def test_no_other_file_lists_metrics() -> None:
    pages = [path.name for path in (ROOT / "docs").glob("*.md") if "schnauz_entries" in path.read_text()]
    assert pages == []
