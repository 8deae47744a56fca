"""Desks of a version that had no kind for prize money that came back, and none for money paid in advance."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.models import F

from tests.factories import AT
from tests.upgrades.test_linked_sign_ups import SLUG
from tournaments.models import CashDesk, CashEntry


def add(table: str, **values: Any) -> int:
    columns, places = ", ".join(values), ", ".join(["%s"] * len(values))
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({columns}) VALUES ({places}) RETURNING id", [*values.values()])
        return int(cursor.fetchone()[0])


def test_prize_money_and_money_paid_in_advance_are_found_again(database_of_1_0: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tournament_id, id FROM tournaments_participant WHERE tournament_id ="
            " (SELECT id FROM tournaments_tournament WHERE slug = %s) ORDER BY id LIMIT 1",
            [SLUG],
        )
        tournament, person = cursor.fetchone()
    desks = [
        add("tournaments_cashdesk", tournament_id=tournament, number=number, name=name)
        for number, name in ((91, "Kasse 91"), (92, "Vorab bezahlt"))
    ]
    booked: dict[str, Any] = {"by": "kasse", "at": AT}
    line: dict[str, Any] = {
        "tournament_id": tournament,
        "desk_id": desks[0],
        "kind": "in",
        "reason": "zurück",
    }
    money_in, money_back = (
        add("tournaments_cashentry", **line, cents=cents, **booked) for cents in (500, 700)
    )
    payout: dict[str, Any] = {"participant_id": person, "kind": "payout", "cents": 700, "desk": "Kasse 91"}
    paid = add("tournaments_payment", **payout, **booked)
    slot: dict[str, Any] = {"tournament_id": tournament, "participant_id": person, "prize": "of before"}
    slot |= {"cents": 700, "things": "[]", **booked}
    add("scoring_prizehandout", **slot, number=1, kind="given", payment_id=paid)
    add("scoring_prizehandout", **slot, number=2, kind="back", cash_id=money_back)

    call_command("migrate", verbosity=0, interactive=False)

    kinds = dict(CashEntry.objects.filter(pk__in=[money_in, money_back]).values_list("pk", "kind"))
    assert kinds == {money_in: "in", money_back: "back"}
    assert dict(CashDesk.objects.filter(pk__in=desks).values_list("name", "is_in_advance")) == {
        "Kasse 91": False,
        "Vorab bezahlt": True,
    }
    for rows in (CashEntry, CashDesk):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            rows.objects.update(tournament=F("tournament"))
