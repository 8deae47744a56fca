"""The prize-giving on the organiser's page, on the wall and on the closing sheet."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.open_screens import open_screens
from scoring.queries.screens import SentScene
from scoring.services import screens
from tests import labels
from tests.factories import AT, a_paper_sheet
from tests.scoring.pages import Staff, text_of
from tests.scoring.paired import paired_client
from tests.scoring.prize_giving import award_of, by_seat, play, play_otherwise, prize_evening
from tournaments.models import Membership, Table
from tournaments.queries.desks import desk_rows
from tournaments.services.desks import close_desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Staff:
    evening = prize_evening()
    play(evening.tournament)
    return evening


def press(desk: Staff, action: str, number: int, prize: str = "rank", **more: str) -> str:
    """Press a button of a player's prize, and return the page that follows."""
    seen = award_of(desk.tournament, number, prize).version
    data: dict[str, Any] = {"player": number, "prize": prize, "seen": seen, **more}
    return text_of(desk.post(action, follow=True, **data))


def wall(desk: Staff) -> str:
    return text_of(paired_client(desk.tournament).get(f"/t/{desk.tournament.slug}/screen/"))


def next_prize(page: str) -> str:
    match = re.search(r'id="next".*?prizes__name">(.*?)</p>', page)
    return match[1] if match else ""


def test_one_prize_after_the_other_until_all_are_given(desk: Staff) -> None:
    first, second, third, _fourth, last = by_seat(desk.tournament)
    steps = [("last", last), ("rank", third), ("rank", second), ("rank", first)]
    order = [next_prize(text_of(desk.get("prize_list")))]
    order += [next_prize(press(desk, "give_prize", number, prize)) for prize, number in steps]
    assert order == ["Letzter Rang", "Rang 3", "Rang 2", "Rang 1", ""]
    page = text_of(desk.get("prize_list"))
    assert "7,00 € gegeben" in page
    assert re.search("Noch offen</th><td[^>]*>0,00", page)


def test_an_absent_player_is_skipped_and_gets_the_prize_later(desk: Staff) -> None:
    *_others, last = by_seat(desk.tournament)
    page = press(desk, "mark_absent", last, "last")
    assert next_prize(page) == "Rang 3"
    assert "war nicht da" in page
    page = press(desk, "give_prize", last, "last")
    assert "Trostpreis gegeben" in page
    assert "war nicht da" not in page
    assert "Trostpreis geben" in press(desk, "take_prize_back", last, "last", everything="yes")


def test_a_second_tap_reports_the_first_and_pays_nothing(desk: Staff) -> None:
    first, *_others = by_seat(desk.tournament)
    seen = award_of(desk.tournament, first).version
    for _ in range(2):
        page = desk.post("give_prize", follow=True, player=first, prize="rank", seen=seen)
    assert "jemand anders hat ihn schon vergeben" in text_of(page)
    assert [row.payouts_cents for row in desk_rows(desk.tournament)] == [700]


def test_a_thing_for_two_is_offered_to_each(db: None) -> None:
    desk = prize_evening(6, prizes=[{"for": "rank", "from": 5, "to": 5, "thing": "Schinken", "cents": 500}])
    play(desk.tournament)
    *_others, first, second = by_seat(desk.tournament)
    page = text_of(desk.get("prize_list"))
    assert page.count("2,50 € + Schinken geben") == 2
    assert "Zur Entscheidung" in page
    page = press(desk, "give_prize", second, thing="Schinken")
    assert "2,50 € + Schinken gegeben" in page
    assert "+ Schinken geben" not in page
    assert award_of(desk.tournament, first).rest_cents == 250


def test_the_desk_that_pays_is_asked_once_at_the_top_and_chosen_from_a_list(desk: Staff) -> None:
    first, *_others = by_seat(desk.tournament)
    assert "Aus welcher Kasse wird bezahlt?" not in text_of(desk.get("prize_list"))
    for number, name in enumerate(("", "Kasse 1", "Kasse 2"), start=1):
        desk.tournament.desks.create(number=number, name=name)
    page = text_of(desk.get("prize_list"))
    assert page.index("Aus welcher Kasse wird bezahlt?") < page.index("Letzter Rang")
    assert re.findall(r'name="desk" value="([^"]*)"', page) == ["", "Kasse 1", "Kasse 2"]
    choice = {"desk": "Kasse 2", "with_money": "no", "next": desk.url("prize_list")}
    answer = desk.client.post(reverse("door:name_desk", args=[desk.tournament.slug]), choice, follow=True)
    assert "Aus welcher Kasse" not in text_of(answer)
    assert "Geld kommt aus: Kasse 2" in text_of(answer)
    press(desk, "give_prize", first)
    assert [row.payouts_cents for row in desk_rows(desk.tournament)] == [0, 0, 700]
    close_desk(desk.tournament, 3, pieces={}, reason="leer", by="x", at=AT)
    assert "Aus welcher Kasse wird bezahlt?" in text_of(desk.get("prize_list"))


