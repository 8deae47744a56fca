"""Results of evenings: a projection of the final standings. The only writer of EveningResult of a tournament.

Every service that makes standings final, changes them afterwards or resumes the evening calls `project_evening` in its transaction.
"""

from typing import NamedTuple

from scoring.models import Evening, EveningResult
from scoring.queries.standings import current_standings
from tournaments.models import Round, Tournament


class _Line(NamedTuple):
    """A result, comparable. start_number: of the participant."""

    start_number: int
    rank: int
    shared: bool
    points: int
    strokes: int
    table_wins: int


def project_evening(locked: Tournament) -> list[str]:
    """Store the results of an evening whose standings are final, and delete those of any other. Return what was different.

    The caller has locked the tournament. An evening that is in a series stays in it without results.
    """
    expected = _final_lines(locked)
    stored = {
        line.start_number: line
        for line in map(
            _Line._make,
            EveningResult.objects.filter(evening__tournament=locked).values_list(
                "participant__start_number", "rank", "shared", "points", "strokes", "table_wins"
            ),
        )
    }
    if stored == expected:
        return []
    evening, _ = Evening.objects.get_or_create(tournament=locked)
    evening.results.all().delete()
    ids = dict(locked.participants.values_list("start_number", "pk"))
    EveningResult.objects.bulk_create(
        EveningResult(
            evening=evening,
            participant_id=ids[line.start_number],
            rank=line.rank,
            shared=line.shared,
            points=line.points,
            strokes=line.strokes,
            table_wins=line.table_wins,
        )
        for line in expected.values()
    )
    return [
        f"evening, number {number}: stored {stored.get(number)}, standings {expected.get(number)}"
        for number in sorted(stored.keys() | expected.keys())
        if stored.get(number) != expected.get(number)
    ]


def fill_in_evenings() -> None:
    """Store the results of evenings that ended under a version of the program that kept none."""
    ended = Tournament.objects.filter(rounds__state=Round.State.CLOSED, evening=None, is_practice=False)
    for tournament in ended.distinct():
        project_evening(tournament)


def _final_lines(tournament: Tournament) -> dict[int, _Line]:
    """Return the lines of the final standings, by start number: of all who played. Empty before they are final."""
    if tournament.is_practice:
        return {}
    board = current_standings(tournament)
    if not board.final:
        return {}
    return {
        row.start_number: _Line(
            row.start_number, row.rank, row.tied, row.points, row.strokes, board.rounds_won[row.start_number]
        )
        for row in board.rows
        if row.has_played
    }
