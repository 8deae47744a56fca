"""The standings for spreadsheet programs; how cells are written is a matter of `tournaments.spreadsheets`."""

from django.utils.translation import gettext as _

from scoring.queries.standings import Leaderboard, LeaderboardRow
from scoring.text.tie_breaks import name_of_tie_break
from tournaments.spreadsheets import Cell, csv_of, xlsx_of


def standings_csv(leaderboard: Leaderboard) -> bytes:
    return csv_of(_headings(leaderboard), _lines(leaderboard))


def standings_xlsx(leaderboard: Leaderboard) -> bytes:
    return xlsx_of(_("Rangliste"), _headings(leaderboard), _lines(leaderboard))


def _headings(leaderboard: Leaderboard) -> list[str]:
    rules = leaderboard.tournament.rules
    each = _("Rang in der %(number)s. Spielrunde") if leaderboard.is_knockout else _("%(number)s. Spielrunde")
    rounds = [each % {"number": number} for number in range(1, leaderboard.rounds + 1)]
    points = _("Letzte Spielrunde") if leaderboard.is_knockout else _("Punkte")
    chain = [name_of_tie_break(name) for name in rules.tie_break] or [_("Striche")]
    return [_("Platz (Rang)"), _("Teiln.-Nr."), _("Name"), _("Verein"), *rounds, points, *chain]


def _lines(leaderboard: Leaderboard) -> list[list[Cell]]:
    chain = len(leaderboard.tournament.rules.tie_break)
    return [_cells(row, chain) for row in leaderboard.rows]


def _cells(row: LeaderboardRow, chain: int) -> list[Cell]:
    """Numbers as numbers; a round without a score stays empty, and so does the chain of who sat at no table."""
    standing = row.standing
    values: list[Cell] = [*standing.tie_break, *[None] * (chain - len(standing.tie_break))]
    return [
        row.rank,
        row.start_number,
        row.name,
        row.club,
        *standing.by_round,
        standing.points,
        *(values if chain else [standing.strokes]),
    ]
