"""Rebuilding of the results from the log, which proves that they are a projection of it."""

from dataclasses import dataclass

from django.db import transaction

from scoring.models import SeatResult, Sheet
from scoring.services.sheets import project, results_of
from scoring.sheet_log import OpenSheet, open_sheet
from tournaments.models import Tournament
from tournaments.notify import notify

COMPARED = ("accepted", "rank", "points", "strokes", "counts")


@dataclass(frozen=True, slots=True)
class Difference:
    """A seat whose stored result differs from the replayed log. stored: None if no result is stored."""

    round_number: int
    table_number: int
    seat_number: int
    stored: dict[str, object] | None
    replayed: dict[str, object]

    def __str__(self) -> str:
        place = f"round {self.round_number}, table {self.table_number}, seat {self.seat_number}"
        return f"{place}: stored {self.stored}, replayed {self.replayed}"


def rebuild_results(tournament: Tournament) -> list[Difference]:
    """Replay the log of every sheet that has entries, correct the stored results and return the differences."""
    differences: list[Difference] = []
    with transaction.atomic():
        written = Sheet.objects.filter(table__round__tournament=tournament, entries__isnull=False).distinct()
        order = ("table__round__number", "table__number")
        for table_id in list(written.order_by(*order).values_list("table_id", flat=True)):
            sheet = open_sheet(table_id, lock=True)
            found = _differences(sheet)
            if found:
                project(sheet)
            differences += found
        if differences:
            notify(tournament.slug, "standings")
    return differences


def _differences(sheet: OpenSheet) -> list[Difference]:
    stored = {result.seat_id: _compared(result) for result in SeatResult.objects.filter(sheet=sheet.row)}
    return [
        Difference(
            round_number=sheet.table.round.number,
            table_number=sheet.table.number,
            seat_number=result.seat.seat_number,
            stored=stored.get(result.seat_id),
            replayed=_compared(result),
        )
        for result in results_of(sheet)
        if stored.get(result.seat_id) != _compared(result)
    ]


def _compared(result: SeatResult) -> dict[str, object]:
    return {name: getattr(result, name) for name in COMPARED}
