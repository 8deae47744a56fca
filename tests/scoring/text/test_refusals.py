"""Every refusal has a sentence that says what is wrong and what to do."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

import scoring
from scoring.text import refusals as wording
from scoring.text.refusals import _SENTENCES as SENTENCES
from tests.architecture.test_conventions import raised_in
from tournaments.core.refusal import Refusal
from tournaments.text import refusals as tournament_refusals

PLACEHOLDER = re.compile(r"%\((\w+)\)s")


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    with translation.override("de"):
        yield


def test_no_words_are_kept_for_codes_that_nobody_raises() -> None:
    raised = raised_in(scoring) | {"sheet_is_submitted", "sheet_is_accepted"}
    assert SENTENCES.keys() - raised == set()


@pytest.mark.parametrize("code", sorted(SENTENCES))
def test_a_refusal_is_a_whole_sentence_with_its_numbers_put_in(code: str) -> None:
    params: dict[str, object] = dict.fromkeys(PLACEHOLDER.findall(str(SENTENCES[code])), 4)
    sentence = wording.message(Refusal(code, **{**params, "left": 3, "why": "no_winner_yet"}))
    assert not sentence[0].islower()
    assert sentence.endswith(".")
    assert "%" not in sentence


def test_the_phone_gets_the_sentences_of_its_own_checks_and_no_others() -> None:
    scripts = "".join(path.read_text() for path in Path("static/js/sheet").rglob("*.js"))
    checked = {code for code in SENTENCES if f'"{code}"' in scripts}
    never_by_a_scribe = {
        *("already_accepted", "cannot_be_corrected", "reason_needed", "sheet_is_open", "nothing_to_approve"),
        *("deals_written", "impossible_total", "points_do_not_balance", "too_many_solos", "unknown_seat"),
    }
    told_by_the_server = {"waits_for_sign"}
    assert wording.catalogue().keys() == checked - never_by_a_scribe - told_by_the_server


def test_seats_are_listed() -> None:
    assert wording.message(Refusal("confirmations_missing", seats=[1, 4])) == (
        "Noch nicht bestätigt: Platz-Nr. 1, 4. Bitte jeden Spieler seinen Namen antippen lassen."
    )


def test_a_sheet_that_is_not_complete_says_what_is_missing() -> None:
    assert wording.message(Refusal("not_complete", why="no_winner_yet", left=3)) == (
        "Die Tischliste ist noch nicht fertig. Es sind noch 3 Spieler im Spiel. Bitte weiterspielen, bis einer "
        "übrig ist, oder die Ränge eintragen."
    )


def test_what_belongs_to_the_tournament_is_worded_there() -> None:
    refusal = Refusal("round_not_drawn", round=2)
    assert wording.message(refusal) == tournament_refusals.message(refusal)


def test_a_code_without_words_is_noticed() -> None:
    with pytest.raises(KeyError):
        wording.message(Refusal("nobody_thought_of_this"))
