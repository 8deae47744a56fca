"""The browsers that are paired as screens, and those that ask for it."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from scoring.models import ScreenPairing
from tournaments.clocks import within
from tournaments.models import Tournament

CODE_LIFE = timedelta(minutes=10)
MOST_TRIES = 5  # wrong codes, until all open ones are replaced by new ones


def paired_devices(slug: str) -> frozenset[str]:
    """Return the names of the paired browsers of a tournament. One query."""
    paired = ScreenPairing.objects.filter(tournament__slug=slug, paired_at__isnull=False)
    return frozenset(paired.values_list("device", flat=True))


def asking(at: datetime) -> QuerySet[ScreenPairing]:
    """Return the browsers whose code can be confirmed."""
    return ScreenPairing.objects.filter(
        within("asked_at", CODE_LIFE, at), paired_at=None, tries__lt=MOST_TRIES
    )


def open_code(slug: str, device: str, *, at: datetime) -> str:
    """Return the code that a browser shows; "" if it has none. One query."""
    return (
        asking(at).filter(tournament__slug=slug, device=device).values_list("code", flat=True).first() or ""
    )


def paired_screens(tournament: Tournament, screens: dict[str, int]) -> list[tuple[ScreenPairing, int | None]]:
    """Return the paired browsers, each with the number of the screen that it shows now, None if it shows none. One query.

    screens: the screens that are open now, by the name of the browser.
    """
    return [
        (pairing, screens.get(pairing.device))
        for pairing in tournament.screen_pairings.exclude(paired_at=None)
    ]
