"""The marks of the rounds, as far as they are public."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from scoring.core.marks import mark_of
from scoring.models import RoundMark
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class MarkRow:
    """A mark of a round. tables: those whose sheets have changed since the round's mark before; none for the first one."""

    round_number: int
    mark: str
    tables: tuple[int, ...]
    made_at: datetime


def public_marks(tournament: Tournament) -> list[MarkRow]:
    """Return the marks in the order in which they were made.

    While the standings are frozen, those of later corrections are held back: that there was one is news.
    """
    return [
        MarkRow(mark.round_number, mark_of(mark.digest), tuple(mark.tables), mark.made_at)
        for mark, is_held_back in _marks(tournament)
        if not is_held_back
    ]


def unbroken_marks(tournament: Tournament) -> list[RoundMark]:
    """Return the marks up to the first one that is held back: each follows from the one before."""
    return [mark for mark, _ in takewhile(lambda row: not row[1], _marks(tournament))]


def _marks(tournament: Tournament) -> Iterator[tuple[RoundMark, bool]]:
    """Yield the marks, and whether each is held back."""
    latest = tournament.publications.order_by("-id").first()
    frozen_at = latest.at if latest and latest.is_frozen else None
    for mark in RoundMark.objects.filter(tournament=tournament).order_by("number"):
        yield mark, bool(mark.tables and frozen_at and mark.made_at > frozen_at)
