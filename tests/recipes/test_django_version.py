"""A new version of Django: `schnauz_turnier/postgresql/base.py`, `schnauz_turnier/web/django_threads.py`,
`schnauz_turnier/web/static_files.py`, `tournaments/queries/database_version.py`.
"""

from tests.recipes.recipe import check_recipe


def test_a_new_version_of_django_is_tried_out_in_at_most_four_files() -> None:
    check_recipe("A new version of Django", __doc__, 4)
