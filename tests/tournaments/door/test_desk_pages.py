"""Pages of the cash desks, kinds of fees at the door, towns, and columns of a list that are not taken."""

import re

import pytest

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


def post(desk: Cashier, name: str, *arguments: object, status: int = 302, **typed: str) -> str:
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
