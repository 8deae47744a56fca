"""The rows of a table sheet that is written deal by deal, empty or from the log."""

from collections.abc import Sequence

from scoring.core.sheet import SheetLog
from scoring.organiser.kinds.deal_rows import Columns, DealRow, empty_row
from scoring.organiser.kinds.registry import organiser_kind
from tournaments.rulesets.schema import Ruleset

DEALS_A_PAGE = 40
"""The most rows that leave room for handwriting. A sheet with more deals has several pages."""


def deal_rows(rules: Ruleset, seats: Sequence[int], log: SheetLog | None = None) -> tuple[DealRow, ...]:
    """Return the rows of all deals of a round; none if the kind of sheet has no deal rows, or only sums are known.

    log: the sheet as written so far.
    """
    deals = rules.sheet.fixed_deals
    if deals is None or (log and any(fact.kind == "totalled" for fact in log.facts)):
        return ()
    written = () if log is None else tuple(organiser_kind(rules).deal_rows(log))
    return (*written, *(empty_row(rules, seats, number) for number in range(len(written) + 1, deals + 1)))


def columns_of(rules: Ruleset, log: SheetLog | None, seats: Sequence[int]) -> tuple[Columns, ...]:
    """Return the columns of each seat; empty ones if the kind of sheet has none."""
    return organiser_kind(rules).columns(log, seats)
