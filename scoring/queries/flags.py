"""Problems reported from the tables, for the organiser."""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.functional import cached_property

from scoring.models import Flag
from tournaments.models import Tournament


@dataclass(frozen=True)
class Flags:
    """All flags of a tournament with their tables, the latest first."""

    rows: tuple[Flag, ...]

    @cached_property
    def open(self) -> list[Flag]:
        return [flag for flag in self.rows if flag.closed_at is None]

    @cached_property
    def closed(self) -> list[Flag]:
        return [flag for flag in self.rows if flag.closed_at is not None]


def flags_of(tournament: Tournament, numbers: Collection[int] | None = None) -> Flags:
    """Return the flags of a tournament, all or those of these numbers, the latest first. One query."""
    flags = tournament.flags.select_related("table__round").order_by("-id")
    return Flags(tuple(flags if numbers is None else flags.filter(pk__in=numbers)))


def count_open(tournament: Tournament) -> int:
    return tournament.flags.filter(closed_at=None).count()
