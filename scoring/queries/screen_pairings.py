"""The browsers that are paired as screens, and those that ask for it."""

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from scoring.models import ScreenPairing
from tournaments.clocks import within
from tournaments.models import Tournament

CODE_LIFE = timedelta(minutes=10)
UNSEEN = timedelta(hours=12)
"""The time after which a paired browser that has not asked for its page is forgotten."""
MOST_TRIES = 5  # wrong codes, until all open ones are replaced by new ones


def paired_devices(slug: str) -> dict[str, datetime | None]:
    """Return the names of the paired browsers of a tournament, and when each was seen. One query."""
    paired = ScreenPairing.objects.filter(tournament__slug=slug, paired_at__isnull=False)
    return dict(paired.values_list("device", "seen_at"))


def asking(at: datetime) -> QuerySet[ScreenPairing]:
    """Return the browsers whose code can be confirmed."""
    return ScreenPairing.objects.filter(
        within("asked_at", CODE_LIFE, at), paired_at=None, tries__lt=MOST_TRIES
    )


def seen_around(at: datetime, most: timedelta) -> Q:
    """Return the condition for the browsers that were seen no longer than `most` before `at`, or after it by another clock."""
    return Q(seen_at__range=(at - most, at + most))


def open_code(slug: str, device: str, *, at: datetime) -> str:
    """Return the code that a browser shows; "" if it has none. One query."""
    return (
        asking(at).filter(tournament__slug=slug, device=device).values_list("code", flat=True).first() or ""
    )


def paired_screens(
    tournament: Tournament, screens: dict[str, int], *, at: datetime
) -> list[tuple[ScreenPairing, int | None]]:
    """Return the paired browsers seen within UNSEEN, each with the number of the screen that it shows now, or None. One query.

    screens: the screens that are open now, by the name of the browser.
    """
    return [
        (pairing, screens.get(pairing.device))
        for pairing in tournament.screen_pairings.filter(seen_around(at, UNSEEN), paired_at__isnull=False)
    ]
