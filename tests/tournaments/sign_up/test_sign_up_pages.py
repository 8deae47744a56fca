"""The pages with which players register themselves, by the test client; in a browser: tests/journeys/test_sign_up.py."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.factories import AT, TournamentFactory
from tests.tournaments.services.test_people import a_person
from tournaments.hall_codes import hall_code
from tournaments.models import Appearance, Person, SignUp, Tournament
from tournaments.services import people, sign_ups

pytestmark = pytest.mark.django_db


def opened(tournament: Tournament, **more: Any) -> Tournament:
    now = timezone.now()
    values: dict[str, Any] = {
        "is_open": True,
        "closes_at": now + timedelta(hours=1),
        "most": None,
        "only_in_hall": False,
        "without_desk": False,
    }
    sign_ups.set_terms(tournament, **(values | more), at=now)
    return tournament


@pytest.fixture
def tournament() -> Tournament:
    return opened(TournamentFactory.create())


class Phone:
    """A browser with cookies, at the pages of one tournament."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament, self.client = tournament, Client()

    def url(self, rest: str = "") -> str:
        return f"/t/{self.tournament.slug}/sign-up/{rest}"

    def get(self, rest: str = "") -> str:
        answer = self.client.get(self.url(rest))
        assert answer.status_code == 200
        return str(answer.content.decode())

    def sign_up(self, name: str = "Huber Sepp", **more: str) -> Any:
        [code] = re.findall(r'name="code" value="(\w+)"', self.get())
        return self.client.post(self.url(), {"name": name, "club": "", "names": "", "code": code, **more})

    def step(self, number: int, step: str, **more: str) -> str:
        answer = self.client.post(self.url(f"mine/{number}/{step}/"), more, follow=True)
        return str(answer.content.decode())

    def state(self) -> str:
        [state] = re.findall(r'data-state="(\w+)"\s+aria-labelledby', self.get("mine/"))
        return str(state)


@pytest.fixture
def phone(tournament: Tournament) -> Phone:
    return Phone(tournament)


def test_three_fields_make_a_sign_up_that_the_phone_finds_again(phone: Phone) -> None:
    answer = phone.sign_up(club="SV Ort", names="number")
    assert (answer.status_code, answer["Location"]) == (302, phone.url("mine/"))
    made = SignUp.objects.get()
    assert (made.name, made.club, made.names, made.in_hall) == ("Huber Sepp", "SV Ort", "number", False)
    page = phone.get("mine/")
    assert "Huber Sepp" in page
    assert "A1" in page
    assert phone.state() == "announced"


def test_the_cookie_is_http_only_and_limited_to_the_sign_up_pages(phone: Phone) -> None:
    cookie = phone.sign_up().cookies[settings.SIGN_UP_COOKIE_NAME]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (phone.url(), True, "Lax")


def test_invalid_input_is_kept_in_the_form(phone: Phone) -> None:
    answer = phone.sign_up(name=" ", club="SV Ort")
    assert answer.status_code == 422
    assert 'value="SV Ort"' in answer.content.decode()
    assert not SignUp.objects.exists()


def test_a_form_sent_twice_makes_one_sign_up(phone: Phone) -> None:
    for _ in range(2):
        phone.client.post(phone.url(), {"name": "Huber Sepp", "code": "ABCDEFGH2345"})
    assert SignUp.objects.count() == 1


def test_another_phone_comes_back_with_the_code_and_a_third_sees_nothing(
    phone: Phone, tournament: Tournament
) -> None:
    phone.sign_up()
    [code] = re.findall(r"<b>(\w{4}-\w{4}-\w{4})</b>", phone.get("mine/"))
    other, third = Phone(tournament), Phone(tournament)
    answer = other.client.post(other.url("mine/"), {"code": code.lower()})
    assert answer.status_code == 302
    assert "Huber Sepp" in other.get("mine/")
    assert "Huber Sepp" not in third.get("mine/") + third.get()
    wrong = third.client.post(third.url("mine/"), {"code": "AAAA-BBBB-CCCC"})
    assert wrong.status_code == 422
    assert "keine Anmeldung" in wrong.content.decode()


def test_without_its_code_a_sign_up_cannot_be_changed(phone: Phone, tournament: Tournament) -> None:
    phone.sign_up()
    third = Phone(tournament)
    third.sign_up("Meier Anna")
    for rest in ("mine/1/", "mine/1/withdraw/", "mine/1/arrive/"):
        answer = third.client.post(third.url(rest), {"name": "x"}, follow=True)
        assert "keine Anmeldung" in answer.content.decode()
    assert SignUp.objects.get(number=1).withdrawn_at is None


