"""Races of the ceremony: two laptops seal at once, draw at once, and say different words. With controls."""

from functools import partial
from threading import Barrier

import pytest
from django.db import DatabaseError, transaction

from scoring.services.ceremonies import draw_sealed, seal_draw
from scoring.services.rounds import DrawOptions
from tests.races import at_once
from tests.races import kept_threads as kept_threads
from tests.scoring.services.test_races import AT, TIMES, code_of, tournament
from tournaments.models import Commitment, Tournament
from tournaments.services import ceremony

pytestmark = pytest.mark.usefixtures("kept_threads")


def seal(made: Tournament) -> None:
    seal_draw(made, 1, options=DrawOptions(), by="x", at=AT)


def draw(made: Tournament, words: str) -> None:
    draw_sealed(made, 1, words=words, by="x", at=AT)


def test_two_organisers_sealing_at_once_leave_one_open_commitment() -> None:
    for _ in range(TIMES):
        made = tournament()
        assert at_once(partial(seal, made), partial(seal, made)) == [None, None]
        first, second = made.commitments.all()
        assert (first.replaced_at, second.replaced_at) == (AT, None)
        assert second.value["before"]["digest"] == first.digest


def test_two_organisers_drawing_with_other_words_give_one_draw_with_one_of_them() -> None:
    for _ in range(TIMES):
        made = tournament()
        seal(made)
        answers = at_once(partial(draw, made, "Gras"), partial(draw, made, "Herz"))
        codes = sorted(code_of(answer) for answer in answers if answer is not None)
        assert codes in (["words_are_said"], ["nothing_is_sealed"])
        attempt = made.rounds.get().attempts.get()
        assert attempt.commitment == made.commitments.get()
        assert made.commitments.get().words in ("Gras", "Herz")


def test_without_the_lock_both_words_would_be_taken_for_said() -> None:
    """The control: both look before either writes. The database still keeps the first."""
    made = tournament()
    seal(made)
    both_have_looked = Barrier(2)

    def say(words: str) -> None:
        with transaction.atomic():
            waiting = ceremony.open_commitments(made).get()
            both_have_looked.wait(timeout=60)
            assert waiting.words is None
            waiting.words, waiting.words_at = words, AT
            waiting.save(update_fields=["words", "words_at"])

    answers = at_once(partial(say, "Gras"), partial(say, "Herz"))
    assert sum(isinstance(answer, DatabaseError) for answer in answers) == 1
    assert Commitment.objects.get(tournament=made).words in ("Gras", "Herz")
