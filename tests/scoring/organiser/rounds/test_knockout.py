"""The rounds of a knockout, from registration to the winner of the final (RULES 4.2, 4.3)."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from scoring.queries.dashboard import dashboard_of
from scoring.services.rounds import DrawOptions, close, draw_again, draw_next
from scoring.services.sheets import write
from scoring.text.refusals import message
from tests.factories import AT, ParticipantFactory, a_round
from tests.scoring.pages import Staff, text_of
from tournaments.core.refusal import Refusal
from tournaments.models import Participant, Table, Tournament
from tournaments.queries.seating import round_with_seating
from tournaments.services import door, people_lists, rounds

pytestmark = pytest.mark.django_db

YES = DrawOptions(exceptions=True)


def a_knockout(players: int) -> Staff:
    return Staff(players, ruleset="knockout")


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as refusal:
        call()
    return refusal.value.code


def decide(table: Table, *ranks: int) -> None:
    """Type in the table's sheet from paper: the rank of seats 1, 2, ...; by default in the order of the seats."""
    order = ranks or range(1, table.seats.count() + 1)
    entries: list[tuple[str, dict[str, Any]]] = [
        ("ranked", {"ranks": {str(seat): rank for seat, rank in enumerate(order, start=1)}}),
        ("accepted", {"reason": "vom Papier"}),
    ]
    write(table, entries, by="spielleitung", at=AT)


def play(tournament: Tournament, number: int) -> None:
    """Draw and play a round; the ranks at each table are in the order of the seats."""
    for table in a_round(tournament, number).tables.all():
        decide(table)
    close(tournament, number, at=AT)


def seated(tournament: Tournament, number: int) -> list[list[int]]:
    """Return the start numbers at each table, in the order of the seats."""
    row = round_with_seating(tournament, number)
    assert row is not None
    return [list(table) for table in row.seating]


def field(tournament: Tournament, number: int) -> set[int]:
    return {player for table in seated(tournament, number) for player in table}


def first(count: int, tournament: Tournament, number: int) -> set[int]:
    """Return the start numbers on the first `count` seats of each table."""
    return {player for table in seated(tournament, number) for player in table[:count]}


# --- the number of rounds ------------------------------------------------------------------------------------------

THIRTY_FOUR = "34 Spieler, 3 Spielrunden: 6 Tische, dann 12 Spieler an 2 Tischen, dann das Finale mit 4."


def test_rules_4_2_the_number_of_rounds_is_shown_before_the_start() -> None:
    """RULES 4.2: on the organiser's overview and on the registration page."""
    desk = a_knockout(34)
    door_page = desk.client.get(reverse("door:desk", args=[desk.tournament.slug]))
    assert THIRTY_FOUR in text_of(desk.get("overview"))
    assert THIRTY_FOUR in text_of(door_page)


def test_rules_4_2_the_door_explains_the_head_counts_around() -> None:
    """RULES 4.2: 8 would need the organiser's consent, 7 are the final."""
    desk = a_knockout(8)
    shown = desk.client.get(reverse("door:desk", args=[desk.tournament.slug])).context["what_if"]
    assert [(row.players, row.tables, row.sentence) for row in shown] == [
        (5, "1\u202f×\u202f5 · eine Spielrunde", ""),
        (6, "1\u202f×\u202f6 · eine Spielrunde", ""),
        (7, "1\u202f×\u202f7 · eine Spielrunde", ""),
        (
            8,
            "2\u202f×\u202f4 · 2 Spielrunden",
            "Mit 8 Spielern gehen Fünfer- und Sechsertische nicht auf. Zwei Spieler mehr, einer weniger, oder zwei "
            "Vierertische.",
        ),
        (
            9,
            "1\u202f×\u202f5 + 1\u202f×\u202f4 · 2 Spielrunden",
            "Mit 9 Spielern gehen Fünfer- und Sechsertische nicht auf. Ein Spieler mehr, zwei weniger, oder ein "
            "Vierertisch.",
        ),
        (10, "2\u202f×\u202f5 · 2 Spielrunden", ""),
        (11, "1\u202f×\u202f6 + 1\u202f×\u202f5 · 2 Spielrunden", ""),
    ]


