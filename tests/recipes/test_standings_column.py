"""A column of the standings: `scoring/queries/standings.py`, `scoring/text/tallies.py`, `scoring/organiser/prints/spreadsheet.py`,
`locale/en/LC_MESSAGES/django.po`.
"""

import pytest
from django.test import Client
from django.utils.translation import gettext_lazy

from scoring.queries import standings
from scoring.queries.screens import SentScene
from scoring.services import screens
from scoring.text import tallies
from tests.factories import AT, a_played_round
from tests.recipes.recipe import check_recipe
from tests.scoring.pages import Staff, text_of


def test_a_column_takes_at_most_four_files() -> None:
    check_recipe("A column of the standings", __doc__, 4)


@pytest.mark.django_db
def test_a_registered_column_stands_on_page_wall_print_and_the_organisers_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(tallies._FURTHER, "deals", tallies.Tally(gettext_lazy("Gegebene Karten")))
    monkeypatch.setattr(standings, "tally_names", lambda _rules: ("strokes", "deals"))
    desk = Staff(6)
    a_played_round(desk.tournament)
    slug = desk.tournament.slug
    screens.set_scene(desk.tournament, (1,), SentScene("standings"), by="x", at=AT)
    pages = [Client().get(f"/t/{slug}/standings/"), Client().get(f"/t/{slug}/screen/")]
    pages += [desk.get("standings"), desk.get("print_standings")]
    assert ["Gegebene Karten</th>" in text_of(page).replace(" </th>", "</th>") for page in pages] == [
        True
    ] * 4
