"""The search of the organiser's pages: players, tables in play, pages; for a cashier only what a cashier may see."""

import re
from typing import Any

import pytest

from scoring.organiser.search.views import MOST
from tests.factories import ParticipantFactory, TournamentFactory
from tests.scoring.pages import Staff, text_of
from tournaments.core.names import MOST_IN_A_NAME
from tournaments.models import Membership, Participant

pytestmark = pytest.mark.django_db


def found(desk: Staff, text: str, *, htmx: bool = True) -> list[str]:
    """Return the addresses that a search lists."""
    headers = {"HX-Request": "true"} if htmx else {}
    answer = desk.client.get(desk.url("search"), {"q": text}, headers=headers)
    assert answer.status_code == 200
    page = text_of(answer).partition('class="search-results"')[2].partition("</ul>")[0]
    return re.findall(r'href="([^"]+)"', page)


@pytest.fixture
def desk() -> Staff:
    desk = Staff(10)
    Participant.objects.filter(tournament=desk.tournament, start_number=7).update(name="Sepp Hübner")
    return desk


@pytest.mark.parametrize("text", ["7", "Nr. 7", "sepp", "hueb", "Hübner Sepp"])
def test_a_player_is_found_by_number_or_name(desk: Staff, text: str) -> None:
    assert found(desk, text) == [f"/o/{desk.tournament.slug}/door/people/7/"]


def test_a_table_is_found_while_its_round_is_in_play(desk: Staff) -> None:
    sheet = desk.url("sheet", 1, 2)
    assert sheet not in found(desk, "Tisch 2")
    desk.draw()
    assert found(desk, "Tisch 2") == [sheet]
    assert sheet in found(desk, "2")
    assert sheet not in found(desk, "Tisch 3")
    assert "Tisch" in text_of(desk.client.get(desk.url("search"), {"q": "sepp"}))


def test_a_page_is_found_by_the_words_of_its_name(desk: Staff) -> None:
    assert found(desk, "rangl") == [desk.url("standings")]
    assert found(desk, "", htmx=False) == []
    assert "Nichts gefunden zu „gibtesnicht“" in text_of(desk.get("search", q="gibtesnicht"))


def test_without_script_the_page_shows_the_same(desk: Staff) -> None:
    assert found(desk, "sepp", htmx=False) == found(desk, "sepp")


def test_a_cashier_finds_players_and_the_pages_of_the_door() -> None:
    cashier = Staff(10, role=Membership.Role.CASHIER)
    cashier.draw()
    assert cashier.url("sheet", 1, 2) not in found(cashier, "2")
    assert [found(cashier, "rangliste"), found(cashier, "einstellungen")] == [[], []]
    assert len(found(cashier, "kassenbuch")) == 1
    assert len(found(cashier, "5")) == 1


def test_an_evening_without_amounts_has_no_pages_of_money(desk: Staff) -> None:
    desk.tournament.hides_amounts = True
    desk.tournament.save()
    assert found(desk, "kassenbuch") == []


def test_another_tournament_is_neither_searched_nor_found(desk: Staff) -> None:
    other = TournamentFactory.create()
    ParticipantFactory.create(tournament=other, name="Nur Drüben")
    assert found(desk, "drüben") == []
    address = desk.url("search").replace(desk.tournament.slug, other.slug)
    assert desk.client.get(address, {"q": "drüben"}).status_code == 404


def test_words_and_results_are_limited(desk: Staff) -> None:
    Participant.objects.filter(tournament=desk.tournament).update(club="Kartenfreunde")
    assert len(found(desk, "kartenfreunde")) == MOST
    page = text_of(desk.get("search", q="a" * 5000))
    assert f'value="{"a" * MOST_IN_A_NAME}"' in page


@pytest.mark.parametrize("players", [10, 30])
def test_a_search_takes_the_same_queries_for_every_number_of_players(
    players: int, django_assert_num_queries: Any
) -> None:
    desk = Staff(players)
    desk.draw()
    with django_assert_num_queries(7):
        desk.client.get(desk.url("search"), {"q": "2"}, headers={"HX-Request": "true"})