def test_rules_4_2_what_is_still_to_be_played_follows_from_who_went_on() -> None:
    """RULES 4.2."""
    desk = a_knockout(34)
    a_round(desk.tournament)
    during = "Noch zu spielen: 12 Spieler an 2 Tischen, dann das Finale mit 4."
    assert during in text_of(desk.get("overview"))
    for table in Table.objects.filter(round__tournament=desk.tournament):
        decide(table)
    close(desk.tournament, 1, at=AT)
    door.withdraw(desk.tournament, min(first(2, desk.tournament, 1)), by="kasse", at=AT)
    assert "Noch zu spielen: 11 Spieler an 2 Tischen, dann das Finale mit 4." in text_of(desk.get("overview"))


def test_rules_4_2_the_rounds_of_the_evening_end_with_the_final() -> None:
    """RULES 4.2."""
    tournament = a_knockout(12).tournament
    assert [(line.number, line.is_final) for line in dashboard_of(tournament).rounds] == [
        (1, False),
        (2, True),
    ]
    play(tournament, 1)
    assert [(line.number, line.is_final) for line in dashboard_of(tournament).rounds] == [
        (1, False),
        (2, True),
    ]
    play(tournament, 2)
    assert [line.is_final for line in dashboard_of(tournament).rounds] == [False, True]


# --- qualification -------------------------------------------------------------------------------------------------


def test_rules_4_2_the_best_two_of_each_table_go_on_and_the_others_are_out() -> None:
    """RULES 4.2: 22 players at four tables; eight go on, to two tables of four."""
    tournament = a_knockout(22).tournament
    play(tournament, 1)
    draw_next(tournament, number=2, options=YES, by="x", at=AT)
    assert field(tournament, 2) == first(2, tournament, 1)
    assert [len(table) for table in seated(tournament, 2)] == [4, 4]


def test_rules_4_2_all_who_share_the_rank_at_the_cut_go_on() -> None:
    """RULES 4.2: ranks 1, 2, 2, 4, ... at one table: three go on from it."""
    tournament = a_knockout(12).tournament
    table, other_table = a_round(tournament).tables.all()
    decide(table, 1, 2, 2, 4, 5, 6)
    decide(other_table)
    close(tournament, 1, at=AT)
    draw_next(tournament, number=2, options=DrawOptions(), by="x", at=AT)
    ahead, shared = seated(tournament, 1)[1][:2], seated(tournament, 1)[0][:3]
    assert field(tournament, 2) == {*ahead, *shared}


def test_rules_4_2_who_has_left_or_sits_out_is_not_drawn_and_nobody_moves_up() -> None:
    """RULES 4.2: of eight who go on, one went home, one was excluded, one is missing at the roll call."""
    tournament = a_knockout(22).tournament
    play(tournament, 1)
    on = sorted(first(2, tournament, 1))
    door.withdraw(tournament, on[0], by="kasse", at=AT)
    Participant.objects.filter(tournament=tournament, start_number=on[1]).update(
        excluded_at=AT, excluded_reason="falsch eingetragen"
    )
    door.set_presence(tournament, on[2], present=False)
    draw_next(tournament, number=2, options=DrawOptions(), by="x", at=AT)
    assert field(tournament, 2) == set(on[3:])


def test_rules_4_2_up_to_seven_are_the_final_at_one_table_without_asking() -> None:
    """RULES 4.2."""
    desk = a_knockout(12)
    play(desk.tournament, 1)
    assert desk.post("draw", 2).status_code == 302
    assert [len(table) for table in seated(desk.tournament, 2)] == [4]


def test_the_draw_says_how_many_go_on_and_the_final_is_named_everywhere() -> None:
    desk = a_knockout(12)
    assert "– 4 kommen weiter" in text_of(desk.get("round", 1))
    play(desk.tournament, 1)
    page = text_of(desk.get("round", 2))
    assert "<h1>Finale</h1>" in page
    assert "– das Finale" in page
    a_round(desk.tournament, 2)
    assert "<h1>Finale</h1>" in text_of(desk.get("round", 2))
    wall = text_of(Client().get(reverse("public:screen", args=[desk.tournament.slug])))
    assert "Finale: Wo sitze ich?" in wall


def test_rules_4_2_a_draw_that_is_repeated_takes_the_same_field() -> None:
    """RULES 4.2."""
    tournament = a_knockout(22).tournament
    play(tournament, 1)
    draw_next(tournament, number=2, options=YES, by="x", at=AT)
    gone = min(first(2, tournament, 1))
    door.withdraw(tournament, gone, by="kasse", at=AT)
    draw_again(tournament, 2, options=YES, reason="einer ist heim", by="x", at=AT)
    assert field(tournament, 2) == first(2, tournament, 1) - {gone}


