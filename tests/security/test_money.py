"""Amounts without sense: no document, form, service or row brings one in, and a page shows whatever is there."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from scoring.documents import export_tournament, import_tournament
from scoring.services.prize_giving import give_prize
from tests.factories import AT, ParticipantFactory
from tests.scoring.evenings import simple_evening, text_of
from tests.scoring.pages import Staff
from tests.scoring.prize_giving import award_of, by_seat, play, prize_evening
from tests.security.addresses import all_routes, ids_of
from tournaments.core.cash import LARGEST_AMOUNT, PIECES
from tournaments.core.document_reader import DocumentError
from tournaments.core.refusal import Refusal
from tournaments.models import CashEntry, Payment, Tournament
from tournaments.services import desks, door
from tournaments.services.people_lists import announce

pytestmark = pytest.mark.django_db

WRITTEN = {"at": "2026-11-21T22:10:00Z", "by": "leitung"}
INT4 = 2**31 - 1


def payment(cents: int, kind: str = "fee") -> dict[str, Any]:
    return {"kind": kind, "cents": cents, **WRITTEN}


def document(*payments: dict[str, Any], **more: Any) -> str:
    found = simple_evening("abend")
    found["participants"][1]["payments"] = list(payments)
    return text_of(found | more)


@contextmanager
def before_there_was_a_limit() -> Iterator[None]:
    """Book amounts as a database of an older version may hold them, and a restore brings them back."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL schnauz.restore = 'on'")
        yield
        cursor.execute("SET LOCAL schnauz.restore = 'off'")


# --- what comes in -------------------------------------------------------------------------------------------------

LINE = {"desk": "Kasse 1", "reason": "Wechselgeld", **WRITTEN}
HANDOUT = {"start_number": 1, "prize": "rank", "kind": "given", "payment": 0, **WRITTEN}


@pytest.mark.parametrize(
    ("text", "path", "code"),
    [
        (document(payment(1), payment(LARGEST_AMOUNT + 1)), "participants[1].payments[1].cents", "number"),
        (document(payment(INT4, "payout")), "participants[1].payments[0].cents", "number"),
        (document(cash=[{**LINE, "kind": "in", "cents": LARGEST_AMOUNT + 1}]), "cash[0].cents", "number"),
        (document(prizes_given=[HANDOUT | {"cents": INT4}]), "prizes_given[0].cents", "number"),
        (document(payment(LARGEST_AMOUNT), payment(1)), "participants", "fees_too_large"),
    ],
    ids=["payment", "payout", "cash", "handout", "sum"],
)
def test_a_document_with_more_money_than_an_evening_has_is_refused(text: str, path: str, code: str) -> None:
    with pytest.raises(DocumentError) as caught:
        import_tournament(text, at=AT)
    assert caught.value.path == f"$.{path}"
    assert caught.value.refusal.code == {"number": "document_number_expected"}.get(code, code)
    assert not Tournament.objects.exists()


def test_the_largest_amounts_are_there_and_back() -> None:
    largest, back = payment(LARGEST_AMOUNT), payment(LARGEST_AMOUNT, "refund")
    line = {**LINE, "kind": "in", "cents": LARGEST_AMOUNT}
    made = import_tournament(document(largest, back, largest, cash=[line]), at=AT)
    exported = export_tournament(made)
    assert [row["cents"] for row in exported["participants"][1]["payments"]] == [LARGEST_AMOUNT] * 3
    assert [row["cents"] for row in exported["cash"]] == [LARGEST_AMOUNT]


@pytest.mark.parametrize("cents", [LARGEST_AMOUNT, LARGEST_AMOUNT + 1])
def test_the_database_refuses_a_larger_amount(cents: int) -> None:
    person = ParticipantFactory.create()
    row: dict[str, Any] = {"cents": cents, "by": "x", "at": AT}
    for create in (
        lambda: Payment.objects.create(participant=person, kind="fee", **row),
        lambda: CashEntry.objects.create(
            tournament=person.tournament,
            desk=person.tournament.desks.get_or_create(number=1, name="")[0],
            kind="float",
            **row,
        ),
    ):
        if cents == LARGEST_AMOUNT:
            create()
        else:
            with pytest.raises(IntegrityError, match="too much at once"), transaction.atomic():
                create()


