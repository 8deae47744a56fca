"""A club with a till of its own: no page names an amount, and „bezahlt“ is ticked all the same."""

import json
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from scoring.core.prize_plan import Prize, PrizePlan
from scoring.documents import dump, export_tournament
from scoring.services.prizes import set_prize_plan
from tests.scoring.pages import Staff
from tests.scoring.test_documents import imported
from tests.scoring.test_fees_everywhere import FEES, pages_of_a_tournament
from tests.tournaments.sign_up.test_sign_up_pages import Phone, opened
from tournaments.models import Participant, Payment, Tournament
from tournaments.rulesets.loader import PRESETS, preset

pytestmark = pytest.mark.django_db

OF_CASH = {"door:cash", "door:desks", "door:daily_reports", "organiser:closing_of_desks"}
THE_PROGRAM_ITSELF = {"public:check_file"}
FRAGMENT = {"HX-Request": "true"}


class OwnTill(Staff):
    """An evening of a club with a till of its own. Stakes are paid at the tables, so the rules have none here."""

    def __init__(self, name: str = "schnauz-placing", players: int = 0) -> None:
        super().__init__(players, ruleset=replace(preset(name), stakes=None))
        self.tournament.fees, self.tournament.hides_amounts = FEES["several fees"], True
        self.tournament.save()

    def enter(self, name: str, **more: str) -> str:
        answer = self.client.post(
            reverse("door:register", args=[self.tournament.slug]), {"name": name, **more}, headers=FRAGMENT
        )
        return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())

    def act(self, number: int, action: str) -> str:
        address = reverse("door:act", args=[self.tournament.slug, number, action])
        return str(self.client.post(address, headers=FRAGMENT).content.decode())

    def paid(self) -> list[tuple[int, str]]:
        payments = Payment.objects.filter(participant__tournament=self.tournament).order_by("id")
        return list(payments.values_list("participant__start_number", "kind"))


@pytest.mark.parametrize("name", PRESETS)
def test_no_page_names_an_amount(name: str) -> None:
    """With players who owe, have paid in advance, have paid too much, and a sign-up; before and after the draw."""
    desk = OwnTill(name, players=13)
    slug = desk.tournament.slug
    opened(desk.tournament)
    phone = Phone(desk.tournament)
    phone.sign_up()
    for number in (1, 2, 3):
        desk.act(number, "pay")
    Participant.objects.filter(start_number=1).update(fee="fee-2")
    Participant.objects.filter(start_number=2).update(presence="announced")
    money = Prize(kind="rank", first=1, last=1, cents=5000, thing="Schinken")
    set_prize_plan(desk.tournament, PrizePlan(prizes=(money, Prize(kind="last", cents=500)), public=True))
    pages = {
        page: reverse(page, args=[slug])
        for page in sorted(set(pages_of_a_tournament()) - OF_CASH - THE_PROGRAM_ITSELF)
    }
    pages |= {f"person {number}": reverse("door:person", args=[slug, number]) for number in (1, 2, 3, 4)}
    pages |= {
        "unpaid": f"{pages['door:desk']}?only=unpaid",
        "receipts": f"{desk.url('print_receipts')}?list=1",
    }
    read = set()
    for drawn in (False, True):
        if drawn:
            desk.draw()
        for page, address in pages.items():
            client = phone.client if page.startswith("sign_up") else desk.client
            answer = client.get(address)
            if answer.status_code == 200 and "text/html" in answer["Content-Type"]:
                text = answer.content.decode()
                # Whole words: a random token of a form may well contain the three letters.
                assert re.findall(r"€|\bEUR\b|\b5000\b|\b50,00\b", text) == [], page
                read |= {page}
    assert read >= {
        "door:desk",
        "sign_up:mine",
        "public:rules",
        "organiser:sign_up_poster",
        "organiser:prize_plan",
    }
    assert read >= {
        "organiser:fees",
        "organiser:prize_list",
        "door:import_list",
        "organiser:announce",
        "person 1",
    }


def test_who_pays_is_ticked_and_the_note_says_no_amount() -> None:
    desk = OwnTill()
    assert "Nr. 1 · Huber Sepp" in desk.enter("Huber Sepp")
    assert "offen" in desk.enter("Kern Lena", unpaid="on")
    assert desk.paid() == [(1, "fee")]
    assert "€" not in desk.act(2, "pay")
    assert desk.paid() == [(1, "fee"), (2, "fee")]
    assert "hat die Startgebühr schon bezahlt. Es ist nichts mehr abzuhaken." in desk.act(2, "pay")
    desk.act(2, "take-back-pay")
    assert desk.paid() == [(1, "fee"), (2, "fee"), (2, "refund")]


