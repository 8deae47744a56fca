"""Pages of the cash desks, kinds of fees at the door, towns, and columns of a list that are not taken."""

import re

import pytest
from django.urls import reverse

from tests.factories import AT, TournamentFactory
from tests.tournaments.door.doors import Cashier, numbers
from tournaments.core.fees import FeeKind
from tournaments.models import CashEntry, Payment
from tournaments.queries.desks import desk_rows
from tournaments.queries.door import DoorRow as Row
from tournaments.queries.door import door
from tournaments.services.desks import close_desk
from tournaments.services.tournaments import edit_fees

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Cashier:
    tournament = TournamentFactory.create()
    kinds = [FeeKind("", "voll", 300), FeeKind("", "ermäßigt", 150), FeeKind("", "frei", 0)]
    desk = Cashier("cashier", edit_fees(tournament, kinds))
    desk.client.post(desk.url("name_desk"), {"desk": "Kasse 1"})
    return desk


def post(desk: Cashier, name: str, /, *arguments: object, status: int = 302, **typed: str) -> str:
    response = desk.client.post(desk.url(name, *arguments), typed)
    assert response.status_code == status
    return response.content.decode().replace("\u00a0", " ")


# --- desks ---------------------------------------------------------------------------------------------------------


def test_a_desk_is_there_as_soon_as_a_device_has_its_name(desk: Cashier) -> None:
    assert "Kasse 1" in desk.get("desks")
    assert [row.name for row in desk_rows(desk.tournament)] == ["Kasse 1"]


def test_money_in_and_out_is_a_line_with_its_reason(desk: Cashier) -> None:
    post(desk, "move_cash", 1, move="float", cents="50,00", reason="")
    post(desk, "move_cash", 1, move="out", cents="12,50", reason="Karten")
    lines = CashEntry.objects.order_by("id").values_list("kind", "cents", "reason", "by")
    assert list(lines) == [
        ("float", 5000, "", desk.user.username),
        ("out", 1250, "Karten", desk.user.username),
    ]
    assert "Karten" in desk.get("till", 1)
    assert "Karten" in desk.get("cash")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"move": "out", "cents": "5", "reason": " "}, "Begründung"),
        ({"move": "out", "cents": "fünf", "reason": "Karten"}, "kein Betrag"),
        ({"move": "in", "cents": "0", "reason": "Fund"}, "über 0,00 €"),
        ({"move": "to-7", "cents": "5", "reason": ""}, "to-7"),
        ({"move": "", "cents": "5", "reason": ""}, "erforderlich"),
    ],
)
def test_an_invalid_line_is_refused_and_kept(desk: Cashier, typed: dict[str, str], said: str) -> None:
    page = post(desk, "move_cash", 1, status=422, **typed)
    assert said in page
    assert f'value="{typed["cents"]}"' in page
    assert not CashEntry.objects.exists()


