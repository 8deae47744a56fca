"""A tab of the players' page: `scoring/public/tabs.py`, `templates/scoring/public/tables.html`, `locale/en/LC_MESSAGES/django.po`."""

import runpy
from collections.abc import Callable
from types import ModuleType

import pytest
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import include, path
from django.utils.translation import gettext_lazy

from schnauz_turnier import urls
from scoring.public import urls as public_urls
from scoring.public.parts import fragment
from scoring.public.responses import of_tournament
from scoring.public.tabs import TABS, Tab, kept_tab
from tests.recipes.recipe import check_recipe
from tests.scoring.pages import Staff, text_of
from tournaments.access import public_view
from tournaments.requests import Request


@of_tournament
@public_view("GET")
def photos(request: Request, slug: str) -> HttpResponse:
    return kept_tab(request, slug, "photos", "scoring/public/photos.html")


def test_a_tab_takes_at_most_four_files() -> None:
    check_recipe("A tab of the players' page", __doc__, 4)


@pytest.mark.django_db
def test_a_registered_tab_has_an_address_a_link_and_live_parts(
    monkeypatch: pytest.MonkeyPatch, add_template: Callable[[str, str], None]
) -> None:
    parts = {"news": "scoring/public/_news.html"}
    tab = Tab(
        gettext_lazy("Bilder"),
        "table",
        photos,
        "photos/",
        lambda view: {key: fragment(t, view) for key, t in parts.items()},
    )
    monkeypatch.setitem(TABS, "photos", tab)
    public = runpy.run_path(str(public_urls.__file__))["urlpatterns"]
    with_tab = ModuleType("with_tab")
    vars(with_tab).update(
        vars(urls), urlpatterns=[path("t/", include((public, "public"))), *urls.urlpatterns]
    )
    add_template(
        "scoring/public/photos.html",
        '{% extends "scoring/public/tab.html" %}{% block tab %}<p>Der Saal</p>{% endblock %}',
    )
    slug = Staff(6).tournament.slug
    with override_settings(ROOT_URLCONF=with_tab):
        page = text_of(Client().get(f"/t/{slug}/photos/"))
        assert "<p>Der Saal</p>" in page
        assert 'id="news" data-live-part' in page
        assert f'<a href="/t/{slug}/photos/" aria-current="page"' in page
        assert f'<a href="/t/{slug}/photos/"' in text_of(Client().get(f"/t/{slug}/rules/"))
