"""Races of a freeze: a result is public before it or hidden behind it, and never public for a moment and then gone.

The freeze is committed when the other change waits for it or has ended, so the order is the same in every run.
"""

from collections.abc import Callable
from functools import partial
from uuid import uuid4

import pytest
from django.db import transaction

from scoring.core.entries import Entry
from scoring.core.paper import Draft
from scoring.models import SeatResult, SheetEntry
from scoring.queries.standings import visible_standings
from scoring.services.paper import accept_submitted, correct, type_in
from scoring.services.projection import rebuild_results
from scoring.services.sheets import SheetRecorder, write
from scoring.services.standings import freeze
from scoring.sheet_log import open_sheet
from tests.races import while_uncommitted
from tests.scoring.services.test_races import AT, OTHER_RANKS, RANKS, released
from tournaments.models import Table, Tournament

pytestmark = pytest.mark.usefixtures("committed")

ACCEPTED: list[Draft] = [("ranked", RANKS), ("accepted", {"reason": "x"})]
Change = Callable[[], object]


def accepts(table: Table) -> Change:
    return partial(write, table, ACCEPTED, by="x", at=AT)


def accepts_all(table: Table) -> Change:
    write(table, [("ranked", RANKS), ("submitted", {})], by="x", at=AT)
    return partial(accept_submitted, table.round.tournament, 1, by="x", at=AT)


def types_in(table: Table) -> Change:
    return partial(type_in, table, [("ranked", RANKS)], replace=False, reason="Papier", by="x", at=AT)


def reopens(table: Table) -> Change:
    write(table, ACCEPTED, by="x", at=AT)
    return partial(write, table, [("reopened", {"reason": "x"})], by="x", at=AT)


def corrects(table: Table) -> Change:
    write(table, ACCEPTED, by="x", at=AT)
    ranked = SheetEntry.objects.get(sheet__table=table, kind="ranked").entry_id
    return partial(correct, table, str(ranked), OTHER_RANKS, reason="x", accept=True, by="x", at=AT)


def rebuilds(table: Table) -> Change:
    write(table, ACCEPTED, by="x", at=AT)
    SeatResult.objects.filter(seat__table=table).update(points=99)
    return partial(rebuild_results, table.round.tournament)


def seen_by_the_public(tournament: Tournament) -> list[tuple[int, int]]:
    return sorted((row.start_number, row.points) for row in visible_standings(tournament.slug).rows)


def then_looks(tournament: Tournament, change: Change) -> list[tuple[int, int]]:
    change()
    return seen_by_the_public(tournament)


@pytest.mark.parametrize("way", [accepts, accepts_all, types_in, reopens, corrects, rebuilds])
def test_a_result_that_was_public_stays_public_after_a_freeze(way: Callable[[Table], Change]) -> None:
    made, table = released()
    change = way(table)
    before = seen_by_the_public(made)
    (looked,) = while_uncommitted(partial(freeze, made, by="x", at=AT), partial(then_looks, made, change))
    assert looked == seen_by_the_public(made) == before
    assert rebuild_results(made) == []


def test_without_the_tournaments_lock_an_accepted_sheet_would_be_public_and_then_gone() -> None:
    """Control: the sheet alone is locked, so it is accepted between the reading of the freeze and its commit."""
    made, table = released()

    def accept() -> None:
        with transaction.atomic():
            recorder = SheetRecorder(open_sheet(table.pk, lock=True), device="", pen_epoch=None, at=AT)
            for kind, data in ACCEPTED:
                recorder.append(Entry(str(uuid4()), kind, data, "organiser", made_at=AT))
            recorder.save()

    (looked,) = while_uncommitted(partial(freeze, made, by="x", at=AT), partial(then_looks, made, accept))
    assert looked != seen_by_the_public(made)
