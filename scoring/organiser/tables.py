"""Look-ups of rounds and tables that raise Http404."""

from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from scoring.queries.sheet_page import table_at
from scoring.queries.table_monitor import TableMonitor, TableState, table_monitor
from tournaments.access import View
from tournaments.models import Table, Tournament
from tournaments.queries.seating import RoundRow, round_with_seating


def redrawn_is_404(view: View) -> View:
    """Raise Http404 if the table is gone because the round was redrawn during a write."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Table.DoesNotExist:
            raise Http404 from None

    return guarded


def monitor_or_404(tournament: Tournament, number: int, *, table: int | None = None) -> TableMonitor:
    is_possible = 1 <= number <= tournament.rules.most_rounds
    monitor = table_monitor(tournament, number, table=table) if is_possible else None
    if monitor is None:
        raise Http404
    return monitor


def table_state_or_404(tournament: Tournament, number: int, table: int) -> TableState:
    monitor = monitor_or_404(tournament, number, table=table)
    state = None if monitor.round.is_draft else monitor.table(table)
    if state is None:
        raise Http404
    return state


def table_or_404(tournament: Tournament, number: int, table: int) -> Table:
    target = table_at(tournament, number, table)
    if target is None:
        raise Http404
    return target


def changeable_round_or_404(tournament: Tournament, number: int) -> RoundRow:
    """Return a round whose seats may change: drawn, on record, and not closed. Raise Http404 for any other."""
    round_row = round_with_seating(tournament, number) if number <= tournament.rules.most_rounds else None
    if round_row is None or round_row.is_closed or round_row.attempt is None:
        raise Http404
    return round_row