def test_rules_4_2_the_command_draws_who_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    """RULES 4.2."""
    tournament = a_knockout(12).tournament
    play(tournament, 1)
    call_command("draw_round", tournament.slug)
    printed = json.loads(capsys.readouterr().out)
    assert set(printed["draw"]["players"]) == first(2, tournament, 1)
    assert printed["draw"]["sizes"] == [4]


def test_rules_4_2_from_a_table_without_an_accepted_sheet_nobody_goes_on_and_it_is_said() -> None:
    """RULES 4.2."""
    desk = a_knockout(18)
    one, second, third = a_round(desk.tournament).tables.all()
    decide(one)
    decide(second)
    close(desk.tournament, 1, reason="Tisch 3 ist verschwunden", at=AT)
    page = text_of(desk.get("round", 2))
    assert "Von diesem Tisch kommt niemand weiter, weil seine Tischliste nicht angenommen ist:" in page
    assert desk.url("sheet", 1, third.number) in page
    draw_next(desk.tournament, number=2, options=YES, by="x", at=AT)
    assert field(desk.tournament, 2) == {p for table in seated(desk.tournament, 1)[:2] for p in table[:2]}


def test_a_sheet_that_is_corrected_after_the_draw_is_said_where_the_round_stands() -> None:
    desk = a_knockout(12)
    play(desk.tournament, 1)
    a_round(desk.tournament, 2, released=False)
    table = desk.table(1, 1)
    ranks = {str(seat): rank for seat, rank in enumerate((1, 3, 2, 4, 5, 6), start=1)}
    before = text_of(desk.get("round", 2))
    log = table.sheet.entries.get(kind="ranked")
    write(table, [("reopened", {"reason": "x"})], by="x", at=AT)
    corrected = {"entry": str(log.entry_id), "data": {"ranks": ranks}, "reason": "verschrieben"}
    write(table, [("corrected", corrected), ("accepted", {"reason": "x"})], by="x", at=AT)
    page = text_of(desk.get("round", 2))
    names = dict(desk.tournament.participants.values_list("start_number", "name"))
    second, third = seated(desk.tournament, 1)[0][1:3]
    assert "kämen andere weiter" not in before
    assert f"Weiter, aber nicht ausgelost: {names[third]} (Tisch 1, Rang 2)." in page
    assert f"Ausgelost, aber nicht weiter: {names[second]}." in page


def test_rules_4_3_a_sheet_typed_in_from_paper_gives_ranks_and_no_points() -> None:
    """RULES 4.3: both while it is typed in and when it is accepted."""
    desk = a_knockout(5)
    desk.draw()
    typed = "12245 01000"
    pages = [
        text_of(desk.get("paper_check", 1, 1, line=typed)),
        text_of(desk.post("paper_line", 1, 1, line=typed, htmx=True)),
    ]
    assert [page.count('<span class="results__rank">') for page in pages] == [5, 5]
    assert ["Punkt" in page for page in pages] == [False, False]


# --- arrivals ------------------------------------------------------------------------------------------------------


def test_the_page_of_the_next_round_lists_who_goes_on_and_one_tap_takes_him_out() -> None:
    desk = a_knockout(22)
    play(desk.tournament, 1)
    on = first(2, desk.tournament, 1)
    listed = {person.start_number for person in desk.get("round", 2).context["qualified"]}
    away = min(on)
    back = desk.client.post(
        reverse("door:act", args=[desk.tournament.slug, away, "absent"]),
        {"next": desk.url("round", 2)},
    )
    assert (listed, back["Location"]) == (on, desk.url("round", 2))
    assert desk.get("round", 2).context["people"].present == 7


def test_rules_4_2_nobody_joins_after_the_first_round() -> None:
    """RULES 4.2: neither by the desk nor from a list; the desk shows the reason."""
    desk = a_knockout(12)
    a_round(desk.tournament)
    door.register(desk.tournament, door.Newcomer("Nachzügler"), paid=False, by="x", at=AT)
    for table in Table.objects.filter(round__tournament=desk.tournament):
        decide(table)
    close(desk.tournament, 1, at=AT)
    address = reverse("door:register", args=[desk.tournament.slug])
    answer = desk.client.post(address, {"name": "Zu spät"})
    sentence = message(Refusal("joining_ended_with_round_1"))
    assert (answer.status_code, sentence in text_of(answer)) == (422, True)
    assert sentence in text_of(desk.client.get(reverse("door:desk", args=[desk.tournament.slug])))
    newcomers = [door.Newcomer("Zu spät")]
    assert (
        refused(lambda: people_lists.announce(desk.tournament, newcomers, by="x", at=AT))
        == "joining_ended_with_round_1"
    )
    assert desk.tournament.participants.count() == 13
    draw_next(desk.tournament, number=2, options=YES, by="x", at=AT)
    assert field(desk.tournament, 2) == first(2, desk.tournament, 1)


