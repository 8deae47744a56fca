"""The organiser's prize plan: entered, looked at before it is stored, stored, and what it gives."""

from typing import Any

import pytest
from django.test import Client

from scoring.core.prize_outlook import outlook
from scoring.core.prize_plan import MOST_PRIZES, PrizePlan
from scoring.organiser.prizes.presets import PLAN_PRESETS, preset_plan
from scoring.queries.prizes import plan_in_force, plan_of
from scoring.services.prizes import set_prize_plan
from tests.factories import AT, ParticipantFactory, TournamentFactory
from tests.scoring.pages import Staff, text_of
from tournaments.core.refusal import Refusal
from tournaments.models import Payment

pytestmark = pytest.mark.django_db

PLAN: dict[str, Any] = {
    "costs": "25,00",
    "rounding": "50",
    "rest": "first",
    "one_each": "on",
    "prize-0-what": "rank",
    "prize-0-ranks": "1",
    "prize-0-money": "50 %",
    "prize-0-thing": "Pokal",
    "prize-1-what": "rank",
    "prize-1-ranks": "2 - 3",
    "prize-1-money": "15",
    "prize-1-thing": "",
    "prize-2-what": "lot",
    "prize-2-ranks": "2",
    "prize-2-money": "",
    "prize-2-thing": "Wurst",
    "prize-3-what": "rank",
    "prize-3-ranks": "",
    "prize-3-money": "",
    "prize-3-thing": "",
}
EMPTY: dict[str, Any] = {"rounding": "50", "rest": "club", "prize-0-money": ""}
STORED = {
    "costs_cents": 2500,
    "rounding_cents": 50,
    "rest": "first",
    "one_each": True,
    "present_only": False,
    "public": False,
    "prizes": [
        {"for": "rank", "from": 1, "to": 1, "share": 50, "thing": "Pokal"},
        {"for": "rank", "from": 2, "to": 3, "cents": 1500},
        {"for": "lot", "count": 2, "thing": "Wurst"},
    ],
}


def paid(desk: Staff, cents: int = 300) -> None:
    for person in desk.tournament.participants.all():
        Payment.objects.create(participant=person, kind="fee", cents=cents, at=AT, by="kasse")


def stored(desk: Staff) -> Any:
    desk.tournament.refresh_from_db()
    return desk.tournament.prize_plan


def test_a_plan_is_stored_and_comes_back_into_the_form() -> None:
    desk = Staff(47)
    paid(desk)
    who_gets_what = f'href="{desk.url("prize_list")}"'
    assert who_gets_what not in text_of(desk.get("prize_plan"))
    page = desk.post("prize_plan", follow=True, **PLAN)
    assert stored(desk) == STORED
    again = text_of(page)
    assert who_gets_what in again
    assert "Der Preisplan ist gespeichert." in again
    assert 'value="50 %"' in again
    assert 'value="2–3"' in again
    assert 'value="15,00"' in again
    assert "47 Spieler, 141,00 € eingenommen, 116,00 € im Topf." in again
    assert "43,00 € + Pokal" in again  # half of 116.00 less 30.00
    assert len(page.context["form"].rows) == 3 + 3


def test_looking_shows_what_the_plan_gives_and_stores_nothing() -> None:
    desk = Staff(10)
    paid(desk)
    page = desk.post("prize_plan", **PLAN, look="yes")
    assert page.status_code == 200
    assert stored(desk) is None
    assert "Noch nicht gespeichert." in text_of(page)
    assert page.context["outlook"].short_cents == 3000 - 500


def test_while_it_is_typed_only_what_the_plan_gives_is_sent() -> None:
    desk = Staff(10)
    paid(desk)
    seen = desk.post("prize_plan", htmx=True, **PLAN, look="yes")
    half_typed = desk.post("prize_plan", htmx=True, **{**PLAN, "prize-0-money": "5 Eu"}, look="yes")
    assert "Was der Plan heute gibt" in text_of(seen)
    assert "<html" not in text_of(seen)
    assert (half_typed.status_code, half_typed.content) == (204, b"")
    assert stored(desk) is None


