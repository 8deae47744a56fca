"""Receipts: which forms are the same, what a repeated answer has, and how long it is kept."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from threading import Barrier
from uuid import uuid4

import pytest
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.test import Client, RequestFactory
from django.utils import timezone
from django.utils.safestring import SafeData, mark_safe

from scoring.services.purge import delete_tournament, erase_person
from tests.factories import AT, PASSWORD, ParticipantFactory, TournamentFactory, UserFactory
from tests.races import at_once, while_uncommitted
from tests.scoring.pages import Staff
from tournaments.models import CashEntry, Receipt, Tournament
from tournaments.once import KEPT_FOR, answer_once, forget_receipts, mark_unchanged

Answer = Callable[[], HttpResponse]


def asked(
    form_id: str = "one", *, user: User | None = None, address: str = "/door/", **fields: object
) -> HttpRequest:
    request = RequestFactory().post(address, {"once": form_id, "name": "Huber", **fields})
    request.user = user or AnonymousUser()
    request._messages = CookieStorage(request)  # type: ignore[attr-defined]
    return request


class View:
    """A view that says how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> HttpResponse:
        self.times += 1
        return HttpResponse(f"{self.times}")

    def page(self, request: HttpRequest) -> str:
        return answer_once(request, self).content.decode()


@pytest.fixture
def view() -> View:
    return View()


# --- which forms are the same -------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_same_form_gets_the_answer_again(view: View) -> None:
    assert [view.page(asked()) for _ in range(3)] == ["1", "1", "1"]
    assert Receipt.objects.count() == 1


@pytest.mark.django_db
def test_the_token_against_cross_site_requests_is_no_content(view: View) -> None:
    assert view.page(asked(csrfmiddlewaretoken="a")) == view.page(asked(csrfmiddlewaretoken="b"))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "other",
    [
        {"form_id": "two"},
        {"address": "/door/?from=list"},
        {"name": "Meier"},
        {"name": ["Huber", "Meier"]},
        {"names": "Huber"},
        {"file": SimpleUploadedFile("a.csv", b"Huber")},
    ],
)
def test_another_id_address_or_content_is_another_form(view: View, other: dict[str, str]) -> None:
    view.page(asked())
    assert view.page(asked(**other)) == "2"  # type: ignore[arg-type]


@pytest.mark.django_db
def test_a_form_of_another_account_is_another_form(view: View) -> None:
    one, two = UserFactory.create_batch(2)
    assert [view.page(asked(user=user)) for user in (None, one, two, one)] == ["1", "2", "3", "2"]


@pytest.mark.django_db
def test_another_file_is_another_form_and_the_view_reads_the_file(view: View) -> None:
    def sent(content: bytes) -> HttpRequest:
        return asked(file=SimpleUploadedFile("a.csv", content))

    assert [view.page(sent(content)) for content in (b"Huber", b"Meier", b"Huber")] == ["1", "2", "1"]
    request = sent(b"Anna")
    file = request.FILES["file"]
    assert isinstance(file, UploadedFile)
    assert answer_once(request, lambda: HttpResponse(file.read())).content == b"Anna"


@pytest.mark.django_db
@pytest.mark.parametrize("form_id", ["", "x" * 65])
def test_a_form_with_an_empty_or_too_long_id_is_answered_each_time(view: View, form_id: str) -> None:
    assert [view.page(asked(form_id)) for _ in range(2)] == ["1", "2"]
    assert not Receipt.objects.exists()


@pytest.mark.django_db
def test_what_is_only_read_leaves_no_receipt(view: View) -> None:
    request = RequestFactory().get("/door/", {"once": "one"})
    assert [view.page(request) for _ in range(2)] == ["1", "2"]
    assert not Receipt.objects.exists()


# --- forms that change nothing ------------------------------------------------------------------------------------------


