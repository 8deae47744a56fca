"""The standings for spreadsheet programs; how cells are written is a matter of `tournaments.spreadsheets`."""

from django.utils.translation import gettext as _

from scoring.queries.standings import Leaderboard, LeaderboardRow
from tournaments.spreadsheets import Cell, csv_of, xlsx_of


def standings_csv(board: Leaderboard) -> bytes:
    return csv_of(_headings(board), [_cells(row) for row in board.rows])


def standings_xlsx(board: Leaderboard) -> bytes:
    return xlsx_of(_("Rangliste"), _headings(board), [_cells(row) for row in board.rows])


def _headings(board: Leaderboard) -> list[str]:
    rounds = [_("%(number)s. Spielrunde") % {"number": number} for number in range(1, board.rounds + 1)]
    return [_("Platz (Rang)"), _("Teiln.-Nr."), _("Name"), _("Verein"), *rounds, _("Punkte"), _("Striche")]


def _cells(row: LeaderboardRow) -> list[Cell]:
    """Numbers as numbers; a round without a score stays empty."""
    standing = row.standing
    return [
        row.rank,
        row.start_number,
        row.name,
        row.club,
        *standing.by_round,
        standing.points,
        standing.strokes,
    ]
