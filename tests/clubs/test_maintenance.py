"""Maintenance that the operator announces, on the pages of all clubs."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from schnauz_turnier.clubs.catalogue import write_catalogue
from schnauz_turnier.clubs.maintenance import MOST, announced, notices
from tests.clubs.conftest import Asker, an_owner, start_page
from tests.clubs.test_engine import NewClub
from tournaments.current_club import Club, in_club


@pytest.fixture
def no_maintenance(operators: Club) -> Iterator[None]:
    yield
    write_catalogue("DELETE FROM catalogue.maintenance")
    notices.clear()


def typed(at: datetime) -> str:
    return f"{timezone.localtime(at):%d.%m.%Y %H:%M}"


def announcing(operator: Asker, *, in_hours: float, hours: float = 2) -> Any:
    begins = timezone.now() + timedelta(hours=in_hours)
    fields = {"begins": typed(begins), "ends": typed(begins + timedelta(hours=hours))}
    return operator.post("/operator/maintenance/", german="Neue Fassung", english="New version", **fields)


@pytest.mark.usefixtures("no_maintenance")
@pytest.mark.parametrize(("in_hours", "is_shown"), [(-1, True), (20, True), (30, False)])
def test_maintenance_is_shown_from_a_day_before(
    operator: Asker, new_club: NewClub, in_hours: float, is_shown: bool
) -> None:
    alpha = new_club("alpha")
    staff = an_owner(alpha)
    assert announcing(operator, in_hours=in_hours).status_code == 302
    assert ("Neue Fassung" in start_page(alpha)) == is_shown
    assert ("Neue Fassung" in start_page(None)) == is_shown
    assert ("Neue Fassung" in staff.get("/o/").content.decode()) == is_shown
    assert ("New version" in start_page(alpha, accept_language="en")) == is_shown
    with in_club(alpha):
        assert "Neue Fassung" not in Client().get("/account/login/").content.decode()


@pytest.mark.usefixtures("no_maintenance")
def test_a_form_sent_twice_announces_once_and_what_is_withdrawn_is_gone(operator: Asker) -> None:
    fields = {"begins": "21.11.2126 22:00", "ends": "23:00", "german": "Neue Fassung"}
    for _time in range(2):
        operator.post("/operator/maintenance/", **fields)
    [announcement] = announced(timezone.now())
    for _time in range(2):
        assert operator.post(f"/operator/maintenance/{announcement.id}/withdraw/").status_code == 302
    assert announced(timezone.now()) == []


@pytest.mark.usefixtures("no_maintenance")
@pytest.mark.parametrize(
    ("begins", "ends", "field"),
    [
        ("22:00", "23:00", "begins"),
        ("21.11.2126 22:00", "21:00", "ends"),
        ("21.11.2126 22:00", "21.12.2126 22:00", "ends"),
        ("21.11.2016 22:00", "23:00", "ends"),
        ("21.11.2126 22:00", "", "ends"),
        ("irgendwann", "23:00", "begins"),
    ],
)
def test_maintenance_without_a_period_is_refused(operator: Asker, begins: str, ends: str, field: str) -> None:
    answer = operator.post("/operator/maintenance/", begins=begins, ends=ends, german="Neue Fassung")
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    assert announced(timezone.now()) == []


@pytest.mark.usefixtures("no_maintenance")
@pytest.mark.parametrize("german", ["", "  "])
def test_maintenance_without_a_text_is_refused(operator: Asker, german: str) -> None:
    answer = operator.post("/operator/maintenance/", begins="21.11.2126 22:00", ends="23:00", german=german)
    assert answer.status_code == 422
    assert answer.context["form"].errors == {"german": ["Der Text fehlt. Bitte einen Satz eingeben."]}
    assert announced(timezone.now()) == []


@pytest.mark.usefixtures("no_maintenance")
def test_more_maintenance_than_the_page_shows_is_refused(operator: Asker) -> None:
    for hours in range(1, MOST + 1):
        assert announcing(operator, in_hours=hours).status_code == 302
    answer = announcing(operator, in_hours=MOST + 1)
    assert answer.status_code == 422
    assert "Schon 20 Wartungen sind angekündigt." in answer.content.decode()
    assert len(announced(timezone.now())) == MOST


@pytest.mark.usefixtures("no_maintenance")
def test_pages_ask_for_maintenance_once_in_a_while(operators: Club, new_club: NewClub) -> None:
    alpha = new_club("alpha")
    notices.clear()
    with CaptureQueriesContext(connection) as queries:
        for _time in range(5):
            start_page(alpha)
    assert sum("catalogue.maintenance" in query["sql"] for query in queries) == 1


@pytest.mark.usefixtures("no_maintenance")
def test_a_page_within_a_transaction_shows_what_was_there(operator: Asker, new_club: NewClub) -> None:
    announcing(operator, in_hours=1)
    alpha = new_club("alpha")
    shown = notices.current(timezone.now())
    notices.clear()
    with in_club(alpha), transaction.atomic():
        assert notices.current(timezone.now()) == shown != []
