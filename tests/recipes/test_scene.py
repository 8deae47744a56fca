"""A new scene on the wall: `scoring/scenes.py`, `scoring/migrations/0001_tables.py`, `scoring/public/wall.py`,
`templates/scoring/public/wall/gather.html`, `locale/en/LC_MESSAGES/django.po`.
"""

from collections.abc import Callable

import pytest
from django.utils.translation import gettext_lazy

from scoring.scenes import SCENES, Scene
from tests.recipes.recipe import check_recipe
from tests.scoring.pages import Staff, text_of
from tests.scoring.paired import paired_client


def test_a_scene_takes_at_most_five_files() -> None:
    check_recipe("A new scene on the wall", __doc__, 5)


@pytest.mark.django_db
def test_a_registered_scene_is_offered_sent_and_shown(
    monkeypatch: pytest.MonkeyPatch, add_template: Callable[[str, str], None]
) -> None:
    monkeypatch.setitem(SCENES, "toast", Scene(gettext_lazy("Trinkspruch")))
    add_template(
        "scoring/public/wall/toast.html",
        '{% extends "scoring/public/_screen_page.html" %}{% block title %}Auf die Sieger{% endblock %}'
        "{% block body %}<p>Prost, {{ view.rows|length }} Spieler</p>{% endblock %}",
    )
    desk = Staff(6)
    assert "Trinkspruch</button>" in text_of(desk.get("screens"))
    assert desk.post("show_scene", scene="toast", screen="1").status_code == 302
    assert "Zeigt:</b> Trinkspruch" in text_of(desk.get("screens")).replace(": <b>", ":</b> ")
    wall = text_of(paired_client(desk.tournament).get(f"/t/{desk.tournament.slug}/screen/"))
    assert 'data-kind="toast"' in wall
    assert "<h1>Auf die Sieger</h1>" in wall
    assert "<p>Prost, 6 Spieler</p>" in wall
