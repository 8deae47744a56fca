"""The organiser's pages that end a tournament early, resume it, and delete it."""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.core.prize_plan import PrizePlan
from scoring.open_screens import open_screens
from scoring.services.prizes import set_prize_plan
from tests import labels
from tests.factories import TournamentFactory, UserFactory, a_played_round
from tests.scoring.pages import Staff, text_of
from tournaments.models import Membership, Round, SecurityEvent, Tournament
from tournaments.services.tournaments import edit_tournament

pytestmark = pytest.mark.django_db


def a_desk(played: int = 2) -> Staff:
    desk = Staff(5)
    for number in range(1, played + 1):
        a_played_round(desk.tournament, number)
    return desk


def test_the_overview_offers_the_end_from_the_first_round_in_play_on() -> None:
    desk = Staff(5)
    address = desk.url("end")
    assert address not in text_of(desk.get("overview"))
    desk.draw()
    assert address in text_of(desk.get("overview"))
    for number in (1, 2, 3):
        desk.type_in_everything(number)
        desk.post("close", number)
        assert (address in text_of(desk.get("overview"))) is (number < 3)
        if number < 3:
            desk.draw(number + 1)


def test_the_reason_is_kept_where_only_organisers_see_it_and_the_end_is_undone() -> None:
    desk = a_desk()
    desk.post("end", reason="Der Wirt will heim")
    page = text_of(desk.get("overview"))
    assert "Nach 2 Spielrunden beendet" in page
    assert "Der Wirt will heim" in page
    assert "Endstand drucken" in page
    assert "beendet nach 2 Spielrunden" in text_of(desk.get("print_standings"))
    assert "Das Turnier ist beendet." in text_of(desk.get("round", 3))
    desk.post("resume")
    page = text_of(desk.get("overview"))
    assert "Der Wirt will heim" not in page
    assert "3. Spielrunde auslosen" in page


def test_while_the_last_round_is_in_play_the_overview_offers_to_hold_the_standings() -> None:
    desk = a_desk(played=1)
    offer = "Soll erst die Siegerehrung zeigen, wer gewonnen hat"
    desk.draw(2)
    assert offer not in text_of(desk.get("overview"))
    desk.type_in_everything(2)
    desk.post("close", 2)
    desk.draw(3)
    assert offer in text_of(desk.get("overview"))
    desk.post("freeze")
    assert offer not in text_of(desk.get("overview"))


def test_ending_without_a_reason_shows_the_error() -> None:
    desk = a_desk()
    answer = desk.post("end", reason=" ")
    assert answer.status_code == 422
    assert "Bitte in ein paar Worten sagen, warum." in text_of(answer)
    assert Tournament.objects.get(pk=desk.tournament.pk).ended_at is None


def test_a_round_in_play_is_closed_or_taken_back_first() -> None:
    desk = a_desk()
    desk.draw(3)
    page = text_of(desk.get("end"))
    assert "Die 3. Spielrunde wird noch gespielt" in page
    assert 'name="reason"' not in page
    assert desk.post("end", reason="x").status_code == 422
    assert "Freigabe der 3. Spielrunde ist zurückgenommen" in text_of(
        desk.post("take_back_release", 3, follow=True)
    )
    assert 'name="reason"' in text_of(desk.get("end"))


def test_a_round_with_entries_leads_to_its_close() -> None:
    desk = a_desk()
    desk.draw(3)
    desk.type_in_everything(3)
    page = text_of(desk.get("end"))
    assert f'href="{desk.url("round", 3)}#close"' in page
    assert desk.url("take_back_release", 3) not in page
    desk.post("take_back_release", 3)
    assert Round.objects.get(tournament=desk.tournament, number=3).state == Round.State.RELEASED


# --- deleting ------------------------------------------------------------------------------------------------------


