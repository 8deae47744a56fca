"""Beginning and errors of all commands about clubs."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.management.base import CommandError

from schnauz_turnier.clubs.catalogue import ClubRefusal, create_catalogue
from scoring.services.dump_file import UnfitDump
from tournaments.core.printable import printable


@contextmanager
def with_a_catalogue() -> Iterator[None]:
    """Make the catalogue unless it exists, and convert refusals to a CommandError, exit status 1."""
    if not settings.CLUBS:
        raise CommandError(
            "This installation has one club. For many, set CLUBS to hosts or paths (docs/hosting.md)."
        )
    try:
        create_catalogue()
        yield
    except (ClubRefusal, UnfitDump) as refused:
        raise CommandError(printable(refused)) from None
