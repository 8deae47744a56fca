"""Another entry kind on the phone: `scoring/core/survival.py`, `scoring/text/entries.py`, `scoring/text/sentences.toml`,
`scoring/organiser/kinds/survival.py`, `scoring/phone/sentences.toml`, `static/js/sheet/survival.js`, `static/js/sheet/survival_view/rows.js`.
"""

import pytest
from django.utils.translation import gettext_lazy

from scoring.organiser.kinds.survival import SURVIVAL, StrokeForm
from scoring.text.entries import ENTRY_KINDS
from scoring.text.record_words import record_words
from tests.recipes.recipe import check_recipe
from tests.scoring.pages import Staff, text_of


class CallForm(StrokeForm):
    kind = "call"
    heading = gettext_lazy("Einen Ruf eintragen")
    button = gettext_lazy("Einen Ruf")


def test_an_entry_kind_takes_at_most_seven_files() -> None:
    check_recipe("Another entry kind on the phone", __doc__, 7)


@pytest.mark.django_db
def test_a_registered_form_has_its_button_and_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SURVIVAL.fact_forms, "call", CallForm)
    desk = Staff(6)
    desk.draw()
    assert ">Einen Ruf</a>" in text_of(desk.get("sheet", 1, 1))
    assert "<h1>Einen Ruf eintragen</h1>" in text_of(desk.get("write", 1, 1, "call"))


def test_the_page_that_checks_a_record_knows_each_kind_by_its_name() -> None:
    words = record_words()["words"]
    assert {kind: words[f"kind_{kind}"] for kind in ENTRY_KINDS} == {
        kind: str(name) for kind, name in ENTRY_KINDS.items()
    }