def test_changing_and_withdrawing(phone: Phone) -> None:
    phone.sign_up()
    assert 'value="Huber Sepp"' in phone.get("mine/1/")
    answer = phone.client.post(phone.url("mine/1/"), {"name": "Huber Josef", "club": "", "names": "short"})
    assert answer.status_code == 302
    assert "Huber Josef" in phone.get("mine/")
    assert "zurückgezogen" in phone.step(1, "withdraw")
    assert phone.state() == "withdrawn"


def test_a_step_that_does_not_exist_is_404(phone: Phone) -> None:
    phone.sign_up()
    assert phone.client.post(phone.url("mine/1/fly/")).status_code == 404


def test_the_page_follows_arrival_confirmation_and_evening(phone: Phone, tournament: Tournament) -> None:
    phone.sign_up()
    phone.step(1, "arrive", sure="1")
    assert phone.state() == "arrived"
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=timezone.now())
    assert phone.state() == "plays"
    assert f"/t/{tournament.slug}/?me=1" in phone.get("mine/")
    for step, state in (
        ("pause", "pauses"),
        ("end-pause", "plays"),
        ("go-home", "gone"),
        ("come-back", "plays"),
    ):
        phone.step(1, step)
        assert phone.state() == state


def words(person: Person) -> list[tuple[str, bool, str]]:
    return list(person.consents.order_by("pk").values_list("what", "is_given", "how"))


def test_what_the_club_may_keep_is_said_on_the_own_phone_and_withdrawn(
    phone: Phone, tournament: Tournament
) -> None:
    phone.sign_up()
    assert "mein Name" not in phone.get("mine/")
    assert "mein Name" not in phone.step(1, "keep")
    assert Person.objects.count() == 0
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=timezone.now())
    page = phone.get("mine/")
    assert (page.count(" erlauben\n"), "Das haben Sie erlaubt" in page, "checked" in page) == (
        2,
        False,
        False,
    )
    phone.step(1, "no-keep")
    assert Person.objects.count() == 0
    for step in ("keep", "keep", "honours", "no-keep"):
        page = phone.step(1, step)
    assert (page.count(" erlauben\n"), page.count(" widerrufen\n")) == (1, 1)
    assert phone.client.post(phone.url("mine/1/no-keep/"))["Location"].endswith("/mine/#name-1")
    person = Person.objects.get()
    assert (person.name, person.appearances.get().how) == ("Huber Sepp", "sign_up")
    assert words(person) == [
        ("keep", True, "own_phone"),
        ("honours", True, "own_phone"),
        ("keep", False, "own_phone"),
    ]


def test_who_was_recognised_and_merged_at_the_desk_speaks_for_that_person(
    phone: Phone, tournament: Tournament
) -> None:
    phone.sign_up()
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=timezone.now())
    known, other = a_person("Huber Sepp"), a_person("Sepp Huber")
    people.recognise(tournament, 1, known.key, how=Appearance.Way.SUGGESTED, by="kasse", at=timezone.now())
    people.merge(known.key, other.key)
    phone.step(1, "keep")
    assert (words(known), words(other)) == ([], [("keep", True, "own_phone")])
    assert Person.objects.count() == 2


def test_a_namesake_with_a_phone_becomes_nobody_who_is_known(phone: Phone, tournament: Tournament) -> None:
    known = a_person("Huber Sepp")
    phone.sign_up()
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=timezone.now())
    phone.step(1, "keep")
    assert (words(known), Person.objects.count()) == ([], 2)


def test_being_there_is_asked_about_and_taken_back_and_its_number_is_large(phone: Phone) -> None:
    phone.sign_up()
    assert "Sind Sie schon im Saal?" in phone.step(1, "arrive")
    assert phone.state() == "announced"
    assert '<p class="sign-up__number">A1</p>' in phone.step(1, "arrive", sure="1")
    assert "Die Kasse wartet nicht mehr auf Sie." in phone.step(1, "not-here")
    assert phone.state() == "announced"


def test_going_home_asks_and_is_not_offered_after_the_last_round(
    phone: Phone, tournament: Tournament
) -> None:
    phone.sign_up()
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=timezone.now())
    page = phone.get("mine/")
    assert page.index("<summary>Ich gehe heim") < page.index("Ja, ich gehe heim")
    for number in range(1, (tournament.rules.rounds or 0) + 1):
        tournament.rounds.create(number=number, state="closed", drawn_at=AT, released_at=AT, closed_at=AT)
    page = phone.get("mine/")
    assert "Ich gehe heim" not in page
    assert "Nächste Runde aussetzen" not in page


