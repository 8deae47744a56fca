"""Rebuilding of the results from the log, and checks that log, marks and commitments are unchanged."""

from itertools import groupby

from django.db import transaction

from scoring.core.marks import next_digest, round_digest
from scoring.models import SeatResult, Sheet, SheetEntry
from scoring.services.evenings import project_evening
from scoring.services.marks import value_of
from scoring.services.sheets import project, results_of
from scoring.sheet_log import OpenSheet, empty_digest, entry_of, open_sheet
from tournaments.core.lot import draw_lot
from tournaments.models import Commitment, Round, Table, Tournament
from tournaments.notify import notify
from tournaments.queries.commitments import follows, is_over_its_value, is_to_draw, is_to_lot
from tournaments.rulesets.tie_breaks import TIE_BREAKS, counted_for
from tournaments.services.tournaments import lock_tournament

COMPARED = ("accepted", "rank", "points", "strokes", "counts")


WRONG_DIGEST = (
    "round {}, table {}, entry {}: the digest does not match. "
    "This entry, one before it or the seats were changed in the database."
)
WRONG_MARK = (
    "round {}, mark {}: does not match. A mark, the draw or a sheet of the round was changed in the database."
)
WRONG_COMMITMENT = (
    "commitment {}: does not match. It, its secret, its words or its draw were changed in the database."
)


def wrong_digests(tournament: Tournament) -> list[str]:
    """Return for each sheet whose log was changed after it was written the first entry with a wrong digest."""
    entries = SheetEntry.objects.filter(tournament=tournament).order_by("sheet__table_id", "sequence")
    wrong = []
    for table_id, rows in groupby(entries.select_related("sheet"), key=lambda row: row.sheet.table_id):
        table = Table.objects.select_related("round").get(pk=table_id)
        digest = empty_digest(table, table.seats.select_related("participant").order_by("seat_number"))
        for row in rows:
            digest = next_digest(digest, entry_of(row))
            if row.digest != digest:
                wrong.append((table.round.number, table.number, row.sequence))
                break
    return [WRONG_DIGEST.format(*place) for place in sorted(wrong)]


def wrong_marks(tournament: Tournament) -> list[str]:
    """Return the marks that break the chain, and the last marks of rounds that have changed since."""
    before, wrong, latest = "", [], {}
    for mark in tournament.marks.order_by("number"):
        latest[mark.round_number] = mark
        before, expected = mark.digest, round_digest(before, mark.value)
        if mark.digest != expected:
            wrong.append(WRONG_MARK.format(mark.round_number, mark.number))
    closed = {round_row.number: round_row for round_row in tournament.rounds.filter(state=Round.State.CLOSED)}
    for number, mark in latest.items():
        if number not in closed or mark.value != value_of(closed[number]):
            wrong.append(WRONG_MARK.format(number, mark.number))
    return wrong


def wrong_commitments(tournament: Tournament) -> list[str]:
    """Return the commitments that do not match their value, draw or lot, as far as their secrets are stored."""
    before, wrong = None, []
    for row in tournament.commitments.order_by("number").select_related("draw__round", "lot"):
        if not (follows(row, before) and is_over_its_value(row) and _gave_what_was_drawn(row)):
            wrong.append(WRONG_COMMITMENT.format(row.number))
        before = row
    return wrong


def _gave_what_was_drawn(row: Commitment) -> bool:
    attempt, lot = getattr(row, "draw", None), getattr(row, "lot", None)
    if attempt is not None:
        return is_to_draw(row, attempt, attempt.round.number)
    if lot is not None:
        return is_to_lot(row, lot.order, lot.seed) and draw_lot(lot.seed, lot.order) == tuple(lot.order)
    return not row.secret or row.replaced_at is not None


def rebuild_results(tournament: Tournament) -> list[str]:
    """Replay the log of every sheet that has entries, correct the stored results, those of the evening too, and return the differences."""
    differences: list[str] = []
    with transaction.atomic():
        lock_tournament(tournament)
        written = Sheet.objects.filter(table__round__tournament=tournament, entries__isnull=False).distinct()
        order = ("table__round__number", "table__number")
        for table_id in list(written.order_by(*order).values_list("table_id", flat=True)):
            sheet = open_sheet(table_id, lock=True)
            differing = _differences(sheet)
            if differing:
                project(sheet)
            differences += differing
        differences += project_evening(tournament)
        if differences:
            notify(tournament.slug, "standings")
    return differences


def fill_in_counts() -> int:
    """Count anew, from the log, what earlier versions of the program did not count. Return the number of sheets.

    A result has a number for each tie-break that its kind of sheet counts (see `tie_breaks`). Points and ranks stay as they are.
    """
    incomplete: list[int] = []
    for kind in frozenset().union(*(tie_break.kinds for tie_break in TIE_BREAKS.values())):
        results = SeatResult.objects.filter(seat__tournament__ruleset__sheet__kind=kind)
        behind = results.exclude(counts__has_keys=counted_for(kind))
        incomplete += behind.order_by("sheet__table").values_list("sheet__table", flat=True).distinct()
    for table_id in incomplete:
        with transaction.atomic():
            sheet = open_sheet(table_id, lock=True)
            for result in results_of(sheet):
                SeatResult.objects.filter(sheet=sheet.row, seat_id=result.seat_id).update(
                    counts=result.counts
                )
    return len(incomplete)


def _differences(sheet: OpenSheet) -> list[str]:
    """Return the seats whose stored result differs from the replayed log, or is missing."""
    stored = {result.seat_id: _compared(result) for result in SeatResult.objects.filter(sheet=sheet.row)}
    place = f"round {sheet.table.round.number}, table {sheet.table.number}"
    return [
        f"{place}, seat {result.seat.seat_number}: "
        f"stored {stored.get(result.seat_id)}, replayed {_compared(result)}"
        for result in results_of(sheet)
        if stored.get(result.seat_id) != _compared(result)
    ]


def _compared(result: SeatResult) -> dict[str, object]:
    return {name: getattr(result, name) for name in COMPARED}
