"""The code on the hall's wall, which changes every five minutes."""

from datetime import timedelta

import pytest

from tests.factories import AT, TournamentFactory
from tournaments.hall_codes import LASTS, hall_code, is_hall_code

pytestmark = pytest.mark.django_db


def test_the_hall_code_changes_every_five_minutes_and_recent_ones_are_accepted() -> None:
    tournament = TournamentFactory.create()
    codes = [hall_code(tournament, AT + number * LASTS) for number in range(4)]
    assert len(set(codes)) == 4
    assert [is_hall_code(tournament, codes[0], AT + number * LASTS) for number in range(4)] == [
        True,
        True,
        True,
        False,
    ]
    assert not is_hall_code(tournament, codes[1], AT)


def test_the_hall_code_changes_once_within_five_minutes() -> None:
    tournament = TournamentFactory.create()
    shown = [hall_code(tournament, AT + timedelta(seconds=second)) for second in range(0, 300, 5)]
    changes = [number for number in range(1, len(shown)) if shown[number] != shown[number - 1]]
    assert len(changes) <= 1
    assert hall_code(tournament, AT + LASTS) != hall_code(tournament, AT)


def test_blanks_and_small_letters_do_not_matter_and_another_tournament_has_another() -> None:
    tournament, other = TournamentFactory.create_batch(2)
    code = hall_code(tournament, AT)
    assert is_hall_code(tournament, f" {code[:3].lower()}-{code[3:]} ", AT)
    assert not is_hall_code(other, code, AT)
    assert not is_hall_code(tournament, "", AT)
