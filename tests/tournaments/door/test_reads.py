"""Queries of what a desk posts: the whole list is read for the answer, and before only where its names decide what is meant."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import AT
from tests.tournaments.door.doors import FRAGMENT, Cashier
from tests.tournaments.services.test_sign_ups import an_evening, signed_up
from tournaments.services.door import Newcomer
from tournaments.services.people_lists import announce


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("route", "data", "lists", "queries"),
    [
        (("act", 1, "pay"), {}, 1, 18),
        (("act", 1, "present-paid"), {}, 1, 25),
        (("act", 1, "withdraw"), {}, 1, 17),
        (("act", 1, "absent"), {"from": "roll-call"}, 1, 13),
        (("sign_up", 1, "confirm-paid"), {}, 1, 27),
        (("register",), {"name": "Meier Anna"}, 2, 27),  # confirms the sign-up
        (("register",), {"name": "Huber Sepp"}, 2, 26),  # checks in
        (("register",), {"name": "Huber Sepp 1,00"}, 2, 25),  # with a part of the fee
        (("register",), {"name": "Kern Lena"}, 2, 23),  # a new player
    ],
)
def test_the_desk_reads_its_list_no_oftener_than_it_has_to(
    route: tuple[str | int, ...], data: dict[str, str], lists: int, queries: int
) -> None:
    desk = Cashier(tournament=an_evening())
    announce(desk.tournament, [Newcomer("Huber Sepp"), Newcomer("Auer Karl")], by="x", at=AT)
    signed_up(desk.tournament, "Meier Anna", in_hall=True)
    with CaptureQueriesContext(connection) as captured:
        answer = desk.client.post(desk.url(*map(str, route)), data, headers=FRAGMENT)
    assert answer.status_code == 200
    asked = [query["sql"] for query in captured]
    whole = [sql for sql in asked if "cash_cents" in sql and "LIMIT 1" not in sql[-10:]]
    assert (len(whole), len(asked)) == (lists, queries)
