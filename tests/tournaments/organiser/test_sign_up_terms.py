"""The organiser's page of the sign-ups, and the poster."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import segno
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from tests.factories import AT, TournamentFactory, UserFactory, a_round
from tests.scoring.pages import text_of
from tournaments.links import new_sign_up_code
from tournaments.models import Membership, SignUpTerms, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services import sign_ups
from tournaments.services.tournaments import edit_tournament

pytestmark = pytest.mark.django_db
STARTS = datetime(2031, 11, 21, 18, 30, tzinfo=UTC)
TYPED = {"closes_at": "", "most": ""}


@pytest.fixture
def tournament() -> Tournament:
    return TournamentFactory.create(
        owner=UserFactory.create(), played_on=STARTS.date(), starts_at=STARTS, slug="kirchweih"
    )


def browser_of(tournament: Tournament) -> Client:
    client = Client()
    client.force_login(tournament.memberships.get(role="organiser").user)
    return client


def page_of(tournament: Tournament, more: str = "") -> str:
    return text_of(browser_of(tournament).get(f"/o/{tournament.slug}/sign-ups/{more}"))


def send(tournament: Tournament, *, status: int = 302, **typed: str) -> str:
    answer = browser_of(tournament).post(f"/o/{tournament.slug}/sign-ups/", TYPED | typed)
    assert answer.status_code == status
    return text_of(answer)


def terms(tournament: Tournament) -> dict[str, Any]:
    names = ("is_open", "closes_at", "most", "only_in_hall", "without_desk")
    return dict(SignUpTerms.objects.values(*names).get(tournament=tournament))


def signed_up(tournament: Tournament, name: str, **more: Any) -> None:
    values: dict[str, Any] = {"club": "", "names": "", "in_hall": False, "at": AT} | more
    sender = sign_ups.Sender("192.0.2.1", "")
    sign_ups.sign_up(tournament, name=name, code=new_sign_up_code(), sender=sender, **values)


def test_nobody_can_register_until_the_organiser_opens_it_until_the_start(
    tournament: Tournament, settings: Settings
) -> None:
    settings.PUBLIC_URL = "https://turnier.example.org"
    page = page_of(tournament)
    assert "Die Voranmeldung ist geschlossen." in page
    assert 'name="closes_at" value="19:30"' in page
    assert not SignUpTerms.objects.exists()
    send(tournament, step="open")
    assert terms(tournament) == {
        "is_open": True,
        "closes_at": STARTS,
        "most": None,
        "only_in_hall": False,
        "without_desk": False,
    }
    page = page_of(tournament)
    assert "Die Voranmeldung ist offen." in page
    assert "Von zu Hause bis 21.11.2031 19:30 Uhr, danach nur noch im Saal." in page


@pytest.mark.parametrize(
    ("url", "is_local"),
    [
        ("http://192.168.178.20:8000", True),
        ("https://turnier.local", True),
        ("https://turnier.fritz.box", True),
        ("https://turnier.example.org", False),
    ],
)
def test_of_an_address_of_this_network_nobody_reads_that_it_works_from_home(
    tournament: Tournament, settings: Settings, url: str, *, is_local: bool
) -> None:
    settings.PUBLIC_URL = url
    for closes_at in ("20.11.2031 18:00", "20.11.2020 18:00"):
        send(tournament, step="open", closes_at=closes_at)
        page = page_of(tournament)
        assert ("Von zu Hause bis" in page or "Von zu Hause ging" in page) is not is_local
        assert ("Ohne Code bis" in page or "Ohne Code ging" in page) is is_local
    poster = browser_of(tournament).get("/o/kirchweih/sign-ups/poster/").content.decode()
    assert ("Diese Adresse gibt es nur in diesem WLAN" in poster) is is_local


def test_saving_keeps_it_open_or_closed(tournament: Tournament) -> None:
    send(tournament, closes_at="20.11.2031 18:00", most="60", without_desk="on")
    stored = {"closes_at": datetime(2031, 11, 20, 17, 0, tzinfo=UTC), "most": 60, "without_desk": True}
    assert terms(tournament) == stored | {"is_open": False, "only_in_hall": False}
    assert 'name="closes_at" value="20.11.2031 18:00"' in page_of(tournament)
    send(tournament, closes_at="18 Uhr", step="open")
    send(tournament, closes_at="18 Uhr", only_in_hall="on")
    assert terms(tournament)["is_open"]
    assert "Offen, nur im Saal" in page_of(tournament)
    send(tournament, step="close")
    assert not terms(tournament)["is_open"]


@pytest.mark.parametrize(
    ("moments", "end"),
    [
        ({"starts_at": None}, datetime(2031, 11, 21, 17, 0, tzinfo=UTC)),
        ({"starts_at": None, "admits_at": STARTS}, STARTS),
    ],
    ids=["neither", "admission"],
)
def test_without_a_start_it_ends_with_the_admission_or_at_six(
    tournament: Tournament, moments: dict[str, Any], end: datetime
) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(**moments)
    send(tournament, step="open")
    assert terms(tournament)["closes_at"] == end


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"closes_at": "abends"}, "Das ist keine Uhrzeit."),
        ({"most": "viele"}, "Bitte eine ganze Zahl, oder nichts für keine Grenze."),
        ({"most": "0"}, "Die Zahl der Plätze liegt zwischen 1 und 1000."),
        ({"most": "1001"}, "Die Zahl der Plätze liegt zwischen 1 und 1000."),
        ({"step": "delete"}, ""),
    ],
)
def test_invalid_input_is_refused(tournament: Tournament, typed: dict[str, str], said: str) -> None:
    assert said in send(tournament, status=422, **typed)
    assert not SignUpTerms.objects.exists()


def test_after_its_end_it_is_open_in_the_hall_only(tournament: Tournament, settings: Settings) -> None:
    settings.PUBLIC_URL = "https://turnier.example.org"
    send(tournament, step="open", closes_at="20.11.2020 18:00")
    assert "Von zu Hause ging es bis 20.11.2020 18:00 Uhr." in page_of(tournament)


def test_the_page_says_when_joining_has_ended() -> None:
    rules = preset("schafkopf").to_dict()
    tournament = TournamentFactory.create(owner=UserFactory.create(), ruleset=rules)
    for number in range(4):
        tournament.participants.create(
            start_number=number + 1, name=f"Spieler {number}", registered_at=AT, registered_by="x"
        )
    send(tournament, step="open")
    said = "dazukommen kann niemand mehr."
    assert said not in page_of(tournament)
    a_round(tournament)
    assert said in page_of(tournament)


def test_the_figures_count_each_sign_up_once(tournament: Tournament) -> None:
    send(tournament, step="open", most="3")
    for number in range(1, 6):
        signed_up(tournament, f"Spieler {number}")
    signed_up(tournament, "Spieler 6", in_hall=True)
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=AT)
    sign_ups.discard(tournament, 2, by="kasse", at=AT)
    page = page_of(tournament)
    assert "Vorangemeldet</dt> <dd>2</dd>" in page
    assert "Warteliste</dt><dd>2</dd>" in page
    assert "Bestätigt</dt><dd>1</dd>" in page
    assert "Noch frei</dt><dd>0</dd>" in page
    with CaptureQueriesContext(connection) as few:
        page_of(tournament)
    signed_up(tournament, "Spieler 7")
    with CaptureQueriesContext(connection) as more:
        page_of(tournament)
    assert len(few) == len(more)


def test_players_without_a_desk_are_counted_until_a_desk_confirms_them(tournament: Tournament) -> None:
    send(tournament, step="open", without_desk="on")
    signed_up(tournament, "Spieler 1", in_hall=True)
    page = page_of(tournament)
    assert "Vorangemeldet</dt> <dd>1</dd>" in page
    assert "1 sagt: ich bin da" in page


def test_the_link_and_its_code_lead_to_the_public_address(tournament: Tournament, settings: Settings) -> None:
    settings.PUBLIC_URL = "https://turnier.example.org"
    link = "https://turnier.example.org/t/kirchweih/sign-up/"
    code = segno.make(link, micro=False, error="m").svg_data_uri(scale=4, border=2)
    page = browser_of(tournament).get("/o/kirchweih/sign-ups/").content.decode()
    assert f'value="{link}" readonly' in page
    assert f'src="{code}"' in page
    poster = browser_of(tournament).get("/o/kirchweih/sign-ups/poster/").content.decode()
    assert f'src="{code}"' in poster
    assert ">turnier.example.org/t/kirchweih/sign-up/</p>" in poster


@pytest.mark.parametrize(
    ("address", "is_warned"),
    [
        ("http://192.168.178.20:8000", True),
        ("http://laptop.fritz.box:8000", True),
        ("https://turnier.example.org", False),
    ],
)
def test_an_address_that_nobody_reaches_from_home_is_warned_of(
    tournament: Tournament, settings: Settings, address: str, is_warned: bool
) -> None:
    settings.PUBLIC_URL = address
    for page in ("", "poster/"):
        assert ("Von zu Hause erreicht sie niemand" in page_of(tournament, page)) == is_warned
    send(tournament, only_in_hall="on")
    assert "Von zu Hause erreicht sie niemand" not in page_of(tournament)


def test_a_cashier_sees_no_link_to_the_sign_ups(tournament: Tournament) -> None:
    cashier = UserFactory.create()
    Membership.objects.create(tournament=tournament, user=cashier, role="cashier")
    client = Client()
    client.force_login(cashier)
    assert "sign-ups" not in client.get("/o/kirchweih/door/").content.decode()
    for place in ("door/", ""):
        assert (
            "/o/kirchweih/sign-ups/" in browser_of(tournament).get(f"/o/kirchweih/{place}").content.decode()
        )


def test_the_end_moves_with_the_day_of_the_tournament(tournament: Tournament) -> None:
    send(tournament, closes_at="20.11.2031 18:00")
    kept: dict[str, Any] = {
        name: getattr(tournament, name) for name in ("name", "place", "names", "public_until_on", "starts_at")
    }
    day = tournament.played_on + timedelta(days=200)  # in summer time
    edit_tournament(tournament, **kept, ruleset=tournament.rules, played_on=day)
    end = timezone.localtime(terms(tournament)["closes_at"])
    assert (end.date(), end.hour) == (day - timedelta(days=1), 18)
