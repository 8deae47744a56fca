"""The standings for spreadsheet programs; see `tournaments.spreadsheets` for the format of cells."""

from django.utils.translation import gettext as _

from scoring.queries.standings import Leaderboard, StandingsRow
from tournaments.rulesets.tie_breaks import TIE_BREAKS
from tournaments.spreadsheets import Cell, file_of


def standings_file(kind: str, leaderboard: Leaderboard) -> bytes:
    return file_of(kind, _("Rangliste"), _headings(leaderboard), _lines(leaderboard))


def _headings(leaderboard: Leaderboard) -> list[str]:
    rules = leaderboard.tournament.rules
    each = _("Rang in der %(number)s. Spielrunde") if leaderboard.is_knockout else _("%(number)s. Spielrunde")
    rounds = [each % {"number": number} for number in range(1, leaderboard.rounds + 1)]
    points = _("Letzte Spielrunde") if leaderboard.is_knockout else _("Punkte")
    chain = [_(TIE_BREAKS[key].name) for key in rules.tie_break] or [_("Striche")]
    return [_("Rang"), _("Teiln.-Nr."), _("Name"), _("Verein"), *rounds, points, *chain]


def _lines(leaderboard: Leaderboard) -> list[list[Cell]]:
    chain = len(leaderboard.tournament.rules.tie_break)
    return [_cells(row, chain) for row in leaderboard.rows]


def _cells(row: StandingsRow, chain: int) -> list[Cell]:
    """Return the cells of a row, numbers as numbers.

    A round without a score stays empty, and so do the tie-breaks of a player who sat at no table.
    """
    values: list[Cell] = [*row.tie_break, *[None] * (chain - len(row.tie_break))]
    return [
        row.rank,
        row.start_number,
        row.name,
        row.club,
        *row.by_round,
        row.points,
        *(values if chain else [row.strokes]),
    ]
