"""Dead code, found by vulture and by the names in the templates."""

from pathlib import Path

from tests.architecture.dead_code import dead_code, needless_exceptions
from tests.architecture.sources import ROOT, plant

ROWS = """
def rows(): ...

def columns(): ...

class Row:
    @property
    def is_shown(self): ...
    @property
    def is_hidden(self): ...
    @property
    def is_named(self): ...
"""
TAGS = """
@register.filter
def spelled(name): ...

@register.simple_tag
def seats(view): ...

@register.filter
def lost(name): ...
"""
TEMPLATE = """
{% translate "is_named" %} is_named
{% if not row.is_shown %}{{ row.name|spelled:'is_named' }}{% endif %}
{% seats view %}
"""


def test_every_definition_is_used() -> None:
    assert dead_code(ROOT) == []


def test_definitions_that_nothing_uses_are_found(tmp_path: Path) -> None:
    """A use in a test is none, nor is a name that a template says in a text."""
    plant(tmp_path, "scoring/queries/rows.py", ROWS)
    plant(tmp_path, "scoring/templatetags/seating.py", TAGS)
    plant(tmp_path, "scoring/public/views.py", "from scoring.queries.rows import Row, rows\nrows(Row)\n")
    plant(tmp_path, "templates/rows.html", TEMPLATE)
    plant(tmp_path, "tests/scoring/test_rows.py", "from scoring.queries.rows import columns\ncolumns()\n")
    assert dead_code(tmp_path) == [
        "scoring/queries/rows.py:4 unused function 'columns'",
        "scoring/queries/rows.py:9 unused property 'is_hidden'",
        "scoring/queries/rows.py:11 unused property 'is_named'",
        "scoring/templatetags/seating.py:8 unused function 'lost'",
    ]


def test_a_column_in_a_table_of_fields_is_used(tmp_path: Path) -> None:
    plant(tmp_path, "scoring/models.py", "class Row:\n    at = 1\n    by = 2\n    note = 3\n")
    table = (
        "from scoring.models import Row\nprint(FieldTable(Row, 'at', Field('author', 'by'), print('note')))\n"
    )
    plant(tmp_path, "scoring/documents/rows.py", table)
    assert dead_code(tmp_path) == ["scoring/models.py:4 unused variable 'note'"]


def test_every_exception_is_needed() -> None:
    assert needless_exceptions(ROOT) == []


def test_exceptions_that_nothing_needs_are_found(tmp_path: Path) -> None:
    plant(tmp_path, "scoring/apps.py", "class ScoringConfig: ...\n")
    needless = needless_exceptions(tmp_path)
    assert "one_thread" in needless
    assert "*Config" not in needless