def test_the_page_is_renewed_only_when_something_has_changed(phone: Phone) -> None:
    phone.sign_up()
    [version] = re.findall(r"version=(\w+)", phone.get("mine/"))
    asked = {"HX-Request": "true"}
    assert phone.client.get(phone.url(f"mine/?version={version}"), headers=asked).status_code == 204
    phone.step(1, "arrive", sure="1")
    fresh = phone.client.get(phone.url(f"mine/?version={version}"), headers=asked).content.decode()
    assert 'id="own"' in fresh
    assert "<!DOCTYPE" not in fresh


def test_a_waiting_list_says_the_place(tournament: Tournament) -> None:
    opened(tournament, most=1)
    first, second = Phone(tournament), Phone(tournament)
    first.sign_up()
    second.sign_up("Meier Anna")
    assert "Platz 1 auf der Warteliste" in second.get("mine/")
    first.step(1, "withdraw")
    assert second.state() == "announced"


def test_the_hall_code_marks_the_arrival_and_a_wrong_one_is_refused(
    phone: Phone, tournament: Tournament
) -> None:
    answer = phone.sign_up(hall="WRONG1")
    assert answer.status_code == 422
    assert "wechselt alle fünf Minuten" in answer.content.decode()
    phone.sign_up(hall=hall_code(tournament, timezone.now()).lower())
    assert phone.state() == "arrived"


def test_only_in_the_hall(tournament: Tournament) -> None:
    opened(tournament, only_in_hall=True)
    phone = Phone(tournament)
    assert phone.sign_up().status_code == 422
    assert phone.sign_up(hall=hall_code(tournament, timezone.now())).status_code == 302


def test_without_a_desk_a_sign_up_is_a_player_immediately(tournament: Tournament) -> None:
    opened(tournament, without_desk=True)
    phone = Phone(tournament)
    phone.sign_up()
    phone.step(1, "arrive", hall=hall_code(tournament, timezone.now()))
    assert phone.state() == "unpaid"


def test_closed_sign_ups_show_the_reason_and_a_link(tournament: Tournament) -> None:
    opened(tournament, is_open=False)
    page = Phone(tournament).get()
    assert 'name="names"' not in page
    assert "an der Tür" in page


def test_too_many_of_one_browser_are_refused_with_429(phone: Phone) -> None:
    for number in range(sign_ups.MOST_OF_A_BROWSER):
        phone.sign_up(f"Spieler {number}")
    answer = phone.sign_up("Einer zu viel")
    assert answer.status_code == 429
    assert 'value="Einer zu viel"' in answer.content.decode()


def test_a_recently_refused_sender_is_refused_again_without_the_database(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    monkeypatch.setattr(sign_ups, "MOST_OF_AN_ADDRESS", 0)
    sent = {"name": "Spieler 1", "code": "ABCDEFGH2345"}
    first = Client().post(f"/t/{tournament.slug}/sign-up/", sent)
    assert (first.status_code, 'value="Spieler 1"' in first.content.decode()) == (429, True)
    with django_assert_num_queries(0):
        again = Client().post(f"/t/{tournament.slug}/sign-up/", sent)
    assert (again.status_code, again["Retry-After"]) == (429, "5")
    assert "zehn Minuten" in again.content.decode()
    in_hall = {**sent, "hall": hall_code(tournament, timezone.now())}
    monkeypatch.setattr(sign_ups, "MOST_OF_AN_ADDRESS", 1)
    assert Client().post(f"/t/{tournament.slug}/sign-up/", in_hall).status_code == 302


def test_after_the_last_public_day_the_pages_are_410(phone: Phone, tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(public_until_on=date(2020, 1, 1))
    assert phone.client.get(phone.url()).status_code == 410
    assert phone.client.get("/t/no-such/sign-up/").status_code == 404


def test_the_pages_are_never_cached(phone: Phone) -> None:
    phone.sign_up()
    for rest in ("", "mine/", "mine/1/"):
        answer = phone.client.get(phone.url(rest))
        assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("private, no-store", "noindex")


def test_a_form_of_another_site_is_refused(phone: Phone) -> None:
    answer = phone.client.post(
        phone.url(), {"name": "x", "code": "ABCDEFGH2345"}, headers={"Origin": "https://evil.example"}
    )
    assert answer.status_code == 403