def test_a_plan_that_gives_away_too_much_is_said_and_stored() -> None:
    desk = Staff(10)
    paid(desk)
    page = text_of(desk.post("prize_plan", follow=True, **PLAN))
    assert stored(desk) == STORED
    assert "Der Plan gibt 25,00 € mehr her, als da ist." in page


@pytest.mark.parametrize(
    ("typed", "kept", "shown"),
    [
        ("1/2", "1/2", "1/2"),
        ("2 / 4", "1/2", "1/2"),
        ("½", "1/2", "1/2"),
        ("⅓", "1/3", "1/3"),
        ("Hälfte", "1/2", "1/2"),
        ("drittel", "1/3", "1/3"),
        ("Sechstel", "1/6", "1/6"),
        ("half", "1/2", "1/2"),
        ("third", "1/3", "1/3"),
        ("50%", 50, "50 %"),
        ("100 %", 100, "100 %"),
    ],
)
def test_a_share_may_be_typed_as_a_fraction_or_per_cent(typed: str, kept: int | str, shown: str) -> None:
    desk = Staff(5)
    page = desk.post("prize_plan", follow=True, **{**PLAN, "prize-0-money": typed})
    assert stored(desk)["prizes"][0]["share"] == kept
    assert f'value="{shown}"' in text_of(page)


def test_half_third_sixth_of_36_euros_gives_18_12_and_6() -> None:
    desk = Staff(12)
    paid(desk)
    page = text_of(desk.get("prize_plan", preset="sixth"))
    assert [part for part in ('value="1/2"', 'value="1/3"', 'value="1/6"') if part not in page] == []
    lines = desk.get("prize_plan", preset="sixth").context["lines"]
    assert [line.gives for line in lines] == ["18,00\xa0€", "12,00\xa0€", "6,00\xa0€"]


def third(desk: Staff) -> dict[str, Any]:
    """Return the form of „Jeder Dritte gewinnt“ as the page shows it."""
    form = desk.get("prize_plan", preset="third").context["form"]
    body = {field.html_name: field.value() for field in form if field.value() not in (None, False)}
    for row in form.rows:
        body |= {field.html_name: row.fields[field.name].prepare_value(field.value()) or "" for field in row}
    return body


def test_every_third_follows_the_head_count_until_the_first_draw_and_says_so() -> None:
    desk = Staff(12)
    desk.post("prize_plan", **third(desk), public="on")
    assert stored(desk)["every_third"] is True
    hall = Client().get(f"/t/{desk.tournament.slug}/")
    assert "ab Rang 4" in text_of(hall)
    assert "Jeder Dritte gewinnt. Wie viele das sind, steht mit der ersten Auslosung fest." in text_of(hall)
    ParticipantFactory.create_batch(6, tournament=desk.tournament)

    def lowest() -> int:
        return max(int(prize.last) for prize in desk.get("prize_plan").context["outlook"].prizes)

    assert lowest() == 6
    desk.draw()
    ParticipantFactory.create_batch(6, tournament=desk.tournament)
    assert lowest() == 6
    plan = plan_of(desk.tournament)
    assert plan is not None
    assert plan_in_force(desk.tournament, plan).lowest_rank == 6
    drawn = text_of(Client().get(f"/t/{desk.tournament.slug}/"))
    assert "Rang 4 bis 6" in drawn
    assert "ab Rang 4" not in drawn


def test_the_page_of_the_plan_shows_three_players_fewer_and_more_until_the_first_draw() -> None:
    desk = Staff(10)
    paid(desk)
    desk.post("prize_plan", **PLAN)
    around = [each.players for each, _words in desk.get("prize_plan").context["around"]]
    assert around == list(range(7, 14))
    typed = desk.post("prize_plan", htmx=True, **PLAN, look="yes")
    assert 'aria-current="true"' in text_of(typed)
    desk.draw()
    assert desk.get("prize_plan").context["around"] == []


def test_while_nothing_is_drawn_the_plan_is_shown_for_three_players_fewer_and_more() -> None:
    desk = Staff(10)
    paid(desk)
    desk.post("prize_plan", **PLAN)
    page = desk.get("round", 1)
    around = [each for each, _words in page.context["around"]]
    assert [(each.players, each.taken_cents) for each in around] == [
        (count, count * 300) for count in range(7, 14)
    ]
    assert "Was der Preisplan gibt" in text_of(page)
    assert "fehlen 25,00 €" in text_of(page)
    desk.draw()
    assert "Was der Preisplan gibt" not in text_of(desk.get("round", 1))
    assert "Was der Preisplan gibt" not in text_of(desk.get("round", 2))


