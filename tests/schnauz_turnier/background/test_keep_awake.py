"""The laptop is kept awake while an evening is in play. wakepy pretends to ask the system, which the tests must not change."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
import wakepy
from django.utils import timezone

from schnauz_turnier.background.keep_awake import KeepAwake, can_be_kept_awake
from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tournaments.models import Round
from tournaments.queries.tournaments import is_evening_in_play


@pytest.fixture
def willing_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAKEPY_FORCE_FAILURE", raising=False)
    monkeypatch.setenv("WAKEPY_FAKE_SUCCESS", "1")


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await asyncio.sleep(0.01)


def is_awake() -> bool:
    return any(mode.active for mode in wakepy.global_modes())


@pytest.mark.usefixtures("willing_system")
def test_it_is_awake_while_an_evening_is_in_play_and_never_after_the_server_has_ended() -> None:
    in_play = [True]

    async def evenings() -> None:
        companion = KeepAwake(lambda: in_play[0], every=0.01)
        companion.start()
        await until(is_awake)
        in_play[0] = False
        await until(lambda: not is_awake())
        in_play[0] = True
        await until(is_awake)
        await companion.stop()

    asyncio.run(asyncio.wait_for(evenings(), 30))
    assert not is_awake()


@pytest.mark.usefixtures("willing_system")
def test_it_stays_awake_while_the_database_does_not_tell(caplog: pytest.LogCaptureFixture) -> None:
    answers: Iterator[bool] = iter([True])
    asked: list[bool] = []

    def is_in_play() -> bool:
        asked.append(is_awake())
        return next(answers)

    async def evening() -> None:
        companion = KeepAwake(is_in_play, every=0.01)
        companion.start()
        await until(lambda: len(asked) > 3)
        await companion.stop()

    asyncio.run(asyncio.wait_for(evening(), 30))
    assert asked[:4] == [False, True, True, True]
    assert "could not be found out" in caplog.text


def test_a_system_that_does_not_listen_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAKEPY_FORCE_FAILURE", "1")
    assert not can_be_kept_awake()
    monkeypatch.delenv("WAKEPY_FORCE_FAILURE")
    monkeypatch.setenv("WAKEPY_FAKE_SUCCESS", "1")
    assert can_be_kept_awake()
    assert not is_awake()


@pytest.mark.django_db
def test_an_evening_is_in_play_from_its_draw_until_its_round_is_closed_also_after_midnight() -> None:
    today = timezone.localdate()
    assert not is_evening_in_play(today)
    tournament = TournamentFactory.create(played_on=today)
    ParticipantFactory.create_batch(6, tournament=tournament)
    assert not is_evening_in_play(today)
    drawn = a_round(tournament, released=False)
    assert is_evening_in_play(today)
    assert is_evening_in_play(today + timedelta(days=1))
    assert not is_evening_in_play(today + timedelta(days=2))
    Round.objects.filter(pk=drawn.pk).update(state=Round.State.CLOSED)
    assert not is_evening_in_play(today)


@pytest.mark.django_db
def test_practice_keeps_nobody_awake() -> None:
    practice = TournamentFactory.create(played_on=timezone.localdate(), is_practice=True)
    ParticipantFactory.create_batch(6, tournament=practice)
    a_round(practice)
    assert not is_evening_in_play(timezone.localdate())
