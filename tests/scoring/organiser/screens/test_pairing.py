"""Pairing of browsers as screens: by an organiser who opens the screen, or by a code that an organiser confirms."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.test import Client

from scoring.models import ScreenPairing
from scoring.queries.screens import SentScene
from scoring.screen_cookie import COOKIE
from scoring.services import screens
from tests.factories import AT, ParticipantFactory, a_played_round
from tests.scoring.pages import Staff, text_of
from tests.scoring.paired import paired_client
from tests.scoring.prize_giving import reveal_until
from tournaments.models import Membership

pytestmark = pytest.mark.django_db

NAME = "Zita Rosenmüller"


@pytest.fixture
def desk() -> Staff:
    """Create a tournament that names its players on the web by number, with a Wi-Fi on the first two screens."""
    desk = Staff(5)
    ParticipantFactory.create(tournament=desk.tournament, name=NAME)
    desk.tournament.names = "number"
    desk.tournament.save()
    a_played_round(desk.tournament)
    return desk


def screen(client: Client, desk: Staff, address: str = "screen/") -> str:
    return text_of(client.get(f"/t/{desk.tournament.slug}/{address}"))


def ask(client: Client, desk: Staff, number: int = 1) -> Any:
    return client.post(f"/t/{desk.tournament.slug}/screen/code/", {"screen": number})


def code_on(page: str) -> str:
    match = re.search(r'data-code="(\d{3} \d{3})"', page)
    return match[1] if match else ""


def asking(desk: Staff) -> tuple[Client, str]:
    """Return a browser that shows a code, and the code."""
    client = Client()
    ask(client, desk)
    return client, code_on(screen(client, desk))


def sees_names(client: Client, desk: Staff) -> bool:
    return NAME in screen(client, desk)


# --- by a code -----------------------------------------------------------------------------------------------------


def test_a_browser_shows_a_code_and_is_paired_when_the_organiser_confirms_it(desk: Staff) -> None:
    client, code = asking(desk)
    assert not sees_names(client, desk)
    answer = desk.post("confirm_code", code=code, follow=True)
    assert "Leinwand 1 ist verbunden." in text_of(answer)
    assert sees_names(client, desk)
    assert code_on(screen(client, desk)) == ""
    assert not sees_names(Client(), desk)


def test_a_browser_keeps_its_code_and_leads_back_to_its_screen(desk: Staff) -> None:
    client = Client()
    assert ask(client, desk, 2).headers["Location"] == f"/t/{desk.tournament.slug}/screen/2/"
    code = code_on(screen(client, desk, "screen/2/"))
    ask(client, desk, 2)
    assert code_on(screen(client, desk, "screen/2/")) == code
    assert ScreenPairing.objects.count() == 1
    assert ask(client, desk, 1).headers["Location"] == f"/t/{desk.tournament.slug}/screen/"


@pytest.mark.parametrize("number", ["", "0", "10", "x"])
def test_there_is_no_code_for_other_screens(desk: Staff, number: str) -> None:
    assert Client().post(f"/t/{desk.tournament.slug}/screen/code/", {"screen": number}).status_code == 404


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "Bitte die sechs Ziffern eintragen, die der Bildschirm zeigt."),
        ("12345", "Diesen Code zeigt gerade keine Leinwand."),
        ("٠٠٠٠٠٠", "Diesen Code zeigt gerade keine Leinwand."),
    ],
)
def test_a_wrong_code_says_what_to_do_and_stays_in_its_field(desk: Staff, typed: str, says: str) -> None:
    answer = desk.post("confirm_code", code=typed)
    assert answer.status_code == 422
    assert says in text_of(answer)
    assert not typed or f'value="{typed}"' in text_of(answer)


# --- by opening it -------------------------------------------------------------------------------------------------


def test_an_organiser_who_opens_the_screen_pairs_it_once_and_beyond_the_log_out(desk: Staff) -> None:
    assert sees_names(desk.client, desk)
    assert sees_names(desk.client, desk)
    pairing = ScreenPairing.objects.get()
    assert (pairing.number, pairing.paired_by) == (1, desk.user.username)
    del desk.client.cookies[settings.SESSION_COOKIE_NAME]
    assert sees_names(desk.client, desk)
    del desk.client.cookies[COOKIE]
    assert not sees_names(desk.client, desk)


def test_a_cashier_and_an_organiser_of_another_tournament_pair_nothing(desk: Staff) -> None:
    cashier = Staff(role=Membership.Role.CASHIER)
    cashier.tournament.memberships.update(tournament=desk.tournament)
    for client in (cashier.client, Staff().client):
        assert not sees_names(client, desk)
    assert not ScreenPairing.objects.exists()


# --- the organiser's page ------------------------------------------------------------------------------------------


def test_the_page_lists_the_paired_browsers_and_ends_one(desk: Staff) -> None:
    assert "Keiner. Wer die Leinwand jetzt öffnet" in text_of(desk.get("screens"))
    client, code = asking(desk)
    desk.post("confirm_code", code=code.replace(" ", ""))
    screen(client, desk, "screen/2/")
    page = text_of(desk.get("screens_list"))
    assert re.search(
        rf"Leinwand 2</b> <span[^>]*>geöffnet</span> <span>verbunden seit .* von {desk.user}", page
    )
    pairing = ScreenPairing.objects.get()
    assert desk.post("end_pairing", pairing.pk).status_code == 302
    assert not sees_names(client, desk)
    assert desk.post("end_pairing", pairing.pk).status_code == 302
    assert "Keiner. Wer die Leinwand jetzt öffnet" in text_of(desk.get("screens"))


def test_the_database_knows_no_half_pairing(desk: Staff) -> None:
    for wrong in ({}, {"code": "123456", "paired_at": AT}, {"origin": "x", "paired_at": AT}):
        with pytest.raises(IntegrityError), transaction.atomic():
            desk.tournament.screen_pairings.create(number=1, device="x", asked_at=AT, **wrong)


# --- what a screen shows that is not paired ------------------------------------------------------------------------


def test_the_wifi_is_on_paired_screens_only(desk: Staff) -> None:
    wifi = SentScene("welcome", network="Wirtshaus-Gast", password="eichel-7")
    screens.set_scene(desk.tournament, [1], wifi, by="x", at=AT)
    assert "eichel-7" in screen(paired_client(desk.tournament), desk)
    shown = screen(Client(), desk)
    assert ("Herzlich willkommen!" in shown, "eichel-7" in shown, "Wirtshaus-Gast" in shown) == (
        True,
        False,
        False,
    )


def test_prizes_are_on_paired_screens_only(desk: Staff) -> None:
    a_played_round(desk.tournament, 2)
    a_played_round(desk.tournament, 3)
    screens.set_scene(desk.tournament, [1], SentScene("prizes", lowest_rank=12), by="x", at=AT)
    reveal_until(desk.tournament, (1,), "1")
    paired, other = (screen(client, desk) for client in (paired_client(desk.tournament), Client()))
    assert ('data-kind="prizes"' in paired, NAME in paired) == (True, True)
    assert ('data-kind="pause"' in other, 'data-kind="prizes"' in other, "Nr. 1" in other) == (
        True,
        False,
        False,
    )