def test_without_a_plan_the_draw_says_nothing_of_prizes() -> None:
    assert "Was der Preisplan gibt" not in text_of(Staff(10).get("round", 1))


def test_two_organisers_do_not_overwrite_each_other_unseen() -> None:
    desk = Staff(5)
    seen = desk.get("prize_plan").context["seen"]
    desk.post("prize_plan", **PLAN, seen=seen)
    other = desk.post("prize_plan", **{**PLAN, "prize-2-thing": "Schinken"}, seen=seen)
    assert other.status_code == 422
    assert "Inzwischen hat jemand anders den Preisplan geändert." in text_of(other)
    assert 'value="Schinken"' in text_of(other)
    assert stored(desk) == STORED
    looked = desk.post("prize_plan", **PLAN, seen=seen, look="yes")
    assert looked.context["seen"] == seen
    desk.post("prize_plan", **{**PLAN, "prize-2-thing": "Schinken"}, seen=other.context["seen"])
    assert stored(desk)["prizes"][2]["thing"] == "Schinken"


def test_the_same_plan_saved_from_an_older_page_is_saved() -> None:
    """A double press whose second form was rendered before the first was stored."""
    desk = Staff(5)
    seen = desk.get("prize_plan").context["seen"]
    for once in ("a" * 32, "a" * 32, "b" * 32):
        assert desk.post("prize_plan", **PLAN, seen=seen, once=once).status_code == 302
        page = desk.get("prize_plan")
        assert "Der Preisplan ist gespeichert." in text_of(page)
        assert "Inzwischen" not in text_of(page)
    assert stored(desk) == STORED


def test_one_organiser_saves_as_often_as_they_like() -> None:
    """The control of the test above."""
    desk = Staff(5)
    for thing in ("Wurst", "Schinken", "Wurst"):
        seen = desk.get("prize_plan").context["seen"]
        answer = desk.post("prize_plan", **{**PLAN, "prize-2-thing": thing}, seen=seen)
        assert answer.status_code == 302
    assert stored(desk) == STORED


def test_empty_rows_take_the_plan_away() -> None:
    desk = Staff(5)
    set_prize_plan(desk.tournament, PrizePlan.from_dict(STORED))
    page = desk.post("prize_plan", follow=True, **EMPTY)
    assert "Es gibt jetzt keinen Preisplan." in text_of(page)
    assert stored(desk) is None


def test_costs_alone_are_kept_for_the_cash_desk() -> None:
    desk = Staff(5)
    page = desk.post("prize_plan", follow=True, **{**EMPTY, "costs": "25"})
    assert "Der Preisplan ist gespeichert." in text_of(page)
    assert (stored(desk)["costs_cents"], stored(desk)["prizes"]) == (2500, [])
    assert "Was der Preisplan gibt" not in text_of(desk.get("round", 1))


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("prize-0-money", "viel", "Bitte einen Betrag oder einen Anteil eintragen"),
        ("prize-0-money", "3/2", "Bitte einen Betrag oder einen Anteil eintragen"),
        ("prize-0-money", "101 %", "Bitte einen Betrag oder einen Anteil eintragen"),
        ("prize-0-money", "-5", "Bitte einen Betrag oder einen Anteil eintragen"),
        ("prize-0-ranks", "erster", "Bitte einen Rang oder einen Bereich eintragen"),
        ("prize-0-ranks", "0", "Bitte einen Rang oder einen Bereich eintragen"),
        ("prize-0-ranks", "", "Bitte dazuschreiben, für welchen Rang"),
        ("prize-0-ranks", "3–1", "Von Rang 3 bis Rang 1 ist verkehrt herum."),
        ("prize-0-ranks", "1–3", "Die Anteile ergeben zusammen 150 Prozent."),
        ("prize-1-ranks", "1–3", "Rang 1 kommt zweimal vor."),
        ("prize-1-money", "", "Dieser Preis ist leer."),
        ("prize-0-thing", "x" * 61, "Der Text ist zu lang."),
        ("prize-0-what", "club:unbekannt", "unbekannt"),
        ("costs", "umsonst", "€"),
        ("rounding", "7", "7"),
    ],
)
def test_invalid_prizes_are_reported_and_the_input_is_kept(field: str, typed: str, said: str) -> None:
    desk = Staff(5)
    page = desk.post("prize_plan", **{**PLAN, field: typed})
    assert page.status_code == 422
    assert said in text_of(page)
    assert 'value="Wurst"' in text_of(page)
    assert stored(desk) is None