def marked(request: HttpRequest) -> HttpResponse:
    mark_unchanged(request)
    return redirect("/")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "refusing",
    [
        lambda _request: HttpResponse(status=422),
        lambda _request: HttpResponse(status=500),
        lambda _request: StreamingHttpResponse(iter([b"a"])),
        marked,
    ],
)
def test_a_refused_form_leaves_no_receipt_and_can_be_sent_again(
    view: View, refusing: Callable[[HttpRequest], HttpResponse]
) -> None:
    request = asked()
    answer_once(request, lambda: refusing(request))
    assert not Receipt.objects.exists()
    assert view.page(asked()) == "1"


@pytest.mark.django_db
def test_an_error_undoes_what_the_view_has_written_and_leaves_no_receipt() -> None:
    def failing() -> HttpResponse:
        TournamentFactory.create()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        answer_once(asked(), failing)
    assert not Receipt.objects.exists()
    assert not Tournament.objects.exists()


@pytest.mark.django_db
def test_a_form_is_answered_once_after_what_it_was_refused_for_is_mended() -> None:
    """At the real address: the refusal leads to another page."""
    staff = Staff(5)
    staff.draw()
    send = partial(staff.post, "show", once="one")
    send()
    assert not Receipt.objects.exists()
    staff.post("freeze")
    send()
    assert Receipt.objects.count() == 1


@pytest.mark.django_db
def test_passwords_are_hashed_outside_of_a_transaction_whatever_is_sent() -> None:
    UserFactory.create(username="leitung")
    form = {"username": "leitung", "password": PASSWORD, "once": "one"}
    assert Client().post("/account/login/", form).status_code == 302
    assert not Receipt.objects.exists()


# --- the answer ---------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_repeated_answer_has_status_headers_cookies_and_messages() -> None:
    request = asked()

    def answer() -> HttpResponse:
        response = redirect("/door/desk/")
        response.set_signed_cookie("desk", "Theke", max_age=60, httponly=True, samesite="Lax")
        messages.success(request, "5,00 € kassiert", extra_tags="big")
        messages.error(request, mark_safe("<b>Vorsicht</b>"))
        messages.info(request, "<b>Huber</b>")
        return response

    first = answer_once(request, answer)
    again = asked()
    second = answer_once(again, answer)
    assert (second.status_code, second["Location"]) == (302, "/door/desk/")
    assert second.cookies["desk"].OutputString() == first.cookies["desk"].OutputString()
    said = [(one.level_tag, one.message, one.extra_tags) for one in messages.get_messages(again)]
    assert said == [
        ("success", "5,00 € kassiert", "big"),
        ("error", "<b>Vorsicht</b>", ""),
        ("info", "<b>Huber</b>", ""),
    ]
    trusted = [isinstance(one.message, SafeData) for one in messages.get_messages(again)]
    assert trusted == [False, True, False]


@pytest.mark.django_db
def test_the_messages_of_the_first_answer_are_kept_for_the_next_page() -> None:
    request = asked()

    def answer() -> HttpResponse:
        messages.success(request, "Gespeichert.")
        return redirect("/")

    response = answer_once(request, answer)
    storage = messages.get_messages(request)
    assert isinstance(storage, CookieStorage)
    storage.update(response)  # as the middleware does
    following = RequestFactory().get("/", headers={"Cookie": response.cookies["messages"].OutputString()})
    assert [str(one) for one in CookieStorage(following)] == ["Gespeichert."]


@pytest.mark.django_db
def test_a_message_that_still_waits_is_not_said_twice() -> None:
    request, again = asked(), asked()

    def answer() -> HttpResponse:
        messages.success(request, "Gespeichert.")
        return redirect("/")

    answer_once(request, answer)
    messages.success(again, "Gespeichert.")
    answer_once(again, answer)
    assert [str(one) for one in messages.get_messages(again)] == ["Gespeichert."]


