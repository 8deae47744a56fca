"""Deletion of what is old in the running server, at its start and once a day: sign-ups, names without a ground, unseen screens, ended clubs.

Several processes may delete at once. A deletion cannot be undone when a wrong clock is corrected, so names, sign-ups of
an evening that was not played, and clubs are deleted only when the clock is confirmed: by a later use of the program on another
day, or by running for a day without being set. So names were also on the overview in the week before.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from schnauz_turnier.background.companion import Companion
from schnauz_turnier.clubs.catalogue import in_each_open_club
from schnauz_turnier.clubs.ending import clubs_have_ended, delete_ended_clubs, moments_of_use
from schnauz_turnier.clubs.registration import forget_registrations
from scoring.services.retention import forget_names
from scoring.services.screen_pairings import forget_unseen
from tournaments.clocks import SteadyClock, confirmed
from tournaments.once import forget_receipts
from tournaments.queries.activity import latest_moments
from tournaments.services.accounts import shorten_deadlines
from tournaments.services.sign_ups import forget_sign_ups

logger = logging.getLogger(__name__)
clock = SteadyClock()
"""The clock as observed by this process."""


class Forgetting(Companion):
    """A companion of the server that forgets.

    every: time between two calls. retry: time until the next call after a failure, which is logged.
    """

    def __init__(
        self,
        forget: Callable[[], None],
        *,
        every: timedelta = timedelta(days=1),
        retry: timedelta = timedelta(hours=1),
    ) -> None:
        super().__init__("forgetting")
        self._forget = forget
        self._every, self._retry = every.total_seconds(), retry.total_seconds()

    async def run(self) -> None:
        while True:
            try:
                await self.in_thread(self._forget)
            except Exception:
                logger.exception("What is due once a day could not be done; trying again.")
                await asyncio.sleep(self._retry)
            else:
                await asyncio.sleep(self._every)


def forget() -> None:
    """Delete old data in every open club, and ended clubs. A failure in one club stops no other; its name is logged."""
    at = timezone.now()
    is_steady = clock.is_steady(at)
    if not settings.CLUBS:
        forget_here(at, is_steady=is_steady)
        return
    in_each_open_club(
        lambda _entry: forget_here(at, is_steady=is_steady),
        "Old sign-ups of the club %s could not be deleted.",
    )
    if clubs_have_ended(at):
        delete_ended_clubs(at if is_steady else confirmed(at, moments_of_use))
    forget_registrations(at=at)


def forget_here(at: datetime, *, is_steady: bool) -> None:
    """Delete old data of the current club. is_steady: the clock, which shows `at`, needs no confirmation."""
    shorten_deadlines(at=at)
    forget_receipts(at=at)
    forget_unseen(at=at)
    confirmed_at = at if is_steady else confirmed(at, latest_moments)
    forget_sign_ups(at=at, confirmed_at=confirmed_at)
    forget_names(today=timezone.localdate(confirmed_at), at=at)
