"""Every state, kind and outcome has its word; an unknown one is noticed."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import pytest
from django.template import Context, Template
from django.utils import translation

from scoring.models import Decision, ParkedEntry
from scoring.organiser.dashboard.views import Problem
from scoring.queries.bracket import Fate
from scoring.queries.table_monitor import SheetStatus
from scoring.text import states
from tournaments.models import Round
from tournaments.rulesets.loader import preset
from tournaments.text.sentences import Labels


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    with translation.override("de"):
        yield


KNOWN: dict[str, tuple[Labels, Iterable[str]]] = {
    "sheet_badge": (states.SHEETS, get_args(SheetStatus)),
    "round_badge": (states.ROUNDS, {"todo", *Round.State.values}),
    "round_to_print": (states.ROUNDS_TO_PRINT, Round.State.values),
    "fate": (states.FATES, set(get_args(Fate)) - {""}),
    "parked_outcome": (states.PARKED_OUTCOMES, ParkedEntry.Outcome.values),
    "decision": (states.DECISIONS, Decision.Kind.values),
    "decision_on_paper": (states.DECISIONS_ON_PAPER, Decision.Kind.values),
    "backup_problem": (states.BACKUP_PROBLEMS, set(get_args(Problem)) - {""}),
}
"""The words of each filter or tag, and the values that it has to know."""
FILTERS = sorted(KNOWN.keys() - {"sheet_badge", "round_badge", "backup_problem"})


def rendered(template: str, **context: object) -> str:
    return Template("{% load states %}" + template).render(Context(context)).strip()


@pytest.mark.parametrize("name", KNOWN)
def test_every_value_has_a_word_and_no_word_is_left_over(name: str) -> None:
    words, values = KNOWN[name]
    assert words.keys() == set(values)


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_says_the_word(name: str) -> None:
    for value, word in KNOWN[name][0].items():
        assert rendered(f"{{{{ value|{name} }}}}", value=value) == str(word)


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("value", ["unheard_of", ""])
def test_a_filter_does_not_know_what_is_unknown(name: str, value: str) -> None:
    with pytest.raises(KeyError):
        rendered(f"{{{{ value|{name} }}}}", value=value)


def test_a_badge_says_how_a_sheet_or_a_round_stands() -> None:
    assert rendered("{% sheet_badge 'objected' %}") == (
        '<span class="badge" data-state="objected">Einspruch</span>'
    )
    assert rendered("{% round_badge 'todo' %}") == (
        '<span class="badge" data-state="todo">noch nicht ausgelost</span>'
    )


@pytest.mark.parametrize("template", ["{% sheet_badge 'closed' %}", "{% round_badge 'open' %}"])
def test_a_badge_does_not_know_what_is_unknown(template: str) -> None:
    with pytest.raises(KeyError):
        rendered(template)


@pytest.mark.parametrize(("is_final", "name"), [(False, "2. Spielrunde"), (True, "Finale")])
def test_a_round_has_a_name(is_final: bool, name: str) -> None:
    line = SimpleNamespace(number=2, is_final=is_final)
    assert rendered("{{ line|round_name }}", line=line) == name


@pytest.mark.parametrize(("is_final", "words"), [(False, "2. Runde, Rang 3"), (True, "Finale, Rang 3")])
def test_how_far_a_player_came(is_final: bool, words: str) -> None:
    reached = SimpleNamespace(round_number=2, rank=3, is_final=is_final)
    assert rendered("{{ reached|reached_in_words }}", reached=reached) == words


def test_a_draw_is_named_after_what_it_draws() -> None:
    both = preset("schafkopf")
    assert rendered("{{ rules|draw_name:1 }}", rules=both) == "Beide Spielrunden auslosen"
    assert rendered("{{ rules|draw_name:2 }}", rules=both) == "2. Spielrunde auslosen"
    assert rendered("{{ rules|draw_name:1 }}", rules=replace(both, rounds=3)) == "Alle Spielrunden auslosen"
    assert rendered("{{ rules|draw_name:1 }}", rules=replace(both, rounds=1)) == "1. Spielrunde auslosen"
    assert rendered("{{ rules|draw_name:1 }}", rules=preset("fce")) == "1. Spielrunde auslosen"


@pytest.mark.parametrize(
    ("name", "late"),
    [
        ("knockout", "Wer später kommt, kann nur noch einen freien Platz dieser Spielrunde nehmen."),
        ("schafkopf", "Danach kommt niemand mehr dazu."),
        ("fce", "Wer später kommt, spielt ab der nächsten Spielrunde mit."),
    ],
)
def test_who_is_drawn_and_what_becomes_of_latecomers(name: str, late: str) -> None:
    assert rendered("{{ rules|who_is_drawn }}", rules=preset(name)) == (
        f"Ausgelost werden alle, die als anwesend vermerkt sind. {late}"
    )


def test_a_problem_with_the_backups_names_the_folder() -> None:
    backup = SimpleNamespace(problem="failed", folder=Path("/media/stick"), reason="No space <left>")
    assert rendered("{{ backup|backup_problem }}", backup=backup) == (
        "Die Sicherung nach /media/stick ist misslungen: No space &lt;left&gt;. Sie wird jede Minute wieder versucht."
    )
    backup.problem = "stolen"
    with pytest.raises(KeyError):
        rendered("{{ backup|backup_problem }}", backup=backup)
