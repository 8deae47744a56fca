"""Another rounding of prize money: `scoring/core/prize_plan.py`, `scoring/organiser/prizes/forms.py`."""

import pytest

from scoring.core.prize_plan import PrizePlan
from scoring.organiser.prizes import forms
from tests.factories import TournamentFactory
from tests.recipes.recipe import check_recipe


def test_the_recipe_names_its_files() -> None:
    check_recipe("Another rounding of prize money", __doc__, at_most=2)


@pytest.mark.django_db
def test_the_form_offers_it_and_the_plan_rounds_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "ROUNDINGS", (*forms.ROUNDINGS, 200))
    form = forms.PrizePlanForm(None, tournament=TournamentFactory.create(), plan=None)
    assert "auf 2,00\u00a0€" in str(form["rounding"])
    assert PrizePlan(prizes=(), rounding_cents=200).rounded(1999) == 1800
