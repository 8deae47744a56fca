"""Registering a player with a name and Enter."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.factories import ParticipantFactory, TournamentFactory
from tests.tournaments.door.doors import FRAGMENT, Cashier, figures, numbers
from tournaments.models import Participant, Payment

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Cashier:
    return Cashier()


def people(desk: Cashier) -> list[tuple[int, str, str, str]]:
    rows = desk.tournament.participants.order_by("start_number")
    return list(rows.values_list("start_number", "name", "club", "presence"))


def payments(desk: Cashier) -> list[tuple[int, str, int, str, str]]:
    fields = ("participant__start_number", "kind", "cents", "by", "desk")
    return list(
        Payment.objects.filter(participant__tournament=desk.tournament).order_by("id").values_list(*fields)
    )


def test_a_name_gets_a_number_is_present_and_has_paid(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    assert people(desk) == [(1, "Huber Sepp", "", "present")]
    assert payments(desk) == [(1, "fee", 300, desk.user.username, "")]


def test_the_answer_shows_number_and_name_and_the_new_row_on_top(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    answer = desk.register("Meier Anna", club="SV Ort")
    assert "Nr. 2 · Meier Anna" in answer
    assert "3,00\u00a0€ kassiert" in answer
    assert numbers(answer) == [2, 1]
    assert figures(answer) == {
        "present": "2",
        "announced": "0",
        "absent": "0",
        "unpaid": "0",
        "cash": "6,00 €",
    }


def test_the_line_is_empty_again_and_has_the_focus(desk: Cashier) -> None:
    answer = desk.register("Huber Sepp")
    line = answer[: answer.index('id="door-list"')]
    assert 'name="name"' in line
    assert "autofocus" in line
    assert "Huber" not in line


def test_not_paid_is_one_tick(desk: Cashier) -> None:
    answer = desk.register("Huber Sepp", unpaid="on")
    assert payments(desk) == []
    assert figures(answer)["unpaid"] == "1"
    assert figures(answer)["cash"] == "0,00 €"


def test_without_javascript_the_page_comes_back(desk: Cashier) -> None:
    response = desk.client.post(desk.url("register"), {"name": "Huber Sepp"}, follow=True)
    assert response.redirect_chain == [(desk.url("desk") + "?", 302)]
    page = response.content.decode()
    assert "Nr. 1 · Huber Sepp" in page
    assert numbers(page) == [1]


def test_the_same_name_is_warned_about_and_nothing_typed_is_lost(desk: Cashier) -> None:
    desk.register("Müller, Jörg")
    answer = desk.register("joerg mueller", club="Stammtisch", unpaid="on")
    assert len(people(desk)) == 1
    assert "Diesen Namen gibt es schon" in answer
    assert "Trotzdem anmelden" in answer
    assert 'value="joerg mueller"' in answer
    assert 'value="Stammtisch"' in answer
    assert "checked" in answer


def test_the_same_name_is_still_possible(desk: Cashier) -> None:
    desk.register("Jörg Müller")
    desk.register("Jörg Müller", anyway="joerg mueller", others="1")
    assert [name for _, name, _, _ in people(desk)] == ["Jörg Müller", "Jörg Müller"]


def test_a_confirmed_name_does_not_confirm_another(desk: Cashier) -> None:
    desk.register("Jörg Müller")
    desk.register("Anna Meier")
    desk.register("Anna Meier", anyway="joerg mueller")
    assert len(people(desk)) == 2


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Der Name fehlt."),
        ("   ", "Der Name fehlt."),
        ("x" * 10_000, "Der Name ist zu lang."),
        ("78910111213", "Eine Zahl ist kein Name."),
        ("Sepp\0Huber", "unsichtbares Zeichen (U+0000)"),
        ("Sepp\x07Huber", "unsichtbares Zeichen (U+0007)"),
        ("Sepp \u202eHuber", "unsichtbares Zeichen (U+202E)"),
        ("\u200b", "unsichtbares Zeichen (U+200B)"),
    ],
)
def test_an_invalid_name_is_refused_at_its_field(desk: Cashier, name: str, sentence: str) -> None:
    response = desk.client.post(desk.url("register"), {"name": name, "club": "SV Ort"}, headers=FRAGMENT)
    answer = response.content.decode()
    assert response.status_code == 422
    assert sentence in answer
    assert 'aria-invalid="true"' in answer
    assert 'value="SV Ort"' in answer
    assert people(desk) == []


def test_a_club_that_is_too_long_is_refused_at_its_field(desk: Cashier) -> None:
    answer = desk.register("Huber Sepp", club="x" * 81)
    assert "Der Text ist zu lang." in answer
    assert 'value="Huber Sepp"' in answer
    assert people(desk) == []


@pytest.mark.parametrize("name", ["<b>Sepp</b>", '"><script>alert(1)</script>', "=1+1", "{{ 7*7 }}"])
def test_markup_and_formulas_are_names_like_any_other(desk: Cashier, name: str) -> None:
    answer = desk.register(name)
    assert people(desk) == [(1, name, "", "present")]
    assert "<b>Sepp" not in answer
    assert "<script>alert" not in answer


def test_a_free_tournament_books_nothing_and_asks_nothing(desk: Cashier) -> None:
    desk.tournament.ruleset["entry_fee_cents"] = 0
    desk.tournament.save()
    desk.register("Huber Sepp")
    assert payments(desk) == []
    assert "noch nicht bezahlt" not in desk.get("desk")


def test_payments_carry_the_name_of_the_desk(desk: Cashier) -> None:
    desk.client.post(desk.url("name_desk"), {"desk": "Kasse 1"})
    desk.register("Huber Sepp")
    assert payments(desk) == [(1, "fee", 300, desk.user.username, "Kasse 1")]


def test_a_cashier_registers_players(desk: Cashier) -> None:
    cashier = Cashier("cashier", desk.tournament)
    cashier.register("Huber Sepp")
    assert people(desk) == [(1, "Huber Sepp", "", "present")]


def test_a_member_of_another_tournament_gets_404(desk: Cashier) -> None:
    stranger = Cashier()
    stranger.tournament = desk.tournament
    assert stranger.client.get(stranger.url("desk")).status_code == 404
    assert stranger.client.post(stranger.url("register"), {"name": "X"}).status_code == 404
    assert people(desk) == []


def test_an_anonymous_user_is_asked_to_log_in(desk: Cashier) -> None:
    response = Client().get(desk.url("desk"))
    assert response.status_code == 302
    assert response["Location"] == f"/account/login/?next={desk.url('desk')}"


def test_a_get_registers_nobody(desk: Cashier) -> None:
    assert desk.client.get(desk.url("register") + "?name=Sepp").status_code == 405


def test_the_polled_list_is_204_until_something_changes(desk: Cashier) -> None:
    answer = desk.register("Huber Sepp")
    poll = (
        answer.partition('id="door-list"')[2].partition('hx-get="')[2].partition('"')[0].replace("&amp;", "&")
    )
    assert desk.client.get(poll, headers=FRAGMENT).status_code == 204
    other_desk = Cashier("cashier", desk.tournament)
    other_desk.register("Meier Anna")
    news = desk.client.get(poll, headers=FRAGMENT)
    assert news.status_code == 200
    assert numbers(news.content.decode()) == [2, 1]
    assert 'id="id_name"' not in news.content.decode()


def test_300_players_make_a_list_of_40(desk: Cashier) -> None:
    ParticipantFactory.create_batch(300, tournament=desk.tournament)
    page = desk.get("desk")
    assert numbers(page) == list(range(300, 260, -1))
    assert "1 bis 40 von 300" in page
    assert f'href="{desk.url("desk")}?every=1">Alle zeigen, nach Namen</a>' in page
    assert len(numbers(desk.get("desk", query="?every=1"))) == 100


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_asks_the_database_as_often_for_one_as_for_three(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    desk = Cashier()
    for number in range(count):
        desk.register(f"Spieler {number}")
    with django_assert_num_queries(6):  # session, account, tournament, membership, people, sign-ups
        desk.get("desk")


def test_what_if_names_the_tables_around_the_head_count(desk: Cashier) -> None:
    ParticipantFactory.create_batch(13, tournament=desk.tournament)
    page = desk.get("desk").replace("\u202f", " ")
    assert "<b>12</b><span>2 × 6</span>" in page
    assert 'aria-current="true" data-fits="no"><b>13</b><span>' in page
    assert "Mit 13 Spielern gehen Fünfer- und Sechsertische nicht auf." in page
    assert "<b>16</b><span>2 × 5 + 1 × 6</span>" in page


def test_at_an_empty_door_it_begins_with_the_fewest_players_that_can_be_drawn(desk: Cashier) -> None:
    page = desk.get("desk").replace("\u202f", " ")
    assert re.findall(r"<b>(\d+)</b><span>", page) == ["4", "5", "6", "7", "8", "9", "10"]
    assert "Tische bei …" in page


def test_other_tournaments_keep_their_numbers(desk: Cashier) -> None:
    other = TournamentFactory.create()
    ParticipantFactory.create_batch(5, tournament=other)
    desk.register("Huber Sepp")
    assert Participant.objects.get(tournament=desk.tournament).start_number == 1


# --- small letters ---------------------------------------------------------------------------------------------------


def test_a_name_in_small_letters_is_registered_and_offered_in_capitals_once(desk: Cashier) -> None:
    answer = " ".join(desk.register("sepp huber").split())
    assert "„Sepp Huber“ schreiben" in answer
    url = re.search(r'action="([^"]*/capitals/)"', answer)
    assert url
    changed = desk.client.post(url[1], headers=FRAGMENT).content.decode()
    assert people(desk)[0][1] == "Sepp Huber"
    assert ("Nr. 1 · Sepp Huber" in changed, "schreiben" in changed) == (True, False)
    assert list(desk.tournament.participants.get().changes.values_list("kind", "text")) == [
        ("renamed", "sepp huber")
    ]
    assert "schreiben" not in desk.register("Anna Meier")