def test_an_invalid_count_is_refused_and_kept(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    for typed, said in (
        ({"piece_100": "2"}, "1,00 € zu wenig"),
        ({"piece_100": "drei"}, "Anzahl"),
        ({"piece_5": "-1"}, "Anzahl"),
    ):
        page = post(desk, "close_till", 1, status=422, **typed)
        assert said in page
        assert f'value="{next(iter(typed.values()))}"' in page
    assert not desk_rows(desk.tournament)[0].is_closed


def test_a_closed_desk_is_reopened_from_its_page(desk: Cashier) -> None:
    post(desk, "close_till", 1)
    page = desk.get("till", 1)
    assert 'name="piece_100"' not in page
    assert "Abschlussblatt drucken" in page
    assert "Alle Kassen sind abgeschlossen." in desk.get("desks")
    assert "abgeschlossen und nimmt nichts mehr an" in desk.register("Huber Sepp")
    assert "Begründung" in post(desk, "reopen_till", 1, status=422, reason="")
    post(desk, "reopen_till", 1, reason="Nachzügler")
    assert numbers(desk.register("Huber Sepp")) == [1]
    assert "Zwischenstand, noch offen" in desk.get("closing_sheet", 1)


def test_a_desk_is_renamed_with_the_device_that_has_its_name(desk: Cashier) -> None:
    assert "Die Kasse „kasse 1“ gibt es schon" not in post(desk, "rename_till", 1, desk="kasse 1")
    post(desk, "name_desk", desk="Kasse 2")
    assert "Die Kasse „Kasse 2“ gibt es schon" in post(desk, "rename_till", 1, status=422, desk="Kasse 2")
    post(desk, "rename_till", 2, desk="Theke")
    desk.register("Huber Sepp")
    assert [(row.name, row.fees) for row in desk_rows(desk.tournament)] == [("kasse 1", 0), ("Theke", 1)]
    assert "umbenannt, vorher" in desk.get("till", 2)


def test_more_than_there_is_takes_a_second_press(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    typed = {"move": "out", "cents": "500", "reason": "Bank"}
    page = post(desk, "move_cash", 1, status=422, **typed)
    assert "müssten 3,00 € sein, eingetragen sind 500,00 €" in page
    asked = re.search(r'name="confirmed" value="([^"]*)">\s*Trotzdem 500,00 € eintragen', page)
    assert asked
    assert not CashEntry.objects.exists()
    assert "Trotzdem" in post(desk, "move_cash", 1, status=422, **typed)
    post(desk, "move_cash", 1, status=302, confirmed=asked[1], **typed)
    assert [row.expected_cents for row in desk_rows(desk.tournament)] == [-49_700]


def test_a_movement_is_taken_back_with_one_press_and_never_twice(desk: Cashier) -> None:
    post(desk, "move_cash", 1, move="float", cents="50,00", reason="")
    (address,) = re.findall(r'action="([^"]*/take-back/)"', desk.get("till", 1))
    assert "Anfangsbestand ist zurückgenommen." in desk.client.post(address, follow=True).content.decode()
    assert "Das ist schon zurückgenommen." in desk.client.post(address, follow=True).content.decode()
    assert [row.float_cents for row in desk_rows(desk.tournament)] == [0]
    page = desk.get("till", 1)
    assert "/take-back/" not in page
    assert "Zurückgenommen" in page


def test_a_desk_begins_with_its_float_and_is_chosen_from_a_list(desk: Cashier) -> None:
    post(desk, "name_desk", desk="Kasse 2", float="50,00")
    assert [row.float_cents for row in desk_rows(desk.tournament)] == [0, 5000]
    page = desk.get("desks")
    assert re.findall(r'name="desk"\s+value="([^"]+)"\s+(aria-pressed)?', page) == [
        ("Kasse 1", ""),
        ("Kasse 2", "aria-pressed"),
    ]
    post(desk, "name_desk", desk="kasse 1")
    desk.register("Huber Sepp")
    assert [row.fees for row in desk_rows(desk.tournament)] == [1, 0]
    page = post(desk, "name_desk", status=422, desk="Kasse 3", float="viel")
    assert "kein Betrag" in page
    assert [typed in page for typed in ('value="Kasse 3"', 'value="viel"')] == [True, True]
    assert len(desk_rows(desk.tournament)) == 2


@pytest.mark.parametrize(("answer", "sums"), [("yes", {"Kasse 1": 300}), ("no", {"": 300, "Kasse 1": 0})])
def test_naming_a_desk_asks_about_the_money_of_before(answer: str, sums: dict[str, int]) -> None:
    desk = Cashier("cashier")
    desk.register("Huber Sepp")
    page = post(desk, "name_desk", status=200, desk="Kasse 1", float="")
    assert "In der Kasse ohne Namen sind 3,00 €." in page
    assert [row.name for row in desk_rows(desk.tournament)] == [""]
    post(desk, "name_desk", desk="Kasse 1", float="", with_money=answer)
    assert {row.name: row.expected_cents for row in desk_rows(desk.tournament)} == sums
    post(desk, "name_desk", desk="Kasse 2")


def test_all_desks_have_one_sheet_and_a_report_for_each_day(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    post(desk, "name_desk", desk="Kasse 2", float="50,00")
    desk.register("Meier Anna")
    page = desk.client.get(reverse("organiser:closing_of_desks", args=[desk.tournament.slug]))
    text = " ".join(page.content.decode().replace("\u00a0", " ").split())
    assert re.findall(r"= Soll</th><td[^>]*>([^<]*)<", text) == ["3,00 €", "53,00 €", "56,00 €"]
    assert '= Für den Verein bleibt</th><td class="num">6,00 €' in text
    text = " ".join(desk.get("daily_reports").replace("\u00a0", " ").split())
    assert re.findall(r"= Einnahmen des Tages</th><td[^>]*>([^<]*)<", text) == ["3,00 €", "3,00 €"]


@pytest.mark.parametrize("name", ["till", "closing_sheet"])
def test_a_desk_that_is_not_there_has_no_page(desk: Cashier, name: str) -> None:
    assert desk.client.get(desk.url(name, 7)).status_code == 404


def test_an_action_at_a_closed_desk_is_refused_with_the_way_out(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    close_desk(desk.tournament, 1, pieces={"100": 3}, by="x", at=AT)
    assert "Kasse 1 ist abgeschlossen" in desk.act(1, "refund")
    assert Payment.objects.filter(participant__tournament=desk.tournament).count() == 1


# --- fees at the door ----------------------------------------------------------------------------------------------


def test_a_kind_of_fee_is_chosen_in_the_line_and_the_default_is_first(desk: Cashier) -> None:
    page = desk.get("desk")
    assert re.findall(r'name="fee" value="([\w-]+)"\s+(checked)?', page) == [
        ("full", "checked"),
        ("fee-2", ""),
        ("fee-3", ""),
    ]
    desk.register("Huber Sepp", fee="fee-2")
    desk.register("Meier Anna", fee="full")
    desk.register("Kern Lena", fee="fee-3")
    assert list(Payment.objects.order_by("id").values_list("participant__start_number", "cents")) == [
        (1, 150),
        (2, 300),
    ]
    assert [row.fee_name for row in sorted(desk_people(desk), key=lambda row: row.start_number)] == [
        "ermäßigt",
        "",
        "frei",
    ]
    assert "Diesen Beitrag gibt es" in desk.register("Auer Karl", fee="vip")


def desk_people(desk: Cashier) -> tuple[Row, ...]:
    return door(desk.tournament).rows


def test_an_announced_player_pays_the_kind_of_fee_chosen_at_check_in(desk: Cashier) -> None:
    desk.register("Huber Sepp", unpaid="on")
    desk.act(1, "announced")
    desk.register("Huber Sepp", fee="fee-2")
    (row,) = desk_people(desk)
    assert (row.is_present, row.fee_name, row.paid_cents) == (True, "ermäßigt", 150)


def test_a_part_a_change_and_the_surplus_on_the_page_of_a_player(desk: Cashier) -> None:
    desk.register("Huber Sepp", unpaid="on")
    post(desk, "pay_part", 1, cents="2,00")
    assert "noch 1,00 €" in desk.get("person", 1).replace("\u00a0", " ")
    post(desk, "pay_part", 1, cents="2,00")
    post(desk, "pay_part", 1, cents="zwei")
    assert [row.paid_cents for row in desk_people(desk)] == [200]
    post(desk, "choose_fee", 1, fee="fee-2")
    assert "0,50 € zu viel: zurückzahlen" in desk.get("person", 1).replace("\u00a0", " ")
    desk.act(1, "refund-surplus")
    assert [(row.paid_cents, row.owed_cents, row.surplus_cents) for row in desk_people(desk)] == [(150, 0, 0)]


def test_undoing_a_payment_leaves_the_part_that_was_paid_before(desk: Cashier) -> None:
    desk.register("Huber Sepp", unpaid="on")
    post(desk, "pay_part", 1, cents="1,00")
    assert "/people/1/take-back-pay/" in desk.act(1, "pay")
    desk.act(1, "take-back-pay")
    assert [row.paid_cents for row in desk_people(desk)] == [100]
    assert "/people/1/pay/" not in re.findall(r'id="door-note".*', desk.act(1, "refund"), re.DOTALL)[0]
    assert [row.paid_cents for row in desk_people(desk)] == [0]
    assert "Es ist nichts auszuzahlen." in desk.act(1, "take-back-pay")


# --- towns ---------------------------------------------------------------------------------------------------------


def test_the_town_tells_namesakes_apart(desk: Cashier) -> None:
    desk.register("Huber Sepp", town="Hof")
    page = desk.register("Huber Sepp", town="Selb")
    assert "Diesen Namen gibt es schon" in page
    assert "Huber Sepp, Hof" in " ".join(page.split())
    assert 'value="Selb"' in page
    asked = dict(re.findall(r'name="(anyway|others)" value="([^"]*)"', page))
    assert asked == {"anyway": "huber sepp", "others": "1"}
    desk.register("Huber Sepp", town="Selb", **asked)
    assert numbers(desk.get("desk", query="?q=selb")) == [2]


def test_an_announced_player_of_another_town_is_another_player(desk: Cashier) -> None:
    desk.register("Huber Sepp", town="Hof", unpaid="on")
    desk.act(1, "announced")
    desk.register("Huber Sepp", town="Selb")
    assert not desk_people(desk)[-1].is_present
    desk.register("Huber Sepp", town="hof")
    assert desk_people(desk)[-1].is_present


@pytest.mark.parametrize("heading", ["Ort", "Wohnort", "Town"])
def test_a_list_brings_towns_and_says_what_it_does_not_take(desk: Cashier, heading: str) -> None:
    text = f"Name;Verein;{heading};Telefon;\nHuber Sepp;SV Hof;Selb;0123;x"
    page = desk.client.post(desk.url("import_list"), {"text": text}).content.decode()
    assert "Diese Spalten werden nicht übernommen: „Telefon“, Spalte 5" in " ".join(page.split())
    seen = re.search(r'name="seen" value="(\w+)"', page)
    assert seen
    post(desk, "import_list", text=text, seen=seen[1], enter="1")
    (row,) = desk_people(desk)
    assert (row.club, dict(row.details)["town"]) == ("SV Hof", "Selb")


def test_a_list_without_headings_names_what_is_beyond_name_and_club(desk: Cashier) -> None:
    page = desk.client.post(desk.url("import_list"), {"text": "1;Huber Sepp;SV Hof;Selb"}).content.decode()
    assert "nicht übernommen: Spalte 4" in " ".join(page.split())
    page = desk.client.post(
        desk.url("import_list"), {"text": "Name;Verein\nHuber Sepp;SV Hof"}
    ).content.decode()
    assert "nicht übernommen" not in page
