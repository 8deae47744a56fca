"""Public reads while the organiser writes: the result is consistent."""

import threading
from typing import Any

import pytest
from django.db import connection, connections

from scoring.public.sheet import public_sheet
from scoring.queries.public_view import public_view
from scoring.services import standings
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_round


def _in_the_middle_of_reading(statement: int, act: Any) -> Any:
    """Call `act` in another thread, with a connection of its own, before this statement of the reader."""
    counted = 0

    def run() -> None:
        act()
        connections.close_all()

    def wrapper(execute: Any, *arguments: Any) -> Any:
        nonlocal counted
        counted += 1
        if counted == statement:
            thread = threading.Thread(target=run)
            thread.start()
            thread.join(20)
        return execute(*arguments)

    return connection.execute_wrapper(wrapper)


@pytest.mark.parametrize("statement", [1, 2, 3])
def test_what_is_frozen_while_the_hall_is_read_does_not_leak(committed: None, statement: int) -> None:
    tournament = TournamentFactory.create(slug=f"gefroren-beim-lesen-{statement}")
    ParticipantFactory.create_batch(5, tournament=tournament)
    table = a_round(tournament).tables.get()

    def freeze_and_accept() -> None:
        standings.freeze(tournament, by="x", at=AT)
        a_paper_sheet(table, strokes={1: 3})

    with _in_the_middle_of_reading(statement, freeze_and_accept):
        view = public_view(tournament.slug)
    assert {row.points for row in view.rows} == {0}
    assert view.round is not None
    assert view.round.tables[0].strokes in (0, None)


@pytest.mark.parametrize("statement", [1, 2, 3, 4])
def test_a_sheet_accepted_behind_a_freeze_while_it_is_read_does_not_leak(
    committed: None, statement: int
) -> None:
    tournament = TournamentFactory.create(slug=f"tischliste-beim-lesen-{statement}")
    ParticipantFactory.create_batch(5, tournament=tournament)
    table = a_round(tournament).tables.get()

    def freeze_and_accept() -> None:
        standings.freeze(tournament, by="x", at=AT)
        a_paper_sheet(table, strokes={1: 3})

    with _in_the_middle_of_reading(statement, freeze_and_accept):
        found = public_sheet(tournament.slug, 1, 1)
    assert found is not None
    assert not found.is_readable
    assert table.sheet.entries.filter(kind="accepted").exists()
