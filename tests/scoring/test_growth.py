"""Every page of the organiser and of the door in a small and in a large tournament.

The number of queries is the same, and the rows that PostgreSQL goes through grow no faster than the tournament.
"""

from collections.abc import Iterator
from functools import partial

import pytest
from django.db import connection
from django.db.models import Count

from tests.factories import AT, a_played_round
from tests.plans import Work, work_of
from tests.scoring.pages import Desk
from tests.security.addresses import Route, all_routes
from tournaments.models import Round
from tournaments.services import door

pytestmark = pytest.mark.django_db

SMALL, TIMES = 12, 6
VALUES = {"round": 2, "table": 1, "start number": 1, "desk": 1, "size": 6, "kind": "stroke", "slug": ""}
FILES = {"door:participants_file", "door:payments_file"}
"""Downloads: their `kind` is a format."""


def pages() -> Iterator[Route]:
    for route in all_routes():
        is_known = route.parameters.keys() and set(route.parameters.values()) <= VALUES.keys()
        if route.access in ("cashier", "organiser") and "GET" in route.methods and is_known:
            yield route


def a_tournament(players: int) -> Desk:
    """Two rounds, the second in play."""
    desk = Desk(players)
    for number in range(1, players + 1):
        door.take_fee(desk.tournament, number, by="x", at=AT, desk="Kasse")
    a_played_round(desk.tournament)
    desk.draw(2)
    return desk


def both_tournaments() -> tuple[Desk, Desk]:
    """Create both before anything is measured, so that PostgreSQL plans with the same statistics for them.

    What earlier tests have left in the pages of a table makes whole scans look cheap or dear: they are left out of the plans.
    """
    made = a_tournament(SMALL), a_tournament(SMALL * TIMES)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute("SET LOCAL enable_seqscan = off")
    return made


def work_of_pages(desk: Desk) -> dict[str, Work]:
    found = {}
    for route in pages():
        values = VALUES | {"slug": desk.tournament.slug}
        if route.name in FILES:
            values["kind"] = "csv"
        address = route.address(values)
        answer = desk.client.get(address)  # what is made once for all is made now
        if answer.status_code == 200:
            # Twice, as every so many downloads the security log is trimmed as well.
            found[route.name] = work_of(partial(desk.client.get, address), times=2)
    return found


def test_every_page_does_the_work_of_its_rows_and_no_more() -> None:
    small, large = map(work_of_pages, both_tournaments())
    assert small.keys() == large.keys()
    assert len(small) > 30
    grown = {
        name: (small[name], large[name])
        for name in small
        if large[name].queries > small[name].queries or grows_too_fast(small[name].rows, large[name].rows)
    }
    assert grown == {}


def test_work_that_grows_faster_is_found() -> None:
    """Counting tables and seats of a round in one join goes through each table once for every seat."""
    counted = Round.objects.annotate(tables_count=Count("tables"), seats_count=Count("seats"))
    small, large = (
        work_of(partial(list, counted.filter(tournament=desk.tournament))) for desk in both_tournaments()
    )
    assert grows_too_fast(small.rows, large.rows)


def grows_too_fast(small: int, large: int) -> bool:
    """Whether it grows half as fast again as the tournament, or faster; its square would be TIMES times as fast."""
    return large > 1.5 * TIMES * small + 50
