"""Every page of the organiser and of the door in a small and in a large tournament.

The number of queries is the same, and the rows that PostgreSQL goes through grow no faster than the tournament.
"""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from django.db import connection
from django.db.models import Count

from tests.factories import AT, a_played_round
from tests.plans import Work, work_of
from tests.scoring.pages import Staff
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


def a_tournament(players: int) -> Staff:
    """Two rounds, the second in play."""
    desk = Staff(players)
    for number in range(1, players + 1):
        door.take_fee(desk.tournament, number, by="x", at=AT, desk="Kasse")
    a_played_round(desk.tournament)
    desk.draw(2)
    return desk


def drawn(players: int) -> Staff:
    """One round in play."""
    desk = Staff(players)
    desk.draw()
    return desk


def both_tournaments(make: Callable[[int], Staff]) -> tuple[Staff, Staff]:
    """Create both before anything is measured, so that PostgreSQL plans with the same statistics for them.

    What earlier tests have left in the pages of a table makes whole scans look cheap or dear: they are left out of the plans.
    """
    made = make(SMALL), make(SMALL * TIMES)
    with connection.cursor() as cursor:
        tables = map(connection.ops.quote_name, connection.introspection.django_table_names())
        cursor.execute(f"ANALYZE {', '.join(tables)}")
        cursor.execute("SET LOCAL enable_seqscan = off")
    return made


def addresses_of_pages(desk: Staff) -> dict[str, str]:
    """Return the addresses that can be asked, by the name of the route. What is made once for all is made now."""
    found = {}
    for route in pages():
        values = VALUES | {"slug": desk.tournament.slug}
        if route.name in FILES:
            values["kind"] = "csv"
        address = route.address(values)
        if desk.client.get(address).status_code == 200:
            found[route.name] = address
    return found


def works_of_page(page: str, *asked: tuple[Staff, dict[str, str]]) -> list[Work]:
    """Return the work of a page in each tournament; where it differs, that of the time with the fewest statements.

    Every so many downloads the security log is trimmed as well.
    """
    asks = [partial(desk.client.get, addresses[page]) for desk, addresses in asked]
    works = [work_of(ask) for ask in asks]
    if len({work.queries for work in works}) == 1:
        return works
    return [
        min(work, work_of(ask), key=lambda one: one.queries) for work, ask in zip(works, asks, strict=True)
    ]


def test_every_page_does_the_work_of_its_rows_and_no_more() -> None:
    small, large = both_tournaments(a_tournament)
    of_small, of_large = addresses_of_pages(small), addresses_of_pages(large)
    assert of_small.keys() == of_large.keys()
    assert len(of_small) > 30
    works = {name: works_of_page(name, (small, of_small), (large, of_large)) for name in of_small}
    assert {name: both for name, both in works.items() if has_grown(*both)} == {}


def test_work_that_grows_faster_is_found() -> None:
    """Counting tables and seats of a round in one join goes through each table once for every seat."""
    counted = Round.objects.annotate(tables_count=Count("tables"), seats_count=Count("seats"))
    small, large = (
        work_of(partial(list, counted.filter(tournament=desk.tournament))) for desk in both_tournaments(drawn)
    )
    assert grows_too_fast(small.rows, large.rows)
    assert has_grown(small, large)


def has_grown(small: Work, large: Work) -> bool:
    return large.queries > small.queries or grows_too_fast(small.rows, large.rows)


def grows_too_fast(small: int, large: int) -> bool:
    """Whether it grows half as fast again as the tournament, or faster; its square would be TIMES times as fast."""
    return large > 1.5 * TIMES * small + 50
