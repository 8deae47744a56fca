"""Sign-ups of evenings long ago go by themselves: at the start of a server, daily, and again after a failure."""

import asyncio
import time
from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from schnauz_turnier.background.forgetting import Forgetting
from tests.conftest import url_of_test_database
from tests.factories import TournamentFactory
from tests.security.conftest import serving
from tournaments.links import new_sign_up_code
from tournaments.models import SignUp, Tournament
from tournaments.services import sign_ups

SHORT, LONG = timedelta(seconds=0.05), timedelta(hours=1)


async def until(tries: list[int], number: int) -> None:
    while len(tries) < number:
        await asyncio.sleep(0.01)


def run(*, failures: int, every: timedelta, retry: timedelta) -> list[int]:
    """Run a server's companion until it was called three times, the first ones without success."""
    tries: list[int] = []

    def forget() -> None:
        tries.append(len(tries))
        if len(tries) <= failures:
            raise ConnectionError

    async def days() -> None:
        companion = Forgetting(forget, every=every, retry=retry)
        companion.start()
        await until(tries, 3)
        await companion.stop()

    asyncio.run(asyncio.wait_for(days(), 30))
    return tries


def test_it_is_done_at_the_start_and_again_and_again() -> None:
    assert run(failures=0, every=SHORT, retry=LONG)[:3] == [0, 1, 2]


def test_a_failure_is_logged_and_tried_again_sooner(caplog: pytest.LogCaptureFixture) -> None:
    assert run(failures=2, every=LONG, retry=SHORT) == [0, 1, 2]
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]


def signed_up(played_on: date) -> SignUp:
    tournament: Tournament = TournamentFactory.create(slug=f"abend-{uuid4().hex}", played_on=played_on)
    more = {"most": None, "only_in_hall": False, "without_desk": False}
    at = timezone.now() - timedelta(days=2)
    sign_ups.set_terms(tournament, is_open=True, closes_at=at + timedelta(days=1), **more, at=at)  # type: ignore[arg-type]
    return sign_ups.sign_up(
        tournament,
        name="Spieler 1",
        club="",
        names="",
        code=new_sign_up_code(),
        in_hall=False,
        sender=sign_ups.Sender("192.0.2.1", ""),
        at=at,
    )


@pytest.mark.usefixtures("committed")
def test_a_started_server_forgets_who_signed_up_for_an_evening_eight_days_ago() -> None:
    today = timezone.now().date()
    old, young = signed_up(today - timedelta(days=8)), signed_up(today - timedelta(days=6))
    with serving("tests.served", url_of_test_database()):
        end = time.monotonic() + 60
        while SignUp.objects.filter(pk=old.pk).exists() and time.monotonic() < end:
            time.sleep(0.1)
    assert not SignUp.objects.filter(pk=old.pk).exists()
    assert SignUp.objects.filter(pk=young.pk).exists()
    assert Tournament.objects.filter(pk=old.tournament_id).exists()
