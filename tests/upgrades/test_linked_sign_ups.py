"""Sign-ups of a version that found payments and batches by equal times: what its desks did can still be undone."""

from datetime import timedelta
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from tests.factories import AT
from tournaments.models import SignUp, Tournament
from tournaments.services import sign_ups

SLUG = "everything"


def add(table: str, **values: Any) -> int:
    """Add a row as 1.0.0 did, and return its id."""
    columns, places = ", ".join(values), ", ".join(["%s"] * len(values))
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO tournaments_{table} ({columns}) VALUES ({places}) RETURNING id", [*values.values()]
        )
        return int(cursor.fetchone()[0])


def add_sign_up(tournament: int, number: int, **values: Any) -> int:
    more = {"club": "", "names": "", "in_hall": True, "withdrawn_by": "", "origin": "", "phone": "", **values}
    name = "" if "participant_id" in more else f"Spieler {number}"
    same = {"tournament_id": tournament, "number": number, "name": name, "made_at": AT}
    return add("signup", **same, code_hash=f"hash {number}", **more)


def test_what_a_desk_did_before_the_upgrade_can_be_undone(database_of_1_0: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM tournaments_tournament WHERE slug = %s", [SLUG])
        tournament = cursor.fetchone()[0]
    same = {
        "tournament_id": tournament,
        "fee": "",
        "town": "",
        "club": "",
        "names": "",
        "presence": "present",
    }
    person = add(
        "participant", **same, start_number=9001, name="Huber Sepp", excluded_reason="", registered_at=AT,
        registered_by="",
    )  # fmt: skip
    fee = {"participant_id": person, "kind": "fee", "by": "kasse", "desk": ""}
    booked, later = (
        add("payment", **fee, cents=cents, at=AT + timedelta(minutes=minutes))
        for cents, minutes in ((200, 0), (100, 5))
    )
    add_sign_up(tournament, 9001, participant_id=person, confirmed_at=AT)
    for number, minutes in ((9002, 1), (9003, 1), (9004, 2)):
        at = AT + timedelta(minutes=minutes)
        add_sign_up(tournament, number, withdrawn_at=at, withdrawn_by="kasse")
    add_sign_up(tournament, 9005, withdrawn_at=AT + timedelta(minutes=1))  # by themselves, in the same moment

    call_command("migrate", verbosity=0, interactive=False)

    evening = Tournament.objects.get(slug=SLUG)
    assert SignUp.objects.get(number=9001).payment_id == booked != later
    now = timezone.now()
    sign_ups.set_terms(
        evening, is_open=True, closes_at=now, most=None, only_in_hall=False, without_desk=True, at=now
    )
    sign_ups.take_back_look(evening, 9001, by="kasse", at=now)
    payments = evening.participants.get(start_number=9001).payments.order_by("id")
    assert list(payments.values_list("kind", "cents")) == [("fee", 200), ("fee", 100), ("refund", 200)]
    assert sign_ups.take_back_discard(evening, 9003, at=now) == 2
    discarded = SignUp.objects.filter(number__gt=9000).exclude(withdrawn_at=None).order_by("number")
    assert list(discarded.values_list("number", flat=True)) == [9004, 9005]
    assert sign_ups.take_back_discard(evening, 9004, at=now) == 1
