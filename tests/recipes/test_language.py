"""Another language: `schnauz_turnier/settings.py`, `locale/en/LC_MESSAGES/django.po`, `tournaments/text/money.py`."""

from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.test import Client, override_settings

from schnauz_turnier.start.catalogues import compile_catalogues
from tests.check.checking import checked
from tests.factories import TournamentFactory
from tests.messages import brought_up_to_date
from tests.recipes.recipe import check_recipe
from tests.scoring.pages import Staff
from tests.tournaments.organiser.test_ruleset_form import form_of
from tournaments.organiser.ruleset_form import RulesForm
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset

FRENCH = {
    "Schnauz nach Punkten (FCE)": "Schnauz aux points (FCE)",
    "Getauscht wird eine Karte oder alle drei. Schieben gibt es nicht.": "On échange une carte ou toutes les trois.",
    "Am Tisch gilt außerdem": "À table, de plus",
}


@pytest.fixture
def french(tmp_path: Path) -> Iterator[None]:
    """Add a third language, with a catalogue in a folder of its own."""
    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue = polib.POFile()
    catalogue.metadata = {"Language": "fr", "Content-Type": "text/plain; charset=UTF-8"}
    catalogue.extend(polib.POEntry(msgid=german, msgstr=words) for german, words in FRENCH.items())
    catalogue.save(str(folder / "django.po"))
    compile_catalogues(tmp_path)
    languages = [*settings.LANGUAGES, ("fr", "Français")]
    with override_settings(LANGUAGES=languages, LOCALE_PATHS=[*settings.LOCALE_PATHS, tmp_path]):
        yield


def test_the_recipe_names_its_files() -> None:
    check_recipe("Another language", __doc__, at_most=3)


def rules_page(ruleset: Ruleset) -> str:
    tournament = TournamentFactory.create(ruleset=ruleset.to_dict())
    page = Client().get(f"/t/{tournament.slug}/rules/", headers={"accept-language": "fr"})
    return page.content.decode()


@pytest.mark.django_db
def test_a_page_is_shown_in_it_with_the_words_of_the_preset(french: None) -> None:
    page = rules_page(preset("fce"))
    assert '<html lang="fr"' in page
    assert [words for words in FRENCH.values() if words not in page] == []


@pytest.mark.django_db
def test_every_page_offers_it(french: None) -> None:
    page = Client().get("/").content.decode()
    assert 'lang="fr"' in page
    assert "Français" in page


@pytest.mark.django_db
def test_the_form_of_the_rules_has_its_fields_and_the_rules_keep_what_was_typed(french: None) -> None:
    form = RulesForm(base=preset("fce"))
    assert form["title_fr"].label == "Name auf Französisch"
    form = form_of("fce", title_fr="Notre Schnauz", manners_fr="Couper.")
    assert form.is_valid(), form.errors
    assert form.ruleset.to_dict()["title_fr"] == "Notre Schnauz"
    assert form.ruleset.manners["fr"] == ("Couper.",)
    assert Ruleset.from_dict(form.ruleset.to_dict()) == form.ruleset
    page = rules_page(form.ruleset)
    assert "Notre Schnauz" in page
    assert "Couper." in page


@pytest.mark.django_db
def test_the_checker_reads_a_record_with_it() -> None:
    desk = Staff(8, ruleset=Ruleset.from_dict(preset("fce").to_dict() | {"title_fr": "Notre Schnauz"}))
    desk.draw()
    [answer] = checked(Client().get(f"/t/{desk.tournament.slug}/record.json").content.decode())
    assert answer["draws"] == 1


def test_make_messages_asks_for_what_the_presets_do_not_say_in_it() -> None:
    catalogue = polib.POFile()
    catalogue.metadata = {"Language": "fr", "Plural-Forms": "nplurals=3; plural=0;"}
    made = {entry.msgid: entry for entry in brought_up_to_date(catalogue)}
    assert FRENCH.keys() <= made.keys()
    assert len(made["%(count)s Spielrunde"].msgstr_plural) == 3