def test_money_that_came_back_lowers_the_prizes_on_the_closing_sheet_of_all_desks(desk: Staff) -> None:
    first, *_others = by_seat(desk.tournament)
    press(desk, "give_prize", first)
    press(desk, "take_prize_back", first, everything="yes")
    closing = desk.get("closing_of_desks").context["closing"]
    prizes = desk.get("prize_list").context["prizes"]
    assert (closing.payouts_cents, closing.open_cents) == (0, prizes.given_cents)
    assert closing.kept_cents == prizes.kept_cents


def test_after_a_correction_the_page_says_who_has_too_much(desk: Staff) -> None:
    first, second, *_others = by_seat(desk.tournament)
    press(desk, "give_prize", first)
    play_otherwise(Table.objects.get(round__tournament=desk.tournament), [2, 1, 3, 4, 5])
    page = text_of(desk.get("prize_list"))
    assert "Zu viel bekommen" in page
    assert "– Rang: 7,00 € bekommen, zu viel: 4,00 €." in page
    page = press(desk, "take_prize_back", first)
    assert "Zu viel bekommen" not in page
    (row,) = desk_rows(desk.tournament)
    assert (row.payouts_cents, row.in_cents) == (300, 0)
    assert award_of(desk.tournament, second).rest_cents == 700


def test_the_wall_shows_each_prize_with_its_rank_and_hides_the_next(desk: Staff) -> None:
    open_screens.note(desk.tournament.slug, 1)
    first, _second, third, _fourth, last = by_seat(desk.tournament)
    names = dict(desk.tournament.participants.values_list("start_number", "name"))
    assert labels.BEGIN_PRIZE_GIVING in text_of(desk.get("prize_list"))
    answer = desk.post("show_scene", scene="prizes", lowest_rank=3, listed="1", next=desk.url("prize_list"))
    assert answer.url == desk.url("prize_list")
    shown = []
    for step, seen in (("last", ""), ("3", "last"), ("2", "3"), ("1", "2")):
        page = text_of(desk.get("prize_list"))
        what = "Letzter Rang" if step == "last" else f"Rang {step}"
        assert f"Als Nächstes {what}:" in page
        assert desk.post("reveal", step=step, seen=seen, next=desk.url("prize_list")).url == desk.url(
            "prize_list"
        )
        shown.append(wall(desk))
    assert [names[last] in page for page in shown] == [True] * 4
    assert [names[first] in page for page in shown] == [False] * 3 + [True]
    assert re.search(r'class="wall-prize__for">\s*Letzter Rang', shown[0])
    assert "Trostpreis" in shown[0]
    assert "3,00 €" not in shown[0]
    assert "3,00 €" in shown[1]
    assert names[third] in shown[1]
    page = text_of(desk.get("prize_list"))
    assert "Alle Preise sind gezeigt." in page
    back_here = f'name="next" value="{desk.url("prize_list")}#next"'
    assert back_here in page
    answer = desk.post("reveal", step="2", seen="1", next=f"{desk.url('prize_list')}#next")
    assert answer.url == f"{desk.url('prize_list')}#next"


def test_special_prizes_come_last_where_the_plan_says_so(db: None) -> None:
    desk = prize_evening(specials="last")
    play(desk.tournament)
    *_others, last = by_seat(desk.tournament)
    name = desk.tournament.participants.get(start_number=last).name
    screens.set_scene(desk.tournament, [1], SentScene("prizes", lowest_rank=1), by="x", at=AT)
    screens.reveal(desk.tournament, [1], "1", seen="", by="x", at=AT)
    assert name not in wall(desk)
    screens.reveal(desk.tournament, [1], "last", seen="1", by="x", at=AT)
    assert name in wall(desk)
    page = desk.get("prize_list")
    assert [row["name"] for row in page.context["rows"]] == ["Rang 3", "Rang 2", "Rang 1", "Letzter Rang"]