# --- the final -----------------------------------------------------------------------------------------------------


def test_rules_4_2_after_the_final_there_is_no_further_round() -> None:
    """RULES 4.2: whether the final is in play or closed; the page says so and links onward."""
    desk = a_knockout(12)
    play(desk.tournament, 1)
    a_round(desk.tournament, 2)
    codes = [refused(lambda: draw_next(desk.tournament, number=3, options=YES, by="x", at=AT))]
    decide(desk.table(1, 2))
    close(desk.tournament, 2, at=AT)
    codes.append(refused(lambda: draw_next(desk.tournament, number=3, options=YES, by="x", at=AT)))
    page = text_of(desk.get("round", 3))
    assert codes == ["final_is_drawn", "final_is_drawn"]
    assert "Die 2. Spielrunde ist das Finale. Danach wird keine mehr ausgelost." in page
    assert desk.post("draw", 3).status_code == 422


def test_rules_4_2_who_is_left_alone_plays_no_final() -> None:
    """RULES 4.2."""
    desk = a_knockout(12)
    play(desk.tournament, 1)
    for number in sorted(first(2, desk.tournament, 1))[1:]:
        door.withdraw(desk.tournament, number, by="kasse", at=AT)
    assert (
        refused(lambda: draw_next(desk.tournament, number=2, options=YES, by="x", at=AT)) == "too_few_players"
    )
    assert "Ausgelost werden kann ab zwei Spielern. Bisher ist einer da." in text_of(desk.get("round", 2))
    assert "Wer kommt weiter?" in text_of(desk.get("overview"))


def test_rules_4_1_the_winner_of_the_final_has_won_and_the_overview_says_so() -> None:
    """RULES 4.1."""
    desk = a_knockout(12)
    play(desk.tournament, 1)
    play(desk.tournament, 2)
    winner = seated(desk.tournament, 2)[0][0]
    name = desk.tournament.participants.get(start_number=winner).name
    page = text_of(desk.get("overview"))
    assert "Gewonnen hat" in page
    assert f"<b>{name}</b><span>Sieger des Finales</span>" in page


def test_rules_4_3_the_leaderboard_counts_how_far_somebody_came() -> None:
    """RULES 4.3: points are the last round reached, by_round the ranks, tie_break rank and strokes at the last table."""
    desk = a_knockout(12)
    play(desk.tournament, 1)
    play(desk.tournament, 2)
    answer: dict[str, Any] = Client().get(f"/t/{desk.tournament.slug}/leaderboard.json").json()
    final = seated(desk.tournament, 2)[0]
    best = answer["rows"][:4]
    assert answer["final"] is True
    assert [row["start_number"] for row in best] == final
    assert [(row["rank"], row["points"], row["by_round"][1], row["tie_break"]) for row in best] == [
        (1, 2, 1, [1, 0]),
        (2, 2, 2, [2, 0]),
        (3, 2, 3, [3, 0]),
        (4, 2, 4, [4, 0]),
    ]
    out = [(row["rank"], row["tied"], row["points"], row["by_round"][1]) for row in answer["rows"][4:]]
    assert out == [
        (5, True, 1, None), (5, True, 1, None), (7, True, 1, None), (7, True, 1, None),
        (9, True, 1, None), (9, True, 1, None), (11, True, 1, None), (11, True, 1, None),
    ]  # fmt: skip


def test_rules_4_3_a_latecomer_without_a_seat_stands_at_the_end() -> None:
    """RULES 4.3."""
    desk = a_knockout(12)
    a_round(desk.tournament)
    ParticipantFactory.create(tournament=desk.tournament)
    for table in Table.objects.filter(round__tournament=desk.tournament):
        decide(table)
    rounds.mark_closed(desk.tournament, 1, reason="", at=AT)
    row = Client().get(f"/t/{desk.tournament.slug}/leaderboard.json").json()["rows"][-1]
    assert (row["start_number"], row["rank"], row["points"], row["tie_break"]) == (13, 13, 0, [])