def test_a_real_tournament_is_deleted_with_its_name_typed_and_no_other_is_touched() -> None:
    desk, other = a_desk(), a_desk()
    address = desk.url("delete")
    assert address in text_of(desk.get("settings"))
    only = "Es ist das einzige Turnier, das Sie veranstalten"
    assert only in text_of(desk.client.get(address))
    TournamentFactory.create(owner=desk.user)
    assert only not in text_of(desk.client.get(address))
    for typed in ("", "Preisschnauz", "preisschnauzen"):
        answer = desk.client.post(address, {"name": typed})
        assert answer.status_code == 422
        assert f'value="{typed}"' in text_of(answer) or not typed
    assert Tournament.objects.filter(pk=desk.tournament.pk).exists()
    answer = desk.client.post(address, {"name": " Preisschnauzen "}, follow=True)
    assert "„Preisschnauzen“ ist gelöscht." in text_of(answer)
    assert not Tournament.objects.filter(pk=desk.tournament.pk).exists()
    assert Tournament.objects.filter(pk=other.tournament.pk).exists()
    assert SecurityEvent.objects.get(kind="purged").about == desk.tournament.slug
    assert Client().get(f"/t/{desk.tournament.slug}/").status_code == 404
    owner = Client()
    owner.force_login(UserFactory.create(is_superuser=True))
    assert owner.get(desk.url("overview")).status_code == 404


def test_only_an_organiser_of_the_tournament_deletes_it() -> None:
    desk = a_desk(played=0)
    cashier, stranger = UserFactory.create_batch(2)
    Membership.objects.create(tournament=desk.tournament, user=cashier, role=Membership.Role.CASHIER)
    for user in (cashier, stranger):
        client = Client()
        client.force_login(user)
        for name in ("delete", "end", "resume"):
            assert client.post(desk.url(name), {"name": "Preisschnauzen"}).status_code == 404
    assert Tournament.objects.filter(pk=desk.tournament.pk).exists()


# --- the start page ------------------------------------------------------------------------------------------------


def test_a_hidden_tournament_is_not_on_the_start_page_and_its_pages_work(client: Client) -> None:
    desk = a_desk()
    made = desk.tournament
    link = f'href="/t/{made.slug}/"'
    assert link in client.get("/").content.decode()
    edit_tournament(
        made,
        name=made.name,
        played_on=made.played_on,
        place=made.place,
        names=made.names,
        ruleset=made.rules,
        public_until_on=made.public_until_on,
        is_hidden=True,
    )
    assert link not in client.get("/").content.decode()
    assert client.get(f"/t/{made.slug}/").status_code == 200
    assert 'name="is_hidden"' in text_of(desk.get("settings"))
    assert made.slug in desk.client.get(reverse("organiser:home")).content.decode()


# --- after the last round ------------------------------------------------------------------------------------------


def main_button(desk: Staff) -> str:
    page = text_of(desk.get("overview"))
    return page.partition("button--primary button--big")[2].partition(">")[2].partition("<")[0]


def test_where_a_screen_is_open_the_prize_giving_begins_before_the_result_is_shown() -> None:
    desk = a_desk(played=2)
    desk.post("freeze")
    a_played_round(desk.tournament, 3)
    assert main_button(desk) == labels.SHOW_FINAL_STANDINGS
    open_screens.note(desk.tournament.slug, 1)
    assert main_button(desk) == labels.BEGIN_PRIZE_GIVING
    assert f"{labels.SHOW_FINAL_STANDINGS}</button>" not in text_of(desk.get("overview"))
    desk.post("show_scene", scene="prizes", lowest_rank="1", listed="1")
    assert main_button(desk) == "Weiter mit der Siegerehrung"
    desk.post("reveal", seen="", step="1")
    assert main_button(desk) == labels.SHOW_FINAL_STANDINGS
    desk.post("release_standings")
    assert main_button(desk) == "Endstand drucken"


def test_with_a_prize_plan_the_prize_giving_is_led_from_the_list_of_prizes() -> None:
    desk = a_desk(played=3)
    open_screens.note(desk.tournament.slug, 1)
    begin = f'name="next" value="{desk.url("screens")}"'
    assert begin in text_of(desk.get("overview"))
    plan = PrizePlan.from_dict({"prizes": [{"for": "last", "thing": "Trostpreis"}]})
    set_prize_plan(desk.tournament, plan)
    assert begin not in text_of(desk.get("overview"))
    assert desk.post("show_scene", scene="prizes", lowest_rank="1", listed="1").status_code == 302
    assert f'href="{desk.url("prize_list")}">Weiter mit der Siegerehrung' in text_of(desk.get("overview"))


def test_the_last_steps_lead_somewhere() -> None:
    desk = a_desk(played=3)
    page = text_of(desk.get("overview"))
    for address in (
        desk.url("print_standings"),
        desk.url("export"),
        f"/o/{desk.tournament.slug}/door/desks/",
    ):
        assert f'href="{address}"' in page
        assert desk.client.get(address).status_code == 200