def test_uncollected_prizes_are_on_the_closing_sheet(desk: Staff) -> None:
    first, second, third, _fourth, last = by_seat(desk.tournament)
    names = dict(desk.tournament.participants.values_list("start_number", "name"))
    press(desk, "give_prize", third)
    sheet = text_of(desk.get("closing_sheet", 1))
    for what, number, rest in (("Letzter Rang", last, "Trostpreis"), ("Rang 1", first, "7,00 €")):
        assert re.search(rf"{what}</th> <td>{names[number]} \({number}\)</td> <td[^>]*>{rest}", sheet)
    assert f"{names[second]} ({second})" in sheet
    assert re.search("nicht abgeholt ist</th><td[^>]*>10,00", sheet)
    assert "Preisgelder <small>(1)</small>" in sheet


def test_before_the_prize_giving_the_closing_sheet_lists_no_prizes(desk: Staff) -> None:
    desk.tournament.desks.create(number=1, name="")
    assert "Preise, die offen sind" not in text_of(desk.get("closing_sheet", 1))


@pytest.mark.parametrize("name", ["give_prize", "mark_absent", "take_prize_back"])
@pytest.mark.parametrize("player", ["", "x", "²", "1" * 9])
def test_an_invalid_start_number_is_404(desk: Staff, name: str, player: str) -> None:
    assert desk.post(name, player=player, prize="rank", seen="").status_code == 404


def test_only_organisers_give_prizes(desk: Staff) -> None:
    cashier = Staff(role=Membership.Role.CASHIER)
    Membership.objects.create(tournament=desk.tournament, user=cashier.user, role=Membership.Role.CASHIER)
    for name in ("give_prize", "mark_absent", "take_prize_back"):
        assert cashier.client.post(desk.url(name), {"player": "1"}).status_code == 404
    desk.tournament.desks.create(number=1, name="")
    assert cashier.client.get(desk.url("closing_sheet", 1)).status_code == 200


def test_sixty_players_take_no_more_queries_than_five() -> None:
    counted = []
    for players in (5, 60):
        desk = prize_evening(players, prizes=[{"for": "rank", "from": 1, "to": 20, "cents": 100}])
        play(desk.tournament)
        press(desk, "give_prize", by_seat(desk.tournament)[0])
        with CaptureQueriesContext(connection) as queries:
            desk.get("prize_list")
        counted.append(len(queries))
    assert counted[0] == counted[1], queries.captured_queries


def test_of_many_who_share_a_prize_the_first_are_named_and_the_others_counted() -> None:
    desk = prize_evening(60, prizes=[{"for": "last", "thing": "Trostpreis"}])
    play(desk.tournament)
    screens.set_scene(desk.tournament, [1], SentScene("prizes", lowest_rank=1), by="x", at=AT)
    assert "und 4 weitere" in text_of(desk.get("prize_list"))
    assert "und 4 weitere" in text_of(desk.get("screens"))


# --- on the wall ---------------------------------------------------------------------------------------------------


def words_on(page: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", page[page.index("wall-prize") :]).split())


def most_strokes_on_the_wall() -> tuple[Staff, list[int]]:
    """Return an evening in which two players at the first table share a prize for most strokes, revealed on the wall."""
    desk = prize_evening(10, prizes=[{"for": "strokes", "cents": 500, "thing": "Schinken"}])
    first, second = desk.tournament.rounds.get().tables.order_by("number")
    a_paper_sheet(first, strokes={2: 3, 4: 3})
    a_paper_sheet(second, strokes={1: 1})
    desk.tournament.rounds.update(state="closed")
    screens.set_scene(desk.tournament, (1,), SentScene("prizes", lowest_rank=1), by="x", at=AT)
    screens.reveal(desk.tournament, (1,), "strokes", seen="", by="x", at=AT)
    seats = by_seat(desk.tournament)
    return desk, [seats[1], seats[3]]


def test_the_prize_for_most_strokes_names_strokes_and_no_points(db: None) -> None:
    desk, _tied = most_strokes_on_the_wall()
    words = words_on(wall(desk))
    assert ("3 Striche" in words, "Punkte" in words) == (True, False)


def test_a_thing_for_two_is_shown_with_the_one_who_got_it(db: None) -> None:
    desk, (winner, other) = most_strokes_on_the_wall()
    assert words_on(wall(desk)).count("Schinken") == 2
    award = award_of(desk.tournament, winner, "strokes")
    desk.post("give_prize", player=winner, prize="strokes", seen=award.version, thing="Schinken")
    words = words_on(wall(desk))
    assert (words.count("Schinken"), words.count("2,50 €")) == (1, 2)
    assert award_of(desk.tournament, other, "strokes").due_things == ()
    assert "Schinken geben" not in text_of(desk.get("prize_list"))