@pytest.mark.parametrize("typed", ["1 2,50", "Huber Sepp 3,00", "Neumann Eva 1,50 €"])
def test_a_typed_amount_is_refused(typed: str) -> None:
    desk = OwnTill()
    desk.enter("Huber Sepp", unpaid="on")
    assert "Beträge stehen hier nicht" in desk.enter(typed)
    assert desk.paid() == []
    hint = desk.client.get(
        reverse("door:list", args=[desk.tournament.slug]), {"name": typed}, headers=FRAGMENT
    )
    assert "€" not in hint.content.decode().replace(typed, "")


def test_pages_of_money_are_not_there_and_nothing_leads_to_them() -> None:
    desk = OwnTill()
    slug = desk.tournament.slug
    gone = [reverse(page, args=[slug]) for page in sorted(OF_CASH)]
    gone.append(reverse("door:payments_file", args=[slug, "csv"]))
    gone.append(reverse("organiser:closing_sheet", args=[slug, 1]))
    assert {desk.client.get(address).status_code for address in gone} == {404}
    for page in ("door:desk", "organiser:overview", "organiser:print"):
        text = desk.client.get(reverse(page, args=[slug])).content.decode()
        assert [address for address in gone if address in text] == []


def test_the_list_of_players_says_only_whether_they_have_paid() -> None:
    desk = OwnTill()
    desk.enter("Huber Sepp")
    desk.enter("Kern Lena", unpaid="on")
    address = reverse("door:participants_file", args=[desk.tournament.slug, "csv"])
    assert (
        address in desk.client.get(reverse("door:import_list", args=[desk.tournament.slug])).content.decode()
    )
    lines = desk.client.get(address).content.decode("utf-8-sig").splitlines()
    assert [[cell for cell in line.split(";") if cell in ("ja", "nein")] for line in lines[1:]] == [
        ["ja", "nein"],
        ["nein", "ja"],
    ]


def test_the_switch_is_in_the_settings_and_travels_with_the_document() -> None:
    desk = Staff()
    assert "Wir führen unsere Kasse selbst" in desk.get("settings").content.decode()
    Tournament.objects.filter(pk=desk.tournament.pk).update(hides_amounts=True)
    desk.tournament.refresh_from_db()
    exported = dump(export_tournament(desk.tournament))
    assert json.loads(exported)["tournament"]["hides_amounts"] is True
    assert imported(json.loads(exported), slug="kopie").hides_amounts
    old = json.loads(exported)
    del old["tournament"]["hides_amounts"]
    assert not imported(old, slug="von-frueher").hides_amounts


def test_a_plan_of_things_that_is_saved_keeps_the_money_for_later() -> None:
    desk = Staff()
    money = Prize(kind="rank", first=1, last=2, share=30)
    both = PrizePlan(
        prizes=(money, Prize(kind="rank", first=3, last=3, thing="Wurst")), costs_cents=500, rounding_cents=50
    )
    set_prize_plan(desk.tournament, both)
    Tournament.objects.filter(pk=desk.tournament.pk).update(hides_amounts=True)
    set_prize_plan(
        desk.tournament, PrizePlan(prizes=(Prize(kind="rank", first=3, last=3, thing="Schinken"),))
    )
    desk.tournament.refresh_from_db()
    kept = PrizePlan.from_dict(desk.tournament.prize_plan or {})
    assert [prize.thing for prize in kept.prizes] == ["Schinken", ""]
    assert (kept.prizes[1], kept.costs_cents, kept.rounding_cents) == (money, 500, 50)


def test_guests_read_that_there_is_a_fee() -> None:
    desk = OwnTill()
    rules = reverse("public:rules", args=[desk.tournament.slug])
    sentence = "Die Startgebühr, einmal je Spieler: voll, ermäßigt, Helfer frei."
    assert sentence in Client().get(rules).content.decode()
    Tournament.objects.filter(pk=desk.tournament.pk).update(fees=[])
    opened(desk.tournament)
    assert "Die Startgebühr wird einmal je Spieler an der Kasse bezahlt." in Phone(desk.tournament).get()
