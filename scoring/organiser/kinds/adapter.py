"""The interface of a kind of sheet to the organiser's pages: its forms and its printed sheet."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.core.sheet import SheetLog
from scoring.organiser.kinds.deal_rows import Columns, DealRow
from scoring.organiser.kinds.fact_forms import FactForm


def _empty_columns(_log: SheetLog | None, seats: Sequence[int]) -> tuple[Columns, ...]:
    return tuple(Columns() for _seat in seats)


@dataclass(frozen=True, slots=True)
class OrganiserKind:
    """A kind of sheet for the organiser.

    fact_forms: by kind of fact; the supervisor's mark has none. paper_form: form for a whole paper sheet, called with
    data, seats, rules (of the sheet) and auto_id. needs_initials: whether changes of a written deal are signed (RULES 5.3,
    5.5). sheet_template, filled_template: of the printed sheet, empty and accepted. deal_rows: rows of the deals in
    a log. columns: columns of each seat. only_table: the only possible table size, None for any.
    prints_hand_values: whether the printed sheet shows the values of hands.
    """

    fact_forms: Mapping[str, type[FactForm]]
    paper_form: Callable[..., Any]
    sheet_template: str
    filled_template: str
    needs_initials: bool = False
    deal_rows: Callable[[SheetLog], Iterable[DealRow]] = lambda _log: ()
    columns: Callable[[SheetLog | None, Sequence[int]], tuple[Columns, ...]] = _empty_columns
    only_table: int | None = None
    prints_hand_values: bool = False
