"""The browser that shows a screen: paired, or unpaired, perhaps with a code for an organiser to confirm."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db import DatabaseError
from django.utils import timezone

from scoring.queries.screen_pairings import open_code, paired_devices
from scoring.screen_cookie import device_in
from scoring.services.screen_pairings import SEEN_EVERY, pair_own_browser, see_screen
from tournaments.access import role_in
from tournaments.models import Membership
from tournaments.page_cache import page_cache
from tournaments.queries.publicity import is_public, tournament_by_slug
from tournaments.requests import Request


@dataclass(frozen=True, slots=True)
class ScreenBrowser:
    """A browser that shows a screen.

    device: its name, "" if it has none. code: the one it shows, in two groups. is_new: it was paired by this request.
    may_reveal: an organiser is logged in, whose keys reveal the prizes.
    """

    device: str = ""
    is_paired: bool = False
    code: str = ""
    is_new: bool = False
    may_reveal: bool = False


def screen_browser(request: Request, slug: str, number: int) -> ScreenBrowser:
    """Return the browser of a request for screen `number`. The request of a logged-in organiser pairs it."""
    device = device_in(request.COOKIES, slug)
    paired = _paired(slug) if device else {}
    by_cookie = device in paired
    if by_cookie:
        _see(device, paired[device], at=timezone.now())
    is_organisers = _is_organisers(request, slug)
    if by_cookie or is_organisers:
        if not by_cookie:
            device = _paired_by_organiser(request, slug, number)
        return ScreenBrowser(device, is_paired=True, is_new=not by_cookie, may_reveal=is_organisers)
    code = open_code(slug, device, at=timezone.now()) if device else ""
    return ScreenBrowser(device, code=f"{code[:3]} {code[3:]}".strip())


def is_paired(slug: str, device: str) -> bool:
    """Whether a browser is paired. The answer is kept while nothing changes."""
    return bool(device) and device in _paired(slug)


def _paired(slug: str) -> dict[str, datetime | None]:
    return page_cache.get_or_make(slug, "paired", partial(paired_devices, slug))


def _see(device: str, seen_at: datetime | None, *, at: datetime) -> None:
    """Store about once a minute that a screen asks. The wall goes on where nothing can be written, as on a full disk."""
    if seen_at is None or abs(at - seen_at) > SEEN_EVERY:
        with suppress(DatabaseError):
            see_screen(device, at=at)


def _is_organisers(request: Request, slug: str) -> bool:
    if not request.user.is_authenticated or not is_public(slug, timezone.localdate()):
        return False
    return role_in(request.user, tournament_by_slug(slug)) == Membership.Role.ORGANISER


def _paired_by_organiser(request: Request, slug: str, number: int) -> str:
    by = request.user.get_username()
    return pair_own_browser(tournament_by_slug(slug), number, by=by, at=timezone.now()).device