@pytest.mark.django_db
def test_a_receipt_tells_nothing_to_a_reader_of_the_database() -> None:
    """The answer may show a link of which the database has only a hash."""
    staff = Staff()
    invited = staff.post("invite", role="cashier", once="one")
    code = invited.context["code"]
    (receipt,) = Receipt.objects.all()
    assert code.encode() not in bytes(receipt.answer or b"")
    assert staff.post("invite", role="cashier", once="one").content == invited.content
    assert staff.tournament.invitations.count() == 1


# --- how long -----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_receipts_are_forgotten_after_a_day(view: View) -> None:
    view.page(asked())
    kept = Receipt.objects.get().at
    forget_receipts(at=kept + KEPT_FOR)
    assert Receipt.objects.exists()
    forget_receipts(at=kept + KEPT_FOR + timedelta(seconds=1))
    assert not Receipt.objects.exists()
    assert view.page(asked()) == "2"


@pytest.mark.django_db
def test_a_receipt_of_a_clock_that_was_ahead_is_forgotten_too(view: View) -> None:
    view.page(asked())
    now = timezone.now()
    Receipt.objects.update(at=now + KEPT_FOR - timedelta(hours=1))
    forget_receipts(at=now)
    assert Receipt.objects.exists()
    Receipt.objects.update(at=now + timedelta(days=400))
    forget_receipts(at=now)
    assert not Receipt.objects.exists()


@pytest.mark.django_db
def test_no_receipt_outlives_an_erased_person_or_a_deleted_tournament(view: View) -> None:
    person = ParticipantFactory.create(withdrawn_at=AT)
    view.page(asked())
    erase_person(person.tournament, person.start_number, by="leitung", at=AT)
    assert not Receipt.objects.exists()
    view.page(asked())
    delete_tournament(person.tournament, typed=person.tournament.name, by="leitung", at=AT)
    assert not Receipt.objects.exists()


# --- at once ------------------------------------------------------------------------------------------------------------


def a_form(staff: Staff, form_id: str) -> Callable[[], int]:
    """Return a request that books change at a desk, from a browser of its own."""
    tournament = staff.tournament
    client = Client()
    client.cookies = staff.client.cookies.copy()  # type: ignore[assignment]
    address = f"/o/{tournament.slug}/door/desks/1/move/"
    return lambda: (
        client.post(address, {"move": "float", "cents": "50", "reason": "", "once": form_id}).status_code
    )


@pytest.fixture
def staff(committed: None) -> Iterator[Staff]:
    staff = Staff()
    staff.tournament.desks.create(number=1, name="")
    yield staff
    Receipt.objects.all().delete()


def booked(staff: Staff) -> int:
    return CashEntry.objects.filter(tournament=staff.tournament).count()


def test_of_two_presses_at_once_one_books(staff: Staff) -> None:
    for _ in range(3):
        before, form_id = booked(staff), uuid4().hex
        assert at_once(a_form(staff, form_id), a_form(staff, form_id)) == [302, 302]
        assert booked(staff) == before + 1


def test_a_press_waits_until_the_first_is_refused_and_then_counts(staff: Staff, view: View) -> None:
    """What the first one has claimed is free again."""
    form_id = uuid4().hex

    def refused() -> None:
        assert answer_once(asked(form_id), lambda: HttpResponse(status=422)).status_code == 422

    assert while_uncommitted(refused, lambda: view.page(asked(form_id))) == ["1"]


def test_without_the_receipt_both_presses_would_book(staff: Staff) -> None:
    """Control: each has looked for the receipt before the other has written it."""
    both_have_looked, key = Barrier(2), uuid4().bytes

    def press() -> None:
        with transaction.atomic():
            is_known = Receipt.objects.filter(key=key).exists()
            both_have_looked.wait(30)
            if not is_known:
                CashEntry.objects.create(
                    tournament=staff.tournament,
                    desk=staff.tournament.desks.get(),
                    kind="float",
                    cents=5000,
                    at=AT,
                    by="kasse",
                )

    at_once(press, press)
    assert booked(staff) == 2
