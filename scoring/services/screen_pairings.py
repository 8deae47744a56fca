"""Pairing of browsers as screens: an organiser confirms a code that the browser shows, or opens the screen."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils.crypto import salted_hmac

from scoring.models import ScreenPairing
from scoring.queries.screen_pairings import UNSEEN, asking, seen_around
from scoring.queries.screens import SCREENS
from tournaments.core.refusal import Refusal
from tournaments.current_club import signing_key
from tournaments.models import Tournament
from tournaments.notify import notify
from tournaments.services.tournaments import lock_tournament

MOST_ASKING = 30  # per tournament: the fewer codes are open, the less likely a mistyped one matches another
MOST_OF_AN_ADDRESS = 10
SEEN_EVERY = timedelta(minutes=1)
"""How exactly it is stored when a paired browser was seen: a screen asks every few seconds."""


def ask_for_code(tournament: Tournament, number: int, *, address: str, at: datetime) -> ScreenPairing:
    """Create a pairing for a browser that shows screen `number`, with a six-digit code for an organiser to confirm.

    Refuses unknown_screen and screen_codes_enough. A refused request takes no lock, so that a flood delays nobody.
    """
    origin = salted_hmac(f"scoring.screen.{tournament.pk}", address, signing_key()).hexdigest()[:32]
    _check_not_too_many(tournament, origin, at)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        _delete_old(locked, at)
        _check_not_too_many(locked, origin, at)
        taken = set(locked.screen_pairings.values_list("code", flat=True))
        code = next(code for code in iter(_new_code, None) if code not in taken)
        return _create(locked, number, code=code, origin=origin, asked_at=at)


def confirm_code(tournament: Tournament, code: str, *, by: str, at: datetime) -> ScreenPairing:
    """Pair the browser that shows this code.

    Refuses screen_code_unknown. A wrong code counts against all open ones, so that codes cannot be guessed.
    """
    digits = "".join(character for character in code if not character.isspace())
    with transaction.atomic():
        locked = lock_tournament(tournament)
        candidates = asking(at).filter(tournament=locked)
        pairing = candidates.filter(code=digits).first()
        if pairing is not None:
            pairing.code = pairing.origin = ""
            pairing.paired_at = pairing.seen_at = at
            pairing.paired_by = by
            pairing.save()
            notify(locked.slug, "pairings")
            return pairing
        candidates.update(tries=F("tries") + 1)
    raise Refusal("screen_code_unknown")


def pair_own_browser(tournament: Tournament, number: int, *, by: str, at: datetime) -> ScreenPairing:
    """Pair the browser of an organiser who opens screen `number`. Refuses unknown_screen."""
    with transaction.atomic():
        locked = lock_tournament(tournament)
        _delete_old(locked, at)
        paired = _create(locked, number, asked_at=at, paired_at=at, seen_at=at, paired_by=by)
        notify(locked.slug, "pairings")
    return paired


def see_screen(device: str, *, at: datetime) -> None:
    """Store that a paired browser asks for its page, unless it was seen within SEEN_EVERY. Tells nobody."""
    with transaction.atomic():
        paired = ScreenPairing.objects.filter(device=device, paired_at__isnull=False)
        paired.exclude(seen_around(at, SEEN_EVERY)).update(seen_at=at)


def forget_unseen(*, at: datetime) -> None:
    """Delete the pairings of browsers that have not been seen for UNSEEN."""
    ScreenPairing.objects.filter(~seen_around(at, UNSEEN), paired_at__isnull=False).delete()


def end_pairing(tournament: Tournament, pairing_id: int) -> None:
    """End a pairing: the browser shows only public content from now on. Repeating it has no effect."""
    with transaction.atomic():
        locked = lock_tournament(tournament)
        locked.screen_pairings.filter(pk=pairing_id).delete()
        notify(locked.slug, "pairings")


def _create(tournament: Tournament, number: int, **values: object) -> ScreenPairing:
    if number not in SCREENS:
        raise Refusal("unknown_screen")
    return tournament.screen_pairings.create(number=number, device=secrets.token_hex(16), **values)


def _check_not_too_many(tournament: Tournament, origin: str, at: datetime) -> None:
    candidates = asking(at).filter(tournament=tournament)
    if candidates.count() >= MOST_ASKING or candidates.filter(origin=origin).count() >= MOST_OF_AN_ADDRESS:
        raise Refusal("screen_codes_enough")


def _delete_old(tournament: Tournament, at: datetime) -> None:
    """Delete the requests whose code is no longer open, and the pairings of browsers that have not been seen for UNSEEN."""
    is_over = Q(paired_at__isnull=False) & ~seen_around(at, UNSEEN)
    is_closed = Q(paired_at=None) & ~Q(pk__in=asking(at).values("pk"))
    tournament.screen_pairings.filter(is_over | is_closed).delete()


def _new_code() -> str:
    return f"{secrets.randbelow(10**6):06}"
