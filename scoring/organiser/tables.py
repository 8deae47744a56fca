"""Look-ups of rounds and tables that raise Http404, and the template context of the table monitor."""

from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from scoring.models import Flag
from scoring.organiser.kinds.registry import organiser_kind
from scoring.queries.sheet_page import table_at
from scoring.queries.table_monitor import TableMonitor, table_monitor
from tournaments.access import View
from tournaments.models import Table, Tournament
from tournaments.queries.seating import RoundRow, round_with_seating
from tournaments.requests import StaffRequest


def gone_is_404(view: View) -> View:
    """Raise Http404 if the table or flag is gone because the round was redrawn, maybe during the write."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except (Table.DoesNotExist, Flag.DoesNotExist):
            raise Http404 from None

    return guarded


@dataclass(frozen=True, slots=True)
class Acted:
    """The latest action at a table of the monitor. Its card stays in its place and offers to undo it.

    view: the name of the view that did it and undoes it. seat: of the player whom it was about, 0 for none.
    """

    table: int
    view: str
    seat: int = 0


def monitor_or_404(tournament: Tournament, number: int, *, table: int | None = None) -> TableMonitor:
    is_possible = 1 <= number <= tournament.rules.most_rounds
    monitor = table_monitor(tournament, number, table=table) if is_possible else None
    if monitor is None:
        raise Http404
    return monitor


def table_or_404(tournament: Tournament, number: int, table: int) -> Table:
    target = table_at(tournament, number, table)
    if target is None:
        raise Http404
    return target


def round_or_404(tournament: Tournament, number: int) -> RoundRow:
    round_row = round_with_seating(tournament, number)
    if round_row is None:
        raise Http404
    return round_row


def changeable_round_or_404(tournament: Tournament, number: int) -> RoundRow:
    """Return a round whose seats may change: drawn, on record, and not closed. Raise Http404 for any other."""
    round_row = round_or_404(tournament, number)
    if round_row.is_closed or round_row.attempt is None:
        raise Http404
    return round_row


def monitor_context(
    request: StaffRequest,
    tournament: Tournament,
    monitor: TableMonitor,
    *,
    acted: Acted | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return the context of `_table_monitor.html`; `?only=mine` leaves out tables that need no action.

    acted: where something was done a moment ago; that table is left in.
    signs: whether the supervisor signs changes of a sheet with initials.
    """
    only = request.GET.get("only") == "mine"
    return {
        "tournament": tournament,
        "monitor": monitor,
        "only_mine": only,
        "shown": [
            table
            for table in monitor.tables
            if not only or table in monitor.needing or (acted and acted.table == table.number)
        ],
        "ends_at": monitor.ends_at(timezone.now()),
        "acted": acted,
        "signs": organiser_kind(tournament.rules).needs_initials,
        **more,
    }
