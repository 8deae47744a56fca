"""Links to the other pages of the list keep what was chosen."""

import pytest
from django.http import QueryDict
from django.template import Context, Template

from tournaments.door.page import Selection

TEMPLATE = Template("{% load door_list %}{% page_query selection 3 %}")


@pytest.mark.parametrize(
    ("asked", "query"),
    [
        ("", "page=3"),
        ("page=2", "page=3"),
        ("every=1", "every=1&amp;page=3"),
        ("only=unpaid&every=1", "every=1&amp;only=unpaid&amp;page=3"),
        ("q=%C3%84nne+%26+Co", "q=%C3%84nne%20%26%20Co&amp;page=3"),
    ],
)
def test_a_page_is_asked_for_with_the_same_choice(asked: str, query: str) -> None:
    assert TEMPLATE.render(Context({"selection": Selection.of(QueryDict(asked))})) == query
