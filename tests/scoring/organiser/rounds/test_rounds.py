"""The organiser's rounds: the next step, draw, swap, redraw, release, close."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.core.prize_plan import PrizePlan
from scoring.models import Sheet
from scoring.queries.standings import visible_standings
from scoring.services.prizes import set_prize_plan
from scoring.services.sheets import write
from tests import labels
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_played_round
from tests.scoring.pages import Staff, text_of
from tournaments.models import DrawAttempt, Membership, Participant, Round, SeatChange
from tournaments.rulesets.loader import preset
from tournaments.services import door
from tournaments.text.table_sizes import more_tables_of

pytestmark = pytest.mark.django_db


# --- the evening ---------------------------------------------------------------------------------------------------


def next_button(desk: Staff) -> str:
    """Return the text of the main button on the overview."""
    page = text_of(desk.get("overview"))
    _, _, after = page.partition("button--primary button--big")
    return after.partition(">")[2].partition("<")[0]


def test_the_overview_always_names_the_one_next_thing() -> None:
    desk = Staff()
    said = [next_button(desk)]
    ParticipantFactory.create_batch(10, tournament=desk.tournament)
    said.append(next_button(desk))
    desk.post("draw", 1)
    said.append(next_button(desk))
    desk.post("release", 1)
    said.append(next_button(desk))
    desk.type_in_everything()
    said.append(next_button(desk))
    desk.post("close", 1)
    said.append(next_button(desk))
    assert said == [
        "Zur Anmeldung",
        "1. Spielrunde auslosen …",
        "Auslosung ansehen und freigeben",
        "Tische ansehen",
        "1. Spielrunde abschließen",
        "2. Spielrunde auslosen …",
    ]


def test_a_table_that_hands_in_is_the_next_thing() -> None:
    desk = Staff(5)
    desk.draw()
    ranks = {"ranks": {str(seat): seat for seat in range(1, 6)}}
    write(desk.table(), [("ranked", ranks), ("submitted", {})], by="x", at=AT)
    assert next_button(desk) == "Ansehen und annehmen"


@pytest.mark.parametrize(
    ("freezes", "button"),
    [(True, labels.SHOW_FINAL_STANDINGS), (False, "Endstand drucken")],
    ids=["frozen", "live"],
)
def test_after_the_last_round_the_winner_is_the_next_thing(*, freezes: bool, button: str) -> None:
    desk = Staff(5)
    for number in (1, 2, 3):
        played = desk.draw(number)
        scribe = played.tables.get().seats.get(participant__start_number=1).seat_number
        others = [seat for seat in range(1, 6) if seat != scribe]
        ranks = {str(seat): rank for rank, seat in enumerate([scribe, *others], start=1)}
        write(
            played.tables.get(), [("ranked", {"ranks": ranks}), ("accepted", {"reason": "x"})], by="x", at=AT
        )
        if freezes and number == 1:
            desk.post("freeze")
        desk.post("close", number)
    assert next_button(desk) == button


def test_a_shared_first_rank_is_to_be_decided() -> None:
    desk = Staff(4)
    for number in (1, 2, 3):
        desk.draw(number)
        desk.post("close", number, reason="keine Zeit mehr")
    assert next_button(desk) == "Zur Rangliste"


# --- before the draw -----------------------------------------------------------------------------------------------


def test_both_ways_to_lay_the_tables_are_offered() -> None:
    page = text_of(Staff(30).get("round", 1))
    assert [more_tables_of(5) in page, more_tables_of(6) in page] == [True, True]
    assert ["sechs Fünfertische" in page, "fünf Sechsertische" in page] == [True, True]


@pytest.mark.parametrize(("prefer", "sizes"), [("smaller", [5] * 6), ("larger", [6] * 5)])
def test_the_choice_of_tables_is_drawn(prefer: str, sizes: list[int]) -> None:
    desk = Staff(30)
    desk.post("draw", 1, prefer=prefer)
    assert DrawAttempt.objects.get(round__tournament=desk.tournament).sizes == sizes


def test_rules_1_1_a_head_count_that_does_not_fit_needs_an_explicit_yes() -> None:
    desk = Staff(13)
    asked = desk.get("round", 1)
    refused = desk.post("draw", 1)
    drawn = desk.post("draw", 1, exceptions="on")
    assert "Mit 13 Spielern gehen Fünfer- und Sechsertische nicht auf." in text_of(asked)
    assert [refused.status_code, drawn.status_code] == [422, 302]
    assert DrawAttempt.objects.get(round__tournament=desk.tournament).sizes == [5, 4, 4]


def test_rules_1_1_under_four_there_is_no_draw_and_a_way_out() -> None:
    desk = Staff(3)
    page, refused = desk.get("round", 1), desk.post("draw", 1, exceptions="on")
    assert "Ausgelost werden kann ab vier Spielern." in text_of(page)
    assert reverse("door:desk", args=[desk.tournament.slug]) in text_of(page)
    assert refused.status_code == 422
    assert not Round.objects.filter(tournament=desk.tournament).exists()


def test_only_those_who_are_here_are_drawn() -> None:
    desk = Staff(8)
    ParticipantFactory.create(tournament=desk.tournament, presence=Participant.Presence.ANNOUNCED)
    ParticipantFactory.create(tournament=desk.tournament, presence=Participant.Presence.ABSENT)
    for number in (1, 2):
        door.withdraw(desk.tournament, number, by="kasse", at=AT)
    desk.post("draw", 1)
    assert DrawAttempt.objects.get(round__tournament=desk.tournament).players == [3, 4, 5, 6, 7, 8]


def test_the_next_round_waits_for_the_one_before() -> None:
    desk = Staff(5)
    desk.draw()
    page, refused = desk.get("round", 2), desk.post("draw", 2)
    assert "Ausgelost wird, wenn die 1. Spielrunde abgeschlossen ist." in text_of(page)
    assert refused.status_code == 422
    assert Round.objects.filter(tournament=desk.tournament).count() == 1


def test_drawing_twice_leads_to_the_one_draw_with_a_friendly_note() -> None:
    desk = Staff(5)
    desk.post("draw", 1)
    again = desk.post("draw", 1, follow=True)
    assert "Diese Spielrunde ist schon ausgelost. Hier ist die Auslosung." in text_of(again)
    assert DrawAttempt.objects.filter(round__tournament=desk.tournament).count() == 1


# --- drawn, not released -------------------------------------------------------------------------------------------


def seating(desk: Staff, number: int = 1) -> dict[int, tuple[int, int]]:
    """Return the seating: start number -> table and seat."""
    seats = Round.objects.get(tournament=desk.tournament, number=number).seats
    columns = ("participant__start_number", "table__number", "seat_number")
    return {player: (table, seat) for player, table, seat in seats.values_list(*columns)}


def test_two_players_swap_and_the_draw_says_so() -> None:
    desk = Staff(10)
    desk.draw(released=False)
    before = seating(desk)
    page = desk.post("swap", 1, player=["1", "2"], reason="Ehepaar", follow=True)
    assert seating(desk) == before | {1: before[2], 2: before[1]}
    assert "von Hand geändert" in text_of(page)
    assert [
        change.reason for change in SeatChange.objects.filter(attempt__round__tournament=desk.tournament)
    ] == ["Ehepaar"]


@pytest.mark.parametrize(
    "typed",
    [
        {"player": ["1"], "reason": "Ehepaar"},
        {"player": ["1", "2", "3"], "reason": "Ehepaar"},
        {"player": ["1", "99"], "reason": "Ehepaar"},
        {"reason": "Ehepaar"},
        {"player": ["1", "2"], "reason": ""},
        {"player": ["1", "2"], "reason": "x" * 501},
        {"player": ["1", "2"], "reason": "Nul\x00l"},
        {"player": ["1", "2"], "reason": "um\u202egekehrt"},
    ],
)
def test_an_invalid_swap_shows_the_error_and_keeps_the_input(typed: dict[str, Any]) -> None:
    desk = Staff(10)
    desk.draw(released=False)
    before = seating(desk)
    answer = desk.post("swap", 1, **typed)
    page = text_of(answer)
    assert answer.status_code == 422
    assert "field__error" in page
    assert seating(desk) == before
    if typed["reason"] == "Ehepaar":
        assert 'value="Ehepaar"' in page
    if typed.get("player", ["1"])[0] == "1" and "player" in typed:
        assert 'value="1" checked' in page


def test_drawing_again_keeps_the_abandoned_attempt_in_sight() -> None:
    desk = Staff(10)
    desk.draw(released=False)
    page = desk.post("redraw", 1, reason="Zwei sind noch gekommen", follow=True)
    assert "Verworfen, weil: Zwei sind noch gekommen" in text_of(page)
    attempts = DrawAttempt.objects.filter(round__tournament=desk.tournament).order_by("attempt")
    assert [attempt.abandoned_at is None for attempt in attempts] == [False, True]


def test_drawing_again_without_a_reason_is_refused() -> None:
    desk = Staff(10)
    desk.draw(released=False)
    before = seating(desk)
    assert desk.post("redraw", 1, reason=" ").status_code == 422
    assert seating(desk) == before


def test_a_form_from_before_the_first_entry_is_answered_whether_it_gives_a_reason_or_not() -> None:
    desk = Staff(10)
    desk.draw()
    write(desk.table(1), [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    for reason in ("", "einer mehr"):
        answer = desk.post("redraw", 1, reason=reason, follow=True)
        assert answer.status_code == 200
        assert "Auf einer Tischliste dieser Spielrunde steht schon etwas" in text_of(answer)


def test_who_meets_again_is_shown() -> None:
    desk = Staff(5)
    a_played_round(desk.tournament)
    desk.draw(2, released=False)
    assert "10 Paare treffen sich wieder" in text_of(desk.get("round", 2))


def test_releasing_a_round_twice_says_that_it_is_released() -> None:
    desk = Staff(5)
    desk.draw(released=False)
    desk.post("release", 1)
    again = desk.post("release", 1, follow=True)
    assert "Diese Auslosung ist schon freigegeben." in text_of(again)
    assert Round.objects.get(tournament=desk.tournament).state == "released"


# --- played and closed ---------------------------------------------------------------------------------------------


def test_a_released_round_can_be_drawn_again_until_the_first_entry() -> None:
    desk = Staff(5)
    desk.draw()
    offered = "Neu auslosen" in text_of(desk.get("round", 1))
    write(desk.table(), [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    before = seating(desk)
    still_offered = "Neu auslosen" in text_of(desk.get("round", 1))
    refused = desk.post("redraw", 1, reason="doch lieber anders", follow=True)
    assert (offered, still_offered) == (True, False)
    assert "darum bleibt die Auslosung, wie sie ist" in text_of(refused)
    assert seating(desk) == before


def test_a_round_with_missing_sheets_closes_with_a_reason_only() -> None:
    desk = Staff(10)
    desk.draw()
    a_paper_sheet(desk.table(1))
    refused = desk.post("close", 1)
    assert refused.status_code == 422
    assert "Noch nicht fertig ist: <a" in text_of(refused)
    desk.post("close", 1, reason="Der Wirt macht zu")
    closed = Round.objects.get(tournament=desk.tournament)
    assert (closed.state, closed.closed_reason) == ("closed", "Der Wirt macht zu")
    assert "Der Wirt macht zu" in text_of(desk.get("round", 1))


def a_last_round() -> Staff:
    """Return the organiser of an evening whose only round is accepted and not closed."""
    desk = Staff(5, ruleset=replace(preset("schnauz-placing"), rounds=1))
    a_paper_sheet(desk.draw().tables.get())
    return desk


def test_closing_the_last_round_asks_whether_the_final_standings_are_kept() -> None:
    desk = a_last_round()
    forms = [desk.get("overview").context["close_form"], desk.get("round", 1).context["close_form"]]
    assert [form["standings"].value() for form in forms] == ["show", "show"]
    set_prize_plan(desk.tournament, PrizePlan.from_dict({"prizes": [{"for": "last", "thing": "Trostpreis"}]}))
    forms = [desk.get("overview").context["close_form"], desk.get("round", 1).context["close_form"]]
    assert [form["standings"].value() for form in forms] == ["keep", "keep"]
    assert visible_standings(desk.tournament.slug).has_results  # control
    desk.post("close", 1, standings="keep")
    assert [visible_standings(desk.tournament.slug).final, next_button(desk)] == [
        False,
        labels.BEGIN_PRIZE_GIVING,
    ]
    assert not visible_standings(desk.tournament.slug).has_results
    assert "Ergebnis noch nicht gezeigt" in text_of(desk.client.get(f"/t/{desk.tournament.slug}/?me=1"))
    desk.post("release_standings")
    assert visible_standings(desk.tournament.slug).final


def test_the_final_standings_are_shown_at_once_where_that_is_chosen() -> None:
    desk = a_last_round()
    desk.post("close", 1, standings="show")
    assert visible_standings(desk.tournament.slug).final


def test_a_form_that_has_not_asked_keeps_the_final_standings_for_the_prizes() -> None:
    desk = a_last_round()
    set_prize_plan(desk.tournament, PrizePlan.from_dict({"prizes": [{"for": "last", "thing": "Trostpreis"}]}))
    desk.post("close", 1)
    assert not visible_standings(desk.tournament.slug).has_results


def test_an_earlier_round_and_frozen_standings_are_closed_without_the_question() -> None:
    desk = Staff(5)
    a_paper_sheet(desk.draw().tables.get())
    frozen = a_last_round()
    frozen.post("freeze")
    forms = [each.get("round", 1).context["close_form"] for each in (desk, frozen)]
    assert ["standings" in form.fields for form in forms] == [False, False]


def test_closing_a_round_again_says_that_there_is_nothing_more_to_do() -> None:
    desk = a_last_round()
    desk.post("close", 1, standings="keep")
    answer = desk.post("close", 1, standings="keep", follow=True)
    assert "Die 1. Spielrunde ist abgeschlossen. Es ist nichts weiter zu tun." in text_of(answer)
    assert 'data-kind="error"' not in text_of(answer)
    assert desk.tournament.publications.count() == 1


def test_the_overview_says_which_table_needs_somebody_and_why() -> None:
    desk = Staff(10)
    desk.draw()
    write(desk.table(1), [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    write(desk.table(1), [("objected", {"seat_number": 2, "note": "Das war kein Schnauz"})], by="x", at=AT)
    Sheet.objects.update_or_create(table=desk.table(2), defaults={"called_at": AT})
    page = text_of(desk.get("overview"))
    assert re.search(r"Tisch 1\s*</a>: Einspruch", page)
    assert re.search(r"Tisch 2\s*</a>: ruft die Aufsicht", page)
    assert next_button(desk) == "Zu Tisch 2"


def test_namesakes_are_told_apart_on_the_board() -> None:
    desk = Staff(10)
    Participant.objects.filter(tournament=desk.tournament, start_number__in=[3, 8]).update(name="Sepp Huber")
    Participant.objects.filter(tournament=desk.tournament, start_number=4).update(name="Anna Maier")
    desk.draw()
    board = text_of(desk.get("round", 1))
    assert ("Sepp Huber (3)" in board, "Sepp Huber (8)" in board) == (True, True)
    assert "Anna Maier (4)" not in board


def test_the_polled_monitor_is_204_until_something_changes() -> None:
    desk = Staff(10)
    desk.draw()
    version = desk.get("round", 1).context["monitor"].version
    same = desk.get("table_monitor", 1, version=version)
    write(desk.table(), [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    changed = desk.get("table_monitor", 1, version=version)
    assert [same.status_code, changed.status_code] == [204, 200]
    assert text_of(changed).startswith('<section id="board"')


def test_the_board_reloads_the_page_once_somebody_else_has_closed_the_round() -> None:
    desk = Staff(5)
    desk.draw()
    desk.post("close", 1, reason="Feierabend")
    answer = desk.get("table_monitor", 1)
    assert (answer.status_code, answer["HX-Refresh"]) == (204, "true")


# --- permissions and missing pages ---------------------------------------------------------------------------------

WRITES = ["draw", "redraw", "swap", "release", "close", "accept_submitted"]
PAGES = ["round", "table_monitor", "paper"]


@pytest.mark.parametrize("name", WRITES)
def test_reading_never_writes(name: str) -> None:
    desk = Staff(5)
    assert desk.get(name, 1).status_code == 405


@pytest.mark.parametrize("name", [*WRITES, *PAGES])
def test_another_tournament_is_404(name: str) -> None:
    mine, other = Staff(5), Staff(5)
    other.draw()
    url = other.url(name, 1)
    answer = mine.client.post(url) if name in WRITES else mine.client.get(url)
    assert answer.status_code == 404


@pytest.mark.parametrize("name", ["overview", "rounds", "export"])
def test_a_cashier_has_no_access_to_rounds(name: str) -> None:
    cashier = Staff(role=Membership.Role.CASHIER)
    assert cashier.get(name).status_code == 404


@pytest.mark.parametrize("number", [0, 4, 999, 2**31 - 1])
def test_a_round_beyond_the_rules_is_404(number: int) -> None:
    desk = Staff(5)
    answers = [desk.get("round", number), desk.post("draw", number), desk.post("release", number)]
    assert [answer.status_code for answer in answers] == [404, 404, 404]


def test_without_an_account_there_is_only_the_log_in() -> None:
    tournament = TournamentFactory.create()
    answer = Client().get(reverse("organiser:overview", args=[tournament.slug]))
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, reverse("account:login"))


def test_the_document_is_a_file_to_save() -> None:
    desk = Staff(5)
    desk.draw()
    answer = desk.get("export")
    assert json.loads(answer.content)["tournament"]["slug"] == desk.tournament.slug
    assert answer["Content-Disposition"] == f'attachment; filename="{desk.tournament.slug}.json"'


# --- the same number of queries ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "released"), [("round", False), ("round", True), ("table_monitor", True)])
def test_three_tables_take_no_more_queries_than_one(name: str, released: bool) -> None:
    counted = []
    for players in (5, 15):
        desk = Staff(players)
        for table in desk.draw(released=released).tables.all():
            if released:
                write(table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
        with CaptureQueriesContext(connection) as queries:
            desk.get(name, 1)
        counted.append(len(queries))
    assert counted[0] == counted[1]
