"""Texts of tie-breaks and tallies: each key has its own, and an unknown key is an error."""

from typing import get_args

import pytest
from django.utils import translation

from scoring.queries.public_view import PublicTableState
from scoring.queries.standings import TieNote, tally_names
from scoring.text.states import table_state
from scoring.text.tallies import tally_in_words, tally_of
from scoring.text.tie_breaks import tie_note
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.tie_breaks import TIE_BREAKS, column_of


def test_every_tie_break_has_words() -> None:
    assert [t.key for t in TIE_BREAKS.values() if not (t.name and t.choice and t.head and t.clause)] == []


@pytest.mark.parametrize("key", TIE_BREAKS)
def test_every_tie_break_can_be_a_column(key: str) -> None:
    assert tally_of(column_of(key)).name


@pytest.mark.parametrize("note", get_args(TieNote))
def test_every_note_has_words(note: str) -> None:
    assert bool(tie_note(note, ["strokes"])) is bool(note)


@pytest.mark.parametrize("name", PRESETS)
def test_every_column_beside_the_points_has_a_name(name: str) -> None:
    assert all(str(tally_of(key).name) for key in tally_names(preset(name)))


def test_a_value_is_told_with_its_name() -> None:
    with translation.override("de"):
        told = [tally_in_words("strokes", "1"), tally_in_words("schnauz", "2"), tally_in_words("tout", "1/2")]
    assert told == ["1 Strich", "2 Schnauz", "1 von 2 Tout gewonnen"]


@pytest.mark.parametrize("state", get_args(PublicTableState))
def test_every_state_of_a_table_has_words(state: str) -> None:
    assert table_state(state)


@pytest.mark.parametrize(
    "unknown",
    [
        lambda: tie_note("chance", []),
        lambda: tie_note("chain", ["chance"]),
        lambda: tally_of("chance"),
        lambda: tally_in_words("chance", "1"),
        lambda: table_state("burning"),
    ],
)
def test_what_is_unknown_is_an_error(unknown: object) -> None:
    assert callable(unknown)
    with pytest.raises(KeyError):
        unknown()
