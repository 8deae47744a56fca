"""The hall's code: on paired screens alone, while players are invited; and the ways to the sign-up on the players' page."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from scoring.models import ScreenPairing
from scoring.services.screen_pairings import end_pairing
from tests.architecture.test_routes import routes
from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.scoring.paired import paired_client
from tests.tournaments.sign_up.test_sign_up_pages import opened
from tournaments.hall_codes import LASTS, hall_code
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(settings: Settings) -> Tournament:
    settings.PUBLIC_URL = "https://turnier.example.org"
    made: Tournament = TournamentFactory.create(owner=UserFactory.create())
    ParticipantFactory.create_batch(5, tournament=made)
    return opened(made)


def url(tournament: Tournament) -> str:
    return reverse("public:hall_code", args=[tournament.slug])


def codes(tournament: Tournament) -> list[str]:
    """Return the code of now, and those beside it in time."""
    return [hall_code(tournament, timezone.now() + by * LASTS) for by in (-1, 0, 1)]


def has_code(tournament: Tournament, text: str) -> bool:
    return any(code in text for code in codes(tournament))


# --- who gets it ---------------------------------------------------------------------------------------------------


def test_a_paired_screen_gets_the_code_of_now_and_nobody_may_keep_it(tournament: Tournament) -> None:
    answer = paired_client(tournament).get(url(tournament))
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store")
    assert has_code(tournament, answer.content.decode())
    assert "oder auf <b>turnier.example.org</b>: „Mitspielen“" in answer.content.decode()


def test_the_wall_names_the_whole_address_where_the_start_page_does_not_lead_to_the_sign_up(
    tournament: Tournament,
) -> None:
    whole = f"turnier.example.org/t/{tournament.slug}/sign-up/"
    screen = paired_client(tournament)
    assert whole not in screen.get(url(tournament)).content.decode()
    Tournament.objects.filter(pk=tournament.pk).update(is_hidden=True)
    assert whole in screen.get(url(tournament)).content.decode()


def test_no_other_browser_gets_it(tournament: Tournament) -> None:
    organiser = Client()
    organiser.force_login(tournament.memberships.get().user)
    elsewhere = paired_client(TournamentFactory.create())
    ended = paired_client(tournament)
    end_pairing(tournament, ScreenPairing.objects.get(tournament=tournament).pk)
    answers = [client.get(url(tournament)) for client in (Client(), organiser, elsewhere, ended)]
    assert [answer.status_code for answer in answers] == [204, 204, 204, 204]
    assert not any(has_code(tournament, answer.content.decode()) for answer in answers)


def test_it_ends_with_the_sign_ups_and_with_the_first_tables(tournament: Tournament) -> None:
    screen = paired_client(tournament)
    opened(tournament, is_open=False)
    assert screen.get(url(tournament)).status_code == 204
    opened(tournament)
    assert screen.get(url(tournament)).status_code == 200
    a_round(tournament)
    assert screen.get(url(tournament)).status_code == 204


def test_it_ends_with_the_publicity_of_the_tournament(tournament: Tournament) -> None:
    screen = paired_client(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(public_until_on="2020-01-01")
    assert screen.get(url(tournament)).status_code == 410


@pytest.mark.parametrize("is_paired", [False, True])
def test_no_page_tells_it(tournament: Tournament, is_paired: bool) -> None:
    """The control is `test_a_paired_screen_gets_the_code_of_now_and_nobody_may_keep_it`."""
    client = paired_client(tournament) if is_paired else Client()
    seen = 0
    for _pattern, name, pattern in routes():
        is_public_page = name.startswith(("public:", "sign_up:")) and name != "public:hall_code"
        if not is_public_page or str(pattern.pattern).count("<") != 1:
            continue
        answer = client.get(reverse(name, args=[tournament.slug]))
        seen += answer.status_code == 200
        assert not has_code(tournament, answer.content.decode())
    assert seen >= 10


# --- where it leads ------------------------------------------------------------------------------------------------


def test_only_a_paired_screen_asks_for_the_code(tournament: Tournament) -> None:
    address = reverse("public:screen", args=[tournament.slug])
    asks = f'data-hall-code="{url(tournament)}"'
    pages = [client.get(address).content.decode() for client in (Client(), paired_client(tournament))]
    assert [asks in page for page in pages] == [False, True]
    assert all("auf <b>turnier.example.org</b>: „Mitspielen“" in page for page in pages)


def test_the_players_page_leads_to_the_sign_up_and_afterwards_to_ones_own(tournament: Tournament) -> None:
    def led_to() -> list[bool]:
        page = Client().get(f"/t/{tournament.slug}/").content.decode()
        return [f'href="/t/{tournament.slug}/sign-up/{rest}"' in page for rest in ("", "mine/")]

    assert led_to() == [True, True]
    a_round(tournament)
    assert led_to() == [False, True]
    opened(tournament, is_open=False)
    assert led_to() == [False, True]
    tournament.sign_up_terms.delete()
    assert led_to() == [False, False]
