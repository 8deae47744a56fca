"""Report on a draw: repeated meetings and why, table sizes and scribes so far, changes by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.core.repeats import DrawReport, SoFar
from tournaments.core.wishes import Wish
from tournaments.models import Tournament
from tournaments.queries.seating import (
    RoundRow,
    names_of,
    public_names_of,
    report_of,
    round_with_seating,
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn round and its report. names: of all participants, as this reader may see them."""

    round: RoundRow
    report: DrawReport
    names: Mapping[int, str]
    is_public: bool

    @property
    def wishes(self) -> list[Wish]:
        """The granted wishes that this reader may see."""
        return [wish for wish in self.report.wishes if not (self.is_public and wish.private)]

    @property
    def hidden_wishes(self) -> int:
        return len(self.report.wishes) - len(self.wishes)

    @property
    def mode(self) -> str:
        return self.round.attempt.mode if self.round.attempt else ""

    @property
    def sizes(self) -> Sequence[int]:
        """All table sizes that any player has had so far, ascending."""
        return sorted({size for row in self.report.so_far for size, _ in row.sizes})

    @property
    def so_far(self) -> list[tuple[SoFar, str, list[int]]]:
        """Each player with their name and how often they sat at tables of each of `sizes`."""
        return [
            (row, self.names[row.start_number], [dict(row.sizes).get(size, 0) for size in self.sizes])
            for row in self.report.so_far
        ]


def report_on(tournament: Tournament, number: int, *, is_public: bool) -> Drawn | None:
    """Return the report; None if the round is not drawn. The same queries for any number of rounds."""
    row = round_with_seating(tournament, number)
    if row is None:
        return None
    names = public_names_of(tournament) if is_public else names_of(tournament)
    return Drawn(row, report_of(tournament, row), names, is_public=is_public)