def test_more_rows_than_a_plan_may_have_are_not_read() -> None:
    desk = Staff(5)
    body = dict(EMPTY)
    for number in range(MOST_PRIZES + 5):
        body |= {f"prize-{number}-money": "1", f"prize-{number}-ranks": str(number + 1)}
    desk.post("prize_plan", **body)
    assert len(stored(desk)["prizes"]) == MOST_PRIZES


@pytest.mark.parametrize(
    ("preset", "ranks"),
    [("sixth", ["1", "2", "3"]), ("third", ["1", "2", "3", "ab 4"]), ("things", ["1", "2", "3", ""])],
)
def test_a_preset_fills_in_the_form_and_is_stored_like_any_plan(preset: str, ranks: list[str]) -> None:
    desk = Staff(30)
    paid(desk)
    page = desk.get("prize_plan", preset=preset)
    assert stored(desk) is None
    rows = page.context["form"].rows
    assert [
        row["ranks"].value() and str(row.fields["ranks"].prepare_value(row["ranks"].value())) for row in rows
    ][: len(ranks)] == [rank or "" for rank in ranks]
    form = page.context["form"]
    body = {field.html_name: field.value() for field in form if field.value() not in (None, False)}
    for row in rows:
        body |= {field.html_name: row.fields[field.name].prepare_value(field.value()) or "" for field in row}
    desk.post("prize_plan", **body)
    assert len(stored(desk)["prizes"]) == len(ranks)
    assert page.context["outlook"].short_cents == 0


@pytest.mark.parametrize("players", [1, 2, 3, 4, 12, 47, 300, 5000])
@pytest.mark.parametrize("fee", [0, 300])
@pytest.mark.parametrize("key", PLAN_PRESETS)
def test_every_preset_is_a_plan_for_any_number_of_players(key: str, fee: int, players: int) -> None:
    tournament = TournamentFactory.build(fees=[{"key": "full", "name": "", "cents": fee}])
    plan = preset_plan(key, tournament)
    assert plan is not None
    assert outlook(plan, taken_cents=players * fee, players=players).short_cents == 0


def test_sheet_5_has_no_consolation_prize() -> None:
    page = Staff(8, ruleset="schafkopf").get("prize_plan", preset="things")
    assert [line.name for line in page.context["lines"]] == ["Rang 1", "Rang 2", "Rang 3"]


def test_a_club_and_a_kind_of_fee_can_be_chosen() -> None:
    desk = Staff(5)
    desk.tournament.participants.filter(start_number=1).update(club="SV Hof")
    desk.tournament.fees = [
        {"key": "full", "name": "voll", "cents": 300},
        {"key": "reduced", "name": "ermäßigt", "cents": 100},
    ]
    desk.tournament.save()
    page = text_of(desk.get("prize_plan"))
    assert "Bester Rang: SV Hof" in page
    assert "Bester Rang: ermäßigt" in page
    desk.post("prize_plan", **{**PLAN, "prize-0-what": "club:SV Hof", "prize-1-what": "fee:reduced"})
    assert [prize["for"] for prize in stored(desk)["prizes"]] == ["club", "fee", "lot"]


def test_a_kind_of_fee_that_does_not_exist_is_refused() -> None:
    desk = Staff(5)
    plan = PrizePlan.from_dict({"prizes": [{"for": "fee", "fee": "reduced", "cents": 100}]})
    with pytest.raises(Refusal) as caught:
        set_prize_plan(desk.tournament, plan)
    assert caught.value.code == "prize_fee_unknown"
    assert stored(desk) is None