# --- what is booked here -------------------------------------------------------------------------------------------


def refusal_of(write: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as caught:
        write()
    assert caught.value.params["most_cents"] == LARGEST_AMOUNT
    return caught.value.code


def test_a_tournament_takes_no_more_fees_than_the_largest_amount() -> None:
    evening = Staff(3)
    first, second, _third = evening.tournament.participants.all()
    Payment.objects.create(participant=first, kind="fee", cents=LARGEST_AMOUNT - 300, by="x", at=AT)
    booking: dict[str, Any] = {"by": "x", "at": AT, "desk": ""}
    door.take_fee(evening.tournament, second.start_number, cents=300, **booking)
    paid = [door.Newcomer("Mia Maier", paid_cents=300)]
    assert (
        refusal_of(partial(door.take_fee, evening.tournament, first.start_number + 2, **booking))
        == "fees_too_large"
    )
    assert refusal_of(partial(announce, evening.tournament, paid, **booking)) == "fees_too_large"
    url = reverse("door:register", args=[evening.tournament.slug])
    answer = evening.client.post(url, {"name": "Mia Maier"})
    assert answer.status_code == 422
    assert "Ein Turnier nimmt höchstens 999.999,99\xa0€ an Startgebühren ein." in answer.content.decode()


def test_more_notes_than_fit_into_a_desk_are_refused_in_the_form() -> None:
    evening = Staff()
    desks.set_up_desk(evening.tournament, "Kasse 1")
    pieces = {f"piece_{value}": "100000" for value in PIECES}
    answer = evening.client.post(reverse("door:close_till", args=[evening.tournament.slug, 1]), pieces)
    assert answer.status_code == 422
    assert "Auf einmal gehen höchstens 999.999,99\xa0€." in answer.content.decode()
    assert not CashEntry.objects.exists()


# --- what is there already -----------------------------------------------------------------------------------------


def test_a_prize_of_a_pot_from_before_the_limit_is_not_paid_out_at_once() -> None:
    evening = absurd_evening()
    winner = by_seat(evening.tournament)[0]
    seen = award_of(evening.tournament, winner).version
    give = partial(give_prize, evening.tournament, winner, "rank", seen=seen, by="x", at=AT, desk="")
    assert refusal_of(give) == "amount_too_large"


def absurd_evening() -> Staff:
    """Return an evening that is over, with 50 fees of the largest number that the database holds, lines and a count alike."""
    evening = prize_evening(prizes=[{"for": "rank", "from": 1, "to": 1, "share": 100}])
    play(evening.tournament)
    first, second = evening.tournament.participants.all()[:2]
    desk, other = (desks.set_up_desk(evening.tournament, name) for name in ("", "Kasse 2"))
    row: dict[str, Any] = {"cents": INT4, "by": "x", "at": AT}
    line = {"tournament": evening.tournament, "desk": desk, "reason": "Wechselgeld", **row}
    with before_there_was_a_limit():
        Payment.objects.bulk_create(Payment(participant=first, kind="fee", **row) for _ in range(50))
        Payment.objects.bulk_create(Payment(participant=second, kind="refund", **row) for _ in range(10))
        Payment.objects.create(participant=first, kind="payout", **row)
        CashEntry.objects.bulk_create(
            CashEntry(kind=kind, **line) for kind in ("float", "in", "out", "count")
        )
        CashEntry.objects.create(kind="transfer", to=other, **line)
    return evening


def test_every_page_of_a_tournament_shows_any_sum() -> None:
    """A page that fails raises here; the control is the receipt, in words."""
    evening = absurd_evening()
    ids = {**ids_of(evening.tournament), "account": [], "member": [], "screen": [1]}
    pages = {}
    for route in all_routes():
        if "GET" in route.methods and "slug" in route.parameters and not route.pattern.endswith("live"):
            for values in route.values(ids):
                pages[route.name] = evening.client.get(route.address(values)).status_code
    assert {status for status in pages.values() if status >= 500} == set()
    assert len([status for status in pages.values() if status == 200]) > 60
    receipts = evening.get("print_receipts").content.decode()
    assert "Millionen" in receipts
